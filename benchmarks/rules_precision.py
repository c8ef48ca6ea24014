"""Precision: what is said of 28 drawings that a capable model gave at once, mostly right.

    python benchmarks/rules_precision.py

Statements annotated by hand (`data/annotated_requirements.json`) are measured, and rules of thumb ask, as in a run.
Prints every broken statement and every question, judged against the faults that the drawings really have
(`data/oneshot/README.md`, `data/blind/README.md`), and beside it what the specification's rules report when taken
literally, on bounding boxes of all parts. Exits 1 when an error is false, when there is more than one question a
drawing on average, or when fewer true faults are raised than by version 0.1.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import combinations

from redraft.layout import Bounds, Item, Layout
from redraft.requirements import unmeasured
from redraft.requirements.kinds import issues_of, measure
from redraft.requirements.reading import statements
from redraft.result import Issue, Report
from redraft.rulings import Rulings
from redraft.spatial.rules import defects, heuristics
from rules_data import First, first_drafts

DRAWINGS = 28
QUESTIONS = 1.0
"""On average, for each drawing."""
EARLIER = 9
"""True faults that version 0.1 reported; it read the brief, and 27 of its 31 reports on the twelve were false."""


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
    _truth("08", "hour_hand", "requirement", "the hour hand is at 299°, not 305°"),
    _truth("09", "sail_left sail_right", "attachment", "the sails are off the mast"),
    _truth("09", "mast", "symmetry attachment", "the mast is off the hull's middle"),
    _truth("09", "hull sea", "overlap gravity", "the hull's corner shows in a trough"),
    _truth("14", "squares board", "containment overlap", "squares are painted over the frame"),
    _truth("15", "moon branch", "spacing", "the moon's edge almost meets the branch's"),
    _truth("busstop", "bus bus_stop", "spacing", "the bus almost touches the sign"),
    _truth("busstop", "bus_stop shelter", "spacing", "the sign almost touches the shelter"),
    _truth("busstop", "person_1 person_2", "spacing", "the two people almost touch"),
    _truth("giraffe", "mouse_ear_1 mouse_ear_2", "overlap", "the mouse's ears overlap by 12 %"),
)


def truths(name: str, issue: Issue) -> list[Truth]:
    """The faults that an issue is about: of two things that meet, both."""
    near = [t for t in TRUE if t.drawing == name and issue.category in t.categories and t.parts & set(issue.subjects)]
    meeting = issue.category in {"spacing", "overlap"}
    return [t for t in near if t.parts <= set(issue.subjects) or not (meeting and len(t.parts) == 2)]


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


def checked(first: First) -> Report:
    """What a run would ask about a first draft, and what it would find wrong."""
    found = statements(first.requirements, first.brief, first.layout)
    results = measure(found.requirements, first.layout)
    asked = heuristics(first.layout, requirements=found.requirements)
    report = Report(
        issues=(*issues_of(results, first.layout), *defects(first.layout), *asked),
        requirements=results,
        set_aside=found.set_aside,
        unchecked=unmeasured(first.brief, found.requirements),
    )
    return Rulings().applied(report)


def main() -> int:
    false, questions, naive, drawings = 0, 0, 0, first_drafts()
    assert len(drawings) == DRAWINGS, f"{len(drawings)} drawings were read, not {DRAWINGS}"
    seen: set[Truth] = set()
    for first in drawings:
        report = checked(first)
        counts = literal(first.layout)
        naive += sum(counts.values())
        told = ", ".join(f"{n} {kind}" for kind, n in counts.items())
        print(f"{first.name} {first.brief}\n   {len(report.requirements)} statements; on boxes: {told}")
        for line in report.set_aside:
            print(f"   SET ASIDE {line}")
        for issue in report.issues:
            matched = truths(first.name, issue)
            seen.update(matched)
            wrong = issue.basis != "heuristic"
            false += wrong and not matched
            questions += issue.basis == "heuristic" and issue.severity == "question"
            kind = "broken" if wrong else "asks" if issue.severity == "question" else "unasked"
            print(f"   {'true ' if matched else 'FALSE'} {kind} {issue.code}: {issue.message}")
    each = questions / len(drawings)
    annotated = sum(bool(first.requirements) for first in drawings)
    assert annotated == DRAWINGS, f"statements were read for {annotated} drawings, not {DRAWINGS}"
    print(f"false errors: {false}, on {annotated} drawings with statements of {len(drawings)}")
    print(f"questions a drawing: {each:.2f} (at most {QUESTIONS}); the literal rules on boxes report {naive} in all")
    print(f"true faults raised: {len(seen)} of {len(TRUE)} (at least {EARLIER})")
    for truth in TRUE:
        print(f"   {'found ' if truth in seen else 'missed'} {truth.drawing} {truth.words}")
    return 0 if not false and each <= QUESTIONS and len(seen) >= EARLIER else 1


if __name__ == "__main__":
    sys.exit(main())
