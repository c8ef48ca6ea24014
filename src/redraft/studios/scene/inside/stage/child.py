"""Process that runs one script: forked for it, confined, and gone when it is done.

The script runs as `__main__`, as if it were the file `script.py` in an empty folder that is its working folder. It can
do to this process what it likes; what it did is undone as far as saving its scene needs it.
"""

from __future__ import annotations

import builtins
import ctypes
import faulthandler
import json
import linecache
import os
import random
import resource
import signal
import sys
import threading
import types
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from redraft.sandbox.seccomp import confine_script
from redraft.studios.scene.inside.stage.messages import SCRIPT, Advise, error_text, syntax_error_text, with_advice
from redraft.studios.scene.inside.stage.watch import DUMP

if TYPE_CHECKING:
    from redraft.studios.scene.inside.advice.lookup import Advice  # it needs Blender, which is not yet there

Handlers = dict[str, list[Any]]


def handlers_now() -> Handlers:
    """Return the functions that Blender calls by itself, by occasion."""
    import bpy

    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return {name: [*cast("list[Any]", functions)] for name, functions in lists.items() if isinstance(functions, list)}


def save(path: Path, kept: Handlers) -> list[str]:
    """Write the scene to a `.blend` that needs no other file; return what could not be taken along, in words.

    Args:
        kept: the handlers that stay; those of the script would run while its file is written, and end with it.

    Raises:
        RuntimeError: Blender could not write it, in its words.
    """
    import bpy

    for name, functions in kept.items():
        current = getattr(bpy.app.handlers, name)
        current[:] = [each for each in current if each in functions]

    layer = bpy.context.view_layer
    layer.update()  # what was just removed is still in its list, as nothing
    for thing in [each for each in layer.objects if each.mode != "OBJECT"]:
        with suppress(RuntimeError):  # a hidden one cannot be left; saving takes its edited state all the same
            layer.objects.active = thing
            bpy.ops.object.mode_set(mode="OBJECT")

    # Pictures and fonts that a script made are nowhere else.
    pictures = [
        each
        for each in bpy.data.images
        if each.packed_file is None and (each.is_dirty or (each.source == "FILE" and each.filepath))
    ]
    fonts = [each for each in bpy.data.fonts if each.packed_file is None and each.filepath != "<builtin>"]
    notes: list[str] = []
    for kind, parts in (("picture", pictures), ("font", fonts)):
        for part in parts:
            try:
                part.pack()
            except RuntimeError as error:
                words = " ".join(str(error).split()).removeprefix("Error: ")
                notes.append(f"The {kind} {part.name!r} is not in the scene: {words}")
    bpy.context.view_layer.update()

    # Paths stay absolute: the viewer opens the file in another folder, and finds the assets from there.
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, compress=True, relative_remap=False)
    return notes


WORK = "script"
"""The folder that a script works in, inside the scratch folder."""
MADE = "made/scene.blend"
"""The file of its scene, inside the scratch folder."""
MAX_FILE = 256 << 20
"""Bytes of one file."""
MAX_OPEN = 512
"""Descriptors open at one time."""

READY = b"ready\n"
"""Written before the report once the process is confined: what comes after it may be the script's."""
Report = dict[str, Any]
_dumps, _exit, _write = json.dumps, os._exit, os.write  # a script may put others in their places


@dataclass(frozen=True)
class Job:
    """A script, and its limits."""

    code: str
    seed: int
    seconds: float
    memory: int
    """Bytes."""
    confined: bool = True
    """Whether it gives up system calls first, see `redraft.sandbox.seccomp`."""


@dataclass(frozen=True)
class Ends:
    """The writing ends of what the server reads, by descriptor."""

    printed: int
    report: int
    trace: int


@dataclass(frozen=True)
class Site:
    """Facts of the server that its children need."""

    folder: Path
    """The scratch folder."""
    foreign: tuple[int, ...]
    """Descriptors of the server that are none of a script's business."""
    handlers: Handlers
    advise: Advise
    advise_on_look: Callable[[str], Advice]
    notes: list[str]
    """Sentences about what was done otherwise than the script says; the server's own list is always empty."""


def run(job: Job, ends: Ends, site: Site) -> NoReturn:
    """Be the process of one script, from the fork to the end."""
    report: Report = {}  # of a script that does not come to its end, nothing is known
    try:
        try:
            _settle(job, ends, site)
        except Exception as error:  # the server needs a report: no script has run yet, so the error is redraft's
            report = {"broken": f"{type(error).__name__}: {error}"}
        else:
            _write(ends.report, READY)
            report = _run_script(job, site)
    finally:
        data = memoryview(_dumps(report).encode("ascii") if report else b"")
        with suppress(OSError):  # the script closed it: then its end is not known
            while data:
                data = data[_write(ends.report, data) :]
        _exit(0)


def _settle(job: Job, ends: Ends, site: Site) -> None:
    """Leave the server's descriptors, take the script's folder and limits, and give up what it must not do."""
    import bpy
    import mathutils
    import numpy

    for end in (1, 2):
        os.dup2(ends.printed, end)
    for descriptor in (*site.foreign, ends.printed):
        with suppress(OSError):
            os.close(descriptor)
    sys.stdout = sys.__stdout__ = _writer(1)
    sys.stderr = sys.__stderr__ = _writer(2)
    faulthandler.enable(ends.trace, all_threads=False)
    faulthandler.register(DUMP, ends.trace, all_threads=False)
    for folder in (site.folder / WORK, (site.folder / MADE).parent, Path(bpy.app.tempdir)):
        folder.mkdir(parents=True, exist_ok=True)
    os.chdir(site.folder / WORK)
    limits = {
        resource.RLIMIT_FSIZE: MAX_FILE,
        resource.RLIMIT_NOFILE: MAX_OPEN,
        resource.RLIMIT_CPU: int(job.seconds * (os.cpu_count() or 1)) + 10,  # the server's clock is stricter
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (limit, limit))
    random.seed(job.seed)
    numpy.random.seed(job.seed % 2**32)
    mathutils.noise.seed_set(job.seed % 2**31 or 1)  # 0 would be the clock
    if job.confined:
        confine_script()


def _writer(descriptor: int) -> Any:
    """Return a text stream that no character fails on."""
    return open(descriptor, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)


def _run_script(job: Job, site: Site) -> Report:
    """Run the script and save its scene; return the report."""
    try:
        program = compile(job.code, SCRIPT, "exec", dont_inherit=True)
    except Exception as error:  # also null bytes, bad characters, too deep nesting
        return with_advice(error, job.code, syntax_error_text(error), site.advise)

    # The script is the main module, with its text where tracebacks look for it.
    before = _Before()
    module = types.ModuleType("__main__")
    module.__file__ = SCRIPT
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    sys.argv = [SCRIPT, "--"]  # what is behind the dashes is the script's, by Blender's custom
    linecache.cache[SCRIPT] = (len(job.code), None, job.code.splitlines(keepends=True), SCRIPT)
    try:
        try:
            exec(program, module.__dict__)  # noqa: S102 - the whole purpose
        finally:
            before.restore()
    except SystemExit as error:
        if error.code not in (None, 0):
            return _failed(error, job, site)
    except BaseException as error:  # without a report the server could not give the reason of the failure
        return _failed(error, job, site)
    unseen = site.advise_on_look(job.code)
    if unseen.patches:
        message = f"The script ran to its end, but does not look as it says: {'; '.join(unseen.hints)}"
        return {"failed": message, "patches": [*unseen.patches]}
    return _save_scene(site)


def _failed(error: BaseException, job: Job, site: Site) -> Report:
    try:
        return with_advice(error, job.code, error_text(error, job.code), site.advise)
    except Exception as wrong:  # reading a script's exception can raise anything; the report must be sent
        message = f"The script raised an exception that raises {type(wrong).__name__} itself when it is read."
        return {"failed": message, "patches": []}


class _Before:
    """State of the interpreter that a script may change and the rest of this process needs."""

    def __init__(self) -> None:
        self._builtins = dict(builtins.__dict__)
        self._names = builtins.__dict__
        self._modules, self._meta_path, self._path_hooks = dict(sys.modules), list(sys.meta_path), list(sys.path_hooks)
        self._recursion = sys.getrecursionlimit()
        self._streams = sys.stdout, sys.stderr

    def restore(self) -> None:
        self._names.clear()
        self._names.update(self._builtins)
        sys.settrace(None)
        sys.setprofile(None)
        threading.settrace(None)  # type: ignore[arg-type]
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.setrecursionlimit(self._recursion)
        sys.meta_path[:], sys.path_hooks[:] = self._meta_path, self._path_hooks
        sys.modules.update(self._modules)
        for stream in (sys.stdout, sys.stderr, *self._streams):
            with suppress(Exception):  # whatever the script put there
                stream.flush()
        sys.stdout, sys.stderr = self._streams


def _save_scene(site: Site) -> Report:
    """Save the scene; return the report. What Blender prints meanwhile is not the script's."""
    ctypes.CDLL(None).fflush(None)
    nothing = os.open(os.devnull, os.O_WRONLY)
    for end in (1, 2):
        os.dup2(nothing, end)
    try:
        notes = save(site.folder / MADE, site.handlers)
    except Exception as error:  # Blender refuses, or the script changed its modules; the report must be sent
        words = " ".join(f"{type(error).__name__}: {error}".split())
        return {"failed": f"The script ran to its end, but its scene could not be saved. {words}", "patches": []}
    return {"done": {"notes": [*site.notes, *notes]}}
