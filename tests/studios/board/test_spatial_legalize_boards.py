"""Legalising on boards, whatever the scramble: judged by intersections of shapes, not by the product's own check."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import board, chip, two_pads
from shapely.geometry import Point

from redraft.errors import InfeasibleError
from redraft.layout.items import Item, Layout, Port
from redraft.studios.board.actions.registry import Legalise, PlaceRelative
from redraft.studios.board.actions.workspace import Workspace

pytestmark = pytest.mark.slow

QUANTUM_AREA = 1e-4
"""mm²: a sliver of a nanometre along the largest part is less."""

sizes = st.integers(5, 80).map(lambda n: n / 10)
places = st.integers(5, 95).map(float)


@st.composite
def scrambles(draw: st.DrawFn) -> Layout:
    """Parts of both sides thrown on a board of 100 × 80 mm, one of them locked, one a connector through the board."""
    count = draw(st.integers(2, 9))
    parts = [chip(f"U{n}", draw(places), draw(places) * 0.8, draw(sizes), draw(sizes)) for n in range(count)]
    parts = [replace(part, layer=draw(st.sampled_from((0, 1)))) for part in parts]
    locked = replace(chip("H1", 50, 40, draw(sizes), draw(sizes)), locked=True)
    return board(locked, through("J1", draw(places), draw(places) * 0.8), *parts)


def through(name: str, x: float, y: float) -> Item:
    holes = tuple(Port(str(n), (x + n, y), Point(x + n, y), 0.4, through=True) for n in (-1, 1))
    return replace(chip(name, x, y, 4, 2), ports=holes)


def shared(a: Item, b: Item) -> float:
    """mm² in which two parts are in each other: rooms of one side, or a hole's pad in a pad."""
    same = a.shape.intersection(b.shape).area if a.layer == b.layer else 0.0
    pads = sum(p.shape.intersection(q.shape).area for p in a.ports for q in b.ports)
    return same + pads


def overlaps(layout: Layout) -> dict[tuple[str, str], float]:
    pairs = {(a.name, b.name): shared(a, b) for a, b in combinations(layout.items, 2)}
    return {pair: area for pair, area in pairs.items() if area > QUANTUM_AREA}


def legalised(layout: Layout, *refs: str) -> Layout | None:
    """After the action; None where it says that there is no answer."""
    work = Workspace(layout)
    try:
        work.do(Legalise(refs=refs))
    except InfeasibleError:
        return None
    return work.layout


@settings(max_examples=25, deadline=None)
@given(scrambles())
def test_nothing_is_worse_and_what_is_locked_stays(layout: Layout) -> None:
    after = legalised(layout)
    assert after is not None
    before = overlaps(layout)
    assert all(area <= before.get(pair, 0.0) + QUANTUM_AREA for pair, area in overlaps(after).items())
    assert after["H1"] is layout["H1"]


@settings(max_examples=15, deadline=None)
@given(scrambles())
def test_a_board_with_room_is_left_without_any_overlap_of_what_may_move(layout: Layout) -> None:
    after = legalised(layout)
    assert after is not None
    on_board = [i.name for i in layout if layout.area is not None and layout.area.covers(i.shape)]
    assert [pair for pair in overlaps(after) if set(pair) <= set(on_board)] == []


@settings(max_examples=15, deadline=None)
@given(scrambles(), st.data())
def test_only_what_is_named_moves(layout: Layout, data: st.DataObject) -> None:
    refs = data.draw(st.lists(st.sampled_from([i.name for i in layout if not i.locked]), min_size=1, unique=True))
    after = legalised(layout, *refs)
    if after is not None:
        assert [i.name for i in layout if i.name not in refs and after[i.name] is not i] == []
        assert [pair for pair in overlaps(after) if set(pair) & set(refs)] == []


@settings(max_examples=10, deadline=None)
@given(scrambles())
def test_two_runs_agree(layout: Layout) -> None:
    first, second = legalised(layout), legalised(layout)
    assert first is not None
    assert second is not None
    assert [i.shape.wkb for i in first] == [i.shape.wkb for i in second]


@settings(max_examples=10, deadline=None)
@given(places, places)
def test_what_an_action_set_is_kept(x: float, y: float) -> None:
    parts = (chip("U1", 50, 40, 10, 10), two_pads("C1", 20, 20), chip("U2", x, y * 0.8, 8, 8))
    work = Workspace(board(*parts))
    work.do(PlaceRelative(ref="C1", target="U1", clearance=0.5, allow_overlap=True))
    try:
        work.do(Legalise(refs=("C1", "U1", "U2")))
    except InfeasibleError:
        return
    assert abs(work.layout.bounds("C1")[0] - work.layout.bounds("U1")[2] - 0.5) < 1e-6
    assert overlaps(work.layout) == {}


def test_a_part_larger_than_the_room_is_left_and_said() -> None:
    walls = [replace(chip(f"W{n}", 5 + 10 * n, 40, 9, 78), locked=True) for n in range(10)]
    work = Workspace(board(*walls, chip("U1", 50, 40, 20, 20)))
    outcome = work.do(Legalise())
    assert outcome.moved == ()
    assert "U1 was left" in outcome.note


def test_pads_of_the_other_side_are_stepped_over_in_one_go() -> None:
    """A row of holes below: a part with holes finds a place between all of them, not one hole further on."""
    holes = tuple(Port(str(n), (22 + n, 40), Point(22 + n, 40), 0.45, through=True) for n in range(57))
    row = replace(chip("J1", 50, 40, 60, 2, side=0), locked=True, ports=holes)
    work = Workspace(board(row, through("U1", 50, 40), chip("U2", 50, 41, 6, 4)))
    work.do(Legalise())
    assert overlaps(work.layout) == {}
    assert work.layout["J1"] is row
