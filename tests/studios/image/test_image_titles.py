"""Titles made by code, and the manifest that numbers them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import HistoryError
from redraft.scoring.history import Generation
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
    assert [append_title(path, f"Storm, {n}", a_row(n)) for n in (7, 8, 7, 9)] == [1, 2, 1, 3]
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
    assert append_title(path, "Storm", a_row(3)) == 4


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
        ("A lighthouse whose lamp is a clock.", "Lighthouse Whose Lamp Is a Clock"),
        ("Storm at sea, a clockwork lighthouse turning slowly in the dark", "Storm at Sea"),
        ("The keeper of an old tower counts the hours by the tide", "Keeper of an Old Tower Counts"),
        ("A corridor that has been folded like a letter", "Corridor"),
        ("a boat in the canals of venice", "Boat in the Canals of Venice"),
        ("Portrait of a tiger wearing a train conductor's hat", "Portrait of a Tiger"),
        ("a flock of geese in front of The Alamo", "Flock of Geese"),
        ("a photo of three red boxes and a small green chair", "Three Red Boxes"),
        ("An oil painting of a salt-and-pepper city", "Salt-and-Pepper City"),
        (
            "lighthouse, storm, clockwork, oil painting, night, moon, sea",
            "Lighthouse, Storm, Clockwork, Oil Painting, Night",
        ),
        ("Dusk: a keeper winds the brass heart of the tower", "Keeper Winds the Brass Heart"),
        ("What if the sea kept time?", "What If the Sea Kept Time"),
        ("THE STORM IS COMING", "Storm Is Coming"),
        ("an iPhone under NASA's old rocket", "iPhone Under NASA's Old Rocket"),
        ('**"START"** painted on a blue t-shirt', "START Painted on a Blue T-Shirt"),
        ("the keeper’s daughter", "Keeper’s Daughter"),
        ("a storm, at the", "Storm"),
    ],
)
def test_a_title_is_a_phrase_in_title_case(text: str, title: str) -> None:
    assert title_of("another prompt", text) == title_of(text, "") == title


def test_the_hook_comes_first_then_the_prompt(path: Path) -> None:
    assert title_of("a storm at sea", "a clock in a tower") == "Clock in a Tower"
    assert title_of("a storm at sea", " ...\n") == "Storm at Sea"
    assert title_of("", "the") == "Untitled"


SOME = "a an the of in and whose storm clock Lighthouse keeper's turning lit is sea, tower. “brass” (gears) - 3"
WORDS = st.lists(st.sampled_from(SOME.split()), max_size=14).map(" ".join)


@given(st.one_of(WORDS, st.text(max_size=200)))
def test_any_text_gives_a_short_title_on_one_line(text: str) -> None:
    title = title_of(text, "")
    assert 0 < len(title) <= 80
    assert len(title.split()) <= 6
    assert title == " ".join(title.split())
    assert not re.search(r"[.,;:!?\s-]\Z|\A[.,;:!?\s-]", title)
    assert not re.search(r"(?:\A| )(?:a|an|the)\Z", title, re.IGNORECASE)
    assert not re.search(r"\A(?:a|an|the) ", title, re.IGNORECASE)
