"""Where things go: one exact model over integer positions, solved by CP-SAT with one worker and a fixed seed.

Relations are hard, guesses are kept as far as they can be, and what is left is taste: feet on one line, even gaps, the
whole in the middle. The limit is deterministic, so that two runs place alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from ortools.sat.python import cp_model

from redraft.layout.items import Bounds

UNITS = 2_000
"""Integer steps of the model to one canvas."""
LIMIT = 0.1
"""Deterministic seconds for one try."""
MARGIN = 0.04
USUAL = {"beside": 0.1, "near": 0.1, "left_of": 0.13, "right_of": 0.13, "above": 0.08, "below": 0.08}
FAR = {"far": 0.25, "much_further": 0.32}
SUNK = 0.5
"""How much of what is in an open vessel its rim may hide."""
SLOPE = (21, 20)
"""A direction is clear when the centers are farther apart along it than across, by so much."""
NOWHERE = (0.08, 0.08, 0.92, 0.92)
"""Where things go in what has no place for them."""


def units(length: float) -> int:
    """Return a length in the model's steps."""
    return round(length * UNITS)


@dataclass
class Body:
    """A rigid block of instances of one thing. Boxes are relative to its upper left corner, in canvas units."""

    id: str
    thing: str
    boxes: list[Bounds]
    rests: str
    fixed: Bounds | None = None
    surface: float = 0.0
    """Where things on it rest: 0 its top edge, 1 its bottom."""
    inside: Bounds | None = None
    """Where things in it go, in its unit box."""
    band: bool = False
    """A backdrop: a band across the canvas."""

    @property
    def width(self) -> int:
        return units(max(b[2] for b in self.boxes))

    @property
    def height(self) -> int:
        return units(max(b[3] for b in self.boxes))

    @property
    def grounded(self) -> bool:
        """Return whether others stand on it, or it stands."""
        return self.rests in {"ground", "lies"}

    @property
    def open(self) -> bool:
        """Return whether it is a vessel open above."""
        return self.inside is not None and self.inside[1] < 0.15

    @property
    def free(self) -> bool:
        return self.fixed is None and not self.band


@dataclass
class Link:
    """A relation between bodies; `c` is the second object of *between*."""

    relation: str
    a: str
    b: str
    c: str = ""
    certain: bool = True
    degree: str = "plain"
    gap: float | None = None
    phrase: str = ""

    @property
    def upright(self) -> bool:
        """Return whether it is straight above: "on top of"."""
        return "top" in self.phrase.lower().split()


@dataclass(frozen=True)
class Spot:
    """A body at a spot of the canvas, or of another body."""

    body: str
    spot: str
    within: str | None = None


@dataclass(frozen=True)
class Placement:
    """The upper left corner of each body, in canvas units, and the guesses that were given up."""

    at: dict[str, tuple[float, float]]
    unmet: tuple[str, ...]


def place(
    bodies: Mapping[str, Body], links: Sequence[Link], spots: Sequence[Spot], *, gap: float, seed: int, clear: bool
) -> Placement | None:
    """Place all bodies, or None when that cannot be done at these sizes. `clear` asks for unmistakable directions."""
    room = UNITS - 2 * units(MARGIN)
    if any(b.free and max(b.width, b.height) > room for b in bodies.values()):
        return None
    return _Model(bodies, links, spots, gap, seed, clear=clear).solve()


class _Model:
    """Corners of all bodies in whole steps, relations, spots, no overlap, and costs."""

    def __init__(
        self,
        bodies: Mapping[str, Body],
        links: Sequence[Link],
        spots: Sequence[Spot],
        gap: float,
        seed: int,
        *,
        clear: bool,
    ) -> None:
        self.bodies, self.links, self.spots, self.gap, self.clear = bodies, links, spots, units(gap), clear
        self.random = Random(seed)  # noqa: S311 - taste, not secrets
        self.model = cp_model.CpModel()
        self.x: dict[str, cp_model.IntVar] = {}
        self.y: dict[str, cp_model.IntVar] = {}
        self.costs: list[cp_model.LinearExprT] = []
        self.kept: list[tuple[cp_model.IntVar, str]] = []
        self.keep: cp_model.IntVar | None = None
        self.free = [b for b in bodies.values() if b.free]
        for body in bodies.values():
            if body.fixed is not None:
                corner = (units(body.fixed[0]), units(body.fixed[1]))
            elif body.band:
                corner = (0, UNITS - body.height if body.grounded else 0)
            else:
                margin = units(MARGIN)
                self.x[body.id] = self.model.new_int_var(margin, UNITS - margin - body.width, f"x {body.id}")
                self.y[body.id] = self.model.new_int_var(margin, UNITS - margin - body.height, f"y {body.id}")
                continue
            self.x[body.id], self.y[body.id] = map(self.model.new_constant, corner)

    # Measures: twice the center, so that it is whole.

    def _cx(self, ref: str) -> cp_model.LinearExpr:
        return 2 * self.x[ref] + self.bodies[ref].width

    def _cy(self, ref: str) -> cp_model.LinearExpr:
        return 2 * self.y[ref] + self.bodies[ref].height

    def _abs(self, expression: cp_model.LinearExprT) -> cp_model.IntVar:
        # OR-tools 9.12 negates an expression without its constant, so the absolute value is taken of a variable.
        signed = self.model.new_int_var(-8 * UNITS, 8 * UNITS, "")
        self.model.add(signed == expression)
        value = self.model.new_int_var(0, 8 * UNITS, "")
        self.model.add_abs_equality(value, signed)
        return value

    def _add(self, bounded: cp_model.BoundedLinearExpression | bool, *unless: cp_model.LiteralT) -> None:
        """Add a constraint; of a guess, only as long as the guess is kept."""
        added = self.model.add(bounded)
        conditions = [*([self.keep] if self.keep is not None else []), *unless]
        if conditions:
            added.only_enforce_if(conditions)

    def _cost(self, expression: cp_model.LinearExprT, weight: int) -> None:
        self.costs.append(weight * expression)

    def _link(self, link: Link) -> None:
        self.keep = None
        if not link.certain:
            self.keep = self.model.new_bool_var(f"keep {link.phrase}")
            self.kept.append((self.keep, link.phrase))
        match link.relation:
            case "left_of" | "row":
                self._side(link, link.a, link.b)
            case "right_of":
                self._side(link, link.b, link.a)
            case "above" | "column":
                self._over(link, link.a, link.b)
            case "below":
                self._over(link, link.b, link.a)
            case "on":
                self._on(link)
            case "inside":
                self._inside(link)
            case "between":
                self._between(link)
            case "in_front_of":
                self._before(link.a, link.b)
            case "behind":
                self._before(link.b, link.a)
            case _:
                self._either_side(link)
        self.keep = None

    def _usual_gap(self, link: Link) -> int:
        """Return the gap that a relation usually has, a little different with each seed."""
        usual = FAR.get(link.degree, FAR["far"] if link.relation == "far" else USUAL.get(link.relation, 0.08))
        return units(usual * self.random.uniform(0.9, 1.15))

    def _gap(self, link: Link, gap: cp_model.LinearExpr, *unless: cp_model.LiteralT) -> None:
        """Bound a gap, edge to edge: as stated; at least so far for far; else apart."""
        if link.gap is not None:
            self._add(gap == units(link.gap), *unless)
        else:
            least = FAR.get(link.degree, 0.2 if link.relation == "far" else 0.0)
            self._add(gap >= max(self.gap, units(least)), *unless)

    def _side(self, link: Link, left: str, right: str, *unless: cp_model.LiteralT) -> None:
        gap = self.x[right] - self.x[left] - self.bodies[left].width
        self._gap(link, gap, *unless)
        if self.clear:
            across = self._abs(self._cy(left) - self._cy(right))
            self._add(SLOPE[1] * (self._cx(right) - self._cx(left)) >= SLOPE[0] * across, *unless)
        if not unless:
            self._cost(self._abs(gap - self._usual_gap(link)), 2)
            self._cost(self._abs(self._cy(left) - self._cy(right)), 1 if link.relation != "row" else 8)

    def _over(self, link: Link, upper: str, lower: str) -> None:
        gap = self.y[lower] - self.y[upper] - self.bodies[upper].height
        self._gap(link, gap)
        offset = self._abs(self._cx(upper) - self._cx(lower))
        if self.clear:
            self._add(SLOPE[1] * (self._cy(lower) - self._cy(upper)) >= SLOPE[0] * offset)
        self._cost(self._abs(gap - self._usual_gap(link)), 2)
        self._cost(offset, 1)

    def _either_side(self, link: Link) -> None:
        left = self.model.new_bool_var(f"{link.a} left of {link.b}")
        self._side(link, link.a, link.b, left)
        self._side(link, link.b, link.a, ~left)
        a, b = self.bodies[link.a], self.bodies[link.b]
        apart = self._abs(self._cx(link.a) - self._cx(link.b))
        self._cost(self._abs(apart - (a.width + b.width + 2 * self._usual_gap(link))), 2)
        self._cost(self._abs(self._cy(link.a) - self._cy(link.b)), 1)

    def _on(self, link: Link) -> None:
        a, b = self.bodies[link.a], self.bodies[link.b]
        if a.band or b.band or "wall" in {a.rests, b.rests}:
            self._within(a, b)
            return
        self._add(self.y[a.id] + a.height == self.y[b.id] + round(b.surface * b.height))
        offset, room = self._abs(self._cx(a.id) - self._cx(b.id)), max(0, b.width - a.width)
        self._add(offset <= room)
        if link.upright and self.clear:
            self._add(SLOPE[1] * (self._cy(b.id) - self._cy(a.id)) >= SLOPE[0] * offset)
        drawn_away = any(
            k.relation in {"beside", "near"} and a.id in {k.a, k.b} and b.id not in {k.a, k.b} for k in self.links
        )
        if drawn_away and not link.upright:
            self._cost(2 * room - offset, 6)
        else:
            self._cost(offset, 1)

    def _within(self, a: Body, b: Body) -> None:
        """Keep the feet in a landscape, and all of it on a wall."""
        if a.band:
            return
        feet = units(min(box[3] for box in a.boxes)) if b.band and b.grounded else 0
        self._add(self.y[a.id] + feet >= self.y[b.id] + round(0.08 * b.height))
        self._add(self.y[a.id] + a.height <= self.y[b.id] + round(0.92 * b.height))
        if not b.band:
            self._add(self.x[a.id] >= self.x[b.id] + round(0.06 * b.width))
            self._add(self.x[a.id] + a.width <= self.x[b.id] + round(0.94 * b.width))

    def _inside(self, link: Link) -> None:
        a, b = self.bodies[link.a], self.bodies[link.b]
        if b.band or a.band:
            self._within(a, b)
            return
        x0, y0, x1, y1 = b.inside or NOWHERE
        self._add(self.x[a.id] >= self.x[b.id] + round(x0 * b.width))
        self._add(self.x[a.id] + a.width <= self.x[b.id] + round(x1 * b.width))
        bottom = self.y[b.id] + round(y1 * b.height)
        if b.open:
            sunk = min(round(y1 * b.height), round(max(0.0, y0) * b.height + SUNK * a.height))
            self._add(self.y[a.id] + a.height == self.y[b.id] + sunk)
        else:
            self._add(self.y[a.id] >= self.y[b.id] + round(y0 * b.height))
            self._add(self.y[a.id] + a.height <= bottom)
            self._cost(self._abs(self._cy(a.id) - self._cy(b.id)), 1)
        self._cost(self._abs(self._cx(a.id) - self._cx(b.id)), 1)

    def _between(self, link: Link) -> None:
        """Place A between B and C, whichever of the two is on the left; of like things the first is."""
        forward = self.model.new_bool_var(f"{link.b} left of {link.c}")
        if self.bodies[link.b].thing == self.bodies[link.c].thing:
            self.model.add(forward == 1)
        for left, right, way in ((link.b, link.c, forward), (link.c, link.b, ~forward)):
            self._side(link, left, link.a, way)
            self._side(link, link.a, right, way)
        self._cost(self._abs(self._cx(link.b) + self._cx(link.c) - 2 * self._cx(link.a)), 2)
        self._cost(self._abs(self._cx(link.b) - self._cx(link.c)), 1)

    def _before(self, front: str, back: str) -> None:
        """Place in front: lower on the sheet and overlapping, but not hiding what is behind."""
        f, b = self.bodies[front], self.bodies[back]
        if f.band or b.band:
            return
        offset = self._abs(self._cx(front) - self._cx(back))
        self._add(offset <= (f.width + b.width) * 9 // 10)
        if b.grounded:
            drop = self.y[front] + f.height - self.y[back] - b.height
            self._add(drop >= units(0.02))
            self._add(drop <= max(units(0.03), f.height // 2))
        else:
            self._add(self._abs(self._cy(front) - self._cy(back)) <= b.height)
        self._cost(self._abs(offset - (f.width + b.width) * 2 // 5), 1)

    def solve(self) -> Placement | None:
        """Return the corners of all bodies; None where there is no place for them."""
        for link in self.links:
            self._link(link)
        for spot in self.spots:
            body = self.bodies[spot.body]
            if not body.free:
                continue
            left, top, width, height = 0, 0, UNITS, UNITS
            if spot.within is not None:
                frame = self.bodies[spot.within]
                left, top, width, height = self.x[frame.id], self.y[frame.id], frame.width, frame.height
            self._axis(self._cx(body.id) - 2 * left, width, body.width, ("left", "right"), spot.spot)
            self._axis(self._cy(body.id) - 2 * top, height, body.height, ("top", "bottom"), spot.spot)
        self._keep_apart()
        self._taste()

        if self.kept:
            # As many guesses as can be kept together are kept, before any taste.
            self.model.maximize(sum(kept for kept, _ in self.kept))
            solver = self._solved()
            if solver is None:
                return None
            for kept, _ in self.kept:
                self.model.add(kept == solver.value(kept))
            for body in self.free:  # of constants, equal ones are one variable, and two hints an error
                for corner in (self.x[body.id], self.y[body.id]):
                    self.model.add_hint(corner, solver.value(corner))
        self.model.minimize(sum(self.costs))
        solver = self._solved()
        if solver is None:
            return None
        at = {ref: (solver.value(self.x[ref]) / UNITS, solver.value(self.y[ref]) / UNITS) for ref in self.bodies}
        return Placement(at, tuple(dict.fromkeys(phrase for kept, phrase in self.kept if not solver.value(kept))))

    def _solved(self) -> cp_model.CpSolver | None:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.max_deterministic_time = LIMIT
        solver.parameters.relative_gap_limit = 0.1  # taste need not be proven to the last step
        return solver if solver.solve(self.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None

    def _axis(self, center: cp_model.LinearExpr, extent: int, size: int, ends: tuple[str, str], spot: str) -> None:
        """Place twice the center on one axis: in the outer third, or in the middle to half a step."""
        outer = max(2 * extent // 3, size + 2 * units(MARGIN))
        if ends[0] in spot:
            self._add(center <= outer)
            self._cost(center, 1)
        elif ends[1] in spot:
            self._add(center >= 2 * extent - outer)
            self._cost(2 * extent - center, 1)
        elif spot == "center":
            self._add(center <= extent + 1)
            self._add(center >= extent - 1)

    def _keep_apart(self) -> None:
        """Let no two bodies overlap, but for those that a relation brings together, and backdrops."""
        together = {frozenset((k.a, k.b)) for k in self.links if k.relation in {"in_front_of", "behind"}}
        together |= {frozenset((s.body, s.within)) for s in self.spots if s.within is not None}
        # What is on or in another may overlap what that one is on, too.
        stacked = {(k.a, k.b) for k in self.links if k.relation in {"on", "inside"}}
        while more := {(a, d) for a, b in stacked for c, d in stacked if b == c and a != d} - stacked:
            stacked |= more
        together |= {frozenset(pair) for pair in stacked}

        solid = [b for b in self.bodies.values() if not b.band]
        for a, b in combinations(solid, 2):
            if frozenset((a.id, b.id)) in together or (a.fixed is not None and b.fixed is not None):
                continue
            ways = [self.model.new_bool_var("") for _ in range(4)]
            for way, (one, other) in zip(ways, ((a, b), (b, a), (a, b), (b, a)), strict=True):
                across = way is ways[0] or way is ways[1]
                at, size = (self.x, one.width) if across else (self.y, one.height)
                self.model.add(at[one.id] + size + self.gap <= at[other.id]).only_enforce_if(way)
            self.model.add_bool_or(ways)

    def _taste(self) -> None:
        """Prefer feet on the foot line, what flies aloft, all of it together and in the middle."""
        if not self.free:
            return
        held = {k.a for k in self.links if k.relation in {"on", "inside", "above", "in_front_of"} and k.certain}
        held |= {k.b for k in self.links if k.relation in {"below", "behind"} and k.certain}
        held |= {s.body for s in self.spots}
        foot_line = self._foot_line()
        for body in self.free:
            if len(self.bodies) == 1:
                self._cost(self._abs(self._cy(body.id) - UNITS), 2)
            elif body.id not in held and body.grounded:
                self._cost(self._abs(self.y[body.id] + body.height - foot_line), 4)
            elif body.id not in held:
                self._cost(self._abs(self._cy(body.id) - units(0.8 if body.rests == "wall" else 0.4)), 1)
        left, right = self.model.new_int_var(0, UNITS, "left"), self.model.new_int_var(0, UNITS, "right")
        self.model.add_min_equality(left, [self.x[b.id] for b in self.free])
        self.model.add_max_equality(right, [self.x[b.id] + b.width for b in self.free])
        if not any(b.fixed for b in self.bodies.values()):
            self._cost(self._abs(left + right - UNITS), 2)
        self._cost(right - left, 1)

    def _foot_line(self) -> int:
        """Return where feet stand: on the ground if there is one; in the middle of the sheet if nothing is above."""
        low = [b for b in self.bodies.values() if b.grounded]
        bands = [b.height for b in low if b.band]
        fixed = [units(b.fixed[3]) for b in low if b.fixed is not None]
        if bands:
            return UNITS - round(0.6 * min(bands))
        if fixed:
            return max(fixed)
        if not all(b.grounded for b in self.free):
            return units(0.88)
        return min(units(0.9), UNITS // 2 + max(b.height for b in self.free) // 2)
