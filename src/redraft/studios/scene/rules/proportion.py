"""Proportion: things are as large as such things are beside the others, and a left part is as large as its right one.

A scene may be at any scale. The scale that suits most of its things is found first, as far as their usual sizes tell;
what is more than twice too large or small at it is out of proportion. Giants and toys that the brief wants are let be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redraft.result import Issue
from redraft.spatial.scenery import is_kind
from redraft.studios.scene.bodies import Body, extent, size_of
from redraft.studios.scene.naming import named, typical_size
from redraft.studios.scene.rules.codes import found, length
from redraft.studios.scene.rules.situation import Situation
from redraft.studios.scene.spec import Thing
from redraft.studios.scene.words import is_among

__all__ = ["out_of_proportion", "pairs_differ", "scale_of"]

OFF, FAR_OFF = 2.0, 3.5
"""So many times too large or small: a hint, and a warning."""
PAIR = 2.0
"""Of the areas of a left and a right part."""
LEVEL = 0.25
"""Of their distance, that a left and a right part may differ in height."""


@dataclass(frozen=True)
class _Sized:
    body: Body
    low: float
    """log of the least scale at which it is of a usual size."""
    high: float


def out_of_proportion(at: Situation) -> Iterator[Issue]:
    """Things that are too large or too small beside the others."""
    sized = [s for s in _sized(at.space.actors) if not _made_so(at, s.body)]
    scale = scale_of(at.space.actors) if len({s.body.label for s in sized}) > 1 else None
    if scale is None or is_among(at.reading.text.lower().replace("-", " "), "styles"):
        return
    for entry in sized:
        off = max(entry.low - scale, scale - entry.high, 0.0)
        if off > math.log(OFF):
            yield _odd(entry, scale, math.exp(off), sized)


def _odd(entry: _Sized, scale: float, off: float, sized: Sequence[_Sized]) -> Issue:
    too_large = scale < entry.low
    body, usual = entry.body, typical_size(entry.body.label)
    assert usual is not None
    low, high = (bound * math.exp(scale) for bound in usual)
    other = next((s.body for s in sized if s.low <= scale <= s.high and s.body is not body), None)
    beside = f" beside {other.name}, which measures {length(extent(other.box))}," if other else ""
    factor = (high if too_large else low) / extent(body.box)
    return found(
        "ratio.proportion",
        "warning" if off > FAR_OFF else "hint",
        f"{body.name} measures {length(extent(body.box))};{beside} such a thing is {length(low)} to {length(high)}",
        (body.name, other.name) if other else (body.name,),
        numbers={"found": extent(body.box), "expected": high if too_large else low},
        mend=f"make {body.name} {'smaller' if too_large else 'larger'}: scale it by {factor:.2g} or "
        f"{'less' if too_large else 'more'}, and set it down again",
    )


def _sized(bodies: Sequence[Body]) -> list[_Sized]:
    found_sizes: list[_Sized] = []
    for body in bodies:
        usual, length_of = typical_size(body.label), extent(body.box)
        if usual is not None and length_of > 0:
            found_sizes.append(_Sized(body, math.log(length_of / usual[1]), math.log(length_of / usual[0])))
    return found_sizes


def scale_of(bodies: Sequence[Body]) -> float | None:
    """The log of the scale at which the most kinds of things are of a usual size; None where nothing tells.

    Metres are believed where two kinds or more are of a usual size in metres, and at most one more kind would be at
    another scale.
    """
    sized = _sized(bodies)
    by_kind = [[s for s in sized if s.body.label == kind] for kind in sorted({s.body.label for s in sized})]
    tried = sorted({edge for s in sized for edge in (s.low, s.high)}, key=lambda scale: (abs(scale), scale))
    if not tried:
        return None
    metres = _fitting(by_kind, 0.0)
    best = max(tried, key=lambda scale: (round(_fitting(by_kind, scale), 6), -abs(scale)))
    return 0.0 if metres >= 2 and metres >= _fitting(by_kind, best) - 1 else best


def _fitting(by_kind: Sequence[Sequence[_Sized]], scale: float) -> float:
    """How many kinds are of a usual size at a scale; a kind counts by the share of its things that are."""
    return sum(sum(s.low - 1e-9 <= scale <= s.high + 1e-9 for s in kind) / len(kind) for kind in by_kind)


def _made_so(at: Situation, body: Body) -> bool:
    words = " ".join([*named(body.name).words, *(w for m in at.mentioned.get(body.name, ()) for w in m.adjectives)])
    sizes = [mention.size for mention in at.mentioned.get(body.name, ())]
    return is_among(words, "made_so") or any(size != 1.0 for size in sizes)


def pairs_differ(at: Situation) -> Iterator[Issue]:
    """Left and right parts of one thing that differ in size; of those that take no pose, in height too."""
    for body in at.space.actors:
        for left, right in _pairs(body.parts):
            yield from _sizes(left, right)
            yield from _heights(left, right)


def _pairs(parts: Sequence[Thing]) -> Iterator[tuple[Thing, Thing]]:
    sides: dict[str, dict[str, list[Thing]]] = {}
    for part in parts:
        name = named(part.name)
        if name.side:
            sides.setdefault(name.role, {}).setdefault(name.side, []).append(part)
    for both in sides.values():
        if len(both.get("left", ())) == 1 and len(both.get("right", ())) == 1:
            yield both["left"][0], both["right"][0]


def _sizes(left: Thing, right: Thing) -> Iterator[Issue]:
    if is_kind(named(left.name).label, "posed"):  # a box around a bent arm says nothing of its size
        return
    areas = [_surface(thing) for thing in (left, right)]
    ratio = max(areas) / max(min(areas), 1e-12)
    if ratio > PAIR:
        small = left if areas[0] < areas[1] else right
        yield found(
            "symmetry.size",
            "warning",
            f"{left.name} and {right.name} differ in size by {ratio:.1f} times; a pair is alike",
            (left.name, right.name),
            numbers={"found": ratio, "expected": 1.0},
            mend=f"make {small.name} as large as its counterpart: scale it by {ratio**0.5:.2f}",
        )


def _surface(thing: Thing) -> float:
    assert thing.box is not None
    x, y, z = size_of(thing.box)
    return max(x * y + y * z + z * x, 1e-12)


def _heights(left: Thing, right: Thing) -> Iterator[Issue]:
    if is_kind(named(left.name).label, "posed") or left.box is None or right.box is None:
        return
    apart = math.dist(left.box[:2], right.box[:2])
    rise = (right.box[2] + right.box[5] - left.box[2] - left.box[5]) / 2
    if abs(rise) > max(LEVEL * apart, 0.25 * extent(left.box)):
        yield found(
            "symmetry.height",
            "warning",
            f"{right.name} is {length(abs(rise))} {'above' if rise > 0 else 'below'} {left.name}; a pair is level",
            (left.name, right.name),
            numbers={"found": rise, "expected": 0.0},
            mend=f"put {right.name} and {left.name} at one height",
        )
