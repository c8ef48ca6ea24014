"""Decoupling capacitors placed at the supply pins that they serve: pin, rotation and place chosen together.

What counts is the loop of a capacitor: from the supply pin to its supply pad, and from its ground pad to the nearest
ground pad of the component, pad to pad. Small values choose first. No capacitor ends farther from a pin of its supply
than it lay before.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from redraft.errors import BriefError
from redraft.layout.items import Bounds, Item, Layout, Move, Port, transformed
from redraft.studios.board.actions.moves import pivot
from redraft.studios.board.place.circuit import Circuit, Decoupling, circuit_of, farads_of
from redraft.studios.board.solve.arguments import known, locked_in, shortlist, target_of
from redraft.studios.board.solve.collisions import new_collisions
from redraft.studios.board.solve.free_region import Footing, Region, minkowski
from redraft.text import natural

Numbers = NDArray[np.float64]

BoardSide = Literal["same", "other"]

GAIN = 0.05
"""Millimeters: by so much a loop has to become shorter, or the capacitor stays."""
NEAR = 3.0
"""Millimeters from a pin within which a capacitor serves it already."""
ROUNDS = 4
GROUNDS = 8
"""Ground pads that are looked at, the nearest to the pin first."""
SUPPLY = 1.25
SAME = 1e-3
"""Millimeters of a loop that are not worth another rotation."""
CENTERED = 1e-3
"""Of places with equal loops the one whose pad is level with the pin."""


def served(layout: Layout, target: str, refs: Sequence[str] = ()) -> tuple[Decoupling, ...]:
    """The capacitors that serve a component, or a pad of one (`U1.4`); those of `refs`, where these are given.

    Raises:
        BriefError: an unknown name, a capacitor on none of the target's supplies, or a target without any.
    """
    owner, pads = target_of(layout, target)
    circuit = circuit_of(layout)
    if refs:
        return tuple(_between(layout, circuit, owner, pads, name) for name in known(layout, refs))
    own = [one for one in circuit.decoupling if one.owner == owner]
    nets = {pad.net for pad in pads}
    found = tuple(one for one in own if not pads or one.net in nets)
    if not found:
        supplies = sorted({port.net for port in pads or layout[owner].ports if port.net in circuit.power})
        has = f"its supplies are {shortlist(supplies)}" if supplies else "it has no supply that the board tells"
        others = list(dict.fromkeys(one.owner for one in circuit.decoupling))
        near = f"; capacitors serve {shortlist(others, 12)}" if others else ""
        raise BriefError(f"decouple: no capacitor serves {target}: {has}. Name the capacitors in `refs`{near}")
    return found


def _between(layout: Layout, circuit: Circuit, owner: str, pads: Sequence[Port], name: str) -> Decoupling:
    """A capacitor between a supply of the owner and ground."""
    if name == owner:
        raise BriefError(f"decouple: {name} is the target itself; `refs` are its capacitors")
    item, nets = layout[name], list(dict.fromkeys(port.net for port in layout[name].ports if port.net))
    pins = {port.net for port in pads or layout[owner].ports if port.net}
    known_one = next((one for one in circuit.decoupling if one.capacitor == name), None)
    grounds = [net for net in nets if net in circuit.ground]
    supplies = [net for net in nets if net in pins and net not in grounds]
    if len(nets) != 2 or len(grounds) != 1 or len(supplies) != 1:
        has = sorted(pins - set(circuit.ground))
        target = f"{owner}.{pads[0].name}" if pads else owner
        raise BriefError(
            f"decouple: {name} is not between a supply of {target} and ground: it connects "
            f"{' and '.join(nets) or 'nothing'}; {target} is on {shortlist(has, 12)}"
        )
    place = supply_distance(layout, owner, name, supplies[0])
    farads = known_one.farads if known_one else farads_of(item.value)
    return Decoupling(name, owner, place[1], supplies[0], grounds[0], farads)


def supply_distance(layout: Layout, owner: str, name: str, net: str, pad: str = "") -> tuple[float, str]:
    """How far a component's pads on a net are from the owner's on that net (of one name, if given), and its nearest."""
    pins = [port for port in layout[owner].ports if port.net == net and pad in ("", port.name)]
    pairs = [(p.distance(q), q.name) for p in layout[name].ports if p.net == net for q in pins]
    return min(pairs, default=(math.inf, ""))


def loop(layout: Layout, one: Decoupling, pad: str = "") -> float:
    """The way from a supply pin to the capacitor, and from its ground pad to the owner's nearest, pad to pad.

    The way to the pin counts `SUPPLY` times: of loops of equal length the one nearest to the pin is the best.
    """
    back = supply_distance(layout, one.owner, one.capacitor, one.ground)[0]
    there = supply_distance(layout, one.owner, one.capacitor, one.net, pad)[0]
    return SUPPLY * there + (0.0 if back == math.inf else back)


@dataclass(frozen=True)
class Found:
    """What placing the capacitors comes to."""

    moves: tuple[Move, ...]
    served: tuple[Decoupling, ...]
    note: str = ""


def decouple(
    layout: Layout,
    target: str,
    refs: Sequence[str] = (),
    clearance: float = 0.0,
    side: BoardSide | None = None,
) -> Found:
    """Place the capacitors of a component, or of one of its pads, each at a supply pin.

    Args:
        refs: the capacitors; those that serve the target, when empty. Locked ones stay.
        clearance: between the rooms of the capacitors and all others.
        side: of the board, as the target lies or the other one; by default each stays on its side, and what is not
            placed yet goes to the target's.

    Raises:
        BriefError: as `served`, or a clearance that is negative.
    """
    if not math.isfinite(clearance) or clearance < 0:
        raise BriefError(f"decouple: the clearance must be 0 or more, found {clearance:g}")
    found = served(layout, target, refs)
    pad = target_of(layout, target)[1]
    task = _Task(layout, layout, clearance, side, pad[0].name if pad else "", {one.capacitor: one for one in found})
    return Found(task.run(), found, task.note())


@dataclass
class _Task:
    """A search that changes one capacitor after the other, always for the better."""

    before: Layout
    layout: Layout
    clearance: float
    side: BoardSide | None
    pad: str
    jobs: dict[str, Decoupling]

    def __post_init__(self) -> None:
        self.owner = next(iter(self.jobs.values())).owner
        self.order = [
            one.capacitor
            for one in sorted(self.jobs.values(), key=self._rank)
            if not locked_in(self.before, one.capacitor)
        ]
        self.limit = {name: self._nearest(self.before, name) for name in self.jobs}
        self.pin_of = {name: self._pin(name) if far <= NEAR else None for name, far in self.limit.items()}
        self.moves: dict[str, tuple[Move, ...]] = {}
        self.left: list[tuple[str, BaseGeometry]] = []
        self.regions: dict[object, Region] = {}
        self.apart: dict[object, tuple[Item, BaseGeometry]] = {}

    def _rank(self, one: Decoupling) -> tuple[float, float, object]:
        """Small before large; of equal ones the one with less room, then by number."""
        room = round(self.before.whole(one.capacitor).area, 6)
        return (math.inf if one.farads is None else one.farads, room, natural(one.capacitor))

    def _nearest(self, layout: Layout, name: str) -> float:
        one = self.jobs[name]
        return supply_distance(layout, one.owner, name, one.net, self.pad)[0]

    def _pins(self, name: str) -> list[Port]:
        one = self.jobs[name]
        return [p for p in self.before[one.owner].ports if p.net == one.net and self.pad in ("", p.name)]

    def _pin(self, name: str) -> Port:
        mine = [port for port in self.layout[name].ports if port.net == self.jobs[name].net]
        return min(self._pins(name), key=lambda pin: min(pin.distance(port) for port in mine))

    def loop(self, layout: Layout, name: str) -> float:
        return loop(layout, self.jobs[name], self.pad)

    def run(self) -> tuple[Move, ...]:
        """Improve one after the other; then again those near which room became free."""
        looked: dict[str, int] = {}
        for _ in range(ROUNDS):
            for name in self.order:
                if name not in looked or self._room_near(name, looked[name]):
                    looked[name] = len(self.left)
                    self._improve(name)
        return tuple(move for name in self.order for move in self.moves.get(name, ()))

    def _room_near(self, name: str, since: int) -> bool:
        """Return whether another one has left a place where this one might lie better."""
        far = min(self.limit[name], self.loop(self.layout, name))
        pins = [pin.shape for pin in self._pins(name)]
        x0, y0, x1, y1 = self.layout.extent(name)
        return any(
            other != name and room.distance(pin) < far + math.hypot(x1 - x0, y1 - y0)
            for other, room in self.left[since:]
            for pin in pins
        )

    def _improve(self, name: str) -> None:
        """Bring one to a better place, if there is one, even if later ones have to give way for it."""
        now, pins = self.loop(self.layout, name), self._choice(name)
        asked = self.side is not None and self._layer(name) != self.layout[name].layer
        at_most = math.inf if asked else now - GAIN
        later = self.order[self.order.index(name) + 1 :]
        ideal = self._best(self.layout, name, pins, at_most, later)
        if ideal is None:
            return
        layout = self.layout.with_items([ideal.item])
        met = [other for _, other in new_collisions(self.before, layout, (name,)) if other in later]
        free = self._best(self.layout, name, pins, at_most) if met else ideal
        ahead = self._giving_way(layout, met, (free.loop if free else now) - GAIN - ideal.loop) if met else None
        for place in (free,) if ahead is None else (ideal, *ahead):
            if place is not None:
                self._put(place)

    def _giving_way(self, layout: Layout, met: Sequence[str], gained: float) -> list[_Place] | None:
        """Other places for those that lie where one before them goes; None where they lose more than is gained."""
        budget, left = gained + sum(self.loop(self.layout, one) for one in met), list(met)
        places: list[_Place] = []
        for other in sorted(met, key=self.order.index):
            left.remove(other)
            own = self.pin_of[other]
            place = self._best(layout, other, self._pins(other) if own is None else [own], budget, left)
            if place is None:
                return None
            budget -= place.loop
            places.append(place)
            layout = layout.with_items([place.item])
        return places

    def _put(self, place: _Place) -> None:
        self.left.append((place.item.name, self.layout[place.item.name].shape))
        self.layout = self.layout.with_items([place.item])
        self.moves[place.item.name] = place.moves
        self.pin_of[place.item.name] = place.pin

    def _choice(self, name: str) -> list[Port]:
        """The pins that it may serve: those with the fewest capacitors, and the one that it serves."""
        pins, own = self._pins(name), self.pin_of[name]
        alike = [o for o, one in self.jobs.items() if o != name and one.net == self.jobs[name].net]
        count = Counter(id(pin) for pin in (self.pin_of[other] for other in alike) if pin is not None)
        fewest = min(count[id(pin)] for pin in pins)
        if own is not None and count[id(own)] == fewest:
            return [own]
        return [pin for pin in pins if count[id(pin)] == fewest or pin is own]

    def _layer(self, name: str) -> int:
        item, target = self.before[name], self.before[self.owner]
        if self.side is not None:
            return target.layer if self.side == "same" else 1 - target.layer
        placed = self.before.area is None or self.before.area.intersects(item.shape)
        return item.layer if placed else target.layer

    def _turned(self, name: str) -> Iterator[tuple[Item, tuple[Move, ...]]]:
        """The capacitor with its position at the origin, in each rotation, its own first."""
        item, target = self.before[name], self.before[self.owner]
        x, y = pivot(self.before, name)
        start: list[Move] = []
        if self._layer(name) != item.layer:
            start.append(Move(name, (1.0, 0.0, 0.0, -1.0, 0.0, 2.0 * y), "decouple", flips=True))
        item = transformed(replace(item, origin=(x, y)), start)
        quarters = (0.0, 90.0, 180.0, 270.0)
        angles = [item.rotation + q for q in quarters] + list(quarters) + [target.rotation + q for q in quarters]
        seen = dict.fromkeys(round(angle % 360.0, 9) for angle in angles)
        for angle in seen:
            turn = (angle - item.rotation) % 360.0
            moves = [*start, Move.turn(name, turn, (x, y), "decouple")] if turn else start
            yield transformed(item, [*moves[len(start) :], Move.shift(name, -x, -y)]), tuple(moves)

    def _best(
        self, layout: Layout, name: str, pins: Sequence[Port], at_most: float, absent: Sequence[str] = ()
    ) -> _Place | None:
        """The place with the shortest loop, shorter than `at_most`, as near to a pin as it lay before at most."""
        owner = self.before[self.owner]
        ways = [
            _Way(Footing(item), turns, pin, _Cost.of(self.jobs[name], item, pin, owner))
            for item, turns in self._turned(name)
            for pin in pins
        ]
        best: _Place | None = None
        others = [other for other in self.order if other != name and other not in absent]
        # Outside the windows the supply pad is farther than `reach`, which alone makes the loop `SUPPLY * reach`.
        reach, most = START, min(self.limit[name], at_most / SUPPLY, MOST)
        while True:
            for way in ways:
                bound = at_most if best is None else min(at_most, best.loop - SAME)
                if way.cost.least < bound:
                    best = self._at(layout, way, reach, bound, others, absent) or best
            if reach >= most or (best is not None and best.loop <= SUPPLY * reach):
                return best
            reach *= 2.0

    def _at(
        self, layout: Layout, way: _Way, reach: float, bound: float, others: Sequence[str], absent: Sequence[str]
    ) -> _Place | None:
        # No place farther from the pin than the capacitor lay before is taken.
        window = way.cost.window(min(reach, self.limit[way.footing.item.name]))
        region, taken = self._region(way.footing, window), self._taken(way.footing, layout, others, window)
        for _, x, y in region.cheapest(taken, way.cost, way.cost.lines, bound + CENTERED):
            place = self._checked(layout, way, (x, y), absent)
            if place is not None and place.loop < bound:
                return place
        return None

    def _region(self, footing: Footing, window: Bounds) -> Region:
        """Free positions beside what may not move, worked out once for all capacitors of one footprint."""
        key = (footing.key, window)
        if key not in self.regions:
            self.regions[key] = footing.region(self.before, window, self.clearance, self.order)
        return self.regions[key]

    def _taken(self, footing: Footing, layout: Layout, others: Sequence[str], window: Bounds) -> BaseGeometry:
        """The positions in a window that other capacitors forbid where they lie now."""
        found: list[BaseGeometry] = []
        for item in footing.near(layout, window, self.clearance):
            if item.name not in others:
                continue
            key = (footing.key, item.name)
            if key not in self.apart or self.apart[key][0] is not item:
                self.apart[key] = (item, footing.taken(layout, item, self.clearance))
            found.append(self.apart[key][1])
        return shapely.union_all(found)

    def _checked(self, layout: Layout, way: _Way, at: tuple[float, float], absent: Sequence[str]) -> _Place | None:
        """The place in whole quanta, if nothing collides there and it is no farther than before."""
        name = way.footing.item.name
        quantum, (x, y) = layout.frame.quantum, pivot(self.before, name)
        dx, dy = (round((a - b) / quantum) * quantum for a, b in zip(at, (x, y), strict=True))
        moves = (*way.turns, Move.shift(name, dx, dy, "decouple"))
        there = layout.with_items([transformed(self.before[name], moves)])
        if self._nearest(there, name) > self.limit[name]:
            return None
        met = new_collisions(self.before, there, (name,))
        if any(other not in absent for _, other in met):
            return None
        return _Place(there[name], moves, way.pin, self.loop(there, name))

    def note(self) -> str:
        """What stays, and the reason."""
        stay = [name for name in self.order if name not in self.moves]
        held = [name for name in self.jobs if name not in self.order]
        said = [f"{shortlist(held, 12)} {'is' if len(held) == 1 else 'are'} locked"] if held else []
        if stay:
            said.append(
                f"{shortlist(stay, 12)} {'stays' if len(stay) == 1 else 'stay'}: no free place with a shorter loop"
            )
        return "; ".join(said)


START = 1.25
"""Millimeters from the pin that are searched first."""
MOST = 60.0


@dataclass(frozen=True)
class _Way:
    """A capacitor in one rotation, with its position at the origin, and a pin that it may serve."""

    footing: Footing
    turns: tuple[Move, ...]
    pin: Port
    cost: _Cost


@dataclass(frozen=True)
class _Place:
    item: Item
    moves: tuple[Move, ...]
    pin: Port
    loop: float


@dataclass(frozen=True)
class _Cost:
    """The loop of a capacitor at a pin, for each position of its origin."""

    supply: tuple[tuple[BaseGeometry, float], ...]
    """Where its supply pads meet the pin, and by how much both are grown."""
    ground: tuple[tuple[BaseGeometry, float], ...]
    level: Numbers
    """The position at which its supply pad is on the pin's middle."""

    @classmethod
    def of(cls, one: Decoupling, item: Item, pin: Port, owner: Item) -> _Cost:
        supply = [p for p in item.ports if p.net == one.net]
        ground = [p for p in item.ports if p.net == one.ground]
        theirs = sorted((p for p in owner.ports if p.net == one.ground), key=pin.distance)[:GROUNDS]
        return cls(
            tuple((minkowski(pin.core, p.core), pin.radius + p.radius) for p in supply),
            tuple((minkowski(q.core, p.core), q.radius + p.radius) for p in ground for q in theirs),
            np.subtract(pin.at, supply[0].at),
        )

    def __call__(self, at: Numbers) -> Numbers:
        points = np.asarray(shapely.points(at), dtype=object)[:, None]
        total = np.zeros(len(at)) + CENTERED * np.hypot(*(at - self.level).T)
        for sums, weight in ((self.supply, SUPPLY), (self.ground, 1.0)):
            if sums:
                shapes, more = (np.array([pair[k] for pair in sums]) for k in (0, 1))
                far: Numbers = shapely.distance(points, shapes[None]) - more  # pyright: ignore[reportUnknownMemberType]
                total += weight * np.maximum(far, 0.0).min(axis=1)
        return total

    def window(self, reach: float) -> Bounds:
        """All positions with the supply pad within a distance of the pin."""
        boxes = np.array([np.add(sum_.bounds, (-more, -more, more, more)) for sum_, more in self.supply])
        (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
        return (x0 - reach, y0 - reach, x1 + reach, y1 + reach)

    @property
    def least(self) -> float:
        """The shortest loop of all, were nothing in the way."""
        pairs = [(a, b) for a in self.supply for b in self.ground]
        return min((max(0.0, float(a.distance(b)) - m - n) for (a, m), (b, n) in pairs), default=0.0)

    @property
    def lines(self) -> BaseGeometry:
        """The positions with the shortest loop of all, were nothing in the way."""
        pairs = [LineString(nearest_points(a, b)) for a, _ in self.supply for b, _ in self.ground]
        return shapely.union_all(pairs or [a.boundary for a, _ in self.supply])
