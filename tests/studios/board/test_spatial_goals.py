"""The intent of placing a whole board: who moves, what contradicts, what lies at edges, and what has no room."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from shapely.geometry import Point, box

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Frame, Item, Keepout, Layout, Move, Port
from redraft.studios.board.actions.registry import MoveBy, PlaceAll, Rotate
from redraft.studios.board.actions.workspace import Outcome, Workspace
from redraft.studios.board.place.circuit import Circuit, circuit_of
from redraft.studios.board.place.decoupling import Decoupling
from redraft.studios.board.place.goals import WISHED, contradictions, goal_of, refuse_idle, strip
from redraft.studios.board.place.problem import Anchor
from redraft.studios.board.solve.collisions import collisions
from redraft.studios.board.views.ratsnest import drawn_nets, ratsnest_of
from redraft.studios.board.wires import spanning_tree, wire_lengths

FRAME = Frame(unit="mm", quantum=1e-6, solid=True, layers={1: "Top", 0: "Bottom"}, bounds=(0, 0, 30, 20))


def part(
    name: str,
    nets: dict[str, str],
    at: tuple[float, float],
    size: tuple[float, float] = (2.0, 1.0),
    label: str = "resistor",
    **more: Any,
) -> Item:
    """A component with pads in a row along x."""
    (x, y), (w, h) = at, size
    step = w / (len(nets) + 1)
    ports = tuple(
        Port(pad, (x - w / 2 + step * n, y), Point(x - w / 2 + step * n, y), 0.2, net)
        for n, (pad, net) in enumerate(nets.items(), start=1)
    )
    shape = box(x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    return Item(name, label, shape, layer=1, ports=ports, origin=at, **more)


def pile(**more: Any) -> Layout:
    """30 × 20 mm; U1 is placed, J1 and R1 to R4 lie beside the board in a chain."""
    items = (
        part("U1", {"1": "A", "2": "E"}, (15, 10), (4, 4), "IC"),
        part("J1", {"1": "A", "2": "GND"}, (40, 2), (3, 4), "connector"),
        *(part(f"R{n}", {"1": a, "2": b}, (40, 5 + 3 * n)) for n, (a, b) in enumerate(pairwise("ABCDE"), start=1)),
    )
    return Layout(items, FRAME, box(0, 0, 30, 20), **more)


def placed(layout: Layout, **fields: Any) -> tuple[Layout, Outcome]:
    workspace = Workspace(layout)
    outcome = workspace.do(PlaceAll(effort=0.001, **fields))
    return workspace.layout, outcome


def gap(layout: Layout, name: str, side: str) -> float:
    """From the edge of the 30 × 20 mm board."""
    x0, y0, x1, y1 = layout.bounds(name)
    return {"left": x0, "top": y0, "right": 30 - x1, "bottom": 20 - y1}[side]


@pytest.mark.slow
def test_all_that_is_beside_the_board_is_placed_and_nothing_else() -> None:
    before = pile()
    after, outcome = placed(before)
    assert {moved.ref for moved in outcome.moved} == {"J1", "R1", "R2", "R3", "R4"}
    assert after["U1"] == before["U1"]
    assert not collisions(after, [item.name for item in after.roots])
    assert outcome.wires is not None
    assert outcome.wires.after < outcome.wires.before
    assert outcome.complete


@pytest.mark.slow
def test_a_connector_that_is_not_placed_goes_to_an_edge() -> None:
    after, _ = placed(pile(edge_clearance=0.5))
    assert min(gap(after, "J1", side) for side in ("left", "right", "top", "bottom")) < 0.5
    pads = [port.shape.bounds for port in after["J1"].ports]
    assert all(min(x0, y0, 30 - x1, 20 - y1) >= 0.5 - 1e-6 for x0, y0, x1, y1 in pads)


@pytest.mark.slow
def test_edges_corners_and_overhang_are_exact() -> None:
    anchors: list[dict[str, Any]] = [
        {"ref": "R1", "edge": "top", "distance": 2.5},
        {"ref": "R2", "corner": "bottom right", "distance": 1},
        {"ref": "R3", "edge": "left", "distance": 5},
        {"ref": "R3", "edge": "top", "distance": 3},
        {"ref": "R4", "edge": "left"},
    ]
    after, _ = placed(pile(), anchors=anchors, overhang=[{"ref": "J1", "edge": "right", "distance": 1}])
    wanted = {
        "R1": {"top": 2.5},
        "R2": {"bottom": 1.0, "right": 1.0},
        "R3": {"left": 5.0, "top": 3.0},
        "R4": {"left": 0.0},
        "J1": {"right": -1.0},
    }
    for name, gaps in wanted.items():
        assert {side: gap(after, name, side) for side in gaps} == pytest.approx(gaps, abs=1e-6), name


@pytest.mark.slow
def test_a_taken_corner_gives_way_inward_unless_a_distance_is_stated() -> None:
    layout = pile()
    hole = part("H1", {"1": ""}, (2, 2), (4, 4), "mounting hole", locked=True)
    layout = replace(layout, items=(*layout.items, hole))
    after, _ = placed(layout, anchors=[{"ref": "R1", "corner": "top left"}])
    assert not collisions(after, ["R1"])
    assert gap(after, "R1", "left") + gap(after, "R1", "top") < 5.0
    with pytest.raises(InfeasibleError, match="no free place for R1 0 mm from the top edge and 0 mm from the left"):
        placed(layout, anchors=[{"ref": "R1", "corner": "top left", "distance": 0}])


@pytest.mark.slow
def test_room_around_a_component_and_a_box_stay_free() -> None:
    after, _ = placed(pile(), keepouts=[{"around": "U1", "distance": 2}, {"box": [0, 0, 8, 20]}])
    others = [item for item in after.roots if item.name != "U1"]
    assert all(item.shape.distance(after["U1"].shape) >= 2.0 - 1e-6 for item in others)
    assert all(item.shape.bounds[0] >= 8.0 - 1e-6 for item in others)
    assert not after.keepouts  # they were temporary


@pytest.mark.slow
def test_the_middle_of_the_board_and_of_an_edge() -> None:
    after, _ = placed(pile(), anchors=[{"ref": "R1", "edge": "left", "center": True}])
    assert gap(after, "R1", "left") == pytest.approx(0.0)
    assert gap(after, "R1", "top") == pytest.approx(gap(after, "R1", "bottom"))
    alone = replace(pile(), items=tuple(item for item in pile().items if item.name != "U1"))
    after, _ = placed(alone, anchors=[{"ref": "R4", "center": True}])
    assert abs(gap(after, "R4", "left") - gap(after, "R4", "right")) < 6.0
    assert abs(gap(after, "R4", "top") - gap(after, "R4", "bottom")) < 6.0
    assert goal_of(alone, Circuit(), PlaceAll.model_validate({"anchors": [{"ref": "R4", "center": True}]})).anchors == (
        Anchor("R4", "at", (15.0, 10.0), 0.0, WISHED),
    )


@pytest.mark.slow
def test_any_edge_is_the_nearest_with_room() -> None:
    distance = {"anchors": [{"ref": "J1", "edge": "any", "distance": 2}]}
    sides = ("left", "right", "top", "bottom")
    after, _ = placed(pile(), **distance, overhang=[{"ref": "R1", "edge": "any", "distance": 1}])
    (edge,) = (side for side in sides if gap(after, "J1", side) == pytest.approx(2.0))
    assert min(gap(after, "R1", side) for side in sides) == pytest.approx(-1.0)
    taken = Keepout("taken", strip((0, 0, 30, 20), edge, 5.0))  # type: ignore[arg-type]
    after, _ = placed(pile(keepouts=(taken,)), **distance)
    assert pytest.approx(2.0) in [gap(after, "J1", side) for side in sides if side != edge]
    with pytest.raises(InfeasibleError, match="no free place for J1 2 mm from the") as failed:
        placed(pile(keepouts=(Keepout("all", box(0, 0, 30, 20)),)), **distance)
    assert failed.value.subjects == ("J1",)


@pytest.mark.slow
def test_room_along_edges_stays_free() -> None:
    wanted = {"left": 3.0, "right": 4.0, "top": 2.0, "bottom": 5.0}
    after, _ = placed(pile(), keepouts=[{"edge": edge, "distance": distance} for edge, distance in wanted.items()])
    for edge, distance in wanted.items():
        assert min(gap(after, name, edge) for name in ("J1", "R1", "R2", "R3", "R4")) >= distance - 1e-6, edge


@pytest.mark.slow
def test_sides_and_turns() -> None:
    after, _ = placed(pile(), sides={"R1": "back", "J1": "back"}, turns={"R2": [90], "J1": [180]})
    assert {name: after[name].layer for name in ("R1", "J1", "R2")} == {"R1": 0, "J1": 0, "R2": 1}
    assert after["R2"].rotation == 90.0
    assert after["J1"].rotation == 180.0


@pytest.mark.slow
def test_what_is_apart_from_a_placed_component_stays_so() -> None:
    after, _ = placed(pile(), anchors=[{"ref": "R1", "apart": "U1", "distance": 6}])
    assert after["R1"].shape.distance(after["U1"].shape) >= 6.0 - 1e-6


@pytest.mark.slow
def test_replace_moves_what_is_placed_but_what_is_locked_kept_or_a_connector() -> None:
    layout = pile()
    lying = part("J2", {"1": "E"}, (2, 17), (2, 2), "connector")
    held = part("R9", {"1": "E", "2": "A"}, (27, 17), locked=True)
    layout = replace(layout, items=(*layout.items, lying, held))
    names = refuse_idle(layout, PlaceAll(replace=True, keep=("R4",)), circuit_of(layout))
    assert names == ("U1", "J1", "R1", "R2", "R3")
    after, outcome = placed(layout, replace=True)
    assert after["J2"] == layout["J2"]
    assert "connectors, mounting holes and fiducials stay where they are: J2" in outcome.note


def test_blocks_stand_for_their_components() -> None:
    layout = pile(blocks={"/psu/buck/": ("R1", "R2"), "/psu/": ("R1", "R2", "R3")})
    assert refuse_idle(layout, PlaceAll(refs=("buck", "R4")), circuit_of(layout)) == ("R1", "R2", "R4")
    with pytest.raises(BriefError, match="no component, sheet or group '/psu/bukc/'; did you mean /psu/buck/"):
        refuse_idle(layout, PlaceAll(refs=("/psu/bukc/",)), circuit_of(layout))


@pytest.mark.parametrize(
    ("layout", "fields", "words"),
    [
        (pile(), {"refs": ["R99"]}, "R99"),
        (replace(pile(), area=None), {}, "closed outline"),
        (replace(pile(), items=(pile()["U1"],)), {}, "all 1 components are placed; replace=true"),
        (replace(pile(), items=(replace(pile()["R1"], locked=True),)), {}, "all 1 components are locked"),
        (replace(pile(), items=(replace(pile()["R1"], claims=False),)), {}, "no components with pads or a courtyard"),
        (pile(), {"refs": ["R1"], "keep": ["R1"]}, "R1 is kept where it is, and placed"),
    ],
)
def test_nothing_to_place_is_refused_with_the_reason(layout: Layout, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BriefError, match=words):
        placed(layout, **fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"anchors": [{"ref": "J1", "edge": "left"}, {"ref": "J1", "edge": "right", "distance": 2}]},
            "J1 at the left edge, and J1 2 mm from the right edge",
        ),
        (
            {
                "anchors": [{"ref": "J1", "corner": "top left"}],
                "overhang": [{"ref": "J1", "edge": "right", "distance": 1}],
            },
            "J1 in the top left corner, and J1 over the right edge by 1 mm",
        ),
        (
            {
                "anchors": [
                    {"ref": "R1", "near": "U1.1", "distance": 2},
                    {"ref": "R1", "apart": "U1", "distance": 5},
                ]
            },
            "R1 within 2 mm of U1.1, and R1 at least 5 mm from U1",
        ),
        ({"anchors": [{"ref": "R1", "edge": "left"}], "keep": ["R1"]}, "R1 is kept where it is, and anchored"),
        ({"sides": {"U1": "back"}, "keep": ["U1"]}, "U1 is kept where it is, and put on a side"),
        ({"anchors": [{"ref": "R1", "near": "R1.2"}]}, "R1 is anchored at itself"),
    ],
)
def test_contradictions_are_named_two_by_two(fields: dict[str, Any], words: str) -> None:
    assert list(contradictions(pile(), PlaceAll.model_validate(fields))) == [words]
    with pytest.raises(BriefError, match="contradict each other") as failed:
        placed(pile(), **fields)
    assert failed.value.subjects == (words.split(maxsplit=1)[0],)


@pytest.mark.slow
def test_a_locked_component_cannot_be_wished_elsewhere() -> None:
    layout = pile().with_items([replace(pile()["U1"], locked=True)])
    with pytest.raises(InfeasibleError, match="place_all would move U1, but it is locked"):
        placed(layout, sides={"U1": "back"})
    placed(layout, groups=[{"name": "all", "refs": ["U1", "R1"]}])  # a group may have one


def test_what_finds_no_room_stays_beside_the_board_and_is_named() -> None:
    layout = pile()
    large = part("U2", {"1": "A"}, (60, 40), (40, 18), "IC")
    after, outcome = placed(replace(layout, items=(*layout.items, large)))
    assert after["U2"] == large
    assert "no room for 1 of 6 components (U2): 720 mm² of components, and" in outcome.note


@pytest.mark.slow
def test_a_drawing_is_left_where_it_is() -> None:
    logo = Item("LOGO", "logo", box(40, 40, 45, 45), layer=1, claims=False)
    after, _ = placed(replace(pile(), items=(*pile().items, logo)))
    assert after["LOGO"] == logo


@pytest.mark.slow
def test_what_overlaps_and_stays_is_no_reason_to_refuse() -> None:
    twin = part("U2", {"1": "E"}, (16, 10), (4, 4), "IC")
    _, outcome = placed(replace(pile(), items=(*pile().items, twin)))
    assert len(outcome.moved) == 5


@pytest.mark.slow
def test_a_board_without_nets_and_one_net_for_all() -> None:
    for net in ("", "N"):
        items = [replace(i, ports=tuple(replace(p, net=net) for p in i.ports)) for i in pile().items]
        _, outcome = placed(replace(pile(), items=tuple(items)))
        assert len(outcome.moved) == 5
        assert (outcome.wires is None) is (net == "")


@pytest.mark.slow
def test_keepouts_of_the_board_hold() -> None:
    after, _ = placed(pile(keepouts=(Keepout("rule", box(0, 0, 12, 20)),)))
    assert all(item.shape.bounds[0] >= 12.0 - 1e-6 for item in after.roots)


def test_the_goal_has_what_the_board_says() -> None:
    layout = pile(blocks={"/a/": ("R1", "R2"), "/all/": ("U1", "J1", "R1", "R2", "R3", "R4")})
    circuit = Circuit(
        blocks=layout.blocks,
        decoupling=(Decoupling("R1", "U1", "1", "A", "GND"), Decoupling("R2", "U1", "2", "E", "GND")),
    )
    goal = goal_of(layout, circuit, PlaceAll.model_validate({"anchors": [{"ref": "R2", "near": "J1"}]}))
    assert [(a.name, a.kind, a.where) for a in goal.anchors] == [("R2", "near", "J1"), ("R1", "near", "U1.1")]
    assert [(group.name, group.members) for group in goal.groups] == [("/a/", ("R1", "R2"))]


def test_the_nets_of_the_first_loop_count_most() -> None:
    act = PlaceAll(loops=(("R1", "R2"), ("R3", "U1.2")))
    weights = goal_of(pile(), Circuit(), act).weights
    assert weights["B"] > weights["E"] > 1.0


def test_a_search_that_is_stopped_carries_out_its_best_so_far() -> None:
    workspace, asked = Workspace(pile()), list[int]()

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    outcome = workspace.do(PlaceAll(), stop=stop)
    assert not outcome.complete
    assert "cut short" in outcome.note
    assert {moved.ref for moved in outcome.moved} >= {"R1", "R2", "R3", "R4"}
    assert not collisions(workspace.layout, ["R1", "R2", "R3", "R4", "J1"])


def test_progress_comes_in_lines_that_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    from redraft.studios.board.place import goals
    from redraft.studios.board.place.placer import Progress

    lines, now = list[str](), [0.0]
    told = goals._ProgressLines(lines.append, lambda: now[0])  # pyright: ignore[reportPrivateUsage]
    for n in range(1000):
        now[0] = n / 100  # ten seconds
        told(Progress("refine", n, 1000, 1234.5))
    assert 5 <= len(lines) <= 10
    assert lines[0] == "placing: refine 0%, wires 1,234 mm"


def test_wires_are_those_of_the_layout_after_each_action() -> None:
    workspace = Workspace(pile())
    for action in (
        MoveBy(refs=("R1",), dx=-30.0, allow_overlap=True),
        Rotate(refs=("R2",), by=90.0, allow_overlap=True),
        MoveBy(refs=("J1", "U1"), dy=3.0, allow_overlap=True),
    ):
        before = workspace.layout
        outcome = workspace.do(action)
        assert outcome.wires is not None
        assert outcome.wires.before == pytest.approx(sum(wire_lengths(before).values()), abs=1e-6)
        assert outcome.wires.after == pytest.approx(sum(wire_lengths(workspace.layout).values()), abs=1e-6)


def test_a_spanning_tree_is_a_shortest_one() -> None:
    pads = [(0.0, 0.0), (5.0, 0.0), (1.0, 0.0), (1.0, 3.0)]
    assert sorted(tuple(sorted(edge)) for edge in spanning_tree(pads)) == [(0, 2), (1, 2), (2, 3)]
    assert spanning_tree(pads[:1]) == []


def test_the_ratsnest_leaves_out_ground_and_planes() -> None:
    layout = pile()
    bus = part("U3", {str(n): "BUS" for n in range(50)}, (5, 5), (4, 4))
    assert drawn_nets(replace(layout, items=(*layout.items, bus))) == ("A", "E", "B", "C", "D")
    assert ratsnest_of(layout).startswith(b"\x89PNG")


@pytest.mark.slow
def test_here_only_shortens_wires() -> None:
    layout, _ = placed(pile())
    jumbled = layout.moved([Move.shift("R1", 0.0, 0.0)])
    after, outcome = placed(jumbled, start="here")
    assert outcome.wires is not None
    assert outcome.wires.after <= outcome.wires.before + 1e-6
    assert not collisions(after, [item.name for item in after.roots])
