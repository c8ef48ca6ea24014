"""A function of the script for each kind of thing: a line for each of its parts, a loop where there are several."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from redraft.offline.scene.colours import colour_of, shade
from redraft.offline.scene.pen import Pen, number, vector
from redraft.offline.scene.shapes import bounds, points_of
from redraft.offline.scene.solids import Part, Solid

__all__ = ["maker", "shades"]

WIDE = 116
_BREAKS = re.compile(r", (?=\(|[a-z_]+[=,)(])")
"""Where a line may end: before a point, or before an argument with a name."""


def shades(solid: Solid) -> list[str]:
    """Which shades of its colour a thing's function takes: those of parts that have no look of their own."""
    used = {p.colour for p in solid.parts if p.look is None}
    return [key for key in ("main", "dark", "light") if key in used]


def maker(name: str, solid: Solid, pen: Pen) -> str:
    """The function that makes one thing; it takes the shades of the thing's colour, its place, turn and size."""
    pen.need("thing")
    x0, y0, z0, x1, y1, z1 = bounds(points_of(solid))
    size = " × ".join(_length(v) for v in (x1 - x0, y1 - y0, z1 - z0))
    keys = "".join(f", {key}" for key in shades(solid))
    lines = [f"def {name}(name{keys}, at, turn=0.0, size=1.0):", f'    """{_title(solid.name)}, {size}."""']
    lines.append("    root = thing(name, at, turn, size)")
    loop = ""
    for part in solid.parts:
        *header, call = _part(part, solid, pen)
        if header and header[0] != loop:
            lines.append(f"    {header[0]}")
        loop = header[0] if header else ""
        lines += _wrapped(call, "        " if header else "    ")
    return "\n".join([*lines, "    return root"])


def _wrapped(call: str, indent: str) -> list[str]:
    """A call on as many lines as it needs."""
    call = call.strip()
    lines = [indent]
    for piece in _BREAKS.split(call) if len(call) + len(indent) > WIDE else [call]:
        if len(lines[-1]) + len(piece) > WIDE and lines[-1].strip():
            lines.append(indent + "    ")
        lines[-1] += piece + ", "
    return [line.rstrip() for line in [*lines[:-1], lines[-1].removesuffix(", ")]]


def _title(name: str) -> str:
    return re.sub(r'[\\"]', "", name).capitalize()


def _length(metres: float) -> str:
    return f"{metres:.1f} m" if metres >= 1 else f"{metres * 100:.0f} cm"


def _part(part: Part, solid: Solid, pen: Pen) -> list[str]:
    """The lines that make one part, with the loop where there are several."""
    material = _material(part, solid, pen)
    x, y, z = (v / 100 for v in part.at)
    a, b, c = part.turn
    if part.mirror:
        sign = -1 if part.at[0] < 0 else 1
        flip = sign if part.shape in {"tube", "prism"} else 0
        place = f"({_signed(x, sign)}, {number(y)}, {number(z)})"
        turn = f"({number(a)}, {_signed(b, sign)}, {_signed(c, sign)})" if b or c else vector((a, 0, 0))
        call = _call(part, 'f"{side} ' + part.name + '"', material, place, turn if any(part.turn) else "", pen, flip)
        return ['for side, s in (("left", -1), ("right", 1)):', f"    {call}"]
    if part.corners is not None:
        pen.need("corners")
        w, d = (v / 100 for v in part.corners)
        call = _call(part, 'f"' + part.name + ' {k}"', material, f"(x, y, {number(z)})", _turn(part), pen)
        return [f"for k, (x, y) in enumerate(corners({number(w)}, {number(d)}), start=1):", f"    {call}"]
    if part.ring:
        pen.need("around")
        height = f", {number(z)}" if z else ""
        step = number(360 / part.ring)
        turn = f"({number(a)}, {number(b)}, {f'{number(c)} + ' if c else ''}{step} * k)"
        place = f"around({number(x)}, k, {part.ring}{height})"
        call = _call(part, 'f"' + part.name + ' {k + 1}"', material, place, turn, pen)
        return [f"for k in range({part.ring}):", f"    {call}"]
    if part.row is not None:
        count, *step = part.row
        first = [v / 100 - (count - 1) / 2 * d / 100 for v, d in zip(part.at, step, strict=True)]
        place = ", ".join(
            f"{number(f)} + {number(d / 100)} * k" if d else number(f) for f, d in zip(first, step, strict=True)
        )
        call = _call(part, 'f"' + part.name + ' {k + 1}"', material, f"({place})", _turn(part), pen)
        return [f"for k in range({count}):", f"    {call}"]
    place = vector((x, y, z)) if any(part.at) else ""
    return [_call(part, f'"{part.name}"', material, place, _turn(part), pen)]


def _signed(value: float, sign: int) -> str:
    return f"s * {number(value * sign)}" if value else "0"


def _turn(part: Part) -> str:
    return vector(part.turn) if any(part.turn) else ""


def _material(part: Part, solid: Solid, pen: Pen) -> str:
    look = part.look or solid.look
    if part.colour in {"main", "dark", "light"} and part.look is None:
        return part.colour
    base = colour_of(solid.colour) or "#808080"
    shades = {"main": base, "dark": shade(base, -0.3), "light": shade(base, 0.4)}
    return pen.material(look, shades.get(part.colour) or colour_of(part.colour) or base)


def _call(part: Part, name: str, material: str, at: str, turn: str, pen: Pen, flip: int = 0) -> str:
    """One helper's call. `flip`: the points are mirrored by the loop's `s`."""
    shape = {"turned": "lathe", "cone": "cylinder"}.get(part.shape, part.shape)
    pen.need(shape)
    if part.shape == "turned" or part.round:
        pen.need("smooth")
    extra = f", at={at}" if at else ""
    extra += f", turn={turn}" if turn else ""
    if part.cone is not None:
        extra += f", upper={number(part.cone[1] / 100)}"
    if part.shape in {"box", "prism"} and (bevel := _bevel(part)) > 0:
        extra += f", bevel={number(bevel)}"
    return f"{shape}(root, {name}, {_measures(part, flip)}, {material}{extra})"


def _bevel(part: Part) -> float:
    if part.bevel is not None:
        return part.bevel / 100
    if part.box is not None:
        return min(0.08 * min(part.box), 3.0) / 100
    return 0.0 if part.round else min(0.06 * part.depth, 1.5) / 100


def _measures(part: Part, flip: int) -> str:
    """What the helper of a shape is told of its size."""
    if part.box is not None or part.ball is not None:
        return vector([v / 100 for v in part.box or part.ball or ()])
    if part.cylinder is not None or part.cone is not None:
        lower, *_, height = part.cylinder or part.cone or (0.0, 0.0)
        return f"{number(lower / 100)}, {number(height / 100)}"
    if part.text is not None:
        return f"{json.dumps(part.text, ensure_ascii=False)}, {number(part.thick / 100)}"
    if part.tube is not None:
        return f"{_curve(part.tube, flip, smooth=part.round)}, {number(part.thick / 100)}"
    if part.prism is not None:
        return f"{_curve(part.prism, flip, smooth=part.round, closed=True)}, {number(part.depth / 100)}"
    return _curve(part.turned or part.lathe or (), 0, smooth=part.turned is not None)


def _curve(points: Sequence[Sequence[float]], flip: int, *, smooth: bool, closed: bool = False) -> str:
    """Points, or a smooth curve through them."""
    text = _points(points, flip)
    return f"smooth({text}{', closed=True' if closed else ''})" if smooth else text


def _points(points: Sequence[Sequence[float]], flip: int) -> str:
    if not flip:
        return f"[{', '.join(vector([v / 100 for v in p]) for p in points)}]"
    return (
        "["
        + ", ".join(f"({', '.join([_signed(p[0] / 100, flip), *(number(v / 100) for v in p[1:])])})" for p in points)
        + "]"
    )
