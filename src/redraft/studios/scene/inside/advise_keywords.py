"""Keywords that an operator or a function does not take: renamed, or gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from redraft.studios.scene.inside.advise_kinds import struct_named
from redraft.studios.scene.inside.advise_operators import (
    calls_alike,
    cut,
    default_of,
    operator_of,
    properties,
    signature,
)
from redraft.studios.scene.inside.advise_place import Edit, Finding, Place
from redraft.studios.scene.inside.advise_renames import KEYWORDS
from redraft.studios.scene.inside.advise_types import Reader
from redraft.studios.scene.inside.advise_words import misspelt, respelt

__all__ = ["unknown_keyword"]


def unknown_keyword(reader: Reader, keyword: str, owner: str) -> Finding:
    """What a keyword is called now; `owner` is the function that the message names, empty for operators."""
    place = reader.place
    call = place.failing(ast.Call, lambda n: any(k.arg == keyword for k in n.keywords))
    if call is None:
        return Finding()
    operator = operator_of(call.func)
    name = operator or (f"bmesh.ops.{owner}" if owner and "." not in owner else owner)
    known = _keywords_of(operator, name)
    if not known:
        return Finding()
    given = _given(call, keyword).value
    new, form, since = _new_keyword(name, keyword, known, given)
    takes = f"it takes: {signature(operator) if operator else _documented(name)}"
    of_old = f"`{name}` takes no `{keyword}`" + (f" since {since}" if since else "")
    if form is None or (new and not form):
        return Finding((f"{of_old}; use `{new}`" if new else of_old, takes))
    hint = f"{of_old}; write `{new}={_formed(place, given, form)}`" if new else f"{of_old}: leave it out"
    edits: list[Edit] = []
    for other in calls_alike(place, call):
        edits += _with_keywords(place, other, name, known)
    return Finding((hint, takes), tuple(edits), hint)


def _keywords_of(operator: str, name: str) -> list[str]:
    if operator:
        return [p.identifier for p in properties(operator)]
    return re.findall(r"(\w+)=", _documented(name))


def _documented(name: str) -> str:
    """The signature of a function, from its own documentation or Blender's description of it."""
    if name.startswith("bmesh.ops."):
        import bmesh

        function = getattr(bmesh.ops, name.removeprefix("bmesh.ops."), None)
        return " ".join((getattr(function, "__doc__", "") or "").split("->")[0].split()).removeprefix("BMeshOpFunc ")
    struct_name, _, function_name = name.partition(".")
    struct = struct_named(struct_name)
    function = struct.functions.get(function_name) if struct is not None else None
    if function is None:
        return ""
    inputs = [f"{p.identifier}={default_of(p)}" for p in function.parameters if not p.is_output]
    return cut(f"{name}(", inputs, 180)


def _given(call: ast.Call, keyword: str) -> ast.keyword:
    return next(k for k in call.keywords if k.arg == keyword)


def _new_keyword(name: str, keyword: str, known: Sequence[str], value: ast.expr) -> tuple[str, str | None, str]:
    """New name, form of the value, version. No name: to be left out; None as form: nothing is sure."""
    for (of, old), (new, form, since) in KEYWORDS.items():
        if old == keyword and fnmatchcase(name, of) and (not new or new in known):
            return new, form, since
    new = next((n for n in respelt(keyword) if n in known), "") or misspelt(keyword, known)
    if new:
        return new, "{value}", ""
    plain = isinstance(value, ast.Constant) and (value.value is None or value.value is False)
    return ("", "", "") if plain else ("", None, "")


def _with_keywords(place: Place, call: ast.Call, name: str, known: Sequence[str]) -> list[Edit]:
    """All keywords of a call that are not known, as far as it is sure what became of them."""
    edits: list[Edit] = []
    for given in call.keywords:
        if given.arg is None or given.arg in known:
            continue
        new, form, _ = _new_keyword(name, given.arg, known, given.value)
        if form is None or (new and not form):
            continue
        if not new or any(k.arg == new for k in call.keywords):
            edits += place.without_keyword(call, given)
            continue
        edits += place.keyword_name(given, new)
        if form != "{value}":
            edits += place.instead(given.value, _formed(place, given.value, form))
    return edits


def _formed(place: Place, value: ast.expr, form: str) -> str:
    """A value as the table has it; a plain number is worked out."""
    if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and form == "2 * {value}":
        return repr(2 * value.value)
    simple = isinstance(value, (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)) or form == "{value}"
    return form.replace("{value}", place.text(value) if simple else f"({place.text(value)})")
