"""Reading YAML: the word lists that ship with the package, and files of users within limits."""

from __future__ import annotations

from typing import Any

import yaml

__all__ = ["YamlLimitError", "check_yaml", "load_yaml", "read_yaml"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where the wheel has it: ten times faster

MOST_ALIASED = 10_000
"""Values that all aliases of a text may stand for: nested aliases multiply ("billion laughs")."""
DEEPEST = 100
"""Levels of nesting; the loader recurses."""


class YamlLimitError(yaml.YAMLError):
    """YAML that would unfold to more than is read."""


def read_yaml(text: str) -> dict[str, Any]:
    """A YAML mapping, by a loader that makes plain values only."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both loaders are safe ones


def load_yaml(text: str) -> object:
    """The plain value of a YAML text that a user wrote.

    Raises:
        yaml.YAMLError: it is not YAML, exceeds the limits of `check_yaml`, or holds a date or number that cannot be.
    """
    check_yaml(text)
    try:
        return yaml.safe_load(text)
    except ValueError as error:
        raise yaml.YAMLError(f"a value cannot be read: {error}") from error


def check_yaml(text: str) -> None:
    """Check what a YAML text would unfold to, without building it.

    Raises:
        YamlLimitError: its aliases stand for more than `MOST_ALIASED` values or for what holds them, or it is nested
            deeper than `DEEPEST`.
        yaml.YAMLError: it is not YAML.
    """
    sizes: dict[str, int] = {}
    open_: list[tuple[str | None, int]] = []
    seen = aliased = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = f"line {event.start_mark.line + 1 if event.start_mark else 1}"
        match event:
            case yaml.AliasEvent(anchor=anchor):
                if anchor not in sizes:
                    raise YamlLimitError(f"{line}: the alias *{anchor} has no finished anchor &{anchor} before it")
                seen += sizes[anchor]
                aliased += sizes[anchor]
            case yaml.ScalarEvent(anchor=anchor):
                seen += 1
                sizes |= {anchor: 1} if anchor else {}
            case yaml.CollectionStartEvent(anchor=anchor):
                open_.append((anchor, seen))
                seen += 1
            case yaml.CollectionEndEvent():
                anchor, before = open_.pop()
                sizes |= {anchor: seen - before} if anchor else {}
            case _:
                pass
        if aliased > MOST_ALIASED:
            raise YamlLimitError(f"{line}: the aliases stand for more than {MOST_ALIASED:,} values; write them out")
        if len(open_) > DEEPEST:
            raise YamlLimitError(f"{line}: nested more than {DEEPEST} deep")
