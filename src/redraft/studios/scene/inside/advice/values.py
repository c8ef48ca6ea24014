"""Values that a setting does not take, keys that a collection does not hold, and node types that do not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy

from redraft.studios.scene.inside.advice.calls import operator_of, properties
from redraft.studios.scene.inside.advice.changes import (
    FIRST,
    MODULES,
    NAMES,
    NODES,
    POWER,
    PRINCIPLED,
    SOCKETS,
    START_DATA,
    VALUES,
    VIEWPORT,
    Change,
    change_of,
)
from redraft.studios.scene.inside.advice.fixes import change_texts
from redraft.studios.scene.inside.advice.names import near, quoted, respelt, words
from redraft.studios.scene.inside.advice.objects import Kind, keys_of, kind_at, lineage, names_of, struct_named
from redraft.studios.scene.inside.advice.script import Edit, FailedScript, Finding

_MATHS = re.compile(r"(?:mathutils\.)?(Matrix|Vector|Quaternion)\b")


def _is_text(node: ast.AST, value: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _target(script: FailedScript) -> ast.Attribute | None:
    """Return the attribute whose setting failed."""
    return script.failing(ast.Attribute, lambda n: isinstance(n.ctx, ast.Store))


# Enumerations


def unknown_value(script: FailedScript, value: str, allowed: Sequence[str]) -> Finding:
    """Return the value that an enumeration has in place of one that it has not."""
    target = _target(script)
    call = script.failing(ast.Call, lambda n: any(_is_text(a, value) for a in _arguments(n))) if not target else None
    owner = kind_at(script, target.value) if target is not None else None
    setting = ""
    if target is not None:
        rows = [f"{name}.{target.attr}" for name in lineage(owner)]
        rows += [row for row, _ in VALUES if owner is None and row.partition(".")[2] == target.attr]
        setting = next((row for row in rows if (row, value) in VALUES), rows[0] if rows else target.attr)
    elif call is not None:
        setting = operator_of(call.func) or ".".join(script.text(call.func).split(".")[-2:])

    change = change_of(VALUES, setting, value) or Change()
    new = change.new
    if new not in allowed and not change.first:
        new = _similar_value(value, allowed) or _value_shown_as(script, target or call, owner, value, allowed)
    named, listed = f"`{setting}`" if setting else "it", f"allowed: {quoted(allowed)}"
    if not new:
        nearest = quoted(near(value, allowed) or allowed[:3])
        return Finding((f"{named} takes no '{value}'; the nearest: {nearest}", listed))

    # The value may stand in an argument, in an assignment, or in one of the two cases of one.
    places = [a for c in script.alike(call) for a in _arguments(c)] if call is not None else []
    set_to = [script.statement(t) for t in script.alike(target)] if target is not None else []
    given = [statement.value for statement in set_to if isinstance(statement, ast.Assign)]
    places += [part for each in given for part in ([each.body, each.orelse] if isinstance(each, ast.IfExp) else [each])]
    edits: list[Edit] = []
    for constant in places:
        if _is_text(constant, value) and new != value:
            edits += script.instead(constant, script.quoted(constant, new))
    if not change.first or target is None:
        return Finding.fix(f"{named} takes no '{value}'{change.dated}; use '{new}'", edits, listed)

    first = f"{script.text(target.value)}.{change.first}"
    either = next((each for each in given if isinstance(each, ast.IfExp)), None)
    if either is not None:
        first = f"if {'' if _is_text(either.body, value) else 'not '}({script.text(either.test)}): {first}"
    edits += script.insert_before(target, first)
    hint = f"{named} takes '{new}' only after `{script.text(target.value)}.{change.first}`{change.dated}"
    return Finding.fix(hint, edits, listed)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(k.value for k in call.keywords)]


def _similar_value(value: str, allowed: Sequence[str]) -> str:
    """Return the one allowed value that this most likely was: by its end, its beginning, or its words."""
    lower = value.lower()
    tail = lower.rpartition(" - ")[2]
    ways = (
        [a for a in allowed if a.lower().rpartition(" - ")[2] == tail],
        [a for a in allowed if a in respelt(lower) or a.lower() in respelt(lower)],
        [a for a in allowed if len(a) > 5 and (a.startswith(f"{value}_") or value.startswith(a))],
        [a for a in allowed if words(a) == words(value)],
        [a for a in allowed if len(value) > 3 and a.endswith(f"_{value}")],
        [a for a in allowed if any(a.lower().startswith(r) for r in respelt(lower))],
        [a for a in allowed if len(words(value)) > 1 and words(value)[-1:] == words(a)[-1:]],
    )
    return next((way[0] for way in ways if len(way) == 1), "")


def _value_shown_as(
    script: FailedScript, node: ast.AST | None, owner: Kind | None, value: str, allowed: Sequence[str]
) -> str:
    """Return the allowed value that Blender shows under a name that begins so: `SUBSURF` is Subdivision Surface."""
    props: list[Any] = []
    if isinstance(node, ast.Attribute) and owner is not None and owner.struct is not None:
        props = [owner.struct.properties.get(node.attr)]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        called, operator = kind_at(script, node.func.value), operator_of(node.func)
        function = called.struct.functions.get(node.func.attr) if called and called.struct else None
        props = properties(operator) if operator else [*function.parameters] if function is not None else []
    shown = [
        item.identifier
        for prop in props
        if prop is not None and prop.type == "ENUM"
        for item in prop.enum_items
        if item.identifier in allowed and words(item.name)[: len(words(value))] == words(value)
    ]
    return shown[0] if len(shown) == 1 else ""


# Lengths and products


def wrong_length(script: FailedScript, wanted: int, given: int) -> Finding:
    """Make a color with or without its alpha fit; other lengths are only hints."""
    target = _target(script)
    statement = script.statement(target) if target is not None else None
    if target is None or not isinstance(statement, ast.Assign) or statement.targets != [target]:
        return Finding((f"it takes {wanted} numbers, not {given}",))
    numbered = _name_inputs(script, target.value)
    if numbered.edits:
        return numbered

    hint = f"`{script.text(target)}` takes {wanted} numbers, not {given}"
    owner = kind_at(script, target.value)
    prop = owner.struct.properties.get(target.attr) if owner is not None and owner.struct is not None else None
    point = owner is not None and owner.name == "SplinePoint"  # x, y, z and the weight
    if prop is None or ("COLOR" not in prop.subtype and not point) or {wanted, given} != {3, 4}:
        return Finding((hint,))
    hint += ": x, y, z, and the weight" if point else ": red, green, blue" + (", and alpha" if wanted == 4 else "")
    value = statement.value
    if not isinstance(value, (ast.Tuple, ast.List)) or any(isinstance(e, ast.Starred) for e in value.elts):
        text = script.text(value)
        return Finding.fix(hint, script.instead(value, f"(*{text}, 1.0)" if wanted == 4 else f"tuple({text})[:3]"))
    if wanted == 4:
        return Finding.fix(hint, script.behind(value.elts[-1], ", 1.0"))
    return Finding.fix(hint, script.instead(value, f"({', '.join(script.text(e) for e in value.elts[:wanted])})"))


def matrix_product(script: FailedScript) -> Finding:
    """Write `@` between matrices and vectors, as since 2.80; `*` between two matrices is another product."""
    hint = "matrices and vectors are multiplied with `@` since 2.80: `matrix @ vector`"
    node = script.failing(ast.BinOp, lambda n: isinstance(n.op, ast.Mult))
    if node is not None:
        edits = script.sign(node, "*", "@")
        for other in script.of_kind(ast.BinOp):
            kinds = [_MATHS.match(script.text(side)) or kind_at(script, side) for side in (other.left, other.right)]
            left, right = ((k[1] if isinstance(k, re.Match) else k.name) if k is not None else "" for k in kinds)
            known = left in ("Matrix", "Quaternion") and right in ("Matrix", "Vector", "Quaternion")
            if known and isinstance(other.op, ast.Mult):
                edits += script.sign(other, "*", "@")
        return Finding.fix(hint, edits)
    target = script.failing(ast.AugAssign, lambda n: isinstance(n.op, ast.Mult))
    if target is None:
        return Finding((hint,))
    text = f"{script.text(target.target)} = {script.text(target.target)} @ {script.text(target.value)}"
    return Finding.fix(hint, script.instead(target, text))


# Keys and sockets


def keyed_setting(script: FailedScript, key: str) -> Finding:
    """Write a setting as an attribute: since 5.0 only what a script itself has put there has a key."""
    node = script.failing(ast.Subscript, lambda n: _is_text(n.slice, key))
    owner = kind_at(script, node.value) if node is not None else None
    if node is None or owner is None or key not in names_of(owner):
        return Finding()
    edits = [e for other in script.alike(node) for e in script.instead(other, f"{script.text(other.value)}.{key}")]
    return Finding.fix(f"settings have no keys since 5.0; use `{script.text(node.value)}.{key}`", edits)


def unknown_key(script: FailedScript, key: str) -> Finding:
    """Return what a collection holds in place of a name that it does not hold."""
    node = script.failing(ast.Subscript, lambda n: _is_text(n.slice, key)) or script.failing(ast.Subscript)
    if node is None:
        return Finding()
    held, text = keys_of(kind_at(script, node.value)), script.text(node.value)
    renamed = change_of(NAMES, "", key)
    if renamed is not None and renamed.new in held:
        hint = f"`{text}` holds '{renamed.new}', which was '{key}' until 2.79"
        return Finding.fix(hint, change_texts(script, key, renamed.new))

    # Data of Blender's start-up file
    collection = text.rpartition("data.")[2]
    if ("nodes", key) in START_DATA:
        begun = _make_node(script, node, node.value, key)
    elif text.endswith(("data.objects", "scene.objects")) and ("objects", key) in START_DATA:
        begun = _make_object(script, node, key)
    elif collection != "objects" and (made := change_of(START_DATA, collection, key)):
        hint = f"the file starts empty, and the script counts on '{key}': make it first"
        begun = Finding.fix(hint, script.insert_before(node, made.first))
    else:
        begun = Finding()
    if begun.edits:
        return begun

    of_node = isinstance(node.value, ast.Attribute) and node.value.attr in ("inputs", "outputs")
    owner = kind_at(script, node.value.value) if of_node and isinstance(node.value, ast.Attribute) else None
    sockets = kind_at(script, node.value)
    if owner is None and sockets is not None and sockets.name in ("NodeInputs", "NodeOutputs") and held:
        holder = sockets.value[0].node  # the script gave the inputs a name of their own
        owner = Kind(holder.bl_rna.identifier, holder.bl_rna, holder)
    if owner is not None and "Node" in lineage(owner):
        return _unknown_socket(script, node, owner, key, held)
    if not held:
        return Finding((f"`{text}` is empty: there is no '{key}' in it; make it first",))
    return Finding((f"`{text}` holds {quoted(near(key, held) or held[:8])}, and no '{key}'",))


def _unknown_socket(script: FailedScript, node: ast.Subscript, owner: Kind, key: str, held: Sequence[str]) -> Finding:
    """Return the socket that took the place of one; every other key of the same node that it lacks is fixed too."""
    row = change_of(SOCKETS, owner.name, key) or Change()
    missing = f"`{owner.name}` has no '{key}'{row.dated}"
    listed = f"`{owner.name}` has {quoted(held)}"
    new = _new_socket(owner.name, key, held)
    if not held:
        return Finding((missing,))
    if new is None:
        return Finding((f"{missing}; the nearest: {quoted(near(key, held) or held[:3])}", listed))
    hint = f"{missing}; use '{new}'" if new else f"{missing}; leave it out; lost: {key} of the shader"
    edits = _change_socket(script, node, key, new, owner.name)
    same = ast.dump(node.value)
    for other in script.of_kind(ast.Subscript) if edits else ():
        its = other.slice.value if isinstance(other.slice, ast.Constant) else None
        if other is not node and isinstance(its, str) and its not in held and ast.dump(other.value) == same:
            new = _new_socket(owner.name, its, held)
            edits += _change_socket(script, other, its, new, owner.name) if new is not None else []
    return Finding.fix(hint, edits, listed)


def _new_socket(owner: str, key: str, held: Sequence[str]) -> str | None:
    """Return the socket's new name, empty where it is gone; None where nothing is sure."""
    row = change_of(SOCKETS, owner, key)
    if row is not None and (row.gone or row.new in held):
        return row.new
    lower, own = key.lower(), words(key)
    shortened = [  # `DiffCol` is Diffuse Color
        h for h in held if len(own) == len(words(h)) > 1 and all(map(str.startswith, words(h), own))
    ]
    ways = (
        [*held][: 1 if key in FIRST else 2],
        [h for h in held if words(h) == own],
        [h for h in held if len(key) == 1 and h.lower().startswith(lower)],
        shortened,
        [h for h in held if (h.lower().startswith(lower) or lower.startswith(h.lower())) and len(key) > 2],
    )
    return next((way[0] for way in ways if len(way) == 1), None)


def _change_socket(script: FailedScript, node: ast.Subscript, key: str, new: str, owner: str) -> list[Edit]:
    """Change a key where it stands, with the setting that it needs.

    Of a key that came from elsewhere, the only text in the script that it can be is changed.
    """
    statement = script.statement(node)
    fixed = isinstance(node.slice, ast.Constant)
    if not new:
        if not fixed:
            guard = f"if {script.text(node.slice)} in {script.text(node.value)}: {script.text(statement)}"
            return script.instead(statement, guard)
        linked = isinstance(statement, ast.Expr) and "link" in script.text(statement.value)
        return script.instead(statement, "pass") if linked else script.left_out(node) or []

    texts = [node.slice] if fixed else [c for c in script.of_kind(ast.Constant) if c.value == key]
    edits = script.instead(texts[0], script.quoted(texts[0], new)) if len(texts) == 1 else []
    if not fixed and not edits:  # worked out, of the script's own names, perhaps a keyword: `Sheen_Tint`
        renamed = {
            old: row.new
            for (kind, old), (row, *_) in SOCKETS.items()
            if kind == owner and row.new and re.search(rf"\b{old.replace(' ', '[ _]')}\b", script.code)
        }
        return script.instead(node.slice, script.mapped(node.slice, renamed | {key: new}))
    also = (change_of(SOCKETS, owner, key) or Change()).also
    if edits and also and also.split('"')[1] not in script.code and isinstance(node.value, ast.Attribute):
        edits += script.insert_behind(statement, f"{script.text(node.value.value)}.{also}")
    return edits


def missing_start(script: FailedScript, name: str) -> Finding:
    """Make what the script counts on, as the start-up file has it, and got None for."""
    node = script.failing(ast.Attribute, lambda n: n.attr == name)
    if node is not None and isinstance(node.value, ast.Attribute) and node.value.attr == "camera":
        return _make_object(script, node, "Camera")
    if node is not None and name == "cursor_location":
        hint = "the cursor belongs to the scene since 2.80: `bpy.context.scene.cursor.location`"
        return Finding.fix(hint, script.instead(node, "bpy.context.scene.cursor.location"))
    window = r"\b(?:space_data|area|region|region_data|screen|window)$"
    if node is not None and re.search(window, script.text(node.value)):
        hint = f"`{script.text(node.value)}` needs a window, and there is none: leave it out; lost: what it set there"
        return Finding.fix(hint, script.removed(node))

    for key in script.of_kind(ast.Constant):
        call = script.parents[key]
        got = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "get"
        if got and ("nodes", key.value) in START_DATA:
            finding = _make_node(script, call, call.func.value, str(key.value))  # type: ignore[attr-defined]
            if finding.edits:
                return finding

    calls = [c for c in script.of_kind(ast.Constant) if isinstance(script.parents[c], ast.Call)]
    renamed = [(c, change) for c in calls if (change := change_of(NAMES, "", str(c.value))) is not None]
    hint = f"what has no `{name}` is None: it was not found"
    if not renamed:
        return Finding((hint,))
    edits = [e for c, change in renamed for e in script.instead(c, script.quoted(c, change.new))]
    return Finding.fix(f"{hint}; since 2.80 Blender names it '{renamed[0][1].new}'", edits)


def _make_node(script: FailedScript, node: ast.AST, nodes: ast.expr, key: str) -> Finding:
    """Make a node that compositing began with, before the script uses it."""
    made = START_DATA["nodes", key][0].first.replace("{tree}", _tree_of(script, nodes))
    if made in script.code:
        return Finding()
    hint = f"compositing starts without nodes since 5.0, and the script counts on '{key}': make it first"
    return Finding.fix(hint, script.insert_before(node, made))


def _make_object(script: FailedScript, node: ast.AST, key: str) -> Finding:
    """Make an object of Blender's start-up file where the script counts on it."""
    hint = f"the scene starts empty, and the script counts on '{key}' of Blender's start-up file: make it first"
    named = f"{START_DATA['objects', key][0].first}; bpy.context.object.name = '{key}'"
    return Finding.fix(hint, script.insert_before(node, named))


def outdated_table(script: FailedScript) -> Finding:
    """Make the table by which items of a bmesh are found by number."""
    node = script.failing(ast.Subscript)
    hint = "call `ensure_lookup_table()` of the sequence before items are asked for by number (since 2.73)"
    edits = script.insert_before(node, f"{script.text(node.value)}.ensure_lookup_table()") if node is not None else []
    return Finding.fix(hint, edits)


def absent_module(script: FailedScript, name: str) -> Finding:
    """Remove a module that Blender had; what a script takes from it comes to nothing."""
    if ("", name) not in MODULES:
        return Finding()
    imports = [
        *(s for s in script.of_kind(ast.Import) if [a.name for a in s.names] == [name]),
        *(s for s in script.of_kind(ast.ImportFrom) if s.module == name),
    ]
    edits: list[Edit] = []
    for statement in imports:
        names = ["" if a.name == "*" else a.asname or a.name for a in statement.names]
        nothing = [f'{each} = type("Gone", (), {{}})()' if each else "pass" for each in names]
        edits += script.instead(statement, "; ".join(nothing))
    return Finding.fix(f"Blender has no module `{name}` any more; lost: what it drew or played", edits)


def from_nothing(script: FailedScript) -> Finding:
    """Remove an item, a call or the members of the stand-in for what is gone."""
    node = (
        script.failing(ast.Subscript)
        or script.failing(ast.Call)
        or next((f.iter for f in script.of_kind(ast.For) if f.lineno == script.line), None)
    )
    if node is None:
        return Finding()
    return Finding.fix("what it is asked of is gone, as the fix before says; lost: what it set", script.removed(node))


def wrong_kind(script: FailedScript) -> Finding:
    """Give an input a color for a number, or a number for a color or a tuple.

    The tints of the Principled BSDF are colors since 4.0.
    """
    call = script.failing(ast.Call, lambda n: any(k.arg == "value" for k in n.keywords))
    alone = next((k.value for k in call.keywords if k.arg == "value"), None) if call is not None else None
    if isinstance(alone, (ast.Tuple, ast.List)) and len(alone.elts) == 1:
        return Finding.fix("`value` is a number, not a tuple of one", script.instead(alone, script.text(alone.elts[0])))

    target = _target(script)
    statement = script.statement(target) if target is not None else None
    if not isinstance(statement, ast.Assign) or target is None or target.attr != "default_value":
        return Finding()
    socket, text = kind_at(script, target.value), script.text(statement.value)
    if socket is None:  # the name is worked out, and other inputs get their values here too
        same = f"{script.text(target.value)}.type != 'RGBA' or hasattr({text}, '__len__')"
        hint = "the tints of the Principled BSDF are colors since 4.0; lost: the share of the tint"
        return Finding.fix(hint, script.instead(statement.value, f"{text} if {same} else (1.0, 1.0, 1.0, 1.0)"))
    if "NodeSocketColor" not in lineage(socket):
        return _name_inputs(script, target.value)
    if not socket.value.name.endswith("Tint"):
        hint = f"'{socket.value.name}' is a color, not a number"
        return Finding.fix(hint, script.instead(statement.value, f"(*[{text}] * 3, 1.0)"))
    hint = f"'{socket.value.name}' is a color since 4.0; lost: the share of the tint"
    return Finding.fix(hint, script.instead(statement.value, "(1.0, 1.0, 1.0, 1.0)"))


def _name_inputs(script: FailedScript, node: ast.expr) -> Finding:
    """Make names of the numbers of a Principled BSDF's inputs, if a color goes to where one stood until 3.6."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return Finding()
    owner, place = kind_at(script, getattr(node.value, "value", node)), node.slice.value
    if owner is None or owner.name != "ShaderNodeBsdfPrincipled" or not isinstance(place, int):
        return Finding()
    colors = (("Emission",), ("Subsurface Color",))
    order = next((names for names in PRINCIPLED if names[place : place + 1] in colors), ())
    edits: list[Edit] = []
    same = ast.dump(node.value)
    for other in script.of_kind(ast.Subscript):
        number = other.slice.value if isinstance(other.slice, ast.Constant) else None
        if isinstance(number, int) and ast.dump(other.value) == same:
            for key in order[number : number + 1]:
                change = change_of(SOCKETS, owner.name, key)
                edits += script.instead(other.slice, f'"{(change.new if change else "") or key}"')
    if not edits:
        return Finding()
    return Finding.fix("the Principled BSDF has its inputs in another order since 4.0: ask for them by name", edits)


# What raises nothing, and looks different


def watts(script: FailedScript) -> list[Edit]:
    """Convert the energies of a script's lamps of 2.79 to watts, also where it counts on the 1 that a new one had."""
    if not re.search(r"\blamps\b|\blamp_add\b", script.code) or "== 'SUN' else" in script.code:
        return []
    nodes = re.search(r"(lamp|light|sun|data)\w*\.(use_nodes|node_tree)", script.code)
    lamp, sun = ("1", "1") if nodes else POWER["CYCLES" if re.search("['\"]CYCLES", script.code) else "BLENDER_RENDER"]
    default = f".energy = {sun} if {{0}}.type == 'SUN' else {lamp}"
    edits: list[Edit] = []
    for statement in script.of_kind(ast.Assign):
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Attribute) and target.attr == "energy":
            text = script.text(value) if isinstance(value, (ast.Constant, ast.Name, ast.Attribute)) else None
            factor = f"({sun} if {script.text(target.value)}.type == 'SUN' else {lamp}) * "
            edits += script.instead(value, factor + (text or f"({script.text(value)})"))
        made = re.match(r"(?:.*\bdata\.(objects)\.new\(.*)?.*\bdata\.lamps\.new\(", script.text(value))
        if made and isinstance(value, ast.Call) and isinstance(target, (ast.Name, ast.Attribute)):
            light = script.text(target) + (".data" if made[1] else "")
            edits += script.insert_behind(statement, light + default.replace("{0}", light))
    for statement in script.of_kind(ast.Expr):
        if re.match(r"(bpy\.)?ops\.object\.lamp_add\b", script.text(statement.value)):
            light = "bpy.context.object.data"
            edits += script.insert_behind(statement, light + default.replace("{0}", light))
    why = f"the energy 1 of a lamp of 2.79 is {lamp} W now, and that of a sun {sun} W/m²"
    return [replace(edit, why=why) for edit in edits]


def unrendered(script: FailedScript) -> Finding:
    """Set the colors of materials and of the world in their nodes, for a script that ran to its end without that.

    Until 4.5 they were rendered without nodes; since 5.0 they are not.
    """
    gray = [m for m in bpy.data.materials if _is_gray(m)]
    world = bpy.context.scene.world
    sky = world.node_tree.nodes.get("Background") if world is not None and world.node_tree is not None else None
    other = world is not None and sky is not None and tuple(sky.inputs["Color"].default_value)[:3] != tuple(world.color)
    named = re.findall(r"^\s*(\w+) *= *[\w.]*world[^=\n]*$", script.code, re.MULTILINE | re.IGNORECASE)
    worlds = "|".join(["world", *(rf"^{name}$" for name in named)])
    edits: list[Edit] = []
    for statement in script.of_kind(ast.Assign):
        target = statement.targets[0]
        if not isinstance(target, ast.Attribute):
            continue
        owner, put = script.text(target.value), ""
        if gray and target.attr in VIEWPORT:
            socket = f'nodes["Principled BSDF"].inputs["{VIEWPORT[target.attr]}"]'
            put = f"{owner}.node_tree.{socket}.default_value = {owner}.{target.attr}"
        elif other and target.attr == "color" and re.search(worlds, owner, re.I) and "Background" not in script.code:
            socket = 'nodes["Background"].inputs["Color"]'
            put = f"{owner}.node_tree.{socket}.default_value = (*{owner}.color, 1.0)"
        if put and put not in script.code:
            edits += script.insert_behind(statement, put)
    if not edits:
        return Finding()
    which = quoted([*(m.name for m in gray[:3]), *([world.name] if world is not None and not gray else [])])
    hint = (
        f"since 5.0 materials and the world are rendered by their nodes, and the color of {which} is lost: set it there"
    )
    return Finding.fix(hint, edits)


def _is_gray(material: Any) -> bool:
    """Whether a material has a color for the viewport, and the gray of a new shader for the picture."""
    node = material.node_tree.nodes.get("Principled BSDF") if material.node_tree is not None else None
    if node is None or not node.outputs[0].is_linked or node.inputs["Base Color"].is_linked:
        return False
    shown, rendered = (
        tuple(round(c, 3) for c in x[:3]) for x in (material.diffuse_color, node.inputs[0].default_value)
    )
    return rendered == (0.8, 0.8, 0.8) != shown


# Node types


def unknown_node(script: FailedScript, name: str) -> Finding:
    """Return the node type that took the place of one."""
    match = re.match(r"[A-Z][a-z]+Node", name)
    prefix = match[0] if match else ""
    family = [n for n in dir(bpy.types) if prefix and n.startswith(prefix)]
    change = change_of(NODES, "", name) or Change()
    new = change.new
    if not change.name and prefix:
        label = words(name.removeprefix(prefix))
        shown = [n for n in family if (struct := struct_named(n)) is not None and words(struct.name) == label]
        new = shown[0] if len(shown) == 1 else ""
    if not new:
        close = near(name, family, 4)
        return Finding((f"there is no node type `{name}`; like it are {quoted(close)}",) if close else ())

    edits: list[Edit] = []
    constants = [c for c in script.of_kind(ast.Constant) if c.value == name]
    made = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute) and n.func.attr == "new")
    if not constants and made is not None and len(made.args) == 1 and isinstance(made.func, ast.Attribute):
        # The name is worked out: all names that the script may work out are looked up.
        renamed = {
            old: row.new
            for (_, old), (row, *_) in NODES.items()
            if row.new and not row.first and old[:4] == name[:4] and old.removeprefix(prefix) in script.code
        }
        edits += script.instead(made.args[0], script.mapped(made.args[0], renamed | {name: new}))
        if change.first:
            edits += script.insert_before(made, change.first.replace("{tree}", _tree_of(script, made.func.value)))
    call = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute)) if change.first else None
    for constant in constants:
        edits += script.instead(constant, script.quoted(constant, new))
        if call is not None and isinstance(call.func, ast.Attribute):
            edits += script.insert_before(constant, change.first.replace("{tree}", _tree_of(script, call.func.value)))

    hint = f"there is no node type `{name}`{change.dated}; use `{new}`"
    hint += " with an output of the tree's interface" if change.first else ""
    known = struct_named(new)
    return Finding.fix(hint, edits, f"`{new}` is Blender's {known.name} node" if known is not None else "")


def _tree_of(script: FailedScript, nodes: ast.expr) -> str:
    """Return the expression of the tree whose `nodes` these are: `tree` of `tree.nodes`, or of `nodes = tree.nodes`."""
    if isinstance(nodes, ast.Name):
        assigned = [s.value for s in script.of_kind(ast.Assign) if script.text(s.targets[0]) == nodes.id]
        nodes = assigned[0] if assigned else nodes
    if isinstance(nodes, ast.Attribute) and nodes.attr == "nodes":
        return script.text(nodes.value)
    return f"{script.text(nodes)}.id_data"
