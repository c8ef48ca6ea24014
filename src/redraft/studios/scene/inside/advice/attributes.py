"""Attributes that a thing does not have: renamed, moved into a part of it, or removed.

Each function of `_WAYS` handles one kind of change to an attribute: it returns how to change any place of the
script where it stands (None where that does not fit), and the hint.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import bpy

from redraft.studios.scene.inside.advice.names import near, quoted, respelt, words
from redraft.studios.scene.inside.advice.objects import Kind, kind_at, lineage, names_of, pointers_of, struct_named
from redraft.studios.scene.inside.advice.script import Edit, FailedScript, Finding
from redraft.studios.scene.inside.advice.tables import ATTRIBUTES, GONE, Rename

Make = Callable[[ast.Attribute], "list[Edit] | None"]
Way = tuple[Make, str]

_SETTINGS = re.compile(
    r"\w*Settings|\w*EEVEE|Scene(?:Display|Hydra)|WorldLighting|View3D(?:Shading|Overlay)|Preferences\w*|\w*Modifier"
    r"|\w*Constraint|\w*Texture|(?:Texture|Compositor|Geometry|Function)Node\w*|\w*Curve|(?:Edit|Pose)?Bone|Armature|Pose"
    r"|MeshUVLoop\w*|Space\w+|Region\w*|Area|Screen|Window\w*|ViewLayer|RenderLayer|LightProbe\w*|Brush\w*|UvSculpt|Paint"
    r"|\w*Paint|Sculpt|Action|AnimViz\w*|PointCache|ParticleSystem|GreasePencil|GreasePencilLayer|GreasePencilStroke"
    r"|CurveMap|DopeSheet|ColorManaged\w*|\w*TextureSlot|Strip|\w*Strip|SequenceEditor|Speaker|Sound|UserPreferences|CacheFile"
    r"|Collection|Gone|RNA_Types|bpy\.app(?:\.handlers)?|ImageUser|MaterialLineArt|Text|FModifier\w*|Driver|KeyingSet\w*"
)
"""Types of secondary settings: the scene can do without one that they no longer have. `Gone` stands in for what is."""
_AXES = ("x", "y", "z")


def absent_attribute(script: FailedScript, type_name: str, name: str) -> Finding:
    """What to use in place of an attribute; `type_name` is from the message, perhaps `bpy_prop_collection`."""
    node = script.failing(ast.Attribute, lambda n: n.attr == name)
    if node is None:
        return Finding(_known_names(Kind(type_name, struct_named(type_name)), name))
    owner = kind_at(script, node.value)
    if owner is None or (type_name not in lineage(owner) and not type_name.startswith("bpy_prop") and owner.struct):
        owner = Kind(type_name, struct_named(type_name))
    for way in _WAYS:
        found = way(script, node, owner)
        if found is not None:
            make, hint = found
            edits = make(node)
            if edits is None:
                return Finding((hint, *_known_names(owner, name)))
            more = [edit for other in script.alike(node) if other is not node for edit in make(other) or ()]
            return Finding((hint,), (*edits, *more), hint)
    return Finding(_known_names(owner, name))


def _known_names(kind: Kind, name: str) -> tuple[str, ...]:
    """Hints where no one change is sure: names that are near, the same name elsewhere, else all there are."""
    names = names_of(kind)
    if not names:
        return ()
    found: list[str] = []
    close = near(name, names)
    if close:
        found.append(f"`{kind.name}` has no `{name}`; the nearest it has: {quoted(close, '`')}")
    deeper = [f"{p.identifier}.{name}" for p in pointers_of(kind.struct) if name in p.fixed_type.properties]
    if deeper:
        found.append(f"a part of `{kind.name}` has it: {quoted(deeper[:3], '`')}")
    return tuple(found) or (f"`{kind.name}` has no `{name}`; it has {quoted(names, '`')}",)


# By the table


def _renamed(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """A row of the table for the thing's type, or for one that this is made from."""
    if (found := _row(script, node, owner)) is None:
        return None
    row, part = found
    forms = (row.put, row.get) if isinstance(part.ctx, ast.Store) else (row.get, row.call, row.line, row.put)
    new = _filled(next((f for f in forms if f), ""), script, part, row)
    instead = f"use `{new}`" if new else "leave it out"
    says = f"; lost: {row.loses}" if row.loses else f": {row.says}" if row.says else ""
    since = f" since {row.since}" if row.since else ""
    hint = f"`{owner.name}` has no `{row.name}`{since}; {instead}{says}"

    def make(other: ast.Attribute) -> list[Edit] | None:
        its = _row(script, other, owner)
        return None if its is None else _changed(script, its[1], its[0])

    return make, hint


def _row(script: FailedScript, node: ast.Attribute, owner: Kind) -> tuple[Rename, ast.Attribute] | None:
    """The row of the table for an attribute, or for one of it: `raytrace_mirror.reflect_factor`; and that part."""
    outer = script.parents[node]
    parts = [(f"{node.attr}.{outer.attr}", outer)] if isinstance(outer, ast.Attribute) else []
    tree = getattr(getattr(owner.value, "id_data", None), "node_tree", None)
    return next(
        (
            (row, part)
            for name, part in (*parts, (node.attr, node))
            for kind in lineage(owner)
            for row in (*ATTRIBUTES, *GONE)
            if (row.owner, row.name) == (kind, name)
            and (not row.node or owner.value is None or (tree is not None and row.node in tree.nodes))
        ),
        None,
    )


def _changed(script: FailedScript, node: ast.Attribute, row: Rename) -> list[Edit] | None:
    """A row of the table, made at one place; None where its form is another."""
    parent, statement, stored = script.parents[node], script.statement(node), isinstance(node.ctx, ast.Store)
    first = script.insert_before(node, _filled(row.first, script, node, row)) if row.first else []
    called = parent if isinstance(parent, ast.Call) and parent.func is node else None
    if called and row.line and isinstance(statement, ast.Expr) and statement.value is called:
        simple = len(called.args) == 1 and not any(isinstance(n, ast.Call) for n in ast.walk(called.args[0]))
        return script.instead(statement, _filled(row.line, script, node, row)) if simple else None
    if called and row.call:
        return first + script.instead(called, _filled(row.call, script, node, row))
    if stored and row.put:
        whole = isinstance(statement, ast.Assign) and statement.targets == [node]
        return first + script.instead(statement, _filled(row.put, script, node, row)) if whole else None
    if row.gone:
        return script.removed(node)
    if not row.get or (stored and "(" in row.get):
        return None
    head, _, tail = row.get.partition("{owner}.")
    renamed = not head and tail.isidentifier() and "." not in row.name
    new = _filled(row.get, script, node, row)
    return first + (script.attribute(node, tail) if renamed else script.instead(node, new))


def _filled(form: str, script: FailedScript, node: ast.Attribute, row: Rename) -> str:
    """A text of the table with the script's own parts in it."""
    parent, statement = script.parents[node], script.statement(node)
    inner = node.value if "." in row.name and isinstance(node.value, ast.Attribute) else node
    arguments = [*parent.args, *(k.value for k in parent.keywords)] if isinstance(parent, ast.Call) else []
    parts = {
        "{owner}": script.text(inner.value),
        "{outer}": script.text(node.value.value) if isinstance(node.value, ast.Attribute) else "",
        "{args}": ", ".join(script.text(a) for a in arguments),
        "{value}": script.text(statement.value) if isinstance(statement, ast.Assign) else "…",
    }
    return re.sub(r"\{\w+\}", lambda match: parts.get(match[0], match[0]), form)


# By Blender's description of its types


def _respelt(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """With words that were renamed everywhere."""
    new = next((n for n in respelt(node.attr) if n in names_of(owner)), "")
    return _at(script, node, owner, new) if new else None


def _inside(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """`cursor_location` is the `location` of what `cursor` leads to."""
    paths = [
        f"{p.identifier}.{q.identifier}"
        for p in pointers_of(owner.struct)
        for q in p.fixed_type.properties
        if (*words(p.identifier), *words(q.identifier)) == words(node.attr)
    ]
    return _at(script, node, owner, paths[0]) if len(paths) == 1 else None


def _at(script: FailedScript, node: ast.Attribute, owner: Kind, path: str) -> Way:
    hint = f"`{owner.name}` has no `{node.attr}`; use `{script.text(node.value)}.{path}`"
    return lambda other: script.attribute(other, path), hint


def _of_part(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """A function of a collection that a part of the same owner has: `scene.collection.objects.link`."""
    if type(owner.value) is not bpy.types.bpy_prop_collection or not isinstance(node.value, ast.Attribute):
        return None
    if (holder := kind_at(script, node.value.value)) is None:
        return None
    held = node.value.attr
    path = next((f"{p.identifier}.{held}" for p in pointers_of(holder.struct) if _has(p, held, node.attr)), "")
    if not path:
        return None

    def make(other: ast.Attribute) -> list[Edit] | None:
        return script.attribute(other.value, path) if isinstance(other.value, ast.Attribute) else None

    call = script.parents[node]
    arguments = f"({', '.join(script.text(a) for a in call.args)})" if isinstance(call, ast.Call) else ""
    use = f"{script.text(node.value.value)}.{path}.{node.attr}{arguments}"
    return make, f"`{holder.name}` has no `{held}.{node.attr}`; use `{use}`"


def _has(pointer: Any, held: str, name: str) -> bool:
    own = pointer.fixed_type.properties.get(held)
    if own is None or own.type != "COLLECTION" or own.srna is None:
        return False
    return name in own.srna.functions or name in own.srna.properties


def _input(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """A setting of a node that is one of its inputs now; what a menu is set to is written as it is shown."""
    if "Node" not in lineage(owner) or owner.value is None:
        return None
    name, axis = words(node.attr), ""
    socket = _socket_named(owner, name)
    if socket is None and name[-1:] and name[-1] in _AXES and (socket := _socket_named(owner, name[:-1])) is not None:
        axis = f"[{_AXES.index(name[-1])}]"
    if socket is None or (axis and socket.type != "VECTOR"):
        return None
    path, menu = f'inputs["{socket.name}"].default_value{axis}', socket.bl_idname == "NodeSocketMenu"

    def make(other: ast.Attribute) -> list[Edit] | None:
        statement, edits = script.statement(other), script.attribute(other, path)
        value = statement.value if isinstance(statement, ast.Assign) else None
        if menu and isinstance(value, ast.Constant) and isinstance(value.value, str):
            edits += script.instead(value, script.quoted(value, value.value.replace("_", " ").title()))
        return edits

    return make, f"`{owner.name}` has no `{node.attr}`; it is an input now: `{script.text(node.value)}.{path}`"


def _socket_named(owner: Kind, name: tuple[str, ...]) -> Any:
    """The input of this name, or of what is left of it without the node's own name: `glare_type` is `Type`."""
    short = tuple(word for word in name if word not in {*words(owner.name), "use"})
    named = {words(socket.name): socket for socket in owner.value.inputs if socket.enabled}
    turned = {tuple(sorted(key)): socket for key, socket in named.items()}  # `frame_start` is Start Frame
    return named.get(name) or (named.get(short) if short else None) or turned.get(tuple(sorted(name)))


def _of_owner(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """A setting of a part that what it is a part of has now: `material.cycles.displacement_method`."""
    direct = node.value.value if isinstance(node.value, ast.Attribute) else None
    whole = kind_at(script, direct) if direct is not None else None
    id_data: Any = getattr(owner.value, "id_data", None)
    if whole is None and id_data is not None:
        whole = Kind(id_data.bl_rna.identifier, id_data.bl_rna)
    if whole is None or whole.struct is None or node.attr not in {*names_of(whole)} - {"type", "name"}:
        return None

    def make(other: ast.Attribute) -> list[Edit] | None:
        inner = other.value.value if direct is not None and isinstance(other.value, ast.Attribute) else None
        return script.instead(
            other, f"{script.text(inner) if inner else script.text(other.value) + '.id_data'}.{node.attr}"
        )

    return make, f"`{owner.name}` has no `{node.attr}`; `{whole.name}` has it"


def _setting(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """A setting that is gone, and set to something plain, is left out; not one of which there are several now."""
    shown = owner.name == "module" and re.search("_(?:MT|PT|HT|UL)_", node.attr)
    way = next((way for way in (script.left_out, script.nothing_for) if way(node) is not None), None)
    if way is None or not (_SETTINGS.fullmatch(owner.name) or shown):
        return None
    own, names = set(words(node.attr)), names_of(owner)
    if any(own < set(words(other)) for other in names) or _stems(node.attr) in map(_stems, names):
        return None
    hint = f"`{owner.name}` has no `{node.attr}` (any more); leave it out; lost: what it set"
    return way, hint


def _stems(name: str) -> list[str]:
    """The beginnings of a name's words: `use_denoiser` and `use_denoising` have the same."""
    return [word[:5] for word in words(name)]


# Actions have layers, strips and slots since 4.4, and nothing else since 5.0

_BAG = "{0}.layers[0].strips[0].channelbag({0}.slots[0])"


def _curves(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Curves that an action is to get need the thing that it moves; those that it has are in the bag of its slot."""
    if owner.name != "Action" or node.attr not in ("fcurves", "groups"):
        return None
    later = owner.value is not None and owner.value.users == 0  # it is assigned after its curves were made
    action, thing = script.text(node.value), "" if later else _moved_by(script, node.value)
    new = _method(script, node)[0] == "new" and node.attr == "fcurves"
    first = "from bpy_extras import anim_utils"

    def make(other: ast.Attribute) -> list[Edit] | None:
        method, call = _method(script, other)
        of, whose = script.text(other.value), "" if later else _moved_by(script, other.value)
        if call is None or method != "new" or other.attr == "groups":
            return script.instead(other, f"{_BAG.format(of)}.{other.attr}")
        given = ", ".join([whose, *_curve_arguments(script, call)])
        if whose:
            return script.instead(call, f"{of}.fcurve_ensure_for_datablock({given})")
        slot = f'{of}.slots[0] if {of}.slots else {of}.slots.new("OBJECT", "Object")'  # it may be assigned later
        bag = f"anim_utils.action_ensure_channelbag_for_slot({of}, {slot}).fcurves.new({given.removeprefix(', ')})"
        given_to = [
            s for s in script.of_kind(ast.Assign) if script.text(s.targets[0]).endswith("animation_data.action")
        ]
        slots = [
            edit
            for s in given_to
            for to in [script.text(s.targets[0])]
            for edit in script.insert_behind(s, f"{to.removesuffix('.action')}.action_slot = {to}.slots[0]")
        ]
        return [*script.insert_before(call, first), *script.instead(call, bag), *slots]

    use = f"{action}.fcurve_ensure_for_datablock({thing or 'obj'}, …)" if new else f"{_BAG.format(action)}.{node.attr}"
    return make, f"`Action` has no `{node.attr}` since 5.0; use `{use}`: curves belong to a slot of the action"


def _method(script: FailedScript, node: ast.Attribute) -> tuple[str, ast.Call | None]:
    """Method and call, where the script calls a method of what this leads to: `ACTION.fcurves.new(…)`."""
    method = script.parents[node]
    call = script.parents.get(method)
    if isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method:
        return method.attr, call
    return "", None


def _curve_arguments(script: FailedScript, call: ast.Call) -> list[str]:
    names = ("data_path", "index", "group_name")
    given = [*zip(names, call.args, strict=False), *((k.arg or "", k.value) for k in call.keywords)]
    named = [("group_name" if n == "action_group" else n, script.text(v)) for n, v in given]
    return [value if name == "data_path" else f"{name}={value}" for name, value in named]


def _moved_by(script: FailedScript, action: ast.expr) -> str:
    """What an action moves: `X` of `X.animation_data.action`, through assignments of one to the other."""
    assigned = [
        {
            script.text(part).replace("animation_data_create()", "animation_data")
            for part in (*statement.targets, statement.value)
        }
        for statement in script.of_kind(ast.Assign)
    ]

    def same(texts: set[str]) -> set[str]:
        return texts | {text for each in assigned if each & texts for text in each}

    owners = same({text.removesuffix(".action") for text in same({script.text(action)}) if text.endswith(".action")})
    return next((o.removesuffix(".animation_data") for o in sorted(owners) if o.endswith(".animation_data")), "")


# Node groups have an interface since 4.0


def _interface(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """`tree.inputs.new(type, name)` is `tree.interface.new_socket(name=…, in_out=…, socket_type=…)`."""
    if node.attr not in ("inputs", "outputs") or "NodeTree" not in lineage(owner):
        return None
    side = "INPUT" if node.attr == "inputs" else "OUTPUT"

    def make(other: ast.Attribute) -> list[Edit] | None:
        tree, parent, (method, call) = script.text(other.value), script.parents[other], _method(script, other)
        if call is not None and method == "new":
            given = dict(zip(("type", "name"), call.args, strict=False)) | {k.arg or "": k.value for k in call.keywords}
            if set(given) != {"type", "name"}:
                return None
            socket = re.sub(r"(NodeSocket(?:Float|Int|Vector|Color|Bool|String))\w*", r"\1", script.text(given["type"]))
            text = f'name={script.text(given["name"])}, in_out="{side}", socket_type={socket}'
            return script.instead(call, f"{tree}.interface.new_socket({text})")
        if method:
            name = "interface" if method in ("remove", "clear") else "interface.items_tree" if method == "get" else ""
            return script.attribute(other, name) if name else None
        if isinstance(parent, ast.Subscript) and isinstance(getattr(parent.slice, "value", None), str):
            return script.attribute(other, "interface.items_tree")
        items = f"{tree}.interface.items_tree if s.item_type == 'SOCKET' and s.in_out == '{side}'"
        return script.instead(other, f"[s for s in {items}]")

    tree = script.text(node.value)
    use = f'{tree}.interface.new_socket(name=…, in_out="{side}", socket_type=…)'
    return make, f"`{owner.name}` has no `{node.attr}` since 4.0; use `{use}`, or `{tree}.interface.items_tree[name]`"


_WAYS = (_curves, _interface, _renamed, _respelt, _of_owner, _inside, _of_part, _input, _setting)
"""The surest first."""
