"""Checks of frames that need no critic: that there is something in them, that it moves, that a loop closes.

No rule recognizes what a picture shows, so the brief is always listed as unchecked. What cannot be intended is a
defect; the rest are heuristics, which are notes, and judge where they are strict.
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
"""Range of a channel up to which it counts as one color: that is rounding, and dithering against bands."""
MANY_BROKEN = 0.001
"""Share of broken pixels from which they are an error; fewer are sparks that hardly show."""
MAX_SEAM = 0.008
"""Mean channel difference up to which the seam of a loop does not show: two steps of 255."""
BLANK = frozenset({"#000000", "#ffffff"})

_PLAIN = re.compile(r"\b(plain|solid|uniform|blank|(flat|single|one) colou?r|(black|white) screen)\b")
_STILL = re.compile(r"\b(still|static|motionless|frozen|photo|photograph|unmoving|without motion)\b")
"""Words of the brief that only strict heuristics consult."""


def check(artifact: Shader, brief: Brief, heuristics: Heuristics = "default") -> Report:
    """Return the rules' report: defects, and the findings of heuristics, which are notes by default."""
    words = brief.instruction.lower() if heuristics == "strict" else ""
    findings = list(broken_pixels(artifact))
    if brief.target is None and not _PLAIN.search(words):
        findings += empty_frames(artifact)
    if not _STILL.search(words):
        findings += no_motion(artifact)
    findings += open_loop(artifact)
    return Report(
        issues=judged(findings, heuristics, CODES.severities),
        unchecked=() if brief.instruction in ("", TOWARD) else (brief.instruction,),
        heuristics=heuristics,
    )


def broken_pixels(shader: Shader) -> Iterator[Issue]:
    """Find pixels that are NaN or infinite."""
    broken = [frame for frame in shader.frames if frame.broken > 0]
    if not broken:
        return
    worst = max(broken, key=lambda frame: frame.broken)
    yield CODES.finding(
        "frame.not_a_number",
        f"{worst.broken:.1%} of the pixels at {worst.time:.2f} s are NaN or infinite "
        f"({_share(broken, shader)}); they are drawn black",
        numbers={"found": worst.broken, "expected": 0.0, "frames": len(broken)},
        hint="Look for a division by zero, sqrt or log or pow of a negative number, normalize of a zero vector, "
        "acos or asin beyond 1; guard each with max() or clamp().",
        mild=worst.broken < MANY_BROKEN,
    )


def empty_frames(shader: Shader) -> Iterator[Issue]:
    """Find frames of one color. All black or all white is a defect; another color, or some frames, may be meant."""
    empty = [frame for frame in shader.frames if frame.spread <= ONE_COLOR]
    if not empty:
        return
    first, always = empty[0], len(empty) == len(shader.frames)
    beyond = f" (values run from {first.low:.3g} to {first.high:.3g})" if not 0 <= first.low <= first.high <= 1 else ""
    blank = always and {frame.colour for frame in empty} <= BLANK
    yield CODES.finding(
        "frame.blank" if blank else "frame.constant",
        f"the frame at {first.time:.2f} s is nothing but {first.colour}{beyond} ({_share(empty, shader)})",
        numbers={"found": len(empty), "expected": 0.0, "frames": len(shader.frames)},
        hint="Show something: look for a color that is multiplied by zero, a mask that is never inside, coordinates "
        "that leave the shape outside the picture, or values far above 1.",
        mild=not always,
    )


def no_motion(shader: Shader) -> Iterator[Issue]:
    """Find an animation whose frames have something in them and are all alike."""
    if len(shader.frames) < 2 or len({frame.picture for frame in shader.frames}) > 1:
        return
    if shader.frames[0].spread <= ONE_COLOR:
        return
    yield CODES.finding(
        "motion.still",
        f"all {len(shader.frames)} frames over {shader.seconds:g} s are alike to the last pixel",
        numbers={"found": len(shader.frames), "expected": 1.0},
        hint="Let something depend on u_time.",
    )


def open_loop(shader: Shader) -> Iterator[Issue]:
    """Find a loop that does not close. It was set, not only described: no reply can intend another end."""
    if shader.seam is None or shader.seam <= MAX_SEAM:
        return
    yield CODES.finding(
        "loop.seam",
        f"the loop does not close: at {shader.seconds:g} s the picture differs from the first frame by "
        f"{shader.seam:.3f} on average, and at most {MAX_SEAM:.3f} does not show",
        numbers={"found": shader.seam, "expected": MAX_SEAM, "largest_step": shader.step or 0.0},
        hint=f"Let u_time in only through whole turns in {shader.seconds:g} s: sin and cos of "
        f"6.2831853 * k * u_time / {shader.seconds:g} with whole k, also for what moves through noise "
        "(walk a circle in the noise, not a line).",
    )


def _share(frames: list[Frame], shader: Shader) -> str:
    return "all frames" if len(frames) == len(shader.frames) else f"{len(frames)} of {len(shader.frames)} frames"
