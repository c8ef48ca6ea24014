"""Checks of frames that need no critic: that there is something in them, that it moves, that a loop closes.

No rule reads what a picture shows: the brief's words are listed as unchecked, always. What cannot be intended is a
defect; the rest are rules of thumb, which ask, or judge where they are strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from redraft.brief import TOWARD, Brief
from redraft.result import Heuristics, Issue, Report, judged
from redraft.studios.codes import Code, Codes
from redraft.studios.shader.spec import Frame, Shader

CODES = Codes(
    {
        "frame.not_a_number": Code(
            "pixels are NaN or infinite and drawn black; slight: less than 0.1 % of them",
            "error",
            mild="warning",
            basis="defect",
        ),
        "frame.blank": Code("all frames are black or white", "error", basis="defect"),
        "frame.constant": Code(
            "frames have one color and nothing else; slight: not all of them", "error", mild="warning"
        ),
        "motion.still": Code("several frames are all alike", "warning"),
        "loop.seam": Code("the end of a loop differs from its beginning", "error", basis="defect"),
    }
)
"""Every finding about shaders."""

ONE_COLOR = 2 / 255
"""A channel that varies by no more is one color: that is rounding, and dithering against bands."""
BROKEN = 0.001
"""The share of pixels without a number from which it is an error; fewer are sparks that hardly show."""
CLOSED = 0.008
"""Mean channel difference at which the seam of a loop does not show: two steps of 255."""
EMPTY = frozenset({"#000000", "#ffffff"})

_PLAIN = re.compile(r"\b(plain|solid|uniform|blank|(flat|single|one) colou?r|(black|white) screen)\b")
_STILL = re.compile(r"\b(still|static|motionless|frozen|photo|photograph|unmoving|without motion)\b")
"""Words of the brief that only strict rules of thumb consult."""


def check(artifact: Shader, brief: Brief, heuristics: Heuristics = "default") -> Report:
    """Return the rules' report: defects, and the findings of heuristics, which are notes by default."""
    words = brief.instruction.lower() if heuristics == "strict" else ""
    found = [*_numbers(artifact), *_emptiness(artifact, words, brief), *_motion(artifact, words), *_seam(artifact)]
    asked = "" if brief.instruction == TOWARD else brief.instruction
    return Report(
        issues=judged(found, heuristics, CODES.severities),
        unchecked=(asked,) if asked else (),
        heuristics=heuristics,
    )


def _numbers(shader: Shader) -> Iterator[Issue]:
    broken = [frame for frame in shader.frames if frame.broken > 0]
    if not broken:
        return
    worst = max(broken, key=lambda frame: frame.broken)
    yield CODES.finding(
        "frame.not_a_number",
        f"{worst.broken:.1%} of the pixels at {worst.time:.2f} s are NaN or infinite "
        f"({_frames(broken, shader)}); they are drawn black",
        numbers={"found": worst.broken, "expected": 0.0, "frames": len(broken)},
        hint="Look for a division by zero, sqrt or log or pow of a negative number, normalize of a zero vector, "
        "acos or asin beyond 1; guard each with max() or clamp().",
        mild=worst.broken < BROKEN,
    )


def _emptiness(shader: Shader, words: str, brief: Brief) -> Iterator[Issue]:
    """Every frame black, or every one white, is a defect; another color, or some of the frames, may be meant."""
    empty = [frame for frame in shader.frames if frame.spread <= ONE_COLOR]
    if not empty or _PLAIN.search(words) or brief.target is not None:
        return
    first, always = empty[0], len(empty) == len(shader.frames)
    beyond = f" (values run from {first.low:.3g} to {first.high:.3g})" if not 0 <= first.low <= first.high <= 1 else ""
    blank = always and {frame.colour for frame in empty} <= EMPTY
    yield CODES.finding(
        "frame.blank" if blank else "frame.constant",
        f"the frame at {first.time:.2f} s is nothing but {first.colour}{beyond} ({_frames(empty, shader)})",
        numbers={"found": len(empty), "expected": 0.0, "frames": len(shader.frames)},
        hint="Show something: look for a color that is multiplied by zero, a mask that is never inside, coordinates "
        "that leave the shape outside the picture, or values far above 1.",
        mild=not always,
    )


def _motion(shader: Shader, words: str) -> Iterator[Issue]:
    """Frames with something in them that are all alike."""
    if len(shader.frames) < 2 or len({frame.picture for frame in shader.frames}) > 1:
        return
    if shader.frames[0].spread <= ONE_COLOR or _STILL.search(words):
        return
    yield CODES.finding(
        "motion.still",
        f"all {len(shader.frames)} frames over {shader.seconds:g} s are alike to the last pixel",
        numbers={"found": len(shader.frames), "expected": 1.0},
        hint="Let something depend on u_time.",
    )


def _seam(shader: Shader) -> Iterator[Issue]:
    """A seamless loop was set, not only described: no reply can intend another end."""
    if shader.seam is None or shader.seam <= CLOSED:
        return
    yield CODES.finding(
        "loop.seam",
        f"the loop does not close: at {shader.seconds:g} s the picture differs from the first frame by "
        f"{shader.seam:.3f} on average, and at most {CLOSED:.3f} does not show",
        numbers={"found": shader.seam, "expected": CLOSED, "largest_step": shader.step or 0.0},
        hint=f"Let u_time in only through whole turns in {shader.seconds:g} s: sin and cos of "
        f"6.2831853 * k * u_time / {shader.seconds:g} with whole k, also for what moves through noise "
        "(walk a circle in the noise, not a line).",
    )


def _frames(found: list[Frame], shader: Shader) -> str:
    return "all frames" if len(found) == len(shader.frames) else f"{len(found)} of {len(shader.frames)} frames"
