"""redraft's own checks: each kind found, measured and fixed; what was there inherited; and KiCad agreeing."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_parts import DEMOS, needs
from shapely.geometry import LineString, MultiPolygon, Point, box
from shapely.geometry.base import BaseGeometry
from small_board import write_routed
from two_parts import two_parts

from redraft.errors import CollisionError
from redraft.layout.items import Frame, Item, Keepout, Layout, Move, Port
from redraft.result import Issue
from redraft.studios.board.actions.registry import PlaceComponent
from redraft.studios.board.actions.workspace import Workspace
from redraft.studios.board.board import Board
from redraft.studios.board.drc import DrcResult
from redraft.studios.board.kicad.cli import drc
from redraft.studios.board.rules import check

FRAME = Frame(unit="mm", quantum=1e-6, solid=True, layers={1: "Top", 0: "Bottom"})
AREA = box(0, 0, 40, 30)
MOVE = re.compile(r"move (\S+) ([\d.]+) mm (left|right|up|down)(?: and ([\d.]+) mm (left|right|up|down))?$")
WAYS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}


def part(
    name: str,
    x: float,
    y: float,
    *,
    w: float = 3.0,
    h: float = 2.0,
    layer: int = 1,
    nets: str = "AB",
    locked: bool = False,
) -> Item:
    """A room about its middle, with square pads of 0.8 mm at both ends, 0.2 mm within."""
    pads = tuple(
        Port(str(n), (at, y), box(at - 0.4, y - 0.4, at + 0.4, y + 0.4), net=net)
        for n, (at, net) in enumerate(((x - w / 2 + 0.6, nets[0]), (x + w / 2 - 0.6, nets[1])), 1)
    )
    room = box(x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    return Item(name, "part", room, layer=layer, ports=pads, origin=(x, y), locked=locked)


def board(*items: Item, area: BaseGeometry | None = AREA, keepouts: tuple[Keepout, ...] = ()) -> Layout:
    return Layout(items, FRAME, area=area, keepouts=keepouts, clearance=0.2, edge_clearance=0.5)


def done(issue: Issue, layout: Layout) -> Layout:
    """The layout after what an issue says would fix it."""
    found = MOVE.match(issue.hint)
    assert found, issue.hint
    name, *steps = found.groups()
    moves = [
        Move.shift(name, WAYS[word][0] * float(way), WAYS[word][1] * float(way))
        for way, word in zip(steps[::2], steps[1::2], strict=True)
        if way
    ]
    return layout.moved(tuple(moves))


def codes(layout: Layout, base: Layout | None = None) -> list[str]:
    return [issue.code for issue in check(layout, base).issues]


def test_parts_apart_are_in_order() -> None:
    assert check(board(part("R1", 10, 10), part("R2", 14, 10))).score == 1.0


def test_parts_that_touch_are_in_order() -> None:
    assert codes(board(part("R1", 10, 10), part("R2", 13, 10))) == []


def test_an_overlap_says_how_deep_and_how_to_fix_it() -> None:
    layout = board(part("U1", 10, 10, w=6, h=6), part("C1", 14.4, 10))
    (issue,) = check(layout).issues
    assert (issue.code, issue.severity, issue.subjects) == ("board.overlap", "error", ("U1", "C1"))
    assert issue.numbers["depth"] == pytest.approx(0.1)
    assert issue.hint == "move C1 0.1 mm right"
    assert codes(done(issue, layout)) == []


def test_of_two_parts_the_one_that_may_move_is_told_to() -> None:
    layout = board(part("U1", 10, 10, w=6, h=6), part("C1", 14.4, 10, locked=True))
    assert check(layout).issues[0].hint == "move U1 0.1 mm left"


def test_what_was_moved_is_told_to_move_again() -> None:
    base = board(part("C1", 20, 10), part("U1", 10, 10, w=6, h=6))
    (issue,) = check(base.moved((Move.shift("U1", 5.6, 0),)), base).issues
    assert issue.hint == "move U1 0.1 mm left"


def test_the_two_sides_are_apart_but_for_holes() -> None:
    front, back = part("U1", 10, 10), part("U2", 10, 10, layer=0, nets="CD")
    assert codes(board(front, back)) == []
    hole = Port("1", (8.9, 10), Point(8.9, 10), 0.4, net="A", through=True)
    through = Item("J1", "connector", front.shape, layer=1, ports=(hole,), origin=(10.0, 10.0))
    assert "board.clearance" in codes(board(through, back))


def test_pads_too_near_are_measured_between_their_true_shapes() -> None:
    round_pads = [
        Item(
            f"T{n}",
            "pad",
            Point(x, y).buffer(0.5),
            layer=1,
            origin=(x, y),
            ports=(Port("1", (x, y), Point(x, y), 0.5, net),),
        )
        for n, (x, y, net) in enumerate(((10, 10, "A"), (10.8, 10.8, "B")), 1)
    ]
    (issue,) = (i for i in check(board(*round_pads)).issues if i.code == "board.clearance")
    assert issue.numbers == {"expected": 0.2, "actual": pytest.approx(math.hypot(0.8, 0.8) - 1.0, abs=1e-6)}
    assert "T1.1" in issue.message
    assert "T2.1" in issue.message
    assert "board.clearance" not in codes(done(issue, board(*round_pads)))


def test_one_net_may_touch_itself_and_no_net_is_none() -> None:
    def close(nets: str) -> list[str]:
        narrow = [part("R1", 10, 10, nets="A" + nets[0]), part("R2", 12.3, 10, nets=nets[1] + "B")]
        return [code for code in codes(board(*narrow)) if code == "board.clearance"]

    assert close("XX") == []
    assert close("XY") == ["board.clearance"]


def test_the_rules_of_the_board_are_asked_by_net() -> None:
    def clearance(net_a: str, net_b: str) -> float:
        return 2.0 if "HV" in (net_a, net_b) else 0.1

    def near(net: str) -> Layout:
        first, second = part("R1", 10, 10), part("R2", 14, 10)
        pad = second.ports[0]
        there = Port(pad.name, pad.at, pad.core, net=net)
        beside = Item("R2", "part", second.shape, layer=1, ports=(there,), origin=(14.0, 10.0))
        return replace(board(first, beside), clearance=clearance)

    assert check(near("C")).issues == ()
    (issue,) = check(near("HV")).issues
    assert issue.numbers == {"expected": 2.0, "actual": pytest.approx(1.4)}  # 1 mm of room, 0.2 mm within either


def test_copper_near_the_edge_or_a_cut_out() -> None:
    (issue,) = check(board(part("R1", 1.6, 10))).issues  # its pad begins at 0.3 mm
    assert (issue.code, issue.numbers) == ("board.edge", {"expected": 0.5, "actual": pytest.approx(0.3)})
    holed = AREA.difference(box(12, 9, 13, 11))
    assert codes(board(part("R1", 10.4, 10), area=holed)) == ["board.edge"]


def test_a_part_over_the_edge_is_brought_back() -> None:
    layout = board(part("R1", 0.5, 29.5))
    (issue,) = (i for i in check(layout).issues if i.code == "board.off")
    assert (issue.severity, issue.hint) == ("error", "move R1 1 mm right and 0.5 mm up")
    assert "board.off" not in codes(done(issue, layout))


def test_a_connector_that_only_reaches_over_is_a_warning() -> None:
    pad = Port("1", (35.0, 15.0), box(34, 14, 36, 16), net="A")
    plug = Item("J1", "connector", box(33, 12, 45, 18), layer=1, ports=(pad,), origin=(35.0, 15.0))
    (issue,) = check(board(plug)).issues
    assert (issue.code, issue.severity) == ("board.off", "warning")
    assert issue.numbers["depth"] == pytest.approx(5.0)


def test_a_part_beside_the_board_is_not_placed_yet_which_is_no_fault() -> None:
    assert codes(board(part("R1", 100, 100))) == []


def test_a_keep_out_holds_on_its_own_layers() -> None:
    kept = Keepout("antenna", box(8, 8, 12, 12), layers=(1,))
    (issue,) = check(board(part("R1", 13, 10), keepouts=(kept,))).issues
    assert (issue.code, issue.hint) == ("board.keepout", "move R1 0.5 mm right")
    assert "antenna" in issue.message
    assert codes(board(part("R1", 13, 10, layer=0), keepouts=(kept,))) == []


def test_what_was_there_is_inherited_unless_it_got_worse() -> None:
    base = board(part("R1", 10, 10), part("R2", 12.9, 10, nets="CD"))
    assert set(codes(base)) == {"board.overlap"}
    same = check(base, base)
    assert (same.issues, len(same.inherited), same.score) == ((), 1, 1.0)
    assert codes(board(part("R1", 10, 10), part("R2", 12.95, 10, nets="CD")), base) == []
    assert codes(board(part("R1", 10, 10), part("R2", 12.85, 10, nets="CD")), base) == ["board.overlap"]


def test_an_empty_board_and_parts_without_pads_are_in_order() -> None:
    assert codes(board()) == []
    assert codes(board(Item("H1", "hole", box(4, 4, 6, 6), layer=1))) == []
    assert codes(board(part("R1", 10, 10), area=None)) == []


def test_boards_in_several_pieces() -> None:
    panel = MultiPolygon([box(0, 0, 10, 10), box(20, 0, 30, 10)])
    assert codes(board(part("R1", 25, 5), area=panel)) == []
    assert "board.off" in codes(board(part("R1", 10, 5), area=panel))


places = st.tuples(st.integers(0, 3000), st.integers(0, 2000)).map(lambda at: (at[0] / 100, at[1] / 100))


@given(st.lists(places, min_size=2, max_size=8))
def test_overlaps_are_those_of_a_plain_comparison(at: list[tuple[float, float]]) -> None:
    items = [part(f"R{n}", x, y) for n, (x, y) in enumerate(at)]
    found = {i.subjects for i in check(board(*items, area=None)).issues if i.code == "board.overlap"}
    plain = {
        (a.name, b.name)
        for n, a in enumerate(items)
        for b in items[n + 1 :]
        if a.shape.intersection(b.shape).area > 1e-4  # a hundredth of a millimetre each way
    }
    assert {tuple(sorted(pair)) for pair in found} == {tuple(sorted(pair)) for pair in plain}


@given(places, places)
def test_pad_gaps_are_those_of_a_plain_comparison(one: tuple[float, float], two: tuple[float, float]) -> None:
    a, b = part("R1", *one), part("R2", *two, nets="CD")
    least = min(p.shape.distance(q.shape) for p in a.ports for q in b.ports)
    issues = [i for i in check(board(a, b, area=None)).issues if i.code == "board.clearance"]
    if least < 0.2 - 1e-9:
        assert issues[0].numbers["actual"] == pytest.approx(least, abs=1e-6)
    elif least > 0.2 + 1e-9:
        assert issues == []


def test_a_line_of_pads_with_round_ends_is_exact() -> None:
    oval = Port("1", (10.0, 10.0), LineString([(9, 10), (11, 10)]), 0.5, net="A")
    first = Item("J1", "part", box(8, 9, 12, 11), layer=1, ports=(oval,), origin=(10.0, 10.0))
    second = Item(
        "T1", "pad", box(12, 9.9, 12.3, 10.1), layer=1, ports=(Port("1", (12, 10), Point(12.05, 10), 0.4, "B"),)
    )
    (issue,) = check(board(first, second)).issues
    assert issue.numbers["actual"] == pytest.approx(0.15)


@pytest.mark.real
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("one", "two", "kinds"),
    [
        ((5.0, 5.0), (10.0, 5.0), set[str]()),
        ((5.0, 5.0), (8.1, 5.0), set[str]()),
        ((5.0, 5.0), (7.9, 5.0), {"courtyards_overlap"}),
        ((5.0, 5.0), (6.9, 6.9), {"courtyards_overlap"}),
        ((5.0, 5.0), (7.5, 5.0), {"courtyards_overlap", "clearance"}),
        ((1.5, 5.0), (10.0, 5.0), {"copper_edge_clearance"}),
        ((0.5, 5.0), (10.0, 5.0), {"copper_edge_clearance"}),
        ((5.0, 5.0), (19.4, 19.0), {"copper_edge_clearance"}),
    ],
)
async def test_kicad_finds_the_same(
    tmp_path: Path, one: tuple[float, float], two: tuple[float, float], kinds: set[str]
) -> None:
    needs("kicad-cli")
    path = tmp_path / "two.kicad_pcb"
    path.write_text(two_parts(one, two))
    asked = _kinds(await drc(path))
    ours = {
        {
            "board.overlap": "courtyards_overlap",
            "board.clearance": "clearance",
            "board.edge": "copper_edge_clearance",
            "board.off": "copper_edge_clearance",
        }[issue.code]
        for issue in check(Board.read(path).layout).errors
    }
    assert asked == kinds
    assert ours == kinds


def _kinds(result: DrcResult) -> set[str]:
    known = {"courtyards_overlap", "clearance", "shorting_items", "copper_edge_clearance"}
    found = {violation.type for violation in result.violations} & known
    return {"clearance" if kind == "shorting_items" else kind for kind in found}


@pytest.mark.slow
def test_a_swap_onto_tracks_of_other_nets_is_an_error_and_ripping_them_up_is_a_way_out(tmp_path: Path) -> None:
    from redraft import board as run

    path = write_routed(tmp_path)
    swapped = run(path, "swap C1 and R1", model="offline", drc="never", out=tmp_path / "run")
    shorts = [issue for issue in swapped.report.errors if issue.code == "board.short"]
    assert not swapped.valid
    assert {issue.subjects for issue in shorts} == {("C1",), ("R1",)}
    assert shorts[0].message == "Pad C1.1 (VCC) lies on a track of A on F.Cu."
    assert shorts[0].hint == (
        "the nearest place free of tracks has its middle at (110, 136.5); or move C1 0.85 mm down; "
        "or run with --ripup, which removes this track: it ended at a pad that was moved; "
        "or write the board all the same with --force"
    )
    out = tmp_path / "out.kicad_pcb"
    ripped = run(path, "swap C1 and R1", model="offline", drc="never", out=tmp_path / "two", ripup=True, to=out)
    assert ripped.valid, ripped.report.issues
    kept = [line for line in path.read_text().splitlines() if "(segment" in line][-1]
    assert [line for line in out.read_text().splitlines() if "(segment" in line] == [kept]


def test_ripping_up_is_not_offered_for_a_track_that_it_leaves(tmp_path: Path) -> None:
    before = Board.read(write_routed(tmp_path))
    onto = before.amend((Move.shift("R1", 25.0, -30.0),))
    on = check(onto.layout, base=before.layout).errors
    assert [issue.message for issue in on] == ["Pad R1.1 (A) lies on a track of VCC on F.Cu."]
    assert on[0].hint == "move R1 0.85 mm down; or write the board all the same with --force"


def test_a_shift_along_its_own_track_is_no_error(tmp_path: Path) -> None:
    before = Board.read(write_routed(tmp_path))
    shifted = before.amend((Move.shift("C1", 0.0, 0.4),))
    assert check(shifted.layout, base=before.layout).errors == ()
    near = before.amend((Move.shift("C1", 1.2, 0.0),))
    (found,) = check(near.layout, base=before.layout).errors
    assert (found.code, found.numbers) == ("board.clearance", {"expected": 0.2, "actual": 0.15})
    beyond = near.amend((Move.shift("C1", 0.8, 0.0),))
    assert [issue.code for issue in check(beyond.layout, base=near.layout).errors] == ["board.short"]


@pytest.mark.real
def test_a_drawing_of_a_real_board_is_no_obstacle() -> None:
    needs("kicad-demos")
    board = Board.read(next(DEMOS.rglob("StickHub.kicad_pcb")))
    layout = board.layout
    drawing, chip = layout["LOGO2"], layout["U1"]
    assert (drawing.ports, drawing.layer) == ((), chip.layer)
    assert chip.shape.contains(drawing.shape)
    found = check(layout)
    assert not [issue for issue in found.issues if any(ref.startswith("LOGO") for ref in issue.subjects)]
    workspace = Workspace(layout)
    x0, y0, x1, y1 = chip.shape.bounds
    moved = workspace.do(PlaceComponent(ref="LOGO2", x=(x0 + x1) / 2, y=(y0 + y1) / 2))
    assert moved.collisions == ()
    assert check(workspace.layout, base=layout).issues == ()
    with pytest.raises(CollisionError):
        workspace.do(PlaceComponent(ref="D12", x=149.6, y=96.75))  # onto D11
