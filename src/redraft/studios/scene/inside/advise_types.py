"""What kind of thing an expression of a script is, told without running any of it.

Names have the values that they had when the script failed; attributes, keys and calls are looked up in Blender's own
description of its types (RNA). Only properties that lead to other things of Blender's are read, by Blender's own code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import bmesh
import bpy

from redraft.studios.scene.inside.advise_kinds import MATHS, Kind, given_by, kind_of, kind_of_property, struct_named
from redraft.studios.scene.inside.advise_place import Place

__all__ = ["Reader"]

DEEPEST = 12
"""Steps from one expression to another."""
MOST_ASSIGNMENTS = 12
_MEMBERS = {
    "object": "Object", "active_object": "Object", "edit_object": "Object", "active_bone": "Bone",
    "active_pose_bone": "PoseBone", "material": "Material",
}  # fmt: skip
"""Members of the context that its description leaves out, with what they are."""
_MEMBER_LISTS = frozenset(
    ("selected_objects", "visible_objects", "editable_objects", "selectable_objects", "selected_editable_objects")
)


class Reader:
    """Tells what the expressions of one script are."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._names = place.names
        self._globals = place.global_names
        self._known: dict[ast.AST, Kind | None] = {}
        self._assigned = self._assignments()

    def kind(self, node: ast.AST, depth: int = 0) -> Kind | None:
        """What an expression is; None where that cannot be told."""
        if node in self._known:
            return self._known[node]
        if depth > DEEPEST:
            return None
        self._known[node] = None  # what leads back to itself is unknown
        found = self._read(node, depth + 1)
        self._known[node] = found
        return found

    def _read(self, node: ast.AST, depth: int) -> Kind | None:
        if isinstance(node, ast.Name):
            return self._name(node, depth)
        if isinstance(node, ast.Attribute):
            return self._attribute(self.kind(node.value, depth), node.attr)
        if isinstance(node, ast.Subscript):
            return self._member(self.kind(node.value, depth), _constant(node.slice))
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        if isinstance(node, ast.BinOp):
            return self._computed(self.kind(node.left, depth), self.kind(node.right, depth))
        return None

    # Names

    def _name(self, node: ast.Name, depth: int) -> Kind | None:
        scope = self.place.scope_of(node)
        own = self._assigned.get((scope, node.id))
        here = scope is self.place.scope
        if here and node.id in self._names:
            live = kind_of(self._names[node.id])
            # A collection does not say what it holds; where it came from does.
            if live is not None and type(live.value) is not bpy.types.bpy_prop_collection:
                return live
            return self._agreed(own, depth) or live
        if own:
            return self._agreed(own, depth)
        return kind_of(self._globals[node.id]) if node.id in self._globals and not here else None

    def _agreed(self, values: list[tuple[ast.AST, bool]] | None, depth: int) -> Kind | None:
        """What all that was assigned to a name is, where that is one thing."""
        if not values or len(values) > MOST_ASSIGNMENTS:
            return None
        found: list[Kind] = []
        for node, each in values:
            kind = self.kind(node, depth)
            if kind is not None and each:
                kind = self._member(kind, None)
            if kind is not None:
                found.append(kind)
        return found[0] if found and len({kind.name for kind in found}) == 1 else None

    def _assignments(self) -> dict[tuple[ast.AST, str], list[tuple[ast.AST, bool]]]:
        """Scope and name → expressions that it was set to, and whether it is each of what they hold."""
        found: dict[tuple[ast.AST, str], list[tuple[ast.AST, bool]]] = {}
        functions: dict[str, ast.FunctionDef] = {}

        def add(node: ast.AST, scope: ast.AST, value: ast.AST, each: bool = False) -> None:
            if isinstance(node, ast.Name):
                found.setdefault((scope, node.id), []).append((value, each))

        for node in self.place.nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    add(target, self.place.scope_of(node), node.value)
            elif isinstance(node, (ast.For, ast.comprehension)):
                add(node.target, self.place.scope_of(node), node.iter, each=True)
            elif isinstance(node, ast.FunctionDef):
                functions[node.name] = node
        for call in self.place.of_kind(ast.Call):
            function = functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
            if function is not None:
                for name, value in _given(function, call):
                    found.setdefault((function, name), []).append((value, False))
        return found

    # Attributes, members, calls

    def _attribute(self, owner: Kind | None, name: str) -> Kind | None:
        if owner is None:
            return None
        if owner.name == "module":
            return self._of_module(owner.value, name)
        prop = owner.struct.properties.get(name) if owner.struct is not None else None
        value = None
        if owner.value is not None and (prop is None or prop.type in ("POINTER", "COLLECTION")):
            value = _safely(owner.value, name) if owner.struct is not None else None
        if prop is not None:
            return kind_of_property(prop, value)
        if owner.name == "Context":
            if name in _MEMBER_LISTS:
                return Kind(f"[{name}]", items=struct_named("Object"))
            return kind_of(value) or (Kind(_MEMBERS[name], struct_named(_MEMBERS[name])) if name in _MEMBERS else None)
        return Kind("Vector") if (owner.name, name) in (("BMVert", "co"), ("BMVert", "normal")) else None

    def _of_module(self, module: Any, name: str) -> Kind | None:
        if module in (bpy, bmesh):
            return kind_of(getattr(module, name, None))
        if getattr(module, "__name__", "") == "mathutils":
            return Kind(name) if name in MATHS else None
        return None

    def _member(self, owner: Kind | None, key: Any) -> Kind | None:
        if owner is None:
            return None
        if type(owner.value) is bpy.types.bpy_prop_collection and isinstance(key, (str, int)):
            live = _held(owner.value, key)
            if live is not None:
                return kind_of(live)
        if owner.name == "Nodes" and isinstance(key, str):
            return self._node_labelled(key)
        return None if owner.items is None else Kind(owner.items.identifier, owner.items)

    def _node_labelled(self, label: str) -> Kind | None:
        """A node by its first name, which is that of its type."""
        for name in dir(bpy.types):
            if "Node" in name and (struct := struct_named(name)) is not None and struct.name == label:
                return Kind(name, struct)
        return None

    def _call(self, node: ast.Call, depth: int) -> Kind | None:
        if not isinstance(node.func, ast.Attribute):
            found = self.kind(node.func, depth)
            return found if found is not None and found.name in MATHS else None
        owner, name = self.kind(node.func.value, depth), node.func.attr
        if owner is None:
            return None
        if owner.name == "module":
            return self._attribute(owner, name)
        argument = next((_constant(a) for a in (*node.args, *(k.value for k in node.keywords))), None)
        return self._member(owner, argument) if name == "get" else given_by(owner, name, argument)

    def _computed(self, left: Kind | None, right: Kind | None) -> Kind | None:
        """What a sum or product is: a matrix makes vectors of vectors."""
        names = [kind.name for kind in (left, right) if kind is not None and kind.name in MATHS]
        if not names:
            return None
        return Kind("Vector" if "Vector" in names else names[0])


def _safely(owner: Any, name: str) -> Any:
    """What one of Blender's things leads to, by Blender's own code."""
    try:
        return bpy.types.bpy_struct.__getattribute__(owner, name)
    except (AttributeError, ReferenceError, TypeError):
        return getattr(owner, name, None) if type(owner) is type(bpy.context) else None


def _held(collection: Any, key: str | int) -> Any:
    try:
        return collection[key]
    except (KeyError, IndexError, ReferenceError, TypeError):
        return None


def _constant(node: ast.AST) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def _given(function: ast.FunctionDef, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The arguments of a call by the names that the function has for them."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    yield from zip(names, call.args, strict=False)
    yield from ((k.arg, k.value) for k in call.keywords if k.arg in names)
