"""The places of things: beside, before and behind each other as the ties say, on and under each other, clear of others.

x is the camera's right, y its depth. Blocks are built from the top down: a bowl with its apples is one block, which
then stands on the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from shapely.geometry import MultiPoint

from redraft.layout import Frame, Item, Layout, Style
from redraft.offline.lexicon import hex_of
from redraft.offline.scene.reading import RESTS, Content, Thing, Tie, size_of
from redraft.offline.scene.solids import MARK, Box, Points, Solid, Top, bounds, find, rotation, settings

__all__ = ["Placed", "Plan", "layout_of", "planned", "points_at"]

GAPS = {"touching": 0.1, "near": 0.6, "plain": 1.0, "far": 8.0, "much_further": 12.0}
"""Room between neighbors, in plain gaps."""
SMALLEST = 0.14
"""A thing below this share of the largest one's size is drawn larger than life."""
INVERSE = {"left_of": "right_of", "right_of": "left_of", "in_front_of": "behind", "behind": "in_front_of"}
TRIES = 40


@dataclass(frozen=True)
class Placed:
    """One thing in its place: meters, degrees about z, linear size."""

    name: str
    solid: Solid
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 0.0
    size: float = 1.0


@dataclass(frozen=True)
class Plan:
    """A whole scene, and the words that it does not keep."""

    things: tuple[Placed, ...]
    light: str
    ground: str
    unread: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()
    """Nouns of the things that are only blocks."""


def points_at(one: Placed) -> Points:
    """The points that a thing covers."""
    return one.solid.points * one.size @ rotation((0, 0, one.turn)).T + np.array(one.at)


def layout_of(plan: Plan) -> Layout:
    """The things as seen from above, with the camera at the foot of the sheet."""
    items: list[Item] = []
    for one in plan.things:
        points = points_at(one)
        shape = MultiPoint([(x, -y) for x, y, _ in points.tolist()]).convex_hull
        height = (float(points[:, 2].min()), float(points[:, 2].max()))
        style = Style(fills=(hex_of(one.solid.color) or MARK,))
        items.append(Item(one.name, one.name.rstrip(" 0123456789").lower(), shape, height=height, style=style))
    return Layout(tuple(items), Frame("m", plan=True))


def planned(content: Content) -> Plan:
    """Place all that is asked for."""
    scene = _Scene(content)
    blocks = {one: scene.block(one) for one in content.things if one not in scene.holders}
    _level(blocks, content)
    places = _arranged(blocks, scene.lifted)
    around = _around([block.box for block in places.values()])
    wide = around[3] - around[0]
    for one in blocks:
        x, y, z = content.things[one].shift
        places[one] = places[one].moved(x * wide, y * wide, z * wide)
    things = _numbered([thing for one in content.things if one in places for thing in places[one].things])
    grounds = settings()["grounds"]
    largest = max(blocks, key=lambda one: max(size_of(content.things[one])), default="")
    ground = content.ground or (content.things[largest].solid.ground if largest else "studio")
    light = content.light or str(grounds[ground].get("light", "day"))
    blocks = tuple(dict.fromkeys(thing.noun for thing in content.things.values() if find(thing.noun) is None))
    return Plan(tuple(things), light, ground, tuple(dict.fromkeys(content.unread)), blocks)


def _level(blocks: dict[str, _Block], content: Content) -> None:
    """Enlarge what would be a speck beside the largest; raise what floats above the rest."""
    sizes = {one: max(size_of(content.things[one])) for one in blocks}
    standing = [one for one in blocks if not content.things[one].solid.floats]
    tall = max((blocks[one].box[5] for one in standing), default=0.0)
    for one, block in blocks.items():
        share = sizes[one] / max([sizes[i] for i in standing] or [sizes[one]])
        if content.things[one].solid.floats and standing:
            blocks[one] = block.scaled(0.35 / share).moved(0.0, 0.0, 1.1 * tall)
        elif share < SMALLEST:
            blocks[one] = block.scaled((share / SMALLEST) ** -0.6)


def _numbered(things: Sequence[Placed]) -> list[Placed]:
    """`Apple 1`, `Apple 2`; a number only where there are several."""
    names = [one.name for one in things]
    return [
        replace(one, name=f"{one.name} {names[: k + 1].count(one.name)}") if names.count(one.name) > 1 else one
        for k, one in enumerate(things)
    ]


@dataclass
class _Block:
    """Things that move as one."""

    things: list[Placed] = field(default_factory=list[Placed])

    @property
    def box(self) -> Box:
        return _around([bounds(points_at(one)) for one in self.things])

    def moved(self, x: float, y: float, z: float) -> _Block:
        return _Block([replace(t, at=(t.at[0] + x, t.at[1] + y, t.at[2] + z)) for t in self.things])

    def centered(self, x: float, y: float, z: float) -> _Block:
        """The same with its middle over a place, resting at a height."""
        x0, y0, z0, x1, y1, _ = self.box
        return self.moved(x - (x0 + x1) / 2, y - (y0 + y1) / 2, z - z0)

    def scaled(self, factor: float) -> _Block:
        """The same, larger or smaller about the origin."""
        things = [(t, [v * factor for v in t.at]) for t in self.things]
        return _Block([replace(t, at=(x, y, z), size=t.size * factor) for t, (x, y, z) in things])


def _around(boxes: Sequence[Box]) -> Box:
    """The box around boxes; of none, a meter about the origin."""
    table = np.array(boxes or [(-0.5, -0.5, 0.0, 0.5, 0.5, 1.0)])
    x0, y0, z0 = table[:, :3].min(axis=0).tolist()
    x1, y1, z1 = table[:, 3:].max(axis=0).tolist()
    return (x0, y0, z0, x1, y1, z1)


class _Scene:
    """What holds what: each thing stands on the ground, or on, under, around, above or amid another."""

    def __init__(self, content: Content) -> None:
        self.things = content.things
        self.holders: dict[str, tuple[str, str]] = {}
        """How a thing is held, and by what."""
        ties = content.ties
        for tie in ties:
            self._rest(tie, dict(content.holders))
        for one, holder in content.holders.items():
            self._hold(one, "on", holder)
        for tie in ties:
            self._stack(tie)
        flat = [t for t in ties if t.relation not in {*RESTS, "around", "above", "below"}]
        for tie in flat:
            self._join(tie.a, tie.b)
            self._join(tie.b, tie.a)
        self.lifted = [lifted for tie in flat for lifted in self._lift(tie)]

    def _hold(self, one: str, how: str, by: str) -> None:
        if one in self.things and by in self.things and one not in self.holders and one not in self._chain(by):
            self.holders[one] = (how, by)

    def _chain(self, one: str) -> list[str]:
        """The thing, what holds it, and so on down to the ground."""
        found = [one]
        while (held := self.holders.get(found[-1])) is not None:
            found.append(held[1])
        return found

    def _rest(self, tie: Tie, given: dict[str, str]) -> None:
        """On or in one thing; of what *with* puts on another, the smaller of the two is on the larger."""
        if tie.relation == "around":
            self._hold(tie.a, "around", tie.b)
        elif tie.relation in RESTS:
            owner = given.get(tie.a)
            if owner is None or owner == tie.b:
                self._hold(tie.a, "on", tie.b)
            elif max(size_of(self.things[tie.b])[:2]) < max(size_of(self.things[owner])[:2]):
                self._hold(tie.a, "on", tie.b)
                self._hold(tie.b, "on", owner)
            else:
                self._hold(tie.a, "on", owner)
                self._hold(owner, "on", tie.b)

    def _stack(self, tie: Tie) -> None:
        """Under what has room beneath it; else the upper one hangs above the lower. Between several: amid them."""
        if tie.relation in {"above", "below"}:
            low, high = (tie.a, tie.b) if tie.relation == "below" else (tie.b, tie.a)
            if self.things[high].solid.under is not None:
                self._hold(low, "under", high)
            else:
                self._hold(high, "above", low)
        elif tie.relation == "between" and self.things[tie.b].count > 1:
            self._hold(tie.a, "amid", tie.b)

    def _join(self, one: str, other: str) -> None:
        """Put what is beside something on a table onto that table too, where it fits."""
        how, by = self.holders.get(other, ("", ""))
        if how == "on" and max(size_of(self.things[one])[:2]) < 0.5 * max(size_of(self.things[by])[:2]):
            self._hold(one, "on", by)

    def _lift(self, tie: Tie) -> list[Tie]:
        """The tie between what holds its things side by side: the table that a cup is on, beside a chair."""
        mine, others = self._chain(tie.a), self._chain(tie.b)
        for a in mine:
            for b in others:
                if a != b and a not in others and b not in mine and self.holders.get(a) == self.holders.get(b):
                    return [replace(tie, a=a, b=b)]
        return []

    def block(self, one: str) -> _Block:
        """All of one kind; the first carries what is on, under, above and around it."""
        thing = self.things[one]
        first = self._loaded(thing)
        amid = [self.block(i) for i in self._held("amid", one)]
        spread = max((b.box[3] - b.box[0] for b in amid), default=0.0)
        blocks = [first, *([self._single(thing)] * (thing.count - 1))]
        x0, y0, _, x1, y1, _ = _around([block.box for block in blocks])
        columns = thing.columns or (thing.count if thing.count <= 5 else math.ceil((1.7 * thing.count) ** 0.5))
        how, by = self.holders.get(one, ("", ""))
        top = self.things[by].solid.top if how == "on" else None
        if not thing.columns and top is not None and top.radius is not None and thing.count > 2:
            columns = math.ceil(thing.count**0.5)
        step = (x1 - x0) + max(0.1 * (x1 - x0), 0.012, 1.3 * spread)
        done = _Block()
        for k, block in enumerate(blocks):
            done.things += block.moved(k % columns * step, k // columns * 1.1 * (y1 - y0), 0.0).things
        for block in amid:
            done.things += block.centered((x0 + x1 + step) / 2, (y0 + y1) / 2, 0.0).things
        return done

    def _held(self, how: str, by: str) -> list[str]:
        return [one for one, held in self.holders.items() if held == (how, by)]

    def _single(self, thing: Thing, turn: float | None = None) -> _Block:
        name = thing.noun[:1].upper() + thing.noun[1:]
        return _Block([Placed(name, thing.solid, turn=thing.solid.turn if turn is None else turn, size=thing.size)])

    def _loaded(self, thing: Thing) -> _Block:
        """One of a kind with all that it holds."""
        done = self._single(thing)
        x0, y0, _, x1, y1, z1 = box = done.box
        root = done.things[0]
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        if held := self._held("on", thing.id):
            group = _arranged({i: self.block(i) for i in held}, self.lifted)
            done.things += _rested(_Block([t for b in group.values() for t in b.things]), root).things
        for one in self._held("under", thing.id):
            block, room = self.block(one), [v / 100 * thing.size for v in thing.solid.under or (1, 1, 1)]
            a0, b0, c0, a1, b1, c1 = block.box
            fit = min(1.0, room[0] / (a1 - a0), 1.6 * room[1] / (b1 - b0), 0.96 * room[2] / (c1 - c0))
            done.things += block.scaled(fit).centered(*middle, 0.0).things
        for one in self._held("above", thing.id):
            block, gap = self.block(one), 0.2 * (z1 + max(x1 - x0, y1 - y0))
            grown = 0.35 * (x1 - x0) / max(size_of(self.things[one])) if self.things[one].solid.floats else 1.0
            done.things += block.scaled(grown).centered(*middle, done.box[5] + gap).things
        every = [self.things[i] for i in self._held("around", thing.id) for _ in range(self.things[i].count)]
        for k, other in enumerate(every):
            done.things += self._facing(other, 90 + 360 * (k + 0.5) / len(every), box, len(every)).things
        return done

    def _facing(self, thing: Thing, degrees: float, box: Box, count: int) -> _Block:
        """One of `count` things around a box, at an angle, with its front to the middle."""
        x0, y0, _, x1, y1, _ = box
        x, y = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        reach = max(size_of(thing)[:2]) / 2
        to_side, to_front = ((x1 - x0) / 2 + reach) / max(abs(x), 1e-9), ((y1 - y0) / 2 + reach) / max(abs(y), 1e-9)
        away = max(min(to_side, to_front) + 0.12 * reach, 1.1 * reach / math.sin(math.pi / max(2, count)))
        one = self._single(thing, math.degrees(math.atan2(-x, y)))
        return one.moved((x0 + x1) / 2 + x * away, (y0 + y1) / 2 + y * away, 0.0)


def _rested(group: _Block, root: Placed) -> _Block:
    """The group on a thing's top, in the middle of it and made smaller until it fits."""
    own = bounds(root.solid.points)
    high = Top(z=100 * own[5], size=(100 * (own[3] - own[0]), 100 * (own[4] - own[1])))
    top = root.solid.top or high
    points = np.concatenate([points_at(one) for one in group.centered(0.0, 0.0, 0.0).things])
    flat = points[:, :2] @ rotation((0, 0, -root.turn))[:2, :2].T
    if top.radius is not None:
        fit = top.radius / 100 * root.size / float(np.hypot(*flat.T).max())
    else:
        room = np.array(top.size or (10, 10)) / 200 * root.size
        fit = float((room / np.abs(flat).max(axis=0)).min())
    x, y, z = rotation((0, 0, root.turn)) @ np.array([*top.at, top.z]) / 100 * root.size
    return group.scaled(min(1.0, fit)).centered(root.at[0] + x, root.at[1] + y, root.at[2] + z)


def _arranged(blocks: dict[str, _Block], ties: Sequence[Tie]) -> dict[str, _Block]:
    """The blocks of one level in their places, each after those that it is placed by."""
    places: dict[str, _Block] = {}
    waiting: list[str] = []

    def place(one: str) -> None:
        if one in places or one in waiting:
            return
        waiting.append(one)
        for tie in ties:
            if tie.a == one and tie.b in blocks:
                place(tie.b)
        mine = [t for t in ties if t.a == one and t.b in places]
        mine += [
            replace(t, relation=INVERSE.get(t.relation, t.relation), a=one, b=t.a)
            for t in ties
            if t.b == one and t.a in places
        ]
        places[one] = _cleared(blocks[one], mine, places)

    for one in sorted(blocks, key=lambda i: -sum(t.b == i for t in ties)):
        place(one)
    return places


def _cleared(block: _Block, ties: Sequence[Tie], places: dict[str, _Block]) -> _Block:
    """The block where its ties put it, or as much farther on as it takes to be clear of all others."""
    others = [other.box for other in places.values()]
    if not others:
        return block.centered(0.0, 0.0, block.box[2])
    whole = _around(others)
    wide, deep = block.box[3] - block.box[0], block.box[4] - block.box[1]
    x: float | None = None
    y: float | None = None
    way = (1.0 if whole[3] <= -whole[0] else -1.0, 0.0)
    for tie in ties:
        other = places[tie.b].box
        gap = _gap(block.box, other) * GAPS["far" if tie.relation == "far" else tie.degree]
        middle = (other[0] + other[3]) / 2, (other[1] + other[4]) / 2
        match tie.relation:
            case "left_of" | "right_of" | "beside" | "near" | "far":
                sign = -1.0 if tie.relation == "left_of" else 1.0
                edge = other[0] if sign < 0 else other[3]
                x, y, way = edge + sign * (gap + wide / 2), middle[1] if y is None else y, (sign, 0.0)
            case "in_front_of":
                x, y, way = middle[0] if x is None else x, other[1] - gap - deep / 2, (0.0, -1.0)
            case "behind":
                hidden = block.box[5] < 1.3 * other[5]
                x = (other[3] if hidden else middle[0]) if x is None else x
                y, way = other[4] + gap + deep / 2, (0.0, 1.0)
            case _:
                pass
    x, y = (whole[0] + whole[3]) / 2 if x is None else x, (whole[1] + whole[4]) / 2 if y is None else y
    for _ in range(TRIES):
        placed = block.centered(x, y, block.box[2])
        hit = next((other for other in others if _meets(placed.box, other)), None)
        if hit is None:
            break
        gap = _gap(block.box, hit)
        x = x if not way[0] else (hit[3] + gap + wide / 2 if way[0] > 0 else hit[0] - gap - wide / 2)
        y = y if not way[1] else (hit[4] + gap + deep / 2 if way[1] > 0 else hit[1] - gap - deep / 2)
    return block.centered(x, y, block.box[2])


def _gap(a: Box, b: Box) -> float:
    """The room between neighbors."""
    return max(0.01, 0.16 * min(max(a[3] - a[0], a[4] - a[1]), max(b[3] - b[0], b[4] - b[1])))


def _meets(a: Box, b: Box) -> bool:
    return all(a[k] < b[k + 3] - 1e-6 and b[k] < a[k + 3] - 1e-6 for k in range(3))
