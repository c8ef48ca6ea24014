"""Precision of the rules: what they say of sixteen drawings that a capable model gave at once, mostly right.

    python benchmarks/rules_precision.py

Prints every error and warning, judged against the faults that the drawings really have (`data/oneshot/README.md`), and
beside it what the specification's rules report when taken literally, on bounding boxes of all parts. Exits 1 when more
than two errors or warnings are false.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import combinations

from redraft.result import Issue
from redraft.spatial.layout import Bounds, Item, Layout
from redraft.spatial.relations import read
from redraft.spatial.rules import SemanticValidator
from rules_data import sixteen

AIM = 2


@dataclass(frozen=True)
class Truth:
    """A fault that a drawing has: the parts it shows at, and the categories of issues that would name it."""

    drawing: str
    parts: frozenset[str]
    categories: frozenset[str]
    words: str


def _truth(drawing: str, parts: str, categories: str, words: str) -> Truth:
    return Truth(drawing, frozenset(parts.split()), frozenset(categories.split()), words)


TRUE = (
    _truth("01", "tail", "attachment", "the tail hardly overlaps the body"),
    _truth("02", "crank pedal_1 pedal_2", "overlap containment", "chainring and pedal cover the rear tyre"),
    _truth("02", "fork", "attachment", "no head tube, the fork grazes the frame"),
    _truth("02", "chain", "attachment style", "the chain is open"),
    _truth("03", "sun", "style", "the top ray is short"),
    _truth("04", "flower_1 flower_2", "spacing", "the petals almost collide"),
    _truth("04", "house", "spacing", "one flower almost touches the eave"),
    _truth("06", "balloon_4 balloon_5", "spacing bounds", "uneven gaps and margins"),
    _truth("08", "hour_hand", "angle", "the hour hand is at 299°, not 305°"),
    _truth("09", "sail_left sail_right", "attachment", "the sails are off the mast"),
    _truth("09", "mast", "symmetry attachment", "the mast is off the hull's middle"),
    _truth("09", "hull sea", "overlap gravity", "the hull's corner shows in a trough"),
    _truth("14", "squares board", "containment overlap", "squares are painted over the frame"),
    _truth("15", "moon branch", "spacing", "the moon's edge almost meets the branch's"),
)


def truths(number: str, issue: Issue) -> list[Truth]:
    """The faults that an issue is about."""
    return [t for t in TRUE if t.drawing == number and issue.category in t.categories and t.parts & set(issue.subjects)]


def literal(layout: Layout) -> dict[str, int]:
    """The specification's rules on boxes of all parts: overlap, ratio, pairs, size; how many each reports."""
    frame = layout.frame.area
    boxes = {i.name: _box(i) for i in layout if not i.shape.is_empty}
    sizes = {name: _area(b) for name, b in boxes.items()}
    return {
        "overlap": sum(_iou(boxes[a], boxes[b]) > 0.1 for a, b in combinations(boxes, 2)),
        "ratio": sum(
            max(sizes[a], sizes[b]) > 100 * min(sizes[a], sizes[b]) and min(sizes[a], sizes[b]) > 0
            for a, b in combinations(boxes, 2)
        ),
        "size": sum(not 0.005 <= size / frame <= 0.8 for size in sizes.values()),
        "pairs": sum(_uneven(boxes[a], boxes[b]) for a, b in combinations(boxes, 2) if _paired(a, b)),
    }


def _box(item: Item) -> Bounds:
    x0, y0, x1, y1 = item.shape.bounds
    return (x0, y0, x1, y1)


def _area(b: Bounds) -> float:
    return (b[2] - b[0]) * (b[3] - b[1])


def _iou(a: Bounds, b: Bounds) -> float:
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(across, 0.0) * max(down, 0.0)
    return shared / (_area(a) + _area(b) - shared)


def _paired(a: str, b: str) -> bool:
    """`ear_left` and `ear_right`, `ear_1` and `ear_2`, as the specification writes."""
    stems = [re.sub(r"_?(left|right|1|2)$", "", name) for name in (a, b)]
    return stems[0] == stems[1] and stems[0] not in (a, b)


def _uneven(a: Bounds, b: Bounds) -> bool:
    sizes = sorted((_area(a), _area(b)))
    beside = min(a[2], b[2]) <= max(a[0], b[0])
    level = abs((a[1] + a[3]) - (b[1] + b[3])) / 2 <= 0.05
    return not (sizes[1] <= 2 * sizes[0] and beside and level)


def main() -> int:
    false, seen, naive = 0, set[Truth](), 0
    for number, text, layout in sixteen():
        report = SemanticValidator().validate(layout, read(text))
        counts = literal(layout)
        naive += sum(counts.values())
        valid = "valid" if report.valid else "not valid"
        told = ", ".join(f"{n} {kind}" for kind, n in counts.items())
        print(f"{number} {text}\n   score {report.score:.2f}, {valid}; on boxes: {told}")
        for issue in (*report.errors, *report.warnings):
            matched = truths(number, issue)
            seen.update(matched)
            false += not matched
            print(f"   {'true ' if matched else 'FALSE'} {issue.severity} {issue.code}: {issue.message}")
    print(f"false errors and warnings: {false} (at most {AIM}); the literal rules on boxes report {naive}")
    print(f"true faults found: {len(seen)} of {len(TRUE)}")
    for truth in TRUE:
        print(f"   {'found ' if truth in seen else 'missed'} {truth.drawing} {truth.words}")
    return 0 if false <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
