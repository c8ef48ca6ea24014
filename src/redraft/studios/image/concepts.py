"""Concepts: what an image is to hold, given in words or drawn from a file with the run's seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import yaml

from redraft.errors import BriefError
from redraft.limits import SOURCE, read_file
from redraft.record.journal import derive_seed
from redraft.yamldata import YamlLimitError, load_yaml

Categories = Mapping[str, tuple[str, ...]]
"""Concepts by category; a file without categories has one, named by nothing."""
COUNT = 3
"""Concepts that are drawn, unless something else is said."""
MOST = 100_000
"""Bytes of a concepts file."""
FORM = "one concept a line, a YAML list, or a YAML mapping of categories to lists"


def split(text: str) -> tuple[str, ...]:
    """`lighthouse, storm, clockwork` as three concepts."""
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def concepts(
    given: Sequence[str] | str, file: Path | None, count: int | None, seed: int, *, on: Path | None, change: str
) -> tuple[str, ...]:
    """What a new picture is to hold: the concepts as given, or drawn from a file with the run's seed, three unless
    `count` says otherwise. Nothing for a picture that goes on from an earlier one.

    Raises:
        BriefError: nothing is given, the options contradict each other, or the file cannot be used.
    """
    named = split(given) if isinstance(given, str) else tuple(given)
    if odd := [concept for concept in cast("tuple[object, ...]", named) if not isinstance(concept, str)]:
        raise BriefError(f"A concept is a word or a phrase; given: {odd[0]!r:.60} ({type(odd[0]).__name__}).")
    if on is not None and (named or file is not None):
        raise BriefError(
            f"Concepts start a new picture. To change the picture of {on}, give the change as the instruction."
        )
    if on is not None and not change.strip():
        raise BriefError(f'No change to the picture of {on} is given. Give one, such as "make it night".')
    if named and file is not None:
        raise BriefError(f"Both concepts and the file {file} are given. Leave one of the two out.")
    if count is not None and file is None:
        raise BriefError(f"count is {count}, but there is no file to take concepts from. Also give concepts_file.")
    if on is None and file is None and not any(concept.strip() for concept in named):
        raise BriefError(
            f"There are no concepts (given: {given!r:.60}). Name what the picture should show, such as "
            '"lighthouse, storm".'
        )
    return named if file is None else drawn(load_categories(file), COUNT if count is None else count, seed)


def load_categories(path: Path) -> Categories:
    """Read a file of concepts: one a line, a YAML list, or a YAML mapping of categories to lists.

    Raises:
        BriefError: it cannot be read, is empty or binary, or holds something else than words.
    """
    try:
        raw = read_file(path, SOURCE)
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise BriefError(f"Cannot read the concepts {path}: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BriefError(f"{path} is not valid UTF-8 (byte {error.start}); concepts are {FORM}.") from error
    if len(raw) > MOST or "\0" in text:
        raise BriefError(f"{path} is not a list of concepts ({len(raw):,} bytes); it is {FORM}.")
    found = _categories(text, path)
    if not any(found.values()):
        raise BriefError(f"{path} contains no concepts; expected {FORM}.")
    return found


def drawn(categories: Categories, count: int, seed: int) -> tuple[str, ...]:
    """`count` different concepts, by the run's seed: one of each category, over as many categories as there are.

    Raises:
        BriefError: the file has fewer.
    """
    generator = random.Random(derive_seed(seed, "concepts"))  # noqa: S311  a choice of words, not a secret
    left = {name: list(dict.fromkeys(concepts)) for name, concepts in categories.items() if concepts}
    total = len({concept for concepts in left.values() for concept in concepts})
    if not 1 <= count <= total:
        raise BriefError(f"count is {count}, but the file has {total} different concepts. Give 1 to {total}.")
    chosen: list[str] = []
    while len(chosen) < count:
        for name in generator.sample(sorted(left), len(left)):
            choices = [concept for concept in left[name] if concept not in chosen]
            if choices and len(chosen) < count:
                chosen.append(generator.choice(choices))
    return tuple(chosen)


def _categories(text: str, path: Path) -> Categories:
    try:
        data = load_yaml(text)
    except YamlLimitError as error:
        raise BriefError(f"{path}: {error}.") from error
    except yaml.YAMLError:
        data = text
    match data:
        case dict():
            mapping = cast("dict[object, object]", data)
            return {str(name): _words(entries, path, str(name)) for name, entries in mapping.items()}
        case list():
            return {"": _words(cast("object", data), path, "")}
        case _:
            lines = (line.strip() for line in text.splitlines())
            return {"": tuple(line for line in lines if line and not line.startswith("#"))}


def _words(entries: object, path: Path, category: str) -> tuple[str, ...]:
    where = f"{path}, {category}" if category else str(path)
    if not isinstance(entries, list):
        raise BriefError(f"{where}: a list of concepts is expected, found {entries!r:.60}.")
    found = cast("list[object]", entries)
    for entry in found:
        if not isinstance(entry, str) or not entry.strip():
            raise BriefError(f"{where}: a concept is a word or a phrase, found {entry!r:.60}. Put it in quotes.")
    return tuple(str(entry).strip() for entry in found)
