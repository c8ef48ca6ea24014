"""A scaled part has exactly the painted size that was asked for, though its pen keeps its width."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.layout.items import Move
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.patch import amended
from redraft.studios.sketch.spec import Drawing

STROKES: list[dict[str, object]] = [
    {"kind": "rect", "x": 0.3, "y": 0.3, "w": 0.2, "h": 0.3},
    {"kind": "ellipse", "cx": 0.4, "cy": 0.45, "rx": 0.1, "ry": 0.15},
    {"kind": "path", "d": "M 0.3 0.6 C 0.3 0.2 0.5 0.2 0.5 0.6 Z"},
    {"kind": "polyline", "points": [[0.3, 0.6], [0.4, 0.3], [0.5, 0.6]]},
]


def drawn(stroke: Mapping[str, object]) -> Drawing:
    whole = {"part": "it", "fill": "#ffffff", "stroke": "#000000", "width": 0.01, **stroke}
    plan = [{"name": "it", "label": "it", "parent": None}]
    return Drawing.model_validate_json(json.dumps({"plan": plan, "strokes": [whole]}))


@pytest.mark.parametrize("stroke", STROKES, ids=lambda s: str(s["kind"]))
@settings(max_examples=40, deadline=None)
@given(sx=st.floats(0.3, 2.0), sy=st.floats(0.3, 2.0))
def test_the_painted_box_is_what_the_move_says(stroke: dict[str, object], sx: float, sy: float) -> None:
    drawing = drawn(stroke)
    before = layout_of(drawing)
    move = Move.scale("it", sx, sy, (0.4, 0.6))
    wanted = before.moved((move,)).bounds("it")
    found = layout_of(amended(drawing, [move])).bounds("it")
    # Curves are flattened to 1e-4, and a sharp corner's round pen is cut by its polygon.
    assert found == pytest.approx(wanted, abs=4e-4)
    assert amended(drawing, [move]).strokes[0].width == 0.01


def test_a_rectangle_is_exact() -> None:
    move = Move.scale("it", 1.0, 1.2, (0.4, 0.605))
    x0, y0, x1, y1 = layout_of(amended(drawn(STROKES[0]), [move])).bounds("it")
    assert (y1 - y0) / 0.31 == pytest.approx(1.2, abs=1e-5)
    assert (x0, x1, y1) == pytest.approx((0.295, 0.505, 0.605), abs=1e-6)
