"""Lists of words in the names and labels of a scene's things: `words.yaml`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import cast

from redraft.spatial.yamldata import read_yaml

__all__ = ["is_among", "listed"]


@cache
def _table() -> dict[str, list[str]]:
    text = files("redraft.studios.scene").joinpath("words.yaml").read_text(encoding="utf-8")
    return cast("dict[str, list[str]]", read_yaml(text))


@cache
def listed(name: str) -> frozenset[str]:
    """One of the lists."""
    return frozenset(_table()[name])


def is_among(label: str, *names: str) -> bool:
    """Whether a word of a label is on one of the lists, in the singular or with an s."""
    own = {form for word in label.split() for form in (word, word.removesuffix("s"))}
    return any(not own.isdisjoint(listed(name)) for name in names)
