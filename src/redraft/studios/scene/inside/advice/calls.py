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

from redraft.studios.scene.inside.advice.changes import (
    CALLS,
    CONTEXTS,
    INTERFACE,
    KEYED,
    KEYWORDS,
    OPERATORS,
    SYNONYMS,
    WINDOWLESS,
    Change,
    change_of,
)
from redraft.studios.scene.inside.advice.fixes import change_statement, changed_value, filled
from redraft.studios.scene.inside.advice.names import near, quoted, respelt, words
from redraft.studios.scene.inside.advice.objects import kind_at, struct_named
from redraft.studios.scene.inside.advice.script import Edit, FailedScript, Finding


def operator_of(node: ast.expr) -> str:
    """Return `mesh.primitive_cube_add` for an expression that names it; empty if Blender has no such operator."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, (ast.Attribute, ast.Name)):
        return ""
    module = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
    return f"{module}.{node.attr}" if node.attr in _operators(module) else ""


def _operators(module: str) -> list[str]:
    return dir(getattr(bpy.ops, module)) if module in dir(bpy.ops) else []


def properties(operator: str) -> list[Any]:
    """Return the properties that an operator takes; those that its panel does not show come last."""
    module, _, name = operator.partition(".")
    own = getattr(getattr(bpy.ops, module), name).get_rna_type().properties
    return sorted((p for p in own if p.identifier != "rna_type"), key=lambda p: p.is_hidden)


def _signature(operator: str, most: int = 190) -> str:
    """Return an operator with the keywords that it takes and their defaults."""
    return _cut(f"bpy.ops.{operator}(", [f"{p.identifier}={_default(p)}" for p in properties(operator)], most)


def _cut(head: str, parts: Sequence[str], most: int) -> str:
    """Return a call with as many of its arguments as a line takes."""
    text = head
    for number, part in enumerate(parts):
        comma = ", " if number else ""
        if len(text) + len(comma) + len(part) + 4 > most:
            return f"{text}, …)"
        text += comma + part
    return f"{text})"


def _default(prop: Any) -> str:
    """Return the default value of a property, as Python."""
    many = prop.type in ("FLOAT", "INT", "BOOLEAN") and prop.is_array
    values = prop.default_array if many else [getattr(prop, "default", None)]
    texts = [f"{value:g}" if isinstance(value, float) else repr(value) for value in values]
    return f"({', '.join(texts)})" if many else texts[0]


# Absent operators


def absent_operator(script: FailedScript, operator: str) -> Finding:
    """Return what took the place of `object.lamp_add`."""
    module, _, name = operator.rpartition(".")
    call = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute) and n.func.attr == name)
    change = change_of(OPERATORS, module, name)
    if change is None:
        spellings = [f"{module}.{n}" for n in respelt(name)] + [f"{m}.{name}" for m in respelt(module)]
        new = next((s for s in spellings if _exists(s)), "")
        if not new and ("", module) not in INTERFACE:
            return Finding((_similar_operators(module, name),))
        change = Change(module, name, new=new, gone=not new)

    gone = f"`bpy.ops.{operator}` is gone{change.dated}"
    nothing = "and nothing takes its place: leave it out; lost: what it did"
    hint = f"{gone}; use `bpy.ops.{change.new}`" if change.new else f"{gone} {nothing}"
    edits: list[Edit] = []
    for each in script.alike(call) if call is not None else ():
        if change.gone:
            edits += change_statement(script, each, "pass")
        elif not change.new.endswith(")"):
            edits += script.instead(each.func, f"bpy.ops.{change.new}")
        elif not each.args and not each.keywords:  # a whole call stands for one that had no arguments
            edits += script.instead(each, f"bpy.ops.{change.new}")
    takes = f"it takes: {_signature(change.new, 170)}" if _exists(change.new) else ""
    return Finding.fix(hint, edits, takes)


def _exists(operator: str) -> bool:
    module, _, name = operator.partition(".")
    return name in _operators(module)


def _similar_operators(module: str, name: str) -> str:
    """Return operators of the same module, and of others, that have the same words, in a hint."""
    own = {*words(module), *words(name)} - {"add", "mesh", "object", "scene", "set"}
    every: list[str] = sys.modules["_bpy"].ops.dir()  # to ask each module takes a tenth of a second
    elsewhere = [
        each
        for each in sorted(identifier.replace("_OT_", ".", 1).lower() for identifier in every)
        if not each.startswith(f"{module}.") and len(own & set(words(each))) >= max(2, len(own) - 1)
    ]
    known = [f"bpy.ops.{each}" for each in [*(f"{module}.{n}" for n in near(name, _operators(module))), *elsewhere[:3]]]
    missing = f"Blender has no operator `bpy.ops.{module}.{name}`"
    return f"{missing}; like it are {quoted(known, '`')}" if known else f"{missing}, and none like it"


# Keywords


def unknown_keyword(script: FailedScript, keyword: str, owner: str) -> Finding:
    """Return the new name of a keyword; `owner` is the function that the message names, empty for operators."""
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
    change = _keyword_change(name, given, known, call)
    takes = f"it takes: {documented}"
    unknown = f"`{name}` takes no `{keyword}`" + (change.dated if change else "")
    made = _property_of_made(operator, keyword) if change is None else ""
    if made:
        setting = f"{made} = {script.text(given.value)}"
        hint, edits = f"{unknown}; set it behind the call: `{setting}`", list[Edit]()
        if script.is_statement(call):
            edits = script.without_keywords(call, [given]) + script.insert_behind(script.statement(call), setting)
        return Finding.fix(hint, edits, takes)
    if change is None:
        return Finding((unknown, takes))

    value = changed_value(script, given.value, change.value)
    if change.new and not value:
        return Finding((f"{unknown}; use `{change.new}`", takes))
    lost = f"; lost: {change.loses}" if change.loses else ""
    hint = f"{unknown}; write `{change.new}={value}`" if change.new else f"{unknown}: leave it out{lost}"
    edits = [edit for each in script.alike(call) for edit in _change_keywords(script, each, name, known)]
    return Finding.fix(hint, edits, takes)


def _unknown_entry(script: FailedScript, keyword: str) -> Finding:
    """Change keywords for the operators of a macro: `TRANSFORM_OT_translate={"value": (1, 0, 0)}`."""
    edits: list[Edit] = []
    for entries in script.of_kind(ast.Dict):
        module, _, name = str(getattr(script.parents[entries], "arg", "")).partition("_OT_")
        operator = f"{module.lower()}.{name}"
        known = [p.identifier for p in properties(operator)] if name and _exists(operator) else []
        for key, value in zip(entries.keys, entries.values, strict=True) if known else ():
            if not isinstance(key, ast.Constant) or key.value in known:
                continue
            change = _keyword_change(operator, ast.keyword(str(key.value), value), known, ast.Call(key, [], []))
            if change is not None and change.new:
                edits += script.instead(key, repr(change.new))
                edits += script.instead(value, changed_value(script, value, change.value))
            else:
                edits += script.without_entries(entries, [key])
    return Finding.fix(f"a part of the macro takes no `{keyword}`", edits)


def _documented(name: str) -> str:
    """Return the signature of a function, from its own documentation or Blender's description of it."""
    if name.startswith("bmesh.ops."):
        function = getattr(bmesh.ops, name.removeprefix("bmesh.ops."), None)
        return " ".join((getattr(function, "__doc__", "") or "").split("->")[0].split()).removeprefix("BMeshOpFunc ")
    struct_name, _, function_name = name.partition(".")
    struct = struct_named(struct_name)
    function = struct.functions.get(function_name) if struct is not None else None
    inputs = [f"{p.identifier}={_default(p)}" for p in function.parameters if not p.is_output] if function else []
    return _cut(f"{name}(", inputs, 180) if inputs else ""


def _keyword_change(name: str, given: ast.keyword, known: Sequence[str], call: ast.Call) -> Change | None:
    """Return what became of a keyword of a call; None where nothing is sure."""
    keyword = given.arg or ""
    for (pattern, old), (change, *_) in KEYWORDS.items():
        if old == keyword and fnmatchcase(name, pattern) and (not change.new or change.new in known):
            return change

    made = _property_of_made(name, keyword)
    synonyms = [group for group in SYNONYMS if keyword in group]
    new = next((n for n in respelt(keyword) if n in known), "")
    if not new and not made:
        taken = {k.arg for k in call.keywords}
        free = [n for group in synonyms for n in group if n in known and n not in taken]
        new = free[0] if len(free) == 1 else ""
    if new:
        return Change(name, keyword, new=new)

    # `None` and `False` ask for nothing; of a name that is like none that is known, only the loss can be said.
    if isinstance(given.value, ast.Constant) and (given.value.value is None or given.value.value is False):
        return Change(name, keyword, gone=True)
    if synonyms or made or "." not in name or near(keyword, known):
        return None
    return Change(name, keyword, gone=True, loses=f"`{keyword}`")


def _property_of_made(operator: str, keyword: str) -> str:
    """Return where what an operator adds has such a property: `bpy.context.object.data.energy`; empty for none."""
    if not operator.endswith("_add") or keyword in ("layers", "type"):
        return ""
    if keyword in struct_named("Object").properties:
        return f"bpy.context.object.{keyword}"
    family = operator.partition(".")[2].removesuffix("_add").capitalize()
    data = [struct_named(name) for name in dir(bpy.types) if name.endswith(family)]
    known = any(struct is not None and keyword in struct.properties for struct in data)
    return f"bpy.context.object.data.{keyword}" if known else ""


def _change_keywords(script: FailedScript, call: ast.Call, name: str, known: Sequence[str]) -> list[Edit]:
    """Change all keywords of a call that are not known, as far as it is sure what became of them."""
    edits: list[Edit] = []
    gone: list[ast.keyword] = []
    for given in call.keywords:
        if given.arg is None or given.arg in known:
            continue
        change = _keyword_change(name, given, known, call)
        if change is None:
            continue
        value = changed_value(script, given.value, change.value)
        if not change.new or (value and any(k.arg == change.new for k in call.keywords)):
            gone.append(given)
        elif value:
            edits += script.keyword_name(given, change.new)
            edits += script.instead(given.value, value) if change.value != "{value}" else []
    return [*edits, *script.without_keywords(call, gone)]


# Arguments


def too_many(script: FailedScript, name: str) -> Finding:
    """Return a call with other arguments than its function had until 2.79."""
    owner, _, method = name.partition(".")
    call = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute) and n.func.attr == method)
    change = change_of(CALLS, owner, method)
    if call is None or change is None or not isinstance(call.func, ast.Attribute):
        return Finding((f"it takes: {_documented(name)}",))
    new = filled(change.call, script, call.func, change)
    return Finding.fix(f"`{name}` takes other arguments since 2.80: `{new}`", script.instead(call, new))


def too_many_unnamed(script: FailedScript, name: str, most: int) -> Finding:
    """Give the basis of a noise by its name: `mathutils.noise` took it by its place until 2.79."""
    call = script.failing(ast.Call, lambda n: script.text(n.func).endswith(name))
    if call is None or not hasattr(mathutils.noise, name) or len(call.args) != most + 1:
        return Finding()
    edits: list[Edit] = []
    for each in script.alike(call):
        if len(each.args) == most + 1:
            edits += script.instead(each.args[-1], f"noise_basis={script.text(each.args[-1])}")
    return Finding.fix("the basis of a noise is given by its name since 2.80: `noise_basis=…`", edits)


def wants_depsgraph(script: FailedScript) -> Finding:
    """Give what was evaluated in place of a scene, or of nothing: `bm.from_object(ob, scene)`."""
    call = script.failing(ast.Call)
    hint = "it takes a depsgraph since 2.80: `bpy.context.evaluated_depsgraph_get()`"
    if call is None or not call.args:
        return Finding((hint,))
    graph = "bpy.context.evaluated_depsgraph_get()"
    edits: list[Edit] = []
    for each in script.alike(call):
        kinds = [kind.name if (kind := kind_at(script, a)) is not None else "" for a in each.args]
        old = next((a for a, kind in zip(each.args, kinds, strict=True) if kind in ("Scene", "ViewLayer")), None)
        if old is not None:
            edits += script.instead(old, graph)
        elif script.text(each.func).endswith(".ray_cast"):
            edits += script.instead(each.args[0], f"{graph}, {script.text(each.args[0])}")
    return Finding.fix(hint, edits)


def numbered_context(script: FailedScript) -> Finding:
    """Name the context of `bmesh.ops.delete`, which was a number until 2.79."""
    call = script.failing(ast.Call, lambda n: any(k.arg == "context" for k in n.keywords))
    edits: list[Edit] = []
    for each in script.alike(call) if call is not None else ():
        value = next((k.value for k in each.keywords if k.arg == "context"), None)
        number = getattr(value, "value", None)
        if value is not None and isinstance(number, int) and 0 < number < len(CONTEXTS):
            edits += script.instead(value, repr(CONTEXTS[number]))
    return Finding.fix("what to delete is a word since 2.80, not a number", edits)


def context_given(script: FailedScript) -> Finding:
    """Override the context of an operator by `temp_override`: it takes none since 4.0."""
    call = script.failing(ast.Call, lambda n: bool(operator_of(n.func) and n.args))
    hint = "an operator takes no context since 4.0: `with bpy.context.temp_override(**context): bpy.ops.…()`"
    if call is None:
        return Finding((hint,))
    edits: list[Edit] = []
    for each in script.of_kind(ast.Call):
        if operator_of(each.func) and each.args and not isinstance(each.args[0], ast.Constant):
            context, *rest = each.args
            given = ", ".join([*map(script.text, rest), *(script.text(k) for k in each.keywords)])
            override = f"with bpy.context.temp_override(**{script.text(context)})"
            edits += change_statement(script, each, f"{override}: {script.text(each.func)}({given})")
    return Finding.fix(hint, edits)


def unnamed_argument(script: FailedScript, name: str) -> Finding:
    """Name an argument that Blender took by its place until 2.79: the last one that has no name."""
    call = script.failing(ast.Call)
    hint = f"`{name}` is given by its name since 2.80"
    if call is None or not call.args:
        return Finding((hint,))
    owner = kind_at(script, call.func.value) if isinstance(call.func, ast.Attribute) else None
    function = owner.struct.functions.get(call.func.attr) if owner and owner.struct else None  # type: ignore[attr-defined]
    names = [p.identifier for p in function.parameters if not p.is_output] if function is not None else []
    edits: list[Edit] = []
    for each in script.alike(call):
        for place, argument in enumerate(each.args):
            if name not in names:
                if argument is each.args[-1]:
                    edits += script.instead(argument, f"{name}={script.text(argument)}")
            elif names.index(name) <= place < len(names):
                edits += script.instead(argument, f"{names[place]}={script.text(argument)}")
    return Finding.fix(hint, edits)


# Context


def without_result(script: FailedScript, what: str) -> Finding:
    """Leave out a call of an operator that cannot do its work here."""
    call = script.failing(ast.Call, lambda n: bool(operator_of(n.func)))
    hint = f"{what}: leave it out; lost: what `{script.text(call.func)}` did" if call is not None else what
    return Finding.fix(hint, change_statement(script, call, "pass"))


def cannot_run(script: FailedScript, operator: str, reason: str) -> Finding:
    """Return what an operator needs that it did not have."""
    module, _, name = operator.partition(".")
    call = script.failing(ast.Call, lambda n: operator_of(n.func) == operator)
    mode, active = bpy.context.mode, bpy.context.view_layer.objects.active
    if operator == "object.mode_set" and active is None:
        guarded = f"if {script.text(call.func)}.poll(): {script.text(call)}" if call is not None else ""
        alone = call is not None and script.lines[call.lineno - 1].strip() == script.text(call)
        hint = "`bpy.ops.object.mode_set` needs an active object, and there is none"
        return Finding.fix(hint, change_statement(script, call, guarded) if alone else ())
    if module != "mesh" and mode != "OBJECT":
        edits = script.insert_before(call, "bpy.ops.object.mode_set(mode='OBJECT')") if call is not None else []
        return Finding.fix(f"`bpy.ops.{operator}` runs in object mode only; Blender is in {mode}", edits)

    windowless = f"`bpy.ops.{operator}` needs a window, and there is none"
    if operator == "anim.keyframe_insert_menu" and call is not None:
        keys = next((getattr(k.value, "value", "") for k in call.keywords if k.arg == "type"), "")
        keyed = "; ".join(f"o.keyframe_insert({path!r})" for word, path in KEYED if word in str(keys))
        text = f"for o in bpy.context.selected_objects: {keyed}"
        edits = change_statement(script, call, text) if keyed else []
        return Finding.fix(f"{windowless}: use `keyframe_insert` of the objects", edits)
    if change := change_of(WINDOWLESS, module, name):
        return Finding.fix(f"{windowless}: use `{change.line}`", change_statement(script, call, change.line))
    if ("", module) in INTERFACE and not operator.startswith("view3d.camera_to"):
        return without_result(script, windowless)
    cause = "" if "context is incorrect" in reason else f" ({reason})"
    return Finding((f"`bpy.ops.{operator}` cannot run here{cause}: use `bpy.data` or `bmesh`, which need no context",))
