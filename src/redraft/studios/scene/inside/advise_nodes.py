"""Keys that a collection does not hold, sockets above all, and node types that there are not."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

import bpy

from redraft.studios.scene.inside.advise_kinds import Kind, lineage, struct_named
from redraft.studios.scene.inside.advise_moves import leave_out
from redraft.studios.scene.inside.advise_place import Edit, Finding, Place
from redraft.studios.scene.inside.advise_renames import NODES, SOCKETS
from redraft.studios.scene.inside.advise_types import Reader
from redraft.studios.scene.inside.advise_values import is_text, quoted
from redraft.studios.scene.inside.advise_words import misspelt, near, respelt, words

__all__ = ["unknown_key", "unknown_node"]


# Keys


def unknown_key(reader: Reader, key: str) -> Finding:
    """What a collection holds in place of a name that it does not hold."""
    place = reader.place
    node = place.failing(ast.Subscript, lambda n: is_text(n.slice, key)) or place.failing(ast.Subscript)
    if node is None:
        return Finding()
    owner = reader.kind(node.value)
    held = _names_in(owner)
    sockets = _sockets_of(reader, node.value)
    text = place.text(node.value)
    if sockets is not None:
        return _unknown_socket(reader, node, key, sockets, held)
    if not held:
        return Finding((f"`{text}` is empty: there is no '{key}' in it; make it first",))
    hints = [f"`{text}` holds {quoted(near(key, held) or held[:8])}, and no '{key}'"]
    new = next((k for k in respelt(key) if k in held), "") or (misspelt(key, held) if "." not in key else "")
    if new and isinstance(node.slice, ast.Constant):
        same = [
            n
            for n in place.of_kind(ast.Subscript)
            if is_text(n.slice, key) and ast.dump(n.value) == ast.dump(node.value)
        ]
        edits = [e for n in same for e in place.instead(n.slice, place.quoted(n.slice, new))]
        return Finding((f"`{text}` has no '{key}'; it has '{new}'",), tuple(edits), hints[0])
    return Finding(tuple(hints))


def _names_in(owner: Kind | None) -> list[str]:
    if owner is None or type(owner.value) is not bpy.types.bpy_prop_collection:
        return []
    return [name for name in owner.value.keys()[:200] if name and owner.value.get(name) is not None]


def _sockets_of(reader: Reader, node: ast.expr) -> Kind | None:
    """The node whose inputs or outputs an expression is."""
    if not isinstance(node, ast.Attribute) or node.attr not in ("inputs", "outputs"):
        return None
    owner = reader.kind(node.value)
    return owner if owner is not None and "Node" in lineage(owner) else None


def _unknown_socket(reader: Reader, node: ast.Subscript, key: str, owner: Kind, held: Sequence[str]) -> Finding:
    place = reader.place
    row = SOCKETS.get((owner.name, key))
    after = f" since {row[1]}" if row is not None else ""
    new = row[0] if row is not None and (row[0] in held or not row[0]) else _socket_like(key, held)
    listed = f"`{owner.name}` has {quoted(held)}"
    missing = f"`{owner.name}` has no '{key}'{after}"
    if not new and row is not None:
        hint = f"{missing}, and nothing takes its place: leave it out"
        return Finding((hint, listed), tuple(_left_out(place, node)), hint)
    if not new:
        return Finding((f"{missing}; the nearest: {quoted(near(key, held) or held[:3])}", listed))
    hint = f"{missing}; use '{new}'"
    attr = node.value.attr if isinstance(node.value, ast.Attribute) else ""
    edits: list[Edit] = []
    for other in place.of_kind(ast.Subscript):
        if is_text(other.slice, key) and isinstance(other.value, ast.Attribute) and other.value.attr == attr:
            kind = reader.kind(other.value.value)
            if other is node or (kind is not None and kind.name == owner.name):
                edits += place.instead(other.slice, place.quoted(other.slice, new))
    return Finding((hint, listed), tuple(edits) if isinstance(node.slice, ast.Constant) else (), hint)


def _left_out(place: Place, node: ast.Subscript) -> list[Edit]:
    """What only sets `node.inputs[key].default_value` goes."""
    parent = place.parents[node]
    return leave_out(place, parent) or [] if isinstance(parent, ast.Attribute) else []


def _socket_like(key: str, held: Sequence[str]) -> str:
    """The only socket that there is, or the only one that begins so or has the same words."""
    if len(held) == 1:
        return held[0]
    lower = key.lower()
    ways = (
        [h for h in held if words(h) == words(key)],
        [h for h in held if len(key) == 1 and h.lower().startswith(lower)],
        [h for h in held if (h.lower().startswith(lower) or lower.startswith(h.lower())) and len(key) > 2],
        [h for h in held if h == misspelt(key, held)],
    )
    return next((way[0] for way in ways if len(way) == 1), "")


# Node types


def unknown_node(reader: Reader, name: str) -> Finding:
    """What took the place of a node type."""
    place = reader.place
    prefix = re.match(r"[A-Z][a-z]+Node", name)
    family = [n for n in dir(bpy.types) if prefix and n.startswith(prefix[0])]
    new, first, since = NODES.get(name, ("", "", ""))
    if name not in NODES:
        new = misspelt(name, family)
    if not new:
        close = near(name, family, 4)
        return Finding((f"there is no node type `{name}`; like it are {quoted(close)}",) if close else ())
    after = f" since {since}" if since else ""
    hint = f"there is no node type `{name}`{after}; use `{new}`"
    hint += " with an output of the tree's interface" if first else ""
    constants = [a for a in place.of_kind(ast.Constant) if a.value == name]
    edits: list[Edit] = []
    for constant in constants:
        edits += place.instead(constant, place.quoted(constant, new))
        around = place.parents[constant]
        around = place.parents[around] if isinstance(around, ast.keyword) else around
        if first and isinstance(around, ast.Call) and isinstance(around.func, ast.Attribute):
            tree = _tree_of(reader, around.func.value)
            if not tree:
                return Finding((hint,))
            edits += place.insert_before(around, first.replace("{tree}", tree))
    return Finding((hint, _sockets_said(new)), tuple(edits), hint) if constants else Finding((hint,))


def _tree_of(reader: Reader, nodes: ast.expr) -> str:
    """The expression of the tree whose `nodes` these are: `tree` of `tree.nodes`, or of `nodes = tree.nodes`."""
    place = reader.place
    if isinstance(nodes, ast.Attribute) and nodes.attr == "nodes":
        return place.text(nodes.value)
    if isinstance(nodes, ast.Name):
        for statement in place.of_kind(ast.Assign):
            value = statement.value
            if (
                place.text(statement.targets[0]) == nodes.id
                and isinstance(value, ast.Attribute)
                and value.attr == "nodes"
            ):
                return place.text(value.value)
    return ""


def _sockets_said(name: str) -> str:
    struct = struct_named(name)
    return f"`{name}` is Blender's {struct.name} node" if struct is not None else ""
