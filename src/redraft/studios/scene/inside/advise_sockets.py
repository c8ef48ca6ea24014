"""Sockets of nodes: those that a node does not have, and settings of nodes that became inputs."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import bpy

from redraft.studios.scene.inside.advise_kinds import Kind, lineage
from redraft.studios.scene.inside.advise_moves import Way, leave_out
from redraft.studios.scene.inside.advise_place import Edit, Finding, Place
from redraft.studios.scene.inside.advise_renames import SOCKETS
from redraft.studios.scene.inside.advise_types import Reader
from redraft.studios.scene.inside.advise_values import quoted
from redraft.studios.scene.inside.advise_words import misspelt, near, words

__all__ = ["become_socket", "names_in", "node_of_sockets", "unknown_socket"]

_AXES = ("x", "y", "z")


def names_in(owner: Kind | None) -> list[str]:
    """The keys by which a collection gives what it holds; none where it is not at hand."""
    if owner is None or type(owner.value) is not bpy.types.bpy_prop_collection:
        return []
    return [name for name in owner.value.keys()[:200] if name and owner.value.get(name) is not None]


def node_of_sockets(reader: Reader, node: ast.expr) -> Kind | None:
    """The node whose inputs or outputs an expression is."""
    if not isinstance(node, ast.Attribute) or node.attr not in ("inputs", "outputs"):
        return None
    owner = reader.kind(node.value)
    return owner if owner is not None and "Node" in lineage(owner) else None


def unknown_socket(reader: Reader, node: ast.Subscript, key: str) -> Finding:
    """The socket that took the place of one; every other key of the script that no socket has is put right with it."""
    place = reader.place
    owner, held = node_of_sockets(reader, node.value), names_in(reader.kind(node.value))
    if owner is None:
        return Finding()
    new = _new_socket(owner.name, key, held)
    row = SOCKETS.get((owner.name, key))
    missing = f"`{owner.name}` has no '{key}'" + (f" since {row[1]}" if row is not None else "")
    listed = f"`{owner.name}` has {quoted(held)}"
    if not held:
        return Finding((missing,))
    if new is None:
        return Finding((f"{missing}; the nearest: {quoted(near(key, held) or held[:3])}", listed))
    hint = f"{missing}; use '{new}'" if new else f"{missing}, and nothing takes its place: leave it out"
    edits = _edits(place, node, key, new)
    for other in place.of_kind(ast.Subscript) if edits else ():
        if other is not node:
            edits += _other_edits(reader, other, owner, held)
    return Finding((hint, listed), tuple(edits), hint)


def _new_socket(owner: str, key: str, held: Sequence[str]) -> str | None:
    """The socket's new name, empty where it is gone; None where nothing is sure."""
    row = SOCKETS.get((owner, key))
    if row is not None and (row[0] in held or not row[0]):
        return row[0]
    return _socket_like(key, held) or None


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


def _edits(place: Place, node: ast.Subscript, key: str, new: str) -> list[Edit]:
    """The key where it stands; of one that came from elsewhere, the only text in the script that it can be."""
    if not new:
        parent = place.parents[node]  # `node.inputs[key].default_value = …`
        return leave_out(place, parent) or [] if isinstance(parent, ast.Attribute) else []
    if isinstance(node.slice, ast.Constant):
        return place.instead(node.slice, place.quoted(node.slice, new))
    texts = [c for c in place.of_kind(ast.Constant) if c.value == key]
    return place.instead(texts[0], place.quoted(texts[0], new)) if len(texts) == 1 else []


def _other_edits(reader: Reader, other: ast.Subscript, owner: Kind, held: Sequence[str]) -> list[Edit]:
    """The same for another key, where it is known what its node has."""
    kind = node_of_sockets(reader, other.value)
    key = other.slice.value if isinstance(other.slice, ast.Constant) else None
    if kind is None or not isinstance(key, str):
        return []
    own = names_in(reader.kind(other.value)) or (held if kind.name == owner.name else [])
    if not own or key in own:
        return []
    new = _new_socket(kind.name, key, own)
    return _edits(reader.place, other, key, new) if new is not None else []


def become_socket(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """A setting of a node that is one of its inputs now; what a menu is set to is written as it is shown."""
    if "Node" not in lineage(owner) or owner.value is None:
        return None
    place, own = reader.place, words(node.attr)
    socket = _socket_named(owner, own)
    axis = ""
    if socket is None and own[-1:] and own[-1] in _AXES and (socket := _socket_named(owner, own[:-1])) is not None:
        axis = f"[{_AXES.index(own[-1])}]"
    if socket is None or (axis and socket.type != "VECTOR"):
        return None
    path = f'inputs["{socket.name}"].default_value{axis}'
    menu = socket.bl_idname == "NodeSocketMenu"

    def make(other: ast.Attribute) -> list[Edit] | None:
        statement = place.statement(other)
        edits = place.attribute(other, path)
        value = statement.value if isinstance(statement, ast.Assign) else None
        if menu and isinstance(value, ast.Constant) and isinstance(value.value, str):
            edits += place.instead(value, place.quoted(value, value.value.replace("_", " ").title()))
        return edits

    return make, f"`{owner.name}` has no `{node.attr}`; it is an input now: `{place.text(node.value)}.{path}`"


def _socket_named(owner: Kind, name: tuple[str, ...]) -> Any:
    """The input of this name, or of what is left of it without the node's own name: `glare_type` is `Type`."""
    of_type = {*words(owner.name), "use"}
    short = tuple(word for word in name if word not in of_type)
    named = {words(socket.name): socket for socket in owner.value.inputs if socket.enabled}
    return named.get(name) or (named.get(short) if short else None)
