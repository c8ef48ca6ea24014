"""The relations of the placement model, as constraints and costs."""

from __future__ import annotations

from ortools.sat.python import cp_model

from redraft.offline.planner.bodies import UNITS, Link, units
from redraft.offline.planner.variables import FAR, SLOPE, SUNK, USUAL, Variables

__all__ = ["Directions"]


class Directions(Variables):
    """A constraint for each link; a guess holds only as long as it is kept."""

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
            case "above":
                self._over(link, link.a, link.b)
            case "below" | "column":
                self._over(link, *((link.b, link.a) if link.relation == "below" else (link.a, link.b)))
            case "beside" | "near" | "far":
                self._either_side(link)
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
                raise AssertionError(f"no such relation: {link.relation}")
        self.keep = None

    def _wanted(self, link: Link) -> int:
        """The gap that a relation would like, a little different with each seed."""
        usual = FAR.get(link.degree, FAR["far"] if link.relation == "far" else USUAL.get(link.relation, 0.08))
        return units(usual * self.random.uniform(0.9, 1.15))

    def _gap(self, link: Link, gap: cp_model.LinearExpr, *unless: cp_model.LiteralT) -> None:
        """Edge to edge: as stated; at least so far for far; else apart, and near what is usual."""
        if link.gap is not None:
            self._add(gap == units(link.gap), *unless)
            return
        least = units(FAR[link.degree]) if link.degree in FAR else units(0.2) if link.relation == "far" else self.gap
        self._add(
            gap >= min(least, self.gap) if self.gap < units(0.03) and link.degree == "plain" else gap >= least, *unless
        )

    def _side(self, link: Link, left: str, right: str, *unless: cp_model.LiteralT) -> None:
        gap = self.x[right] - self.x[left] - self.bodies[left].width
        self._gap(link, gap, *unless)
        if self.clear:
            across = self._abs(self._cy(left) - self._cy(right))
            self._add(SLOPE[1] * (self._cx(right) - self._cx(left)) >= SLOPE[0] * across, *unless)
        if not unless:
            self._cost(self._abs(gap - self._wanted(link)), 2)
            self._cost(self._abs(self._cy(left) - self._cy(right)), 1 if link.relation != "row" else 8)

    def _over(self, link: Link, upper: str, lower: str) -> None:
        gap = self.y[lower] - self.y[upper] - self.bodies[upper].height
        self._gap(link, gap)
        offset = self._abs(self._cx(upper) - self._cx(lower))
        if self.clear:
            self._add(SLOPE[1] * (self._cy(lower) - self._cy(upper)) >= SLOPE[0] * offset)
        self._cost(self._abs(gap - self._wanted(link)), 2)
        self._cost(offset, 1)

    def _either_side(self, link: Link) -> None:
        left = self.model.new_bool_var(f"{link.a} left of {link.b}")
        self._side(link, link.a, link.b, left)
        self._side(link, link.b, link.a, ~left)
        a, b = self.bodies[link.a], self.bodies[link.b]
        apart = self._abs(self._cx(link.a) - self._cx(link.b))
        self._cost(self._abs(apart - (a.width + b.width + 2 * self._wanted(link))), 2)
        self._cost(self._abs(self._cy(link.a) - self._cy(link.b)), 1)

    def _on(self, link: Link) -> None:
        a, b = self.bodies[link.a], self.bodies[link.b]
        if a.band or b.band or a.rests == "wall" or b.rests == "wall":
            self._within(link.a, link.b)
            return
        if b.flat:
            self._inside(link)
            return
        self._add(self.y[a.id] + a.height == self.y[b.id] + round(b.surface * b.height))
        offset = self._abs(self._cx(a.id) - self._cx(b.id))
        self._add(offset <= max(0, b.width - a.width))
        if link.upright and self.clear:
            self._add(SLOPE[1] * (self._cy(b.id) - self._cy(a.id)) >= SLOPE[0] * offset)
        drawn_away = any(
            k.relation in {"beside", "near"} and a.id in {k.a, k.b} and b.id not in {k.a, k.b} for k in self.links
        )
        if not drawn_away or link.upright:
            self._cost(offset, 1)
        else:
            self._cost(2 * max(0, b.width - a.width) - offset, 6)

    def _within(self, ref: str, other: str) -> None:
        """In a landscape: the feet are in it. On a wall: all of it is."""
        a, b = self.bodies[ref], self.bodies[other]
        if a.band:
            return
        top = self.y[ref] + (a.feet if b.band and b.rests in {"ground", "lies"} else 0)
        self._add(top >= self.y[other] + round(0.08 * b.height))
        self._add(self.y[ref] + a.height <= self.y[other] + round(0.92 * b.height))
        if not b.band:
            self._add(self.x[ref] >= self.x[other] + round(0.06 * b.width))
            self._add(self.x[ref] + a.width <= self.x[other] + round(0.94 * b.width))

    def _inside(self, link: Link) -> None:
        a, b = self.bodies[link.a], self.bodies[link.b]
        if b.band or a.band:
            self._within(link.a, link.b)
            return
        x0, y0, x1, y1 = b.inside or (0.08, 0.08, 0.92, 0.92)
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
        """A between B and C, whichever of the two is on the left."""
        assert link.c is not None
        forward = self.model.new_bool_var(f"{link.b} left of {link.c}")
        if self.bodies[link.b].thing == self.bodies[link.c].thing:
            self.model.add(forward == 1)  # like things: the first is the left one
        for left, right, way in ((link.b, link.c, forward), (link.c, link.b, ~forward)):
            self._side(link, left, link.a, way)
            self._side(link, link.a, right, way)
        both = self._abs(self._cx(link.b) + self._cx(link.c) - 2 * self._cx(link.a))
        self._cost(both, 2)
        span = self._abs(self._cx(link.b) - self._cx(link.c))
        self._cost(span, 1)

    def _before(self, front: str, back: str) -> None:
        """In front: lower on the sheet and overlapping, but not hiding what is behind."""
        f, b = self.bodies[front], self.bodies[back]
        if f.band or b.band:
            return
        offset = self._abs(self._cx(front) - self._cx(back))
        self._add(offset <= (f.width + b.width) * 9 // 10)
        if b.rests in {"floats", "hangs", "wall"}:
            self._add(self._abs(self._cy(front) - self._cy(back)) <= b.height)
        else:
            drop = self.y[front] + f.height - self.y[back] - b.height
            self._add(drop >= units(0.02))
            self._add(drop <= max(units(0.03), f.height // 2))
        self._cost(self._abs(offset - (f.width + b.width) * 2 // 5), 1)
        across = self.model.new_int_var(0, 4 * UNITS, "")
        self.model.add(across >= self._abs(self._cy(front) - self._cy(back)) - offset)
        self._cost(across, 2)
