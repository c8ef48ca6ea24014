"""Polish makes exact what is nearly so and moves nothing else; prepare removes one issue and makes nothing worse."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import scale
from shapely.geometry import LineString, Point, Polygon, box

from redraft.layout import Item, Layout, Move
from redraft.requirements import Requirement
from redraft.requirements.kinds import issues_of, measure
from redraft.result import Issue, Report
from redraft.spatial.rules import SemanticValidator
from redraft.spatial.solve import Solution, moved_share, polish, prepare

LIMIT = 0.05


def thing(name: str, *bounds: float, parent: str | None = None, layer: int = 0, locked: bool = False) -> Item:
    x0, y0, x1, y1 = bounds
    return Item(name, name.rstrip("_0123456789"), box(x0, y0, x1, y1), parent, layer=layer, locked=locked)


def agreed(*said: dict[str, Any]) -> tuple[Requirement, ...]:
    return tuple(Requirement.model_validate({"id": f"r{n}", **raw}) for n, raw in enumerate(said, 1))


def checking(requirements: Sequence[Requirement]) -> Callable[[Layout], Report]:
    def check(layout: Layout) -> Report:
        return SemanticValidator(heuristics="ask").validate(layout, requirements=requirements)

    return check


def polished(layout: Layout, requirements: Sequence[Requirement], limit: float = LIMIT) -> tuple[Layout, Solution]:
    check = checking(requirements)
    solution = polish(layout, requirements, check(layout), check=check, limit=limit)
    return layout.moved(solution.moves), solution


def outcomes(layout: Layout, requirements: Sequence[Requirement]) -> list[str]:
    return [m.outcome for m in measure(requirements, layout)]


OTHERS = tuple(f"column_{i}" for i in (1, 2, 3, 5, 6, 7))
COLUMNS = agreed(
    {"kind": "proportion", "parts": OTHERS, "values": (1.0,), "dimension": "height"},
    {"kind": "ratio", "parts": ("column_4",), "of": OTHERS, "dimension": "height", "factor": 1.2},
    {"kind": "spacing", "parts": ("column_*",), "axis": "x"},
    {"kind": "alignment", "parts": ("column_*",), "edge": "bottom"},
)


def columns(*off: tuple[int, Move]) -> Layout:
    """Seven exact columns on a floor, some of them moved."""
    boxes = [(0.08 + 0.12 * i, 0.9 - (0.6 if i == 3 else 0.5), 0.14 + 0.12 * i, 0.9) for i in range(7)]
    layout = Layout((thing("floor", 0, 0.9, 1, 1), *(thing(f"column_{i}", *b) for i, b in enumerate(boxes, 1))))
    return layout.moved([Move(f"column_{i}", move.matrix) for i, move in off])


class TestPolish:
    def test_one_column_off_is_put_right_and_no_other_moves(self) -> None:
        exact, taller = columns(), Move.scale("", 1.0, 1.02, (0.35, 0.9))
        layout = columns((3, taller), (6, Move.shift("", 0.002, 0.0)))
        assert outcomes(layout, COLUMNS) == ["inexact", "met", "inexact", "met"]
        after, solution = polished(layout, COLUMNS)
        assert {m.item for m in solution.moves} == {"column_3", "column_6"}
        for item in exact:
            assert after.bounds(item.name) == pytest.approx(exact.bounds(item.name), abs=1e-6)

    def test_the_fourth_column_follows_the_others(self) -> None:
        after, solution = polished(columns((4, Move.scale("", 1.0, 1.02, (0.47, 0.9)))), COLUMNS)
        assert [m.item for m in solution.moves] == ["column_4"]
        assert after.bounds("column_4")[3] - after.bounds("column_4")[1] == pytest.approx(0.6, abs=1e-6)

    def test_a_grid(self) -> None:
        grid = agreed({"kind": "alignment", "parts": ("cell_*",), "edge": "grid", "rows": 3, "columns": 4})
        cells = [
            thing(f"cell_{4 * y + x}", 0.1 + 0.2 * x, 0.1 + 0.25 * y, 0.25 + 0.2 * x, 0.3 + 0.25 * y)
            for y in range(3)
            for x in range(4)
        ]
        exact = Layout(tuple(cells))
        layout = exact.moved([Move.shift("cell_5", 0.003, -0.002), Move.scale("cell_10", 1.02, 1.0, (0.5, 0.6))])
        assert outcomes(layout, grid) == ["inexact"]
        after, solution = polished(layout, grid)
        assert {m.item for m in solution.moves} == {"cell_5", "cell_10"}
        assert all(after.bounds(i.name) == pytest.approx(exact.bounds(i.name), abs=1e-6) for i in exact)

    def test_a_clock_at_ten_past_ten(self) -> None:
        def hand(degrees: float, length: float, width: float) -> Polygon:
            t = math.radians(degrees)
            tip = (0.5 + length * math.sin(t), 0.5 - length * math.cos(t))
            return LineString([(0.5, 0.5), tip]).buffer(width, cap_style="flat")

        clock = Item("clock", "clock", Point(0.5, 0.5).buffer(0.4, 64))
        hands = (
            Item("hour", "hand", hand(306.2, 0.2, 0.015), "clock", 1),
            Item("minute", "hand", hand(60, 0.3, 0.01), "clock", 2),
        )
        said = agreed(
            {"kind": "angle", "parts": ("hour",), "degrees": 305.0},
            {"kind": "angle", "parts": ("minute",), "degrees": 60.0},
        )
        layout = Layout((clock, *hands))
        assert outcomes(layout, said) == ["inexact", "met"]
        after, solution = polished(layout, said)
        assert [m.item for m in solution.moves] == ["hour"]
        assert after["hour"].shape.hausdorff_distance(hand(305, 0.2, 0.015)) < 1e-6

    def test_a_floor_plan_in_meters(self) -> None:
        plan = agreed(
            {"kind": "size", "parts": ("room",), "width": 5.0, "height": 4.0, "unit": "real"},
            {"kind": "size", "parts": ("door",), "width": 0.9, "unit": "real"},
            {"kind": "size", "parts": ("table",), "width": 1.5, "height": 1.0, "unit": "real"},
            {"kind": "alignment", "parts": ("room", "door"), "edge": "center_x"},
        )
        exact = Layout(
            (
                thing("room", 0.1, 0.1, 0.85, 0.7),
                thing("door", 0.4075, 0.69, 0.5425, 0.71, parent="room", layer=1),
                thing("table", 0.2, 0.2, 0.425, 0.35, layer=2),
            )
        )
        assert outcomes(exact, plan) == ["met"] * 4
        layout = exact.moved([Move.scale("door", 1.02, 1.0, (0.5, 0.7)), Move.scale("table", 1.0, 0.98, (0.3, 0.35))])
        after, solution = polished(layout, plan)
        assert {m.item for m in solution.moves} == {"door", "table"}
        assert all(after.bounds(i.name) == pytest.approx(exact.bounds(i.name), abs=1e-6) for i in exact)

    def test_what_is_broken_is_left_until_it_is_upheld(self) -> None:
        layout = columns((2, Move.shift("", 0.03, 0.0)))
        assert outcomes(layout, COLUMNS)[2] == "broken"
        check = checking(COLUMNS)
        report = check(layout)
        issues = [i.model_copy(update={"status": "open", "severity": "question"}) for i in report.issues]
        told = report.model_copy(update={"issues": tuple(issues)})
        assert polish(layout, COLUMNS, told, check=check, limit=LIMIT).moves == ()
        upheld = [i.model_copy(update={"status": "upheld", "severity": "error"}) for i in issues]
        told = report.model_copy(update={"issues": tuple(upheld)})
        solution = polish(layout, COLUMNS, told, check=check, limit=LIMIT)
        assert [m.item for m in solution.moves] == ["column_2"]
        assert outcomes(layout.moved(solution.moves), COLUMNS) == ["met"] * 4

    def test_nothing_goes_farther_than_the_limit(self) -> None:
        layout = columns((3, Move.scale("", 1.0, 1.03, (0.35, 0.9))))  # 0.015 higher
        assert polished(layout, COLUMNS, limit=0.01)[1].moves == ()
        after, solution = polished(layout, COLUMNS, limit=0.02)
        assert moved_share(layout, solution.moves) == pytest.approx(0.015)
        assert outcomes(after, COLUMNS) == ["met"] * 4

    def test_what_is_locked_stays(self) -> None:
        layout = columns((3, Move.scale("", 1.0, 1.02, (0.35, 0.9))))
        locked = Layout(tuple(Item(i.name, i.label, i.shape, locked=True) for i in layout))
        assert polished(locked, COLUMNS)[1].moves == ()

    def test_requirements_that_exclude_each_other_move_nothing(self) -> None:
        said = agreed(
            {"kind": "size", "parts": ("a",), "width": 0.2},
            {"kind": "ratio", "parts": ("a",), "of": ("b",), "dimension": "width", "factor": 1.0},
            {"kind": "size", "parts": ("b",), "width": 0.203},
        )
        layout = Layout((thing("a", 0.1, 0.1, 0.3, 0.3), thing("b", 0.5, 0.1, 0.703, 0.3)))
        assert outcomes(layout, said) == ["met", "inexact", "met"]
        assert polished(layout, said)[1].moves == ()

    def test_a_coordinate_that_is_not_a_number_is_no_crash(self) -> None:
        with np.errstate(invalid="ignore"):
            dot = Item("dot", "dot", Polygon([(0, 0), (1, math.nan), (0, 1)]))
            assert polished(Layout((dot, thing("a", 0, 0, 0.2, 0.2))), ())[1].moves == ()


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 7),
            st.floats(-0.04, 0.04),
            st.floats(-0.03, 0.03),
            st.floats(0.94, 1.06),
            st.floats(0.94, 1.06),
        ),
        max_size=4,
    ),
    st.sampled_from([0.01, LIMIT]),
    st.booleans(),
)
def test_polish_never_breaks_what_holds_and_is_idempotent(
    noise: list[tuple[int, float, float, float, float]], limit: float, upheld: bool
) -> None:
    layout = columns()
    for index, dx, dy, sx, sy in noise:
        name = f"column_{index}"
        x0, _, x1, y1 = layout.bounds(name)
        layout = layout.moved([Move.scale(name, sx, sy, ((x0 + x1) / 2, y1)), Move.shift(name, dx, dy)])
    check = checking(COLUMNS)

    def told(at: Layout) -> Report:
        status = {"status": "upheld" if upheld else "open"}
        report = check(at)
        issues = [i.model_copy(update=status if i.basis == "requirement" else {}) for i in report.issues]
        return report.model_copy(update={"issues": tuple(issues)})

    solution = polish(layout, COLUMNS, told(layout), check=check, limit=limit)
    after = layout.moved(solution.moves)
    rank = ["met", "inexact", "broken"].index
    pairs = zip(measure(COLUMNS, layout), measure(COLUMNS, after), strict=True)
    for before, now in pairs:
        assert rank(now.outcome) <= rank(before.outcome)
    assert moved_share(layout, solution.moves) <= limit
    known = {i.key: i.extent for i in check(layout).issues}
    for issue in check(after).issues:
        assert issue.extent <= known[issue.key] * 1.002 + 1e-3
    again = polish(after, COLUMNS, told(after), check=check, limit=limit)
    assert again.moves == ()


def oval(name: str, x: float, y: float, rx: float, ry: float, layer: int, parent: str = "head") -> Item:
    return Item(name, name.partition("_")[0], scale(Point(x, y).buffer(1, 32), rx, ry), parent, layer)


PAIRS = (("ear_left", "ear_right"), ("ear_1", "ear_2"), ("l_ear", "r_ear"))


def cat(
    left: float, right: float, foot: float = 0.36, *, names: tuple[str, str] = PAIRS[0], whole: str = "head"
) -> Layout:
    """The specification's example: a head with two ears, of the middles given."""

    def ear(name: str, x: float, layer: int) -> Item:
        return Item(name, "ear", Polygon([(x - 0.05, foot), (x + 0.05, foot), (x, foot - 0.14)]), whole, layer)

    tail = Item("tail", "tail", box(0.68, 0.7, 0.9, 0.74), "cat")
    body = (Item("cat", "cat", Polygon()), oval("body", 0.5, 0.75, 0.2, 0.2, 0, "cat"), tail)
    head = oval("head", 0.5, 0.45, 0.16, 0.15, 1, "cat")
    eyes = (oval("eye_left", 0.44, 0.43, 0.02, 0.025, 4), oval("eye_right", 0.56, 0.43, 0.02, 0.025, 5))
    return Layout((*body, head, ear(names[0], left, 2), ear(names[1], right, 3), *eyes))


class TestPrepare:
    @pytest.mark.parametrize("whole", ["head", "cat"])
    @pytest.mark.parametrize("names", PAIRS)
    @pytest.mark.parametrize(("left", "right"), [(0.5, 0.5), (0.5, 0.52), (0.42, 0.42), (0.42, 0.45), (0.58, 0.58)])
    def test_coinciding_ears_are_parted_on_the_head_and_not_into_the_face(
        self, left: float, right: float, names: tuple[str, str], whole: str
    ) -> None:
        layout, check = cat(left, right, names=names, whole=whole), checking(())
        (issue,) = check(layout).issues
        assert set(issue.subjects) == set(names)
        solution = prepare(layout, (), check(layout), issue, check=check)
        after = layout.moved(solution.moves)
        assert {m.item for m in solution.moves} <= set(names)
        one, other = sorted((after.bounds(name) for name in names), key=lambda bounds: bounds[0])
        assert (one[0] + other[2]) / 2 == pytest.approx(0.5, abs=1e-6)
        assert one[1] == pytest.approx(other[1], abs=1e-6)
        assert one[2] < other[0]
        for name in names:
            share = after[name].shape.intersection(after["head"].shape).area / after[name].shape.area
            before = layout[name].shape.intersection(layout["head"].shape).area / layout[name].shape.area
            assert 0 < share <= before + 0.01
            assert not any(after[name].shape.intersects(after[eye].shape) for eye in ("eye_left", "eye_right"))
        assert check(after).issues == ()

    def test_only_the_issue_that_is_named(self) -> None:
        said = agreed(
            {"kind": "relation", "parts": ("cat",), "relation": "left_of", "of": ("dog",)},
            {"kind": "size", "parts": ("tree",), "height": 0.4},
            {"kind": "size", "parts": ("dog",), "width": 0.202},
        )
        layout = Layout(
            (
                thing("cat", 0.6, 0.7, 0.75, 0.9),
                thing("dog", 0.3, 0.7, 0.5, 0.9),
                thing("tree", 0.8, 0.6, 0.95, 0.9),
                thing("ground", 0, 0.9, 1, 1),
            )
        )
        assert outcomes(layout, said) == ["broken", "broken", "inexact"]
        check = checking(said)
        for issue in issues_of(measure(said, layout), layout):
            solution = prepare(layout, said, check(layout), issue, check=check)
            after = measure(said, layout.moved(solution.moves))
            assert [m.outcome for m in after] == [
                "met" if m.id == issue.requirement else m.outcome for m in measure(said, layout)
            ]

    def test_nothing_where_nothing_helps_or_it_is_too_far(self) -> None:
        said = agreed({"kind": "relation", "parts": ("cat",), "relation": "left_of", "of": ("dog",)})
        layout = Layout((thing("cat", 0.6, 0.7, 0.75, 0.9), thing("dog", 0.3, 0.7, 0.5, 0.9)))
        check = checking(said)
        (issue,) = issues_of(measure(said, layout), layout)
        assert prepare(layout, said, check(layout), issue, check=check).moves != ()
        assert prepare(layout, said, check(layout), issue, check=check, limit=0.1).moves == ()
        unknown = Issue(code="style.pen", severity="question", message="", subjects=("cat",), basis="heuristic")
        assert prepare(layout, said, check(layout), unknown, check=check).moves == ()

    def test_a_distance_is_reached_along_the_shortest_line(self) -> None:
        said = agreed({"kind": "distance", "parts": ("ball",), "of": ("cube",), "length": 0.2})
        ball = Item("ball", "ball", Point(0.3, 0.3).buffer(0.1, 64))
        layout = Layout((ball, thing("cube", 0.5, 0.5, 0.8, 0.8)))
        check = checking(said)
        (issue,) = issues_of(measure(said, layout), layout)
        solution = prepare(layout, said, check(layout), issue, check=check)
        after = layout.moved(solution.moves)
        assert after["ball"].shape.distance(after["cube"].shape) == pytest.approx(0.2, abs=2e-6)

    @pytest.mark.parametrize(
        ("raw", "moved"),
        [
            ({"kind": "place", "parts": ("sun",), "spot": "top_right"}, {"sun"}),
            ({"kind": "symmetry", "parts": ("tree_1", "tree_2"), "of": ("house",)}, {"tree_1", "tree_2"}),
            ({"kind": "spacing", "parts": ("house", "tree_*"), "axis": "x", "length": 0.03}, {"tree_1", "tree_2"}),
            ({"kind": "relation", "parts": ("sun",), "relation": "touches", "of": ("house",)}, {"sun"}),
            ({"kind": "ratio", "parts": ("sun",), "dimension": "aspect", "factor": 1.5}, {"sun"}),
            ({"kind": "proportion", "parts": ("tree_1", "tree_2"), "order": "decreasing"}, {"tree_2"}),
            ({"kind": "proportion", "parts": ("tree_1", "tree_2"), "values": (1.0, 2.0)}, {"tree_1"}),
        ],
    )
    def test_each_kind_has_a_fix(self, raw: dict[str, Any], moved: set[str]) -> None:
        layout = Layout(
            (
                thing("ground", 0, 0.9, 1, 1),
                thing("house", 0.4, 0.6, 0.6, 0.9),
                thing("tree_1", 0.2, 0.7, 0.3, 0.9),
                thing("tree_2", 0.65, 0.68, 0.75, 0.9),
                thing("sun", 0.3, 0.2, 0.4, 0.3),
            )
        )
        said = agreed(raw)
        assert outcomes(layout, said) == ["broken"]
        check = checking(said)
        (issue,) = issues_of(measure(said, layout), layout)
        solution = prepare(layout, said, check(layout), issue, check=check)
        assert outcomes(layout.moved(solution.moves), said) == ["met"]
        assert {m.item for m in solution.moves} == moved


def test_the_share_that_is_moved_is_of_the_farthest_corner_in_the_end() -> None:
    layout = Layout((thing("a", 0.1, 0.1, 0.2, 0.2), thing("b", 0.1, 0.1, 0.15, 0.15, parent="a")))
    assert moved_share(layout, ()) == 0
    assert moved_share(layout, (Move.shift("a", 0.3, 0.4),)) == pytest.approx(0.5)
    assert moved_share(layout, (Move.shift("a", 0.3, 0.4), Move.shift("a", -0.3, -0.4))) == pytest.approx(0)
    assert moved_share(layout, (Move.shift("a", 0.3, 0.0), Move.shift("b", 0.1, 0.0))) == pytest.approx(0.4)
    assert moved_share(layout, (Move.scale("a", 2, 1, (0.1, 0.1)),)) == pytest.approx(0.1)


class TestDoNoHarm:
    def test_a_round_thing_is_not_stretched_unasked_and_a_bar_is(self) -> None:
        read = agreed({"kind": "size", "parts": ("sun",), "height": 0.2})
        wheel = Layout((Item("sun", "sun", scale(Point(0.5, 0.5).buffer(0.1), 1.0, 1.02)),))
        assert outcomes(wheel, read) == ["inexact"]
        assert polished(wheel, read)[1].moves == ()
        assert polished(Layout((thing("sun", 0.4, 0.4, 0.6, 0.604),)), read)[1].moves

    def test_a_line_is_not_taken_off_its_stations(self) -> None:
        line = Item("line", "line", LineString([(0.1, 0.5), (0.9, 0.5)]).buffer(0.008), is_line=True)
        stops = [Item(f"stop_{n}", "stop", Point(0.1 + 0.2 * n, 0.5).buffer(0.02)) for n in range(5)]
        layout = Layout((line, *stops, thing("park", 0.28, 0.514, 0.42, 0.9)))
        report = checking(())(layout)
        issue = next(i for i in report.issues if i.code == "spacing.near_miss" and "line" in i.subjects)
        found = prepare(layout, (), report, issue, check=checking(()))
        assert {m.item for m in found.moves} <= {"park"}

    def test_a_text_alone_is_moved_off_a_line(self) -> None:
        line = Item("line", "line", LineString([(0.1, 0.5), (0.9, 0.5)]).buffer(0.004), is_line=True)
        letters = box(0.4, 0.49, 0.6, 0.52)
        layout = Layout((line, Item("name", "name", letters, texts=("Central",), letters=(letters,), layer=1)))
        report = checking(())(layout)
        issue = next(i for i in report.issues if i.code == "text.crossed")
        found = prepare(layout, (), report, issue, check=checking(()))
        assert [m.item for m in found.moves] == ["name"]
        assert not [i for i in checking(())(layout.moved(found.moves)).issues if i.category == "text"]
