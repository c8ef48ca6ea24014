"""Operators and functions: absent ones, keywords that they do not take, and calls where they cannot run."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

import bmesh
import bpy
import mathutils

from redraft.studios.scene.inside.advice.names import near, quoted, respelt, words
from redraft.studios.scene.inside.advice.objects import kind_at, struct_named
from redraft.studios.scene.inside.advice.script import Edit, FailedScript, Finding
from redraft.studios.scene.inside.advice.tables import (
    ALIKE,
    CALLS,
    CONTEXTS,
    INTERFACE,
    KEYED,
    KEYWORDS,
    OPERATORS,
    STAND_INS,
)


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


def _signature(operator: str, most: int = 190) -> str:
    """An operator with the keywords that it takes and their defaults."""
    return _cut(f"bpy.ops.{operator}(", [f"{p.identifier}={_default(p)}" for p in properties(operator)], most)


def _cut(head: str, parts: Sequence[str], most: int) -> str:
    """A call with as many of its arguments as a line takes."""
    text = head
    for number, part in enumerate(parts):
        comma = ", " if number else ""
        if len(text) + len(comma) + len(part) + 4 > most:
            return f"{text}, …)"
        text += comma + part
    return f"{text})"


def _default(prop: Any) -> str:
    """The default value of a property, as Python."""
    many = prop.type in ("FLOAT", "INT", "BOOLEAN") and prop.is_array
    values = prop.default_array if many else [getattr(prop, "default", None)]
    texts = [f"{value:g}" if isinstance(value, float) else repr(value) for value in values]
    return f"({', '.join(texts)})" if many else texts[0]


# Absent operators


def absent_operator(script: FailedScript, operator: str) -> Finding:
    """What took the place of `object.lamp_add`."""
    module, _, name = operator.rpartition(".")
    call = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute) and n.func.attr == name)
    new, since = OPERATORS.get(operator, ("", ""))
    if operator not in OPERATORS:
        spellings = [f"{module}.{n}" for n in respelt(name)] + [f"{m}.{name}" for m in respelt(module)]
        new = next((s for s in spellings if _exists(s)), "")
        if not new and module not in INTERFACE:
            return Finding((_like(module, name),))
    of_old = f"`bpy.ops.{operator}` is gone" + (f" since {since}" if since else "")
    hint = (
        f"{of_old}; use `bpy.ops.{new}`"
        if new
        else f"{of_old} and nothing takes its place: leave it out; lost: what it did"
    )
    edits = [edit for c in script.alike(call) for edit in _replaced(script, c, new)] if call is not None else []
    return Finding((hint, f"it takes: {_signature(new, 170)}" if _exists(new) else ""), tuple(edits), hint)


def _exists(operator: str) -> bool:
    module, _, name = operator.partition(".")
    return name in _operators(module)


def _like(module: str, name: str) -> str:
    """Operators of the same module, and of others, that have the same words."""
    wanted = {*words(module), *words(name)} - {"add", "mesh", "object", "scene", "set"}
    every: list[str] = sys.modules["_bpy"].ops.dir()  # to ask each module takes a tenth of a second
    elsewhere = [
        each
        for each in sorted(found.replace("_OT_", ".", 1).lower() for found in every)
        if not each.startswith(f"{module}.") and len(wanted & set(words(each))) >= max(2, len(wanted) - 1)
    ]
    known = [f"bpy.ops.{each}" for each in [*(f"{module}.{n}" for n in near(name, _operators(module))), *elsewhere[:3]]]
    missing = f"Blender has no operator `bpy.ops.{module}.{name}`"
    return f"{missing}; like it are {quoted(known, '`')}" if known else f"{missing}, and none like it"


def _replaced(script: FailedScript, call: ast.Call, new: str) -> list[Edit]:
    """The call of another operator with the same arguments; a whole call stands for one that had none."""
    if not new:
        return _as_statement(script, call, "pass")
    if new.endswith(")"):
        return script.instead(call, f"bpy.ops.{new}") if not call.args and not call.keywords else []
    return script.instead(call.func, f"bpy.ops.{new}")


def _as_statement(script: FailedScript, call: ast.Call | None, text: str) -> list[Edit]:
    """Another statement in place of one that is this call and nothing else."""
    statement = script.statement(call) if call is not None else None
    return script.instead(statement, text) if isinstance(statement, ast.Expr) and statement.value is call else []


# Keywords


def unknown_keyword(script: FailedScript, keyword: str, owner: str) -> Finding:
    """The new name of a keyword; `owner` is the function that the message names, empty for operators."""
    call = script.failing(ast.Call, lambda n: any(k.arg == keyword for k in n.keywords))
    if call is None:
        return _unknown_entry(script, keyword)
    operator = operator_of(call.func)
    name = operator or (f"bmesh.ops.{owner}" if owner and "." not in owner else owner)
    documented = _signature(operator) if operator else _documented(name)
    known = [p.identifier for p in properties(operator)] if operator else re.findall(r"(\w+)=", documented)
    if not known:
        return Finding()
    given = next(k for k in call.keywords if k.arg == keyword)
    new, form, since = _new_keyword(name, given, known, call)
    takes = f"it takes: {documented}"
    of_old = f"`{name}` takes no `{keyword}`" + (f" since {since}" if since else "")
    made = _property_of_made(operator, keyword) if form is None else ""
    if made:
        hint = f"{of_old}; set it behind the call: `{made} = {script.text(given.value)}`"
        statement = script.statement(call)
        if not isinstance(statement, ast.Expr) or statement.value is not call:
            return Finding((hint, takes))
        behind = script.insert_behind(statement, f"{made} = {script.text(given.value)}")
        return Finding((hint, takes), (*script.without_keywords(call, [given]), *behind), hint)
    if form is None or (new and not _formed(script, given.value, form)):
        return Finding((f"{of_old}; use `{new}`" if new else of_old, takes))
    hint = f"{of_old}; write `{new}={_formed(script, given.value, form)}`" if new else f"{of_old}: leave it out{form}"
    edits = [edit for each in script.alike(call) for edit in _with_keywords(script, each, name, known)]
    return Finding((hint, takes), tuple(edits), hint)


def _unknown_entry(script: FailedScript, keyword: str) -> Finding:
    """Keywords for the operators of a macro: `TRANSFORM_OT_translate={"value": (1, 0, 0)}`."""
    edits: list[Edit] = []
    for entries in script.of_kind(ast.Dict):
        module, _, name = str(getattr(script.parents[entries], "arg", "")).partition("_OT_")
        operator = f"{module.lower()}.{name}"
        known = [p.identifier for p in properties(operator)] if name and _exists(operator) else []
        for key, value in zip(entries.keys, entries.values, strict=True) if known else ():
            if not isinstance(key, ast.Constant) or key.value in known:
                continue
            new, form, _ = _new_keyword(operator, ast.keyword(str(key.value), value), known, ast.Call(key, [], []))
            edits += script.instead(key, repr(new)) if new else script.without_entries(entries, [key])
            edits += script.instead(value, _formed(script, value, form or "{value}")) if new else []
    hint = f"a part of the macro takes no `{keyword}`"
    return Finding((hint,), tuple(edits), hint)


def _documented(name: str) -> str:
    """The signature of a function, from its own documentation or Blender's description of it."""
    if name.startswith("bmesh.ops."):
        function = getattr(bmesh.ops, name.removeprefix("bmesh.ops."), None)
        return " ".join((getattr(function, "__doc__", "") or "").split("->")[0].split()).removeprefix("BMeshOpFunc ")
    struct_name, _, function_name = name.partition(".")
    struct = struct_named(struct_name)
    function = struct.functions.get(function_name) if struct is not None else None
    inputs = [f"{p.identifier}={_default(p)}" for p in function.parameters if not p.is_output] if function else []
    return _cut(f"{name}(", inputs, 180) if inputs else ""


def _new_keyword(name: str, given: ast.keyword, known: Sequence[str], call: ast.Call) -> tuple[str, str | None, str]:
    """New name, form of the value, version. No name: to be left out; None as form: nothing is sure."""
    keyword = given.arg or ""
    for (of, old), (new, form, since) in KEYWORDS.items():
        if old == keyword and fnmatchcase(name, of) and (not new or new in known):
            return new, form, since
    new = next((n for n in respelt(keyword) if n in known), "")
    if not new and not _property_of_made(name, keyword):
        taken = {k.arg for k in call.keywords}
        alike = [n for group in ALIKE if keyword in group for n in group if n in known and n not in taken]
        new = alike[0] if len(alike) == 1 else ""
    if new:
        return new, "{value}", ""
    plain = isinstance(given.value, ast.Constant) and (given.value.value is None or given.value.value is False)
    if plain:
        return "", "", ""
    sure = any(keyword in group for group in ALIKE) or near(keyword, known) or _property_of_made(name, keyword)
    return ("", None, "") if sure or "." not in name else ("", f"; lost: `{keyword}`", "")


def _property_of_made(operator: str, keyword: str) -> str:
    """Where what an operator adds has a property of this name: `bpy.context.object.data.energy`; empty for none."""
    if not operator.endswith("_add") or keyword in ("layers", "type"):
        return ""
    if keyword in struct_named("Object").properties:
        return f"bpy.context.object.{keyword}"
    family = operator.partition(".")[2].removesuffix("_add").capitalize()
    data = [struct_named(name) for name in dir(bpy.types) if name.endswith(family)]
    known = any(struct is not None and keyword in struct.properties for struct in data)
    return f"bpy.context.object.data.{keyword}" if known else ""


def _with_keywords(script: FailedScript, call: ast.Call, name: str, known: Sequence[str]) -> list[Edit]:
    """All keywords of a call that are not known, as far as it is sure what became of them."""
    edits: list[Edit] = []
    gone: list[ast.keyword] = []
    for given in call.keywords:
        if given.arg is None or given.arg in known:
            continue
        new, form, _ = _new_keyword(name, given, known, call)
        value = _formed(script, given.value, form) if form is not None else ""
        if form is None or (new and not value):
            continue
        if not new or any(k.arg == new for k in call.keywords):
            gone.append(given)
            continue
        edits += script.keyword_name(given, new)
        edits += script.instead(given.value, value) if form != "{value}" else []
    return [*edits, *script.without_keywords(call, gone)]


def _formed(script: FailedScript, value: ast.expr, form: str) -> str:
    """A value as the table has it, a plain number worked out; empty where it does not fit."""
    if form == "{axis}":  # the letter of `(0, 0, 1)`
        numbers = [getattr(e, "value", None) for e in getattr(value, "elts", ())]
        axes = [letter for letter, n in zip("XYZ", numbers, strict=False) if n != 0]
        return f"'{axes[0]}'" if len(axes) == 1 and 1 in numbers else ""
    if "{frame_start}" in form:
        call = script.parents[script.parents[value]]
        given = {k.arg: k.value for k in call.keywords} if isinstance(call, ast.Call) else {}
        start = given.get("frame_start") or (
            call.args[3] if isinstance(call, ast.Call) and len(call.args) > 3 else None
        )
        if start is None:
            return ""
        form = form.replace("{frame_start}", f"({script.text(start)})")
    if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and form == "2 * {value}":
        return repr(2 * value.value)
    simple = isinstance(value, (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)) or form == "{value}"
    return form.replace("{value}", script.text(value) if simple else f"({script.text(value)})")


def too_many(script: FailedScript, name: str) -> Finding:
    """A call with the arguments that its function had until 2.79."""
    call = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute) and n.func.attr == name.split(".")[1])
    if call is None or name not in CALLS or not isinstance(call.func, ast.Attribute):
        return Finding((f"it takes: {_documented(name)}",))
    parts = {"owner": script.text(call.func.value)} | {str(n): script.text(a) for n, a in enumerate(call.args)}
    new = re.sub(r"\{(\w+)\}", lambda match: parts.get(match[1], "None"), CALLS[name])
    hint = f"`{name}` takes other arguments since 2.80: `{new}`"
    return Finding((hint,), tuple(script.instead(call, new)), hint)


def too_many_unnamed(script: FailedScript, name: str, most: int) -> Finding:
    """The basis of a noise by its place, as `mathutils.noise` took it until 2.79."""
    call = script.failing(ast.Call, lambda n: script.text(n.func).endswith(name))
    if call is None or not hasattr(mathutils.noise, name) or len(call.args) != most + 1:
        return Finding()
    hint = "the basis of a noise is given by its name since 2.80: `noise_basis=…`"
    edits = [
        e
        for c in script.alike(call)
        if len(c.args) == most + 1
        for e in script.instead(c.args[-1], f"noise_basis={script.text(c.args[-1])}")
    ]
    return Finding((hint,), tuple(edits), hint)


def wants_depsgraph(script: FailedScript) -> Finding:
    """A scene, or nothing, where Blender wants what was evaluated: `bm.from_object(ob, scene)`."""
    call = script.failing(ast.Call)
    hint = "it takes a depsgraph since 2.80: `bpy.context.evaluated_depsgraph_get()`"
    if call is None or not call.args:
        return Finding((hint,))
    graph = "bpy.context.evaluated_depsgraph_get()"
    edits: list[Edit] = []
    for each in script.alike(call):
        kinds = [kind.name if (kind := kind_at(script, a)) is not None else "" for a in each.args]
        old = next((a for a, kind in zip(each.args, kinds, strict=True) if kind in ("Scene", "ViewLayer")), None)
        edits += script.instead(old, graph) if old is not None else []
        if old is None and script.text(each.func).endswith(".ray_cast"):
            edits += script.instead(each.args[0], f"{graph}, {script.text(each.args[0])}")
    return Finding((hint,), tuple(edits), hint)


def numbered_context(script: FailedScript) -> Finding:
    """The context of `bmesh.ops.delete` given as a number, as until 2.79."""
    call = script.failing(ast.Call, lambda n: any(k.arg == "context" for k in n.keywords))
    hint = "what to delete is a word since 2.80, not a number"
    edits: list[Edit] = []
    for each in script.alike(call) if call is not None else ():
        value = next((k.value for k in each.keywords if k.arg == "context"), None)
        number = getattr(value, "value", None)
        if value is not None and isinstance(number, int) and 0 < number < len(CONTEXTS):
            edits += script.instead(value, repr(CONTEXTS[number]))
    return Finding((hint,), tuple(edits), hint)


def without_result(script: FailedScript, what: str) -> Finding:
    """A call of an operator that cannot do its work here."""
    call = script.failing(ast.Call, lambda n: bool(operator_of(n.func)))
    hint = f"{what}: leave it out; lost: what `{script.text(call.func)}` did" if call is not None else what
    return Finding((hint,), tuple(_as_statement(script, call, "pass")), hint)


def context_given(script: FailedScript) -> Finding:
    """A context that is given to an operator, which since 4.0 is said by `temp_override`."""
    call = script.failing(ast.Call, lambda n: bool(operator_of(n.func) and n.args))
    hint = "an operator takes no context since 4.0: `with bpy.context.temp_override(**context): bpy.ops.…()`"
    if call is None:
        return Finding((hint,))
    edits: list[Edit] = []
    for each in script.of_kind(ast.Call):
        if operator_of(each.func) and each.args and not isinstance(each.args[0], ast.Constant):
            statement = script.statement(each)
            rest = [*each.args[1:], *each.keywords]
            given = ", ".join(script.text(part) for part in rest)  # type: ignore[arg-type]
            if isinstance(statement, ast.Expr) and statement.value is each:
                override = f"with bpy.context.temp_override(**{script.text(each.args[0])}): "
                edits += script.instead(statement, f"{override}{script.text(each.func)}({given})")
    return Finding((hint,), tuple(edits), hint)


def unnamed_argument(script: FailedScript, name: str) -> Finding:
    """The name of an argument that Blender took by its place until 2.79: the last one that has none."""
    call = script.failing(ast.Call)
    hint = f"`{name}` is given by its name since 2.80"
    if call is None or not call.args:
        return Finding((hint,))
    owner = kind_at(script, call.func.value) if isinstance(call.func, ast.Attribute) else None
    function = owner.struct.functions.get(call.func.attr) if owner and owner.struct else None  # type: ignore[attr-defined]
    names = [p.identifier for p in function.parameters if not p.is_output] if function is not None else []
    edits = [
        e
        for c in script.alike(call)
        for place, a in enumerate(c.args)
        if (place >= names.index(name) and place < len(names) if name in names else a is c.args[-1])
        for e in script.instead(a, f"{names[place] if name in names else name}={script.text(a)}")
    ]
    return Finding((hint,), tuple(edits), hint)


# Context


def cannot_run(script: FailedScript, operator: str, reason: str) -> Finding:
    """What an operator needs that it did not have."""
    call = script.failing(ast.Call, lambda n: operator_of(n.func) == operator)
    mode, active = bpy.context.mode, bpy.context.view_layer.objects.active
    if operator == "object.mode_set" and active is None:
        hint = "`bpy.ops.object.mode_set` needs an active object, and there is none"
        guarded = f"if {script.text(call.func)}.poll(): {script.text(call)}" if call is not None else ""
        alone = call is not None and script.lines[call.lineno - 1].strip() == script.text(call)
        return Finding((hint,), tuple(_as_statement(script, call, guarded) if alone else ()), hint)
    if not operator.startswith("mesh.") and mode != "OBJECT":
        hint = f"`bpy.ops.{operator}` runs in object mode only; Blender is in {mode}"
        edits = script.insert_before(call, "bpy.ops.object.mode_set(mode='OBJECT')") if call is not None else []
        return Finding((hint,), tuple(edits), hint)
    if operator == "anim.keyframe_insert_menu" and call is not None:
        kind = next((getattr(k.value, "value", "") for k in call.keywords if k.arg == "type"), "")
        paths = [path for word, path in KEYED if word in str(kind)]
        keyed = "; ".join(f"o.keyframe_insert({path!r})" for path in paths)
        hint = f"`bpy.ops.{operator}` needs a window, and there is none: use `keyframe_insert` of the objects"
        text = f"for o in bpy.context.selected_objects: {keyed}"
        return Finding((hint,), tuple(_as_statement(script, call, text) if paths else ()), hint)
    stand_in = STAND_INS.get(operator, "")
    if stand_in:
        hint = f"`bpy.ops.{operator}` needs a window, and there is none: use `{stand_in}`"
        return Finding((hint,), tuple(_as_statement(script, call, stand_in)), hint)
    if operator.partition(".")[0] in INTERFACE and not operator.startswith("view3d.camera_to"):
        return without_result(script, f"`bpy.ops.{operator}` needs a window, and there is none")
    why = "" if "context is incorrect" in reason else f" ({reason})"
    return Finding((f"`bpy.ops.{operator}` cannot run here{why}: use `bpy.data` or `bmesh`, which need no context",))
