"""The open scene as a `.glb`, for programs that are not Blender: modifiers applied, with cameras and lights."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

import bpy
import numpy as np

from redraft.errors import ExecutionError, MissingPartError
from redraft.studios.scene.inside.viewer_render import scratch_file

__all__ = ["glb_of"]

HEADER, CHUNK = 12, 8
"""Bytes before a `.glb`'s first part, and before the content of each part: its description, and the numbers."""
TRIANGLES = 4
INDICES = {5121: "u1", 5123: "<u2", 5125: "<u4"}
"""NumPy's names for the kinds of integers that name corners."""
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
            return _in_order(file.read())
    except RuntimeError as error:
        lines = [line.strip() for line in str(error).splitlines() if not line.startswith("Location:")]
        said = next((line for line in reversed(lines) if line), "")  # above it stands the exporter's own traceback
        raise ExecutionError(f"Blender could not write the scene as glTF: {said}") from error
    finally:
        os.unlink(path)  # noqa: PTH108 - a scratch file


def _in_order(content: bytes) -> bytes:
    """The same with each mesh's triangles sorted. Some of Blender's operators give the faces of what they make in the
    order of their addresses in memory, which is another one in each process."""
    made = bytearray(content)
    described = struct.unpack_from("<I", made, HEADER)[0]
    words = json.loads(made[HEADER + CHUNK : HEADER + CHUNK + described])
    start = HEADER + CHUNK + described + CHUNK
    drawn = [each for mesh in words.get("meshes", ()) for each in mesh["primitives"]]
    faces = [each for each in drawn if each.get("mode", TRIANGLES) == TRIANGLES and "indices" in each]
    for number in sorted({each["indices"] for each in faces}):
        accessor = words["accessors"][number]
        view = words["bufferViews"][accessor["bufferView"]]
        place = start + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        corners = np.frombuffer(made, INDICES[accessor["componentType"]], accessor["count"], place).reshape(-1, 3)
        corners[:] = corners[np.lexsort(corners.T[::-1])]
    return bytes(made)
