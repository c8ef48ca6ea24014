"""What is done with a scene after its script: it is left in object mode, made whole, and written to a file."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

__all__ = ["Handlers", "handlers_now", "save"]

Handlers = dict[str, list[Any]]


def handlers_now() -> Handlers:
    """The functions that Blender calls by itself, by occasion."""
    import bpy

    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return {name: [*cast("list[Any]", functions)] for name, functions in lists.items() if isinstance(functions, list)}


def save(path: Path, kept: Handlers) -> list[str]:
    """Write the scene to a `.blend` that needs no other file; what could not be taken along, in words.

    Args:
        kept: the handlers that stay; those of the script would run while its file is written, and end with it.

    Raises:
        RuntimeError: Blender could not write it, in its words.
    """
    import bpy

    _without_others(kept)
    _to_object_mode()
    notes = _pack()
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, compress=True)
    return notes


def _without_others(kept: Handlers) -> None:
    import bpy

    for name, functions in kept.items():
        there = getattr(bpy.app.handlers, name)
        there[:] = [each for each in there if each in functions]


def _to_object_mode() -> None:
    import bpy

    layer = bpy.context.view_layer
    layer.update()  # what was just removed is still in its list, as nothing
    for thing in [each for each in layer.objects if each.mode != "OBJECT"]:
        with suppress(RuntimeError):  # a hidden one cannot be left; saving takes its edited state all the same
            layer.objects.active = thing
            bpy.ops.object.mode_set(mode="OBJECT")


def _pack() -> list[str]:
    """Take pictures and fonts into the file: those that a script drew are nowhere else."""
    import bpy

    pictures = [
        each
        for each in bpy.data.images
        if each.packed_file is None and (each.is_dirty or (each.source == "FILE" and each.filepath))
    ]
    fonts = [each for each in bpy.data.fonts if each.packed_file is None and each.filepath != "<builtin>"]
    return [*_packed("picture", pictures), *_packed("font", fonts)]


def _packed(kind: str, parts: Iterable[Any]) -> list[str]:
    notes: list[str] = []
    for part in parts:
        try:
            part.pack()
        except RuntimeError as error:
            words = " ".join(str(error).split()).removeprefix("Error: ")
            notes.append(f"The {kind} {part.name!r} is not in the scene: {words}")
    return notes
