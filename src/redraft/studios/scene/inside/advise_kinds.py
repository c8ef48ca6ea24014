"""What kinds of things there are, by Blender's own description of its types (RNA)."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import bpy
import mathutils

__all__ = ["MATHS", "Kind", "given_by", "kind_of", "kind_of_property", "lineage", "struct_named"]

MATHS = ("Vector", "Matrix", "Quaternion", "Euler", "Color")
_METHODS = {
    ("Vector", "to_track_quat"): "Quaternion",
    ("Vector", "rotation_difference"): "Quaternion",
    ("Matrix", "to_quaternion"): "Quaternion",
    ("Matrix", "to_euler"): "Euler",
    ("Matrix", "to_translation"): "Vector",
    ("Matrix", "to_scale"): "Vector",
    ("Quaternion", "to_matrix"): "Matrix",
    ("Quaternion", "to_euler"): "Euler",
    ("Euler", "to_matrix"): "Matrix",
    ("Euler", "to_quaternion"): "Quaternion",
}
_SAME = [
    "copy",
    "inverted",
    "inverted_safe",
    "normalized",
    "transposed",
    "to_3x3",
    "to_4x4",
    "to_2x2",
    "cross",
    "lerp",
    "slerp",
    "reflect",
    "project",
    "orthogonal",
    "to_3d",
    "to_2d",
    "resized",
    "freeze",
    "adjugated",
    "Rotation",
    "Translation",
    "Scale",
    "Diagonal",
    "Identity",
    "LocRotScale",
    "OrthoProjection",
    "Shear",
]
"""Methods that give what they are called on."""


@dataclass(frozen=True)
class Kind:
    """What a thing is. `name` is the type as messages have it; the rest is filled where it is known."""

    name: str
    struct: Any = None
    """Blender's description of it; for a collection that of its own functions."""
    items: Any = None
    """For a collection: the description of what it holds."""
    value: Any = None
    """The thing itself, where it is at hand."""


def struct_named(name: str) -> Any:
    """Blender's description of a type; None where there is none."""
    found = getattr(bpy.types, name, None)
    return getattr(found, "bl_rna", None)


def lineage(kind: Kind) -> Iterator[str]:
    """The name of a type, and of those that it is made from."""
    yield kind.name
    struct = kind.struct
    while struct is not None:
        if struct.identifier != kind.name:
            yield struct.identifier
        struct = struct.base


def kind_of(value: Any) -> Kind | None:
    """What a value is; None for what is not Blender's."""
    cls = cast("type[Any]", type(value))
    if isinstance(value, types.ModuleType):
        return Kind("module", value=value)
    if cls is type:
        return next((Kind(name) for name in MATHS if value is getattr(mathutils, name)), None)
    try:
        if bpy.types.bpy_struct in cls.__mro__:
            struct = bpy.types.bpy_struct.__getattribute__(value, "bl_rna")
            return Kind(struct.identifier, struct=struct, value=value)
        if cls is bpy.types.bpy_prop_collection:
            struct = getattr(value, "bl_rna", None)
            return Kind(struct.identifier if struct else cls.__name__, struct=struct, value=value)
    except (AttributeError, ReferenceError):  # it was removed from the file
        return None
    return Kind(cls.__name__, value=value) if cls.__module__ in ("mathutils", "bmesh.types") else None


def given_by(owner: Kind, name: str, argument: Any) -> Kind | None:
    """What a method gives; a new node is of the type that is asked for with `argument`."""
    if owner.name in MATHS:
        return Kind(owner.name) if name in _SAME else _method(owner.name, name)
    if owner.name == "Nodes" and name == "new" and isinstance(argument, str):
        return Kind(argument, struct_named(argument)) if struct_named(argument) else None
    function = owner.struct.functions.get(name) if owner.struct is not None else None
    given = [p for p in function.parameters if p.is_output] if function is not None else []
    return kind_of_property(given[0]) if len(given) == 1 else None


def _method(owner: str, name: str) -> Kind | None:
    return Kind(_METHODS[owner, name]) if (owner, name) in _METHODS else None


def kind_of_property(prop: Any, value: Any = None) -> Kind | None:
    """What a property leads to, or is; `value` is the thing itself, where it is at hand."""
    if prop.type == "POINTER":
        live = kind_of(value)
        return live or Kind(prop.fixed_type.identifier, prop.fixed_type)
    if prop.type == "COLLECTION":
        name = prop.srna.identifier if prop.srna else f"[{prop.fixed_type.identifier}]"
        return Kind(name, struct=prop.srna, items=prop.fixed_type, value=value)
    if prop.type != "FLOAT" or not prop.is_array:
        return None
    by_subtype = {"MATRIX": "Matrix", "EULER": "Euler", "QUATERNION": "Quaternion", "COLOR": "Color"}
    plain = "Vector" if prop.array_length in (2, 3) else ""
    name = by_subtype.get(prop.subtype, plain)
    return Kind(name) if name else None
