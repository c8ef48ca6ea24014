"""Actions carried out whole or not at all, with undo and redo."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import BOARD, board, chip, round_part, two_pads
from shapely.affinity import rotate
from shapely.geometry import Point, Polygon, box

from redraft.errors import BriefError, CollisionError, InfeasibleError, RedraftError
from redraft.layout.items import Item, Keepout, Layout, Port
from redraft.studios.board.actions.registry import (
    Action,
    Align,
    ClusterAround,
    Distribute,
    Flip,
    Legalise,
    Lock,
    MoveBy,
    MoveToEdge,
    PlaceComponent,
    PlaceRelative,
    Rotate,
    Stack,
    Swap,
)
from redraft.studios.board.actions.workspace import Wires, Workspace
from redraft.studios.board.solve.collisions import collisions

NM = 1e-6


def regulator(x: float = 50.0, y: float = 40.0) -> Item:
    """10 × 10 mm, pad 4 (VCC) at its right side, two pads S at its left, one above the other."""
    pads = (
        Port("4", (x + 5, y + 2), box(x + 4.7, y + 1.7, x + 5.3, y + 2.3), 0.0, "VCC"),
        Port("S", (x - 5, y - 3), Point(x - 5, y - 3), 0.4),
        Port("S", (x - 5, y + 3), Point(x - 5, y + 3), 0.4),
    )
    return replace(chip("U1", x, y, 10, 10), ports=pads)


def pad(layout: Layout, ref: str, name: str) -> Port:
    return layout[ref].ports_named(name)[0]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (255.1, "wires 252.4 → 255.1 mm (+1%)"),
        (251.4, "wires 252.4 → 251.4 mm (-0.4%)"),
        (252.4, "wires 252.4 → 252.4 mm"),
    ],
)
def test_a_small_change_of_the_wires_is_not_zero(after: float, said: str) -> None:
    assert Wires(before=252.4, after=after).said("mm") == said


class TestPlaceRelative:
    @pytest.mark.parametrize(
        ("side", "edge", "facing"), [("right", 0, 2), ("left", 2, 0), ("bottom", 1, 3), ("top", 3, 1)]
    )
    def test_each_side_to_the_nanometre(self, side: str, edge: int, facing: int) -> None:
        work = Workspace(board(regulator(), chip("C1", 10.000001, 10, 2, 1)))
        work.do(PlaceRelative.model_validate({"ref": "C1", "target": "U1", "side": side, "clearance": 0.123457}))
        gap = work.layout.bounds("C1")[edge] - work.layout.bounds("U1")[facing]
        assert gap == pytest.approx(0.123457 if side in {"right", "bottom"} else -0.123457, abs=NM / 100)

    def test_by_the_bodies(self) -> None:
        work = Workspace(board(regulator(), chip("C1", 10, 10, 2, 1)))
        work.do(PlaceRelative(ref="C1", target="U1", clearance=0.75, measure="body"))
        c, u = work.layout["C1"].body, work.layout["U1"].body
        assert c is not None
        assert u is not None
        assert c.bounds[0] - u.bounds[2] == pytest.approx(0.75, abs=NM / 100)

    def test_by_the_pads(self) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 10, 10)))
        work.do(PlaceRelative(ref="C1", target="U1", clearance=1.2, measure="pad", side="left", align="start"))
        gaps = [p.distance(q) for p in work.layout["C1"].ports for q in work.layout["U1"].ports]
        assert 1.2 - NM / 100 <= min(gaps) <= 1.2 + NM

    def test_no_pads_to_measure(self) -> None:
        with pytest.raises(BriefError, match="R1 has no pads"):
            Workspace(board(regulator(), chip("R1", 10, 10, 2, 1))).do(
                PlaceRelative(ref="R1", target="U1", measure="pad")
            )

    def test_a_pad_is_met_by_the_pad_that_faces_it(self) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 10, 10, ("GND", "VCC"))))
        told = work.do(PlaceRelative(ref="C1", target="U1.4", clearance=0.7))
        assert pad(work.layout, "C1", "1").distance(pad(work.layout, "U1", "4")) == pytest.approx(0.7, abs=NM / 100)
        assert pad(work.layout, "C1", "1").at[1] == pytest.approx(42.0, abs=NM / 100)
        assert told.note == "C1.1 (GND) faces U1.4 (VCC); to bring C1.2 (VCC) there, rotate C1 by 180 degrees first"

    @pytest.mark.parametrize("turned", [0, 90, 180, 270])
    def test_the_turn_that_is_named_brings_the_other_pad_there(self, turned: int) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 10, 10, ("GND", "VCC"))))
        work.do(Rotate(refs=("C1",), by=turned))
        place = PlaceRelative(ref="C1", target="U1.4", clearance=1.0)
        note = work.do(place).note
        if (named := re.search(r"rotate C1 by (\d+) degrees first", note)) is not None:
            work.do(Rotate(refs=("C1",), by=int(named[1])))
            note = work.do(place).note
        assert note == "C1.2 (VCC) faces U1.4 (VCC)"

    def test_a_pad_on_the_same_net_goes_first(self) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 10, 10, ("GND", "VCC"))))
        work.do(Rotate(refs=("C1",), by=90))  # both pads can face to the left now
        told = work.do(PlaceRelative(ref="C1", target="U1.4", clearance=1.0))
        assert pad(work.layout, "C1", "2").distance(pad(work.layout, "U1", "4")) == pytest.approx(1.0, abs=NM / 100)
        assert told.note == "C1.2 (VCC) faces U1.4 (VCC)"

    def test_of_several_pads_of_one_name_the_nearest(self) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 10, 70)))
        work.do(PlaceRelative(ref="C1", target="U1.S", side="left", clearance=1.0))
        assert pad(work.layout, "C1", "2").at == pytest.approx((50 - 5 - 0.4 - 1.0 - 0.3, 43.0))

    @pytest.mark.parametrize(
        ("ref", "target", "words"),
        [
            ("C1", "U1.9", r"U1 has no pad '9'; its pads are 4, S"),
            ("C1", "U2", r"no item 'U2'; did you mean U1\?"),
            ("C1", "U7.4", r"no item 'U7'; did you mean U1\?"),
            ("C9", "U1", r"no item 'C9'; did you mean C1\?"),
            ("C1", "C1.1", r"C1 cannot be placed relative to itself"),
        ],
    )
    def test_names_that_are_not_there(self, ref: str, target: str, words: str) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 10, 10)))
        with pytest.raises(BriefError, match=words):
            work.do(PlaceRelative(ref=ref, target=target))

    @settings(max_examples=60, deadline=None)
    @given(
        st.floats(-180, 180),
        st.floats(-180, 180),
        st.integers(0, 3_000_000),
        st.sampled_from(["left", "right", "top", "bottom"]),
        st.sampled_from(["center", "start", "end"]),
    )
    def test_turned_parts_by_their_true_shapes(self, one: float, other: float, gap: int, side: str, align: str) -> None:
        shape = Polygon([(-3, -2), (3, -2), (3, 2), (1, 2), (1, 0), (-3, 0)])
        items = [
            Item(n, "part", rotate(shape, turn, origin=(0, 0)).buffer(0).union(Point(0, 0)), layer=1)
            for n, turn in (("A", one), ("B", other))
        ]
        work = Workspace(Layout((items[0], chip("far", 90, 70, 1, 1), items[1]), BOARD))
        data = {"ref": "A", "target": "B", "side": side, "align": align, "clearance": gap * NM, "allow_overlap": True}
        work.do(PlaceRelative.model_validate(data))
        found = work.layout.whole("A").distance(work.layout.whole("B"))
        assert gap * NM - NM / 100 <= found <= (gap + 1) * NM


class TestRefusals:
    def test_nothing_moves_and_the_free_place_is_free(self) -> None:
        work = Workspace(board(regulator(), chip("C1", 10, 10, 2, 1), chip("C2", 57.2, 40, 2, 1)))
        before = work.layout
        with pytest.raises(CollisionError, match="C1 would be in C2 by") as caught:
            work.do(PlaceRelative(ref="C1", target="U1", clearance=0.5))
        assert work.layout is before
        assert work.moves == ()
        assert caught.value.suggestion is not None
        x, y = caught.value.suggestion
        assert y == 40.0  # on the line that was asked for
        work.do(PlaceComponent(ref="C1", x=x, y=y))
        assert work.layout.whole("C1").distance(work.layout.whole("C2")) == pytest.approx(0, abs=NM)

    def test_overlap_on_request_is_reported(self) -> None:
        work = Workspace(board(regulator(), chip("C1", 10, 10, 2, 1)))
        told = work.do(PlaceComponent(ref="C1", x=55, y=40, allow_overlap=True))
        # The courtyards share 53.75 … 55.25 along x, the shortest way out.
        assert [(c.ref, c.other, c.depth) for c in told.collisions] == [("C1", "U1", 1.5)]

    def test_a_part_may_go_back_to_where_it_overlapped_in_the_beginning(self) -> None:
        work = Workspace(board(chip("U1", 50, 40, 10, 10), chip("C1", 55, 40, 2, 1)))
        work.do(PlaceComponent(ref="C1", x=80, y=40))
        with pytest.raises(CollisionError, match=r"C1 would be in U1 by 1\.6 mm"):
            work.do(PlaceComponent(ref="C1", x=54.9, y=40))  # deeper than it ever was
        assert work.do(PlaceComponent(ref="C1", x=55, y=40)).collisions == ()
        work.do(PlaceComponent(ref="C1", x=80, y=40))
        with pytest.raises(CollisionError, match="U1 would be in C1"):
            work.do(PlaceComponent(ref="U1", x=76, y=40))
        assert work.do(PlaceComponent(ref="U1", x=75, y=40)).collisions == ()

    def test_off_the_board(self) -> None:
        work = Workspace(board(chip("C1", 10, 10, 2, 1)))
        with pytest.raises(CollisionError, match=r"C1 would cross the board edge by 0\.25 mm") as caught:
            work.do(MoveBy(refs=("C1",), dx=-9))
        assert caught.value.suggestion == (1.25, 10.0)

    @pytest.mark.parametrize(
        "action",
        [
            PlaceRelative(ref="C1", target="U1"),
            PlaceComponent(ref="C1", x=1, y=2),
            MoveBy(refs=("U1", "C1"), dx=1),
            Rotate(refs=("C1",), by=90),
            Flip(refs=("C1",)),
            Swap(ref="U1", other="C1"),
            ClusterAround(refs=("C1",), target="U1"),
            MoveToEdge(ref="C1", edge="left"),
            Stack(refs=("U1", "C1")),
            Distribute(refs=("U1", "C1"), axis="x"),
        ],
        ids=lambda action: action.action,
    )
    def test_a_locked_part_never_moves(self, action: Action) -> None:
        layout = board(regulator(), chip("C1", 10, 10, 2, 1))
        for work in (
            Workspace(board(*layout, locked=["U1", "C1"])),
            Workspace(layout, locked={"U1": True, "C1": True}),
        ):
            with pytest.raises(InfeasibleError, match="is locked: unlock it first"):
                work.do(action)

    def test_unlocked_on_request(self) -> None:
        work = Workspace(board(chip("C1", 10, 10, 2, 1), locked=["C1"]))
        before = work.copy()
        work.do(Lock(refs=("C1",), locked=False))
        work.do(MoveBy(refs=("C1",), dx=1))
        assert work.locked == {"C1": False}
        assert before.layout["C1"].locked
        assert before.locked == {}


class TestTurning:
    def test_about_its_own_position(self) -> None:
        off = replace(chip("J1", 20, 20, 6, 2), origin=(17.0, 20.0))
        work = Workspace(board(off))
        told = work.do(Rotate(refs=("J1",), by=90))
        assert work.layout["J1"].origin == (17.0, 20.0)
        assert work.layout.bounds("J1") == pytest.approx((15.75, 13.75, 18.25, 20.25))  # counter-clockwise as seen: up
        assert told.moved[0].rotation == 90

    def test_to_an_angle(self) -> None:
        work = Workspace(board(chip("J1", 20, 20, 6, 2)))
        work.do(Rotate(refs=("J1",), by=90))
        assert work.do(Rotate(refs=("J1",), to=-90)).moved[0].rotation == -90
        assert work.do(Rotate(refs=("J1",), to=-90)).moved == ()

    @pytest.mark.parametrize(("by", "to"), [(None, None), (1.0, 2.0)])
    def test_by_or_to(self, by: float | None, to: float | None) -> None:
        with pytest.raises(BriefError, match="either `by` or `to`"):
            Workspace(board(chip("J1", 20, 20, 6, 2))).do(Rotate(refs=("J1",), by=by, to=to))

    def test_flipped_over_the_horizontal(self) -> None:
        low = Port("1", (20, 20.5), box(19, 20.3, 21, 20.7))
        work = Workspace(board(replace(chip("U1", 20, 20, 6, 2), ports=(low,))))
        told = work.do(Flip(refs=("U1",)))
        assert (told.moved[0].layer, work.layout["U1"].layer) == ("Bottom", 0)
        assert work.layout["U1"].ports[0].at == (20, 19.5)
        assert work.do(Flip(refs=("U1",))).moved[0].layer == "Top"

    def test_a_drawing_has_no_other_side(self) -> None:
        with pytest.raises(BriefError, match="two sides"):
            Workspace(Layout((Item("sun", "sun", box(0, 0, 0.1, 0.1)),))).do(Flip(refs=("sun",)))


class TestEdges:
    def test_touching_and_at_a_distance(self) -> None:
        work = Workspace(board(chip("J1", 20, 20, 6, 2)))
        work.do(MoveToEdge(ref="J1", edge="bottom"))
        assert work.layout.bounds("J1")[3] == pytest.approx(80, abs=NM / 100)
        work.do(MoveToEdge(ref="J1", edge="right", clearance=1.5, center=True))
        assert work.layout.bounds("J1") == pytest.approx((92.0, 38.75, 98.5, 41.25))

    def test_a_slanted_edge_by_its_true_distance(self) -> None:
        area = Polygon([(0, 0), (100, 0), (100, 40), (60, 80), (0, 80)])
        work = Workspace(board(chip("J1", 80, 20, 1.5, 1.5), area=area))
        work.do(MoveToEdge(ref="J1", edge="bottom", clearance=2.0))
        corner = Point(work.layout.bounds("J1")[2:])
        assert 2.0 - NM / 100 <= corner.distance(area.exterior) <= 2.0 + NM

    def test_the_outline_as_seen_from_outside(self) -> None:
        area = box(0, 0, 100, 80).difference(box(40, 30, 60, 35)).difference(box(70, 60, 80, 80))
        work = Workspace(board(chip("J1", 50, 20, 4, 2), area=area))
        work.do(MoveToEdge(ref="J1", edge="bottom"))  # past the cut-out
        assert work.layout.bounds("J1")[3] == pytest.approx(80, abs=NM / 100)
        work.do(PlaceComponent(ref="J1", x=75, y=20))
        work.do(MoveToEdge(ref="J1", edge="bottom"))  # into the bay
        assert work.layout.bounds("J1")[3] == pytest.approx(60, abs=NM / 100)

    def test_without_an_outline(self) -> None:
        with pytest.raises(BriefError, match="no closed outline"):
            Workspace(Layout((chip("J1", 20, 20, 6, 2),), BOARD)).do(MoveToEdge(ref="J1", edge="top"))


def test_swap_by_the_middles() -> None:
    work = Workspace(board(chip("A", 20, 20, 6, 2), chip("B", 60, 30, 2, 4)))
    told = work.do(Swap(ref="A", other="B"))
    assert {m.ref: m.after for m in told.moved} == {"A": (60.0, 30.0), "B": (20.0, 20.0)}


class TestCluster:
    def test_each_where_its_net_is(self) -> None:
        parts = [two_pads("C1", 10, 10, ("VCC", "GND")), two_pads("C2", 15, 10), chip("R1", 20, 10, 2, 1)]
        work = Workspace(board(regulator(), *parts))
        work.do(ClusterAround(refs=("C1", "C2", "R1"), target="U1", clearance=0.4))
        near = pad(work.layout, "C1", "1").distance(pad(work.layout, "U1", "4"))
        assert (
            near < 1.1
        )  # its courtyard and the target's keep 0.4: the pads are 0.4 + 0.25 + 0.2 − 0.05 apart at least
        gaps = [
            work.layout.whole(a).distance(work.layout.whole(b)) for a, b in combinations(("U1", "C1", "C2", "R1"), 2)
        ]
        assert min(gaps) >= 0.4 - NM

    def test_at_one_side_only(self) -> None:
        work = Workspace(board(regulator(), chip("R1", 70, 70, 2, 1), chip("R2", 75, 70, 2, 1)))
        work.do(ClusterAround(refs=("R1", "R2"), target="U1", side="top"))
        top = work.layout.bounds("U1")[1]
        assert all(work.layout.bounds(n)[3] <= top - 0.5 + NM for n in ("R1", "R2"))

    def test_no_room(self) -> None:
        work = Workspace(board(chip("U1", 5, 5, 9, 9), chip("R1", 50, 5, 4, 4), area=box(0, 0, 10, 10)))
        with pytest.raises(InfeasibleError, match="no free place was found for R1 around U1"):
            work.do(ClusterAround(refs=("R1",), target="U1"))

    def test_one_that_would_end_farther_stays(self) -> None:
        """C1 lies with its pad at the pin, closer than the clearance to others allows any place to be."""
        work = Workspace(
            board(regulator(), two_pads("C1", 56.6, 42, ("VCC", "GND")), two_pads("C2", 70, 60, ("VCC", "X")))
        )
        told = work.do(ClusterAround(refs=("C1", "C2"), target="U1", clearance=2.0))
        assert [moved.ref for moved in told.moved] == ["C2"]
        assert told.note == "C1 stays: no place is nearer without longer wires"

    def test_one_with_longer_wires_stays(self) -> None:
        """14 mm nearer to the pin would make the wire to R2 20 mm longer, and that of VCC no shorter."""
        far = two_pads("R1", 65, 52, ("VCC", "SENSE"))
        other = two_pads("R2", 85, 72, ("SENSE", "B"))
        third = two_pads("R3", 70, 56, ("VCC", "B"))
        work = Workspace(board(regulator(), far, other, third))
        told = work.do(ClusterAround(refs=("R1",), target="U1", clearance=0.5))
        assert not told.moved
        assert "R1 stays" in told.note

    def test_turned_where_that_is_shorter(self) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 80, 42, ("GND", "VCC"))))
        work.do(ClusterAround(refs=("C1",), target="U1", side="right"))
        assert work.layout["C1"].rotation == 180.0

    def test_around_pads(self) -> None:
        item = replace(
            regulator(), ports=tuple(replace(p, net="VCC" if p.name == "4" else "AUX") for p in regulator().ports)
        )
        parts = [two_pads("C1", 20, 70, ("VCC", "AUX")), two_pads("C2", 30, 70, ("AUX", "Z"))]
        work = Workspace(board(item, *parts))
        told = work.do(ClusterAround(refs=("C1", "C2"), target=("U1.4", "U1.S"), clearance=0.3))
        assert told.action == "cluster_around C1, C2 around U1.4, U1.S, 0.3 mm from all others"
        assert pad(work.layout, "C2", "1").distance(pad(work.layout, "U1", "S")) < 2.5
        only = Workspace(board(item, *parts))
        only.do(ClusterAround(refs=("C1",), target="U1.4"))
        assert pad(only.layout, "C1", "1").distance(pad(only.layout, "U1", "4")) < 1.6

    @given(st.lists(st.tuples(st.integers(8, 92), st.integers(8, 72)), min_size=1, max_size=4))
    @settings(max_examples=15, deadline=None)
    def test_never_farther(self, where: list[tuple[int, int]]) -> None:
        parts = [two_pads(f"C{i}", x, y, ("VCC", f"N{i % 2}")) for i, (x, y) in enumerate(where)]
        before = board(regulator(), *parts)
        work = Workspace(before)
        work.do(ClusterAround(refs=tuple(p.name for p in parts), target="U1"))
        for part in parts:
            if not collisions(before, [part.name]):
                far = [math.dist(pad(lay, part.name, "1").at, pad(lay, "U1", "4").at) for lay in (before, work.layout)]
                assert far[1] <= far[0] + 2 * NM
        assert not collisions(work.layout, [part.name for part in parts])


def test_clearances_are_the_tightest_of_the_layer() -> None:
    others = [chip(f"R{i}", 20 + 5 * i, 40, 2, 1) for i in range(12)]
    work = Workspace(board(*others, chip("B1", 20, 42, 2, 1, side=0), chip("A", 20, 60, 2, 1)))
    told = work.do(PlaceRelative(ref="A", target="R0", side="bottom", clearance=0.3))
    assert told.clearances[0].between == ("A", "R0")
    assert told.clearances[0].distance == 0.3
    assert len(told.clearances) == 8
    assert "B1" not in {c.between[1] for c in told.clearances}
    assert [c.distance for c in told.clearances] == sorted(c.distance for c in told.clearances)


def test_a_drawing_is_worked_on_by_its_boxes() -> None:
    head = Item("head", "head", Point(0.5, 0.5).buffer(0.1))
    hat = Item("hat", "hat", box(0.1, 0.1, 0.2, 0.15))
    brim = Item("brim", "brim", box(0.08, 0.15, 0.22, 0.17), parent="hat")
    work = Workspace(Layout((head, hat, brim)))
    work.do(PlaceRelative(ref="hat", target="head", side="top", clearance=0.0))
    assert work.layout.bounds("hat")[3] == pytest.approx(0.4)
    with pytest.raises(CollisionError, match="hat would be in head"):
        work.do(MoveBy(refs=("hat",), dy=0.05))


# Random sessions.

NAMES = ("U1", "C1", "C2", "R1", "R2", "J1")
names = st.sampled_from(NAMES)
several = st.lists(names, min_size=2, max_size=4, unique=True).map(tuple)
length = st.integers(-8_000_000, 8_000_000).map(lambda nm: nm * NM)
side = st.sampled_from(["left", "right", "top", "bottom"])
overlap = st.sampled_from([False, False, True])
acts: st.SearchStrategy[Action] = st.one_of(
    st.builds(
        PlaceRelative,
        ref=names,
        target=names,
        side=side,
        clearance=length.map(abs),
        measure=st.sampled_from(["courtyard", "body"]),
        allow_overlap=overlap,
    ),
    st.builds(MoveBy, refs=several, dx=length, dy=length, allow_overlap=overlap),
    st.builds(Rotate, refs=several, by=st.sampled_from([90.0, 30.0, -45.0, 17.5]), allow_overlap=overlap),
    st.builds(Align, refs=several, axis=st.sampled_from(["x", "y"]), allow_overlap=overlap),
    st.builds(Distribute, refs=several, spacing=length.map(abs), allow_overlap=overlap),
    st.builds(Stack, refs=several, spacing=length.map(abs), allow_overlap=overlap),
    st.builds(Flip, refs=several, allow_overlap=overlap),
    st.builds(MoveToEdge, ref=names, edge=side, allow_overlap=overlap),
    st.builds(ClusterAround, refs=several, target=names),
    st.builds(Lock, refs=several, locked=st.booleans()),
)


def start() -> Layout:
    return board(
        regulator(),
        two_pads("C1", 20, 20, ("VCC", "GND")),
        two_pads("C2", 30, 20, ("GND", "VCC"), side=0),
        chip("R1", 20, 60, 3, 1.5),
        chip("R2", 30, 60, 1, 1),
        round_part("J1", 80, 60, 3),
    )


def overlaps(layout: Layout) -> dict[frozenset[str], float]:
    """Shared areas on the same layer, by shapely alone."""
    found: dict[frozenset[str], float] = {}
    for a, b in combinations(layout, 2):
        for layer in (0, 1):
            shapes = [i.shape if i.layer == layer else i.opposite for i in (a, b)]
            if shapes[0] is not None and shapes[1] is not None:
                area = shapes[0].intersection(shapes[1]).area
                found[frozenset((a.name, b.name))] = max(area, found.get(frozenset((a.name, b.name)), 0.0))
    return found


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(acts, max_size=8))
def test_any_actions(steps: list[Action]) -> None:
    work = Workspace(start())
    for step in steps:
        before, copied = work.layout, work.copy()
        try:
            told = work.do(step)
        except RedraftError:
            assert work.layout is before
            continue
        assert copied.layout is before  # a copy stays as it was
        assert copied.do(step) == told  # and comes to the same
        if not told.collisions:
            was, now = overlaps(before), overlaps(work.layout)
            assert all(area <= was.get(pair, 0.0) + 1e-4 or was.get(pair, 0.0) > 0 for pair, area in now.items())
        assert not [n for n in NAMES if before[n].locked and work.layout[n].shape != before[n].shape]
        replayed = start().moved(work.moves)
        assert all(replayed[n].shape.equals_exact(work.layout[n].shape, NM / 100) for n in NAMES)
        assert all(work.layout.boxes[work.layout.rows[n]].tolist() == list(work.layout.bounds(n)) for n in NAMES)


class TestLegalise:
    def test_the_nearest_without_collisions(self) -> None:
        work = Workspace(board(chip("A", 20, 20, 4, 4), chip("B", 23, 20, 4, 4), chip("far", 60, 60, 4, 4)))
        told = work.do(Legalise())
        assert "moved by 1.5 in all; the nearest there is" in told.note
        assert work.layout.whole("A").distance(work.layout.whole("B")) == pytest.approx(0, abs=NM)
        assert {m.ref for m in told.moved} <= {"A", "B"}

    def test_unnamed_and_locked_parts_stay(self) -> None:
        layout = board(chip("A", 20, 20, 4, 4), chip("B", 23, 20, 4, 4), chip("C", 15.5, 20, 4, 4), locked=["B"])
        work = Workspace(layout)
        work.do(Legalise(refs=("A", "B"), clearance=0.2))
        assert work.layout["B"] is layout["B"]
        assert work.layout["C"] is layout["C"]
        gaps = [work.layout.whole("A").distance(work.layout.whole(n)) for n in ("B", "C")]
        assert min(gaps) >= 0.2 - NM / 100

    def test_sides_do_not_exclude_each_other(self) -> None:
        work = Workspace(board(chip("A", 20, 20, 4, 4), chip("B", 23, 20, 4, 4, side=0)))
        assert work.do(Legalise(refs=("A",))).moved == ()

    def test_a_hole_in_a_pad_of_the_other_side(self) -> None:
        hole = replace(round_part("H1", 20, 20, 3), opposite=None)
        work = Workspace(board(hole, two_pads("C1", 20, 20, side=0), locked=["H1"]))
        work.do(Legalise(refs=("C1",)))
        assert min(p.distance(work.layout["H1"].ports[0]) for p in work.layout["C1"].ports) >= 0
        assert collisions(work.layout, ["C1"]) == {}

    def test_inside_an_outline_with_arcs_and_a_cut_out(self) -> None:
        area = Point(50, 40).buffer(30).difference(box(45, 35, 55, 45))
        work = Workspace(board(chip("A", 50, 40, 4, 4), chip("B", 75, 50, 4, 4), area=area))
        work.do(Legalise(refs=("A", "B")))
        assert all(area.buffer(NM).covers(work.layout.whole(n)) for n in "AB")

    def test_every_corner_of_the_outline_counts(self) -> None:
        area = Polygon([(20, 0), (80, 0), (100, 20), (100, 60), (80, 80), (20, 80), (0, 60), (0, 20)])
        corners = {"A": (3, 3), "B": (97, 3), "C": (97, 77), "D": (3, 77)}
        work = Workspace(board(*(chip(n, x, y, 2, 2) for n, (x, y) in corners.items()), area=area))
        work.do(Legalise(refs=tuple(corners)))
        assert all(area.buffer(NM).covers(work.layout.whole(n)) for n in corners)

    def test_what_was_set_is_kept(self) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 20, 20), chip("R1", 70, 40, 2, 1)))
        work.do(PlaceRelative(ref="C1", target="U1", clearance=0.5))
        work.do(PlaceComponent(ref="R1", x=56.5, y=40, allow_overlap=True))
        work.do(Legalise())  # C1 stays at U1, so that R1 gives way
        c, u = work.layout.bounds("C1"), work.layout.bounds("U1")
        assert c[0] - u[2] == pytest.approx(0.5, abs=NM / 100)
        assert work.layout.whole("C1").distance(work.layout.whole("R1")) == pytest.approx(0, abs=NM)

    def test_a_conflict_is_named(self) -> None:
        work = Workspace(board(regulator(), two_pads("C1", 20, 20), chip("R1", 70, 40, 2, 1)))
        work.do(PlaceRelative(ref="C1", target="U1", clearance=0.5))
        work.do(PlaceComponent(ref="R1", x=56.5, y=40, allow_overlap=True))
        with pytest.raises(InfeasibleError) as caught:
            work.do(Legalise(refs=("C1",)))
        words = set(caught.value.constraints)
        assert "R1 stays where it is" in words
        assert any(w.startswith("C1 keeps its place: place_relative C1 0.5 mm right of U1") for w in words)
        assert len(words) == 3


def test_a_part_stays_in_its_own_keep_out_and_others_leave_it() -> None:
    antenna = Keepout("antenna", box(18, 18, 26, 22), item="U1")
    layout = board(replace(chip("U1", 20, 20, 6, 4), keepouts=(antenna,)), chip("R1", 25, 20, 2, 1))
    workspace = Workspace(layout)
    workspace.do(Legalise())
    assert [move.item for move in workspace.moves] == ["R1"]
    assert workspace.layout["R1"].shape.bounds[0] == pytest.approx(26, abs=1e-5)


class TestSeveralPadsOfOneName:
    @pytest.mark.parametrize(("side", "at"), [("left", 20.0), ("right", 80.0), ("top", 20.0), ("bottom", 70.0)])
    def test_the_distance_is_to_the_nearest_of_them(self, side: str, at: float) -> None:
        pads = [Port("S", (x, y), box(x - 0.5, y - 0.5, x + 0.5, y + 0.5)) for x, y in ((48, 38), (53, 38.4), (50, 42))]
        shield = replace(chip("U1", 50, 40, 12, 10), ports=tuple(pads))
        work = Workspace(board(shield, two_pads("C1", at, at)))
        done = work.do(
            PlaceRelative.model_validate(
                {"ref": "C1", "target": "U1.S", "side": side, "clearance": 4.5, "allow_overlap": True}
            )
        )
        gaps = [p.distance(q) for p in work.layout["C1"].ports for q in pads]
        assert min(gaps) == pytest.approx(4.5, abs=NM)
        assert "the nearest of 3 pads of this name, at (" in done.note


def test_a_drawing_is_no_obstacle_and_can_be_moved() -> None:
    logo = replace(chip("LOGO1", 50, 40, 8, 8), claims=False)
    work = Workspace(board(logo, chip("C1", 10, 10, 2, 1)))
    assert work.do(PlaceComponent(ref="C1", x=50, y=40)).collisions == ()
    work.do(MoveBy(refs=("LOGO1",), dx=1))
    work.do(Legalise(refs=("LOGO1", "C1")))
    assert work.layout.bounds("C1") == pytest.approx((48.75, 39.25, 51.25, 40.75))


def test_legalize_refuses_a_board_whose_parts_all_lie_beside_it() -> None:
    work = Workspace(board(chip("C1", -10, 10, 2, 1), chip("C2", -10, 10.5, 2, 1)))
    with pytest.raises(InfeasibleError, match=r"All 2 components lie beside the board.*name those.*C1, C2"):
        work.do(Legalise())
    work.do(Legalise(refs=("C1", "C2")))
    area = work.layout.area
    assert area is not None
    assert all(area.covers(work.layout[name].shape) for name in ("C1", "C2"))


def test_legalize_names_the_parts_that_it_left_beside_the_board() -> None:
    work = Workspace(board(chip("C1", 10, 10, 2, 1), chip("C2", -10, 10.5, 2, 1)))
    assert "left beside the board: C2; name them to bring them in" in work.do(Legalise()).note
