"""The table of rules for drawings (the index of `docs/rules.md`), and the wording and marks of findings."""

from __future__ import annotations

from redraft.layout.items import Bounds, Point
from redraft.result import Mark
from redraft.studios.codes import Code, Codes

CODES = Codes(
    {
        "overlap.objects": Code(
            "two different objects partly cover the same place, and no requirement lets them meet",
            "error",
            faults=(0, 5),
        ),
        "overlap.clash": Code("two objects that stand side by side reach into each other", "error"),
        "overlap.duplicate": Code("two like parts of one object cover the same place", "error", faults=(0, 1)),
        "overlap.hidden": Code("a part is painted before others that cover all of it", "warning"),
        "spacing.near_miss": Code(
            "two different objects almost touch, or (strict only) are nearer than the least spacing",
            "warning",
            faults=(4, 4),
        ),
        "spacing.uneven": Code("one gap in a row of like things differs from the others", "warning", faults=(1, 1)),
        "spacing.hint": Code(
            "a distance is not what the words of the instruction usually mean (strict only)",
            "error",
            mild="warning",
        ),
        "ratio.objects": Code("two objects differ in area by more than a hundred times", "error"),
        "ratio.part": Code(
            "a part is a hundred times larger, or ten thousand times smaller, than its whole, "
            "or (strict only) a hundred times smaller than its whole or a sibling",
            "error",
        ),
        "ratio.odd_one": Code(
            "one of four or more things of a kind differs in size from all the others, which agree",
            "warning",
            faults=(0, 2),
        ),
        "symmetry.size": Code("the parts of a pair differ in area by more than twice", "error"),
        "symmetry.stacked": Code("a left and a right part lie on each other, at one place", "error", "error"),
        "symmetry.sides": Code("a left and a right part are not on different sides", "error", mild="warning"),
        "symmetry.height": Code(
            "a left and a right part are not at one height", "error", mild="warning", faults=(0, 2)
        ),
        "symmetry.axis": Code(
            "a left and a right part are not mirrored about the axis of their whole", "warning", faults=(0, 2)
        ),
        "symmetry.lonely": Code("a left part has no right one, or the reverse", "warning"),
        "symmetry.midline": Code(
            "one part between mirrored pairs is off their axis, and the others are on it", "warning", faults=(0, 1)
        ),
        "size.small": Code("an object is smaller than the least share of the canvas", "error"),
        "size.large": Code("an object is larger than the greatest share of the canvas", "error", faults=(0, 1)),
        "attachment.apart": Code(
            "a part is not connected to the rest of its object", "error", mild="warning", faults=(0, 4)
        ),
        "containment.outside": Code(
            "a part drawn over its whole sticks out of it a little, or unlike its likes", "warning", faults=(0, 7)
        ),
        "gravity.floating": Code(
            "a thing is a little above the ground, or above the line of its likes, and touches nothing",
            "warning",
        ),
        "bounds.outside": Code("an object is cut off by the edge of the canvas", "error", mild="warning"),
        "perspective.size": Code("of two like things on one ground the farther one is much taller", "warning"),
        "text.crossed": Code("a text runs over a line, over the edge of a thing, or over another text", "warning"),
        "text.edge": Code("a text is so near to the edge of the canvas that it looks cut off", "warning"),
        "style.pen": Code("one of several like things is drawn with another pen", "warning"),
        "style.outlier": Code("one of six or more like strokes of a part has another length", "warning", faults=(1, 1)),
        "defect.number": Code("a coordinate is not a number", "error", basis="defect"),
        "defect.empty": Code("nothing is painted", "error", basis="defect"),
        "defect.outside": Code("everything is outside of the canvas", "error", basis="defect"),
        "defect.covered": Code("the part painted last covers the whole canvas", "error", basis="defect"),
        "crowd.stopped": Code(
            "a rule stopped early, because too many parts lie on each other to compare them all", "note"
        ),
        "edit.restored": Code(
            "an edit changed a part that it did not name, and the part was put back", "note", basis="defect"
        ),
    }
)
"""Every finding about drawings that a rule can report. By default a heuristic is an error only if at least 95 % of its
findings on real drafts are faults (`benchmarks/rules_precision.py`) and what it finds cannot be intended."""

finding = CODES.finding


OVERHANG = 0.006
"""Pens may reach so far over the edge of the frame."""
MARGIN = 0.02
"""What is made to fit keeps so much air to the edge."""
MIN_FACTOR = 0.35
"""Less than this is left of a thing, and something else has to give way."""


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
        if step and over > OVERHANG:
            stays, room = (far, far - frame[axis]) if step < 0 else (near, frame[axis + 2] - near)
            factor = min(factor, (room - MARGIN) / (far - near))
            edges.append(f"its {names[step > 0]} edge at {'xy'[axis]} = {stays:.3f}")
    if not edges:
        return shift_words(name, dx, dy)
    if factor < MIN_FACTOR:
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


def center(bounds: Bounds) -> Point:
    return ((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2)


def width(bounds: Bounds) -> float:
    return bounds[2] - bounds[0]


def height(bounds: Bounds) -> float:
    return bounds[3] - bounds[1]
