"""Makes a row of `changes.txt` in a script: the engine that every kind of change goes through."""

from __future__ import annotations

import ast
import re

from redraft.studios.scene.inside.advice.changes import Change
from redraft.studios.scene.inside.advice.script import Edit, FailedScript


def change_attribute(script: FailedScript, node: ast.Attribute, change: Change) -> list[Edit] | None:
    """Make a row at one place, in the form that fits there: read, set, called; None where it has none for it."""
    parent, statement, stored = script.parents[node], script.statement(node), isinstance(node.ctx, ast.Store)
    first = script.insert_before(node, filled(change.first, script, node, change)) if change.first else []
    called = parent if isinstance(parent, ast.Call) and parent.func is node else None

    if called and change.line and script.is_statement(called):
        # The statement may name its argument twice, so that a call in it would be made twice.
        simple = len(called.args) == 1 and not any(isinstance(n, ast.Call) for n in ast.walk(called.args[0]))
        return script.instead(statement, filled(change.line, script, node, change)) if simple else None
    if called and change.call:
        return first + script.instead(called, filled(change.call, script, node, change))
    if stored and change.put:
        whole = isinstance(statement, ast.Assign) and statement.targets == [node]
        return first + script.instead(statement, filled(change.put, script, node, change)) if whole else None
    if change.gone:
        return script.removed(node)
    if not change.get or (stored and "(" in change.get):
        return None

    # A mere new name is the smallest edit.
    head, _, tail = change.get.partition("{owner}.")
    renamed = not head and tail.isidentifier() and "." not in change.name
    new = filled(change.get, script, node, change)
    return first + (script.attribute(node, tail) if renamed else script.instead(node, new))


def filled(form: str, script: FailedScript, node: ast.Attribute, change: Change) -> str:
    """Return a text of a row with the script's own parts in it."""
    parent, statement = script.parents[node], script.statement(node)
    inner = node.value if "." in change.name and isinstance(node.value, ast.Attribute) else node
    given = [script.text(a) for a in parent.args] if isinstance(parent, ast.Call) else []
    named = [script.text(k.value) for k in parent.keywords] if isinstance(parent, ast.Call) else []
    parts = {
        "{owner}": script.text(inner.value),
        "{outer}": script.text(node.value.value) if isinstance(node.value, ast.Attribute) else "",
        "{args}": ", ".join([*given, *named]),
        "{value}": script.text(statement.value) if isinstance(statement, ast.Assign) else "…",
        "{0}": given[0] if given else "None",
        "{1}": given[1] if len(given) > 1 else "None",
    }
    return re.sub(r"\{\w+\}", lambda match: parts.get(match[0], match[0]), form)


def changed_value(script: FailedScript, value: ast.expr, form: str) -> str:
    """Return the value of a keyword in its new form, a plain number worked out; empty where the form does not fit."""
    if form == "{axis}":  # the letter of `(0, 0, 1)`
        numbers = [getattr(e, "value", None) for e in getattr(value, "elts", ())]
        axes = [letter for letter, n in zip("XYZ", numbers, strict=False) if n != 0]
        return f"'{axes[0]}'" if len(axes) == 1 and 1 in numbers else ""

    if "{frame_start}" in form:
        call = script.parents[script.parents[value]]
        if not isinstance(call, ast.Call):
            return ""
        fourth = call.args[3] if len(call.args) > 3 else None
        start = next((k.value for k in call.keywords if k.arg == "frame_start"), fourth)
        if start is None:
            return ""
        form = form.replace("{frame_start}", f"({script.text(start)})")

    if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and form == "2 * {value}":
        return repr(2 * value.value)
    simple = isinstance(value, (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)) or form == "{value}"
    return form.replace("{value}", script.text(value) if simple else f"({script.text(value)})")


def change_texts(script: FailedScript, old: str, new: str) -> list[Edit]:
    """Replace a text wherever the script has it."""
    return [
        edit
        for constant in script.of_kind(ast.Constant)
        if constant.value == old
        for edit in script.instead(constant, script.quoted(constant, new))
    ]


def change_statement(script: FailedScript, call: ast.Call | None, text: str) -> list[Edit]:
    """Replace a statement that is this call and nothing else."""
    return script.instead(script.statement(call), text) if call is not None and script.is_statement(call) else []
