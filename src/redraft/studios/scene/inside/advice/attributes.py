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

from redraft.studios.scene.inside.advice.changes import ATTRIBUTES, Change
from redraft.studios.scene.inside.advice.fixes import change_attribute, filled
from redraft.studios.scene.inside.advice.names import near, quoted, respelt, words
from redraft.studios.scene.inside.advice.objects import Kind, kind_at, lineage, names_of, pointers_of, struct_named
from redraft.studios.scene.inside.advice.script import Edit, FailedScript, Finding

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
_BAG = "{0}.layers[0].strips[0].channelbag({0}.slots[0])"
"""Where the curves of an action are: it has layers, strips and slots since 4.4, and nothing else since 5.0."""


def absent_attribute(script: FailedScript, type_name: str, name: str) -> Finding:
    """Return what to use in place of an attribute; `type_name` is from the message, perhaps `bpy_prop_collection`."""
    node = script.failing(ast.Attribute, lambda n: n.attr == name)
    if node is None:
        return Finding(_known_names(Kind(type_name, struct_named(type_name)), name))

    # The message is right about the type; what was read from the script knows more, if it is of that type.
    owner = kind_at(script, node.value)
    if owner is None or (type_name not in lineage(owner) and not type_name.startswith("bpy_prop") and owner.struct):
        owner = Kind(type_name, struct_named(type_name))

    for find_way in _WAYS:
        way = find_way(script, node, owner)
        if way is not None:
            make, hint = way
            edits = make(node)
            if edits is None:
                return Finding((hint, *_known_names(owner, name)))
            more = [edit for other in script.alike(node) if other is not node for edit in make(other) or ()]
            return Finding.fix(hint, [*edits, *more])
    return Finding(_known_names(owner, name))


def _known_names(kind: Kind, name: str) -> tuple[str, ...]:
    """Return hints where no one change is sure: names that are near, the same name elsewhere, else all there are."""
    names = names_of(kind)
    if not names:
        return ()
    hints: list[str] = []
    close = near(name, names)
    if close:
        hints.append(f"`{kind.name}` has no `{name}`; the nearest it has: {quoted(close, '`')}")
    deeper = [f"{p.identifier}.{name}" for p in pointers_of(kind.struct) if name in p.fixed_type.properties]
    if deeper:
        hints.append(f"a part of `{kind.name}` has it: {quoted(deeper[:3], '`')}")
    return tuple(hints) or (f"`{kind.name}` has no `{name}`; it has {quoted(names, '`')}",)


# By the rows


def by_row(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Make the row for the thing's type, or for one that this is made from."""
    match = _row_for(script, node, owner)
    if match is None:
        return None
    change, part = match
    stored = isinstance(part.ctx, ast.Store)
    forms = (change.put, change.get) if stored else (change.get, change.call, change.line, change.put)
    new = filled(next((f for f in forms if f), ""), script, part, change)
    instead = f"use `{new}`" if new else "leave it out"
    says = f"; lost: {change.loses}" if change.loses else f": {change.says}" if change.says else ""
    hint = f"`{owner.name}` has no `{change.name}`{change.dated}; {instead}{says}"

    def make(other: ast.Attribute) -> list[Edit] | None:
        own = _row_for(script, other, owner)
        return None if own is None else change_attribute(script, own[1], own[0])

    return make, hint


def _row_for(script: FailedScript, node: ast.Attribute, owner: Kind) -> tuple[Change, ast.Attribute] | None:
    """Return the row for an attribute, or for one of it: `raytrace_mirror.reflect_factor`; and that part."""
    outer = script.parents[node]
    parts = [(f"{node.attr}.{outer.attr}", outer)] if isinstance(outer, ast.Attribute) else []
    tree = getattr(getattr(owner.value, "id_data", None), "node_tree", None)
    for name, part in (*parts, (node.attr, node)):
        for kind in lineage(owner):
            for change in ATTRIBUTES.get((kind, name), ()):
                if not change.needs or owner.value is None or (tree is not None and change.needs in tree.nodes):
                    return change, part
    return None


# By Blender's description of its types


def respelt_name(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Use words that were renamed everywhere."""
    new = next((n for n in respelt(node.attr) if n in names_of(owner)), "")
    return _way_to(script, node, owner, new) if new else None


def name_in_two(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Take `cursor_location` for the `location` of what `cursor` leads to."""
    paths = [
        f"{p.identifier}.{q.identifier}"
        for p in pointers_of(owner.struct)
        for q in p.fixed_type.properties
        if (*words(p.identifier), *words(q.identifier)) == words(node.attr)
    ]
    return _way_to(script, node, owner, paths[0]) if len(paths) == 1 else None


def _way_to(script: FailedScript, node: ast.Attribute, owner: Kind, path: str) -> Way:
    hint = f"`{owner.name}` has no `{node.attr}`; use `{script.text(node.value)}.{path}`"
    return lambda other: script.attribute(other, path), hint


def function_of_part(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Find a collection's function in a part of the same owner: `scene.collection.objects.link`."""
    if type(owner.value) is not bpy.types.bpy_prop_collection or not isinstance(node.value, ast.Attribute):
        return None
    holder = kind_at(script, node.value.value)
    if holder is None:
        return None
    held, path = node.value.attr, ""
    for pointer in pointers_of(holder.struct):
        own = pointer.fixed_type.properties.get(held)
        collection = own.srna if own is not None and own.type == "COLLECTION" else None
        if collection is not None and (node.attr in collection.functions or node.attr in collection.properties):
            path = f"{pointer.identifier}.{held}"
            break
    if not path:
        return None

    def make(other: ast.Attribute) -> list[Edit] | None:
        return script.attribute(other.value, path) if isinstance(other.value, ast.Attribute) else None

    call = script.parents[node]
    arguments = f"({', '.join(script.text(a) for a in call.args)})" if isinstance(call, ast.Call) else ""
    use = f"{script.text(node.value.value)}.{path}.{node.attr}{arguments}"
    return make, f"`{holder.name}` has no `{held}.{node.attr}`; use `{use}`"


def input_of_node(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Use the input that a setting of a node is now; what a menu is set to is written as it is shown."""
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
    """Return the input of this name, or of what remains of it without the node's own: `glare_type` is `Type`."""
    short = tuple(word for word in name if word not in {*words(owner.name), "use"})
    named = {words(socket.name): socket for socket in owner.value.inputs if socket.enabled}
    turned = {tuple(sorted(key)): socket for key, socket in named.items()}  # `frame_start` is Start Frame
    return named.get(name) or (named.get(short) if short else None) or turned.get(tuple(sorted(name)))


def setting_of_owner(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Use a part's setting where the whole has it now: `material.cycles.displacement_method`."""
    direct = node.value.value if isinstance(node.value, ast.Attribute) else None
    whole = kind_at(script, direct) if direct is not None else None
    id_data: Any = getattr(owner.value, "id_data", None)
    if whole is None and id_data is not None:
        whole = Kind(id_data.bl_rna.identifier, id_data.bl_rna)
    if whole is None or whole.struct is None or node.attr not in {*names_of(whole)} - {"type", "name"}:
        return None

    def make(other: ast.Attribute) -> list[Edit] | None:
        inner = other.value.value if direct is not None and isinstance(other.value, ast.Attribute) else None
        holder = script.text(inner) if inner else f"{script.text(other.value)}.id_data"
        return script.instead(other, f"{holder}.{node.attr}")

    return make, f"`{owner.name}` has no `{node.attr}`; `{whole.name}` has it"


def dropped_setting(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Leave out a setting that is gone, and set to something plain; not one of which there are several now."""
    panel = owner.name == "module" and re.search("_(?:MT|PT|HT|UL)_", node.attr)
    way = next((way for way in (script.left_out, script.nothing_for) if way(node) is not None), None)
    if way is None or not (_SETTINGS.fullmatch(owner.name) or panel):
        return None

    # `use_denoiser` and `use_denoising` begin with the same letters, word by word.
    own, names = set(words(node.attr)), names_of(owner)
    beginnings = [[word[:5] for word in words(name)] for name in (node.attr, *names)]
    if any(own < set(words(other)) for other in names) or beginnings[0] in beginnings[1:]:
        return None
    return way, f"`{owner.name}` has no `{node.attr}` (any more); leave it out; lost: what it set"


# By a change of structure


def curves_of_action(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Find an action's curves in the bag of its slot; new ones need the thing that the action moves."""
    if owner.name != "Action" or node.attr not in ("fcurves", "groups"):
        return None
    later = owner.value is not None and owner.value.users == 0  # it is assigned after its curves were made
    action, thing = script.text(node.value), "" if later else _moved_by(script, node.value)

    def make(other: ast.Attribute) -> list[Edit] | None:
        method, call = _method_of(script, other)
        of, whose = script.text(other.value), "" if later else _moved_by(script, other.value)
        if call is None or method != "new" or other.attr == "groups":
            return script.instead(other, f"{_BAG.format(of)}.{other.attr}")

        arguments = [*zip(("data_path", "index", "group_name"), call.args, strict=False)]
        arguments += [("group_name" if k.arg == "action_group" else k.arg or "", k.value) for k in call.keywords]
        texts = [script.text(v) if name == "data_path" else f"{name}={script.text(v)}" for name, v in arguments]
        given = ", ".join([whose, *texts])
        if whose:
            return script.instead(call, f"{of}.fcurve_ensure_for_datablock({given})")

        # Without a thing, the curve goes into the first slot, which everything that gets the action is to use.
        slot = f'{of}.slots[0] if {of}.slots else {of}.slots.new("OBJECT", "Object")'
        bag = f"anim_utils.action_ensure_channelbag_for_slot({of}, {slot}).fcurves.new({given.removeprefix(', ')})"
        edits = script.insert_before(call, "from bpy_extras import anim_utils") + script.instead(call, bag)
        for statement in script.of_kind(ast.Assign):
            target = script.text(statement.targets[0])
            if target.endswith("animation_data.action"):
                use_slot = f"{target.removesuffix('.action')}.action_slot = {target}.slots[0]"
                edits += script.insert_behind(statement, use_slot)
        return edits

    new = _method_of(script, node)[0] == "new" and node.attr == "fcurves"
    use = f"{action}.fcurve_ensure_for_datablock({thing or 'obj'}, …)" if new else f"{_BAG.format(action)}.{node.attr}"
    return make, f"`Action` has no `{node.attr}` since 5.0; use `{use}`: curves belong to a slot of the action"


def _method_of(script: FailedScript, node: ast.Attribute) -> tuple[str, ast.Call | None]:
    """Return method and call, where the script calls a method of what this leads to: `ACTION.fcurves.new(…)`."""
    method = script.parents[node]
    call = script.parents.get(method)
    if isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method:
        return method.attr, call
    return "", None


def _moved_by(script: FailedScript, action: ast.expr) -> str:
    """Return what an action moves: `X` of `X.animation_data.action`, through assignments of one to the other."""
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


def interface_of_tree(script: FailedScript, node: ast.Attribute, owner: Kind) -> Way | None:
    """Use the interface that node groups have since 4.0.

    `tree.inputs.new(type, name)` is `tree.interface.new_socket(name=…, in_out=…, socket_type=…)`.
    """
    if node.attr not in ("inputs", "outputs") or "NodeTree" not in lineage(owner):
        return None
    side = "INPUT" if node.attr == "inputs" else "OUTPUT"

    def make(other: ast.Attribute) -> list[Edit] | None:
        tree, parent, (method, call) = script.text(other.value), script.parents[other], _method_of(script, other)
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


_WAYS = (
    curves_of_action,
    interface_of_tree,
    by_row,
    respelt_name,
    setting_of_owner,
    name_in_two,
    function_of_part,
    input_of_node,
    dropped_setting,
)
"""The surest first."""
