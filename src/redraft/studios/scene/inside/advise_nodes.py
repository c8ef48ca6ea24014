"""Keys that a collection does not hold, and node types that there are not."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

import bpy

from redraft.studios.scene.inside.advise_kinds import struct_named
from redraft.studios.scene.inside.advise_place import Edit, Finding
from redraft.studios.scene.inside.advise_renames import NODES
from redraft.studios.scene.inside.advise_sockets import names_in, node_of_sockets, unknown_socket
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
    if node_of_sockets(reader, node.value) is not None:
        return unknown_socket(reader, node, key)
    held, text = names_in(reader.kind(node.value)), place.text(node.value)
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


# Node types


def unknown_node(reader: Reader, name: str) -> Finding:
    """What took the place of a node type."""
    place = reader.place
    prefix = re.match(r"[A-Z][a-z]+Node", name)
    family = [n for n in dir(bpy.types) if prefix and n.startswith(prefix[0])]
    new, first, since = NODES.get(name, ("", "", ""))
    if name not in NODES:
        new = misspelt(name, family) or _shown_as(name.removeprefix(prefix[0]) if prefix else name, family)
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


def _shown_as(label: str, family: Sequence[str]) -> str:
    """The node type that Blender shows under a name: `NoiseTexture` is `ShaderNodeTexNoise`."""
    structs = {name: struct_named(name) for name in family}
    fits = [name for name, struct in structs.items() if struct is not None and words(struct.name) == words(label)]
    return fits[0] if len(fits) == 1 else ""


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
