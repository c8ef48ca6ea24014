"""The memory of a drawing: anchors for prompts, and `drawing.json` there and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sketches import house, kinds

from redraft.errors import RunFormatError, RunNotFoundError
from redraft.studios.sketch.memory import FILE, anchors_text, as_json, load, nouns_of, read_json
from redraft.studios.sketch.spec import Drawing


def test_every_part_has_nine_anchors_under_its_parent() -> None:
    head, *lines = anchors_text(house(), [part.name for part in house().plan]).splitlines()
    assert head.startswith("c = center, l = left")
    assert [line.split()[0] for line in lines] == ["ground", "house", "roof", "door", "knob", "tree", "crown"]
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 0, 2, 2, 4, 0, 2]
    door = next(line for line in lines if line.split()[0] == "door")
    assert '"door" 0.060 x 0.150' in door
    assert "c=(0.650,0.725)" in door
    assert "bl=(0.620,0.800)" in door
    assert door.count("=(") == 9


def test_only_named_parts_have_anchors() -> None:
    assert [line.split()[0] for line in anchors_text(house(), ["knob", "tree"]).splitlines()[1:]] == ["knob", "tree"]


def test_it_means_the_largest_thing_and_scenery_last() -> None:
    assert nouns_of(house()) == ("house", "tree", "ground")
    assert nouns_of(None) == nouns_of(Drawing()) == ()


def test_the_file_has_what_a_reader_needs() -> None:
    data = json.loads(as_json(house()))
    assert list(data) == ["version", "parts", "plan", "strokes", "requirements"]
    door = next(part for part in data["parts"] if part["name"] == "door")
    assert door["label"] == "door"
    assert door["parent"] == "house"
    assert door["bbox"] == pytest.approx([0.62, 0.65, 0.68, 0.8])
    assert door["anchors"]["center"] == pytest.approx([0.65, 0.725])
    house_box = next(part["bbox"] for part in data["parts"] if part["name"] == "house")
    assert house_box[1] == pytest.approx(0.34)  # with its roof


@pytest.mark.parametrize("drawing", [house(), kinds(), Drawing()], ids=["house", "kinds", "blank"])
def test_reading_it_back_gives_the_same_drawing(drawing: Drawing, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(as_json(drawing), encoding="utf-8")
    assert load(tmp_path) == drawing


def test_statements_are_kept_and_a_file_of_an_earlier_version_has_none(tmp_path: Path) -> None:
    stated = house().model_copy(update={"requirements": ({"id": "r1", "kind": "count"}, "nonsense", None)})
    assert read_json(as_json(stated), "file") == stated
    data = json.loads(as_json(house()))
    del data["requirements"]
    assert read_json(json.dumps(data), "file") == house()


def test_a_missing_run_is_said_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match=r"nowhere.* is not a run folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(RunNotFoundError, match=r"holds no drawing\.json"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (as_json(house())[:300], "cut off"),
        ("[]", "version None"),
        ('{"version": 7}', "version 7"),
        ('{"version": 1, "plan": [], "strokes": 3}', "damaged at strokes"),
        ('{"version": 1, "plan": [{"name": "a", "label": "a"}], "strokes": []}', "damaged"),
    ],
)
def test_a_damaged_file_is_said_with_its_place(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(RunFormatError, match=words) as caught:
        load(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunFormatError, match="cannot be read"):
        load(tmp_path)


@given(st.text(max_size=80) | st.sampled_from(["[" * 100_000, '{"version":1,"plan":' + "[" * 5000]))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_drawing_or_a_format_error(text: str) -> None:
    with pytest.raises(RunFormatError):
        read_json(text, "file")
