"""The oracle `things`: counts, relations and measures of named things, read from the parts of what was made.

A part is what its label says; where none is labelled so, what its name says. It shares nothing with the requirements
and the rules that judge within a run, except the shapes of strokes.
"""

from __future__ import annotations

import colorsys
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from redraft.bench.tasks import Measure, Relation, Things

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["CONTACT", "Box", "Thing", "around", "color_word", "direction", "lineage", "named", "statements"]

CLEAR = 0.7071
"""Cosine from which a direction is clear: within 45 degrees of it."""
NEAR = 0.05
"""Share of the frame (of the higher of the two things, in scenes) within which one thing is on another."""
TOUCH = 0.012
"""Share of the frame within which two things of a drawing touch."""
UPON = 0.1
"""Share of the smaller of two things that may lie upon the other where they meet."""
CONTACT = 0.005
"""Meters within which two things of a scene touch."""
LARGER = 1.1
"""Ratio of areas or volumes from which one thing is larger."""
TWIN = 0.02
"""Share of the frame within which a box is the mirror image of another."""

Box = tuple[float, ...]
"""Least coordinates, then greatest: of a picture, y down; of a solid, z up."""

_APART = re.compile(
    r"\d+|left|right|upper|lower|above|below|middle|center|inner|outer|near|far|small|large|big|tall|short|[a-h]"
    r"|red|orange|yellow|green|blue|purple|pink|brown|black|white|gray|dark|light|(?:top|bottom|front|back|rear) \d+"
)
"""Words behind a noun that tell one thing from another: `mug_left`, `dot_upper_1`; but a `chair_back` is a part."""


@dataclass(frozen=True)
class Thing:
    """One named part with all that belongs to it: its box in the picture, and in space where it has one."""

    name: str
    box: Box
    solid: Box | None = None
    label: str = ""
    """The noun that the drawing gives it; empty in scenes and on boards."""
    parent: str = ""
    group: bool = False
    """It paints nothing itself."""
    color: str = ""
    """Hexadecimal, of its largest surface."""
    seen: float = 1.0
    """Share of it that the camera sees, as far as other things hide it or the frame cuts it."""
    depth: float = 0.0
    """Distance from the camera."""
    shape: BaseGeometry | None = None
    parts: frozenset[str] = frozenset()
    """The names of all that belongs to it."""
    roots: frozenset[str] = frozenset()
    """The top-level things that it belongs to, in scenes; contacts are measured between those."""
    touching: frozenset[str] = frozenset()
    """The top-level things that those touch."""
    sunk: frozenset[str] = frozenset()
    """The top-level things that those reach into."""
    firm: bool = True
    """It touches what stands lowest, or something that does, and so on."""


def named(things: Sequence[Thing], noun: str) -> list[Thing]:
    """Return the things of a noun (`cup|mug`: of either), each with all that belongs to it.

    One that paints nothing is either its only part of that noun (a mug of one `mug` and a handle), or, where it has
    several, just their group: `dots` of `dot_1` and `dot_2`.
    """
    words = [_words(one) for one in noun.split("|")]
    parents = {thing.name: thing.parent for thing in things}
    if hits := [t for t in things if any(_ends_with(t.label, word) for word in words)]:
        heads = {thing.name: thing for thing in hits}
    else:
        heads = _by_name(things, words)
    groups = {name: [one for one in heads if name in lineage(one, parents)[1:]] for name in heads if heads[name].group}
    gone = {name for name, inner in groups.items() if len(inner) > 1}
    for name, inner in groups.items():  # of a `slider-crank` and its `crank`, the crank; of two mugs, the outer one
        if len(inner) == 1:
            gone.add(name if _words(heads[name].label) not in words and heads[inner[0]].label else inner[0])
    return [thing for name, thing in heads.items() if name not in gone]


def _words(text: str) -> str:
    """Words and numbers in lower case with spaces between: `TableLamp_2` is `table lamp 2`."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)", " ", text)
    return " ".join(re.findall(r"[a-z]+|\d+", parted.lower()))


def _ends_with(label: str, noun: str) -> bool:
    """A `traffic cone` is a cone, a `cone stripe` is none."""
    return bool(label) and re.search(rf"(?:^| ){noun}(?: \d+)?$", _words(label)) is not None


def _by_name(things: Sequence[Thing], nouns: Sequence[str]) -> dict[str, Thing]:
    """Things by their names alone: `apple_2_stem` belongs to `apple_2`, and `mug_left` is another than `mug_right`."""
    heads: dict[str, list[Thing]] = {}
    rest: list[tuple[str, Thing]] = []
    for thing in things:
        for noun in nouns:
            if found := re.match(rf"((?:.*?\b)??{noun}\b)((?: \d+)?)(.*)", _words(thing.name)):
                if re.fullmatch(rf"(?: (?:{_APART.pattern}))*", found[3]):
                    heads[thing.name] = [thing]
                else:
                    rest.append((found[1] + found[2], thing))
                break
    parents = {thing.name: thing.parent for thing in things}
    for key, thing in rest:
        if heads.keys() & lineage(thing.name, parents)[1:]:
            continue  # what it belongs to has it already
        within = [head for head in heads if _words(thing.name).startswith(f"{_words(head)} ")]
        heads.setdefault(max(within, key=len, default=key), []).append(thing)
    return {same[0].name: reduce(_joined, same) for same in heads.values()}


def lineage(name: str, parents: Mapping[str, str]) -> list[str]:
    """A thing and what it is a part of, from the inside out."""
    found: list[str] = []
    while name and name not in found:
        found.append(name)
        name = parents.get(name, "")
    return found


def _joined(a: Thing, b: Thing) -> Thing:
    solid = b.solid if a.solid is None else a.solid if b.solid is None else around(a.solid, b.solid)
    shape = b.shape if a.shape is None else a.shape if b.shape is None else a.shape.union(b.shape)
    return replace(
        a,
        box=around(a.box, b.box),
        solid=solid,
        shape=shape,
        parts=a.parts | b.parts,
        roots=a.roots | b.roots,
        touching=a.touching | b.touching,
        sunk=a.sunk | b.sunk,
        firm=a.firm or b.firm,
        group=a.group and b.group,
        seen=max(a.seen, b.seen),
    )


def around(a: Box, b: Box) -> Box:
    """The box around two."""
    half = len(a) // 2
    return (*map(min, a[:half], b[:half]), *map(max, a[half:], b[half:]))


def statements(oracle: Things, things: Sequence[Thing]) -> list[tuple[str, bool]]:
    """Each statement in words, and whether it holds."""
    of: dict[str, list[Thing]] = {}

    def those(noun: str) -> list[Thing]:
        if noun not in of:
            of[noun] = named(things, noun)
        return of[noun]

    found = [(f"{n} {noun}", len(those(noun)) == n) for noun, n in oracle.counts.items()]
    for first, relation, second in oracle.relations:
        pairs = [(a, b) for a in those(first) for b in those(second)]
        found.append((f"{first} {relation} {second}", any(_holds(a, relation, b) for a, b in pairs if a is not b)))
    for first, relation, second in oracle.every:
        holds = all if relation == "apart" else any
        each = [holds(_holds(a, relation, b) for b in those(second) if b is not a) for a in those(first)]
        found.append((f"every {first} {relation} {second}", bool(each and those(second)) and all(each)))
    for axis, nouns in oracle.rows:
        all_of = {noun: those(noun) for noun in dict.fromkeys(nouns)}
        placed = sorted((_at(t, axis), noun) for noun, several in all_of.items() for t in several)
        found.append((f"{axis}: {', '.join(nouns)}", tuple(noun for _, noun in placed) == nouns))
    for noun, axis, numbers in oracle.tiers:
        found.append((f"{noun} by {axis}: {_listed(numbers)}", _tiers(those(noun), axis) == list(numbers)))
    for held in oracle.held:
        holders = _in_order(those(held.within), "x")
        inside = [
            sum(_holder(t, holders) is one and _in_half(t, one, held.half) for t in those(held.things))
            for one in holders
        ]
        found.append(
            (f"{held.things} in {held.half} {held.within}: {_listed(held.numbers)}", inside == list(held.numbers))
        )
    for noun, colors in oracle.colors:
        shown = [color_word(t.color) for t in _in_order(those(noun), "x")]
        found.append((f"{noun}: {', '.join(colors)}", shown == list(colors)))
    for noun, center, degrees in oracle.turns:
        found.append((f"{noun} around {center} at {degrees}", _turned(things, noun, center, degrees)))
    for noun, center in oracle.mirrored:
        middle = next(iter(those(center)), None)
        found.append((f"{noun} mirrored in {center}", middle is not None and _mirrored(those(noun), middle)))
    found += [_measured(measure, those(measure.things)) for measure in oracle.measures]
    counted = [thing for noun in oracle.counts for thing in those(noun)]
    loose = [thing.name for thing in counted if not thing.firm]
    sunk = [f"{a.name} in {b.name}" for a, b in combinations(counted, 2) if a.sunk & b.roots and _gap(a, b) == 0]
    kept = (("nothing floats", oracle.firm, loose), ("nothing is sunk into another thing", oracle.clear, sunk))
    return found + [(f"{words}{_said(bad)}", bool(counted) and not bad) for words, asked, bad in kept if asked]


def _at(thing: Thing, axis: str) -> float:
    return thing.depth if axis == "depth" else _middle(thing)[axis == "y"]


def _middle(thing: Thing) -> tuple[float, float]:
    x0, y0, x1, y1 = thing.box
    return (x0 + x1) / 2, (y0 + y1) / 2


def _in_order(things: Sequence[Thing], axis: str) -> list[Thing]:
    if axis == "size":
        return sorted(things, key=lambda thing: -_size(thing, "area"))
    return sorted(things, key=lambda thing: _at(thing, axis))


def _said(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if names else ""


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


def _tiers(things: Sequence[Thing], axis: str) -> list[int]:
    """How many things are in each row or column: a new one begins where a center is a third of a thing farther."""
    spans: list[tuple[float, float]] = []
    for thing in things:
        box = thing.solid or thing.box
        half = len(box) // 2
        side = half - 1 if axis == "y" else 0
        down = -1 if axis == "y" and half == 3 else 1
        spans.append((down * (box[side] + box[side + half]) / 2, box[side + half] - box[side]))
    found, last = list[int](), -math.inf
    for at, size in sorted(spans):
        if at - last > 0.3 * size:
            found.append(0)
        found[-1] += 1
        last = at
    return found


def _holder(one: Thing, holders: Sequence[Thing]) -> Thing | None:
    """What a thing belongs to; otherwise, the first that its center is in."""
    own = [holder for holder in holders if one.name in holder.parts and one is not holder]
    return next(iter(own or [holder for holder in holders if _centered(one, holder)]), None)


def _centered(one: Thing, holder: Thing) -> bool:
    (x, y), (x0, y0, x1, y1) = _middle(one), holder.box
    return x0 <= x <= x1 and y0 <= y <= y1


def _in_half(one: Thing, holder: Thing, half: str) -> bool:
    return half == "whole" or (_middle(one)[1] < _middle(holder)[1]) is (half == "upper")


def direction(a: Box, b: Box) -> str:
    """Where a is from b, by centers, y down; the first of right, above, left, below that is clear, or `none`."""
    dx = (a[0] + a[2] - b[0] - b[2]) / 2
    dy = (b[1] + b[3] - a[1] - a[3]) / 2
    distance = math.hypot(dx, dy)
    if distance == 0:
        return "none"
    cos, sin = dx / distance, dy / distance
    tests = (("right", cos > CLEAR), ("above", sin > CLEAR), ("left", cos < -CLEAR), ("below", sin < -CLEAR))
    return next((name for name, holds in tests if holds), "none")


def _holds(a: Thing, relation: Relation, b: Thing) -> bool:
    if a.shape is not None and b.shape is not None and (a.name in b.parts or b.name in a.parts):
        whole, part = (b, a) if a.name in b.parts else (a, b)  # a planet and its moon: without the moon
        rest = replace(whole, shape=whole.shape.difference(part.shape) if whole.shape else None, parts=frozenset())
        a, b = (part, rest) if part is a else (rest, part)
    one, other = a.solid or a.box, b.solid or b.box
    half = len(one) // 2
    spans = [(one[i], one[i + half], other[i], other[i + half]) for i in range(half)]
    if relation == "meets" and a.shape is not None and b.shape is not None:
        upon = a.shape.intersection(b.shape).area / (min(a.shape.area, b.shape.area) or 1)
        return _gap(a, b) <= TOUCH and upon <= UPON
    if relation in ("touches", "meets", "apart"):
        touches = _gap(a, b) <= (CONTACT if half == 3 else 0 if relation == "apart" else TOUCH)
        if half == 3:
            touches = touches and bool(a.roots & b.roots or a.touching & b.roots)
        return touches is (relation != "apart")
    if relation == "on":  # the last axis is the vertical one; y of a picture grows downward
        *across, (low, high, below_low, below_high) = spans
        over = all(a1 > b0 and a0 < b1 for a0, a1, b0, b1 in across)
        flush = abs(low - below_high) <= NEAR * max(high - low, below_high - below_low)
        within = (
            below_low <= low and below_low + below_high < low + high and _holds(a, "touches", b)
        )  # a tray has a rim
        return over and (flush or within if half == 3 else abs(high - below_low) <= NEAR)
    if relation == "inside":
        return all(b0 - NEAR * (b1 - b0) <= a0 and a1 <= b1 + NEAR * (b1 - b0) for a0, a1, b0, b1 in spans)
    sizes = [math.prod(s[1] - s[0] for s in spans), math.prod(s[3] - s[2] for s in spans)]
    others = {
        "larger": sizes[0] >= LARGER * sizes[1],
        "before": a.depth < b.depth,
        "behind": a.depth > b.depth,
    }
    return others.get(relation, direction(a.box, b.box) == relation)


def _gap(a: Thing, b: Thing) -> float:
    """Distance of two things, of their shapes where they have some."""
    if a.shape is not None and b.shape is not None:
        return a.shape.distance(b.shape)
    one, other = a.solid or a.box, b.solid or b.box
    half = len(one) // 2
    return math.hypot(*(max(0.0, one[i] - other[i + half], other[i] - one[i + half]) for i in range(half)))


def _turned(
    things: Sequence[Thing], noun: str, center: str, degrees: Sequence[Sequence[float]], within: float = 7.0
) -> bool:
    """Whether things lie around each center (from the left) in these directions, clockwise from up."""
    centers = next(filter(None, (named(things, word) for word in center.split("|"))), list[Thing]())
    if len(centers) != len(degrees):
        return False
    turning = named(things, noun)
    for middle, wanted in zip(_in_order(centers, "x"), degrees, strict=True):
        inside = [t for t in turning if len(centers) == 1 or _centered(t, middle)]
        (x, y), left = _middle(middle), list(wanted)
        for one in inside:
            dx, dy = _middle(one)[0] - x, _middle(one)[1] - y
            turn = math.degrees(math.atan2(dx, -dy))
            off = [abs((turn - angle + 180) % 360 - 180) for angle in left]
            if not off or min(off) > within:
                return False
            left.pop(off.index(min(off)))
        if left:
            return False
    return True


def _mirrored(things: Sequence[Thing], middle: Thing) -> bool:
    """Whether each thing has a twin (or is its own) on the other side of the upright line through the middle."""
    axis = 2 * _middle(middle)[0]
    twins = [(axis - x1, y0, axis - x0, y1) for x0, y0, x1, y1 in (t.box for t in things)]
    return bool(things) and all(any(_alike(twin, t.box) for t in things) for twin in twins)


def _alike(a: Box, b: Box) -> bool:
    return all(abs(p - q) <= TWIN for p, q in zip(a, b, strict=True))


def _measured(measure: Measure, found: Sequence[Thing]) -> tuple[str, bool]:
    """Whether a measure of things, in their order, has these values or proportions."""
    things = _in_order(found, measure.along)
    sizes = [_size(thing, measure.of) for thing in things]
    if measure.of == "gap":
        sizes = [_gap(a, b) for a, b in pairwise(things)]
    elif measure.of == "step":
        sizes = [math.dist(_center(a), _center(b)) for a, b in pairwise(things)]
    wanted = list(measure.values) * (len(sizes) if len(measure.values) == 1 else 1)
    words = f"{measure.of} of {measure.things}: {_listed(measure.values)}"
    if not sizes or len(sizes) != len(wanted):
        return words, False
    scale = 1.0 if measure.absolute else sum(sizes) / sum(wanted)
    shown = ", ".join(f"{size / scale if scale else 0:.3g}" for size in sizes)
    if measure.limit != "exactly":
        sign = 1 if measure.limit == "at_least" else -1
        return f"{words} ({shown})", all(sign * (s - w) >= 0 for s, w in zip(sizes, wanted, strict=True))
    near = (abs(s - w * scale) <= measure.within * abs(w) * scale for s, w in zip(sizes, wanted, strict=True))
    return f"{words} ({shown})", scale > 0 and all(near)


def _center(thing: Thing) -> Box:
    solid = thing.solid or thing.box
    half = len(solid) // 2
    return tuple((a + b) / 2 for a, b in zip(solid[:half], solid[half:], strict=True))


def _size(thing: Thing, of: str) -> float:
    box = thing.solid or thing.box
    half = len(box) // 2
    sides = [box[i + half] - box[i] for i in range(half)]
    if of in ("length", "tilt") and thing.shape is not None:
        from shapely import get_coordinates

        corners = [(float(x), float(y)) for x, y in get_coordinates(thing.shape.minimum_rotated_rectangle)]
        (x0, y0), (x1, y1) = max(pairwise(corners), key=lambda side: math.dist(*side))
        tilt = math.degrees(math.atan2(y1 - y0, x1 - x0))
        return math.hypot(x1 - x0, y1 - y0) if of == "length" else (tilt + 90) % 180 - 90
    sizes = {
        "width": max(sides[:2]) if half == 3 else sides[0],
        "height": sides[-1],
        "length": max(sides),
        "area": thing.shape.area if thing.shape is not None else math.prod(sides),
        "middle": _center(thing)[-1] if half == 3 else 1 - _middle(thing)[1],
        "seen": thing.seen,
    }
    return sizes.get(of, 0.0)


def color_word(color: str) -> str:
    """The word for a color such as `#cc2222`; empty for none."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", color):
        return ""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, _ = colorsys.rgb_to_hls(red, green, blue)
    spread = max(red, green, blue) - min(red, green, blue)
    if spread < 0.15:
        return "black" if light < 0.25 else "white" if light > 0.85 else "gray"
    hues = ((15, "red"), (40, "orange"), (70, "yellow"), (170, "green"), (260, "blue"), (320, "purple"), (345, "pink"))
    return next((word for degrees, word in hues if hue * 360 < degrees), "red")
