"""YAML of users: aliases, nesting and values that would unfold to more than a machine holds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.config import load
from redraft.errors import BriefError, ConfigError, ProfileError
from redraft.ideas.profile import load_profile
from redraft.studios.image.concepts import load_categories
from redraft.yamldata import YamlLimitError, edited, load_yaml

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
MAPS = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n} {{{', '.join(f'k{k}: *a{n - 1}' for k in range(9))}}}\n" for n in range(1, 12)
)
BOMBS = {"lists": LAUGHS, "mappings": MAPS, "itself": "a: &a [*a]\n", "deep": "a: " + "[" * 2_000 + "]" * 2_000}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.slow
def test_a_text_that_unfolds_without_end_is_refused_at_once(name: str, tmp_path: Path) -> None:
    start = time.process_time()
    with pytest.raises(YamlLimitError, match=r"line [0-9]+: "):
        load_yaml(BOMBS[name])
    file = tmp_path / "bomb.yaml"
    file.write_text(BOMBS[name], "utf-8")
    with pytest.raises(ConfigError, match="is not YAML: line"):
        load(file)
    with pytest.raises(BriefError, match="line"):
        load_categories(file)
    with pytest.raises(ProfileError):
        load_profile(file)
    assert time.process_time() - start < 10


def test_a_variable_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_SEED", LAUGHS)
    with pytest.raises(ConfigError, match="REDRAFT_SEED"):
        load()


def test_ordinary_aliases_work() -> None:
    assert load_yaml("a: &a [1, 2]\nb: *a\n") == {"a": [1, 2], "b": [1, 2]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 2026-13-45", "a value cannot be read"),
        ("a: " + "9" * 5000, "line 1: a number has more than 1,000 characters"),
        ("a: 1" + ":59" * 5000, "line 1: a number has more than 1,000 characters"),
    ],
)
def test_values_that_cannot_be_are_named(text: str, words: str) -> None:
    with pytest.raises(yaml.YAMLError, match=words):
        load_yaml(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab&*:[]{}-, \n19#'\"", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        load_yaml(text)
    except yaml.YAMLError:
        return


@pytest.mark.parametrize(
    ("text", "keys", "value", "changed"),
    [
        ("", ["a"], 1, "a: 1\n"),
        ("# only a comment\n", ["a", "b"], None, "# only a comment\na:\n  b: null\n"),
        ("a: {b: 1}  # c\n", ["a", "b"], 2, "a: {b: 2}  # c\n"),
        ("a: {b: 1}\n", ["a", "c"], 2, "a: {c: 2, b: 1}\n"),
        ("a: {}\n", ["a", "c"], 2, "a: {c: 2}\n"),
        ("a:\nb: 1\n", ["a", "c"], 2, "a: {c: 2}\nb: 1\n"),
        ("a:\n", ["a"], "x: y", "a: 'x: y'\n"),
        ("a:\n    b:\n        c: 1\n\nd: 2", ["a", "e"], [1, 2], "a:\n    b:\n        c: 1\n    e: [1, 2]\n\nd: 2"),
        ("a:\n- 1\n- 2\n# after\nb: 3\n", ["a"], 5, "a: 5\n# after\nb: 3\n"),
        ("a: 'it''s'  # why\n", ["a"], True, "a: true  # why\n"),
    ],
)
def test_one_value_is_changed_and_nothing_else(text: str, keys: list[str], value: object, changed: str) -> None:
    assert edited(text, keys, value) == changed


@pytest.mark.parametrize("text", ["- 1\n", "a: 3\n", "a: &x {b: 1}\nc: *x\nd: {<<: *x}\n"])
def test_what_cannot_be_changed_is_refused(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        edited(text, ["a", "b"], 2)


plain_values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
keys = st.text("abc", min_size=1, max_size=2)
trees = st.recursive(plain_values, lambda inner: st.dictionaries(keys, inner, max_size=3), max_leaves=8)


@given(st.dictionaries(keys, trees, max_size=3), st.lists(keys, min_size=1, max_size=3), plain_values, st.booleans())
def test_any_mapping_is_changed_as_its_data_would_be(
    data: dict[str, Any], path: list[str], value: object, flow: bool
) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True)
    try:
        changed = edited(text, path, value)
    except yaml.YAMLError:
        return
    place: Any = load_yaml(changed)
    for key in path:
        place = place[key]
    assert place == value
