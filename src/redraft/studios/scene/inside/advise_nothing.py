"""What was expected and is not there: `None` where a thing should be."""

from __future__ import annotations

import ast

from redraft.studios.scene.inside.advise_place import Finding
from redraft.studios.scene.inside.advise_types import Reader

__all__ = ["nothing_there"]

_MAKE = {
    "world": '`scene.world` is None: `scene.world = bpy.data.worlds.new("World")` first',
    "camera": "`scene.camera` is None: make a camera and set `scene.camera = camera_object` first",
    "node_tree": "`node_tree` is None: set `use_nodes = True` first",
    "compositing_node_group": "it is None: give it `bpy.data.node_groups.new(name, 'CompositorNodeTree')` first",
    "animation_data": "`animation_data` is None: call `animation_data_create()` first",
    "action": "there is no action: insert a keyframe, or assign `bpy.data.actions.new(name)` first",
    "sequence_editor": "`sequence_editor` is None: call `scene.sequence_editor_create()` first",
    "active_material": "the object has no material: `obj.data.materials.append(material)` first",
    "rigid_body_world": "`rigid_body_world` is None: call `bpy.ops.rigidbody.world_add()` first",
    "parent": "the object has no parent",
    "data": "the object has no data: it is an empty",
    "object": "there is no active object: keep what you make in a variable (`obj = bpy.data.objects.new(name, data)`)",
}
_ACTIVE = ("active_object", "object", "edit_object", "active")


def nothing_there(reader: Reader, name: str) -> Finding:
    """Why something is None, and what makes it."""
    place = reader.place
    node = place.failing(ast.Attribute, lambda n: n.attr == name)
    if node is None:
        return Finding()
    text, value = place.text(node.value), node.value
    if isinstance(value, ast.Attribute):
        last = "object" if value.attr in _ACTIVE else value.attr
        return Finding((f"`{text}` is None here: {_MAKE[last]}" if last in _MAKE else f"`{text}` is None here",))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get":
        return Finding((f"`{text}` found nothing of that name, and gave None",))
    return Finding((f"`{text}` is None here",))
