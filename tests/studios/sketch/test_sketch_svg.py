"""SVG and PNG: well-formed, grouped, escaped, and the same bytes every time."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest
from PIL import Image
from shapely.geometry import Polygon, box
from sketches import HOUSE, drawing_of, house, kinds

from redraft.result import Issue, Mark
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.svg import animated, overlay, png, svg

SVG = "{http://www.w3.org/2000/svg}"


def tree_of(text: str) -> ET.Element:
    return ET.fromstring(text)


def groups(root: ET.Element) -> dict[str, list[str]]:
    """Ids of groups with the ids of the groups directly in them."""
    return {
        g.attrib["id"]: [c.attrib["id"] for c in g.findall(f"{SVG}g")] for g in root.iter(f"{SVG}g") if "id" in g.attrib
    }


def test_parts_are_groups_within_their_parents() -> None:
    found = groups(tree_of(svg(house())))
    assert found["house"] == ["roof", "door"]
    assert found["door"] == ["knob"]
    assert found["ground"] == []


def test_a_part_painted_in_two_runs_has_its_id_once() -> None:
    first, second = HOUSE["strokes"][1], HOUSE["strokes"][0]
    data = {"plan": HOUSE["plan"][:2], "strokes": [first, second, {**first, "fill": "red"}]}
    root = tree_of(svg(drawing_of(data)))
    ids = [g.attrib["id"] for g in root.iter(f"{SVG}g") if "id" in g.attrib]
    assert ids == ["house", "ground"]
    assert [g.attrib["data-part"] for g in root.iter(f"{SVG}g") if "data-part" in g.attrib] == ["house"]


def test_layers_decide_the_painting_order() -> None:
    data = {"plan": HOUSE["plan"][:2], "strokes": [{**HOUSE["strokes"][0], "layer": 1}, HOUSE["strokes"][1]]}
    assert list(groups(tree_of(svg(drawing_of(data))))) == ["house", "ground"]


def test_title_and_description_name_what_is_drawn() -> None:
    root = tree_of(svg(house()))
    assert root.findtext(f"{SVG}title") == "ground, house, tree"
    assert "doorknob" in (root.findtext(f"{SVG}desc") or "")
    assert tree_of(svg(Drawing())).findtext(f"{SVG}title") == "An empty canvas"


def test_untrusted_text_is_escaped() -> None:
    evil = '</text><script>alert("1")</script>&'
    plan = [{"name": "a", "label": evil}]
    text = {"part": "a", "kind": "text", "x": 0.5, "y": 0.5, "size": 0.05, "text": evil, "fill": "red"}
    drawing = drawing_of({"plan": plan, "strokes": [text]})
    issue = Issue(code="x.y", severity="error", message="m", marks=(Mark(kind="point", at=(0, 0, 0, 0), text=evil),))
    for made in (svg(drawing), animated(drawing), overlay(drawing, [issue])):
        root = tree_of(made)
        assert not list(root.iter(f"{SVG}script"))
        assert evil in [t.text for t in root.iter(f"{SVG}text")]
        assert next(g for g in root.iter(f"{SVG}g") if "id" in g.attrib).attrib["data-label"] == evil


def test_the_same_drawing_gives_the_same_bytes() -> None:
    assert svg(kinds()) == svg(kinds())
    assert png(svg(kinds())) == png(svg(kinds()))
    assert animated(kinds()) == animated(kinds())


@pytest.mark.parametrize("size", [64, 512, 1024])
def test_a_picture_has_the_size_asked_for_and_a_white_ground(size: int) -> None:
    picture = Image.open(io.BytesIO(png(svg(Drawing()), size))).convert("RGB")
    assert picture.size == (size, size)
    assert picture.getcolors() == [(size * size, (255, 255, 255))]


def test_text_is_drawn_with_the_shipped_font() -> None:
    text = {"part": "a", "kind": "text", "x": 0.5, "y": 0.5, "size": 0.3, "text": "Ag", "fill": "black"}
    drawing = drawing_of({"plan": [{"name": "a", "label": "a"}], "strokes": [text]})
    picture = Image.open(io.BytesIO(png(svg(drawing)))).convert("L")
    assert picture.getextrema()[0] == 0


MARKS = (
    Mark(kind="box", at=(0.1, 0.1, 0.4, 0.4), text="roof"),
    Mark(kind="box", at=(0.1, 0.1, 0.4, 0.4), text="roof again"),
    Mark(kind="arrow", at=(0.4, 0.2, 0.45, 0.2), text="0.05"),
    Mark(kind="arrow", at=(0.4, 0.22, 0.45, 0.22), text="0.05"),
    Mark(kind="arrow", at=(0.9, 0.9, 0.9, 0.99), text="0.09, expected 0.3"),
    Mark(kind="point", at=(0.99, 0.01, 0.99, 0.01)),
    Mark(kind="arrow", at=(0.5, 0.5, 0.5, 0.5), text="nothing between"),
)


def plates(text: str) -> list[Polygon]:
    """The boxes of the labels."""
    return [
        box(x, y, x + float(r.attrib["width"]), y + float(r.attrib["height"]))
        for r in tree_of(text).findall(f"{SVG}rect")
        if "stroke" in r.attrib
        for x, y in [(float(r.attrib["x"]), float(r.attrib["y"]))]
    ]


def test_labels_of_an_overlay_are_on_the_canvas_and_apart() -> None:
    issues = [Issue(code="a.b", severity="error", message="m", marks=(mark,)) for mark in MARKS]
    found = plates(overlay(house(), issues))
    assert len(found) == len(MARKS)
    assert all(plate.within(box(0, 0, 1000, 1000)) for plate in found)
    assert not any(a.intersection(b).area > 1 for a, b in combinations(found, 2))


def test_an_overlay_numbers_its_issues_and_colours_them_by_severity() -> None:
    issues = [
        Issue(code="a.b", severity="warning", message="m", marks=MARKS[:1]),
        Issue(code="a.b", severity="error", message="m"),
        Issue(code="a.b", severity="note", message="m", marks=MARKS[2:3]),
    ]
    root = tree_of(overlay(house(), issues))
    assert [t.text for t in root.findall(f"{SVG}text")] == ["1  roof", "3  0.05"]
    assert len({t.attrib["fill"] for t in root.findall(f"{SVG}text")}) == 2


def test_an_overlay_of_no_issues_is_the_drawing() -> None:
    assert list(groups(tree_of(overlay(house(), [])))) == list(groups(tree_of(svg(house()))))
