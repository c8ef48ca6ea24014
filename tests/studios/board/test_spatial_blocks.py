"""Blocks as rigid bodies, and copied onto repeats of the same sheet."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import board, chip, two_pads
from real_parts import needs
from shapely.geometry import box

from redraft.errors import BriefError, CollisionError, InfeasibleError
from redraft.layout.items import Bounds, Fixture, Item, Layout, Port
from redraft.studios.board.actions.registry import CopyBlock, Lock, MoveBlock, MoveBy, PlaceRelative, Rotate
from redraft.studios.board.actions.workspace import Workspace
from redraft.studios.board.board import Board
from redraft.studios.board.place.blocks import box_of, corresponding, members, named_block
from redraft.studios.board.solve.collisions import collisions

NM = 1e-6


def channel(n: int, x: float, y: float, *, symbols: bool = True) -> list[Item]:
    """An IC with a resistor and two capacitors around it."""
    net = {1: f"OUT{n}", 2: f"IN{n}"}
    pads = [
        Port(str(i), (x + d, y), box(x + d - 0.3, y - 0.3, x + d + 0.3, y + 0.3), 0.0, net[i])
        for i, d in ((1, -3), (2, 3))
    ]
    parts = [
        replace(chip(f"U{n}", x, y, 6, 4), ports=tuple(pads), value="OPA", label="IC"),
        replace(two_pads(f"R{n}", x, y + 4, (net[1], net[2])), value="10k"),
        replace(two_pads(f"C{2 * n}", x + 5, y, (net[2], "GND")), value="1u"),
        replace(two_pads(f"C{2 * n + 1}", x - 5, y + 1, (net[1], "GND")), value="1u"),
    ]
    return [replace(part, symbol=f"s{i}" if symbols else "") for i, part in enumerate(parts)]


def channels(*, symbols: bool = True, more: tuple[Item, ...] = ()) -> Layout:
    places = ((15.0, 15.0), (40.0, 20.0), (70.0, 30.0))
    parts = [channel(n, x, y, symbols=symbols) for n, (x, y) in enumerate(places, start=1)]
    layout = board(*(part for each in parts for part in each), *more)
    return replace(layout, blocks={f"/ch{n}/": tuple(p.name for p in each) for n, each in enumerate(parts, start=1)})


def offsets(layout: Layout, names: tuple[str, ...]) -> list[tuple[float, float, float]]:
    """Distances of the positions of all pairs, and how much the second is turned against the first."""
    found: list[tuple[float, float, float]] = []
    for a, b in combinations(names, 2):
        (x, y), (u, v) = layout[a].origin or (0, 0), layout[b].origin or (0, 0)
        turned = (layout[b].rotation - layout[a].rotation) % 360.0
        found.append(
            (round(float(np.hypot(u - x, v - y)), 7), round(turned, 9), abs(layout[a].layer - layout[b].layer))
        )
    return found


class TestMoveBlock:
    def test_beside_a_part_box_to_box(self) -> None:
        work = Workspace(channels(more=(chip("J1", 60, 60, 8, 8),)))
        before = offsets(work.layout, work.layout.blocks["/ch1/"])
        told = work.do(MoveBlock(block="/ch1/", target="J1", side="left", clearance=1.5))
        assert told.action == "move_block /ch1/ 1.5 mm left of J1"
        assert work.layout.bounds("J1")[0] - box_of(work.layout, work.layout.blocks["/ch1/"])[2] == pytest.approx(1.5)
        assert offsets(work.layout, work.layout.blocks["/ch1/"]) == before

    def test_without_a_side_at_the_nearest_free_one(self) -> None:
        work = Workspace(channels(more=(chip("J1", 60, 60, 8, 8), chip("X1", 50, 60, 4, 8))))
        work.do(MoveBlock(block="ch1", target="J1"))
        names = work.layout.blocks["/ch1/"]
        assert not collisions(work.layout, names)
        assert box_of(work.layout, names)[3] == pytest.approx(work.layout.bounds("J1")[1] - 0.5)

    @pytest.mark.parametrize(
        ("side", "edges"), [("left", {0: 0.0}), ("bottom", {3: 80.0}), ("top left", {0: 0.0, 1: 0.0})]
    )
    def test_at_edges_and_corners(self, side: Any, edges: dict[int, float]) -> None:
        work = Workspace(channels())
        work.do(MoveBlock(block="/ch3/", target="edge", side=side, clearance=0.0, allow_overlap=True))
        found = box_of(work.layout, work.layout.blocks["/ch3/"])
        assert {i: pytest.approx(found[i]) for i in edges} == edges

    def test_beside_another_block(self) -> None:
        work = Workspace(channels())
        work.do(MoveBlock(block="/ch3/", target="/ch1/", side="bottom", clearance=2, align="start"))
        a, b = (box_of(work.layout, work.layout.blocks[name]) for name in ("/ch1/", "/ch3/"))
        assert (b[0], b[1] - a[3]) == (pytest.approx(a[0]), pytest.approx(2.0))

    @given(st.sampled_from([0, 90, 180, 270]), st.booleans(), st.sampled_from(["left", "right", "top", "bottom"]))
    @settings(max_examples=20, deadline=None)
    def test_rigid(self, rotation: Any, flip: bool, side: Any) -> None:
        layout = channels(more=(chip("J1", 50, 50.0000005, 8, 8),))
        work = Workspace(layout)
        action = MoveBlock(block="/ch2/", target="J1", side=side, rotation=rotation, flip=flip, allow_overlap=True)
        work.do(action)
        names = layout.blocks["/ch2/"]
        turned = [(-1 if flip else 1) * layout[n].rotation + rotation for n in names]
        assert [(work.layout[n].rotation - t) % 360.0 for n, t in zip(names, turned, strict=True)] == [0.0] * len(names)
        assert {work.layout[n].layer for n in names} == {0 if flip else 1}
        distances = [o[0] for o in offsets(work.layout, names)]
        assert distances == [o[0] for o in offsets(layout, names)]
        for name in names:
            origin = work.layout[name].origin
            assert origin is not None
            assert all(abs(value / NM - round(value / NM)) < 1e-3 for value in origin)

    def test_collisions_name_the_nearest_free_place_of_the_whole(self) -> None:
        work = Workspace(channels(more=(chip("J1", 60, 60, 8, 8), chip("X1", 50, 60, 4, 8))))
        before = work.layout
        with pytest.raises(CollisionError, match="the nearest free place for the whole block") as found:
            work.do(MoveBlock(block="/ch1/", target="J1", side="left"))
        assert work.layout is before
        step = re.search(r"dx=(-?[\d.]+), dy=(-?[\d.]+)", str(found.value))
        assert step is not None
        work.do(MoveBlock(block="/ch1/", target="J1", side="left", allow_overlap=True))
        work.do(MoveBy(refs=("/ch1/",), dx=float(step[1]), dy=float(step[2])))
        assert not collisions(work.layout, work.layout.blocks["/ch1/"])

    def test_tracks_stay_and_are_counted(self) -> None:
        track = Fixture("track", box(10, 16, 12, 16.2), "F.Cu", "OUT1", ((9.3, 16.0), (12.0, 16.1)))

        def fixtures(window: Bounds) -> list[Fixture]:
            return [track]

        layout = replace(channels(), fixtures=fixtures)
        told = Workspace(layout).do(MoveBlock(block="/ch1/", target="edge", side="bottom"))
        assert told.note == "1 track ends at its pads and stays where it is"

    @pytest.mark.parametrize(
        ("action", "error", "said"),
        [
            (MoveBlock(block="/ch4/", target="edge"), BriefError, "no block '/ch4/'; did you mean /ch3/, /ch2/, /ch1/"),
            (MoveBlock(block="/empty/", target="edge"), BriefError, "has no components"),
            (MoveBlock(block="/ch1/", target="R1"), BriefError, "the target R1 is within the block"),
            (MoveBlock(block="/ch1/", target="R2.9"), BriefError, "R2 has no pad '9'"),
            (MoveBlock(block="/ch1/", target="R2", side="top left"), BriefError, "a corner of the board"),
            (MoveBlock(), BriefError, "either a block or refs"),
            (MoveBlock(block="/ch2/", target="edge", side="left"), InfeasibleError, "R2 is locked"),
            (PlaceRelative(ref="/ch1/", target="U2"), BriefError, "a block of 4 components: move_block"),
            (Rotate(refs=("/ch1/",), by=90), BriefError, "a block of 4 components: move_block"),
        ],
    )
    def test_bad_input(self, action: Any, error: type[Exception], said: str) -> None:
        layout = channels()
        work = Workspace(replace(layout, blocks={**layout.blocks, "/empty/": ()}))
        work.do(Lock(refs=("R2",)))
        with pytest.raises(error, match=said):
            work.do(action)


class TestCopyBlock:
    def test_around_the_largest_which_stays(self) -> None:
        work = Workspace(channels())
        work.do(Rotate(refs=("U2",), by=90, allow_overlap=True))
        was = work.layout["U2"].origin
        work.do(MoveBy(refs=("R1",), dx=1.25))
        work.do(CopyBlock(source="/ch1/", onto=("/ch2/", "/ch3/")))
        assert work.layout["U2"].origin == was
        same = [offsets(work.layout, work.layout.blocks[f"/ch{n}/"]) for n in (1, 2, 3)]
        assert same[0] == same[1] == same[2]
        assert work.layout["R2"].rotation == 90.0

    def test_stacked_beside_the_source(self) -> None:
        work = Workspace(channels())
        work.do(CopyBlock(source="ch1", onto=("ch2", "ch3"), direction="down", spacing=2))
        boxes = [box_of(work.layout, work.layout.blocks[f"/ch{n}/"]) for n in (1, 2, 3)]
        assert [b[0] for b in boxes] == pytest.approx([boxes[0][0]] * 3)
        assert [b[1] - a[3] for a, b in pairwise(boxes)] == pytest.approx([2.0, 2.0])

    def test_onto_the_other_side(self) -> None:
        layout = channels()
        from redraft.studios.board.actions.moves import flip

        work = Workspace(layout.moved(flip(layout, ["U2"])))
        work.do(CopyBlock(source="/ch1/", onto=("/ch2/",)))
        assert {work.layout[name].layer for name in layout.blocks["/ch2/"]} == {0}
        assert [o[0] for o in offsets(work.layout, layout.blocks["/ch2/"])] == [
            o[0] for o in offsets(layout, layout.blocks["/ch1/"])
        ]

    def test_by_structure_where_the_file_does_not_say(self) -> None:
        layout = channels(symbols=False)
        assert corresponding(layout, "/ch1/", "/ch2/") == {"U1": "U2", "R1": "R2", "C2": "C4", "C3": "C5"}

    def test_parallel_components_stand_for_each_other_and_others_do_not(self) -> None:
        layout = channels(symbols=False)
        same = [replace(two_pads(f"C{n}", n, 70, ("VCC", "GND")), value="100n") for n in (20, 24, 28, 32)]
        odd = [replace(two_pads(f"L{n}", n, 60, (f"N{n}", f"M{n}")), value="1u") for n in (20, 24, 28, 32)]
        layout = replace(board(*layout.items, *same, *odd), blocks=layout.blocks)
        blocks = {"/a/": ("C20", "C24"), "/b/": ("C28", "C32"), "/c/": ("L20", "L24"), "/d/": ("L28", "L32")}
        layout = replace(layout, blocks=blocks)
        assert corresponding(layout, "/a/", "/b/") == {"C20": "C28", "C24": "C32"}
        with pytest.raises(BriefError, match="L28, L32 of /d/ could each stand for L20 of /c/"):
            corresponding(layout, "/c/", "/d/")
        with pytest.raises(BriefError, match="not repeats of one sheet"):
            corresponding(layout, "/a/", "/c/")

    @pytest.mark.parametrize(
        ("action", "error", "said"),
        [
            (CopyBlock(source="/ch1/", onto=("/ch1/",)), BriefError, "is the source"),
            (CopyBlock(source="/ch1/", onto=("/ch9/",)), BriefError, "no block '/ch9/'"),
            (CopyBlock(source="/ch1/", onto=("/ch2/",)), InfeasibleError, "R2 is locked"),
            (CopyBlock(source="/ch1/", onto=("/two/",)), BriefError, "/two/ has 2 components and /ch1/ has 4"),
        ],
    )
    def test_bad_input(self, action: CopyBlock, error: type[Exception], said: str) -> None:
        layout = channels(more=(chip("X1", 50, 60, 4, 8), chip("X2", 60, 60, 4, 8)))
        work = Workspace(replace(layout, blocks={**layout.blocks, "/two/": ("X1", "X2")}))
        work.do(MoveBy(refs=("R2",), dx=1))
        work.do(Lock(refs=("R2",)))
        with pytest.raises(error, match=said):
            work.do(action)


def test_blocks_are_meant_by_their_last_words() -> None:
    layout = replace(
        channels(), blocks={"/top/Power Supply/": ("U1",), "/channel1/": ("U2",), "/a/x/": ("U3",), "/b/x/": ("R1",)}
    )
    for said, meant in {
        "power supply": "/top/Power Supply/", "/top/power_supply": "/top/Power Supply/", "channel 1": "/channel1/",
        "CH1": "/channel1/",
        "x": None, "/a/x": "/a/x/", "y": None,
    }.items():  # fmt: skip
        assert named_block(layout, said) == meant
    with pytest.raises(BriefError, match="may be /a/x/ or /b/x/"):
        members(layout, "x")


@pytest.mark.slow
def test_the_channels_of_a_real_mixer() -> None:
    """Four channels by another hand: one copied onto the others, stacked below each other on an empty board."""
    path = Path(needs("kicad-demos")) / "multichannel" / "multichannel_mixer-unrouted.kicad_pcb"
    work = Workspace(replace(Board.read(path).layout, area=None))
    names = [f"/CH{n}/" for n in range(1, 5)]
    before = offsets(work.layout, work.layout.blocks["/CH1/"])
    told = work.do(CopyBlock(source="channel 1", onto=("channel 2", "channel 3", "channel 4"), allow_overlap=True))
    assert told.moved
    for name in names[1:]:
        pairs = corresponding(work.layout, "/CH1/", name)
        assert offsets(work.layout, tuple(pairs[ref] for ref in work.layout.blocks["/CH1/"])) == before
    work.do(MoveBlock(block="CH2", target="/CH1/", side="bottom", clearance=1, rotation=90, allow_overlap=True))
    a, b = (box_of(work.layout, work.layout.blocks[name]) for name in names[:2])
    assert b[1] - a[3] == pytest.approx(1.0, abs=2 * NM)
