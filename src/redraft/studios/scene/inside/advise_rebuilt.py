"""Parts of Blender that were built anew: the curves of actions, the sockets of node groups."""

from __future__ import annotations

import ast

from redraft.studios.scene.inside.advise_kinds import Kind, lineage
from redraft.studios.scene.inside.advise_moves import Way
from redraft.studios.scene.inside.advise_place import Edit, Place
from redraft.studios.scene.inside.advise_types import Reader

__all__ = ["curves_of_action", "interface_of_tree"]


def _call_of(place: Place, node: ast.Attribute) -> tuple[str, ast.Call] | None:
    """Method and call, where the script calls a method of what this leads to: `ACTION.fcurves.new(…)`."""
    method = place.parents[node]
    call = place.parents.get(method)
    named = isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method
    return (method.attr, call) if named and isinstance(method, ast.Attribute) and isinstance(call, ast.Call) else None


# Actions have layers, strips and slots since 4.4, and nothing else since 5.0

_BAG = "{0}.layers[0].strips[0].channelbag({0}.slots[0]).fcurves"


def curves_of_action(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """Curves that an action is to get need the thing that it moves; those that it has are in the bag of its slot."""
    if owner.name != "Action" or node.attr != "fcurves":
        return None
    place = reader.place
    action = place.text(node.value)
    made = _call_of(place, node)
    thing = _moved_by(place, node.value)
    new = made is not None and made[0] == "new"
    if new and not thing:
        hint = f"`Action` has no `fcurves` since 5.0; assign `{action}` to an object, then"
        return _nothing, f"{hint} `{action}.fcurve_ensure_for_datablock(obj, data_path, index=0)`"
    if owner.value is not None and not new and not len(owner.value.layers):
        return _nothing, f"`Action` has no `fcurves` since 5.0, and `{action}` is empty: insert keyframes first"

    def make(other: ast.Attribute) -> list[Edit] | None:
        call, whose = _call_of(place, other), _moved_by(place, other.value)
        of = place.text(other.value)
        if call is None or call[0] != "new":
            return place.instead(other, _BAG.format(of))
        given = ", ".join([whose, *_curve_arguments(place, call[1])])
        return place.instead(call[1], f"{of}.fcurve_ensure_for_datablock({given})") if whose else None

    use = f"{action}.fcurve_ensure_for_datablock({thing}, …)" if new else _BAG.format(action)
    return make, f"`Action` has no `fcurves` since 5.0; use `{use}`: curves belong to a slot of the action"


def _nothing(node: ast.Attribute) -> list[Edit] | None:
    del node
    return None


def _curve_arguments(place: Place, call: ast.Call) -> list[str]:
    names = ("data_path", "index", "group_name")
    given = [*zip(names, call.args, strict=False), *((k.arg or "", k.value) for k in call.keywords)]
    renamed = {"action_group": "group_name"}
    return [place.text(v) if n == "data_path" else f"{renamed.get(n, n)}={place.text(v)}" for n, v in given]


def _moved_by(place: Place, action: ast.expr) -> str:
    """What an action moves: `X` of `X.animation_data.action`, or of the assignment between that and the action."""
    text = place.text(action)
    direct = _thing(place, text)
    if direct:
        return direct
    for statement in place.of_kind(ast.Assign):
        sides = {place.text(part) for part in (*statement.targets, statement.value)}
        if text in sides:
            found = next((thing for side in sorted(sides - {text}) if (thing := _thing(place, side))), "")
            if found:
                return found
    return ""


def _thing(place: Place, action: str) -> str:
    """`X` of `X.animation_data.action`, or of `data.action` where `data` is `X.animation_data`."""
    if action.endswith(".animation_data.action"):
        return action.removesuffix(".animation_data.action")
    head, _, tail = action.rpartition(".")
    if tail != "action" or not head.isidentifier():
        return ""
    for statement in place.of_kind(ast.Assign):
        value = place.text(statement.value).removesuffix("_create()")
        if place.text(statement.targets[0]) == head and value.endswith(".animation_data"):
            return value.removesuffix(".animation_data")
    return ""


# Node groups have an interface since 4.0


def interface_of_tree(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """`tree.inputs.new(type, name)` is `tree.interface.new_socket(name=…, in_out=…, socket_type=…)`."""
    if node.attr not in ("inputs", "outputs") or "NodeTree" not in lineage(owner):
        return None
    place = reader.place
    side = "INPUT" if node.attr == "inputs" else "OUTPUT"

    def make(other: ast.Attribute) -> list[Edit] | None:
        tree, parent, call = place.text(other.value), place.parents[other], _call_of(place, other)
        if call is not None and call[0] == "new":
            given = _socket_arguments(place, call[1])
            if set(given) != {"type", "name"}:
                return None
            words_of = f'name={given["name"]}, in_out="{side}", socket_type={given["type"]}'
            return place.instead(call[1], f"{tree}.interface.new_socket({words_of})")
        if call is not None and call[0] in ("remove", "clear"):
            return place.attribute(other, "interface") if call[0] == "remove" else None
        by_name = isinstance(parent, ast.Subscript) and parent.value is other and _is_name(parent.slice)
        return place.attribute(other, "interface.items_tree") if by_name else None

    tree = place.text(node.value)
    use = f'{tree}.interface.new_socket(name=…, in_out="{side}", socket_type=…)'
    return make, f"`{owner.name}` has no `{node.attr}` since 4.0; use `{use}`, or `{tree}.interface.items_tree[name]`"


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _socket_arguments(place: Place, call: ast.Call) -> dict[str, str]:
    given = {**dict(zip(("type", "name"), call.args, strict=False)), **{k.arg or "": k.value for k in call.keywords}}
    texts = {name: place.text(value) for name, value in given.items()}
    kind = given.get("type")
    if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
        texts["type"] = f'"{_plain_socket(kind.value)}"'
    return texts


def _plain_socket(name: str) -> str:
    """`NodeSocketFloatFactor` is a `NodeSocketFloat` for an interface."""
    plain = [n for n in ("Float", "Int", "Vector", "Color", "Bool", "String") if name.startswith(f"NodeSocket{n}")]
    return f"NodeSocket{plain[0]}" if plain else name
