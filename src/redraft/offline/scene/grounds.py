"""What things stand on, and what is seen behind them: open land, the sea, the moon, a room, a studio's backdrop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from redraft.offline.scene.colours import shade
from redraft.offline.scene.pen import Pen, number, vector
from redraft.offline.scene.setting import Setting

__all__ = ["Site", "ground_lines"]

SWEEPS = ("#cfdcd9", "#e6d6c4", "#d3d6e6", "#dfe2cc", "#e8d3d3", "#c9d8e6")
"""Backdrops of the studio; the one that differs most from the things is taken."""
HILLS = ((-5.2, 8.5, 4.2, 1.0), (1.2, 10.5, 5.5, 0.85), (6.5, 8.8, 3.8, 1.15))
"""x, y, width and height, in distances of the camera."""
CRATERS = ((-0.55, 0.75, 0.16), (0.6, 1.1, 0.26), (-0.2, 1.9, 0.36), (1.3, 2.3, 0.4), (-1.6, 2.0, 0.3))


@dataclass(frozen=True)
class Site:
    """Where the things are: the setting, their front and back, the camera's distance, and their colours."""

    where: Setting
    depth: tuple[float, float]
    away: float
    colours: tuple[str, ...]

    def far(self, share: float) -> str:
        """A length in distances of the camera, as it is written."""
        return number(round(share * self.away, 2))


def ground_lines(site: Site, pen: Pen) -> list[str]:
    """The lines that make it; none in empty space."""
    return _GROUNDS.get(site.where.ground, _land)(site, pen)


def _land(site: Site, pen: Pen) -> list[str]:
    """Open land to the horizon, with hills far off; the sea behind it at a beach."""
    pen.need("plain")
    entry, kind = site.where.grounds, site.where.ground
    look = str(entry["look"])
    lines = [
        _soil("soil", kind.capitalize(), str(entry["colour"]), site, pen, water=look == "water"),
        _hazed("soil", site, pen, 3),
        f'ground = plain("{"Moon" if kind == "moon" else "Ground"}", {site.far(120)}, soil)',
    ]
    if kind in {"moon", "mars"}:
        return lines + _craters(site, pen)
    if entry.get("sea"):
        return lines + _sea(site, pen)
    return lines if kind == "sea" else lines + _hills(str(entry["far"]), site, pen)


def _soil(variable: str, name: str, colour: str, site: Site, pen: Pen, *, water: bool = False) -> str:
    pen.need("grain")
    scale = number(round(24 / site.away, 3))
    rest = "stretch=(1, 2.5, 1), bump=0.35, roughness=0.12" if water else "bump=0.4, roughness=0.95"
    return f'{variable} = grain("{name}", "{colour}", "{shade(colour, -0.22)}", {scale}, {rest})'


def _hazed(variable: str, site: Site, pen: Pen, start: float) -> str:
    pen.need("haze")
    return f'haze({variable}, "{site.where.lights["sky"][1]}", {site.far(start)}, {site.far(28)})'


def _sea(site: Site, pen: Pen) -> list[str]:
    pen.need("box")
    shore = site.depth[1] + 0.25 * site.away
    size = f"({site.far(120)}, {site.far(58)}, 0.02)"
    return [
        _soil("sea", "Water", "#2f86a8", site, pen, water=True),
        _hazed("sea", site, pen, 4),
        f'box(ground, "sea", {size}, sea, at=(0, {number(round(shore + 29 * site.away, 2))}, 0))',
    ]


def _hills(colour: str, site: Site, pen: Pen) -> list[str]:
    pen.need("ball", "paint")
    lines = [f'far = paint("Far hills", "{colour}", roughness=1.0)', _hazed("far", site, pen, 4)]
    for k, (x, y, wide, tall) in enumerate(HILLS, start=1):
        radii = f"({site.far(wide)}, {site.far(1.6)}, {site.far(tall)})"
        lines.append(f'ball(ground, "hill {k}", {radii}, far, at=({site.far(x)}, {site.far(y)}, 0))')
    return lines


def _craters(site: Site, pen: Pen) -> list[str]:
    pen.need("lathe", "smooth")
    places = [(x * site.away, site.depth[1] + y * site.away, wide * site.away) for x, y, wide in CRATERS]
    return [
        "rim = smooth([(0, 0.004), (0.6, 0.01), (0.78, 0.1), (0.9, 0.15), (1.1, 0.05), (1.3, 0)])",
        "for k, (x, y, wide) in enumerate([",
        *(f"    {vector([round(v, 3) for v in place])}," for place in places),
        "], start=1):",
        '    lathe(ground, f"crater {k}", rim, soil, at=(x, y, 0), stretch=(wide, wide, wide))',
    ]


def _floor(site: Site, pen: Pen) -> list[str]:
    """A room: boards and a painted wall."""
    pen.need("plain", "box", "grain", "paint")
    back = site.depth[1] + 0.02
    colour, paint = str(site.where.grounds["colour"]), str(site.where.grounds["wall"])
    scale, wide = number(round(5 / site.away, 3)), site.far(6)
    boards = f"{scale}, stretch=(1, 9, 1), bump=0.05, roughness=0.45"
    wall, skirting = (number(round(back + shift, 4)) for shift in (0.05, -0.01))
    return [
        f'boards = grain("Floor boards", "{colour}", "{shade(colour, -0.35)}", {boards})',
        f'plaster = grain("Plaster", "{paint}", "{shade(paint, -0.06)}", 12, bump=0.03, roughness=0.95)',
        'edging = paint("Skirting", "#f1ede4", roughness=0.6)',
        f'floor = plain("Floor", {wide}, boards)',
        f'box(floor, "wall", ({wide}, 0.1, {site.far(2.5)}), plaster, at=(0, {wall}, 0))',
        f'box(floor, "skirting", ({wide}, 0.02, {site.far(0.03)}), edging, at=(0, {skirting}, 0))',
    ]


def _sweep(site: Site, pen: Pen) -> list[str]:
    """A studio's paper backdrop, in a colour that sets the things off."""
    pen.need("sweep", "paint")
    colour = max(SWEEPS, key=lambda c: (min((_apart(c, t) for t in site.colours), default=0.0), c))
    front, back = (number(round(v, 2)) for v in (site.depth[0] - 2.5 * site.away, site.depth[1] + 0.25 * site.away))
    curve = f"height={site.far(2.6)}, radius={site.far(0.6)}, material=paper"
    return [
        f'paper = paint("Backdrop paper", "{colour}", roughness=0.95)',
        f'sweep("Backdrop", {site.far(6)}, front={front}, back={back}, {curve})',
    ]


def _void(site: Site, pen: Pen) -> list[str]:
    del site, pen
    return []


def _apart(a: str, b: str) -> int:
    return sum(abs(int(a[i : i + 2], 16) - int(b[i : i + 2], 16)) for i in (1, 3, 5))


_GROUNDS: Mapping[str, Callable[[Site, Pen], list[str]]] = {"floor": _floor, "sweep": _sweep, "void": _void}
