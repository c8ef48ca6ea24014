"""Light and camera of a scene, after its ground: the last lines of its script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from redraft.offline.scene.camera import LENS, framed
from redraft.offline.scene.grounds import Site, ground_lines
from redraft.offline.scene.pen import Pen, number, vector
from redraft.offline.scene.setting import Setting
from redraft.offline.scene.shapes import Points
from redraft.offline.scene.stood import Stood

__all__ = ["staged"]

DIM = ("night", "candle", "space")
WALLED = ("floor", "sweep")
"""Grounds with something behind the things: no light comes from there."""


def staged(things: Sequence[Stood], clouds: Sequence[Points], where: Setting, pen: Pen) -> str:
    """The lines, and what they need noted with the pen."""
    points = np.concatenate([*clouds]) if clouds else np.array([[-1.0, -1, 0], [1, 1, 1]])
    low, high = points.min(axis=0), points.max(axis=0)
    at, target = framed(points, _elevation(where.ground, low, high))
    away = float(np.linalg.norm(at - target))
    site = Site(where, (float(low[1]), float(high[1])), away, tuple(t.colour for t in things))
    ground = ground_lines(site, pen)
    blocks = [
        *(["# Ground\n" + "\n".join(ground)] if ground else []),
        "# Light\n" + "\n".join(_light(where, target, away, pen)),
        "# Camera\n" + "\n".join(_camera(at, target, pen)),
    ]
    return "\n\n".join(blocks)


def _elevation(ground: str, low: Points, high: Points) -> float:
    """How steeply the camera looks down: more at small things on a table, less at towers."""
    tall = float((high[2] - low[2]) / max(high[0] - low[0], high[1] - low[1], 1e-6))
    if ground == "void":
        return 4.0
    base = {"sweep": 24.0, "floor": 22.0}.get(ground, 11.0)
    return max(5.0, base - 7.0 * max(0.0, tall - 0.8))


def _camera(at: Points, target: Points, pen: Pen) -> list[str]:
    pen.need("camera")
    return [
        f"camera(at={_place(at)}, toward={_place(target)}, lens={number(LENS)})",
        "scene.render.resolution_x, scene.render.resolution_y = 1024, 768",
        'scene.view_settings.view_transform = "AgX"',
        'scene.view_settings.look = "AgX - Medium High Contrast"',
    ]


def _light(where: Setting, target: Points, away: float, pen: Pen) -> list[str]:
    """A sky, a sun, a fill from the other side and, in the open, a light from behind."""
    pen.need("sky", "light")
    entry = where.lights
    sun = cast("dict[str, Any]", entry["sun"])
    lower, horizon, upper = entry["sky"]
    world = f'sky("{lower}", "{horizon}", "{upper}", strength={number(entry["strength"])})'
    if entry.get("stars"):
        pen.need("stars")
        world = f"stars({world})"
    height, side = math.radians(sun["height"]), math.radians(sun["side"])
    way = np.array([math.sin(side) * math.cos(height), -math.cos(side) * math.cos(height), math.sin(height)])
    across = -math.copysign(1.0, side)
    power = 5.0 * away * away * (0.7 if where.light in DIM else 1.0)
    lines = [world, _lamp("Sun", "SUN", sun["colour"], sun["energy"], target + way * away, target, sun["soft"])]
    fill = target + np.array([0.75 * across, -0.55, 0.45]) * away
    lines.append(_lamp("Fill", "AREA", entry["fill"], power, fill, target, 0.6 * away))
    if where.ground not in WALLED:
        back = target + np.array([0.5 * across, 0.55, 0.8]) * away
        lines.append(_lamp("Rim", "AREA", sun["colour"], power, back, target, 0.4 * away))
    return lines


def _lamp(name: str, kind: str, colour: str, energy: float, at: Points, toward: Points, size: float) -> str:
    places = f"at={_place(at)}, toward={_place(toward)}"
    return f'light("{name}", "{kind}", "{colour}", {number(round(energy, 2))}, {places}, size={number(round(size, 2))})'


def _place(at: Points) -> str:
    return vector([round(float(v), 3) for v in at])
