"""Toward a target picture: its colours as one painted backdrop that an orthographic camera sees, finer with each turn.

A modest baseline: it knows the picture only as a grid of mean colours, and it paints, it does not model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["level_of", "toward"]

LEVELS = (1, 3, 6, 12)
"""Columns of the backdrop by turn; after these all that the grid has."""
WIDE = 10.0
_HEADER = re.compile(r"^# target: (\{.*\})$", re.MULTILINE)

_CODE = '''\
"""A painted backdrop in the colours of the target, seen straight on."""
# target: {header}

import bpy

scene = bpy.context.scene
for old in list(bpy.data.objects):
    bpy.data.objects.remove(old)

# Mean colours of the target, rows from the top
COLOURS = """
{rows}
"""
WIDTH, HEIGHT = {width}, {height}


def rgb(code):
    """`rrggbb` as Blender's linear colour."""
    channels = [int(code[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels] + [1.0]


def places(count, length):
    """The middles of `count` cells along a length, and its two ends."""
    return [0.0, *((k + 0.5) * length / count for k in range(count)), length]


# The backdrop: a corner in the middle of each cell, and along the edges; colours run smoothly between them
cells = [line.split() for line in COLOURS.strip().splitlines()]
cells = [cells[0], *cells, cells[-1]]
cells = [[row[0], *row, row[-1]] for row in cells]
across, down = places(len(cells[0]) - 2, WIDTH), places(len(cells) - 2, HEIGHT)
points = [(x - WIDTH / 2, 0, HEIGHT - y) for y in down for x in across]
n = len(across)
squares = [r * n + c for r in range(len(down) - 1) for c in range(n - 1)]
faces = [(k, k + n, k + n + 1, k + 1) for k in squares]
mesh = bpy.data.meshes.new("Backdrop")
mesh.from_pydata(points, [], faces)
paint = mesh.color_attributes.new("Paint", "FLOAT_COLOR", "POINT")
paint.data.foreach_set("color", [channel for row in cells for code in row for channel in rgb(code)])
backdrop = bpy.data.objects.new("Backdrop", mesh)
scene.collection.objects.link(backdrop)

# It shines in its own colours, so that no light changes them
material = bpy.data.materials.new("Painted")
if bpy.app.version < (5, 0):
    material.use_nodes = True
nodes, links = material.node_tree.nodes, material.node_tree.links
nodes.clear()
kinds = ("VertexColor", "Emission", "OutputMaterial")
colour, shine, output = (nodes.new(f"ShaderNode{kind}") for kind in kinds)
colour.layer_name = "Paint"
links.new(colour.outputs["Color"], shine.inputs["Color"])
links.new(shine.outputs["Emission"], output.inputs["Surface"])
mesh.materials.append(material)

# A camera that sees exactly the backdrop
eye = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
eye.data.type, eye.data.ortho_scale = "ORTHO", max(WIDTH, HEIGHT)
eye.location, eye.rotation_euler = (0, -10, HEIGHT / 2), (1.5707963, 0, 0)
scene.collection.objects.link(eye)
scene.camera = eye
scene.view_settings.view_transform = "Standard"
'''


def toward(grid: Sequence[Sequence[str]], level: int, aspect: float) -> tuple[str, str]:
    """What was tried, and a script; `level` counts turns from 0, `aspect` is the picture's width over its height."""
    cells = np.array([[[int(code[i : i + 2], 16) for i in (0, 2, 4)] for code in _bare(row)] for row in grid], float)
    columns = LEVELS[level] if level < len(LEVELS) else cells.shape[1]
    columns = min(columns, cells.shape[1])
    rows = min(cells.shape[0], max(2, round(1.5 * columns / aspect)) if columns < cells.shape[1] else cells.shape[0])
    small = _pooled(_pooled(cells, rows, 0), columns, 1)
    text = "\n".join(" ".join(bytes(round(float(v)) for v in cell).hex() for cell in row) for row in small)
    code = (
        _CODE.replace("{header}", json.dumps({"level": level}))
        .replace("{rows}", text)
        .replace("{width}", f"{WIDE:g}")
        .replace("{height}", f"{WIDE / aspect:.4f}")
    )
    return f"a backdrop painted in {columns} by {rows} of the target's mean colours; no shapes of its own", code


def level_of(code: str) -> int | None:
    """How far a script of this page had come; None for another's."""
    found = _HEADER.search(code)
    return None if found is None else int(json.loads(found[1])["level"])


def _bare(row: Sequence[str]) -> list[str]:
    return [code.lstrip("#") for code in row]


def _pooled(cells: NDArray[np.float64], count: int, axis: int) -> NDArray[np.float64]:
    """Means of `count` about equal shares along an axis."""
    return np.stack([share.mean(axis=axis) for share in np.array_split(cells, count, axis=axis)], axis=axis)
