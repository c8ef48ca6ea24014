"""Operators that are absent, or cannot run where they were called."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import bpy

from redraft.studios.scene.inside.advise_place import Edit, Finding, Place
from redraft.studios.scene.inside.advise_renames import CONTEXT_FREE, OPERATORS
from redraft.studios.scene.inside.advise_types import Reader
from redraft.studios.scene.inside.advise_words import misspelt, near, respelt, words

__all__ = [
    "absent_operator",
    "calls_alike",
    "cannot_run",
    "cut",
    "default_of",
    "operator_of",
    "properties",
    "signature",
    "wrong_context",
]

_IN_EDIT = [
    "subdivide",
    "extrude_region",
    "extrude_region_move",
    "bevel",
    "inset",
    "select_all",
    "delete",
    "dissolve_faces",
    "normals_make_consistent",
    "loopcut_slide",
    "remove_doubles",
    "merge",
    "fill",
    "edge_face_add",
    "separate",
    "split",
    "spin",
    "screw",
    "bisect",
    "bridge_edge_loops",
]


# Which one it is


def operator_of(node: ast.expr) -> str:
    """`mesh.primitive_cube_add` of an expression that names it; empty where Blender has no such operator."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, (ast.Attribute, ast.Name)):
        return ""
    module = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
    return f"{module}.{node.attr}" if node.attr in _operators(module) else ""


def _operators(module: str) -> list[str]:
    return dir(getattr(bpy.ops, module)) if module in dir(bpy.ops) else []


def properties(operator: str) -> list[Any]:
    """What an operator takes; what its panel does not show comes last."""
    module, _, name = operator.partition(".")
    own = getattr(getattr(bpy.ops, module), name).get_rna_type().properties
    return sorted((p for p in own if p.identifier != "rna_type"), key=lambda p: p.is_hidden)


def signature(operator: str, most: int = 190) -> str:
    """An operator with the keywords that it takes and their defaults."""
    parts = [f"{p.identifier}={default_of(p)}" for p in properties(operator)]
    return cut(f"bpy.ops.{operator}(", parts, most)


def cut(head: str, parts: Sequence[str], most: int) -> str:
    """A call with as many of its arguments as a line takes."""
    text = head
    for number, part in enumerate(parts):
        comma = ", " if number else ""
        if len(text) + len(comma) + len(part) + 4 > most:
            return f"{text}, …)"
        text += comma + part
    return f"{text})"


def default_of(prop: Any) -> str:
    """The value that a property has by itself, as Python."""
    if prop.type in ("FLOAT", "INT", "BOOLEAN") and prop.is_array:
        return f"({', '.join(_number(v) for v in prop.default_array)})"
    return _number(getattr(prop, "default", None))


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)


# Absent


def absent_operator(reader: Reader, operator: str) -> Finding:
    """What took the place of `object.lamp_add`."""
    place = reader.place
    module, _, name = operator.rpartition(".")
    call = place.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute) and n.func.attr == name)
    if operator in OPERATORS:
        new, since = OPERATORS[operator]
    else:
        new, since = next(((n, "") for n in _spellings(module, name) if _exists(n)), ("", ""))
        if not new:
            return Finding(tuple(_like(module, name)))
    of_old = f"`bpy.ops.{operator}` is gone" + (f" since {since}" if since else "")
    hint = f"{of_old}; use `bpy.ops.{new}`" if new else f"{of_old} and nothing takes its place: leave it out"
    if call is None:
        return Finding((hint,))
    hints = (hint, f"it takes: {signature(new, 170)}") if _exists(new) else (hint,)
    edits = [e for c in calls_alike(place, call) for e in _replaced(place, c, new) or []]
    return Finding(hints, tuple(edits), hint)


def _spellings(module: str, name: str) -> Iterator[str]:
    """Other ways to write the name: words that Blender renamed, then a misspelling."""
    for new in respelt(name):
        yield f"{module}.{new}"
    for new_module in respelt(module):
        yield f"{new_module}.{name}"
    wrong = misspelt(name, _operators(module))
    if wrong:
        yield f"{module}.{wrong}"


def _exists(operator: str) -> bool:
    module, _, name = operator.partition(".")
    return name in _operators(module)


def _every_operator() -> list[str]:
    """All operators, from where Blender has them in one list: to ask each module takes a tenth of a second."""
    found: list[str] = sys.modules["_bpy"].ops.dir()
    return sorted(name.replace("_OT_", ".", 1).lower() for name in found)


def _like(module: str, name: str) -> list[str]:
    """Hints: operators of the same module, and of others, that have the same words."""
    close = near(name, _operators(module))
    wanted = {*words(module), *words(name)} - {"add", "mesh", "object", "scene", "set"}
    elsewhere = [
        each
        for each in _every_operator()
        if not each.startswith(f"{module}.") and len(wanted & set(words(each))) >= max(2, len(wanted) - 1)
    ]
    known = [f"{module}.{found}" for found in close] + elsewhere[:3]
    if not known:
        return [f"Blender has no operator `bpy.ops.{module}.{name}`, and none like it"]
    return [f"Blender has no operator `bpy.ops.{module}.{name}`; like it are {_listed(known)}"]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`bpy.ops.{name}`" for name in names)


def calls_alike(place: Place, call: ast.Call) -> list[ast.Call]:
    """All calls of the same function, by the way it is written."""
    same = ast.dump(call.func)
    return [c for c in place.of_kind(ast.Call) if c is call or ast.dump(c.func) == same]


def _replaced(place: Place, call: ast.Call, new: str) -> list[Edit] | None:
    """The call of another operator with the same arguments; a whole call stands for one that had none."""
    if not new:
        statement = place.statement(call)
        return place.leave_out(statement) if isinstance(statement, ast.Expr) and statement.value is call else None
    if new.endswith(")"):
        return place.instead(call, f"bpy.ops.{new}") if not call.args and not call.keywords else None
    return place.instead(call.func, f"bpy.ops.{new}")


# Context


def cannot_run(reader: Reader, operator: str, reason: str) -> Finding:
    """What an operator needs that it did not have, and the way without it."""
    place = reader.place
    call = place.failing(ast.Call, lambda n: operator_of(n.func) == operator)
    module, _, name = operator.partition(".")
    if operator in CONTEXT_FREE or module in ("view3d", "screen", "outliner"):
        return _without_window(place, call, operator)
    mode = bpy.context.mode
    active = bpy.context.view_layer.objects.active
    if name == "mode_set" and active is None:
        hint = "`bpy.ops.object.mode_set` needs an active object, and there is none"
        return Finding((hint,), tuple(_guarded(place, call)), hint)
    if module != "mesh" and mode != "OBJECT":
        hint = f"`bpy.ops.{operator}` runs in object mode only; Blender is in {mode}"
        return Finding((hint,), tuple(_before(place, call, "bpy.ops.object.mode_set(mode='OBJECT')")), hint)
    if module == "mesh" and name in _IN_EDIT and mode == "OBJECT" and active is not None and active.type == "MESH":
        hint = (
            f"`bpy.ops.{operator}` runs in edit mode only: `bpy.ops.object.mode_set(mode='EDIT')` first; or use bmesh"
        )
        return Finding((hint,))
    needs = "an active object" if active is None else f"something that `{active.name}` ({active.type}) is not, or lacks"
    why = "" if "context is incorrect" in reason else f" ({reason})"
    return Finding(
        (
            f"`bpy.ops.{operator}` cannot run here{why}: it is {mode} mode, and it may need {needs}",
            "set it: `bpy.context.view_layer.objects.active = obj; obj.select_set(True)`; or use `bpy.data`, `bmesh`",
        )
    )


def _without_window(place: Place, call: ast.Call | None, operator: str) -> Finding:
    instead = CONTEXT_FREE.get(operator)
    if instead:
        hint = f"`bpy.ops.{operator}` needs a window, and there is none; use `{instead}`"
        edits = _as_statement(place, call, instead)
        return Finding((hint,), tuple(edits), hint)
    hint = f"`bpy.ops.{operator}` needs a window, and there is none here: leave it out"
    if instead is None:
        return Finding((hint + ", or use `bpy.data`",))
    statement = place.statement(call) if call is not None else None
    alone = isinstance(statement, ast.Expr) and statement.value is call
    return Finding((hint,), tuple(place.leave_out(statement) if statement is not None and alone else ()), hint)


def _as_statement(place: Place, call: ast.Call | None, text: str) -> list[Edit]:
    statement = place.statement(call) if call is not None else None
    return place.instead(statement, text) if isinstance(statement, ast.Expr) and statement.value is call else []


def _before(place: Place, call: ast.Call | None, text: str) -> list[Edit]:
    return place.insert_before(call, text) if call is not None else []


def _guarded(place: Place, call: ast.Call | None) -> list[Edit]:
    """A call that is only made when it can be."""
    if call is None:
        return []
    edits: list[Edit] = []
    for other in calls_alike(place, call):
        statement, function = place.statement(other), place.text(other.func)
        alone = place.lines[statement.lineno - 1].strip() == place.text(other)
        if isinstance(statement, ast.Expr) and statement.value is other and alone:
            edits += place.instead(other, f"if {function}.poll(): {place.text(other)}")
    return edits


def wrong_context(reader: Reader) -> Finding:
    """A context that was handed to an operator, as Blender took it before 4.0."""
    place = reader.place
    call = place.failing(ast.Call, lambda n: bool(operator_of(n.func) and n.args))
    if call is None:
        return Finding()
    name, context = operator_of(call.func), place.text(call.args[0])
    hint = f"`bpy.ops.{name}` takes no context since 4.0; use `with bpy.context.temp_override(**{context}):`"
    statement = place.statement(call)
    one_line = statement.lineno == statement.end_lineno
    if not (isinstance(statement, ast.Expr) and statement.value is call and one_line and len(call.args) == 1):
        return Finding((hint,))
    given = ", ".join(f"{k.arg}={place.text(k.value)}" if k.arg else f"**{place.text(k.value)}" for k in call.keywords)
    text = f"with bpy.context.temp_override(**{context}): {place.text(call.func)}({given})"
    return Finding((hint,), tuple(place.instead(statement, text)), hint)
