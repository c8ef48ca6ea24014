"""Blender scripts: of a placed scene, and of a backdrop in the colors of a target picture."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from redraft.offline.scene import kit
from redraft.offline.scene.placing import Plan, points_at
from redraft.offline.scene.solids import Piece, Points, Solid, bounds, pieces, settings

__all__ = ["backdrop", "script"]

SENSOR, LENS, ASPECT = 36.0, 50.0, 4 / 3
MARGIN = 0.86
"""Share of the picture that the things may take."""
WIDE = 10.0
"""Width of a backdrop, in meters."""

_HEAD = """
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import bpy"""
_CLEAR = """\
scene = bpy.context.scene
for old in list(bpy.data.objects):
    bpy.data.objects.remove(old)
scene.view_settings.view_transform = "Standard\""""
_BACKDROP = '''\
WIDTH, HEIGHT = {size}
# Mean colors of the target, rows from the top
COLORS = """
{rows}
"""
rows = [[rgb("#" + code) for code in line.split()] for line in COLORS.strip().splitlines()]
wide, high = WIDTH / len(rows[0]), HEIGHT / len(rows)
corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
points = [
    ((x + i) * wide - WIDTH / 2, 0, HEIGHT - (y + 1 - j) * high)
    for y, row in enumerate(rows) for x in range(len(row)) for i, j in corners
]
mesh = bpy.data.meshes.new("Backdrop")
mesh.from_pydata(points, [], [range(k, k + 4) for k in range(0, len(points), 4)])
shades = mesh.color_attributes.new("Paint", "FLOAT_COLOR", "POINT")
shades.data.foreach_set("color", [v for row in rows for code in row for _ in corners for v in code])
add("Backdrop", mesh, (0, 0, 0))

# It shines in its own colors, so that no light changes them
material = paint("#808080")
nodes, links = material.node_tree.nodes, material.node_tree.links
nodes.clear()
source, shine, output = (nodes.new("ShaderNode" + kind) for kind in ("VertexColor", "Emission", "OutputMaterial"))
source.layer_name = "Paint"
links.new(source.outputs["Color"], shine.inputs["Color"])
links.new(shine.outputs["Emission"], output.inputs["Surface"])
mesh.materials.append(material)
camera((0, -10, HEIGHT / 2), (0, 0, HEIGHT / 2))
scene.camera.data.type, scene.camera.data.ortho_scale = "ORTHO", max(WIDTH, HEIGHT)
'''


def script(title: str, header: Mapping[str, object], plan: Plan) -> str:
    """The script of a placed scene; `header` is kept in it as a comment."""
    solids: list[Solid] = []
    names: list[str] = []
    for solid in (one.solid for one in plan.things if one.solid not in solids):
        name = "make_" + (re.sub(r"\W+", "_", solid.name, flags=re.ASCII).strip("_").lower() or "thing")
        solids.append(solid)
        names.append(f"{name}_{len(names)}" if name in names else name)
    calls: list[str] = []
    for one in plan.things:
        name = json.dumps(one.name, ensure_ascii=False)
        turn = f", turn={_number(one.turn)}" if one.turn else ""
        size = f", size={_number(one.size)}" if abs(one.size - 1) > 1e-6 else ""
        calls.append(f"{names[solids.index(one.solid)]}({name}, {_vector(one.at)}{turn}{size})")
    return _whole(title, header, [*map(_maker, names, solids), "# Things\n" + "\n".join(calls), _stage(plan)])


def backdrop(grid: Sequence[Sequence[str]], aspect: float) -> str:
    """The script of a backdrop in a grid of mean colors; `aspect` is the picture's width over its height."""
    rows = "\n".join(" ".join(code.lstrip("#") for code in row) for row in grid)
    size = f"{WIDE:g}, {WIDE / aspect:.4f}"
    body = _BACKDROP.replace("{size}", size).replace("{rows}", rows)
    return _whole("A backdrop in the colors of the target, seen straight on", {"target": True}, [body])


def _whole(title: str, header: Mapping[str, object], blocks: Sequence[str]) -> str:
    said = " ".join(title.split()).replace("\\", "").replace('"', "'")[:300].rstrip(".")
    first = f'"""{said[:1].upper()}{said[1:]}."""\n# scene: {json.dumps(header, ensure_ascii=True)}\n'
    source = inspect.getsource(kit)
    helpers = source[source.index("\nRow = ") :].strip()
    return "\n\n\n".join([first + _HEAD, helpers, _CLEAR, *(block.rstrip() for block in blocks)]) + "\n"


def _maker(name: str, solid: Solid) -> str:
    """The function that makes one solid, a line for each piece."""
    x0, y0, z0, x1, y1, z1 = bounds(solid.points)
    size = " x ".join(f"{v:.2f}" for v in (x1 - x0, y1 - y0, z1 - z0))
    title = re.sub(r'[\\"]', "", solid.name).capitalize()
    lines = [f"def {name}(name, at, turn=0.0, size=1.0):", f'    """{title}, {size} m."""']
    lines += ["    root = thing(name, at, turn, size)", *(f"    {_piece(piece)}" for piece in pieces(solid))]
    return "\n".join(lines)


def _piece(piece: Piece) -> str:
    if piece.shape == "text":
        words, size = piece.arguments
        return f"letters(root, {piece.name!r}, {json.dumps(words)}, {size}, {piece.color!r}, {_vector(piece.at)})"
    first, *rest = (_written(argument) for argument in piece.arguments)
    if piece.curved:
        first = f"smooth({first}{', closed=True' if piece.shape == 'prism' else ''})"
    call = f"part(root, {piece.name!r}, {piece.shape}({', '.join([first, *rest])}), {piece.color!r}, {piece.look!r}"
    call += f", at={_vector(piece.at)}" if any(piece.at) else ""
    call += f", turn={_vector(piece.turn)}" if any(piece.turn) else ""
    return call + (f", bevel={_number(piece.bevel)})" if piece.bevel else ")")


def _written(value: Any) -> str:
    """A number, or points."""
    return f"[{', '.join(map(_vector, cast('Points', value)))}]" if isinstance(value, tuple) else _number(value)


def _number(value: float) -> str:
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _vector(values: Iterable[float]) -> str:
    return f"({', '.join(_number(v) for v in values)})"


def _stage(plan: Plan) -> str:
    """Ground, light and camera."""
    points = np.concatenate([points_at(one) for one in plan.things] or [np.array([[-1.0, -1, 0], [1, 1, 1]])])
    width, _, height = np.ptp(points, axis=0)
    steep = 20.0 if plan.ground in {"studio", "floor"} else 11.0
    at, target = _framed(points, max(5.0, steep - 7.0 * max(0.0, float(height / max(width, 1e-6)) - 0.8)))
    away = float(np.linalg.norm(at - target))
    ground, light = settings()["grounds"][plan.ground], settings()["lights"][plan.light]
    tilt, side = math.radians(light["height"]), math.radians(light["side"])
    sun = target + np.array([math.sin(side) * math.cos(tilt), -math.cos(side) * math.cos(tilt), math.sin(tilt)]) * away
    fill = target + np.array([-0.75 * math.copysign(1.0, side), -0.55, 0.45]) * away
    lines = [
        "# Ground, light and camera",
        f'ground("{ground["color"]}", "{ground["look"]}")',
        f'sky("{light["sky"]}", {light["strength"]})',
        _lamp("Sun", "SUN", light["sun"], light["energy"], (sun, target), 4.0),
        _lamp("Fill", "AREA", light["sky"], 4.0 * away * away, (fill, target), 0.6 * away),
        f"camera({_vector(at.round(3))}, {_vector(target.round(3))})",
        "scene.render.resolution_x, scene.render.resolution_y = 1024, 768",
    ]
    return "\n".join(lines)


def _lamp(name: str, kind: str, color: str, energy: float, line: tuple[Points, Points], size: float) -> str:
    at, toward = (_vector(point.round(3)) for point in line)
    return f'lamp("{name}", "{kind}", "{color}", {energy:.2f}, {at}, {toward}, {size:.2f})'


def _framed(points: Points, elevation: float) -> tuple[Points, Points]:
    """Place and aim of a camera that looks along +y, down by `elevation` degrees, and sees all points."""
    tilt = math.radians(elevation)
    ahead = np.array([0.0, math.cos(tilt), -math.sin(tilt)])
    up = np.array([0.0, math.sin(tilt), math.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    wide = MARGIN * SENSOR / 2 / LENS
    high = wide / ASPECT
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    away = 1.0
    for _ in range(12):
        rest = points - target
        u, v, w = rest @ right, rest @ up, rest @ ahead
        away = float(max((np.abs(u) / wide - w).max(), (np.abs(v) / high - w).max()))
        across, along = u / (away + w), v / (away + w)
        target = target + right * (across.min() + across.max()) / 2 * away + up * (along.min() + along.max()) / 2 * away
    return target - ahead * away, target
