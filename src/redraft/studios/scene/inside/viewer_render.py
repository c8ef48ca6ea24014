"""One picture of the open scene: size, camera, and the file that it comes out as."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from redraft.errors import ExecutionError
from redraft.studios.scene.inside.viewer_arrays import Array
from redraft.studios.scene.inside.viewer_versions import no_after_effects, set_if_there

__all__ = ["Grading", "picture", "pixels_of", "scratch_file", "shown_as"]


def scratch_file(suffix: str) -> str:
    """A path in the scratch folder that nothing else has."""
    handle, path = tempfile.mkstemp(suffix=suffix, prefix="redraft-")
    os.close(handle)
    return path


@dataclass(frozen=True)
class Grading:
    """The world of a script and how it wants light to become colour, kept while redraft looks in its own way."""

    world: Any
    display: str
    transform: str
    look: str
    exposure: float
    gamma: float

    @classmethod
    def of(cls, scene: Any) -> Grading:
        view = scene.view_settings
        display = scene.display_settings.display_device
        return cls(scene.world, display, view.view_transform, view.look, view.exposure, view.gamma)

    def restore(self, scene: Any) -> None:
        scene.world = self.world
        scene.display_settings.display_device = self.display
        view = scene.view_settings
        view.view_transform, view.look = self.transform, self.look
        view.exposure, view.gamma = self.exposure, self.gamma


def shown_as(scene: Any, transform: str) -> None:
    """How light becomes colour: `Standard`, `Raw`, with nothing done to it besides."""
    view = scene.view_settings
    scene.display_settings.display_device = "sRGB"
    view.view_transform = transform
    view.look = "None"
    view.exposure, view.gamma = 0.0, 1.0
    set_if_there(view, use_curve_mapping=False, use_white_balance=False)


def picture(scene: Any, camera: Any, width: int, height: int) -> bytes:
    """Render the scene with its present settings: a PNG of 8 bits a channel, without metadata.

    Raises:
        ExecutionError: Blender could not render it.
    """
    _plain_png(scene)
    render = scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    render.pixel_aspect_x = render.pixel_aspect_y = 1.0
    scene.camera = camera
    path = scratch_file(".png")
    render.filepath = path
    try:
        bpy.ops.render.render(write_still=True)
        with open(path, "rb") as file:  # noqa: PTH123 - a scratch file
            made = file.read()
    except RuntimeError as error:
        raise ExecutionError(f"Blender could not render the scene: {error}") from error
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file
    if not made:
        raise ExecutionError("Blender made no picture of the scene, and did not say why.")
    return _bare_png(made)


def _bare_png(png: bytes) -> bytes:
    """Without all that is not the picture itself: places, densities, dates, texts."""
    kept, place = [png[:8]], 8
    while place < len(png):
        size = int.from_bytes(png[place : place + 4], "big")
        if png[place + 4 : place + 8] in {b"IHDR", b"IDAT", b"IEND"}:
            kept.append(png[place : place + 12 + size])
        place += 12 + size
    return b"".join(kept)


def _plain_png(scene: Any) -> None:
    no_after_effects(scene)
    image = scene.render.image_settings
    set_if_there(image, media_type="IMAGE")
    image.file_format = "PNG"
    image.color_mode, image.color_depth, image.compression = "RGB", "8", 15
    set_if_there(image, color_management="FOLLOW_SCENE", use_preview=False)


def pixels_of(png: bytes) -> Array:
    """A PNG's numbers as they stand in it, 0 to 1, rows from the bottom: height × width × 3."""
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
