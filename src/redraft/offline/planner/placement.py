"""Where the bodies go: one exact model over integer positions, solved by CP-SAT with one worker and a fixed seed.

Relations are hard, guesses are kept as far as they can be, and what is left is taste: feet on one line, even gaps,
the whole in the middle. The limit is deterministic, so that two runs place alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ortools.sat.python import cp_model

from redraft.offline.planner.bodies import UNITS, Body, Link, Spot, units
from redraft.offline.planner.directions import Directions
from redraft.offline.planner.variables import MARGIN, free_bodies

__all__ = ["Placement", "place"]

LIMIT = 0.1
"""Deterministic seconds for one try."""


@dataclass(frozen=True)
class Placement:
    """The upper left corner of each body, in canvas units, and the guesses that were given up."""

    at: dict[str, tuple[float, float]]
    unmet: tuple[str, ...]


def place(
    bodies: Mapping[str, Body],
    links: Sequence[Link],
    spots: Sequence[Spot],
    *,
    gap: float,
    seed: int,
    clear: bool = True,
) -> Placement | None:
    """Place all bodies, or None when that cannot be done at these sizes. `clear` asks for unmistakable directions."""
    if any(b.width > UNITS - 2 * units(MARGIN) or b.height > UNITS - 2 * units(MARGIN) for b in free_bodies(bodies)):
        return None
    return Model(bodies, links, spots, gap, seed, clear=clear).solve()


def _solver() -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = LIMIT
    solver.parameters.relative_gap_limit = 0.1  # taste need not be proven to the last step
    return solver


class Model(Directions):
    """The whole model: relations, spots, no overlap, and taste."""

    def solve(self) -> Placement | None:
        for link in self.links:
            self._link(link)
        for spot in self.spots:
            self._spot(spot)
        self._keep_apart()
        self._taste()
        if self.kept and not self._choose_guesses():
            return None
        self.model.minimize(sum(self.costs))
        solver = _solver()
        if solver.solve(self.model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        at = {ref: (solver.value(self.x[ref]) / UNITS, solver.value(self.y[ref]) / UNITS) for ref in self.bodies}
        return Placement(at, tuple(dict.fromkeys(phrase for kept, phrase in self.kept if not solver.value(kept))))

    def _choose_guesses(self) -> bool:
        """Keep as many guesses as can be kept together, before any taste; False when not even the rest has a place."""
        self.model.maximize(sum(kept for kept, _ in self.kept))
        solver = _solver()
        if solver.solve(self.model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return False
        for kept, _ in self.kept:
            self.model.add(kept == solver.value(kept))
        for body in free_bodies(self.bodies):  # of constants, equal ones are one variable, and two hints an error
            for corner in (self.x[body.id], self.y[body.id]):
                self.model.add_hint(corner, solver.value(corner))
        return True

    def _spot(self, spot: Spot) -> None:
        body = self.bodies[spot.body]
        if body.fixed is not None or body.band:
            return
        left, top, width, height = 0, 0, UNITS, UNITS
        if spot.within is not None:
            frame = self.bodies[spot.within]
            left, top, width, height = self.x[frame.id], self.y[frame.id], frame.width, frame.height
        self._axis(self._cx(body.id) - 2 * left, width, body.width, ("left", "right"), spot)
        self._axis(self._cy(body.id) - 2 * top, height, body.height, ("top", "bottom"), spot)

    def _axis(self, centre: cp_model.LinearExpr, extent: int, size: int, ends: tuple[str, str], spot: Spot) -> None:
        """Twice the centre on one axis: in the outer third, or in the middle to half a step."""
        low, high = (end in spot.spot for end in ends)
        if low:
            self._add(centre <= max(2 * extent // 3, size + 2 * units(MARGIN)))
            self._cost(centre, 1)
        elif high:
            self._add(centre >= min(2 * extent - 2 * extent // 3, 2 * extent - size - 2 * units(MARGIN)))
            self._cost(2 * extent - centre, 1)
        elif spot.spot == "center":
            self._add(centre <= extent + 1)
            self._add(centre >= extent - 1)

    def _keep_apart(self) -> None:
        """No two bodies overlap, but for those that a relation brings together, and backdrops."""
        depths = {frozenset((k.a, k.b)) for k in self.links if k.relation in {"in_front_of", "behind"}}
        together = depths | _stacked(self.links)
        together |= {frozenset((s.body, s.within)) for s in self.spots if s.within is not None}
        solid = [b for b in self.bodies.values() if not b.band]
        for a, b in combinations(solid, 2):
            if frozenset((a.id, b.id)) in together or (a.fixed is not None and b.fixed is not None):
                continue
            ways = [self.model.new_bool_var("") for _ in range(4)]
            gap = self.gap
            self.model.add(self.x[a.id] + a.width + gap <= self.x[b.id]).only_enforce_if(ways[0])
            self.model.add(self.x[b.id] + b.width + gap <= self.x[a.id]).only_enforce_if(ways[1])
            self.model.add(self.y[a.id] + a.height + gap <= self.y[b.id]).only_enforce_if(ways[2])
            self.model.add(self.y[b.id] + b.height + gap <= self.y[a.id]).only_enforce_if(ways[3])
            self.model.add_bool_or(ways)

    def _taste(self) -> None:
        """Feet on the foot line, what flies aloft, all of it together and in the middle."""
        free = free_bodies(self.bodies)
        if not free:
            return
        held = {k.a for k in self.links if k.relation in {"on", "inside", "above", "in_front_of"} and k.certain}
        held |= {k.b for k in self.links if k.relation in {"below", "behind"} and k.certain} | {
            s.body for s in self.spots
        }
        for body in free:
            if body.id not in held:
                self._stand(body, alone=len(self.bodies) == 1)
        left, right = self.model.new_int_var(0, UNITS, "left"), self.model.new_int_var(0, UNITS, "right")
        self.model.add_min_equality(left, [self.x[b.id] for b in free])
        self.model.add_max_equality(right, [self.x[b.id] + b.width for b in free])
        if not any(b.fixed for b in self.bodies.values()):
            self._cost(self._abs(left + right - UNITS), 2)
        self._cost(right - left, 1)

    def _stand(self, body: Body, *, alone: bool) -> None:
        if alone:
            self._cost(self._abs(self._cy(body.id) - UNITS), 2)
            return
        match body.rests:
            case "ground" | "lies":
                feet = self.y[body.id] + body.height
                self._cost(self._abs(feet - self.feet), 4)
                if self.clear and self.ground is not None:
                    self.model.add(feet >= self.ground)
            case "floats":
                self._cost(self._abs(self._cy(body.id) - units(0.4)), 1)
            case "hangs":
                self._cost(self.y[body.id], 2)
            case "wall":
                self._cost(self._abs(self._cy(body.id) - units(0.8)), 1)


def _stacked(links: Sequence[Link]) -> set[frozenset[str]]:
    """Pairs of which one is on or in the other, or on what is on it."""
    under: dict[str, set[str]] = {}
    for link in links:
        if link.relation in {"on", "inside"}:
            under.setdefault(link.a, set()).add(link.b)
    found: set[frozenset[str]] = set()
    for top in sorted(under):
        waiting = sorted(under[top])
        while waiting:
            below = waiting.pop()
            if frozenset((top, below)) not in found and below != top:
                found.add(frozenset((top, below)))
                waiting += sorted(under.get(below, ()))
    return found
