"""The solver's one line: how much, how sure, what cannot be had, and no more than three names."""

from __future__ import annotations

import math

from shapely.geometry import box

from redraft.layout import Item, Layout, Move
from redraft.requirements import Requirement
from redraft.result import Report
from redraft.spatial.repair.situation import note
from redraft.spatial.rules import SemanticValidator
from redraft.spatial.solve import Solution, repair
from redraft.spatial.solver.legalize import solution
from redraft.spatial.solver.nearest import Placement
from redraft.spatial.solver.problem import problem_of

THINGS = Layout(tuple(Item(f"box_{i}", "box", box(0.1 * i, 0.4, 0.1 * i + 0.05, 0.45)) for i in range(1, 6)))


def test_the_farthest_moved_come_first() -> None:
    moves = [Move.shift("box_1", 0.03, 0.0), Move.shift("box_2", 0.06, 0.08), Move.shift("box_1", 0.0, -0.04)]
    assert note(THINGS, moves, "the nearest") == "moved box_2 by 0.1, box_1 by 0.05; the nearest"


def test_at_most_three_are_named() -> None:
    moves = [Move.shift(f"box_{i}", 0.01 * i, 0.0) for i in range(1, 6)]
    assert note(THINGS, moves) == "moved box_5 by 0.05, box_4 by 0.04, box_3 by 0.03 and 2 more"


def test_what_is_resized_or_turned_is_told_by_how_much() -> None:
    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
    moves = [Move.scale("box_1", 1.0, 1.2, (0.1, 0.4)), Move("box_2", (c, s, -s, c, 0.0, 0.0))]
    assert note(THINGS, moves) == "turned box_2 by 30.0°, resized box_1 to 100 by 120 %"


def test_a_trifle_is_no_zero() -> None:
    assert note(THINGS, [Move.shift("box_1", 0.0004, 0.0)]) == "moved box_1 by less than 0.001"


LEFT = Requirement(id="r1", kind="relation", parts=("cat",), relation="left_of", of=("dog",))


def repaired(layout: Layout) -> Solution:
    def check(changed: Layout) -> Report:
        return SemanticValidator(heuristics="off").validate(changed, requirements=(LEFT,))

    return repair(layout, (LEFT,), check(layout), check=check)


def test_one_problem_with_a_proven_answer_is_the_nearest() -> None:
    layout = Layout((Item("cat", "cat", box(0.5, 0.4, 0.7, 0.6)), Item("dog", "dog", box(0.3, 0.4, 0.48, 0.6))))
    solution = repaired(layout)
    assert solution.proven
    assert solution.note.endswith("; the nearest")


def test_conflicts_are_in_the_note() -> None:
    layout = Layout((Item("cat", "cat", box(0.3, 0.4, 0.9, 0.6)), Item("dog", "dog", box(0.1, 0.1, 0.7, 0.3))))
    solution = repaired(layout)
    assert "cannot all hold" in solution.note
    assert [line for line in solution.unsolved if line.startswith("cannot all hold")]


def test_a_bound_is_told_where_it_says_something() -> None:
    problem = problem_of(THINGS, ("box_1",))
    assert solution(problem, Placement({"box_1": (30, 0)}, 30, 0, 0.0)).note == "1 moved by 3e-05 in all"
    bounded = solution(problem, Placement({"box_1": (30, 0)}, 30, 20, 0.0))
    assert bounded.note == "1 moved by 3e-05 in all; no answer can move less than 2e-05"
