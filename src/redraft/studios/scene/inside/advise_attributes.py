"""Attributes that a thing does not have: renamed, moved into a part of it, taken away, or misspelt."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import bpy

from redraft.studios.scene.inside.advise_kinds import MATHS, Kind, lineage, struct_named
from redraft.studios.scene.inside.advise_moves import Make, Way, leave_out, renamed
from redraft.studios.scene.inside.advise_place import Edit, Finding, Place
from redraft.studios.scene.inside.advise_rebuilt import curves_of_action, interface_of_tree
from redraft.studios.scene.inside.advise_sockets import become_socket
from redraft.studios.scene.inside.advise_types import Reader
from redraft.studios.scene.inside.advise_words import misspelt, near, respelt, words

__all__ = ["absent_attribute"]

_OF_ALL = ("keyframe_insert", "keyframe_delete", "driver_add", "driver_remove", "path_resolve", "as_pointer")
"""Methods that all of Blender's things have, and its description leaves out."""
MOST_TWINS = 5_000
_SETTINGS = re.compile(r"\w*Settings|Scene(?:EEVEE|Display|Hydra)|WorldLighting|View3D(?:Shading|Overlay)")
"""Types that only say how a picture is made: what they no longer have cannot be missed in a scene."""


def absent_attribute(reader: Reader, type_name: str, name: str) -> Finding:
    """What to use in place of an attribute; `type_name` is what the message says, perhaps `bpy_prop_collection`."""
    place = reader.place
    node = place.failing(ast.Attribute, lambda n: n.attr == name)
    if node is None:
        return Finding(_known_names(Kind(type_name, struct_named(type_name)), name))
    owner = reader.kind(node.value)
    if owner is None or (type_name not in lineage(owner) and not type_name.startswith("bpy_prop") and owner.struct):
        owner = Kind(type_name, struct_named(type_name))
    for way in _WAYS:
        found = way(reader, node, owner)
        if found is not None:
            make, hint = found
            edits = make(node)
            if edits is None:
                return Finding((hint, *_known_names(owner, name)))
            names = _names(owner) if way is _setting else []
            return Finding((hint,), (*edits, *_twins(reader, node, owner, make, names)), hint)
    return Finding(_known_names(owner, name))


def _twins(reader: Reader, node: ast.Attribute, owner: Kind, make: Make, known: Sequence[str]) -> list[Edit]:
    """The same change wherever else the script asks the same of the same kind of thing; where `known` lists what this
    has, whatever else is asked of it in vain."""
    place = reader.place
    text, scope = ast.dump(node.value), place.scope_of(node)
    edits: list[Edit] = []
    for other in [n for n in place.of_kind(ast.Attribute) if n is not node][:MOST_TWINS]:
        stored = isinstance(other.ctx, ast.Store)
        if other.attr != node.attr and (not known or not stored or other.attr in known or _is_near(other.attr, known)):
            continue
        kind = reader.kind(other.value)
        same = kind is not None and kind.name == owner.name
        if same or (other.attr == node.attr and place.scope_of(other) is scope and ast.dump(other.value) == text):
            edits += make(other) or []
    return edits


# Ways to tell what became of an attribute, the surest first


def _respelt(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    new = next((n for n in respelt(node.attr) if n in _names(owner)), "")
    if not new:
        return None
    hint = f"`{owner.name}` has no `{node.attr}`; use `{reader.place.text(node.value)}.{new}`"
    return lambda other: reader.place.attribute(other, new), hint


def _inside(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """`cursor_location` is the `location` of what `cursor` leads to."""
    wanted = words(node.attr)
    paths = [
        f"{p.identifier}.{q.identifier}"
        for p in _pointers(owner.struct)
        for q in p.fixed_type.properties
        if (*words(p.identifier), *words(q.identifier)) == wanted
    ]
    if len(paths) != 1:
        return None
    hint = f"`{owner.name}` has no `{node.attr}`; use `{reader.place.text(node.value)}.{paths[0]}`"
    return lambda other: reader.place.attribute(other, paths[0]), hint


def _moved(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """A function of a collection that a part of the same owner has: `scene.collection.objects.link`."""
    if owner.items is None or not isinstance(node.value, ast.Attribute):
        return None
    place, holder, held = reader.place, reader.kind(node.value.value), node.value.attr
    ways = _ways_to(holder.struct if holder is not None else None, held, node.attr)
    if holder is None or not ways:
        return None

    def make(other: ast.Attribute) -> list[Edit] | None:
        return place.attribute(other.value, ways[0]) if isinstance(other.value, ast.Attribute) else None

    use = f"{place.text(node.value.value)}.{ways[0]}.{node.attr}{_arguments(place, node)}"
    return make, f"`{holder.name}` has no `{held}.{node.attr}`; use `{use}`"


def _of_its_collection(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """A function that one of its collections has for what is handed over: `collection.objects.link`."""
    call = reader.place.parents[node]
    if owner.struct is None or not isinstance(call, ast.Call) or call.func is not node or not call.args:
        return None
    given = reader.kind(call.args[0])
    kinds = list(lineage(given)) if given is not None else []
    fits = [
        p.identifier
        for p in owner.struct.properties
        if p.type == "COLLECTION" and p.srna is not None and node.attr in p.srna.functions
        if p.fixed_type.identifier in kinds
    ]
    if len(fits) != 1:
        return None
    path = f"{fits[0]}.{node.attr}"
    use = f"{reader.place.text(node.value)}.{path}{_arguments(reader.place, node)}"
    return lambda other: reader.place.attribute(other, path), f"`{owner.name}` has no `{node.attr}`; use `{use}`"


def _arguments(place: Place, node: ast.Attribute) -> str:
    parent = place.parents[node]
    return f"({', '.join(place.text(a) for a in parent.args)})" if isinstance(parent, ast.Call) else ""


def _ways_to(struct: Any, held: str, name: str) -> list[str]:
    """`collection.objects` of a scene: the collection of this name, one step down, that has what is wanted."""
    return [
        f"{p.identifier}.{held}"
        for p in _pointers(struct)
        if (own := p.fixed_type.properties.get(held)) is not None
        and own.type == "COLLECTION"
        and own.srna is not None
        and (name in own.srna.functions or name in own.srna.properties)
    ]


def _misspelt(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    new = misspelt(node.attr, _names(owner))
    if not new:
        return None
    hint = f"`{owner.name}` has no `{node.attr}`; use `{reader.place.text(node.value)}.{new}`"
    return lambda other: reader.place.attribute(other, new), hint


def _setting(reader: Reader, node: ast.Attribute, owner: Kind) -> Way | None:
    """A setting that is gone, and set to something plain, is left out."""
    if not _SETTINGS.fullmatch(owner.name) or owner.struct is None or leave_out(reader.place, node) is None:
        return None
    if _is_part(node.attr, _names(owner)):
        return None
    hint = f"`{owner.name}` has no `{node.attr}` (any more), and nothing takes its place: leave it out"
    return lambda other: leave_out(reader.place, other), hint


def _is_near(name: str, known: Sequence[str]) -> bool:
    return bool(misspelt(name, known)) or _is_part(name, known)


def _is_part(name: str, known: Iterable[str]) -> bool:
    """Whether a name is one of those that are there, cut short: `resolution` of `resolution_x`."""
    own = set(words(name))
    return any(own < set(words(other)) for other in known)


_WAYS: tuple[Callable[[Reader, ast.Attribute, Kind], Way | None], ...] = (
    curves_of_action,
    interface_of_tree,
    renamed,
    _respelt,
    _inside,
    _moved,
    _of_its_collection,
    become_socket,
    _misspelt,
    _setting,
)

# What there is


def _pointers(struct: Any) -> list[Any]:
    if struct is None:
        return []
    return [p for p in struct.properties if p.type == "POINTER" and p.identifier not in ("rna_type", "original")]


def _names(kind: Kind) -> list[str]:
    """The attributes that a thing has, without those that all of Blender's data have."""
    if kind.struct is not None:
        base = kind.struct.base
        common = set(base.properties.keys()) if base is not None and base.identifier == "ID" else {"rna_type"}
        own = [*kind.struct.properties.keys(), *kind.struct.functions.keys(), *_OF_ALL]
        return [n for n in own if n not in common and not n.startswith(("bl_", "_"))]
    if kind.name == "module" and kind.value is not None:
        return [n for n in dir(kind.value) if not n.startswith("_")]
    cls = _class_named(kind.name)
    return [n for n in dir(cls) if not n.startswith("_")] if cls is not None else []


def _class_named(name: str) -> Any:
    """A type of Blender's that its own description leaves out."""
    import bmesh
    import mathutils

    if name == "BMeshOpsModule":
        return bmesh.ops
    return getattr(mathutils, name, None) if name in MATHS else getattr(bmesh.types, name, None)


def _known_names(kind: Kind, name: str) -> tuple[str, ...]:
    """Hints where no one change is sure: names that are near, the same name elsewhere, else all there are."""
    names = _names(kind)
    if not names:
        return ()
    found: list[str] = []
    close = near(name, names)
    if close:
        found.append(f"`{kind.name}` has no `{name}`; the nearest it has: {_listed(close)}")
    deeper = [f"{p.identifier}.{name}" for p in _pointers(kind.struct) if name in p.fixed_type.properties]
    if deeper:
        found.append(f"a part of `{kind.name}` has it: {_listed(deeper[:3])}")
    others = _owners(kind.name, name) if kind.struct is not None else []
    if others:
        found.append(f"`{name}` is now of {_listed(others[:3])}")
    return tuple(found) or (f"`{kind.name}` has no `{name}`; it has {_listed(names)}",)


def _owners(family: str, name: str) -> list[str]:
    """The types whose names begin alike that have an attribute of this name: `ActionChannelbag` has `fcurves`."""
    structs = {n: struct_named(n) for n in dir(bpy.types) if n.startswith(family) and n != family}
    return [n for n, struct in structs.items() if struct is not None and name in struct.properties]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
