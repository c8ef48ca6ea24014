"""Decoupling capacitors: which supply pin each one serves, and the best free place for it at that pin.

`find_pins` reads from the board which pin each capacitor serves. It takes every capacitor between a supply and ground,
and assigns those of one supply to its pins all at once, at the least total cost (`_assign`). On a placed board distance
is what costs; where nothing is placed, sheets and the order of names decide. Each pin gets one capacitor before any pin
gets two, and large (bulk) capacitors only serve what makes the supply.

`decouple` places the capacitors of one component (`_Search`). What counts is the loop: from the supply pin to the
capacitor, and from its ground pad to the nearest ground pad of the component, pad to pad. Small values choose first;
pin, rotation and spot are chosen together. No capacitor ends farther from a pin of its supply than it lay before.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from redraft.errors import BriefError
from redraft.layout.items import Bounds, Item, Layout, Move, Port, transformed
from redraft.studios.board.actions.moves import pivot
from redraft.studios.board.place.netlist import Netlist
from redraft.studios.board.solve.arguments import known, locked_in, shortlist, target_of
from redraft.studios.board.solve.collisions import new_collisions
from redraft.studios.board.solve.free_region import Footing, Region, minkowski
from redraft.text import natural

Numbers = NDArray[np.float64]

Pin = tuple[str, str]
"""A component and the name of one of its pads."""

BoardSide = Literal["same", "other"]


@dataclass(frozen=True)
class Decoupling:
    """A capacitor between a supply and ground, and the supply pin that it serves."""

    capacitor: str
    owner: str
    pin: str
    """The name of the owner's pad: `U1.4` is pin 4 of U1."""
    net: str
    ground: str
    farads: float | None = None
    """Its value, where the file's text is one."""


# Which pin a capacitor serves -----------------------------------------------------------------------------------------

# Distances are in the frame's unit, millimeters on a board.

SPREAD = 3.0
"""A second capacitor at one pin costs as much as one that is so much farther from a free pin."""
STRANGER = 5.0
"""A pin in another sheet, or of a component without the capacitor's ground, counts as so much farther."""
NAME_ORDER = 2.0
"""The most that it costs where pins are not in the order of the capacitors' names: people number parts as they draw
them. Only where there are no places to compare."""
LARGE, BULK = 4e-6, 2e-5
"""Farads from which a capacitor rather belongs to a regulator than to what it feeds, and from which it surely does."""
FAR = 8.0
"""A capacitor this far from its pin serves another user of the net if that is less than half as far."""
_NO_USERS = frozenset({"capacitor", "resistor", "test point", "mounting hole", "fiducial"})
"""Labels of components that a capacitor never serves."""

_FARADS = re.compile(r"(?<![a-z0-9.,])(\d+(?:[.,]\d+)?|[.,]\d+)\s*([pnuµμm])(\d*)(?:f|(?![a-z]))", re.IGNORECASE)
_SCALE = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3}


def farads_of(value: str) -> float | None:
    """Return the capacitance in a text: `100nF`, `0.1u/16V`, `4u7`; None where there is none."""
    match = _FARADS.search(value)
    if match is None:
        return None
    number = match[1].replace(",", ".")
    whole = float(f"{number}.{match[3]}" if match[3] and "." not in number else number)
    return float(f"{whole * _SCALE[match[2].lower()]:.6g}")


def find_pins(netlist: Netlist) -> tuple[Decoupling, ...]:
    """Return the capacitors between a supply and ground, each with the pin that it serves, in the order of their names.

    Those that serve no pin, or another user of the net than an IC, are left out.
    """
    waiting: dict[str, list[tuple[Item, str]]] = {}
    for item in netlist.items:
        nets = netlist.nets_of[item.name]
        grounds, supplies = [n for n in nets if n in netlist.ground], [n for n in nets if n in netlist.power]
        if item.label == "capacitor" and len(nets) == 2 and len(grounds) == len(supplies) == 1:
            waiting.setdefault(supplies[0], []).append((item, grounds[0]))

    decoupling: list[Decoupling] = []
    for net, capacitors in waiting.items():
        pins = netlist.supply_pins(net)
        outputs = {pin: ports for pin, ports in pins.items() if pin[0] in netlist.regulators}
        bulk = [one for one in capacitors if (farads_of(one[0].value) or 0.0) >= BULK]
        small = [one for one in capacitors if one not in bulk]
        for some, candidates in ((small, pins), (bulk, outputs)):
            for (item, ground), (owner, pin) in _assign(netlist, net, some, candidates) if some and candidates else ():
                if not _serves_another(netlist, item, net, owner, candidates[owner, pin]):
                    decoupling.append(Decoupling(item.name, owner, pin, net, ground, farads_of(item.value)))
    return tuple(sorted(decoupling, key=lambda one: natural(one.capacitor)))


def _assign(
    netlist: Netlist, net: str, capacitors: Sequence[tuple[Item, str]], pins: Mapping[Pin, Sequence[Port]]
) -> Iterator[tuple[tuple[Item, str], Pin]]:
    """Yield each capacitor of a supply, given with its ground, and its pin: the assignment of the least total cost.

    Every pin is offered as often as it may have to be taken, dearer each time. The cost of a capacitor at a pin is its
    distance (0 where one of them is not placed), `SPREAD` for each capacitor that is there already, `STRANGER` for each
    thing that speaks against it, and `NAME_ORDER`.
    """
    # Imported here, for it takes a while to load.
    from scipy.optimize import linear_sum_assignment  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

    def value(item: Item) -> float:
        return farads_of(item.value) or math.inf

    capacitors = sorted(capacitors, key=lambda one: (value(one[0]), one[0].symbol, natural(one[0].name)))
    values = [value(item) for item, _ in capacitors]
    names = sorted(pins, key=lambda pin: (natural(pin[0]), natural(pin[1])))
    shape = (len(capacitors), len(names))
    far, strange, placed = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=np.bool_)
    makes = {owner: owner in netlist.regulators for owner, _ in names}
    for row, (item, ground) in enumerate(capacitors):
        against = {
            owner: len(netlist.blocks_of.get(item.name, frozenset()) ^ netlist.blocks_of.get(owner, frozenset()))
            + 2 * (ground not in netlist.nets_of[owner])
            + 0.1 * (makes[owner] != (values[row] >= LARGE))
            for owner in makes
        }
        strange[row] = [against[owner] for owner, _ in names]
        if item.name not in netlist.unplaced:
            own = next(port for port in item.ports if port.net == net)
            placed[row] = [owner not in netlist.unplaced for owner, _ in names]
            far[row] = [min(math.dist(own.at, port.at) for port in pins[name]) for name in names]
    strange = STRANGER * np.where(placed, strange, 100.0 * strange)  # without places the sheets decide

    # Where nothing is placed, capacitors are spread over the components before they are spread over the pins of one.
    before = Counter[str]()
    turns: list[float] = []
    for owner, _ in names:
        turns.append(before[owner] / len(names))
        before[owner] += 1
    rounds = 1 + math.ceil(len(capacitors) / len(names))
    near = [np.where(placed, far + SPREAD * k, SPREAD * (k + np.array(turns))) for k in range(rounds)]

    by_name = sorted(range(len(capacitors)), key=lambda row: natural(capacitors[row][0].name))
    ranks = np.argsort(by_name)[:, None] / len(capacitors)
    order = ~placed * NAME_ORDER * np.abs(ranks - np.arange(len(names)) / len(names))

    # The smaller a capacitor, the more its way counts.
    sizes = sorted(set(values), reverse=True)
    weight = np.array([1.0 + sizes.index(size) / len(sizes) for size in values])[:, None]
    cost = np.hstack([weight * way + strange + order for way in near])
    chosen = cast("tuple[NDArray[np.int64], NDArray[np.int64]]", linear_sum_assignment(cost))
    for row, column in zip(chosen[0].tolist(), chosen[1].tolist(), strict=True):
        yield capacitors[row], names[column % len(names)]


def _serves_another(netlist: Netlist, item: Item, net: str, owner: str, pins: Sequence[Port]) -> bool:
    """Return whether a capacitor lies far from its pins and at another user of the net, such as a connector."""
    if {item.name, owner} & netlist.unplaced:
        return False
    own = next(port.at for port in item.ports if port.net == net)
    far = min(math.dist(own, port.at) for port in pins)
    others = (
        math.dist(own, port.at)
        for other, port in netlist.pads[net]
        if other.label not in _NO_USERS and other.name != owner and other.name not in netlist.unplaced
    )
    return far > FAR and 2 * min(others, default=math.inf) < far


def served(layout: Layout, target: str, refs: Sequence[str] = ()) -> tuple[Decoupling, ...]:
    """Return the capacitors that serve a component, or a pad of one (`U1.4`); or those of `refs`, if given.

    Raises:
        BriefError: an unknown name, a capacitor on none of the target's supplies, or a target without any.
    """
    owner, pads = target_of(layout, target)
    netlist = Netlist(layout)
    if refs:
        return tuple(_at_owner(layout, netlist, owner, pads, name) for name in known(layout, refs))
    decoupling = find_pins(netlist)
    nets = {pad.net for pad in pads}
    own = tuple(one for one in decoupling if one.owner == owner and (not pads or one.net in nets))
    if not own:
        supplies = sorted({port.net for port in pads or layout[owner].ports if port.net in netlist.power})
        has = f"its supplies are {shortlist(supplies)}" if supplies else "it has no supply that the board tells"
        others = list(dict.fromkeys(one.owner for one in decoupling))
        near = f"; capacitors serve {shortlist(others, 12)}" if others else ""
        raise BriefError(f"decouple: no capacitor serves {target}: {has}. Name the capacitors in `refs`{near}")
    return own


def _at_owner(layout: Layout, netlist: Netlist, owner: str, pads: Sequence[Port], name: str) -> Decoupling:
    """Return a capacitor that was named, at the owner's nearest pin on its supply.

    Raises:
        BriefError: it is not between a supply of the owner and ground.
    """
    if name == owner:
        raise BriefError(f"decouple: {name} is the target itself; `refs` are its capacitors")
    nets = list(dict.fromkeys(port.net for port in layout[name].ports if port.net))
    pins = {port.net for port in pads or layout[owner].ports if port.net}
    grounds = [net for net in nets if net in netlist.ground]
    supplies = [net for net in nets if net in pins and net not in grounds]
    if len(nets) != 2 or len(grounds) != 1 or len(supplies) != 1:
        has = sorted(pins - netlist.ground)
        target = f"{owner}.{pads[0].name}" if pads else owner
        raise BriefError(
            f"decouple: {name} is not between a supply of {target} and ground: it connects "
            f"{' and '.join(nets) or 'nothing'}; {target} is on {shortlist(has, 12)}"
        )
    _, pin = supply_distance(layout, owner, name, supplies[0])
    return Decoupling(name, owner, pin, supplies[0], grounds[0], farads_of(layout[name].value))


# The loop of a capacitor ----------------------------------------------------------------------------------------------

SUPPLY = 1.25
"""The way to the supply pin counts so many times that of the ground: of equal loops the one at the pin is the best."""


def supply_distance(layout: Layout, owner: str, name: str, net: str, pad: str = "") -> tuple[float, str]:
    """Return how far a component is from the owner's pads on a net (of one name, if given), and the nearest of them."""
    pins = [port for port in layout[owner].ports if port.net == net and pad in ("", port.name)]
    pairs = [(p.distance(q), q.name) for p in layout[name].ports if p.net == net for q in pins]
    return min(pairs, default=(math.inf, ""))


def loop(layout: Layout, one: Decoupling, pad: str = "") -> float:
    """Return the length of a capacitor's loop: `SUPPLY` times the way to its pin, and the way back to a ground pad."""
    back = supply_distance(layout, one.owner, one.capacitor, one.ground)[0]
    there = supply_distance(layout, one.owner, one.capacitor, one.net, pad)[0]
    return SUPPLY * there + (0.0 if back == math.inf else back)


# Places for capacitors ------------------------------------------------------------------------------------------------

# Lengths are in millimeters.

MIN_GAIN = 0.05
"""By so much a loop has to become shorter, or the capacitor stays."""
AT_PIN = 3.0
"""Within this distance from a pin a capacitor serves it already."""
MAX_ROUNDS = 4
"""How often each capacitor may be looked at, at most."""
MAX_GROUND_PADS = 8
"""Ground pads of the component that are looked at, the nearest to the pin first."""
FIRST_REACH, MAX_REACH = 1.25, 60.0
"""Distances from the pin that are searched first, and at most."""
SAME_LOOP = 1e-3
"""So much of a loop is not worth another rotation."""
CENTERED = 1e-3
"""The weight of being level with the pin, which decides between places with equal loops."""


@dataclass(frozen=True)
class DecouplingResult:
    """The moves that place capacitors, the pins that these serve, and what stays for which reason."""

    moves: tuple[Move, ...]
    served: tuple[Decoupling, ...]
    note: str = ""


def decouple(
    layout: Layout,
    target: str,
    refs: Sequence[str] = (),
    clearance: float = 0.0,
    side: BoardSide | None = None,
) -> DecouplingResult:
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
    decoupling = served(layout, target, refs)
    pad = target_of(layout, target)[1]
    search = _Search(layout, clearance, side, pad[0].name if pad else "", decoupling)
    moves = search.run()

    notes: list[str] = []
    if held := [name for name in search.jobs if name not in search.order]:
        notes.append(f"{shortlist(held, 12)} {'is' if len(held) == 1 else 'are'} locked")
    if stay := [name for name in search.order if name not in search.moves]:
        notes.append(
            f"{shortlist(stay, 12)} {'stays' if len(stay) == 1 else 'stay'}: no free place with a shorter loop"
        )
    return DecouplingResult(moves, decoupling, "; ".join(notes))


class _Search:
    """A search that changes one capacitor after the other, always for the better."""

    def __init__(
        self, layout: Layout, clearance: float, side: BoardSide | None, pad: str, decoupling: Sequence[Decoupling]
    ) -> None:
        self.before, self.layout = layout, layout
        self.clearance, self.side, self.pad = clearance, side, pad
        self.owner = decoupling[0].owner
        self.jobs = {one.capacitor: one for one in decoupling}
        self.order = [
            one.capacitor for one in sorted(self.jobs.values(), key=self._rank) if not locked_in(layout, one.capacitor)
        ]
        self.limit = {name: self._distance(layout, name) for name in self.jobs}
        """How far each may be from its pin: no farther than now."""
        self.pin_of: dict[str, Port | None] = {}
        for name, far in self.limit.items():
            own = [port for port in layout[name].ports if port.net == self.jobs[name].net]
            at_pin = far <= AT_PIN
            self.pin_of[name] = (
                min(self._pins(name), key=lambda p, own=own: min(map(p.distance, own))) if at_pin else None
            )
        self.moves: dict[str, tuple[Move, ...]] = {}
        self.vacated: list[tuple[str, BaseGeometry]] = []
        """The rooms that capacitors have left, in that order."""
        self.regions: dict[object, Region] = {}
        self.taken: dict[object, tuple[Item, BaseGeometry]] = {}

    def _rank(self, one: Decoupling) -> tuple[float, float, object]:
        """Return a sort key: small values before large ones; of equal ones the smaller part, then by number."""
        room = round(self.before.whole(one.capacitor).area, 6)
        return (math.inf if one.farads is None else one.farads, room, natural(one.capacitor))

    def _distance(self, layout: Layout, name: str) -> float:
        one = self.jobs[name]
        return supply_distance(layout, one.owner, name, one.net, self.pad)[0]

    def _pins(self, name: str) -> list[Port]:
        one = self.jobs[name]
        return [p for p in self.before[one.owner].ports if p.net == one.net and self.pad in ("", p.name)]

    def _loop(self, layout: Layout, name: str) -> float:
        return loop(layout, self.jobs[name], self.pad)

    def run(self) -> tuple[Move, ...]:
        """Improve one after the other; then again those near which room became free."""
        seen: dict[str, int] = {}
        for _ in range(MAX_ROUNDS):
            for name in self.order:
                if name not in seen or self._has_gained_room(name, seen[name]):
                    seen[name] = len(self.vacated)
                    self._improve(name)
        return tuple(move for name in self.order for move in self.moves.get(name, ()))

    def _has_gained_room(self, name: str, since: int) -> bool:
        """Return whether another capacitor has left a room where this one might lie better."""
        x0, y0, x1, y1 = self.layout.extent(name)
        reach = min(self.limit[name], self._loop(self.layout, name)) + math.hypot(x1 - x0, y1 - y0)
        pins = [pin.shape for pin in self._pins(name)]
        return any(other != name and room.distance(pin) < reach for other, room in self.vacated[since:] for pin in pins)

    def _improve(self, name: str) -> None:
        """Bring one to a better place, if there is one, even if later ones have to give way for it."""
        now, pins = self._loop(self.layout, name), self._candidate_pins(name)
        must_flip = self.side is not None and self._layer(name) != self.layout[name].layer
        at_most = math.inf if must_flip else now - MIN_GAIN
        later = self.order[self.order.index(name) + 1 :]
        ideal = self._best(self.layout, name, pins, at_most, later)
        if ideal is None:
            return

        # Where the ideal place is taken by later ones, these move on if all together gain by it.
        layout = self.layout.with_items([ideal.item])
        met = [other for _, other in new_collisions(self.before, layout, (name,)) if other in later]
        free = self._best(self.layout, name, pins, at_most) if met else ideal
        gained = (free.loop if free else now) - MIN_GAIN - ideal.loop
        moved_on = self._give_way(layout, met, gained) if met else None
        for spot in (free,) if moved_on is None else (ideal, *moved_on):
            if spot is not None:
                self.vacated.append((spot.item.name, self.layout[spot.item.name].shape))
                self.layout = self.layout.with_items([spot.item])
                self.moves[spot.item.name] = spot.moves
                self.pin_of[spot.item.name] = spot.pin

    def _give_way(self, layout: Layout, met: Sequence[str], gained: float) -> list[_Spot] | None:
        """Return other spots for those that lie where one before them goes; None where they lose more than it gains."""
        budget, waiting = gained + sum(self._loop(self.layout, one) for one in met), list(met)
        spots: list[_Spot] = []
        for other in sorted(met, key=self.order.index):
            waiting.remove(other)
            own = self.pin_of[other]
            spot = self._best(layout, other, self._pins(other) if own is None else [own], budget, waiting)
            if spot is None:
                return None
            budget -= spot.loop
            spots.append(spot)
            layout = layout.with_items([spot.item])
        return spots

    def _candidate_pins(self, name: str) -> list[Port]:
        """Return the pins that a capacitor may serve: those with the fewest capacitors, and the one that it serves."""
        pins, own = self._pins(name), self.pin_of[name]
        alike = [o for o, one in self.jobs.items() if o != name and one.net == self.jobs[name].net]
        count = Counter(id(pin) for pin in (self.pin_of[other] for other in alike) if pin is not None)
        fewest = min(count[id(pin)] for pin in pins)
        if own is not None and count[id(own)] == fewest:
            return [own]
        return [pin for pin in pins if count[id(pin)] == fewest or pin is own]

    def _layer(self, name: str) -> int:
        """Return the side of the board on which a capacitor has to lie."""
        item, target = self.before[name], self.before[self.owner]
        if self.side is not None:
            return target.layer if self.side == "same" else 1 - target.layer
        placed = self.before.area is None or self.before.area.intersects(item.shape)
        return item.layer if placed else target.layer

    def _rotations(self, name: str) -> Iterator[tuple[Item, tuple[Move, ...]]]:
        """Yield the capacitor with its position at the origin, in each rotation, its own first, and the moves to it."""
        item, target = self.before[name], self.before[self.owner]
        x, y = pivot(self.before, name)
        start: list[Move] = []
        if self._layer(name) != item.layer:
            start.append(Move(name, (1.0, 0.0, 0.0, -1.0, 0.0, 2.0 * y), "decouple", flips=True))
        item = transformed(replace(item, origin=(x, y)), start)
        quarters = (0.0, 90.0, 180.0, 270.0)
        angles = [item.rotation + q for q in quarters] + list(quarters) + [target.rotation + q for q in quarters]
        for angle in dict.fromkeys(round(angle % 360.0, 9) for angle in angles):
            turn = (angle - item.rotation) % 360.0
            moves = [*start, Move.turn(name, turn, (x, y), "decouple")] if turn else start
            yield transformed(item, [*moves[len(start) :], Move.shift(name, -x, -y)]), tuple(moves)

    def _best(
        self, layout: Layout, name: str, pins: Sequence[Port], at_most: float, absent: Sequence[str] = ()
    ) -> _Spot | None:
        """Return the spot with the shortest loop, shorter than `at_most`, no farther from a pin than it lay before."""
        owner = self.before[self.owner]
        options = [
            _Option(Footing(item), turns, pin, _LoopCost.of(self.jobs[name], item, pin, owner))
            for item, turns in self._rotations(name)
            for pin in pins
        ]
        best: _Spot | None = None
        others = [other for other in self.order if other != name and other not in absent]
        # Outside the windows the supply pad is farther than `reach`, which alone makes the loop `SUPPLY * reach`.
        reach, last = FIRST_REACH, min(self.limit[name], at_most / SUPPLY, MAX_REACH)
        while True:
            for option in options:
                bound = at_most if best is None else min(at_most, best.loop - SAME_LOOP)
                if option.cost.least < bound:
                    best = self._best_within(layout, option, reach, bound, others, absent) or best
            if reach >= last or (best is not None and best.loop <= SUPPLY * reach):
                return best
            reach *= 2.0

    def _best_within(
        self, layout: Layout, option: _Option, reach: float, bound: float, others: Sequence[str], absent: Sequence[str]
    ) -> _Spot | None:
        """Return the first spot within reach of the pin that is really free, the cheapest first; None without."""
        footing = option.footing
        name = footing.item.name
        window = option.cost.window(min(reach, self.limit[name]))

        # What never moves forbids the same positions to all capacitors of one footprint.
        key = (footing.key, window)
        if key not in self.regions:
            self.regions[key] = footing.region(self.before, window, self.clearance, self.order)

        taken: list[BaseGeometry] = []
        for item in footing.near(layout, window, self.clearance):
            if item.name in others:
                pair = (footing.key, item.name)
                if pair not in self.taken or self.taken[pair][0] is not item:
                    self.taken[pair] = (item, footing.taken(layout, item, self.clearance))
                taken.append(self.taken[pair][1])

        quantum, (x, y) = layout.frame.quantum, pivot(self.before, name)
        ranked = self.regions[key].cheapest(
            shapely.union_all(taken), option.cost, option.cost.shortest, bound + CENTERED
        )
        for _, *position in ranked:
            # In whole quanta the spot is a little off, so that all is measured again with the true shapes.
            dx, dy = (round((a - b) / quantum) * quantum for a, b in zip(position, (x, y), strict=True))
            moves = (*option.turns, Move.shift(name, dx, dy, "decouple"))
            there = layout.with_items([transformed(self.before[name], moves)])
            if self._distance(there, name) > self.limit[name]:
                continue
            if all(other in absent for _, other in new_collisions(self.before, there, (name,))):
                length = self._loop(there, name)
                if length < bound:
                    return _Spot(there[name], moves, option.pin, length)
        return None


@dataclass(frozen=True)
class _Option:
    """A capacitor in one rotation, with its position at the origin, and a pin that it may serve."""

    footing: Footing
    turns: tuple[Move, ...]
    pin: Port
    cost: _LoopCost


@dataclass(frozen=True)
class _Spot:
    """A capacitor where it might lie, the moves that bring it there, the pin that it serves there, and its loop."""

    item: Item
    moves: tuple[Move, ...]
    pin: Port
    loop: float


@dataclass(frozen=True)
class _LoopCost:
    """The loop of a capacitor at a pin, for each position of its origin."""

    supply: tuple[tuple[BaseGeometry, float], ...]
    """Where its supply pads meet the pin, and by how much both are grown."""
    ground: tuple[tuple[BaseGeometry, float], ...]
    level: Numbers
    """The position at which its supply pad is on the pin's middle."""

    @classmethod
    def of(cls, one: Decoupling, item: Item, pin: Port, owner: Item) -> _LoopCost:
        supply = [p for p in item.ports if p.net == one.net]
        ground = [p for p in item.ports if p.net == one.ground]
        theirs = sorted((p for p in owner.ports if p.net == one.ground), key=pin.distance)[:MAX_GROUND_PADS]
        return cls(
            tuple((minkowski(pin.core, p.core), pin.radius + p.radius) for p in supply),
            tuple((minkowski(q.core, p.core), q.radius + p.radius) for p in ground for q in theirs),
            np.subtract(pin.at, supply[0].at),
        )

    def __call__(self, at: Numbers) -> Numbers:
        """Return the loop at many positions, (n, 2)."""
        points = np.asarray(shapely.points(at), dtype=object)[:, None]
        total = np.zeros(len(at)) + CENTERED * np.hypot(*(at - self.level).T)
        for sums, weight in ((self.supply, SUPPLY), (self.ground, 1.0)):
            if sums:
                shapes, more = (np.array([pair[k] for pair in sums]) for k in (0, 1))
                far: Numbers = shapely.distance(points, shapes[None]) - more  # pyright: ignore[reportUnknownMemberType]
                total += weight * np.maximum(far, 0.0).min(axis=1)
        return total

    def window(self, reach: float) -> Bounds:
        """Return the box of all positions with the supply pad within a distance of the pin."""
        boxes = np.array([np.add(sum_.bounds, (-more, -more, more, more)) for sum_, more in self.supply])
        (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
        return (x0 - reach, y0 - reach, x1 + reach, y1 + reach)

    @property
    def least(self) -> float:
        """The shortest loop of all, were nothing in the way."""
        pairs = [(a, b) for a in self.supply for b in self.ground]
        return min((max(0.0, float(a.distance(b)) - m - n) for (a, m), (b, n) in pairs), default=0.0)

    @property
    def shortest(self) -> BaseGeometry:
        """The positions with that loop."""
        pairs = [LineString(nearest_points(a, b)) for a, _ in self.supply for b, _ in self.ground]
        return shapely.union_all(pairs or [a.boundary for a, _ in self.supply])
