"""Every entry of the lexicon is a valid, whole, well-proportioned drawing; nouns find their entries."""

from __future__ import annotations

import json
from functools import cache
from math import atan2, degrees
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

from redraft.layout.colors import is_called
from redraft.layout.items import Bounds, Layout
from redraft.offline.english.words import is_part_of, things
from redraft.offline.lexicon import Entry, find, hex_of, names, unknown
from redraft.offline.lexicon.shapes import parse_path
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.spec import Draft, Drawing

pytestmark = pytest.mark.slow


def entry_of(name: str) -> Entry:
    found = find(name)
    assert found is not None, name
    return found


SLOTS = [(name, noun) for name in names() for noun in sorted(entry_of(name).slots)]
PAIRS = [name for name in names() if any(p.mirror for p in entry_of(name).parts)]


def box_of(entry: Entry, side: float) -> Bounds:
    """A box of the entry's aspect whose longer side is `side`."""
    h = side / max(1.0, entry.aspect)
    return (0.05, 0.05, 0.05 + h * entry.aspect, 0.05 + h)


def drawing_of(entry: Entry, box: Bounds, **how: Any) -> Drawing:
    plan, strokes = entry.realise(box, prefix="it", label=entry.name, **how)
    Draft.model_validate_json(json.dumps({"approach": "from the lexicon", "plan": plan, "strokes": strokes}))
    return Drawing.model_validate_json(json.dumps({"plan": plan, "strokes": strokes}))


@cache
def layout(name: str, side: float = 0.5) -> Layout:
    entry = entry_of(name)
    return layout_of(drawing_of(entry, box_of(entry, side)))


def off(found: Bounds, box: Bounds) -> float:
    """How far two boxes differ, as a share of the second's longer side."""
    return max(abs(a - b) for a, b in zip(found, box, strict=True)) / max(box[2] - box[0], box[3] - box[1])


@pytest.mark.parametrize("name", names())
def test_a_drawing_is_valid_and_named_and_fills_its_box(name: str) -> None:
    drawn = layout(name)
    assert [(i.name, i.label) for i in drawn.roots] == [("it", name)]
    assert all(i.name.startswith("it_") and i.label for i in drawn if i.parent is not None)
    assert off(drawn.bounds("it"), box_of(entry_of(name), 0.5)) < 0.06


def test_heuristics_report_one_drawing_in_thirty_at_most() -> None:
    validator = SemanticValidator(heuristics="default")
    issues = {name: [i.message for i in validator.validate(layout(name)).issues] for name in names()}
    assert len([name for name, messages in issues.items() if messages]) <= len(names()) / 30, issues


def touching(shapes: list[BaseGeometry]) -> int:
    """How many of the shapes are reached from the first one through touching ones."""
    reached, waiting = [0], [0]
    while waiting:
        here = shapes[waiting.pop()]
        found = [i for i in range(len(shapes)) if i not in reached and here.distance(shapes[i]) < 1e-9]
        reached += found
        waiting += found
    return len(reached)


@pytest.mark.parametrize("name", names())
def test_every_part_hangs_on_its_object(name: str) -> None:
    shapes = [i.shape for i in layout(name) if not i.shape.is_empty]
    assert touching(shapes) == len(shapes)


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_mirror_exactly(name: str) -> None:
    drawn = layout(name)
    left = [i for i in drawn if i.name.endswith("_left")]
    axes = [(i.shape.bounds[0] + drawn[_twin(i.name)].shape.bounds[2]) / 2 for i in left]
    assert left
    assert max(axes) - min(axes) < 2e-4
    for item, axis in zip(left, axes, strict=True):
        mirrored = affine_transform(item.shape, [-1, 0, 0, 1, 2 * axis, 0])
        assert mirrored.hausdorff_distance(drawn[_twin(item.name)].shape) < 3e-4


def _twin(name: str) -> str:
    return name.removesuffix("_left") + "_right"


@pytest.mark.parametrize(("name", "noun"), SLOTS)
def test_counts_are_honored(name: str, noun: str) -> None:
    entry = entry_of(name)
    fixed = sum(p.noun == noun and not p.repeat for p in entry.all_parts)
    for number in range(1, 9):
        plan, _ = entry.realise(box_of(entry, 0.5), prefix="it", label=name, counts={noun: number})
        assert sum(p["label"] == noun for p in plan) == number + fixed


def test_a_count_of_none() -> None:
    plan, _ = entry_of("house").realise(
        (0.1, 0.1, 0.5, 0.5), prefix="h", label="house", counts={"window": 0, "chimney": 0}
    )
    assert {p["label"] for p in plan} == {"house", "roof", "door"}


@pytest.mark.parametrize("name", names())
def test_an_asked_for_color_is_painted(name: str) -> None:
    entry = entry_of(name)
    _, strokes = entry.realise(box_of(entry, 0.5), prefix="it", label=name, colour="#12ab34")
    assert any("#12ab34" in {s["fill"], s["stroke"]} for s in strokes)


def test_a_part_is_painted_by_its_noun() -> None:
    _, strokes = entry_of("house").realise(
        (0, 0, 0.5, 0.5), prefix="h", label="house", part_colours={"roof": "dark green"}
    )
    assert {s["fill"] for s in strokes if s["part"] == "h_roof"} == {hex_of("dark green")}


def hand_angle(layout: Layout, hand: str) -> float:
    """Degrees clockwise from up of a hand, from the clock's center to the hand's far end."""
    cx, cy = layout["it_pin"].shape.centroid.coords[0]
    tip = layout[hand].shape.centroid.coords[0]
    return degrees(atan2(tip[0] - cx, cy - tip[1])) % 360


def test_clock_hands_point_where_asked() -> None:
    clock = entry_of("clock")
    set_to = layout_of(drawing_of(clock, box_of(clock, 0.4), angles={"minute hand": 180.0, "hour hand": 105}))
    assert hand_angle(set_to, "it_hour_hand") == pytest.approx(105, abs=0.5)
    assert hand_angle(set_to, "it_minute_hand") == pytest.approx(180, abs=0.5)


def test_rooms_and_surfaces() -> None:
    assert entry_of("table").surface == 0
    assert all(0 < v < 1 for v in entry_of("room").inside or ())
    assert entry_of("bowl").inside is not None


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(names()),
    x=st.floats(0, 0.5),
    y=st.floats(0, 0.5),
    w=st.floats(0.06, 0.5),
    h=st.floats(0.06, 0.5),
)
def test_nothing_sticks_out_of_any_box(name: str, x: float, y: float, w: float, h: float) -> None:
    box = (x, y, x + w, y + h)
    drawn = layout_of(drawing_of(entry_of(name), box)).bounds("it")
    slack = 0.03 * max(w, h)
    assert all(drawn[i] >= box[i] - slack for i in (0, 1))
    assert all(drawn[i] <= box[i] + slack for i in (2, 3))


@pytest.mark.parametrize(
    ("noun", "name"),
    [
        ("apple tree", "tree"),
        ("pine-trees", "pine tree"),
        ("Wooden Benches", "bench"),
        ("the old light house", "lighthouse"),
        ("knives", "knife"),
        ("people", "person"),
        ("ladies", "woman"),
        ("mice", "mouse"),
        ("sheep", "sheep"),
        ("glasses", "glasses"),
        ("wine glasses", "wine glass"),
        ("bowl of soup", "bowl"),
        ("slices of pizza", "pizza"),
        ("computer keyboard", "keyboard"),
        ("dog bed", "bed"),
        ("snowmen", "snowman"),
    ],
)
def test_a_noun_finds_its_entry(noun: str, name: str) -> None:
    assert entry_of(noun).name == name


@pytest.mark.parametrize("noun", ["", "  ", "quasar", "of", "unicorn", "s", "es"])
def test_other_nouns_find_nothing(noun: str) -> None:
    assert find(noun) is None


def test_parts_belong_to_wholes() -> None:
    assert is_part_of("windows", "cottage")
    assert is_part_of("whiskers", "cats")
    assert is_part_of("south wall", "room")
    assert not is_part_of("wheel", "cat")
    assert not is_part_of("door", "quasar")


def test_words_and_drawings_are_of_the_same_things() -> None:
    drawn = {name: entry.part_nouns for name in names() if (entry := find(name)) is not None}
    assert drawn == {name: thing.parts for name, thing in things().items()}


@pytest.mark.parametrize("noun", ["quasar", "an extraordinarily long compound noun phrase", "x", "Überraschung"])
@pytest.mark.parametrize("box", [(0.1, 0.1, 0.4, 0.3), (0.2, 0.2, 0.26, 0.5), (0.0, 0.0, 0.9, 0.1)])
def test_an_unknown_noun_is_a_labeled_shape(noun: str, box: Bounds) -> None:
    plan, strokes = unknown(noun, box, "it_1", "red")
    drawing = Drawing.model_validate_json(json.dumps({"plan": plan, "strokes": strokes}))
    assert [(p.name, p.label, p.parent) for p in drawing.plan] == [("it_1", noun, None)]
    assert off(layout_of(drawing).bounds("it_1"), box) < 0.02


@pytest.mark.parametrize(
    "colour", ["dark blue", "navy blue", "light green", "grey", "sky blue", "royal blue", "pale pink"]
)
def test_a_color_is_what_its_name_says(colour: str) -> None:
    value = hex_of(colour)
    assert value is not None
    assert is_called(value, colour)


@pytest.mark.parametrize("colour", ["", "loud", "red blue green", "dark", "outline"])
def test_other_words_are_no_colors(colour: str) -> None:
    assert hex_of(colour) is None


def test_a_malformed_path_is_refused() -> None:
    for d in ("M 0 0 H 3", "M 0", "0 0 L 1 1"):
        with pytest.raises(ValueError, match="is not a whole command"):
            parse_path(d)
