"""How issues are worded and drawn: fixes that a model can act on, and marks over the picture."""

from __future__ import annotations

from redraft.result import Issue, Mark, Severity
from redraft.spatial.layout import Bounds, Point
from redraft.spatial.rules.codes import CODES

__all__ = [
    "PEN",
    "arrow",
    "box",
    "centre",
    "found",
    "height",
    "place_words",
    "scale_words",
    "shift_words",
    "width",
]

PEN = 0.006
"""Pens may reach so far over the edge of the frame."""
MARGIN = 0.02
"""What is made to fit keeps so much air to the edge."""
LEAST = 0.35
"""Less than this is left of a thing, and something else has to give way."""


def found(
    code: str,
    severity: Severity,
    message: str,
    subjects: tuple[str, ...],
    *,
    numbers: dict[str, float] | None = None,
    mend: str = "",
    marks: tuple[Mark, ...] = (),
    phrase: str = "",
) -> Issue:
    """An issue of a documented code; numbers are rounded to a millionth."""
    assert code in CODES, code
    rounded = {name: round(float(value), 6) for name, value in (numbers or {}).items()}
    return Issue(
        code=code,
        severity=severity,
        message=message,
        subjects=subjects,
        numbers=rounded,
        mend=mend,
        marks=marks,
        phrase=phrase,
        basis="heuristic",
    )


def shift_words(name: str, dx: float, dy: float) -> str:
    """`move tree left by 0.12 and up by 0.05`; shifts below a two-thousandth are left out."""
    steps = [
        f"{word} by {abs(step):.3f}"
        for step, word in ((dx, "left" if dx < 0 else "right"), (dy, "up" if dy < 0 else "down"))
        if abs(step) >= 0.0005
    ]
    return f"move {name} {' and '.join(steps)}" if steps else f"leave {name} where it is"


def place_words(name: str, dx: float, dy: float, at: Bounds, frame: Bounds) -> str:
    """A shift in words that stays within the frame: smaller first where it is too large for where it should be."""
    edges, factor = list[str](), 1.0
    for axis, (step, names) in enumerate(((dx, ("right", "left")), (dy, ("lower", "upper")))):
        near, far = at[axis] + step, at[axis + 2] + step
        over = frame[axis] - near if step < 0 else far - frame[axis + 2]
        if step and over > PEN:
            stays, room = (far, far - frame[axis]) if step < 0 else (near, frame[axis + 2] - near)
            factor = min(factor, (room - MARGIN) / (far - near))
            edges.append(f"its {names[step > 0]} edge at {'xy'[axis]} = {stays:.3f}")
    if not edges:
        return shift_words(name, dx, dy)
    if factor < LEAST:
        return f"there is no room for {name} there: make other things smaller or move them aside, then put it there"
    return f"{scale_words(name, factor)}, with {' and '.join(edges)}"


def scale_words(name: str, factor: float) -> str:
    """`make roof 20 % larger`."""
    change = abs(factor - 1) * 100
    return f"make {name} {change:.0f} % {'larger' if factor > 1 else 'smaller'}"


def box(bounds: Bounds, text: str = "") -> Mark:
    return Mark(kind="box", at=bounds, text=text)


def arrow(start: Point, end: Point, text: str = "") -> Mark:
    return Mark(kind="arrow", at=(*start, *end), text=text)


def centre(bounds: Bounds) -> Point:
    return ((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2)


def width(bounds: Bounds) -> float:
    return bounds[2] - bounds[0]


def height(bounds: Bounds) -> float:
    return bounds[3] - bounds[1]
