"""Repair: what it fixes, what it leaves alone, and that nothing becomes worse."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import rotate
from shapely.geometry import LineString, Point, Polygon, box

from redraft.english.grammar import read
from redraft.english.stating import stated
from redraft.layout import Bounds, Item, Layout, Move
from redraft.requirements import Requirement
from redraft.requirements.kinds import measure
from redraft.result import Report
from redraft.spatial.repair.exact import axis_of
from redraft.spatial.repair.situation import composed, shortened
from redraft.spatial.rules import SemanticValidator
from redraft.spatial.solve import Solution, repair
from redraft.spatial.solver.contact import travel
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.patch import amend
from redraft.studios.sketch.spec import Drawing

SLOPPY = sorted((Path(__file__).parent.parent / "data" / "sloppy").glob("*.json"))


def thing(name: str, *bounds: float, parent: str | None = None, locked: bool = False) -> Item:
    x0, y0, x1, y1 = bounds
    return Item(name, name.rstrip("_0123456789").replace("_", " "), box(x0, y0, x1, y1), parent, locked=locked)


def check(layout: Layout, *agreed: Requirement) -> Report:
    return SemanticValidator().validate(layout, requirements=agreed)


def repaired(layout: Layout, *agreed: Requirement) -> tuple[Layout, Solution]:
    solution = repair(layout, agreed, check(layout, *agreed), check=lambda changed: check(changed, *agreed))
    return layout.moved(solution.moves), solution


def middle(bounds: Bounds) -> tuple[float, float]:
    return ((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2)


class TestParts:
    def test_a_detached_part_comes_back_by_the_shortest_way(self) -> None:
        layout = Layout((thing("robot", 0.3, 0.4, 0.6, 0.8), thing("antenna", 0.4, 0.2, 0.45, 0.3, parent="robot")))
        after, solution = repaired(layout)
        assert after.whole("antenna").intersects(after["robot"].shape)
        assert {m.item for m in solution.moves} == {"antenna"}
        assert after.bounds("antenna")[0] == pytest.approx(0.4)
        assert after.bounds("antenna")[3] == pytest.approx(0.403)

    def test_its_own_parts_come_along(self) -> None:
        layout = Layout(
            (
                thing("robot", 0.3, 0.4, 0.6, 0.8),
                thing("antenna", 0.4, 0.2, 0.45, 0.3, parent="robot"),
                thing("bulb", 0.41, 0.17, 0.44, 0.2, parent="antenna"),
            )
        )
        after, _ = repaired(layout)
        assert after.bounds("bulb")[3] == pytest.approx(after["antenna"].shape.bounds[1])
        assert not check(after).issues

    def test_an_eye_goes_to_the_mirror_image_of_the_other(self) -> None:
        head = Item("head", "head", Point(0.5, 0.5).buffer(0.3, 64))
        layout = Layout(
            (
                head,
                thing("left_eye", 0.36, 0.4, 0.42, 0.46, parent="head"),
                thing("right_eye", 0.55, 0.55, 0.61, 0.61, parent="head"),
            )
        )
        assert "symmetry.height" in {i.code for i in check(layout).issues}
        after, solution = repaired(layout)
        (lx, ly), (rx, ry) = middle(after.bounds("left_eye")), middle(after.bounds("right_eye"))
        assert ly == pytest.approx(ry)
        assert len(solution.moves) >= 1
        assert not check(after).issues
        assert abs((lx + rx) / 2 - 0.5) <= 0.05

    def test_a_locked_part_is_not_moved(self) -> None:
        layout = Layout(
            (thing("robot", 0.3, 0.4, 0.6, 0.8, locked=True), thing("antenna", 0.4, 0.2, 0.45, 0.3, parent="robot"))
        )
        after, _ = repaired(layout)
        assert after["robot"].shape.equals(layout["robot"].shape)
        fast = Layout(tuple(replace(item, locked=True) for item in layout))
        _, solution = repaired(fast)
        assert solution.moves == ()
        assert any("attachment.apart" in words for words in solution.unsolved)


class TestObjects:
    def test_what_floats_is_set_down(self) -> None:
        layout = Layout((thing("ground", 0, 0.8, 1, 1), thing("house", 0.3, 0.4, 0.6, 0.7)))
        after, _ = repaired(layout)
        assert after.bounds("house") == pytest.approx((0.3, 0.5, 0.6, 0.8), abs=1e-5)
        assert after.bounds("ground") == (0, 0.8, 1, 1)

    def test_what_leaves_the_canvas_comes_back(self) -> None:
        after, _ = repaired(Layout((thing("house", 0.8, 0.3, 1.1, 0.6),)))
        assert after.bounds("house")[2] <= 1 + 1e-9
        assert after.bounds("house")[3] == pytest.approx(0.6)

    def test_what_is_right_is_not_touched(self) -> None:
        layout = Layout((thing("ground", 0, 0.8, 1, 1), thing("house", 0.3, 0.5, 0.6, 0.8)))
        assert repaired(layout)[1].moves == ()

    def test_a_stated_gap_is_exact(self) -> None:
        gap = Requirement(id="r1", kind="distance", parts=("cat",), of=("dog",), length=0.2, axis="x")
        layout = Layout((thing("cat", 0.1, 0.4, 0.3, 0.6), thing("dog", 0.47, 0.4, 0.7, 0.6)))
        after, solution = repaired(layout, gap)
        assert after.bounds("dog")[0] - after.bounds("cat")[2] == pytest.approx(0.2, abs=2e-6)
        assert solution.moved < 0.04

    def test_on_is_contact_of_the_real_shapes(self) -> None:
        hill = Item("hill", "hill", Polygon([(0.2, 0.9), (0.5, 0.6), (0.8, 0.9)]))
        rests = Requirement(id="r1", kind="relation", parts=("box",), relation="on", of=("hill",))
        layout = Layout((hill, thing("box", 0.45, 0.2, 0.55, 0.3)))
        after, _ = repaired(layout, rests)
        assert after.whole("box").distance(after.whole("hill")) < 1e-6
        assert after.whole("box").intersection(after.whole("hill")).area < 1e-9

    def test_counts_are_left_to_others(self) -> None:
        layout = Layout((thing("cat", 0.1, 0.4, 0.3, 0.6),))
        _, solution = repaired(layout, Requirement(id="r1", kind="count", parts=("cat*",), number=2))
        assert solution.moves == ()
        assert [words.partition(":")[0] for words in solution.unsolved] == ["requirement.count"]

    def test_impossible_relations_are_named(self) -> None:
        left = Requirement(id="r1", kind="relation", parts=("barn",), relation="left_of", of=("silo",))
        wide = Layout((thing("barn", 0.15, 0.4, 0.95, 0.6), thing("silo", 0.05, 0.1, 0.9, 0.35)))
        _, solution = repaired(wide, left)
        assert solution.moves == ()
        assert any("cannot all hold" in words and "left_of" in words for words in solution.unsolved)

    def test_a_part_is_brought_to_its_side_and_no_farther(self) -> None:
        left = Requirement(id="r1", kind="relation", parts=("lamp",), relation="left_of", of=("clock",))
        layout = Layout(
            (
                thing("wall", 0.1, 0.1, 0.9, 0.9),
                thing("clock", 0.4, 0.4, 0.5, 0.5, parent="wall"),
                thing("lamp", 0.55, 0.6, 0.65, 0.7, parent="wall"),
            )
        )
        after, solution = repaired(layout, left)
        assert [m.outcome for m in measure((left,), after)] == ["met"]
        assert [m.item for m in solution.moves] == ["lamp"]
        assert 0.34 < after.bounds("lamp")[0] < 0.36  # half of it beyond the clock, no more
        assert after.bounds("lamp")[1] == 0.6


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(SLOPPY),
    st.lists(
        st.tuples(
            st.integers(0, 20),
            st.floats(-0.25, 0.25),
            st.floats(-0.25, 0.25),
            st.sampled_from([0.5, 0.8, 1.0, 1.0, 1.3]),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_never_worse_and_deterministic(path: Path, faults: list[tuple[int, float, float, float]]) -> None:
    data = json.loads(path.read_text("utf-8"))
    brief = data.pop("brief")
    drawing = Drawing.model_validate_json(json.dumps(data))
    for index, dx, dy, factor in faults:
        part = drawing.plan[index % len(drawing.plan)].name
        about = middle(layout_of(drawing).bounds(part))
        drawing = amend(drawing, [Move.scale(part, factor, factor, about), Move.shift(part, dx, dy)])
    layout = layout_of(drawing)
    agreed = stated(read(brief), layout)
    before = check(layout, *agreed)

    def repaired() -> Solution:
        return repair(
            layout,
            agreed,
            before,
            check=lambda changed: check(changed, *agreed),
            apply=lambda moves: layout_of(amend(drawing, moves)),
        )

    solution = repaired()
    assert solution == repaired()
    after = check(layout_of(amend(drawing, solution.moves)), *agreed)
    assert (len(after.errors), len(after.warnings)) <= (len(before.errors), len(before.warnings))
    extents = {i.key: i.extent for i in before.issues}
    for issue in (*after.errors, *after.warnings):
        assert issue.extent <= extents[issue.key] * 1.002 + 1e-3
    assert after.score >= before.score


class TestClosedForms:
    @pytest.mark.parametrize("degrees", [0, 17, 90, 200, 333])
    def test_the_axis_of_a_hand_is_exact(self, degrees: float) -> None:
        t = math.radians(degrees)
        tip = (0.5 + 0.3 * math.sin(t), 0.5 - 0.3 * math.cos(t))
        for hand in (
            LineString([(0.5, 0.5), tip]).buffer(0.01),
            rotate(Polygon([(0.49, 0.5), (0.51, 0.5), (0.5, 0.2)]), degrees, origin=(0.5, 0.5)),
        ):
            _, (ux, uy) = axis_of(hand, (0.5, 0.5))
            found = math.degrees(math.atan2(ux, -uy)) % 360
            assert (found - degrees + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)

    def test_a_hand_drawn_beside_its_pivot_goes_through_it(self) -> None:
        clock = Item("clock", "clock", Point(0.5, 0.5).buffer(0.4, 64))
        hand = Item("hand", "hand", LineString([(0.52, 0.5), (0.52, 0.2)]).buffer(0.01), "clock")
        points = Requirement(id="r1", kind="angle", parts=("hand",), degrees=90.0)
        after, _ = repaired(Layout((clock, hand)), points)
        x0, y0, x1, y1 = after.bounds("hand")
        assert (y0 + y1) / 2 == pytest.approx(0.5, abs=1e-9)
        assert (x0, x1) == pytest.approx((0.49, 0.81), abs=1e-3)

    @settings(max_examples=60, deadline=None)
    @given(st.floats(0, 360), st.floats(-0.2, 0.2), st.sampled_from([(0, 1), (0, -1), (1, 1), (1, -1)]))
    def test_travel_ends_in_contact(self, angle: float, aside: float, way: tuple[int, int]) -> None:
        axis, sign = way
        star = rotate(
            Polygon([(0, 0.1), (0.02, 0.02), (0.1, 0), (0.02, -0.02), (0, -0.1), (-0.05, 0)]), angle, origin=(0, 0)
        )
        rock = Polygon([(-0.2, -0.3), (0.3, -0.25), (0.25, 0.2), (0.1, 0.05), (-0.25, 0.3)])
        start = Polygon(
            [(x + (aside if axis else -sign * 2), y + (-sign * 2 if axis else aside)) for x, y in star.exterior.coords]
        )
        step = travel(start, rock, 0 if axis == 0 else 1, sign)
        assert step is not None

        def at(distance: float) -> Polygon:
            return Polygon(
                [(x + (0 if axis else distance), y + (distance if axis else 0)) for x, y in start.exterior.coords]
            )

        assert at(step).distance(rock) < 1e-9
        assert at(step - sign * 1e-6).intersection(rock).area == pytest.approx(0, abs=1e-12)

    def test_nothing_is_met_in_passing(self) -> None:
        assert travel(box(0, 0, 1, 1), box(5, 2, 6, 3), 0, 1) is None

    def test_moves_of_one_item_become_one(self) -> None:
        layout = Layout((thing("a", 0, 0, 1, 1), thing("b", 0, 0, 1, 1, parent="a"), thing("c", 2, 2, 3, 3)))
        moves = (
            Move.scale("c", 2, 3, (1, 1)),
            Move.shift("a", 1, 2),
            Move.shift("c", 5, 5),
            Move.shift("b", 1, 0),
            Move.shift("a", -1, -2),
        )
        short = shortened(layout, moves)
        assert [m.item for m in short] == ["c", "a", "b", "a"]
        for name in "abc":
            assert layout.moved(short).bounds(name) == pytest.approx(layout.moved(moves).bounds(name))

    def test_composition_is_first_then_second(self) -> None:
        turn = (0.0, 1.0, -1.0, 0.0, 0.0, 0.0)
        shift = (1.0, 0.0, 0.0, 1.0, 5.0, 0.0)
        assert composed(turn, shift)[4:] == (5.0, 0.0)
        assert composed(shift, turn)[4:] == (0.0, 5.0)
