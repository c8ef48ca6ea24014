"""YAML of users: aliases, nesting and values that would unfold to more than a machine holds."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.config import load
from redraft.errors import BriefError, ConfigError, ProfileError
from redraft.scoring.profile import load_profile
from redraft.studios.image.concepts import load_categories
from redraft.yamldata import YamlLimitError, load_yaml

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
MAPS = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n} {{{', '.join(f'k{k}: *a{n - 1}' for k in range(9))}}}\n" for n in range(1, 12)
)
BOMBS = {"lists": LAUGHS, "mappings": MAPS, "itself": "a: &a [*a]\n", "deep": "a: " + "[" * 20_000 + "]" * 20_000}


@pytest.mark.parametrize("name", BOMBS)
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


@pytest.mark.parametrize("text", ["a: 2026-13-45", "a: " + "9" * 5000])
def test_values_that_cannot_be_are_named(text: str) -> None:
    with pytest.raises(yaml.YAMLError, match="a value cannot be read"):
        load_yaml(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab&*:[]{}-, \n19#'\"", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        load_yaml(text)
    except yaml.YAMLError:
        return
