"""Objects of Blender that a failed script had, and their types by Blender's own description (RNA).

The value of an expression is read without running any of the script: names have the values that they had when it
failed, and only properties that lead to other things of Blender's are read from there, by Blender's own code.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import bmesh
import bpy

from redraft.studios.scene.inside.advice.script import FailedScript

_METHODS_OF_ALL = ("keyframe_insert", "keyframe_delete", "driver_add", "driver_remove", "path_resolve", "as_pointer")
"""Methods that all of Blender's things have, and its description leaves out."""


@dataclass(frozen=True)
class Kind:
    """The type of a thing, as messages name it; the rest is filled where it can be read."""

    name: str
    struct: Any = None
    """Blender's description of it; for a collection that of its own functions."""
    value: Any = None


def struct_named(name: str) -> Any:
    """Return Blender's description of a type; None where there is none."""
    return getattr(getattr(bpy.types, name, None), "bl_rna", None)


def lineage(kind: Kind | None) -> Iterator[str]:
    """Return the name of a type, and of those that it is made from."""
    if kind is None:
        return
    yield kind.name
    struct = kind.struct
    while struct is not None:
        if struct.identifier != kind.name:
            yield struct.identifier
        struct = struct.base


def kind_at(script: FailedScript, node: ast.AST) -> Kind | None:
    """Return the type of what an expression was; None for what is not Blender's, or cannot be read."""
    value = _value(script, node)
    cls = cast("type[Any]", type(value))
    if isinstance(value, types.ModuleType):
        return Kind("module", value=value)
    try:
        if bpy.types.bpy_struct in cls.__mro__:
            struct = bpy.types.bpy_struct.__getattribute__(value, "bl_rna")
            return Kind(struct.identifier, struct, value)
        if cls is bpy.types.bpy_prop_collection:
            struct = getattr(value, "bl_rna", None)
            return Kind(struct.identifier if struct else cls.__name__, struct, value)
    except (AttributeError, ReferenceError):  # it was removed from the file
        return None
    return Kind(cls.__name__, value=value) if cls.__module__ in ("mathutils", "bmesh.types") else None


def _value(script: FailedScript, node: ast.AST) -> Any:
    match node:
        case ast.Name(id=name):
            return script.names.get(name)
        case ast.Constant(value=value):
            return value
        case ast.Attribute(value=owner, attr=name):
            return _pointer(_value(script, owner), name)
        case ast.Subscript(value=owner, slice=key):
            return _member(_value(script, owner), _value(script, key))
        case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[key, *_]):
            return _member(_value(script, owner), _value(script, key))
        case _:
            return None


def _pointer(owner: Any, name: str) -> Any:
    """Return an attribute that leads to another thing; reading it runs none of the script."""
    if owner is bpy or owner is bmesh or type(owner) is type(bpy.context):
        return getattr(owner, name, None)
    if bpy.types.bpy_struct not in type(owner).__mro__:
        return None
    try:
        prop = bpy.types.bpy_struct.__getattribute__(owner, "bl_rna").properties.get(name)
        known = prop is not None and prop.type in ("POINTER", "COLLECTION") and not prop.is_runtime
        return bpy.types.bpy_struct.__getattribute__(owner, name) if known else None
    except (AttributeError, ReferenceError):
        return None


def _member(collection: Any, key: Any) -> Any:
    if type(collection) is not bpy.types.bpy_prop_collection or not isinstance(key, (str, int)):
        return None
    try:
        return collection[key]
    except (KeyError, IndexError, ReferenceError):
        return None


def pointers_of(struct: Any) -> list[Any]:
    """Return the properties of a type that lead to one other thing."""
    properties = struct.properties if struct is not None else ()
    return [p for p in properties if p.type == "POINTER" and p.identifier not in ("rna_type", "original")]


def names_of(kind: Kind) -> list[str]:
    """Return the attributes of a thing, without those that all of Blender's data have."""
    if kind.struct is not None:
        base = kind.struct.base
        common = set(base.properties.keys()) if base is not None and base.identifier == "ID" else {"rna_type"}
        own = [*kind.struct.properties.keys(), *kind.struct.functions.keys(), *_METHODS_OF_ALL]
        return [n for n in own if n not in common and not n.startswith(("bl_", "_"))]
    value = bmesh.ops if kind.name == "BMeshOpsModule" else kind.value
    return [] if value is None else [n for n in dir(value) if not n.startswith("_")]


def keys_of(kind: Kind | None) -> list[str]:
    """Return the names of what a collection holds; none where it is not at hand."""
    if kind is None or type(kind.value) is not bpy.types.bpy_prop_collection:
        return []
    return [name for name in kind.value.keys()[:200] if name and kind.value.get(name) is not None]
