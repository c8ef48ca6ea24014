"""Concepts from words and from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import BriefError
from redraft.studios.image.concepts import drawn, load_categories, split

CATEGORIES = {"place": ("harbour", "attic"), "thing": ("clockwork", "kite", "lamp"), "weather": ("storm",)}


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "concepts.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_words_with_commas() -> None:
    assert split(" lighthouse, storm,,clockwork , ") == ("lighthouse", "storm", "clockwork")


@pytest.mark.parametrize(
    "text",
    ["harbour\n\n# a remark\nkite at night\n", "- harbour\n- kite at night\n", "\ufeffharbour\r\nkite at night\r\n"],
)
def test_a_list_has_one_category(tmp_path: Path, text: str) -> None:
    assert load_categories(written(tmp_path, text)) == {"": ("harbour", "kite at night")}


def test_a_mapping_has_categories(tmp_path: Path) -> None:
    path = written(tmp_path, "place: [harbour, attic]\nweather:\n  - storm\n")
    assert load_categories(path) == {"place": ("harbour", "attic"), "weather": ("storm",)}


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "contains no concepts"),
        ("# nothing\n", "contains no concepts"),
        ("place: []\n", "contains no concepts"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not valid UTF-8"),
        (b"a\0b", "not a list of concepts"),
        (b"x" * 100_001, "not a list of concepts"),
        ("place: harbour\n", "place: a list of concepts is expected, found 'harbour'"),
        ("place: [1]\n", "found 1"),
        ("place: ['']\n", "found ''"),
        ("- {a: b}\n", "found {'a': 'b'}"),
    ],
)
def test_what_is_no_list_says_what_would_be(tmp_path: Path, text: str | bytes, match: str) -> None:
    with pytest.raises(BriefError, match=match) as caught:
        load_categories(written(tmp_path, text))
    assert "concepts.yaml" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BriefError, match=r"nowhere\.txt"):
        load_categories(tmp_path / "nowhere.txt")


@given(st.integers(0, 2**31 - 1), st.integers(1, 6))
def test_drawing_is_by_the_seed_and_over_all_categories(seed: int, count: int) -> None:
    chosen = drawn(CATEGORIES, count, seed)
    assert chosen == drawn(CATEGORIES, count, seed)
    assert len(set(chosen)) == count
    touched = {name for name, concepts in CATEGORIES.items() if set(concepts) & set(chosen)}
    assert len(touched) == min(count, len(CATEGORIES))


def test_other_seeds_draw_otherwise() -> None:
    assert len({drawn(CATEGORIES, 3, seed) for seed in range(40)}) > 5


@pytest.mark.parametrize("count", [0, -1, 7])
def test_more_than_there_are_is_refused(count: int) -> None:
    with pytest.raises(BriefError, match=r"Give 1 to 6"):
        drawn(CATEGORIES, count, 0)
