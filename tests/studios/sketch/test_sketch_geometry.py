"""What a drawing paints: areas and boxes against formulas, and against the pixels of an independent renderer."""

from __future__ import annotations

import io
import math
import random
import time
from typing import Any

import pytest
from PIL import Image
from shapely.geometry import Point, Polygon, box
from sketches import KINDS, drawing_of, house

from redraft.studios.sketch.geometry import TangledError, layout_of, nonzero, painted
from redraft.studios.sketch.spec import Drawing, Stroke
from redraft.studios.sketch.svg import png, svg


def single(**stroke: Any) -> Drawing:
    return drawing_of({"plan": [{"name": "a", "label": "a"}], "strokes": [{"part": "a", **stroke}]})


def stroke_of(**fields: Any) -> Stroke:
    return single(**fields).strokes[0]


def test_areas_by_formula() -> None:
    plain = {"fill": "red", "stroke": "none"}
    assert painted(stroke_of(kind="rect", x=0.1, y=0.2, w=0.3, h=0.4, **plain)).area == pytest.approx(0.12)
    circle = painted(stroke_of(kind="ellipse", cx=0.5, cy=0.5, rx=0.2, ry=0.2, **plain))
    assert circle.area == pytest.approx(math.pi * 0.04, rel=2e-3)
    line = painted(stroke_of(kind="line", points=[[0.1, 0.5], [0.6, 0.5]], stroke="red", width=0.02))
    assert line.area == pytest.approx(0.5 * 0.02 + math.pi * 0.01**2, rel=2e-3)
    ring = painted(stroke_of(kind="ellipse", cx=0.5, cy=0.5, rx=0.2, ry=0.2, stroke="red", width=0.04))
    assert ring.area == pytest.approx(math.pi * (0.22**2 - 0.18**2), rel=3e-3)
    half = painted(stroke_of(kind="arc", cx=0.5, cy=0.5, rx=0.2, ry=0.1, start=90, end=270, **plain))
    assert half.area == pytest.approx(math.pi * 0.2 * 0.1 / 2, rel=3e-3)
    assert half.bounds == pytest.approx((0.3, 0.5, 0.7, 0.6), abs=1e-4)


def test_boxes_include_the_pen_exactly() -> None:
    pen = {"stroke": "red", "width": 0.02}
    assert painted(stroke_of(kind="rect", x=0.1, y=0.2, w=0.3, h=0.4, **pen)).bounds == pytest.approx(
        (0.09, 0.19, 0.41, 0.61), abs=1e-9
    )
    assert painted(stroke_of(kind="ellipse", cx=0.5, cy=0.5, rx=0.1, ry=0.1, **pen)).bounds == pytest.approx(
        (0.39, 0.39, 0.61, 0.61), abs=1e-9
    )


def test_the_nonzero_rule() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    inner = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]
    assert nonzero([square, inner]).area == pytest.approx(1)
    assert nonzero([square, inner[::-1]]).area == pytest.approx(0.75)
    bow_tie = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]
    assert nonzero([bow_tie]).area == pytest.approx(0.5)
    star = [(math.sin(4 * math.pi * k / 5), -math.cos(4 * math.pi * k / 5)) for k in range(5)]
    assert nonzero([star]).covers(Point(0, 0))  # the even-odd rule would leave the pentagon open
    assert nonzero([[(0.0, 0.0), (1.0, 1.0)]]).is_empty


@pytest.mark.parametrize("fields", KINDS, ids=[f"{i}-{k['kind']}" for i, k in enumerate(KINDS)])
def test_shapes_agree_with_the_renderer(fields: dict[str, Any]) -> None:
    black = {k: "#000000" if k in ("fill", "stroke") and v != "none" else v for k, v in fields.items()}
    drawing = single(**black)
    size = 1000
    picture = Image.open(io.BytesIO(png(svg(drawing), size))).convert("L")
    ink = picture.point(lambda v: 255 - v)
    shape = painted(drawing.strokes[0])
    x0, y0, x1, y1 = shape.bounds
    found = ink.point([255 if v > 20 else 0 for v in range(256)]).getbbox()
    assert found is not None
    assert tuple(v / size for v in found) == pytest.approx((x0, y0, x1, y1), abs=2 / size)
    if fields["kind"] != "text":  # of a text the box is taken
        covered = sum(v * n for v, n in enumerate(ink.histogram())) / 255 / size**2
        assert covered == pytest.approx(shape.area, rel=0.02)


def test_items_stand_in_painting_order_with_their_parents() -> None:
    layout = layout_of(house())
    assert [item.name for item in layout] == ["ground", "house", "roof", "door", "knob", "tree", "crown"]
    assert layout["roof"].parent == "house"
    assert layout["tree"].is_line
    assert not layout["crown"].is_line
    assert layout["house"].style.strokes == ("#a52a2a",)
    assert layout.bounds("house") == pytest.approx((0.46, 0.34, 0.84, 0.8025), abs=1e-6)


def test_a_layer_overrides_the_order_and_a_group_stands_before_its_topmost_part() -> None:
    drawing = drawing_of(
        {
            "plan": [
                {"name": "front", "label": "x"},
                {"name": "group", "label": "group"},
                {"name": "child", "label": "y", "parent": "group"},
            ],
            "strokes": [
                {"part": "front", "kind": "rect", "x": 0, "y": 0, "w": 1, "h": 1, "fill": "red", "layer": 5},
                {"part": "child", "kind": "rect", "x": 0, "y": 0, "w": 1, "h": 1, "fill": "blue"},
            ],
        }
    )
    layout = layout_of(drawing)
    assert [item.name for item in layout] == ["group", "child", "front"]
    assert layout["group"].shape.is_empty
    assert layout.bounds("group") == (0, 0, 1, 1)


def test_a_ring_has_a_silhouette_and_a_disc_needs_none() -> None:
    ring = layout_of(single(kind="ellipse", cx=0.5, cy=0.5, rx=0.2, ry=0.2, stroke="red", width=0.04))["a"]
    assert ring.outline is not None
    assert ring.outline.area == pytest.approx(math.pi * 0.22**2, rel=2e-3)
    disc = layout_of(single(kind="ellipse", cx=0.5, cy=0.5, rx=0.2, ry=0.2, fill="red"))["a"]
    assert disc.outline is None


def test_a_subpath_of_one_point_is_a_dot() -> None:
    shape = painted(stroke_of(kind="path", d="M .2 .2 l 0 0 M .5 .5 l .1 0", stroke="red", width=0.1))
    assert shape.area == pytest.approx(2 * math.pi * 0.05**2 + 0.1 * 0.1, rel=3e-3)


def test_crossing_rounded_and_turned_shapes_are_valid() -> None:
    for fields in KINDS:
        assert painted(stroke_of(**fields)).is_valid
    turned = painted(stroke_of(kind="ellipse", cx=0.5, cy=0.5, rx=0.3, ry=0.1, angle=90, fill="red"))
    assert turned.bounds == pytest.approx((0.4, 0.2, 0.6, 0.8), abs=1e-6)
    rounded = painted(stroke_of(kind="rect", x=0, y=0, w=0.2, h=0.1, r=0.5, fill="red"))
    assert rounded.area == pytest.approx(0.1 * 0.1 + math.pi * 0.05**2, rel=3e-3)


@pytest.mark.slow
def test_a_thousand_strokes_take_less_than_a_second() -> None:
    plan = [{"name": f"p{i}", "label": "x"} for i in range(500)]
    leaf = "c.01-.02.03-.02.04 0s-.03.02-.04 0z"
    strokes = [
        {"part": f"p{i // 2}", "kind": "path", "d": f"M {i % 40 / 41:.3f} {i // 40 / 26:.3f}{leaf}", **pen}
        for i, pen in enumerate([{"fill": "green"}, {"fill": "lime", "stroke": "black", "width": 0.004}] * 500)
    ]
    drawing = drawing_of({"plan": plan, "strokes": strokes})
    start = time.process_time()
    layout = layout_of(drawing)
    assert time.process_time() - start < 3  # well under a second on an idle machine
    assert len(layout) == 500


def scribble(count: int, **fields: Any) -> Drawing:
    generator = random.Random(7)
    points = [[generator.random(), generator.random()] for _ in range(count)]
    return single(kind="polyline", points=points, **fields)


@pytest.mark.slow
def test_a_scribble_is_measured_and_a_tangle_is_refused_at_once() -> None:
    assert layout_of(scribble(60, stroke="red", width=0.001))["a"].shape.is_valid
    for drawing in (
        scribble(5000, stroke="red", width=0.001),
        scribble(5000, fill="red"),
        single(kind="polyline", points=[[i / 4900, 0.5 + 0.1 * (i % 2)] for i in range(4900)], stroke="red", width=0.3),
    ):
        start = time.process_time()
        with pytest.raises(TangledError, match="Use "):
            layout_of(drawing)
        assert time.process_time() - start < 5


@pytest.mark.slow
def test_curves_that_are_made_to_be_long_are_counted() -> None:
    curve = " C 0 2 1 -1 1 0 C 1 -1 0 2 0 0" * 800
    strokes = [{"part": "a", "kind": "path", "d": f"M 0 0{curve}", "fill": "red", "layer": i} for i in range(9)]
    with pytest.raises(TangledError, match="pieces when their curves are flattened"):
        layout_of(drawing_of({"plan": [{"name": "a", "label": "a"}], "strokes": strokes}))


def test_shapes_of_different_parts_are_exact_enough_to_measure_gaps() -> None:
    a = painted(stroke_of(kind="rect", x=0.1, y=0.1, w=0.2, h=0.2, fill="red"))
    b = painted(stroke_of(kind="rect", x=0.32, y=0.1, w=0.2, h=0.2, fill="red"))
    assert a.distance(b) == pytest.approx(0.02, abs=1e-12)
    assert isinstance(a, Polygon)
    assert a.equals(box(0.1, 0.1, 0.1 + 0.2, 0.1 + 0.2))
