"""Names and patterns: which parts they stand for, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from redraft.requirements.space import Space, ancestors
from redraft.requirements.statement import CANVAS, Requirement
from redraft.spatial.layout import Bounds, Layout

__all__ = ["bound", "matching", "named", "others_of"]


def matching(pattern: str, layout: Layout) -> tuple[str, ...]:
    """The parts that a name or pattern matches, visible or not; a part of a matched part is not one more."""
    if "*" not in pattern:
        return (pattern,) if pattern in layout else ()
    if pattern in layout.matched:
        return layout.matched[pattern]
    first, *middle, last = pattern.split("*")
    found: dict[str, None] = {}
    for item in layout:
        name = item.name
        if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
            continue
        at, end = len(first), len(name) - len(last)
        for piece in middle:
            at = name.find(piece, at, end) + len(piece) if name.find(piece, at, end) >= 0 else end + 1
        if at <= end:
            found[name] = None
    layout.matched[pattern] = _individuals(tuple(found), layout)
    return layout.matched[pattern]


def _individuals(names: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """Of the names that one pattern matches those of individuals: no parts of them, and nothing named after them all.

    Of `house_1` and its `house_1_door` that is the house; of `bar_1` to `bar_5` in a `bar_chart` the five; of numbered
    stations and `station_names`, which has another label, the stations.
    """
    every, labels = set(names), Counter(layout[name].label for name in names)
    usual, most = labels.most_common(1)[0] if labels else ("", 0)
    numbered = sum(name[-1].isdigit() and layout[name].label == usual for name in names)
    within: dict[str, Counter[str]] = {}
    for name in names:
        for above in ancestors(layout, name):
            if above in every and not name.startswith(above):
                within.setdefault(above, Counter())[layout[name].label] += 1
    kept = {
        name
        for name in names
        if not (
            (labels[label := layout[name].label] == 1 and within.get(name) and max(within[name].values()) > 1)
            or (label != usual and not name[-1].isdigit() and 2 * most > len(names) and numbered == most > 1)
        )
    }
    return tuple(
        name
        for name in names
        if name in kept
        and not any(
            a in kept and (layout[a].label != layout[name].label or name.startswith(f"{a}_"))
            for a in ancestors(layout, name)
        )
    )


def named(patterns: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """All that patterns match, visible or not, in the order of the patterns."""
    return tuple(dict.fromkeys(name for pattern in patterns for name in matching(pattern, layout)))


def bound(patterns: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """The names of the visible parts that patterns match: in the order of the patterns, those of one as one reads.

    A pattern never matches a part of what it matches: of `house_1` and its `house_1_door`, `house_*` is the house.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        names = [name for name in matching(pattern, layout) if name in layout.visible]
        found |= dict.fromkeys(_as_read(names, layout))
    return tuple(found)


def others_of(read: Requirement, layout: Layout) -> tuple[str, ...]:
    """What `of` names: what is visible of it, or else what has a place; the canvas too."""
    names = bound(read.of, layout) or tuple(n for n in named(read.of, layout) if not layout.whole(n).is_empty)
    return (*names, CANVAS) if CANVAS in read.of and CANVAS not in layout else names


def _as_read(names: Sequence[str], layout: Layout) -> Sequence[str]:
    """From left to right where none stands above another, by rows from the top otherwise."""
    if len(names) < 2:
        return names
    space = Space(layout, own=True)
    boxes = {name: space.front(name) for name in names}
    across = sorted(names, key=lambda n: boxes[n][0] + boxes[n][2])
    if all(
        min(boxes[a][2], boxes[b][2]) - boxes[b][0] <= 0.5 * _least(boxes[a], boxes[b]) for a, b in pairwise(across)
    ):
        return across
    rows: list[list[str]] = []
    for name in sorted(across, key=lambda n: boxes[n][1] + boxes[n][3]):
        if rows and boxes[name][1] + boxes[name][3] < 2 * boxes[rows[-1][0]][3]:
            rows[-1].append(name)
        else:
            rows.append([name])
    return [name for row in rows for name in sorted(row, key=lambda n: boxes[n][0] + boxes[n][2])]


def _least(a: Bounds, b: Bounds) -> float:
    return min(a[2] - a[0], b[2] - b[0])
