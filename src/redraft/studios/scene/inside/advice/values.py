"""Values that a setting does not take, keys that a collection does not hold, and node types that do not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy

from redraft.studios.scene.inside.advice.calls import operator_of, properties
from redraft.studios.scene.inside.advice.names import near, quoted, respelt, words
from redraft.studios.scene.inside.advice.objects import Kind, keys_of, kind_at, lineage, names_of, struct_named
from redraft.studios.scene.inside.advice.script import Edit, FailedScript, Finding
from redraft.studios.scene.inside.advice.tables import (
    DEFAULT_SCENE,
    ENUMS,
    FIRST,
    KEYS,
    NODES,
    POWER,
    PRINCIPLED,
    REMOVED,
    SOCKETS,
    START_DATA,
    START_NODES,
    VIEWPORT,
)

_MATHS = re.compile(r"(?:mathutils\.)?(Matrix|Vector|Quaternion)\b")


def _is_text(node: ast.AST, value: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _stored(script: FailedScript) -> ast.Attribute | None:
    """The attribute whose setting failed."""
    return script.failing(ast.Attribute, lambda n: isinstance(n.ctx, ast.Store))


# Enumerations


def unknown_value(script: FailedScript, value: str, allowed: Sequence[str]) -> Finding:
    """The value that an enumeration has in place of one that it has not."""
    target = _stored(script)
    call = script.failing(ast.Call, lambda n: any(_is_text(a, value) for a in _arguments(n))) if not target else None
    owner = kind_at(script, target.value) if target is not None else None
    if target is not None:
        rows = [f"{name}.{target.attr}" for name in lineage(owner)]
        rows += [row for row, _ in ENUMS if owner is None and row.partition(".")[2] == target.attr]
        setting = next((row for row in rows if (row, value) in ENUMS), rows[0] if rows else target.attr)
    else:
        setting = (operator_of(call.func) or ".".join(script.text(call.func).split(".")[-2:])) if call else ""
    new, first, since = ENUMS.get((setting, value), ("", "", ""))
    if new not in allowed and not first:
        new = _alike(value, allowed) or _shown_as(script, target or call, owner, value, allowed)
    named, listed = f"`{setting}`" if setting else "it", f"allowed: {quoted(allowed)}"
    if not new:
        return Finding(
            (f"{named} takes no '{value}'; the nearest: {quoted(near(value, allowed) or allowed[:3])}", listed)
        )
    after = f" since {since}" if since else ""
    hint = f"{named} takes no '{value}'{after}; use '{new}'"
    places = [a for c in script.alike(call) for a in _arguments(c)] if call is not None else []
    set_to = [script.statement(t) for t in script.alike(target)] if target is not None else []
    given = [statement.value for statement in set_to if isinstance(statement, ast.Assign)]
    places += [part for each in given for part in ([each.body, each.orelse] if isinstance(each, ast.IfExp) else [each])]
    edits: list[Edit] = []
    if first and target is not None:
        hint = f"{named} takes '{new}' only after `{script.text(target.value)}.{first}`{after}"
        either = next((each for each in given if isinstance(each, ast.IfExp)), None)
        test = "" if either is None else f"({script.text(either.test)})"
        case = "" if either is None else f"if {test}: " if _is_text(either.body, value) else f"if not {test}: "
        edits += script.insert_before(target, f"{case}{script.text(target.value)}.{first}")
    for constant in places:
        if _is_text(constant, value) and new != value:
            edits += script.instead(constant, script.quoted(constant, new))
    return Finding((hint, listed), tuple(edits), hint)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(k.value for k in call.keywords)]


def _alike(value: str, allowed: Sequence[str]) -> str:
    """The one allowed value that this most likely was: by its end, its beginning, or its words."""
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


def _shown_as(
    script: FailedScript, node: ast.AST | None, owner: Kind | None, value: str, allowed: Sequence[str]
) -> str:
    """The allowed value that Blender shows under a name that begins so: `SUBSURF` is Subdivision Surface."""
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
    """A color with or without its alpha is made to fit; other lengths are only hints."""
    target = _stored(script)
    statement = script.statement(target) if target is not None else None
    if target is None or not isinstance(statement, ast.Assign) or statement.targets != [target]:
        return Finding((f"it takes {wanted} numbers, not {given}",))
    numbered = _numbered(script, target.value)
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
        edits = script.instead(value, f"(*{text}, 1.0)" if wanted == 4 else f"tuple({text})[:3]")
    elif wanted == 4:
        edits = script.behind(value.elts[-1], ", 1.0")
    else:
        edits = script.instead(value, f"({', '.join(script.text(e) for e in value.elts[:wanted])})")
    return Finding((hint,), tuple(edits), hint)


def matrix_product(script: FailedScript) -> Finding:
    """`*` between matrices and vectors is `@` since 2.80; between two matrices it is another product."""
    hint = "matrices and vectors are multiplied with `@` since 2.80: `matrix @ vector`"
    node = script.failing(ast.BinOp, lambda n: isinstance(n.op, ast.Mult))
    if node is not None:
        products = [n for n in script.of_kind(ast.BinOp) if n is node or _is_product(script, n)]
        return Finding((hint,), tuple(edit for n in products for edit in script.sign(n, "*", "@")), hint)
    target = script.failing(ast.AugAssign, lambda n: isinstance(n.op, ast.Mult))
    if target is None:
        return Finding((hint,))
    text = f"{script.text(target.target)} = {script.text(target.target)} @ {script.text(target.value)}"
    return Finding((hint,), tuple(script.instead(target, text)), hint)


def _is_product(script: FailedScript, node: ast.BinOp) -> bool:
    kinds = [_MATHS.match(script.text(side)) or kind_at(script, side) for side in (node.left, node.right)]
    left, right = ((k[1] if isinstance(k, re.Match) else k.name) if k is not None else "" for k in kinds)
    known = left in ("Matrix", "Quaternion") and right in ("Matrix", "Vector", "Quaternion")
    return isinstance(node.op, ast.Mult) and known


# Keys and sockets


def keyed_setting(script: FailedScript, key: str) -> Finding:
    """A setting by its key: since 5.0 only what a script itself has put there has one."""
    node = script.failing(ast.Subscript, lambda n: _is_text(n.slice, key))
    owner = kind_at(script, node.value) if node is not None else None
    if node is None or owner is None or key not in names_of(owner):
        return Finding()
    hint = f"settings have no keys since 5.0; use `{script.text(node.value)}.{key}`"
    edits = [e for other in script.alike(node) for e in script.instead(other, f"{script.text(other.value)}.{key}")]
    return Finding((hint,), tuple(edits), hint)


def unknown_key(script: FailedScript, key: str) -> Finding:
    """What a collection holds in place of a name that it does not hold."""
    node = script.failing(ast.Subscript, lambda n: _is_text(n.slice, key)) or script.failing(ast.Subscript)
    if node is None:
        return Finding()
    held, text = keys_of(kind_at(script, node.value)), script.text(node.value)
    if KEYS.get(key) in held:
        hint = f"`{text}` holds '{KEYS[key]}', which was '{key}' until 2.79"
        texts = [c for c in script.of_kind(ast.Constant) if c.value == key]
        return Finding((hint,), tuple(e for c in texts for e in script.instead(c, script.quoted(c, KEYS[key]))), hint)
    if (begun := _of_start(script, node, text, key)).edits:
        return begun
    of_node = isinstance(node.value, ast.Attribute) and node.value.attr in ("inputs", "outputs")
    owner = kind_at(script, node.value.value) if of_node and isinstance(node.value, ast.Attribute) else None
    collection = kind_at(script, node.value)
    if owner is None and collection is not None and collection.name in ("NodeInputs", "NodeOutputs") and held:
        holder = collection.value[0].node  # the script gave the inputs a name of their own
        owner = Kind(holder.bl_rna.identifier, holder.bl_rna, holder)
    if owner is not None and "Node" in lineage(owner):
        return _unknown_socket(script, node, owner, key, held)
    if not held:
        return Finding((f"`{text}` is empty: there is no '{key}' in it; make it first",))
    return Finding((f"`{text}` holds {quoted(near(key, held) or held[:8])}, and no '{key}'",))


def _unknown_socket(script: FailedScript, node: ast.Subscript, owner: Kind, key: str, held: Sequence[str]) -> Finding:
    """The socket that took the place of one; every other key of the same node that it lacks is fixed too."""
    _, since, _ = SOCKETS.get((owner.name, key), ("", "", ""))
    missing = f"`{owner.name}` has no '{key}'" + (f" since {since}" if since else "")
    listed = f"`{owner.name}` has {quoted(held)}"
    new = _new_socket(owner.name, key, held)
    if not held:
        return Finding((missing,))
    if new is None:
        return Finding((f"{missing}; the nearest: {quoted(near(key, held) or held[:3])}", listed))
    hint = f"{missing}; use '{new}'" if new else f"{missing}; leave it out; lost: {key} of the shader"
    edits = _socket_edits(script, node, key, new, owner.name)
    same = ast.dump(node.value)
    for other in script.of_kind(ast.Subscript) if edits else ():
        its = other.slice.value if isinstance(other.slice, ast.Constant) else None
        if other is not node and isinstance(its, str) and its not in held and ast.dump(other.value) == same:
            new = _new_socket(owner.name, its, held)
            edits += _socket_edits(script, other, its, new, owner.name) if new is not None else []
    return Finding((hint, listed), tuple(edits), hint)


def _new_socket(owner: str, key: str, held: Sequence[str]) -> str | None:
    """The socket's new name, empty where it is gone; None where nothing is sure."""
    row = SOCKETS.get((owner, key))
    if row is not None and (row[0] in held or not row[0]):
        return row[0]
    lower = key.lower()
    ways = (
        [*held][: 1 if key in FIRST else 2],
        [h for h in held if words(h) == words(key)],
        [h for h in held if len(key) == 1 and h.lower().startswith(lower)],
        [h for h in held if _shortened(key, h)],
        [h for h in held if (h.lower().startswith(lower) or lower.startswith(h.lower())) and len(key) > 2],
    )
    return next((way[0] for way in ways if len(way) == 1), None)


def _shortened(key: str, name: str) -> bool:
    """`DiffCol` is Diffuse Color."""
    short, long = words(key), words(name)
    return len(short) == len(long) > 1 and all(map(str.startswith, long, short))


def _socket_edits(script: FailedScript, node: ast.Subscript, key: str, new: str, owner: str) -> list[Edit]:
    """The key where it stands, with the setting that it needs; of one that came from elsewhere, the only text in the
    script that it can be."""
    statement = script.statement(node)
    if not new:
        if not isinstance(node.slice, ast.Constant):
            guard = f"if {script.text(node.slice)} in {script.text(node.value)}: {script.text(statement)}"
            return script.instead(statement, guard)
        linked = isinstance(statement, ast.Expr) and "link" in script.text(statement.value)
        return script.instead(statement, "pass") if linked else script.left_out(node) or []
    texts = [node.slice] if isinstance(node.slice, ast.Constant) else []
    texts = texts or [c for c in script.of_kind(ast.Constant) if c.value == key]
    edits = script.instead(texts[0], script.quoted(texts[0], new)) if len(texts) == 1 else []
    if not isinstance(node.slice, ast.Constant) and not edits:  # worked out, of the script's own names
        renamed = {
            old: row[0] for (kind, old), row in SOCKETS.items() if kind == owner and row[0] and _said(script, old)
        }
        return script.instead(node.slice, script.mapped(node.slice, renamed | {key: new}))
    needs = SOCKETS.get((owner, key), ("", "", ""))[2]
    if edits and needs and needs.split('"')[1] not in script.code and isinstance(node.value, ast.Attribute):
        edits += script.insert_behind(statement, f"{script.text(node.value.value)}.{needs}")
    return edits


def _said(script: FailedScript, name: str) -> bool:
    """Whether a script has a name somewhere, perhaps as a keyword: `Sheen_Tint`."""
    return re.search(rf"\b{name.replace(' ', '[ _]')}\b", script.code) is not None


def missing_start(script: FailedScript, name: str) -> Finding:
    """A camera that the script counts on, as the start-up file has one."""
    node = script.failing(ast.Attribute, lambda n: n.attr == name)
    if node is not None and isinstance(node.value, ast.Attribute) and node.value.attr == "camera":
        return _made(script, node, "Camera")
    if node is not None and name == "cursor_location":
        hint = "the cursor belongs to the scene since 2.80: `bpy.context.scene.cursor.location`"
        return Finding((hint,), tuple(script.instead(node, "bpy.context.scene.cursor.location")), hint)
    if node is not None and re.search(
        r"\b(?:space_data|area|region|region_data|screen|window)$", script.text(node.value)
    ):
        return without_window(script, node, f"`{script.text(node.value)}`")
    for begun in script.of_kind(ast.Constant):
        call = script.parents[begun]
        got = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "get"
        if begun.value in START_NODES and got:
            finding = _begun(script, call, call.func.value, str(begun.value))  # type: ignore[attr-defined]
            if finding.edits:
                return finding
    gets = [c for c in script.of_kind(ast.Constant) if c.value in KEYS and isinstance(script.parents[c], ast.Call)]
    hint = f"what has no `{name}` is None: it was not found"
    if not gets:
        return Finding((hint,))
    hint += f"; since 2.80 Blender names it '{KEYS[gets[0].value]}'"  # type: ignore[index]
    edits = [e for c in gets for e in script.instead(c, script.quoted(c, KEYS[c.value]))]  # type: ignore[index]
    return Finding((hint,), tuple(edits), hint)


def _of_start(script: FailedScript, node: ast.Subscript, text: str, key: str) -> Finding:
    """Make what Blender's start-up file contains under this name, before the script uses it."""
    if key in START_NODES:
        return _begun(script, node, node.value, key)
    if key in DEFAULT_SCENE and text.endswith(("data.objects", "scene.objects")):
        return _made(script, node, key)
    made = START_DATA.get((text.rpartition("data.")[2], key), "")
    hint = f"the file starts empty, and the script counts on '{key}': make it first"
    return Finding((hint,), tuple(script.insert_before(node, made)), hint) if made else Finding()


def _begun(script: FailedScript, node: ast.AST, nodes: ast.expr, key: str) -> Finding:
    """Make a node that compositing began with, before the script uses it."""
    made = START_NODES[key].replace("{tree}", _tree_of(script, nodes))
    if made in script.code:
        return Finding()
    hint = f"compositing starts without nodes since 5.0, and the script counts on '{key}': make it first"
    return Finding((hint,), tuple(script.insert_before(node, made)), hint)


def without_window(script: FailedScript, node: ast.expr, what: str) -> Finding:
    """Remove what needs a window: Blender runs without one."""
    hint = f"{what} needs a window, and there is none: leave it out; lost: what it set there"
    return Finding((hint,), tuple(script.removed(node) or ()), hint)


def _made(script: FailedScript, node: ast.AST, key: str) -> Finding:
    """A part of Blender's start-up file, made where the script counts on it."""
    hint = f"the scene starts empty, and the script counts on '{key}' of Blender's start-up file: make it first"
    named = f"{DEFAULT_SCENE[key]}; bpy.context.object.name = '{key}'"
    return Finding((hint,), tuple(script.insert_before(node, named)), hint)


def outdated_table(script: FailedScript) -> Finding:
    """Items of a bmesh are found by number only after their table was made."""
    node = script.failing(ast.Subscript)
    hint = "call `ensure_lookup_table()` of the sequence before items are asked for by number (since 2.73)"
    edits = script.insert_before(node, f"{script.text(node.value)}.ensure_lookup_table()") if node is not None else []
    return Finding((hint,), tuple(edits), hint)


def absent_module(script: FailedScript, name: str) -> Finding:
    """A module that Blender had; what a script takes from it comes to nothing."""
    hint = f"Blender has no module `{name}` any more; lost: what it drew or played"
    imports = [
        *(s for s in script.of_kind(ast.Import) if [a.name for a in s.names] == [name]),
        *(s for s in script.of_kind(ast.ImportFrom) if s.module == name),
    ]
    edits = [e for s in imports for e in script.instead(s, "; ".join(map(_stand_in, s.names)))]
    return Finding((hint,), tuple(edits), hint) if name in REMOVED else Finding()


def _stand_in(name: ast.alias) -> str:
    return "pass" if name.name == "*" else f'{name.asname or name.name} = type("Gone", (), {{}})()'


def from_nothing(script: FailedScript) -> Finding:
    """An item, a call or the members of the stand-in of what is gone."""
    node = (
        script.failing(ast.Subscript)
        or script.failing(ast.Call)
        or next((f.iter for f in script.of_kind(ast.For) if f.lineno == script.line), None)
    )
    hint = "what it is asked of is gone, as the fix before says; lost: what it set"
    return Finding((hint,), tuple(script.removed(node) or ()), hint) if node else Finding()


def wrong_kind(script: FailedScript) -> Finding:
    """A number for an input that is a color now, as the tints of the Principled BSDF are since 4.0; a number in a tuple
    for an argument that is a number."""
    call = script.failing(ast.Call, lambda n: any(k.arg == "value" for k in n.keywords))
    alone = next((k.value for k in call.keywords if k.arg == "value"), None) if call is not None else None
    if isinstance(alone, (ast.Tuple, ast.List)) and len(alone.elts) == 1:
        hint = "`value` is a number, not a tuple of one"
        return Finding((hint,), tuple(script.instead(alone, script.text(alone.elts[0]))), hint)
    target = _stored(script)
    statement = script.statement(target) if target is not None else None
    if not isinstance(statement, ast.Assign) or target is None or target.attr != "default_value":
        return Finding()
    socket, text = kind_at(script, target.value), script.text(statement.value)
    if socket is None:  # the name is worked out, and other inputs get their values here too
        same = f"{script.text(target.value)}.type != 'RGBA' or hasattr({text}, '__len__')"
        hint = "the tints of the Principled BSDF are colors since 4.0; lost: the share of the tint"
        new = f"{text} if {same} else (1.0, 1.0, 1.0, 1.0)"
        return Finding((hint,), tuple(script.instead(statement.value, new)), hint)
    if "NodeSocketColor" not in lineage(socket):
        return _numbered(script, target.value)
    if not socket.value.name.endswith("Tint"):
        hint = f"'{socket.value.name}' is a color, not a number"
        return Finding((hint,), tuple(script.instead(statement.value, f"(*[{text}] * 3, 1.0)")), hint)
    hint = f"'{socket.value.name}' is a color since 4.0; lost: the share of the tint"
    return Finding((hint,), tuple(script.instead(statement.value, "(1.0, 1.0, 1.0, 1.0)")), hint)


def _numbered(script: FailedScript, node: ast.expr) -> Finding:
    """A color for an input of the Principled BSDF that stood at that place until 3.6: all of its numbers are names."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return Finding()
    owner, place = kind_at(script, getattr(node.value, "value", node)), node.slice.value
    if owner is None or owner.name != "ShaderNodeBsdfPrincipled" or not isinstance(place, int):
        return Finding()
    order = next(
        (names for names in PRINCIPLED if names[place : place + 1] in (("Emission",), ("Subsurface Color",))), ()
    )
    edits: list[Edit] = []
    for other, number in script.alike_inputs(node) if order else ():
        for key in order[number : number + 1]:
            row = SOCKETS.get((owner.name, key))
            edits += script.instead(other.slice, f'"{(row[0] if row else "") or key}"')
    hint = "the Principled BSDF has its inputs in another order since 4.0: ask for them by name"
    return Finding((hint,), tuple(edits), hint) if edits else Finding()


# What raises nothing, and looks different


def watts(script: FailedScript) -> list[Edit]:
    """A script with lamps of 2.79: their energies in watts, also where it counts on the 1 that a new one had."""
    if not re.search(r"\blamps\b|\blamp_add\b", script.code) or "== 'SUN' else" in script.code:
        return []
    nodes = re.search(r"(lamp|light|sun|data)\w*\.(use_nodes|node_tree)", script.code)
    lamp, sun = ("1", "1") if nodes else POWER["CYCLES" if re.search("['\"]CYCLES", script.code) else "BLENDER_RENDER"]
    why = f"the energy 1 of a lamp of 2.79 is {lamp} W now, and that of a sun {sun} W/m²"
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
            edits += script.insert_behind(statement, _default_energy(light, sun, lamp))
    for statement in script.of_kind(ast.Expr):
        if re.match(r"(bpy\.)?ops\.object\.lamp_add\b", script.text(statement.value)):
            edits += script.insert_behind(statement, _default_energy("bpy.context.object.data", sun, lamp))
    return [replace(edit, why=why) for edit in edits]


def _default_energy(light: str, sun: str, lamp: str) -> str:
    return f"{light}.energy = {sun} if {light}.type == 'SUN' else {lamp}"


def unrendered(script: FailedScript) -> Finding:
    """A script that ran to its end: colors that it gave to materials and to the world without nodes, which were
    rendered until 4.5, and are not since 5.0."""
    gray = [m for m in bpy.data.materials if _is_gray(m)]
    edits: list[Edit] = []
    world = bpy.context.scene.world
    sky = world.node_tree.nodes.get("Background") if world is not None and world.node_tree is not None else None
    other = world is not None and sky is not None and tuple(sky.inputs["Color"].default_value)[:3] != tuple(world.color)
    named = re.findall(r"^\s*(\w+) *= *[\w.]*world[^=\n]*$", script.code, re.MULTILINE | re.IGNORECASE)
    worlds = "|".join(["world", *(rf"^{name}$" for name in named)])
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
    return Finding((hint,), tuple(edits), hint)


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
    """The node type that took the place of one."""
    prefix = re.match(r"[A-Z][a-z]+Node", name)
    family = [n for n in dir(bpy.types) if prefix and n.startswith(prefix[0])]
    new, first, since = NODES.get(name, ("", "", ""))
    if name not in NODES and prefix:
        label = words(name.removeprefix(prefix[0]))
        shown = [n for n in family if (struct := struct_named(n)) is not None and words(struct.name) == label]
        new = shown[0] if len(shown) == 1 else ""
    if not new:
        close = near(name, family, 4)
        return Finding((f"there is no node type `{name}`; like it are {quoted(close)}",) if close else ())
    hint = f"there is no node type `{name}`{f' since {since}' if since else ''}; use `{new}`"
    hint += " with an output of the tree's interface" if first else ""
    edits: list[Edit] = []
    constants = [c for c in script.of_kind(ast.Constant) if c.value == name]
    made = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute) and n.func.attr == "new")
    if not constants and made is not None and len(made.args) == 1 and isinstance(made.func, ast.Attribute):
        renamed = {old: row[0] for old, row in NODES.items() if row[0] and not row[1] and old[:4] == name[:4]}
        short = {
            old: row for old, row in renamed.items() if old.removeprefix(prefix[0] if prefix else "") in script.code
        }
        edits += script.instead(made.args[0], script.mapped(made.args[0], short | {name: new}))
        edits += script.insert_before(made, first.replace("{tree}", _tree_of(script, made.func.value))) if first else []
    for constant in constants:
        edits += script.instead(constant, script.quoted(constant, new))
        call = script.failing(ast.Call, lambda n: isinstance(n.func, ast.Attribute)) if first else None
        if call is not None and isinstance(call.func, ast.Attribute):
            edits += script.insert_before(constant, first.replace("{tree}", _tree_of(script, call.func.value)))
    known = struct_named(new)
    says = f"`{new}` is Blender's {known.name} node" if known is not None else ""
    return Finding((hint, says), tuple(edits), hint)


def _tree_of(script: FailedScript, nodes: ast.expr) -> str:
    """The expression of the tree whose `nodes` these are: `tree` of `tree.nodes`, or of `nodes = tree.nodes`."""
    if isinstance(nodes, ast.Name):
        assigned = [s.value for s in script.of_kind(ast.Assign) if script.text(s.targets[0]) == nodes.id]
        nodes = assigned[0] if assigned else nodes
    if isinstance(nodes, ast.Attribute) and nodes.attr == "nodes":
        return script.text(nodes.value)
    return f"{script.text(nodes)}.id_data"
