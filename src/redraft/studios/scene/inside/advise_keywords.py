"""Keywords that an operator or a function does not take: renamed, or gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

import bpy

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
from redraft.studios.scene.inside.advise_renames import ALIKE, KEYWORDS
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
    new, form, since = _new_keyword(name, keyword, known, call)
    takes = f"it takes: {signature(operator) if operator else _documented(name)}"
    of_old = f"`{name}` takes no `{keyword}`" + (f" since {since}" if since else "")
    made = _property_of_made(operator, keyword)
    if form is None and made:
        hint = f"{of_old}; set it behind the call: `{made} = {place.text(given)}`"
        return Finding((hint, takes), tuple(_set_behind(place, call, keyword, made)), hint)
    if form is None or (new and not _formed(place, given, form)):
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


def _new_keyword(name: str, keyword: str, known: Sequence[str], call: ast.Call) -> tuple[str, str | None, str]:
    """New name, form of the value, version. No name: to be left out; None as form: nothing is sure."""
    for (of, old), (new, form, since) in KEYWORDS.items():
        if old == keyword and fnmatchcase(name, of) and (not new or new in known):
            return new, form, since
    new = next((n for n in respelt(keyword) if n in known), "") or misspelt(keyword, known)
    made = _property_of_made(name, keyword)
    if new or (not made and (new := _taken_for(keyword, known, call))):
        return new, "{value}", ""
    value = _given(call, keyword).value
    plain = isinstance(value, ast.Constant) and (value.value is None or value.value is False)
    return ("", "", "") if plain else ("", None, "")


def _taken_for(keyword: str, known: Sequence[str], call: ast.Call) -> str:
    """The only keyword, of those that are not given, that this is often taken for."""
    given = {k.arg for k in call.keywords}
    alike = [n for words in ALIKE if keyword in words for n in words if n in known and n not in given]
    return alike[0] if len(alike) == 1 else ""


def _property_of_made(operator: str, keyword: str) -> str:
    """Where what an operator adds has a property of this name: `bpy.context.object.data.energy`; empty for none."""
    kind = operator.partition(".")[2].removesuffix("_add")
    if not operator.endswith("_add") or keyword in ("layers", "type"):
        return ""
    if keyword in struct_named("Object").properties:
        return f"bpy.context.object.{keyword}"
    if kind == "text" and keyword == "text":
        return "bpy.context.object.data.body"
    family = {"text": "TextCurve"}.get(kind, kind.capitalize())
    data = [struct_named(name) for name in dir(bpy.types) if name.endswith(family)]
    known = any(struct is not None and keyword in struct.properties for struct in data)
    return f"bpy.context.object.data.{keyword}" if known else ""


def _set_behind(place: Place, call: ast.Call, keyword: str, path: str) -> list[Edit]:
    """The keyword goes, and what it was to do is done behind the call."""
    statement, given = place.statement(call), _given(call, keyword)
    if not isinstance(statement, ast.Expr) or statement.value is not call:
        return []
    behind = place.insert_behind(statement, f"{path} = {place.text(given.value)}")
    return [*place.without_keywords(call, [given]), *behind]


def _with_keywords(place: Place, call: ast.Call, name: str, known: Sequence[str]) -> list[Edit]:
    """All keywords of a call that are not known, as far as it is sure what became of them."""
    edits: list[Edit] = []
    gone: list[ast.keyword] = []
    for given in call.keywords:
        if given.arg is None or given.arg in known:
            continue
        new, form, _ = _new_keyword(name, given.arg, known, call)
        value = _formed(place, given.value, form) if form is not None else ""
        if form is None or (new and not value):
            continue
        if not new or any(k.arg == new for k in call.keywords):
            gone.append(given)
            continue
        edits += place.keyword_name(given, new)
        if form != "{value}":
            edits += place.instead(given.value, value)
    return [*edits, *place.without_keywords(call, gone)]


def _formed(place: Place, value: ast.expr, form: str) -> str:
    """A value as the table has it, a plain number worked out; empty where it does not fit."""
    if form == "{axis}":
        return _axis(value)
    if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and form == "2 * {value}":
        return repr(2 * value.value)
    if isinstance(value, ast.Constant) and isinstance(value.value, bool) and " if {value} else " in form:
        return form.split(" if {value} else ")[0 if value.value else 1]
    simple = isinstance(value, (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)) or form == "{value}"
    return form.replace("{value}", place.text(value) if simple else f"({place.text(value)})")


def _axis(value: ast.expr) -> str:
    """The letter of `(0, 0, 1)`; empty for what is no positive axis."""
    parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == 3 else []
    numbers = [e.value if isinstance(e, ast.Constant) else None for e in parts]
    axes = [letter for letter, n in zip("XYZ", numbers, strict=False) if n != 0]
    return f"'{axes[0]}'" if len(axes) == 1 and 1 in numbers else ""
