"""Whole boards are placed: legal, short, the same for a seed, and what the goal asks for."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest
from shapely.geometry import Point, Polygon, box

from redraft.errors import BriefError
from redraft.layout.items import Frame, Item, Keepout, Layout, Move, Port
from redraft.studios.board.place.placer import Goal, PlacerResult, Progress, place_all, wire_length
from redraft.studios.board.place.problem import Anchor, Group
from redraft.studios.board.solve.collisions import collisions
from redraft.studios.board.wires import wire_lengths

FRAME = Frame(unit="mm", quantum=1e-6, solid=True, layers={1: "Top", 0: "Bottom"}, bounds=(0, 0, 40, 30))
LIGHT = 0.01


def part(
    name: str,
    nets: dict[str, str],
    *,
    at: tuple[float, float] = (60, 0),
    size: tuple[float, float] = (2, 1),
    layer: int = 1,
) -> Item:
    """A component with pads in a row; the pile lies right of the board."""
    (x, y), (w, h) = at, size
    step = w / (len(nets) + 1)
    ports = [
        Port(pad, (x - w / 2 + step * (n + 1), y), Point(x - w / 2 + step * (n + 1), y), 0.2, net)
        for n, (pad, net) in enumerate(nets.items())
    ]
    shape = box(x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    return Item(name, "part", shape, layer=layer, ports=tuple(ports), origin=at)


def chain(count: int, **more: object) -> Layout:
    """Components in a chain between two connectors that stay, at the left and at the right edge."""
    ends = (
        part("J1", {"1": "N0"}, at=(2, 15), size=(3, 3)),
        part("J2", {"1": f"N{count}"}, at=(38, 15), size=(3, 3)),
    )
    links = tuple(part(f"R{n}", {"1": f"N{n}", "2": f"N{n + 1}"}) for n in range(count))
    return Layout((*ends, *links), FRAME, box(0, 0, 40, 30))


def names(layout: Layout) -> list[str]:
    return [item.name for item in layout.roots if not item.name.startswith("J")]


def legal(layout: Layout, moves: tuple[Move, ...]) -> Layout:
    after = layout.moved(moves)
    assert not collisions(after, names(layout))
    return after


@pytest.fixture(scope="module")
def placed_chain() -> tuple[Layout, PlacerResult]:
    """A chain of twelve, and how it is placed."""
    layout = chain(12)
    return layout, place_all(layout, names(layout), effort=0.05)


def test_wire_length_is_the_half_perimeter_of_the_pads_of_each_net() -> None:
    layout = Layout(
        (part("A", {"1": "N", "2": ""}, at=(5, 5)), part("B", {"1": "N"}, at=(9, 7)), part("C", {"1": "M"})), FRAME
    )
    a, b = layout["A"].ports[0].at, layout["B"].ports[0].at
    assert wire_lengths(layout) == pytest.approx({"N": abs(a[0] - b[0]) + abs(a[1] - b[1])})
    assert wire_length(layout) == wire_length(layout, ["N"])
    assert wire_length(layout, ["M"]) == 0


def test_a_pile_becomes_a_legal_placement_with_short_wires(placed_chain: tuple[Layout, PlacerResult]) -> None:
    layout, found = placed_chain
    after = legal(layout, found.moves)
    assert found.complete
    assert not found.overlaps
    assert not found.outside
    assert found.wire_length_after == pytest.approx(wire_length(after))
    assert found.wire_length_before == pytest.approx(wire_length(layout))
    assert found.wire_length_after < 60  # 36 mm from end to end, less the components, is the least
    assert {item.layer for item in after} == {1}
    assert {item.rotation % 90 for item in after} == {0}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_placement(placed_chain: tuple[Layout, PlacerResult]) -> None:
    layout, found = placed_chain
    assert place_all(layout, names(layout), effort=0.05) == found


@pytest.mark.slow
def test_more_effort_is_not_worse(placed_chain: tuple[Layout, PlacerResult]) -> None:
    layout, found = placed_chain
    assert found.wire_length_after <= place_all(layout, names(layout), effort=0.005).wire_length_after + 1e-6


@pytest.mark.slow
def test_what_is_not_movable_stays_and_is_in_the_way() -> None:
    layout = chain(6)
    wall = Item("J3", "part", box(10, 0, 30, 29), layer=1)
    layout = replace(layout, items=(*layout.items, wall))
    found = place_all(layout, names(layout), effort=LIGHT)
    assert {move.item for move in found.moves} == set(names(layout))
    legal(layout, found.moves)


@pytest.mark.slow
def test_keepouts_and_cutouts_stay_empty() -> None:
    area = box(0, 0, 40, 30).difference(Point(20, 15).buffer(5))
    layout = replace(chain(10), area=area, keepouts=(Keepout("K", box(5, 5, 15, 25)),))
    legal(layout, place_all(layout, names(layout), effort=LIGHT).moves)


@pytest.mark.slow
def test_copper_keeps_its_distance_from_the_edge() -> None:
    layout = replace(chain(20), area=box(0, 10, 40, 20), edge_clearance=1.0)
    found = place_all(layout, names(layout), effort=LIGHT)
    after = legal(layout, found.moves)
    assert layout.area is not None
    pads = [port.shape for name in names(layout) for port in after[name].ports]
    assert min(layout.area.exterior.distance(pad) for pad in pads) >= 1.0 - 1e-3  # pyright: ignore


@pytest.mark.slow
def test_pads_of_components_without_courtyards_keep_their_clearance() -> None:
    bare = [part(f"R{n}", {"1": f"N{n}", "2": f"N{n + 1}"}, size=(1.2, 0.4)) for n in range(10)]
    layout = Layout(tuple(bare), FRAME, box(0, 0, 4, 4))
    found = place_all(layout, names(layout), effort=LIGHT, clearance=0.3)
    after = legal(layout, found.moves)
    pads = [(item.name, port) for item in after for port in item.ports]
    assert min(p.distance(q) for a, p in pads for b, q in pads if a != b) >= 0.3 - 2e-3


@pytest.mark.slow
def test_a_full_side_sends_small_components_to_the_other() -> None:
    parts = [part(f"R{n}", {"1": f"N{n}", "2": f"N{n + 1}"}, size=(2, 2)) for n in range(12)]
    layout = Layout(tuple(parts), FRAME, box(0, 0, 6.1, 6.1))
    after = legal(layout, place_all(layout, names(layout), effort=LIGHT).moves)
    assert {item.layer for item in after} == {0, 1}


def test_the_goal_sets_sides_and_turns() -> None:
    layout = chain(6)
    goal = Goal(sides={"R1": 0}, turns=dict.fromkeys(names(layout), (90.0,)))
    after = legal(layout, place_all(layout, names(layout), goal, effort=LIGHT).moves)
    assert after["R1"].layer == 0
    assert {after[name].rotation for name in names(layout)} == {90.0}


@pytest.mark.slow
def test_anchors_pull() -> None:
    layout = chain(4)
    anchors = (
        Anchor("R1", "edge", "top", 2.0, weight=10.0),
        Anchor("R2", "corner", "bottom right", 2.0, weight=10.0),
        Anchor("R3", "at", (9, 7), 2.0, weight=10.0),
    )
    after = legal(layout, place_all(layout, names(layout), Goal(anchors=anchors), effort=LIGHT).moves)
    for name, x, y in (("R1", None, 2), ("R2", 38, 28), ("R3", 9, 7)):
        middle = after[name].shape.centroid
        assert x is None or middle.x == pytest.approx(x, abs=0.6), name
        assert middle.y == pytest.approx(y, abs=0.6), name


def test_near_brings_a_pad_to_a_pad() -> None:
    chip = part("U1", {"1": "A", "2": "B", "3": "VCC"}, at=(20, 15), size=(8, 8))
    layout = Layout((chip, part("C1", {"1": "VCC", "2": "GND"})), FRAME, box(0, 0, 40, 30))
    goal = Goal(weights={"VCC": 0.0}, anchors=(Anchor("C1", "near", "U1.3"),))
    after = place_all(layout, ["C1"], goal, effort=LIGHT)
    pads = layout.moved(after.moves)["C1"].ports[0], chip.ports[2]
    assert pads[0].distance(pads[1]) < 4.6  # half the chip, and the capacitor's own pad


@pytest.mark.slow
def test_apart_keeps_a_gap() -> None:
    layout = chain(3)
    goal = Goal(anchors=(Anchor("R0", "apart", "R1", 12.0),))
    after = legal(layout, place_all(layout, names(layout), goal, effort=LIGHT).moves)
    assert after["R0"].shape.distance(after["R1"].shape) >= 12.0 - 1e-3


@pytest.mark.slow
def test_groups_stay_together() -> None:
    loose = [part(f"R{n}", {"1": f"A{n % 2}"}, size=(3, 3)) for n in range(12)]
    layout = Layout(tuple(loose), FRAME, box(0, 0, 40, 30))
    members = tuple(f"R{n}" for n in range(0, 12, 3))
    goal = Goal(groups=(Group("power", members, 5.0),))
    after = legal(layout, place_all(layout, names(layout), goal, effort=LIGHT).moves)
    xs, ys = zip(*((after[name].shape.centroid.x, after[name].shape.centroid.y) for name in members), strict=True)
    assert max(xs) - min(xs) + max(ys) - min(ys) < 12


@pytest.mark.slow
def test_progress_is_told_and_stop_keeps_the_best_so_far() -> None:
    layout, told = chain(12), list[Progress]()
    found = place_all(
        layout, names(layout), effort=0.02, notify=told.append, stop=lambda: any(p.stage == "refine" for p in told)
    )
    legal(layout, found.moves)
    assert not found.complete
    assert {"spread", "refine"} <= {progress.stage for progress in told}


@pytest.mark.slow
def test_the_wires_of_the_progress_are_those_of_the_result_with_nets_that_no_placement_changes() -> None:
    ends = (part("J1", {"1": "N0", "2": "FIX"}, at=(2, 15)), part("J2", {"1": "N6", "2": "FIX"}, at=(38, 15)))
    links = tuple(part(f"R{n}", {"1": f"N{n}", "2": f"N{n + 1}"}) for n in range(6))
    layout, told = Layout((*ends, *links), FRAME, box(0, 0, 40, 30)), list[Progress]()
    found = place_all(layout, names(layout), effort=0.2, notify=told.append)
    assert wire_length(layout, ["FIX"]) > 30
    assert told[-1].stage == "refine"
    assert told[-1].wires == pytest.approx(found.wire_length_after, rel=0.1)


def test_stopped_at_once_there_is_still_a_placement() -> None:
    layout = chain(6)
    found = place_all(layout, names(layout), stop=lambda: True)
    assert not found.complete
    legal(layout, found.moves)


@pytest.mark.slow
def test_more_area_than_board_leaves_some_beside_it() -> None:
    parts = [part(f"R{n}", {"1": "A", "2": "B"}, size=(3, 3)) for n in range(9)]
    layout = Layout(tuple(parts), FRAME, box(0, 0, 5, 5))
    found = place_all(layout, names(layout), effort=LIGHT)
    assert {move.item for move in found.moves}.isdisjoint(found.outside)
    assert len(found.moves) + len(found.outside) == 9
    assert found.outside
    assert not found.overlaps


@pytest.mark.slow
def test_components_without_nets_or_anything_to_move() -> None:
    layout = Layout((part("R1", {}), part("R2", {})), FRAME, box(0, 0, 10, 10))
    legal(layout, place_all(layout, names(layout), effort=LIGHT).moves)
    assert place_all(layout, [], effort=LIGHT).moves == ()


@pytest.mark.slow
def test_round_boards_and_round_components() -> None:
    parts = [
        replace(part(f"C{n}", {"1": "A", "2": f"B{n % 3}"}, size=(2, 2)), shape=Point(60, 0).buffer(1))
        for n in range(8)
    ]
    layout = Layout(tuple(parts), FRAME, Polygon(Point(10, 10).buffer(6).exterior))
    legal(layout, place_all(layout, names(layout), effort=0.01).moves)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal(anchors=(Anchor("R9", "edge", "left"),)), "'R9' is not a component"),
        (Goal(anchors=(Anchor("R0", "edge", "north"),)), "'north' is not an edge"),
        (Goal(anchors=(Anchor("R0", "near", "R1.7"),)), "R1 has no pad '7'"),
        (Goal(groups=(Group("g", ("R0", "R7")),)), "'R7' is not a component"),
    ],
)
def test_what_a_goal_names_must_be_there(goal: Goal, words: str) -> None:
    layout = chain(2)
    with pytest.raises(BriefError, match=words):
        place_all(layout, names(layout), goal)


def test_a_board_needs_an_outline() -> None:
    with pytest.raises(BriefError, match="no closed outline"):
        place_all(replace(chain(2), area=None), ["R0"])


def test_from_here_wires_get_shorter_and_nothing_else_is_needed(placed_chain: tuple[Layout, PlacerResult]) -> None:
    layout = placed_chain[0].moved(placed_chain[1].moves)
    spots = [(x, y) for x in (8, 14, 20, 26) for y in (6, 14, 22)]
    order = random.Random(1).sample(range(12), 12)
    moves = [
        Move.shift(name, spots[n][0] - layout[name].shape.centroid.x, spots[n][1] - layout[name].shape.centroid.y)
        for name, n in zip(names(layout), order, strict=True)
    ]
    scattered = layout.moved(moves)
    found = place_all(scattered, names(scattered), begin="here", effort=LIGHT)
    legal(scattered, found.moves)
    assert found.wire_length_after < 0.7 * found.wire_length_before


@pytest.mark.parametrize("effort", [0.001, 0.01])
def test_from_here_wires_never_get_longer(effort: float, placed_chain: tuple[Layout, PlacerResult]) -> None:
    placed = placed_chain[0].moved(placed_chain[1].moves)
    goal = Goal(anchors=(Anchor("R3", "corner", "top left", weight=30.0),))
    found = place_all(placed, names(placed), goal, begin="here", effort=effort)
    legal(placed, found.moves)
    assert found.wire_length_after <= found.wire_length_before


def test_from_here_what_collides_is_laid_nearest_and_the_rest_stays() -> None:
    spots = {"R0": (10, 10), "R1": (10.5, 10.5), "R2": (20, 20), "R3": (39.5, 5)}
    parts = [part(name, {"1": "A"}, at=at, size=(4, 3) if name == "R0" else (2, 1)) for name, at in spots.items()]
    layout = Layout(tuple(parts), FRAME, box(0, 0, 40, 30))
    found = place_all(layout, names(layout), begin="here", effort=0.0)
    after = legal(layout, found.moves)
    assert {move.item for move in found.moves} == {"R1", "R3"}
    assert after["R1"].shape.distance(layout["R1"].shape) < 1.5
    assert after["R3"].shape.bounds[2] == pytest.approx(40, abs=2e-3)
    assert after["R3"].shape.centroid.y == pytest.approx(5, abs=2e-3)


def test_from_here_a_side_that_the_goal_forbids_is_left() -> None:
    parts = [part(f"R{n}", {"1": "A"}, at=(5 + 5 * n, 10)) for n in range(3)]
    layout = Layout(tuple(parts), FRAME, box(0, 0, 40, 30))
    found = place_all(layout, names(layout), Goal(sides={"R1": 0}), begin="here", effort=0.0)
    assert legal(layout, found.moves)["R1"].layer == 0


@pytest.mark.slow
def test_a_component_larger_than_the_board_is_named_and_the_rest_is_placed() -> None:
    layout = chain(4)
    layout = replace(layout, items=(*layout.items, part("U1", {"1": "N0", "2": "N2"}, size=(50, 10))))
    found = place_all(layout, names(layout), effort=LIGHT)
    assert found.outside == ("U1",)
    assert {move.item for move in found.moves} == {"R0", "R1", "R2", "R3"}
    assert not found.overlaps


@pytest.mark.slow
def test_one_net_may_join_all() -> None:
    layout = Layout(tuple(part(f"R{n}", {"1": "GND", "2": "GND"}) for n in range(60)), FRAME, box(0, 0, 40, 30))
    legal(layout, place_all(layout, names(layout), effort=0.01).moves)


@pytest.mark.slow
def test_components_without_pads_or_room_are_placed_too() -> None:
    bare = (
        Item("G1", "logo", box(60, 0, 62, 1), layer=1, origin=(60, 0)),
        Item("G2", "logo", box(60, 0, 62, 1), layer=1, origin=(60, 0), claims=False),
    )
    layout = Layout((*chain(2).items, *bare), FRAME, box(0, 0, 40, 30))
    found = place_all(layout, names(layout), effort=LIGHT)
    assert {"G1", "G2"} <= {move.item for move in found.moves}
    legal(layout, found.moves)


@pytest.mark.slow
def test_fixed_components_that_overlap_stay_and_do_not_count() -> None:
    fixed = (part("J3", {"1": "A"}, at=(20, 15), size=(6, 6)), part("J4", {"1": "B"}, at=(22, 15), size=(6, 6)))
    layout = replace(chain(6), items=(*chain(6).items, *fixed))
    found = place_all(layout, names(layout), effort=LIGHT)
    legal(layout, found.moves)
    assert not found.overlaps


@pytest.mark.slow
def test_contradictory_anchors_still_give_a_legal_placement() -> None:
    layout = chain(4)
    kinds = (("left", "R0"), ("right", "R0"), ("top", "R1"), ("bottom", "R1"))
    anchors = [Anchor(name, "edge", where, weight=50.0) for where, name in kinds]
    anchors += [Anchor("R2", "near", "R3", weight=50.0), Anchor("R2", "apart", "R3", 15.0)]
    legal(layout, place_all(layout, names(layout), Goal(anchors=tuple(anchors)), effort=LIGHT).moves)


@pytest.mark.slow
def test_stopped_in_a_heap_of_1500_it_ends_within_seconds() -> None:
    parts = tuple(part(f"R{n}", {"1": f"N{n}", "2": f"N{n // 2}"}) for n in range(1500))
    layout = Layout(parts, FRAME, box(0, 0, 90, 90))
    asked: list[float] = []

    def stop() -> bool:
        asked.append(time.process_time())
        return True

    found = place_all(layout, names(layout), stop=stop)
    assert time.process_time() - asked[0] < 4.0  # 2 s on an idle machine
    assert not found.complete
    assert not found.overlaps
    assert len(found.moves) + len(found.outside) == 1500


@pytest.mark.slow
def test_hundreds_of_components_are_placed() -> None:
    parts = tuple(part(f"R{n}", {"1": f"N{n}", "2": f"N{n // 2}"}) for n in range(700))
    layout = Layout(parts, FRAME, box(0, 0, 65, 65))
    found = place_all(layout, names(layout), effort=0.01)
    assert len(found.moves) == 700
    legal(layout, found.moves)


@pytest.mark.slow
def test_like_neighbors_come_on_a_line_and_others_on_the_grid() -> None:
    loose = [part(f"R{n}", {"1": "", "2": ""}, size=(2, 1)) for n in range(6)]
    layout = Layout(tuple(loose), FRAME, box(0, 0, 12, 8))
    after = legal(layout, place_all(layout, names(layout), effort=LIGHT).moves)
    places = [after[name].origin or (0.0, 0.0) for name in names(layout)]
    assert sum(10 * v == pytest.approx(round(10 * v)) for at in places for v in at) >= len(places)
    lines = [sum(abs(a[axis] - b[axis]) < 1e-6 for b in places) for a in places for axis in (0, 1)]
    assert max(lines) >= 3
