"""Ground, backdrop, light and camera of a scene, as the last lines of its script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from redraft.studios.scene.offline_camera import LENS, framed
from redraft.studios.scene.offline_colours import shade
from redraft.studios.scene.offline_script import Pen, Stood, number, vector
from redraft.studios.scene.offline_setting import Setting
from redraft.studios.scene.offline_shapes import Points

__all__ = ["staged"]

SWEEPS = ("#cfdcd9", "#e6d6c4", "#d3d6e6", "#dfe2cc", "#e8d3d3", "#c9d8e6")
"""Backdrops of the studio; the one that differs most from the things is taken."""


def staged(things: Sequence[Stood], clouds: Sequence[Points], where: Setting, pen: Pen) -> str:
    """The lines, and what they need noted with the pen."""
    points = np.concatenate([*clouds]) if clouds else np.array([[-1.0, -1, 0], [1, 1, 1]])
    low, high = points.min(axis=0), points.max(axis=0)
    reach = float(np.linalg.norm(high - low))
    at, target = framed(points, _elevation(where.ground, low, high))
    away = float(np.linalg.norm(at - target))
    ground = _GROUNDS.get(where.ground, _land)(things, where, low, high, away, pen)
    blocks = [
        *(["# Ground\n" + "\n".join(ground)] if ground else []),
        "# Light\n" + "\n".join(_light(where, target, reach, away, pen)),
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
        f"camera(at={vector(at)}, toward={vector(target)}, lens={number(LENS)})",
        "scene.render.resolution_x, scene.render.resolution_y = 1024, 768",
        'scene.view_settings.view_transform = "AgX"',
        'scene.view_settings.look = "AgX - Medium High Contrast"',
    ]


def _light(where: Setting, target: Points, reach: float, away: float, pen: Pen) -> list[str]:
    pen.need("sky", "light")
    entry = where.lights
    sun = cast("dict[str, Any]", entry["sun"])
    height, side = math.radians(sun["height"]), math.radians(sun["side"])
    way = np.array([math.sin(side) * math.cos(height), -math.cos(side) * math.cos(height), math.sin(height)])
    lower, horizon, upper = entry["sky"]
    world = f'sky("{lower}", "{horizon}", "{upper}", strength={number(entry["strength"])})'
    if entry.get("stars"):
        pen.need("stars")
        world = f"stars({world})"
    fill = target + np.array([0.75, -0.55, 0.45]) * away * (1 if sun["side"] < 0 else -1) * np.array([1, 1 if sun["side"] < 0 else -1, 1 if sun["side"] < 0 else -1])
    aim = f"toward={vector(target)}"
    energy = 5.0 * away * away * (0.45 if where.light in {"night", "candle", "space"} else 1.0)
    back = target + np.array([-0.5 * math.copysign(1, -sun["side"]), 0.55, 0.8]) * away
    lines = [
        world,
        f'light("Sun", "SUN", "{sun["colour"]}", {number(sun["energy"])}, at={vector(target + way * away)}, {aim}, size={number(sun["soft"])})',
        f'light("Fill", "AREA", "{entry["fill"]}", {number(round(energy, 1))}, at={vector(fill)}, {aim}, size={number(round(0.6 * away, 2))})',
    ]
    if where.ground not in {"floor", "sweep"}:
        lines.append(
            f'light("Rim", "AREA", "{sun["colour"]}", {number(round(energy, 1))}, at={vector(back)}, {aim}, size={number(round(0.4 * away, 2))})'
        )
    return lines


def _land(things: Sequence[Stood], where: Setting, low: Points, high: Points, away: float, pen: Pen) -> list[str]:
    """Open land to the horizon, with hills far off; the sea behind it at a beach."""
    del things, low
    entry = where.grounds
    pen.need("plain", "haze", "grain")
    colour = str(entry["colour"])
    horizon = str(where.lights["sky"][1])
    scale = number(round(24 / away, 3))
    bump = {"water": 0.35, "snow": 0.25}.get(str(entry["look"]), 0.45)
    rough = ", roughness=0.12" if entry["look"] == "water" else ", roughness=0.95"
    stretch = ", stretch=(1, 2.5, 1)" if entry["look"] == "water" else ""
    lines = [
        f'soil = grain("{where.ground.capitalize()}", "{colour}", "{shade(colour, -0.22)}", {scale}{stretch}, bump={number(bump)}{rough})',
        f'haze(soil, "{horizon}", {number(round(3 * away, 2))}, {number(round(28 * away, 2))})',
        f'ground = plain("Ground", {number(round(120 * away, 1))}, soil)',
    ]
    if where.ground in {"moon", "mars"}:
        lines += _craters(away, high, pen)
    elif where.ground != "sea" and not entry.get("sea"):
        lines += _hills(str(entry["far"]), horizon, away, high, pen)
    if entry.get("sea"):
        pen.need("box")
        shore = float(high[1]) + 0.25 * away
        lines += [
            f'water = grain("Water", "#2f86a8", "#246d8c", {scale}, stretch=(1, 2.5, 1), bump=0.3, roughness=0.1)',
            f'haze(water, "{horizon}", {number(round(4 * away, 2))}, {number(round(28 * away, 2))})',
            f'box(ground, "sea", ({number(round(120 * away, 1))}, {number(round(58 * away, 1))}, 0.02), water, at=(0, {number(round(shore + 29 * away, 2))}, 0))',
        ]
    return lines


def _hills(colour: str, horizon: str, away: float, high: Points, pen: Pen) -> list[str]:
    del high
    pen.need("ball")
    lines = [f'far = paint("Far hills", "{colour}", roughness=1.0)', f'haze(far, "{horizon}", {number(round(2 * away, 2))}, {number(round(16 * away, 2))})']
    spots = ((-5.2, 8.5, 4.2, 1.0), (1.2, 10.5, 5.5, 0.85), (6.5, 8.8, 3.8, 1.15))
    for k, (x, y, wide, tall) in enumerate(spots, start=1):
        radii = vector([round(v * away, 2) for v in (wide, 1.6, tall)])
        lines.append(f'ball(ground, "hill {k}", {radii}, far, at={vector([round(x * away, 2), round(y * away, 2), 0])})')
    return lines


def _craters(away: float, high: Points, pen: Pen) -> list[str]:
    pen.need("lathe", "smooth")
    lines = ['rim = smooth([(0, 0.004), (0.6, 0.01), (0.78, 0.1), (0.9, 0.15), (1.1, 0.05), (1.3, 0)])', "for k, (x, y, wide) in enumerate([", ]
    spots = ((-0.55, 0.75, 0.16), (0.6, 1.1, 0.26), (-0.2, 1.9, 0.36), (1.3, 2.3, 0.4), (-1.6, 2.0, 0.3), (0.48, -0.22, 0.07), (-0.42, -0.3, 0.05))
    places = [(x * away, float(high[1]) + y * away if y > 0 else y * away, wide * away) for x, y, wide in spots]
    lines += [f"    {vector([round(v, 3) for v in p])}," for p in places]
    lines += ["], start=1):", '    lathe(ground, f"crater {k}", rim, soil, at=(x, y, 0), stretch=(wide, wide, wide))']
    return lines


def _floor(things: Sequence[Stood], where: Setting, low: Points, high: Points, away: float, pen: Pen) -> list[str]:
    """A room: boards and a painted wall."""
    del things
    pen.need("plain", "box", "grain", "paint")
    back = float(high[1]) + 0.02
    wall = back + (0.0 if high[2] - low[2] < 0 else 0.0)
    wide = number(round(6 * away, 2))
    colour, paint = str(where.grounds["colour"]), str(where.grounds["wall"])
    return [
        f'boards = grain("Floor boards", "{colour}", "{shade(colour, -0.35)}", {number(round(5 / away, 3))}, stretch=(1, 9, 1), bump=0.05, roughness=0.45)',
        f'plaster = grain("Plaster", "{paint}", "{shade(paint, -0.06)}", 12, bump=0.03, roughness=0.95)',
        'skirting = paint("Skirting", "#f1ede4", roughness=0.6)',
        f'floor = plain("Floor", {wide}, boards)',
        f'box(floor, "wall", ({wide}, 0.1, {number(round(2.5 * away, 2))}), plaster, at=(0, {number(round(wall + 0.05, 4))}, 0))',
        f'box(floor, "skirting", ({wide}, 0.02, {number(round(0.03 * away, 3))}), skirting, at=(0, {number(round(wall - 0.01, 4))}, 0))',
    ]


def _sweep(things: Sequence[Stood], where: Setting, low: Points, high: Points, away: float, pen: Pen) -> list[str]:
    """A studio's paper backdrop, in a colour that sets the things off."""
    pen.need("sweep", "paint")
    del where
    colour = max(SWEEPS, key=lambda c: (min((_apart(c, t.colour) for t in things), default=0.0), c))
    back = float(high[1]) + 0.25 * away
    return [
        f'paper = paint("Backdrop paper", "{colour}", roughness=0.95)',
        f'sweep("Backdrop", {number(round(6 * away, 2))}, front={number(round(float(low[1]) - 2.5 * away, 2))}, back={number(round(back, 2))}, '
        f"height={number(round(2.6 * away, 2))}, radius={number(round(0.6 * away, 2))}, material=paper)",
    ]


def _void(things: Sequence[Stood], where: Setting, low: Points, high: Points, away: float, pen: Pen) -> list[str]:
    del things, where, low, high, away, pen
    return []


def _apart(a: str, b: str) -> float:
    return float(sum(abs(int(a[i : i + 2], 16) - int(b[i : i + 2], 16)) for i in (1, 3, 5)))


_GROUNDS = {"floor": _floor, "sweep": _sweep, "void": _void}
