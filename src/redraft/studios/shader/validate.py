"""What can be told of frames without looking: that there is something in them, that it moves, that a loop closes.

No rule reads what a picture shows: the brief's words are listed as unchecked, always.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from redraft.brief import TOWARD, Brief
from redraft.result import Issue, Report
from redraft.studios.shader.spec import Frame, Shader

__all__ = ["check"]

ONE_COLOUR = 2 / 255
"""A channel that varies by no more is one colour: that is rounding, and dithering against bands."""
BROKEN = 0.001
"""The share of pixels without a number from which it is an error; fewer are sparks that hardly show."""
CLOSED = 0.008
"""Mean channel difference at which nobody sees the seam of a loop: two steps of 255."""

_PLAIN = re.compile(r"\b(plain|solid|uniform|blank|(flat|single|one) colou?r|(black|white) screen)\b")
_STILL = re.compile(r"\b(still|static|motionless|frozen|photo|photograph|unmoving|without motion)\b")


def check(artifact: Shader, brief: Brief) -> Report:
    """The rules' report."""
    words = brief.instruction.lower()
    issues = [*_numbers(artifact), *_emptiness(artifact, words, brief), *_motion(artifact, words), *_seam(artifact)]
    asked = "" if brief.instruction == TOWARD else brief.instruction
    return Report(issues=tuple(issues), unchecked=(asked,) if asked else ())


def _numbers(shader: Shader) -> Iterator[Issue]:
    broken = [frame for frame in shader.frames if frame.broken > 0]
    if not broken:
        return
    worst = max(broken, key=lambda frame: frame.broken)
    yield Issue(
        code="frame.not_a_number",
        severity="error" if worst.broken >= BROKEN else "warning",
        message=f"{worst.broken:.1%} of the pixels at {worst.time:.2f} s are NaN or infinite "
        f"({_frames(broken, shader)}); they are drawn black",
        numbers={"share": worst.broken, "allowed": 0.0, "frames": len(broken)},
        mend="Look for a division by zero, sqrt or log or pow of a negative number, normalize of a zero vector, "
        "acos or asin beyond 1; guard each with max() or clamp().",
    )


def _emptiness(shader: Shader, words: str, brief: Brief) -> Iterator[Issue]:
    empty = [frame for frame in shader.frames if frame.spread <= ONE_COLOUR]
    if not empty or _PLAIN.search(words) or brief.target is not None:
        return
    first = empty[0]
    blank = first.colour in {"#000000", "#ffffff"}
    beyond = f" (values run from {first.low:.3g} to {first.high:.3g})" if not 0 <= first.low <= first.high <= 1 else ""
    yield Issue(
        code="frame.blank" if blank else "frame.constant",
        severity="error" if len(empty) == len(shader.frames) else "warning",
        message=f"the frame at {first.time:.2f} s is nothing but {first.colour}{beyond} ({_frames(empty, shader)})",
        numbers={"spread": first.spread, "expected": ONE_COLOUR, "frames": len(empty)},
        mend="Show something: look for a colour that is multiplied by zero, a mask that is never inside, coordinates "
        "that leave the shape outside the picture, or values far above 1.",
    )


def _motion(shader: Shader, words: str) -> Iterator[Issue]:
    if len(shader.frames) < 2 or len({frame.picture for frame in shader.frames}) > 1 or _STILL.search(words):
        return
    yield Issue(
        code="motion.still",
        severity="warning",
        message=f"all {len(shader.frames)} frames are alike to the last pixel, though an animation of "
        f"{shader.seconds:g} s was asked for",
        numbers={"frames": len(shader.frames)},
        mend="Let something depend on u_time.",
    )


def _seam(shader: Shader) -> Iterator[Issue]:
    if shader.seam is None:
        return
    allowed = CLOSED
    if shader.seam <= allowed:
        return
    yield Issue(
        code="loop.seam",
        severity="error",
        message=f"the loop does not close: at {shader.seconds:g} s the picture differs from the first frame by "
        f"{shader.seam:.3f} on average, and at most {allowed:.3f} is not seen",
        numbers={"seam": shader.seam, "allowed": allowed, "largest_step": shader.step or 0.0},
        mend=f"Let u_time in only through whole turns in {shader.seconds:g} s: sin and cos of "
        f"6.2831853 * k * u_time / {shader.seconds:g} with whole k, also for what moves through noise "
        "(walk a circle in the noise, not a line).",
    )


def _frames(found: list[Frame], shader: Shader) -> str:
    return "all frames" if len(found) == len(shader.frames) else f"{len(found)} of {len(shader.frames)} frames"
