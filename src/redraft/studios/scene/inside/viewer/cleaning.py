"""Removes from the open file all that would run code, or read or write a file, in the Blender of whoever opens it.

What refers to a file is not listed by name: Blender's own description of its data (RNA) marks each property that holds
a path, so that kinds of a later Blender are covered as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import bpy

PATHS = frozenset(("FILE_PATH", "DIR_PATH", "FILE_NAME"))
"""Subtypes of properties that hold a path."""
PATH_SOCKET = "NodeSocketStringFilePath"
BUILT_IN = "<builtin>"
"""The path of the font that Blender itself contains."""
UNSAID = frozenset(("", "//", "/tmp/", BUILT_IN))  # noqa: S108 - compared, not written to
"""Paths of Blender's own that are not worth a line."""
PACKABLE = ("images", "fonts", "sounds")
UNPACKABLE = ("movieclips", "cache_files")
MAX_LISTED = 40
MAX_NAME = 120


def clean_file() -> list[str]:
    """Clean the open file, and return what is not in it any more, a sentence each; at most `MAX_LISTED` and a count.

    Data of other files becomes the file's own. Packed pictures, fonts and sounds stay.
    """
    sentences = [*_localize(), *_remove_code(), *_clean_scenes(), *_remove_file_users()]
    seen: set[tuple[int, str]] = set()
    for block in _blocks():
        sentences += _empty_paths(block, block, seen)
    removed = list(dict.fromkeys(sentences))
    more = len(removed) - MAX_LISTED
    return [*removed[:MAX_LISTED], *([f"{more:,} more parts like these are not in scene.blend."] if more > 0 else [])]


def _blocks() -> Iterator[Any]:
    """Yield every block of the file but those of windows, which are not the script's; with the trees within others."""
    for kind in bpy.data.bl_rna.properties:
        if kind.type == "COLLECTION" and kind.identifier not in ("screens", "window_managers", "workspaces"):
            for block in list(getattr(bpy.data, kind.identifier)):
                yield block
                for inner in ("node_tree", "collection"):
                    embedded: Any = getattr(block, inner, None)
                    if isinstance(embedded, bpy.types.ID) and embedded.is_embedded_data:
                        yield embedded


def _gone(what: str, reason: str) -> str:
    return f"{what} is not in scene.blend: {reason}."


def _name(value: str) -> str:
    return repr(value if len(value) <= MAX_NAME else value[: MAX_NAME - 1] + "…")


def _localize() -> Iterator[str]:
    """Copy what other files have into this one, and remove what is missing there."""
    if not bpy.data.libraries:
        return
    linked = [block for block in _blocks() if block.library is not None and not block.is_embedded_data]
    missing = [block for block in linked if getattr(block, "is_missing", False)]  # since Blender 4.3
    for block in missing:
        yield _gone(f"The linked {_name(block.name)}", f"{_name(block.library.filepath)} does not have it")
    bpy.data.batch_remove(missing)
    bpy.ops.object.make_local(type="ALL")
    for block in [block for block in linked if block not in missing and block.library is not None]:
        block.make_local()  # data that Blender 5 packs with its library, which the operator leaves as it is
    for block in [block for block in _blocks() if block.override_library is not None]:
        block.make_local(**({} if bpy.app.version < (4, 0) else {"clear_liboverride": True}))
    bpy.data.batch_remove(list(bpy.data.libraries))


def _remove_code() -> Iterator[str]:
    """Remove what runs code, and nodes, which read or write files."""
    for text in list(bpy.data.texts):
        yield _gone(f"The text block {_name(text.name)}", "it could run there")
        bpy.data.texts.remove(text)
    for camera in bpy.data.cameras:
        if camera.type == "CUSTOM":
            yield _gone(f"The shader of the camera {_name(camera.name)}", "it ran OSL")
            camera.type = "PERSP"
            camera.custom_bytecode = camera.custom_bytecode_hash = ""

    for block in _blocks():
        # What a driver has set stays as it is.
        animation: Any = getattr(block, "animation_data", None)
        for curve in list(animation.drivers) if animation else ():
            if curve.driver.type == "SCRIPTED" and not curve.driver.is_simple_expression:
                yield _gone(f"The driver of {_name(block.name)} ({curve.data_path})", "it ran Python")
                animation.drivers.remove(curve)
        # Nodes with a path of their own, or an input for one, read or write files, or run OSL.
        for node in list(block.nodes) if isinstance(block, bpy.types.NodeTree) else ():
            takes_path = any(socket.bl_rna.identifier == PATH_SOCKET for socket in node.inputs)
            if _properties(node.bl_rna)[0] or (takes_path and not hasattr(node, "node_tree")):
                yield _gone(f"The node {_name(node.name)} of {_name(block.name)}", "it could read or write files there")
                block.nodes.remove(node)


def _clean_scenes() -> Iterator[str]:
    """Remove what a scene itself has that reads files or runs code."""
    for scene in bpy.data.scenes:
        sequence = scene.sequence_editor
        if sequence is not None:
            if getattr(sequence, "strips", None) or getattr(sequence, "sequences", None):
                yield _gone(f"The video sequence of {_name(scene.name)}", "its strips could read files there")
            scene.sequence_editor_clear()
        for layer in scene.view_layers:
            freestyle = layer.freestyle_settings
            if freestyle.mode == "SCRIPT" or freestyle.modules:
                yield _gone(f"The Freestyle script of {_name(layer.name)}", "it ran Python")
                for module in list(freestyle.modules):
                    freestyle.modules.remove(module)
                freestyle.mode = "EDITOR"


def _remove_file_users() -> Iterator[str]:
    """Remove simulations and blocks that are nothing without files of their own."""
    for thing in bpy.data.objects:
        for modifier in list(thing.modifiers):  # it writes its cache to a folder whenever a frame is shown
            if modifier.type == "FLUID" and modifier.fluid_type == "DOMAIN":
                yield _gone(f"The fluid simulation of {_name(thing.name)}", "it would write files there")
                thing.modifiers.remove(modifier)
    for kind in PACKABLE:
        for block in list(getattr(bpy.data, kind)):
            if isinstance(block, bpy.types.Image):
                reads = block.source in ("FILE", "SEQUENCE", "MOVIE", "TILED")
            else:
                reads = block.filepath != BUILT_IN
            if reads and not block.packed_file:
                yield _gone(f"The {kind[:-1]} {_name(block.name)}", f"it could read {_name(block.filepath)} there")
                getattr(bpy.data, kind).remove(block)
    for kind in UNPACKABLE:
        blocks: Any = getattr(bpy.data, kind)
        if blocks:
            for block in blocks:
                yield _gone(f"{_name(block.name)}", f"it could read {_name(block.filepath)} there")
            bpy.data.batch_remove(list(blocks))


def _empty_paths(part: Any, block: Any, seen: set[tuple[int, str]]) -> Iterator[str]:
    """Empty each path in a part of a block, and in the parts of that part."""
    key = (part.as_pointer(), part.bl_rna.identifier)
    if key in seen:
        return
    seen.add(key)
    if isinstance(part, bpy.types.PointCache):
        part.use_disk_cache = part.use_external = False
    if part.bl_rna.identifier == "NodesModifierBake":
        part.use_custom_path, part.bake_target = False, "PACKED"
    names, inner = _properties(part.bl_rna)
    for name in names:
        path = getattr(part, name)
        if path and path != BUILT_IN:
            setattr(part, name, "")
            if path not in UNSAID and not getattr(block, "packed_file", None):
                what = f"The path {_name(path)} of {_name(block.name)} ({part.bl_rna.identifier})"
                yield _gone(what, "it lies elsewhere")
    for name in inner:
        value = getattr(part, name)
        for each in (value,) if value is None or isinstance(value, bpy.types.bpy_struct) else list(value):
            if each is not None:
                yield from _empty_paths(each, block, seen)


@cache
def _properties(rna: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the properties of a type that hold a path and can be set, and those whose parts may have such ones."""
    own = [each for each in rna.properties if each.type == "STRING" and each.subtype in PATHS and not each.is_readonly]
    inner = [each for each in rna.properties if _target(each) in _leading()]
    return tuple(each.identifier for each in own), tuple(each.identifier for each in inner)


def _target(kind: Any) -> str:
    """Return the name of the type that a property refers to.

    It is empty for a property of plain values, for one that refers to another block, and for what is not in a file.
    """
    if kind.type not in ("POINTER", "COLLECTION") or kind.identifier in ("rna_type", "depsgraph"):
        return ""
    rna = kind.fixed_type
    while rna is not None and rna.identifier != "ID":
        rna = rna.base
    return "" if rna is not None else kind.fixed_type.identifier


@cache
def _leading() -> frozenset[str]:
    """Return the types below which there can be a path.

    They have one, or a part of theirs does, or a type made from them does.
    """
    types = [each.bl_rna for name in dir(bpy.types) if hasattr(each := getattr(bpy.types, name), "bl_rna")]
    leading: set[str] = set()
    size = -1
    while len(leading) > size:
        size = len(leading)
        for rna in types:
            if any(each.type == "STRING" and each.subtype in PATHS for each in rna.properties) or any(
                _target(each) in leading for each in rna.properties
            ):
                leading.add(rna.identifier)
            if rna.identifier in leading and rna.base is not None:
                leading.add(rna.base.identifier)
    return frozenset(leading)
