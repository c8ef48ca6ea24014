"""The open scene as a `.glb`, for programs that are not Blender: modifiers applied, with cameras and lights."""

from __future__ import annotations

import os
from typing import Any

import bpy

from redraft.errors import ExecutionError, MissingPartError
from redraft.studios.scene.inside.viewer_render import scratch_file

__all__ = ["glb_of"]

WANTED: dict[str, Any] = {
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
    """The whole file.

    Raises:
        MissingPartError: this Blender has no exporter. ExecutionError: the exporter failed on this scene.
    """
    if not hasattr(bpy.ops.export_scene, "gltf"):
        raise MissingPartError("This Blender has no glTF exporter. Install one that has: redraft setup blender")
    known = set(bpy.ops.export_scene.gltf.get_rna_type().properties.keys())
    path = scratch_file(".glb")
    try:
        bpy.ops.export_scene.gltf(filepath=path, **{name: value for name, value in WANTED.items() if name in known})
        with open(path, "rb") as file:  # noqa: PTH123 - a scratch file
            return file.read()
    except RuntimeError as error:
        said = str(error).strip().rpartition("\n")[2].strip()  # above it stands the exporter's own traceback
        raise ExecutionError(f"Blender could not write the scene as glTF: {said}") from error
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file
