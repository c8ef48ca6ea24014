"""Server that opens a `.blend` that a script has made, measures it, and makes pictures of it.

Its code is redraft's own; the file is not to be trusted. So nothing in the file is run, and the viewer lives in a jail.
It stays warm between jobs, as starting Blender and its drawing takes seconds; opening a file replaces all of the last.

A job names what to measure and draw; see `open_viewer`. The pictures are in the answer's bytes, as `parts` says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from redraft.sandbox.protocol import Data, Handler, serve
from redraft.studios.scene.inside.viewer.cleaning import clean_file
from redraft.studios.scene.inside.viewer.contact import bodies_of, touch_facts, touches_of
from redraft.studios.scene.inside.viewer.facts import add_plans, facts_of
from redraft.studios.scene.inside.viewer.framing import stand
from redraft.studios.scene.inside.viewer.looks import look_at
from redraft.studios.scene.inside.viewer.materials import base_colour
from redraft.studios.scene.inside.viewer.occlusion import add_sight
from redraft.studios.scene.inside.viewer.render import Grading, glb_of, scratch_file
from redraft.studios.scene.inside.viewer.rest import rests_of
from redraft.studios.scene.inside.viewer.shapes import Shape, groups_of, shapes_of, show_all
from redraft.studios.scene.inside.viewer.views import (
    camera_picture,
    exposure_of,
    fast_view,
    focused,
    placed_camera,
    workbench,
)

NEAR = 0.05
"""Meters up to which two things are looked at together."""
NEAR_SHARE = 0.02
"""That distance as a share of the size of what matters; the larger one counts."""

PREVIEW: Data = {"width": 192, "height": 144, "samples": 4, "seed": 0}
"""The picture that the exposure is read from, where none through the camera is wanted."""

Part = tuple[str, bytes]


def main() -> None:
    """Be a worker."""
    serve(open_viewer)


def open_viewer() -> Handler:
    """Set Blender up, and return what does a job.

    A job has `facts`, `views`, `view_size`, `camera`, `looks`, `look_size`, `glb`, `exposure`, `blend`, and the
    `.blend` as its blob. The answer has `facts`, `exposure`, and `parts` with name, offset, size.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = False
    bpy.context.preferences.filepaths.use_file_compression = False
    return view


@dataclass(frozen=True)
class _Open:
    """The open file."""

    scene: Any
    shapes: list[Shape]
    left_out: int
    groups: dict[str, list[Shape]]
    eye: Any
    """The scene's own camera, or None."""
    grading: Grading


def view(job: Data, blob: bytes) -> tuple[Data, bytes]:
    """Do one job.

    Raises:
        ExecutionError: a look is at what is not there. RuntimeError: the file cannot be opened or rendered.
    """
    scene, notes, removed = _open_file(blob)
    parts: list[Part] = [("blend", _saved_file())] if job.get("blend") else []
    shapes, left_out = shapes_of(scene, show_all(scene))
    eye = scene.camera if scene.camera is not None and scene.camera.type == "CAMERA" else None
    opened = _Open(scene, shapes, left_out, groups_of(shapes), eye, Grading.of(scene))
    answer: Data = {"facts": None, "exposure": None, "footprints": []}
    if job.get("facts"):
        answer["facts"] = facts = _facts(opened)
        facts["notes"], facts["removed"] = notes, removed
        answer["footprints"], triangles = add_plans(shapes, facts["things"])
        parts.append(("triangles", triangles))
    parts += _pictures(opened, job, answer)
    if job.get("glb"):
        parts.append(("glb", glb_of()))

    table: list[Data] = []
    offset = 0
    for name, content in parts:
        table.append({"name": name, "offset": offset, "size": len(content)})
        offset += len(content)
    return {**answer, "parts": table}, b"".join(content for _, content in parts)


def _open_file(blob: bytes) -> tuple[Any, list[str], list[str]]:
    """Open a file; return its scene, and in words what was repaired in it and what was removed."""
    path = scratch_file(".blend")
    try:
        with open(path, "wb") as file:  # noqa: PTH123 - a scratch file
            file.write(blob)
        bpy.ops.wm.open_mainfile(filepath=path, use_scripts=False, load_ui=False)
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file
    scene = bpy.context.scene
    base_colour.cache_clear()
    notes = [
        f"The mesh {mesh.name!r} had faces or edges with corners that do not exist, or with one corner twice; "
        "they were left out."
        for mesh in bpy.data.meshes
        if mesh.validate()  # such faces would crash what reads them
    ]
    removed = clean_file()
    scene.frame_set(scene.frame_current)
    return scene, notes, removed


def _saved_file() -> bytes:
    path = scratch_file(".blend")
    try:
        bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False, compress=True, copy=True, relative_remap=False)
        with open(path, "rb") as file:  # noqa: PTH123 - a scratch file
            return file.read()
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file


def _facts(opened: _Open) -> Data:
    facts = facts_of(opened.scene, opened.shapes, opened.left_out)
    bodies = bodies_of(opened.shapes)
    box, _ = focused(opened.groups, opened.eye)
    touches = touches_of(bodies, max(NEAR, NEAR_SHARE * float(np.linalg.norm(box[1] - box[0]))))
    facts["contacts"] = [touch_facts(touch) for touch in touches]
    facts["rests"] = rests_of(bodies, touches)
    return facts


def _pictures(opened: _Open, job: Data, answer: Data) -> Iterator[Part]:
    """Yield the pictures of a job; fill the facts that are read from pictures."""
    scene, eye = opened.scene, opened.eye
    # Through the camera first, while the scene has the script's own light and view transform
    if job.get("camera") or job.get("exposure"):
        how = job.get("camera") or PREVIEW
        width, height, samples, seed = (int(how[name]) for name in ("width", "height", "samples", "seed"))
        if eye is not None:
            png = camera_picture(scene, eye, width, height, samples, seed)
        else:
            box, _ = focused(opened.groups, None)
            with placed_camera(scene, stand("three_quarter", box, width / height)) as camera:
                png = camera_picture(scene, camera, width, height, samples, seed)
        answer["exposure"] = exposure_of(png) if job.get("exposure") else None
        if job.get("camera"):
            yield "camera", png

    if job.get("facts") and eye is not None:
        how = job.get("camera") or {"width": scene.render.resolution_x, "height": scene.render.resolution_y}
        add_sight(scene, opened.shapes, answer["facts"]["things"], int(how["width"]), int(how["height"]))

    if job.get("views"):
        workbench(scene)
    for name in job.get("views", ()):
        yield name, fast_view(scene, name, opened.groups, eye, int(job["view_size"]))
    for index, text in enumerate(job.get("looks", ())):
        width, height = (int(side) for side in job["look_size"])
        yield f"look-{index}", look_at(scene, text, opened.shapes, eye, opened.grading, (width, height))
