"""Taking back edits of an image: the prompt and the picture as they were, nothing painted and nothing listed again."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from generation import CONCEPTS, FINAL, FakeImages, FakeText

import redraft
from redraft import api
from redraft.errors import RunError


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_an_edit_of_an_image_is_taken_back() -> None:
    night = FINAL.replace("low and far off", "at night")
    first = redraft.run_generation(CONCEPTS, model=FakeText(), backend=FakeImages(), out="first")
    text = FakeText({"image.edit": night})
    second = redraft.run_generation("make it night", on="first", model=text, backend=FakeImages(), out="second")
    assert second.files["prompt"].read_text() == night + "\n"
    undone = api.undo(Path("second"), out=Path("undone"))
    assert (undone.error, undone.usage.cost) == (None, 0.0)
    assert undone.files["prompt"].read_text() == FINAL + "\n"
    assert undone.files["png"].read_bytes() == first.files["png"].read_bytes()
    with Path("runs/generations.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 2
    with pytest.raises(RunError, match="no earlier step"):
        api.undo(Path("first"))
