"""Places a received file: appends a `.blend`, or imports a `.glb`, into a new collection of the open scene.

Nothing of the file runs: text blocks and drivers in Python are removed before Blender evaluates what was loaded.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy

from .listener import RefusedError

MAX_LISTED = 200
"""Names of objects in an answer."""


def place(path: Path, kind: str, name: str) -> dict[str, Any]:
    """Place a file as one step of undo; return the answer.

    Raises:
        RefusedError: it is not placed, and what was open is as it was.
    """
    window = _window()
    scene = window.scene if window else bpy.context.scene
    active = (window.view_layer if window else bpy.context.view_layer).objects.active
    if active is not None and active.mode != "OBJECT":
        raise RefusedError(409, f"{active.name} is being edited in Blender. Change to Object Mode, and send again.")
    before = _blocks()
    try:
        collection = bpy.data.collections.new(name)
        left_out = (_append if kind == "blend" else _import)(path, collection, before)
        scene.collection.children.link(collection)
    except Exception:
        bpy.data.batch_remove(_blocks() - before)
        raise
    if window:
        _call(bpy.ops.ed.undo_push, message=f"redraft: {collection.name}")
    objects = sorted(each.name for each in collection.all_objects)
    return {
        "collection": collection.name,
        "objects": objects[:MAX_LISTED],
        "count": len(objects),
        "how": "append" if kind == "blend" else "import",
        "blender": ".".join(map(str, bpy.app.version)),
        "left_out": left_out[:MAX_LISTED],
    }


def _append(path: Path, collection: Any, before: set[Any]) -> list[str]:
    """Append all of a file's first scene; return what was left out. Raises `RefusedError`."""
    try:
        with bpy.data.libraries.load(str(path), link=False) as (source, target):
            _refuse_newer(getattr(source, "version", (0, 0)))  # where it is known before anything is loaded
            target.scenes = source.scenes[:1]
    except OSError as error:
        raise RefusedError(409, f"Blender {bpy.app.version_string} cannot read this .blend.", send="glb") from error
    new = _blocks() - before
    left_out = _without_code(new)
    libraries = [each for each in new if isinstance(each, bpy.types.Library)]
    for library in libraries:
        _refuse_newer(library.version)
    if len(libraries) > 1 or any(each.library for each in new - set(libraries)):
        raise RefusedError(422, "The .blend links to other files. Make its data local, and send again.")
    for scene in target.scenes:
        for child in scene.collection.children:
            collection.children.link(child)
        for each in scene.collection.objects:
            collection.objects.link(each)
        bpy.data.scenes.remove(scene)
    bpy.data.batch_remove(libraries)
    while unused := [each for each in _blocks() - before if not each.users and each != collection]:
        bpy.data.batch_remove(unused)
    return left_out


def _refuse_newer(version: tuple[int, ...]) -> None:
    if tuple(version[:2]) > bpy.app.version[:2]:
        newer = f"Blender {version[0]}.{version[1]}"
        raise RefusedError(409, f"Blender {bpy.app.version_string} does not read a .blend of {newer}.", send="glb")


def _without_code(new: set[Any]) -> list[str]:
    """Remove text blocks and drivers that run Python from what was loaded; return what was removed."""
    texts = [each for each in new if isinstance(each, bpy.types.Text)]
    removed = [f"text block {each.name}" for each in texts]
    for block in [each for each in new - set(texts) if not each.library]:
        for owner in (block, getattr(block, "node_tree", None)):
            animation: Any = getattr(owner, "animation_data", None)
            for curve in list(animation.drivers) if animation else ():
                if curve.driver.type == "SCRIPTED" and not curve.driver.is_simple_expression:
                    removed.append(f"driver of {block.name} ({curve.data_path})")
                    animation.drivers.remove(curve)
    new.difference_update(texts)
    bpy.data.batch_remove(texts)
    return sorted(removed)


def _import(path: Path, collection: Any, before: set[Any]) -> list[str]:
    """Import a `.glb`. Raises `RefusedError`, or `RuntimeError` from the importer."""
    # A file that is damaged, or that would have Blender read other files, is refused before the importer sees it.
    with path.open("rb") as file:
        head = file.read(20)
        try:
            length, kind = struct.unpack("<I4s", head[12:])
            described: Any = json.loads(file.read(length)) if kind == b"JSON" else None
            parts: list[Any] = [*described.get("buffers", ()), *described.get("images", ())]
            outside = [part["uri"] for part in parts if not part.get("uri", "data:").startswith("data:")]
        except (struct.error, ValueError, AttributeError, TypeError) as error:
            raise RefusedError(415, f"The .glb is damaged: {error}") from error
    if outside:
        raise RefusedError(422, f"The .glb refers to other files: {str(outside[0])[:80]!r}.")

    render = bpy.context.scene.render
    engine = render.engine
    with _numpy_bool():
        _call(bpy.ops.import_scene.gltf, filepath=str(path))
    render.engine = engine  # the importer of older versions changes some
    new = _blocks() - before
    for each in [block for block in new if isinstance(block, bpy.types.Object)]:
        homes = [home for home in each.users_collection if home not in new]
        for home in homes:
            home.objects.unlink(each)
        if homes:
            collection.objects.link(each)
    return []


@contextmanager
def _numpy_bool() -> Generator[None]:
    """Let the importer of Blender 3.4 run with the NumPy of Debian 12, which no longer has this name."""
    names: Any = vars(numpy)
    lacks = "bool" not in names
    names.setdefault("bool", bool)
    try:
        yield
    finally:
        if lacks:
            del names["bool"]


def _blocks() -> set[Any]:
    """Return every data-block of the open file."""
    return set(bpy.data.user_map())


def _window() -> Any:
    """Return Blender's first window; None where it has none."""
    return next(iter(bpy.context.window_manager.windows), None)


def _call(operator: Any, **arguments: Any) -> None:
    """Call an operator as from the first window, which a timer does not have by itself."""
    window = _window()
    if window is None:
        operator(**arguments)
    elif hasattr(bpy.context, "temp_override"):
        with bpy.context.temp_override(window=window):
            operator(**arguments)
    else:  # before Blender 3.2
        operator({**bpy.context.copy(), "window": window, "screen": window.screen}, **arguments)
