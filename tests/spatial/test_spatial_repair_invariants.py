"""What no repair may cost: contacts, footing, sight and the margin; each lost, and just not."""

from __future__ import annotations

import pytest
from shapely.geometry import Polygon, box

from redraft.layout import Item, Layout, Move
from redraft.result import Issue, Mark, Report
from redraft.spatial.repair.invariants import Facts, harm
from redraft.spatial.solve import repair


def thing(name: str, x0: float, y0: float, x1: float, y1: float, *, parent: str | None = None, layer: int = 0) -> Item:
    return Item(name, name.partition("_")[0], box(x0, y0, x1, y1), parent, layer=layer)


def lost(layout: Layout, *moves: Move, parting: bool = False) -> str:
    return harm(Facts(layout), Facts(layout.moved(moves)), {m.item for m in moves}, parting=parting)


SPIDER = Layout(
    (
        Item("spider", "spider", Polygon()),
        thing("abdomen", 0.4, 0.3, 0.6, 0.45, parent="spider", layer=1),
        thing("head", 0.42, 0.45, 0.58, 0.55, parent="spider", layer=2),
        thing("leg_1", 0.2, 0.5, 0.42, 0.52, parent="spider", layer=3),
        thing("leg_2", 0.58, 0.5, 0.8, 0.52, parent="spider", layer=4),
    )
)


class TestContacts:
    def test_a_head_is_not_moved_away_from_its_legs(self) -> None:
        assert "no longer" in lost(SPIDER, Move.shift("head", 0.0, -0.1))

    def test_all_of_it_is_moved_together(self) -> None:
        assert lost(SPIDER, Move.shift("spider", 0.0, -0.1)) == ""

    def test_a_window_leaves_its_twin_but_not_its_wall(self) -> None:
        house = Layout(
            (
                thing("house", 0.2, 0.2, 0.8, 0.8),
                thing("window_1", 0.3, 0.3, 0.45, 0.45, parent="house", layer=1),
                thing("window_2", 0.4, 0.3, 0.55, 0.45, parent="house", layer=2),
            )
        )
        assert lost(house, Move.shift("window_2", 0.1, 0.0)) == ""
        assert lost(house, Move.shift("window_2", 0.42, 0.0)) == "house would no longer touch window_2"

    def test_what_is_put_into_its_holder_may_leave_a_neighbour(self) -> None:
        house = Layout(
            (
                SPIDER["spider"],
                thing("wall", 0.2, 0.4, 0.8, 0.8, parent="spider", layer=1),
                thing("roof", 0.2, 0.2, 0.8, 0.4, parent="spider", layer=2),
                thing("window", 0.3, 0.35, 0.4, 0.45, parent="spider", layer=3),
            )
        )
        down = Move.shift("window", 0.0, 0.1)
        assert lost(house, down) == "roof would no longer touch window"
        assert lost(house, down, parting=True) == ""


class TestFooting:
    ROOM = Layout(
        (
            thing("floor", 0.0, 0.9, 1.0, 1.0),
            thing("table", 0.2, 0.6, 0.6, 0.9, layer=1),
            thing("bowl", 0.3, 0.5, 0.5, 0.6, layer=2),
        )
    )

    @pytest.mark.parametrize(("dx", "words"), [(0.29, ""), (0.31, "bowl would float")])
    def test_what_stood_stands(self, dx: float, words: str) -> None:
        assert lost(self.ROOM, Move.shift("bowl", dx, 0.0)) == words

    def test_nothing_loses_what_it_stands_on(self) -> None:
        assert lost(self.ROOM, Move.shift("table", 0.31, 0.0)) == "bowl would float"
        assert lost(self.ROOM, Move.shift("table", 0.31, 0.0), Move.shift("bowl", 0.31, 0.0)) == ""

    def test_what_a_requirement_arranges_may_leave_each_other(self) -> None:
        stack = Layout((thing("tile_1", 0.2, 0.2, 0.4, 0.4), thing("tile_2", 0.2, 0.4, 0.4, 0.6, layer=1)))
        up = (Move.shift("tile_1", 0.0, -0.1),)
        assert lost(stack, *up) == "tile_1 would float"
        facts = Facts(stack), Facts(stack.moved(up))
        assert harm(*facts, {"tile_1"}, placed=frozenset({"tile_1", "tile_2"})) == ""
        assert harm(*facts, {"tile_1"}, placed=frozenset({"tile_1"})) == "tile_1 would float"


class TestSight:
    @pytest.mark.parametrize(("dy", "words"), [(0.12, ""), (0.14, "mouth would cover eye")])
    def test_a_part_is_not_newly_hidden(self, dy: float, words: str) -> None:
        face = Layout(
            (
                thing("head", 0.2, 0.2, 0.8, 0.8),
                thing("eye", 0.4, 0.5, 0.6, 0.6, parent="head", layer=1),
                thing("mouth", 0.4, 0.3, 0.6, 0.4, parent="head", layer=2),
            )
        )
        assert lost(face, Move.shift("mouth", 0.0, dy)) == words  # a quarter of the eye at 0.125


class TestCanvas:
    @pytest.mark.parametrize(
        ("x0", "dx", "kept"), [(0.1, -0.07, True), (0.1, -0.09, False), (0.01, 0.0, True), (0.01, -0.005, False)]
    )
    def test_nothing_comes_nearer_to_the_edge_than_its_margin(self, x0: float, dx: float, kept: bool) -> None:
        house = Layout((thing("house", x0, 0.4, x0 + 0.3, 0.8),))
        assert (lost(house, Move.shift("house", dx, 0.0)) == "") is kept


def test_the_solver_leaves_alone_what_it_could_only_break() -> None:
    up = Mark(kind="arrow", at=(0.5, 0.5, 0.5, 0.4))
    issue = Issue(code="symmetry.midline", severity="error", message="", subjects=("head",), marks=(up,))
    report = Report(issues=(issue,))
    solution = repair(SPIDER, (), report, check=lambda layout: report if layout is SPIDER else Report())
    assert solution.moves == ()
