"""Pads of every shape, courtyards and bodies: sizes worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Point as Dot
from shapely.geometry import Polygon

from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.footprints import body_of, courtyard_of, hull_of
from redraft.studios.board.kicad.graphics import Graphic, graphic, leading_lines
from redraft.studios.board.kicad.model import Footprint, Pad
from redraft.studios.board.kicad.pads import chamfered, custom, oval, rounded, trapezoid, turned
from redraft.studios.board.kicad.rings import rings
from redraft.studios.board.kicad.sexpr import Point, tree

BOARDS = Path(__file__).parents[3] / "data" / "boards"
SIDES = st.floats(0.01, 50)


@pytest.fixture(scope="module")
def shapes() -> Footprint:
    return BoardFile.read(BOARDS / "shapes.kicad_pcb").footprints[0]


def _pad(footprint: Footprint, number: str) -> Pad:
    return next(pad for pad in footprint.pads if pad.number == number)


def _box(pad: Pad) -> tuple[float, ...]:
    """About the pad's position, edge to edge."""
    (x0, y0, x1, y1), (x, y), r = pad.core.bounds, pad.at, pad.radius
    return (x0 - r - x, y0 - r - y, x1 + r - x, y1 + r - y)


def _area(pad: Pad) -> float:
    """Of a convex core: its own, a band around it, and the round corners."""
    edge = pad.core.length if pad.core.geom_type == "Polygon" else 2 * pad.core.length
    return pad.core.area + edge * pad.radius + math.pi * pad.radius**2


@pytest.mark.parametrize(
    ("number", "box", "area"),
    [
        ("circle", (-1, -1, 1, 1), math.pi),
        ("rect", (-1, -0.5, 1, 0.5), 2),
        ("oval", (-1, -0.5, 1, 0.5), 1 + math.pi / 4),
        ("roundrect", (-0.5, -1, 0.5, 1), 2 - (4 - math.pi) * 0.25**2),  # stored at 120° in a footprint at 30°
        ("chamfer", (-1, -0.5, 1, 0.5), 2 - 2 * 0.25**2 / 2),
        ("trapezoid", (-1.5, -0.5, 1.5, 0.5), 2),
        ("custom", (-0.5, -0.5, 1.5, 0.5), 2),
        ("offset", (-0.25, -0.5, 0.75, 0.5), math.pi / 4),
        ("slot", (-1, -0.5, 1, 0.5), 1 + math.pi / 4),
        ("", (-0.5, -0.5, 0.5, 0.5), math.pi / 4),
    ],
)
def test_each_shape_has_its_size_in_the_unturned_footprint(
    shapes: Footprint, number: str, box: tuple[float, ...], area: float
):
    pad = _pad(shapes, number)
    assert _box(pad) == pytest.approx(box, abs=1e-9)
    assert _area(pad) == pytest.approx(area, abs=1e-9)


def test_chamfers_are_at_the_corners_named(shapes: Footprint):
    x, y = _pad(shapes, "chamfer").at
    points: list[list[float]] = shapely.get_coordinates(_pad(shapes, "chamfer").core).tolist()
    corners = {(round(a - x, 6), round(b - y, 6)) for a, b in points}
    assert corners == {(-1, -0.25), (-0.75, -0.5), (1, -0.5), (1, 0.25), (0.75, 0.5), (-1, 0.5)}


def test_kinds_holes_and_sides(shapes: Footprint):
    offset, slot, hole, plain = (_pad(shapes, number) for number in ("offset", "slot", "", "rect"))
    assert (offset.kind, offset.drill, offset.front, offset.back) == ("through", 0.4, True, True)
    assert (slot.drill, hole.kind, hole.drill) == (1.5, "hole", 1.0)
    assert (plain.kind, plain.drill, plain.front, plain.back) == ("smd", 0.0, True, False)


def test_a_courtyard_of_lines_and_an_arc_with_a_hole_in_it(shapes: Footprint):
    assert shapes.front is not None
    assert shapes.front.bounds == pytest.approx(
        (-2, -2, 32, 2), abs=1e-6
    )  # of two ends that nearly meet, the one written first
    square_and_half_disc = 32 * 4 + math.pi * 4 / 2
    assert shapes.front.area == pytest.approx(square_and_half_disc - math.pi * 0.2**2, abs=0.02)
    assert isinstance(shapes.front, Polygon)
    assert len(shapes.front.interiors) == 1


@given(SIDES, SIDES, st.floats(0, 30))
def test_a_rounded_rectangle_is_as_large_as_asked_for(width: float, height: float, radius: float):
    shape = rounded(width, height, radius)
    x0, y0, x1, y1 = shape.core.bounds
    assert x1 - x0 + 2 * shape.radius == pytest.approx(width)
    assert y1 - y0 + 2 * shape.radius == pytest.approx(height)
    assert shape.radius <= min(width, height) / 2


@given(SIDES, SIDES)
def test_an_oval_is_a_line_with_round_ends(width: float, height: float):
    shape = oval(width, height)
    assert shape.radius == min(width, height) / 2
    assert shape.core.length == pytest.approx(abs(width - height), abs=1e-8)


@given(
    SIDES,
    SIDES,
    st.floats(0.01, 0.5),
    st.floats(0.01, 0.5),
    st.sets(st.sampled_from(["top_left", "top_right", "bottom_left", "bottom_right"])),
)
def test_corners_are_cut_or_round(width: float, height: float, cut: float, radius: float, corners: set[str]):
    cut, radius = cut * min(width, height), radius * min(width, height)
    area = chamfered(width, height, radius, cut, corners).core
    taken = len(corners) * cut**2 / 2 + (4 - len(corners)) * (1 - math.pi / 4) * radius**2
    assert area.is_valid
    assert area.area == pytest.approx(width * height - taken, abs=4 * 0.0002 * 2 * radius + 1e-9)


@given(SIDES, SIDES, st.floats(-0.9, 0.9))
def test_a_trapezoid_keeps_its_area(width: float, height: float, share: float):
    area = trapezoid(width, height, (share * height, 0.0)).core
    assert area.is_valid
    assert area.area == pytest.approx(width * height)


@given(st.integers(-8, 8))
def test_quarter_turns_are_exact_and_counter_clockwise(quarters: int):
    x, y = np.array([1.0, 0.0]) @ turned(90.0 * quarters)
    assert (x, y) == [(1, 0), (0, -1), (-1, 0), (0, 1)][quarters % 4]  # y grows downwards


CORNERS = st.lists(st.floats(0, 6.27), min_size=3, max_size=12, unique_by=lambda a: round(a, 2))


@given(CORNERS, st.randoms(use_true_random=False))
def test_lines_in_any_order_and_direction_are_one_ring(angles: list[float], random: Random):
    corners = [(math.cos(a) * 10, math.sin(a) * 10) for a in sorted(angles)]
    lines = [np.array(pair) for pair in zip(corners, corners[1:] + corners[:1], strict=True)]
    random.shuffle(lines)
    found = rings([line[::-1] if random.random() < 0.5 else line for line in lines] + lines[:1], 0.01)
    assert not found.strays
    assert [ring.equals(Polygon(corners)) for ring in found.closed] == [True]


def test_ends_that_nearly_meet_are_joined_and_others_are_not():
    square = [((0, 0), (9.99, 0)), ((10, 0), (10, 10)), ((10, 10), (0, 10)), ((0, 10), (0, 0))]
    lines = [np.array(line, dtype=float) for line in square]
    assert not rings(lines, 0.02).strays
    assert len(rings(lines, 0.005).strays) == 4
    assert not rings(lines, 0.005).closed


def test_a_stray_line_spoils_a_courtyard():
    square = Graphic("rect", ((0, 0), (2, 2)))
    assert courtyard_of((square,)) is not None
    assert courtyard_of((square, Graphic("line", ((5, 5), (6, 6))))) is None


def test_a_courtyard_drawn_twice_in_different_ways_counts_once():
    square = Graphic("rect", ((0, 0), (2, 2)))
    sides = [Graphic("line", ends) for ends in [((0, 0), (2, 0)), ((2, 0), (2, 2)), ((2, 2), (0, 2)), ((0, 2), (0, 0))]]
    room = courtyard_of((square, *sides))
    assert room is not None
    assert room.area == 4


@pytest.mark.parametrize(("start", "end"), [((0, 0), (6, 4)), ((6, 0), (0, 4)), ((6, 4), (0, 0))])
@pytest.mark.parametrize("radius", [0.0, 1.0, 2.0, 5.0])
def test_rectangles_have_round_corners_as_far_as_there_is_room(start: Point, end: Point, radius: float):
    text = f'(fp_rect (start {start[0]} {start[1]}) (end {end[0]} {end[1]}) (radius {radius}) (layer "F.CrtYd"))'
    drawing = graphic(tree(text.encode()))
    assert drawing is not None
    room, round_by = courtyard_of((drawing,)), min(radius, 2.0)
    assert room is not None
    assert room.bounds == pytest.approx((0, 0, 6, 4), abs=1e-12)
    assert room.area == pytest.approx(24 - (4 - math.pi) * round_by**2, abs=0.004)
    assert room.covers(Dot(3, 0.01))
    assert room.covers(Dot(0.05, 0.05)) == (radius == 0)


def test_a_crossed_courtyard_encloses_nothing_for_certain():
    assert courtyard_of((Graphic("poly", ((0, 0), (2, 2), (2, 0), (0, 2))),)) is None


def test_a_body_is_its_outline_whatever_is_drawn_within():
    outline = Graphic("rect", ((0, 0), (4, 2)))
    mark = Graphic("line", ((0, 1), (1, 0)))
    hole = Graphic("circle", ((2, 1), (2.5, 1)))
    body = body_of((outline, mark, hole))
    assert body is not None
    assert body.equals(Polygon([(0, 0), (4, 0), (4, 2), (0, 2)]))


def test_a_body_that_is_not_closed_is_its_hull():
    body = body_of(
        (
            Graphic("line", ((0, 0), (4, 0))),
            Graphic("line", ((4, 0), (4, 2))),
            Graphic("circle", ((0.2, 0.2), (0.3, 0.2))),
        )
    )
    assert body is not None
    assert body.bounds == (0, 0, 4, 2)


def test_nothing_has_no_hull():
    assert hull_of(None, None) is None
    assert body_of(()) is None
    assert courtyard_of(()) is None


def test_a_heap_of_open_lines_is_given_up_at_once():
    heap = [np.array([(0, i * 1e-6), (1e-6, i * 1e-6)]) for i in range(3000)]
    assert not rings(heap, 0.02).closed


_MILLIMETRES = st.decimals(-500, 500, places=6).map(str)
_LINES = [
    '(fp_line (start {0} {1}) (end {2} {3}) (stroke (width 0.05) (type default)) (layer "F.Fab"))',
    '(fp_line\n\t(start {0} {1})\n\t(end {2} {3})\n\t(stroke (width 1)\n\t\t(type solid)\n\t)\n\t(layer "F.Fab")\n)',
    "(fp_line (start {0} {1}) (end {2} {3}) (layer F.Fab) (width 0.15))",
]


@given(st.sampled_from(_LINES), st.tuples(*[_MILLIMETRES] * 4))
def test_a_plain_line_is_read_at_a_glance_as_it_is_read_whole(written: str, numbers: tuple[str, ...]) -> None:
    line, other = written.format(*numbers).encode(), b'(fp_circle (center 0 0) (end 1 0) (layer "F.Fab"))'
    found, rest = leading_lines(line + b" " + line + other + line)
    whole = graphic(tree(line))
    assert whole is not None
    assert found == [("F.Fab", whole._replace(width=0.0))] * 2
    assert rest == other + line


@pytest.mark.parametrize("wrong", ["1e7 0", "0 wide", "0", "0 0 0"])
def test_a_line_that_is_not_plain_is_left_to_the_reader_that_tells_what_is_wrong(wrong: str) -> None:
    line = f'(fp_line (start {wrong}) (end 1 1) (layer "F.Fab"))'.encode()
    assert leading_lines(line) == ([], line)


@pytest.mark.parametrize(
    ("filled", "width", "area"),
    [(False, 1.0, math.pi * (2.5**2 - 1.5**2)), (True, 1.0, math.pi * 2.5**2), (False, 6.0, math.pi * 5**2)],
)
def test_a_circle_of_a_pad_drawn_by_hand(filled: bool, width: float, area: float) -> None:
    found = custom(oval(0.1, 0.1), [Graphic("circle", ((9, 0), (11, 0)), width=width, filled=filled)]).core
    assert found.area == pytest.approx(area + math.pi * 0.05**2, rel=1e-3)
    reach = 2 + width / 2
    assert found.bounds[1:] == pytest.approx((-reach, 9 + reach, reach), abs=1e-9)


def test_strokes_of_a_pad_drawn_by_hand_with_one_pen_and_with_another() -> None:
    cross = [Graphic("line", ((-4, 0), (4, 0)), width=2), Graphic("line", ((0, -4), (0, 4)), width=2)]
    thin = Graphic("line", ((0, 4), (0, 9)), width=0.5)
    found = custom(rounded(2, 2, 0), [*cross, thin]).core
    beyond = 0.5 * 4  # of the thin one, outside the cross's round end
    whole = 2 * (8 * 2) - 2 * 2 + 4 * math.pi / 2 + beyond + math.pi * 0.25**2 / 2
    assert found.area == pytest.approx(whole, abs=0.02)
    assert found.bounds == pytest.approx((-5, -5, 5, 9.25), abs=1e-3)


def _lines(*corners: Point) -> list[Graphic]:
    return [Graphic("line", ends) for ends in zip(corners, [*corners[1:], corners[0]], strict=True)]


def test_a_body_of_lines_end_to_end_with_marks_in_it_with_a_notch_and_with_a_tab() -> None:
    square, notch = _lines((0, 0), (8, 0), (8, 8), (0, 8)), _lines((0, 0), (8, 0), (8, 8), (4, 6), (0, 8))
    marks = [Graphic("line", ((0, 2), (3, 2))), Graphic("line", ((1, 1), (2, 1)))]
    tab = [Graphic("line", ends) for ends in (((8, 2), (9, 2)), ((9, 2), (9, 4)), ((9, 4), (8, 4)))]
    for drawing, area in ((square, 64.0), ([*square, *marks], 64.0), (notch, 56.0), ([*notch, *marks], 56.0)):
        body = body_of(tuple(drawing))
        assert body is not None
        assert body.area == pytest.approx(area, abs=1e-9)
    body = body_of((*square, *tab))
    assert body is not None
    assert body.area == pytest.approx(64 + 2, abs=1e-9)
