"""Every issue code there is, with what it means: the index of `docs/rules.md`."""

from __future__ import annotations

__all__ = ["CODES"]

CODES: dict[str, str] = {
    "overlap.objects": "two different objects partly cover the same place, and no requirement lets them meet",
    "overlap.clash": "two objects that stand side by side reach into each other",
    "overlap.duplicate": "two like parts of one object cover the same place",
    "overlap.hidden": "a part is painted before others that cover all of it",
    "spacing.near_miss": "two different objects almost touch",
    "spacing.uneven": "one gap in a row of like things differs from the others",
    "spacing.hint": "a distance is not what the words of the instruction usually mean (strict only)",
    "ratio.objects": "two objects differ in area by more than a hundred times",
    "ratio.part": "a part is a hundred times larger, or ten thousand times smaller, than its whole",
    "ratio.odd_one": "one of four or more things of a kind differs in size from all the others, which agree",
    "symmetry.size": "the parts of a pair differ in area by more than twice",
    "symmetry.sides": "a left and a right part are not on different sides",
    "symmetry.height": "a left and a right part are not at one height",
    "symmetry.axis": "a left and a right part are not mirrored about the axis of their whole",
    "symmetry.lonely": "a left part has no right one, or the reverse",
    "symmetry.midline": "one part between mirrored pairs is off their axis, and the others are on it",
    "size.small": "an object is smaller than the least share of the canvas",
    "size.large": "an object is larger than the greatest share of the canvas",
    "attachment.apart": "a part is not connected to the rest of its object",
    "containment.outside": "a part drawn over its whole sticks out of it a little, or unlike its likes",
    "gravity.floating": "a thing is a little above the ground, or above the line of its likes, and touches nothing",
    "bounds.outside": "an object is cut off by the edge of the canvas",
    "perspective.size": "of two like things on one ground the farther one is much taller",
    "text.crossed": "a text runs over a line, over the edge of a thing, or over another text",
    "text.edge": "a text is so near to the edge of the canvas that it looks cut off",
    "style.pen": "one of several like things is drawn with another pen",
    "style.outlier": "one of six or more like strokes of a part has another length",
    "defect.number": "a coordinate is not a number",
    "defect.empty": "nothing is painted",
    "defect.outside": "everything is outside of the canvas",
    "defect.covered": "the part painted last covers the whole canvas",
}
