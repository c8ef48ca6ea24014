"""What is said of a script whose process was stopped, crashed, or ended in the middle."""

from __future__ import annotations

import re

from redraft.sandbox.processes import signal_word
from redraft.studios.scene.inside.complaint import SCRIPT, frame_line
from redraft.studios.scene.inside.stage_watch import Ended

__all__ = ["clean", "crashed", "no_report", "stopped", "too_large"]

LESS = (
    "Make it do less: fewer objects, `bmesh` or `mesh.from_pydata` instead of `bpy.ops` in a loop, copies that share "
    "one mesh (`bpy.data.objects.new(name, mesh)`), fewer subdivision levels."
)
SMALLER = (
    "Make what it holds smaller: fewer subdivision levels, fewer vertices, copies that share one mesh, smaller images."
)
_FRAME = re.compile(rf'^  File "{re.escape(SCRIPT)}", line (\d+) in (.+)$', re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def stopped(ended: Ended, code: str, *, seconds: float, memory: int) -> str:
    """Which limit it broke, what it was doing, and what would help."""
    where = _where(ended, code, "It was then at")
    match ended.stopped:
        case "time":
            return f"It ran longer than {seconds:g} s and was stopped.{where}\n{LESS}"
        case "memory":
            return f"It held more than {_size(memory)} of memory and was stopped.{where}\n{SMALLER}"
        case _:
            return (
                f"It wrote too many files, or too large ones, and was stopped.{where}\n"
                "Write none: redraft saves and renders the scene itself."
            )


def crashed(ended: Ended, code: str) -> str:
    """A crash that happened again in a fresh process."""
    number = -ended.code
    where = _where(ended, code, "It was then at")
    return (
        f"Your code crashed Blender (signal {number}, {signal_word(number)}), twice.{where}\n"
        "Do that another way: do not use data that was removed, or kept from before a mode change, an undo or a reset."
    )


def no_report(ended: Ended) -> str:
    """It ended by itself and said nothing, or nothing that can be understood."""
    if ended.report:
        return (
            "The script wrote to a file descriptor that it had not opened, so nothing is known of its end. "
            "Leave out os.write and os.close on descriptors."
        )
    return (
        f"The script ended Blender in the middle, with exit code {ended.code}, so there is no scene. "
        "Leave out os._exit and os.close; let it run to its last line."
    )


def too_large(size: int, most: int) -> str:
    """The `.blend` is larger than is taken."""
    return (
        f"The scene takes {size / 2**20:.0f} MB as a .blend file; at most {most / 2**20:.0f} MB are taken. Leave "
        "subdivision to modifiers instead of applying them, share one mesh among copies, use fewer vertices and "
        "smaller images."
    )


def clean(text: str, folder: str) -> str:
    """A script's words without our folder's path, control characters, and what is no text."""
    text = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text.replace(folder, "/scratch"))


def _where(ended: Ended, code: str, words: str) -> str:
    """The innermost line of the script that was running, on a line of its own; nothing where it is not known."""
    found = _FRAME.search(ended.trace.decode("utf-8", "replace"))
    if found is None:
        return ""
    return f" {words}:\n  {frame_line(int(found[1]), found[2], code.splitlines())}"


def _size(count: int) -> str:
    return f"{count / 2**30:.3g} GiB" if count >= 1 << 30 else f"{count / 2**20:.3g} MiB"
