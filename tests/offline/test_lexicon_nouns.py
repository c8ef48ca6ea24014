"""Nouns find their entries, unknown ones get a labelled shape, malformed files are refused."""

from __future__ import annotations

import json
from math import pi

import pytest

from redraft.colors import is_called
from redraft.english.words import is_part_of, things
from redraft.errors import ConfigError
from redraft.layout import Bounds
from redraft.offline.lexicon import Entry, find, hex_of, load, names, unknown
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.spec import Drawing


def entry_of(name: str) -> Entry:
    found = find(name)
    assert found is not None, name
    return found


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
        ("t-shirt", "shirt"),
        ("bowl of soup", "bowl"),
        ("slices of pizza", "pizza"),
        ("hair dryer", "hair drier"),
        ("computer keyboard", "keyboard"),
        ("dog bed", "bed"),
        ("snowmen", "snowman"),
        ("cups of tea", "cup of tea"),
        ("glasses of wine", "wine glass"),
        ("king's crown", "crown"),
    ],
)
def test_a_noun_finds_its_entry(noun: str, name: str) -> None:
    assert entry_of(noun).name == name


def test_the_other_nouns_choose_between_two_meanings() -> None:
    assert entry_of("mouse").name == "mouse"
    assert find("mice", among=["keyboard", "desk"]) is find("computer mouse")
    assert find("mice", among=["lamp", "cats"]) is find("mouse (animal)")


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
    assert set(names()) == set(things())
    drawn = {name: entry.part_nouns for name in names() if (entry := find(name)) is not None}
    assert drawn == {name: thing.parts for name, thing in things().items()}


@pytest.mark.parametrize("noun", ["quasar", "an extraordinarily long compound noun phrase", "x", "Überraschung"])
@pytest.mark.parametrize("box", [(0.1, 0.1, 0.4, 0.3), (0.2, 0.2, 0.26, 0.5), (0.0, 0.0, 0.9, 0.1)])
def test_an_unknown_noun_is_a_labelled_shape(noun: str, box: Bounds) -> None:
    plan, strokes = unknown(noun, box, "it_1", "red")
    drawing = Drawing.model_validate_json(json.dumps({"plan": plan, "strokes": strokes}))
    assert [(p.name, p.label, p.parent) for p in drawing.plan] == [("it_1", noun, None)]
    assert layout_of(drawing).bounds("it_1") == pytest.approx(box, abs=1e-4)
    assert " ".join(str(s["text"]) for s in strokes if s["kind"] == "text") == noun


def bad(body: str) -> str:
    return f"thing:\n  height: 0.2\n{body}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (bad("  hight: 1\n  parts: {a: [{circle: [1, 1, 1]}]}"), "thing.hight"),
        (bad("  parts: {a: [{circle: [1, 1, 1], rect: [0, 0, 1, 1]}]}"), "exactly one geometry"),
        (bad("  parts: {a: [{circle: [1, '1', 1]}]}"), "thing.parts.0.strokes.0.circle.1"),
        (bad("  parts: {a: [{circle: [1, 1, 1], fill: beigeish}]}"), "'beigeish' is no colour"),
        (bad("  parts: {a: [{path: 'm 0 0 l 1 1'}]}"), "is not one of the absolute commands"),
        (bad("  parts: {a: [{path: 'M 0 0 L 1'}]}"), "L needs 2 numbers and has 1"),
        (bad("  parts: {a: {parent: b, strokes: [{circle: [1, 1, 1]}]}}"), "one has no parent"),
        (bad("  parts: {a: {mirror: true, strokes: [{circle: [1, 1, 1]}]}}"), "is named ..._left"),
        (bad("  parts: {a: {repeat: {count: 2}, strokes: [{circle: [1, 1, 1]}]}}"), "either `regions` or a `ring`"),
        (bad("  stretch: 'false'\n  parts: {a: [{circle: [1, 1, 1]}]}"), "thing.stretch"),
    ],
)
def test_a_malformed_entry_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")) as caught:
        load(text, "odd.yaml")
    assert "odd.yaml" in str(caught.value)


def test_colour_words() -> None:
    assert hex_of("#A0b1C2") == "#a0b1c2"
    assert hex_of("dark blue") != hex_of("blue")
    assert hex_of("light-blue") == hex_of("light blue")
    assert hex_of("grey") == hex_of("gray")
    assert hex_of("navy blue") == hex_of("navy") != hex_of("royal blue")
    assert hex_of("very dark green") == hex_of("dark green")
    assert hex_of("outline") is None
    assert hex_of("loud red") is None
    assert hex_of("") is None


COLOURS = "red orange yellow green blue purple pink brown black white grey gold teal beige silver violet lavender navy"


@pytest.mark.parametrize("word", COLOURS.split())
@pytest.mark.parametrize("tint", ["", "dark ", "light ", "bright "])
def test_a_colour_may_be_called_by_its_name(word: str, tint: str) -> None:
    if tint and word in {"black", "white", "beige"}:
        tint = ""  # a light black is a grey
    found = hex_of(tint + word)
    assert found is not None
    assert is_called(found, word)


def test_arcs_are_round() -> None:
    (entry,) = load(bad("  parts: {a: [{path: 'M 0 10 A 10 10 0 0 1 20 10 Z', stroke: none}]}"), "arc.yaml")
    plan, strokes = entry.realise((0.0, 0.0, 0.4, 0.2), prefix="it", label="thing")
    shape = layout_of(Drawing.model_validate_json(json.dumps({"plan": plan, "strokes": strokes})))["it"].shape
    assert shape.bounds == pytest.approx((0, 0, 0.4, 0.2), abs=1e-4)
    assert shape.area == pytest.approx(pi * 0.04 / 2, rel=2e-3)
