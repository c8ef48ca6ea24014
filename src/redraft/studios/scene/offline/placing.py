"""The places of things: beside, before and behind each other as the ties say, on and under each other, clear of others.

x is the camera's right, y its depth. A bowl with its apples is one block, which then stands on the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import shapely

from redraft.layout.items import Frame, Item, Layout, Style
from redraft.offline.lexicon import hex_of
from redraft.studios.scene.offline.reading import RESTING, Content, Thing, Tie
from redraft.studios.scene.offline.solids import GREY, Box, Solid, find_solid, tables

GAPS = {"touching": 0.1, "near": 0.6, "plain": 1.0, "far": 8.0, "much_further": 12.0}
"""Room between neighbors, in plain gaps."""
INVERSE = {"left_of": "right_of", "right_of": "left_of", "in_front_of": "behind", "behind": "in_front_of"}
HELD = {**dict.fromkeys(RESTING, "on"), "below": "under", "above": "above"}
"""The way in which one thing holds the other, by relation."""
ROOM = {"on": 0.7, "under": 0.6, "above": math.inf}
"""Share of a thing's width and depth that what it holds may take."""
MAX_ROW = 12
"""Things in one row; of more there are several rows."""
MAX_TRIES = 40
"""Times that a thing makes way for another one."""


@dataclass(frozen=True)
class Placed:
    """One thing in its place: the middle of its foot in meters, and its linear size."""

    name: str
    solid: Solid
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    size: float = 1.0

    @property
    def box(self) -> Box:
        wide, deep, high = (length * self.size for length in self.solid.size)
        x, y, z = self.at
        return (x - wide / 2, y - deep / 2, z, x + wide / 2, y + deep / 2, z + high)


@dataclass(frozen=True)
class Plan:
    """A whole scene, and the words that it does not keep."""

    things: tuple[Placed, ...]
    light: str
    ground: str
    unread: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()
    """Nouns of the things that are only blocks, and relations that the places do not keep."""


def plan_layout(plan: Plan) -> Layout:
    """Return the things as seen from above, with the camera at the foot of the sheet."""
    items: list[Item] = []
    for one in plan.things:
        x0, y0, z0, x1, y1, z1 = one.box
        style = Style(fills=(hex_of(one.solid.color) or GREY,))
        label = one.name.rstrip(" 0123456789").lower()
        items.append(Item(one.name, label, shapely.box(x0, -y1, x1, -y0), height=(z0, z1), style=style))
    return Layout(tuple(items), Frame("m", plan=True))


def planned(content: Content) -> Plan:
    """Place all things of a content."""
    things, holders = content.things, _holders(content)

    # A tie counts between what stands side by side: between a chair and the table that a cup is on.
    ties: list[Tie] = []
    for tie in content.ties:
        mine, others = _chain(tie.a, holders), _chain(tie.b, holders)
        pairs = ((a, b) for a in mine for b in others if a not in others and b not in mine)
        level = [(a, b) for a, b in pairs if holders.get(a) == holders.get(b)]
        if tie.relation not in HELD and level:
            ties.append(replace(tie, a=level[0][0], b=level[0][1]))

    roots = {one: _block(one, things, holders, ties) for one in things if one not in holders}
    standing = [block for one, block in roots.items() if not things[one].solid.floats]
    if standing:  # the sun is above what stands
        top = 1.1 * _around(standing)[5]
        roots = {one: _moved(b, z=top) if things[one].solid.floats else b for one, b in roots.items()}
    places = _arranged(roots, ties)

    # `Apple 1`, `Apple 2`: a number only where there are several.
    placed = [thing for one in things if one in places for thing in places[one]]
    totals, counts = Counter(thing.name for thing in placed), Counter[str]()
    for index, thing in enumerate(placed):
        counts[thing.name] += 1
        if totals[thing.name] > 1:
            placed[index] = replace(thing, name=f"{thing.name} {counts[thing.name]}")

    largest = max(roots, key=lambda one: max(things[one].extent), default="")
    ground = content.ground or (things[largest].solid.ground if largest else "studio")
    light = content.light or str(tables()["grounds"][ground].get("light", "day"))
    unknown = (thing.noun for thing in things.values() if find_solid(thing.noun) is None)
    placeholders = tuple(dict.fromkeys([*unknown, *content.lost]))
    return Plan(tuple(placed), light, ground, tuple(dict.fromkeys(content.unread)), placeholders)


Block = Sequence[Placed]
"""Things that move as one."""
Holders = dict[str, tuple[str, str]]
"""By thing, the way in which it is held, and by what."""


def _around(blocks: Sequence[Block]) -> Box:
    """Return the box around blocks; of none, a meter about the origin."""
    boxes = [one.box for block in blocks for one in block] or [(-0.5, -0.5, 0.0, 0.5, 0.5, 1.0)]
    x0, y0, z0 = (min(box[k] for box in boxes) for k in range(3))
    x1, y1, z1 = (max(box[k] for box in boxes) for k in range(3, 6))
    return (x0, y0, z0, x1, y1, z1)


def _moved(block: Block, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Block:
    return [replace(one, at=(one.at[0] + x, one.at[1] + y, one.at[2] + z)) for one in block]


def _centered(block: Block, x: float, y: float, z: float) -> Block:
    """Return the block with its middle over a place, resting at a height."""
    x0, y0, z0, x1, y1, _ = _around([block])
    return _moved(block, x - (x0 + x1) / 2, y - (y0 + y1) / 2, z - z0)


def _holders(content: Content) -> Holders:
    """Return what each thing rests on, stands under or hangs above: by its ties, or else by *with*."""
    holders: Holders = {}

    def hold(one: str, how: str, by: str) -> None:
        if one not in holders and one not in _chain(by, holders):
            holders[one] = (how, by)

    for tie in content.ties:
        low, high = (tie.b, tie.a) if tie.relation == "above" else (tie.a, tie.b)
        owner = content.holders.get(tie.a)
        if tie.relation in RESTING and owner is not None and content.things[owner].is_narrower(content.things[tie.b]):
            hold(tie.a, "on", owner)  # "a bowl with apples on a table"
            hold(owner, "on", tie.b)
        elif tie.relation in RESTING:
            hold(tie.a, "on", tie.b)
        elif tie.relation in HELD and content.things[high].solid.under:
            hold(low, "under", high)
        elif tie.relation in HELD:
            hold(high, "above", low)
    for one, by in content.holders.items():
        hold(one, "on", by)
    return holders


def _chain(one: str, holders: Holders) -> list[str]:
    """Return a thing, the one that holds it, and so on down to the ground."""
    chain = [one]
    while (held := holders.get(chain[-1])) is not None:
        chain.append(held[1])
    return chain


def _block(one: str, things: dict[str, Thing], holders: Holders, ties: Sequence[Tie]) -> Block:
    """Place all of one kind in rows; the first carries what is on, under and above it."""
    thing = things[one]
    name = thing.noun[:1].upper() + thing.noun[1:]
    single = [Placed(name, thing.solid, size=thing.size)]
    wide, deep, high = thing.extent
    first: list[Placed] = [*single]
    for how in ("on", "under", "above"):
        held = {i: _block(i, things, holders, ties) for i, held in holders.items() if held == (how, one)}
        if held:
            group = [placed for block in _arranged(held, ties).values() for placed in block]
            x0, y0, _, x1, y1, z1 = _around([group])
            fit = min(1.0, ROOM[how] * wide / (x1 - x0), ROOM[how] * deep / (y1 - y0))
            fit = min(fit, 0.9 * high / z1) if how == "under" else fit
            group = [replace(p, at=(p.at[0] * fit, p.at[1] * fit, p.at[2] * fit), size=p.size * fit) for p in group]
            levels = {"on": thing.solid.rest * high, "under": 0.0, "above": _around([first])[5] + 0.2 * high}
            first += _centered(group, 0.0, 0.0, levels[how])
    columns = thing.count if thing.count <= MAX_ROW else math.ceil((1.7 * thing.count) ** 0.5)
    if thing.count > 2 and one in holders:
        columns = math.ceil(thing.count**0.5)
    blocks = [first, *([single] * (thing.count - 1))]
    x0, y0, _, x1, y1, _ = _around(blocks)
    step, rows = 1.1 * (x1 - x0) + 0.01, 1.1 * (y1 - y0) + 0.01
    return [p for k, b in enumerate(blocks) for p in _moved(b, k % columns * step, k // columns * rows)]


def _arranged(blocks: dict[str, Block], ties: Sequence[Tie]) -> dict[str, Block]:
    """Put the blocks of one level in their places, each after those that it is placed by."""
    places: dict[str, Block] = {}
    waiting: list[str] = []

    def place(one: str) -> None:
        if one in places or one in waiting:
            return
        waiting.append(one)
        for tie in ties:
            if tie.a == one and tie.b in blocks:
                place(tie.b)
        mine = [t for t in ties if t.a == one and t.b in places]
        back = [replace(t, relation=INVERSE.get(t.relation, t.relation), a=one, b=t.a) for t in ties if t.b == one]
        places[one] = _cleared(blocks[one], [*mine, *(t for t in back if t.b in places)], places)

    for one in sorted(blocks, key=lambda i: -sum(t.b == i for t in ties)):
        place(one)
    return places


def _cleared(block: Block, ties: Sequence[Tie], places: dict[str, Block]) -> Block:
    """Return the block where its ties put it, or as much farther on as it takes to be clear of all others."""
    own, others = _around([block]), [_around([other]) for other in places.values()]
    if not others:
        return _centered(block, 0.0, 0.0, own[2])
    whole = _around([*places.values()])
    wide, deep = own[3] - own[0], own[4] - own[1]

    # The place by the ties: the last one along an axis decides; across it, an earlier one stays.
    x: float | None = None
    y: float | None = None
    way = (1.0 if whole[3] <= -whole[0] else -1.0, 0.0)
    for tie in ties:
        other = _around([places[tie.b]])
        gap = _gap(own, other) * GAPS["far" if tie.relation == "far" else tie.degree]
        middle = (other[0] + other[3]) / 2, (other[1] + other[4]) / 2
        if tie.relation in {"in_front_of", "behind"}:
            sign = 1.0 if tie.relation == "behind" else -1.0
            hidden = sign > 0 and own[5] < 1.3 * other[5]
            x = (other[3] if hidden else middle[0]) if x is None else x
            y, way = (other[4] + gap + deep / 2 if sign > 0 else other[1] - gap - deep / 2), (0.0, sign)
        else:
            sign = -1.0 if tie.relation == "left_of" else 1.0
            x = (other[0] if sign < 0 else other[3]) + sign * (gap + wide / 2)
            y, way = middle[1] if y is None else y, (sign, 0.0)
    x, y = (whole[0] + whole[3]) / 2 if x is None else x, (whole[1] + whole[4]) / 2 if y is None else y

    # Farther on in the same direction, until nothing is hit.
    for _ in range(MAX_TRIES):
        box = _around([_centered(block, x, y, own[2])])
        hit = next((other for other in others if _meet(box, other)), None)
        if hit is None:
            break
        gap = _gap(own, hit)
        x = x if not way[0] else (hit[3] + gap + wide / 2 if way[0] > 0 else hit[0] - gap - wide / 2)
        y = y if not way[1] else (hit[4] + gap + deep / 2 if way[1] > 0 else hit[1] - gap - deep / 2)
    return _centered(block, x, y, own[2])


def _gap(a: Box, b: Box) -> float:
    """Return the room between neighbors."""
    return max(0.01, 0.16 * min(max(a[3] - a[0], a[4] - a[1]), max(b[3] - b[0], b[4] - b[1])))


def _meet(a: Box, b: Box) -> bool:
    return all(a[k] < b[k + 3] - 1e-6 and b[k] < a[k + 3] - 1e-6 for k in range(3))
