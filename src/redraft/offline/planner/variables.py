"""The variables of the placement model, and what is measured on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from ortools.sat.python import cp_model

from redraft.offline.planner.bodies import UNITS, Body, Link, Spot, units

__all__ = ["FAR", "MARGIN", "SLOPE", "SUNK", "USUAL", "Variables", "free_bodies"]

MARGIN = 0.04
USUAL = {"beside": 0.1, "near": 0.1, "left_of": 0.13, "right_of": 0.13, "above": 0.08, "below": 0.08}
FAR = {"far": 0.25, "much_further": 0.32}
SUNK = 0.5
"""How much of what is in an open vessel its rim may hide."""
SLOPE = (21, 20)
"""A direction is clear when the centres are farther apart along it than across, by so much."""


def free_bodies(bodies: Mapping[str, Body]) -> list[Body]:
    return [b for b in bodies.values() if b.fixed is None and not b.band]


class Variables:
    """Corners of all bodies, in whole steps; costs, and the guesses that may be given up."""

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
        self.feet = self._foot_line()
        self.ground = self._horizon()
        for body in bodies.values():
            self._corner(body)

    def _corner(self, body: Body) -> None:
        if body.fixed is not None:
            x, y = units(body.fixed[0]), units(body.fixed[1])
            self.x[body.id], self.y[body.id] = self.model.new_constant(x), self.model.new_constant(y)
            return
        if body.band:
            top = 0 if body.rests in {"floats", "hangs", "wall"} else UNITS - body.height
            self.x[body.id], self.y[body.id] = self.model.new_constant(0), self.model.new_constant(top)
            return
        margin = units(MARGIN)
        self.x[body.id] = self.model.new_int_var(margin, UNITS - margin - body.width, f"x {body.id}")
        self.y[body.id] = self.model.new_int_var(margin, UNITS - margin - body.height, f"y {body.id}")

    def _horizon(self) -> int | None:
        """The upper edge of the ground that is there; what stands has its feet below it."""
        bands = [b.height for b in self.bodies.values() if b.band and b.fixed is None and b.grounded]
        return UNITS - max(bands) + units(0.01) if bands else None

    def _foot_line(self) -> int:
        """Where feet stand: on the ground when there is one; in the middle of the sheet when nothing is above."""
        bands = [b for b in self.bodies.values() if b.band and b.rests in {"ground", "lies"}]
        if bands:
            return UNITS - round(0.6 * min(b.height for b in bands))
        standing = [b.height for b in free_bodies(self.bodies) if b.rests in {"ground", "lies"}]
        fixed = [
            units(b.fixed[3]) for b in self.bodies.values() if b.fixed is not None and b.rests in {"ground", "lies"}
        ]
        if fixed:
            return max(fixed)
        aloft = any(b.rests not in {"ground", "lies"} for b in free_bodies(self.bodies))
        if aloft or not standing:
            return units(0.88)
        return min(units(0.9), UNITS // 2 + max(standing) // 2)

    # --- measures: twice the centre, so that it is whole

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
        """A constraint; of a guess, only as long as the guess is kept."""
        added = self.model.add(bounded)
        conditions = [*([self.keep] if self.keep is not None else []), *unless]
        if conditions:
            added.only_enforce_if(conditions)

    def _cost(self, expression: cp_model.LinearExprT, weight: int) -> None:
        self.costs.append(weight * expression)
