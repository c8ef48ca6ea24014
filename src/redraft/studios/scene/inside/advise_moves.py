"""Attributes and methods that were renamed, moved or taken away, as the table has them, and what must be told of them.

A way tells how the attribute is written now, anywhere in the script, and says so in words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from redraft.studios.scene.inside.advise_kinds import Kind, lineage
from redraft.studios.scene.inside.advise_place import Edit, Place
from redraft.studios.scene.inside.advise_renames import ATTRIBUTES, Rename
from redraft.studios.scene.inside.advise_types import Reader

__all__ = ["Make", "Way", "leave_out", "renamed"]

Make = Callable[[ast.Attribute], "list[Edit] | None"]
Way = tuple[Make, str]
"""What is to be done at one place of the script (None where it does not fit), and the hint."""

_PURE = re.compile(r"(?:math\.\w+|(?:mathutils\.)?(?:Vector|Color|Euler|Matrix)|radians|degrees|float|int|bool|tuple)")


def renamed(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """By a row of the table for the thing's type, or for one that this is made from."""
    row = next((r for name in lineage(owner) for r in ATTRIBUTES if (r.owner, r.name) == (name, node.attr)), None)
    if row is None:
        return None
    place = reader.place
    forms = (row.put, row.get) if isinstance(node.ctx, ast.Store) else (row.get, row.call, row.line, row.put)
    form = next((f for f in forms if f), "")
    new = _filled(form, place, node) if form else ""
    instead = f"use `{new}`" if new else "leave it out"
    says = f": {row.says}" if row.says else ""
    since = f" since {row.since}" if row.since else ""
    hint = f"`{owner.name}` has no `{node.attr}`{since}; {instead}{says}"
    return lambda other: _changed(place, other, row), hint


def _changed(place: Place, node: ast.Attribute, row: Rename) -> list[Edit] | None:
    """A row of the table, made at one place; None where its form is another."""
    parent = place.parents[node]
    statement = place.statement(node)
    stored = isinstance(node.ctx, ast.Store)
    first = place.insert_before(node, _filled(row.first, place, node)) if row.first else []
    called = parent if isinstance(parent, ast.Call) and parent.func is node else None
    if called and row.line and isinstance(statement, ast.Expr) and statement.value is called:
        simple = len(called.args) == 1 and not any(isinstance(n, ast.Call) for n in ast.walk(called.args[0]))
        return place.instead(statement, _filled(row.line, place, node)) if simple else None
    if called and row.call:
        return first + place.instead(called, _filled(row.call, place, node))
    if stored and row.put:
        whole = isinstance(statement, ast.Assign) and statement.targets == [node]
        return first + place.instead(statement, _filled(row.put, place, node)) if whole else None
    return leave_out(place, node) if row.gone else _renamed_to(place, node, row, first)


def _renamed_to(place: Place, node: ast.Attribute, row: Rename, first: list[Edit]) -> list[Edit] | None:
    """Where a row has another expression for the attribute."""
    if not row.get or (isinstance(node.ctx, ast.Store) and "(" in row.get):
        return None
    head, _, tail = row.get.partition("{owner}.")
    if not head and tail.isidentifier():
        return first + place.attribute(node, tail)
    return first + place.instead(node, _filled(row.get, place, node))


def _filled(form: str, place: Place, node: ast.Attribute) -> str:
    """A text of the table with the script's own parts in it."""
    parent, statement = place.parents[node], place.statement(node)
    arguments = [*parent.args, *(k.value for k in parent.keywords)] if isinstance(parent, ast.Call) else []
    value = place.text(statement.value) if isinstance(statement, ast.Assign) else "…"
    parts = {
        "{owner}": place.text(node.value),
        "{args}": ", ".join(place.text(a) for a in arguments),
        "{value}": value,
    }
    return re.sub(r"\{\w+\}", lambda match: parts.get(match[0], match[0]), form)


def leave_out(place: Place, node: ast.expr) -> list[Edit] | None:
    """The statement that only sets or calls this goes; None where more hangs on it."""
    statement = place.statement(node)
    if isinstance(statement, ast.Assign) and statement.targets == [node] and _harmless(place, statement.value):
        return place.leave_out(statement)
    if isinstance(statement, ast.AugAssign) and statement.target is node and _harmless(place, statement.value):
        return place.leave_out(statement)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _harmless(place, statement.value):
        target = statement.targets[0]  # `scene.layers[0] = True`
        return place.leave_out(statement) if isinstance(target, ast.Subscript) and target.value is node else None
    call = statement.value if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
    if call is None or call.func is not node:
        return None
    given = [*call.args, *(k.value for k in call.keywords)]
    return place.leave_out(statement) if all(_harmless(place, value) for value in given) else None


def _harmless(place: Place, value: ast.AST) -> bool:
    """Whether nothing is lost when an expression is not worked out."""
    calls = [n for n in ast.walk(value) if isinstance(n, (ast.Call, ast.NamedExpr, ast.Await, ast.Yield))]
    return all(isinstance(c, ast.Call) and _PURE.fullmatch(place.text(c.func)) for c in calls)
