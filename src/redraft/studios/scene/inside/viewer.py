"""The viewer: opens a `.blend` that a script has made, says what is in it, and makes pictures of it.

Its code is redraft's own; the file is not to be trusted. So nothing in the file is run, and the viewer lives in a jail.
It stays warm between jobs, as starting Blender and its drawing takes seconds; opening a file replaces all of the last.

A job names what is wanted; see `open_viewer`. The pictures are in the answer's bytes, as `parts` says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import bpy

from redraft.errors import ExecutionError
from redraft.studios.scene.inside.measure import facts_of
from redraft.studios.scene.inside.viewer_cycles import camera_picture, exposure_of
from redraft.studios.scene.inside.viewer_frame import focus, stand
from redraft.studios.scene.inside.viewer_render import scratch_file
from redraft.studios.scene.inside.viewer_shapes import Array, Shape, joined, root_of, shapes_of, show_all
from redraft.studios.scene.inside.viewer_versions import version
from redraft.studios.scene.inside.viewer_views import fast_view, placed_camera, workbench
from redraft.worker_protocol import Data, Handler, serve

__all__ = ["main", "open_viewer", "view"]

Part = tuple[str, bytes]


def main() -> None:
    """Be a worker."""
    serve(open_viewer)


def open_viewer() -> Handler:
    """Set Blender up, and give what does jobs: `facts`, `views`, `view_size`, `camera`, `looks`, `look_size`, `glb`,
    `exposure`, and the `.blend` as the blob. The answer has `facts`, `exposure`, and `parts` with name, offset, size.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = False
    bpy.context.preferences.filepaths.use_file_compression = False
    return view


def view(job: Data, blob: bytes) -> tuple[Data, bytes]:
    """Do one job.

    Raises:
        ExecutionError: the file is no `.blend`, or cannot be rendered.
    """
    scene = _opened(blob)
    hidden = show_all(scene)
    shapes, left_out = shapes_of(scene, hidden)
    answer: Data = {"facts": facts_of(scene, shapes, left_out) if job.get("facts") else None, "exposure": None}
    parts = list(_pictures(scene, shapes, job, answer))
    return _packed(answer, parts)


def _opened(blob: bytes) -> Any:
    path = scratch_file(".blend")
    try:
        with open(path, "wb") as file:  # noqa: PTH123 - a scratch file
            file.write(blob)
        bpy.ops.wm.open_mainfile(filepath=path, use_scripts=False, load_ui=False)
    except RuntimeError as error:
        raise ExecutionError(
            f"Blender cannot open what the script saved: {error}", by=f"Blender {version()}"
        ) from error
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file
    scene = bpy.context.scene
    scene.frame_set(scene.frame_current)
    return scene


def _pictures(scene: Any, shapes: list[Shape], job: Data, answer: Data) -> Iterator[Part]:
    """Cycles first: it keeps the script's view transform, which the fast views change."""
    boxes = _boxes(shapes)
    eye = scene.camera
    if job.get("camera") or job.get("exposure"):
        png = _through_camera(
            scene, boxes, eye, job.get("camera") or {"width": 192, "height": 144, "samples": 4, "seed": 0}
        )
        answer["exposure"] = exposure_of(png) if job.get("exposure") else None
        if job.get("camera"):
            yield "camera", png
    if job.get("views"):
        workbench(scene)
    for name in job.get("views", ()):
        yield name, fast_view(scene, name, shapes, boxes, int(job["view_size"]))


def _through_camera(scene: Any, boxes: dict[str, Array], eye: Any, how: Data) -> bytes:
    width, height, samples, seed = (int(how[name]) for name in ("width", "height", "samples", "seed"))
    if eye is not None:
        return camera_picture(scene, eye, width, height, samples, seed)
    with placed_camera(scene, stand("three_quarter", focus(boxes)[0], width / height)) as camera:
        return camera_picture(scene, camera, width, height, samples, seed)


def _boxes(shapes: list[Shape]) -> dict[str, Array]:
    """Of top-level things that a render shows, each with all its parts."""
    groups: dict[str, list[Shape]] = {}
    for shape in shapes:
        if not shape.hidden and len(shape.points):
            groups.setdefault(str(root_of(shape.thing).name), []).append(shape)
    found: dict[str, Array] = {}
    for name, members in groups.items():
        box = Shape(None, points=joined(members)[0]).box
        if box is not None:
            found[name] = box
    return found


def _packed(answer: Data, parts: list[Part]) -> tuple[Data, bytes]:
    table: list[Data] = []
    offset = 0
    for name, made in parts:
        table.append({"name": name, "offset": offset, "size": len(made)})
        offset += len(made)
    return {**answer, "parts": table}, b"".join(made for _, made in parts)
