"""One picture of the open scene, and its `.glb`; and settings that differ between Blender 3.4 and 5.x."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from redraft.errors import ExecutionError, MissingPartError
from redraft.studios.scene.inside.viewer.raster import Array


def version() -> str:
    """Return Blender's version: `5.0.1`."""
    return ".".join(map(str, bpy.app.version))


def has_denoiser() -> bool:
    """Whether it was built with one, as Debian's Blender 3.4 is not."""
    import _cycles  # there is one only when bpy was imported before it

    return _cycles.with_openimagedenoise


def set_if_there(data: Any, **values: Any) -> None:
    """Set attributes that not every version has."""
    for name, value in values.items():
        if hasattr(data, name):
            setattr(data, name, value)


def no_after_effects(scene: Any) -> None:
    """Switch off what works on a finished picture: compositor, sequencer, borders, stamps."""
    render = scene.render
    set_if_there(render, use_compositing=False, use_sequencer=False, use_border=False, use_crop_to_border=False)
    set_if_there(render, use_stamp=False, use_multiview=False, use_freestyle=False, use_overwrite=True)
    set_if_there(render, use_persistent_data=False, use_file_extension=False, use_placeholder=False, use_simplify=False)
    for name in [name for name in dir(render) if name.startswith("use_stamp_") and name != "use_stamp_labels"]:
        if isinstance(getattr(render, name), bool):
            setattr(render, name, False)


def scratch_file(suffix: str) -> str:
    """Return a path in the scratch folder that nothing else has."""
    handle, path = tempfile.mkstemp(suffix=suffix, prefix="redraft-")
    os.close(handle)
    return path


@dataclass(frozen=True)
class Grading:
    """The world of a script and how it wants light to become color, kept while redraft looks in its own way."""

    world: Any
    display: str
    transform: str
    look: str
    exposure: float
    gamma: float
    curves: bool
    balance: bool
    """Whether its curves, and from Blender 4.3 on its white balance, are applied."""

    @classmethod
    def of(cls, scene: Any) -> Grading:
        view = scene.view_settings
        display = scene.display_settings.display_device
        balance = getattr(view, "use_white_balance", False)
        light = (view.view_transform, view.look, view.exposure, view.gamma, view.use_curve_mapping, balance)
        return cls(scene.world, display, *light)

    def restore(self, scene: Any) -> None:
        scene.world = self.world
        scene.display_settings.display_device = self.display
        view = scene.view_settings
        view.view_transform, view.look = self.transform, self.look
        view.exposure, view.gamma = self.exposure, self.gamma
        set_if_there(view, use_curve_mapping=self.curves, use_white_balance=self.balance)


def shown_as(scene: Any, transform: str) -> None:
    """Set how light becomes color: `Standard`, `Raw`, with nothing done to it besides."""
    view = scene.view_settings
    scene.display_settings.display_device = "sRGB"
    view.view_transform = transform
    view.look = "None"
    view.exposure, view.gamma = 0.0, 1.0
    set_if_there(view, use_curve_mapping=False, use_white_balance=False)


def picture(scene: Any, camera: Any, width: int, height: int) -> bytes:
    """Render the scene with its present settings: a PNG of 8 bits a channel, without metadata.

    Raises:
        RuntimeError: Blender could not render it.
    """
    no_after_effects(scene)
    image = scene.render.image_settings
    set_if_there(image, media_type="IMAGE")
    image.file_format = "PNG"
    image.color_mode, image.color_depth, image.compression = "RGB", "8", 15
    set_if_there(image, color_management="FOLLOW_SCENE", use_preview=False)
    render = scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    render.pixel_aspect_x = render.pixel_aspect_y = 1.0
    scene.camera = camera
    path = scratch_file(".png")
    render.filepath = path
    try:
        bpy.ops.render.render(write_still=True)
        with open(path, "rb") as file:  # noqa: PTH123 - a scratch file
            png = file.read()
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file
    if not png:
        raise RuntimeError("Blender rendered no picture of the scene and gave no reason.")

    # Places, densities, dates and texts are left out: they differ between equal pictures.
    kept, place = [png[:8]], 8
    while place < len(png):
        size = int.from_bytes(png[place : place + 4], "big")
        if png[place + 4 : place + 8] in {b"IHDR", b"IDAT", b"IEND"}:
            kept.append(png[place : place + 12 + size])
        place += 12 + size
    return b"".join(kept)


def pixels_of(png: bytes) -> Array:
    """Return a PNG's numbers as they stand in it, 0 to 1, rows from the bottom: height × width × 3."""
    path = scratch_file(".png")
    try:
        with open(path, "wb") as file:  # noqa: PTH123 - a scratch file
            file.write(png)
        image = bpy.data.images.load(path)
        image.colorspace_settings.name = "Non-Color"
        width, height = image.size
        numbers = np.empty(width * height * image.channels, np.float32)
        image.pixels.foreach_get(numbers)
        bpy.data.images.remove(image)
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file
    return numbers.reshape(height, width, -1)[:, :, :3]


HEADER, CHUNK = 12, 8
"""Bytes before a `.glb`'s first part, and before the content of each part: its description, and the numbers."""
TRIANGLES = 4
INDICES = {5121: "u1", 5123: "<u2", 5125: "<u4"}
"""NumPy's names for the kinds of integers that name corners."""
EXPORT_OPTIONS: dict[str, Any] = {
    "export_format": "GLB",
    "export_apply": True,
    "export_cameras": True,
    "export_lights": True,
    "export_yup": True,
    "use_renderable": True,
    "use_active_scene": True,
    "export_animations": False,
    "export_draco_mesh_compression_enable": False,
    "export_extras": False,
}


def glb_of() -> bytes:
    """Return the whole scene as a `.glb`.

    Raises:
        MissingPartError: this Blender has no exporter. ExecutionError: the exporter failed on this scene.
    """
    if not hasattr(bpy.ops.export_scene, "gltf"):
        raise MissingPartError("This Blender has no glTF exporter. Install one that has: redraft setup blender")
    known = set(bpy.ops.export_scene.gltf.get_rna_type().properties.keys())
    path = scratch_file(".glb")
    try:
        bpy.ops.export_scene.gltf(
            filepath=path, **{name: value for name, value in EXPORT_OPTIONS.items() if name in known}
        )
        with open(path, "rb") as file:  # noqa: PTH123 - a scratch file
            return _in_order(file.read())
    except RuntimeError as error:
        lines = [line.strip() for line in str(error).splitlines() if not line.startswith("Location:")]
        message = next((line for line in reversed(lines) if line), "")  # above it stands the exporter's own traceback
        raise ExecutionError(f"Blender could not write the scene as glTF: {message}") from error
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file


def _in_order(content: bytes) -> bytes:
    """Return a `.glb` with each mesh's triangles sorted.

    Some of Blender's operators give the faces of what they make in the order of their addresses in memory, which is
    another one in each process.
    """
    glb = bytearray(content)
    length = struct.unpack_from("<I", glb, HEADER)[0]
    description = json.loads(glb[HEADER + CHUNK : HEADER + CHUNK + length])
    start = HEADER + CHUNK + length + CHUNK
    drawn = [each for mesh in description.get("meshes", ()) for each in mesh["primitives"]]
    faces = [each for each in drawn if each.get("mode", TRIANGLES) == TRIANGLES and "indices" in each]
    for number in sorted({each["indices"] for each in faces}):
        accessor = description["accessors"][number]
        view = description["bufferViews"][accessor["bufferView"]]
        place = start + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        corners = np.frombuffer(glb, INDICES[accessor["componentType"]], accessor["count"], place).reshape(-1, 3)
        corners[:] = corners[np.lexsort(corners.T[::-1])]
    return bytes(glb)
