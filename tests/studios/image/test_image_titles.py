"""Titles made by code, and the manifest that numbers them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import HistoryError
from redraft.ideas.history import Generation
from redraft.studios.image.publish import append_title, title_of


def a_row(n: int) -> Generation:
    return Generation(
        generation_id=f"run-{n}",
        selected_concepts=("storm",),
        final_image_prompt="a storm",
        image_path=f"run-{n}/image.png",
        created_at="2026-11-22T17:13:47+00:00",
        seed=n,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "titles_manifest.csv"


def test_pictures_are_numbered_from_one_and_each_once(path: Path) -> None:
    for n in (7, 8, 7, 9):
        append_title(path, f"Storm, {n}", a_row(n))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    assert rows == [
        ["seq", "title", "generation_id", "image_path", "created_at"],
        ["1", "Storm, 7", "run-7", "run-7/image.png", "2026-11-22T17:13:47+00:00"],
        ["2", "Storm, 8", "run-8", "run-8/image.png", "2026-11-22T17:13:47+00:00"],
        ["3", "Storm, 9", "run-9", "run-9/image.png", "2026-11-22T17:13:47+00:00"],
    ]


def test_a_number_follows_the_last_one_though_rows_were_taken_out(path: Path) -> None:
    for n in range(3):
        append_title(path, "Storm", a_row(n))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((lines[0], lines[3])))
    append_title(path, "Storm", a_row(3))
    assert path.read_bytes().splitlines()[-1].startswith(b'"4","Storm"')


def test_a_manifest_whose_last_row_has_no_number_is_refused(path: Path) -> None:
    append_title(path, "Storm", a_row(1))
    changed = path.read_bytes().replace(b'"1"', b'"#001"', 1)
    path.write_bytes(changed)
    with pytest.raises(HistoryError, match=r"titles_manifest\.csv, line 2: seq is '#001'; expected a whole number"):
        append_title(path, "Storm", a_row(2))
    assert path.read_bytes() == changed


def test_generations_are_no_titles(path: Path) -> None:
    path.write_text("generation_id,selected_concepts,final_image_prompt,image_path,created_at,seed\r\n")
    with pytest.raises(HistoryError, match="is not a table of titles: the column 'seq' is missing"):
        append_title(path, "Storm", a_row(1))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("A lighthouse whose lamp is a clock.", "A lighthouse whose lamp is a"),
        ("Storm at sea, a clockwork lighthouse turning slowly", "Storm at sea a clockwork lighthouse"),
        ('**"START"** painted\non a blue t-shirt', "START painted on a blue t-shirt"),
        ("the keeper’s\x00 daughter …", "The keeper’s daughter"),
        ("=cmd|' /C calc'!A0", "Cmd C calc'!A0"),
        ("海" * 200, "海" * 80),
    ],
)
def test_a_title_is_the_first_six_words(text: str, title: str) -> None:
    assert title_of("another prompt", text) == title_of(text, "") == title


def test_the_hook_comes_first_then_the_prompt() -> None:
    assert title_of("a storm at sea", "a clock in a tower") == "A clock in a tower"
    assert title_of("a storm at sea", " ...\n") == "A storm at sea"
    assert title_of("", "--") == "Untitled"


SOME = "a an the of in and whose storm clock Lighthouse keeper's turning lit is sea, tower. “brass” (gears) - 3"
WORDS = st.lists(st.sampled_from(SOME.split()), max_size=14).map(" ".join)


@given(st.one_of(WORDS, st.text(max_size=200)))
def test_any_text_gives_a_short_title_on_one_line(text: str) -> None:
    title = title_of(text, "")
    assert 0 < len(title) <= 82  # a letter may have a capital of two or three
    assert len(title.split()) <= 6
    assert title == " ".join(title.split())
    assert title.isprintable()
    assert not re.search(r"[.,;:!?-]\Z|\A[.,;:!?=+@-]", title)
