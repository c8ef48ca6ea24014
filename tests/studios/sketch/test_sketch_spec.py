"""The schema: what is a drawing and what is not, and that its source reads back."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from sketches import HOUSE, drawing_of, house, kinds

from redraft.studios.sketch.spec import Draft, Drawing, compact
from redraft.studios.sketch.strokes import CSS_COLORS, normalize_color


def changed(**fields: Any) -> dict[str, Any]:
    """The house with other fields in its first stroke."""
    data = deepcopy(HOUSE)
    data["strokes"][0].update(fields)
    return data


@pytest.mark.parametrize("drawing", [house(), kinds(), Drawing()], ids=["house", "kinds", "blank"])
def test_the_source_reads_back(drawing: Drawing) -> None:
    assert Drawing.model_validate_json(drawing.source) == drawing
    assert Drawing.model_validate_json(drawing.model_dump_json()) == drawing
    assert len(drawing.source.splitlines()) == len(drawing.plan) + len(drawing.strokes) + (4 if drawing.plan else 6)


def test_a_line_of_source_is_short_and_exact() -> None:
    assert compact(house().strokes[0]) == (
        '{"part":"ground","kind":"rect","x":0,"y":0.8,"w":1,"h":0.2,"fill":"#8bc34a","stroke":"none","width":0.005}'
    )


@pytest.mark.parametrize(
    ("given_", "wanted"),
    [("none", "none"), ("transparent", "none"), ("#ABC", "#aabbcc"), ("#A1B2C3", "#a1b2c3"), ("Dark Blue", "#00008b"),
     ("slategrey", "#708090"), (" red ", "#ff0000")],
)  # fmt: skip
def test_colours_are_normalised(given_: str, wanted: str) -> None:
    assert normalize_color(given_) == wanted


def test_there_are_148_names() -> None:
    assert len(CSS_COLORS) == 148
    assert CSS_COLORS["rebeccapurple"] == "#663399"


@pytest.mark.parametrize("bad", ["redd", "#12", "#12345", "rgb(1,2,3)", "", "url(#x)"])
def test_other_colours_are_refused_with_what_is_allowed(bad: str) -> None:
    with pytest.raises(ValueError, match="#rrggbb or a CSS color name"):
        normalize_color(bad)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"w": 0}, "greater than 0"),
        ({"w": -1}, "greater than 0"),
        ({"x": 2.5}, "less than or equal to 2"),
        ({"x": -1.5}, "greater than or equal to -1"),
        ({"x": "0.5"}, "valid number"),
        ({"x": None}, "valid number"),
        ({"x": True}, "valid number"),
        ({"fill": "none", "stroke": "none"}, "paints nothing"),
        ({"fill": "none", "stroke": "red", "width": 0}, "paints nothing"),
        ({"width": 0.6}, "less than or equal to 0.5"),
        ({"layer": 1.5}, "valid integer"),
        ({"colour": "red"}, "Extra inputs"),
        ({"part": "nobody"}, "part 'nobody' is not in the plan"),
    ],
)
def test_bad_strokes_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        drawing_of(changed(**fields))


@pytest.mark.parametrize(
    "stroke",
    [
        {"kind": "line", "points": [[0.1, 0.1], [0.1, 0.1]], "stroke": "red"},
        {"kind": "polyline", "points": [[0.1, 0.1]] * 3, "stroke": "red"},
        {"kind": "path", "d": "M 0.1 0.1 L 0.1 0.1", "stroke": "red"},
        {"kind": "ellipse", "cx": 0.5, "cy": 0.5, "rx": 0, "ry": 0.1, "fill": "red"},
        {"kind": "arc", "cx": 0.5, "cy": 0.5, "rx": 0.1, "ry": 0.1, "start": 30, "end": 30, "stroke": "red"},
        {"kind": "text", "x": 0.5, "y": 0.5, "size": 0.1, "text": "   ", "fill": "red"},
        {"kind": "text", "x": 0.5, "y": 0.5, "size": 0.1, "text": "a\u0000b", "fill": "red"},
        {"kind": "text", "x": 0.5, "y": 0.5, "size": 0.1, "text": "a" * 201, "fill": "red"},
        {"kind": "line", "points": [[0.1, 0.1], [0.2, 0.1]], "fill": "red"},
        {"kind": "path", "d": "M 0 0 L 9 9", "stroke": "red"},
        {"kind": "path", "d": "M 0 0 L 0.1 0.1" + " 0.2 0.2" * 5000, "stroke": "red"},
        {"kind": "polyline", "points": [[0.1, 0.1], [0.2, 0.1]] * 2501, "stroke": "red"},
        {"kind": "circle", "cx": 0.5, "cy": 0.5, "r": 0.1, "fill": "red"},
    ],
)
def test_strokes_without_extent_or_beyond_limits_are_refused(stroke: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        drawing_of({"plan": [{"name": "a", "label": "a"}], "strokes": [{"part": "a", **stroke}]})


Change = Callable[[list[dict[str, Any]]], object]

BAD_PLANS: list[tuple[Change, str]] = [
    (lambda p: p.append({"name": "roof", "label": "roof"}), "two parts are named 'roof'"),
    (lambda p: p[2].update(parent="castle"), "parent 'castle', which is not in the plan"),
    (lambda p: p[1].update(parent="knob"), "its own ancestor"),
    (lambda p: p[1].update(parent="house"), "its own ancestor"),
    (lambda p: p.append({"name": "moon", "label": "moon"}), "part 'moon' has no stroke and no parts"),
    (lambda p: p[0].update(name="the ground"), "pattern"),
    (lambda p: p[0].update(label="x" * 81), "at most 80"),
    (lambda p: p[0].update(label=" "), "blank"),
]


@pytest.mark.parametrize(("change", "words"), BAD_PLANS)
def test_bad_plans_are_refused(change: Change, words: str) -> None:
    data = deepcopy(HOUSE)
    change(data["plan"])
    with pytest.raises(ValidationError, match=words):
        drawing_of(data)


def test_a_drawing_may_be_blank_and_a_draft_may_not() -> None:
    assert Drawing().strokes == ()
    with pytest.raises(ValidationError):
        Draft.model_validate_json('{"approach":"nothing","plan":[],"strokes":[]}')


def test_drawings_are_frozen_and_keep_their_order() -> None:
    drawing = house()
    with pytest.raises(ValidationError):
        drawing.strokes = ()  # type: ignore[misc]
    assert [s.part for s in drawing.painted] == [s.part for s in drawing.strokes]


def test_the_approach_is_one_line() -> None:
    draft = Draft.model_validate_json(json.dumps({**HOUSE, "approach": "a wall,\n  then a roof"}))
    assert draft.approach == "a wall, then a roof"


@given(
    st.lists(st.tuples(st.floats(-1, 2), st.floats(-1, 2)), min_size=2, max_size=8, unique=True),
    st.floats(0.001, 0.5),
    st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20),
)
@settings(max_examples=60, deadline=None)
def test_any_numbers_and_words_survive_the_source(points: list[tuple[float, float]], width: float, words: str) -> None:
    drawing = drawing_of(
        {
            "plan": [{"name": "a", "label": words}],
            "strokes": [{"part": "a", "kind": "polyline", "points": points, "stroke": "red", "width": width}],
        }
    )
    assert Drawing.model_validate_json(drawing.source) == drawing
