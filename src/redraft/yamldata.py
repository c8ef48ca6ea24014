"""YAML: word lists that ship with the package, files of users within limits, and changes of one value in a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where the wheel has it: ten times faster

MAX_ALIASED = 10_000
"""Values that all aliases of a text may stand for: nested aliases multiply ("billion laughs")."""
MAX_NUMBER = 1_000
"""Characters of a number: YAML's `1:59:59` takes time that grows with the square."""
DEEPEST = 100
"""Levels of nesting; the loader recurses."""


_NUMBER = re.compile(r"[-+0-9_:.a-fA-Fxob]+")


class YamlLimitError(yaml.YAMLError):
    """YAML that would unfold to more than is read."""


def read_yaml(text: str) -> dict[str, Any]:
    """Return a YAML mapping, read by a loader that makes plain values only."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both loaders are safe ones


def load_yaml(text: str) -> object:
    """Return the plain value of a YAML text that a user wrote.

    Raises:
        yaml.YAMLError: it is not YAML, exceeds the limits of `check_yaml`, or holds a date or number that cannot be.
    """
    check_yaml(text)
    try:
        return yaml.safe_load(text)
    except ValueError as error:
        raise yaml.YAMLError(f"a value cannot be read: {error}") from error


def check_yaml(text: str) -> None:
    """Check the size of a YAML text with its aliases written out, without building it.

    Raises:
        YamlLimitError: its aliases stand for more than `MAX_ALIASED` values or for a collection around them, or it is
            nested deeper than `DEEPEST`.
        yaml.YAMLError: it is not YAML.
    """
    sizes: dict[str, int] = {}
    open_: list[tuple[str | None, int]] = []
    seen = aliased = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = f"line {event.start_mark.line + 1 if event.start_mark else 1}"
        match event:
            case yaml.ScalarEvent(value=value) if len(value) > MAX_NUMBER and _NUMBER.fullmatch(value):
                raise YamlLimitError(f"{line}: a number has more than {MAX_NUMBER:,} characters")
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
        if aliased > MAX_ALIASED:
            raise YamlLimitError(f"{line}: the aliases stand for more than {MAX_ALIASED:,} values; write them out")
        if len(open_) > DEEPEST:
            raise YamlLimitError(f"{line}: nested more than {DEEPEST} deep")


def dump_flow(value: object) -> str:
    """Return a value as YAML on one line."""
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=float("inf"), sort_keys=False)
    return text.removesuffix("...\n").strip()


def edited(text: str, keys: Sequence[str], value: object) -> str:
    """Return a YAML mapping with one value set, at the end of a path of keys; comments and all else stay.

    Raises:
        yaml.YAMLError: the text is not a mapping, nor what a key before the last names, or it cannot be changed so.
    """
    loaded = load_yaml(text)
    expected: Any = {} if loaded is None else loaded
    section: dict[str, Any] = expected
    for depth, key in enumerate(keys, start=1):
        if type(section) is not dict:
            raise yaml.YAMLError(f"{key!r} would be in {section!r}, which is not a mapping")
        if depth == len(keys):
            section[key] = value
        elif section.get(key) is None:
            section[key] = {}
        section = section[key]
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is None:  # nothing, or comments alone
        changed = f"{text.rstrip()}\n{_nested(keys, value)}\n".lstrip("\n")
    else:
        changed = _changed(text, root, keys, value)
    if load_yaml(changed) != expected:
        raise yaml.YAMLError("it is written in a form that cannot be changed here")
    return changed


def _changed(text: str, node: Any, keys: Sequence[str], value: object) -> str:
    """Return the text with a value replaced, or with one more line in the last mapping of the path that exists."""
    for depth, key in enumerate(keys):
        name, old = next((pair for pair in node.value if pair[0].value == key), (None, None))
        rest = keys[depth:]
        if name is None and node.flow_style:
            at = node.start_mark.index + 1
            more = _flow(rest, value).removeprefix("{").removesuffix("}")
            return f"{text[:at]}{more}{', ' if node.value else ''}{text[at:]}"
        if name is None:
            at = text.find("\n", _end(node))
            at = len(text) if at < 0 else at
            return f"{text[:at]}\n{_nested(rest, value, node.start_mark.column)}{text[at:] or chr(10)}"
        if len(rest) == 1 or isinstance(old, yaml.ScalarNode):
            at = text.index(":", name.end_mark.index) + 1
            return f"{text[:at]} {_flow(rest[1:], value)}{text[_end(old) :]}"
        node = old
    raise AssertionError(keys)


def _end(node: Any) -> int:
    """Return the end of a value, without the space and comments after it."""
    inner: Any = (
        node.value[-1] if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value else None
    )
    if inner is None:
        return node.end_mark.index
    return _end(inner[1] if isinstance(node, yaml.MappingNode) else inner)


def _flow(keys: Sequence[str], value: object) -> str:
    for key in reversed(keys):
        value = {key: value}
    return dump_flow(value)


def _nested(keys: Sequence[str], value: object, column: int = 0) -> str:
    """Return the lines of a value below its keys."""
    heads = [f"{' ' * (column + 2 * depth)}{key}:" for depth, key in enumerate(keys)]
    return "\n".join([*heads[:-1], f"{heads[-1]} {dump_flow(value)}"])
