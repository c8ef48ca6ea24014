"""Relations between boxes as rules over shifts: what "left of" or "between" asks of two edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.requirements import Relation
from redraft.spatial.layout import Frame
from redraft.spatial.solver.problem import Axis, Linear, Problem, Rule, beyond, down, up

__all__ = ["Stated", "along", "facing", "rule_of", "sides"]


@dataclass(frozen=True)
class Stated:
    """A relation between items. `gap` and `most` bound the clear distance of the boxes, in the frame's unit."""

    relation: Relation
    subject: str
    objects: tuple[str, ...]
    gap: float = 0.0
    most: float | None = None
    words: str = ""

    @property
    def text(self) -> str:
        return self.words or f"{self.subject} {self.relation.replace('_', ' ')} {' and '.join(self.objects)}"


def sides(frame: Frame) -> dict[str, tuple[Axis, int]]:
    """Direction word → axis, and 1 where the subject has the larger coordinate."""
    up_is_larger = 1 if frame.up[1] > 0 else -1
    return {"left_of": (0, -1), "right_of": (0, 1), "above": (1, up_is_larger), "below": (1, -up_is_larger)}


def rule_of(problem: Problem, stated: Stated, frame: Frame) -> Rule:
    """The relation over shifts.

    Raises:
        ValueError: boxes in a plane cannot keep it (in front of, behind).
    """
    direction = sides(frame)
    s, (o, *others) = stated.subject, stated.objects
    low, high = stated.gap / problem.unit, None if stated.most is None else stated.most / problem.unit
    match stated.relation:
        case "left_of" | "right_of" | "above" | "below":
            options = [[_side(problem, s, o, *direction[stated.relation], low, high)]]
        case "beside":
            options = [[_side(problem, s, o, 0, sign, low, high), *_level(problem, s, o)] for sign in (-1, 1)]
        case "near":
            options = [[_side(problem, s, o, a, sign, low, high), facing(problem, s, o, a)] for a, sign in _COMPASS]
        case "far":
            options = [[_side(problem, s, o, axis, sign, low, high)] for axis, sign in _COMPASS]
        case "inside":
            options = [_inside(problem, s, o)]
        case "on":
            axis, sign = direction["above"]
            options = [[_side(problem, s, o, axis, sign, 0.0, 0.0), _centred(problem, s, o, 0)]]
        case "between":
            options = list(_between(problem, s, o, others[0], low))
        case "in_front_of" | "behind":
            raise ValueError(f"{stated.text!r} speaks of depth: painting order keeps it, no place does")
    return Rule(stated.text, tuple(tuple(lines) for lines in options))


_COMPASS: tuple[tuple[Axis, int], ...] = ((0, -1), (0, 1), (1, -1), (1, 1))


def along(a: str, b: str) -> tuple[Linear, ...]:
    """Both move by the same."""
    return tuple(Linear(((1, a, axis), (-1, b, axis)), 0, 0) for axis in (0, 1))


def _side(problem: Problem, subject: str, other: str, axis: Axis, sign: int, low: float, high: float | None) -> Linear:
    first, second = (subject, other) if sign < 0 else (other, subject)
    return beyond(problem, first, second, axis, low, high)


def _centred(problem: Problem, subject: str, other: str, axis: Axis) -> Linear:
    """The subject's centre lies within the other's extent along an axis."""
    box, outer = problem.boxes[subject], problem.boxes[other]
    middle = (box[axis] + box[axis + 2]) / 2
    return Linear(((1, subject, axis), (-1, other, axis)), up(outer[axis] - middle), down(outer[axis + 2] - middle))


def facing(problem: Problem, subject: str, other: str, axis: Axis) -> Linear:
    """The two share some extent across an axis."""
    across: Axis = 0 if axis else 1
    a, b = problem.boxes[subject], problem.boxes[other]
    return Linear(
        ((1, subject, across), (-1, other, across)), up(b[across] - a[across + 2]), down(b[across + 2] - a[across])
    )


def _level(problem: Problem, subject: str, other: str) -> list[Linear]:
    """Things beside each other overlap in height."""
    return [facing(problem, subject, other, 0)]


def _inside(problem: Problem, subject: str, other: str) -> list[Linear]:
    inner, outer = problem.boxes[subject], problem.boxes[other]
    axes: Sequence[Axis] = (0, 1)
    return [
        Linear(((1, subject, a), (-1, other, a)), up(outer[a] - inner[a]), down(outer[a + 2] - inner[a + 2]))
        for a in axes
    ]


def _between(problem: Problem, subject: str, one: str, other: str, gap: float) -> list[list[Linear]]:
    """Between along an axis, in either order, and facing both across it."""
    found: list[list[Linear]] = []
    axes: Sequence[Axis] = (0, 1)
    for axis in axes:
        for first, last in ((one, other), (other, one)):
            order = [beyond(problem, first, subject, axis, gap), beyond(problem, subject, last, axis, gap)]
            found.append([*order, facing(problem, subject, one, axis), facing(problem, subject, other, axis)])
    return found
