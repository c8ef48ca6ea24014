"""A placed scene as a Blender script that is a pleasure to read: helpers, materials, a function for each kind of thing.

Only what a scene uses is written. Lengths in the script are metres.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from redraft.spatial.yamldata import read_yaml
from redraft.studios.scene.offline_colours import called, colour_of, shade
from redraft.studios.scene.offline_shapes import bounds, points_of
from redraft.studios.scene.offline_solids import Part, Solid

__all__ = ["Pen", "Stood", "number", "script", "vector"]

LOOPED = 3
"""From so many on, the others of a kind are made in a loop."""
LOOKS: dict[str, str] = {
    "paint": "paint({name}, {colour}, roughness=0.45)",
    "gloss": "paint({name}, {colour}, roughness=0.2, coat_weight=0.3)",
    "matt": "paint({name}, {colour}, roughness=0.9)",
    "metal": "paint({name}, {colour}, metallic=1.0, roughness=0.3)",
    "glass": "paint({name}, {colour}, transmission_weight=0.9, roughness=0.04)",
    "glow": "glow({name}, {colour}, 3.0)",
    "wood": "grain({name}, {colour}, {other}, 2.5, stretch=(1, 8, 8), bump=0.06, roughness=0.5)",
    "stone": "grain({name}, {colour}, {other}, 5, bump=0.35, roughness=0.9)",
    "cloth": "grain({name}, {colour}, {other}, 70, bump=0.12, roughness=0.95)",
    "leaf": "grain({name}, {colour}, {other}, 6, bump=0.8, roughness=0.8)",
    "grass": "grain({name}, {colour}, {other}, 9, bump=0.5, roughness=0.95)",
    "sand": "grain({name}, {colour}, {other}, 12, bump=0.25, roughness=0.95)",
    "snow": "grain({name}, {colour}, {other}, 6, bump=0.2, roughness=0.7)",
    "water": "grain({name}, {colour}, {other}, 3, stretch=(1, 3, 1), bump=0.2, roughness=0.08)",
    "fur": "grain({name}, {colour}, {other}, 40, bump=0.3, roughness=0.9)",
    "brick": "bricks({name}, {colour}, {other}, 3.0)",
}
DARKER = {"wood": -0.3, "stone": -0.22, "leaf": -0.35, "grass": -0.25, "water": -0.3, "brick": 0.5, "snow": -0.06}
_TAKES = {"box": "size"}


@dataclass(frozen=True)
class Stood:
    """One thing where it stands: metres, degrees about z, linear size, colour `#rrggbb`, and its group's id."""

    name: str
    solid: Solid
    at: tuple[float, float, float]
    turn: float = 0.0
    size: float = 1.0
    colour: str = "#808080"
    look: str = "paint"
    group: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    """Colours of its parts that were asked for: name of the part, `#rrggbb`."""
    note: str = ""
    """What is to be said of it in the script: that it stands for an unknown word."""


@cache
def _helpers() -> dict[str, str]:
    text = (files("redraft.studios.scene") / "solids" / "helpers.yaml").read_text("utf-8")
    return {name: str(code).rstrip() for name, code in read_yaml(text).items()}


@dataclass
class Pen:
    """What a script needs is noted while its lines are written."""

    needs: set[str] = field(default_factory=set[str])
    materials: dict[str, str] = field(default_factory=dict[str, str])
    """Variable by the call that makes it."""

    def need(self, *names: str) -> None:
        """Note helpers, with all that they call in turn."""
        for name in names:
            if name not in self.needs:
                self.needs.add(name)
                body = _helpers()[name]
                self.need(*(other for other in _helpers() if other != name and re.search(rf"\b{other}\(", body)))

    def material(self, look: str, colour: str) -> str:
        """The variable of a material; it is made once."""
        title = f"{called(colour)} {look}"
        variable = title.replace(" ", "_")
        other = shade(colour, DARKER.get(look, -0.15))
        call = LOOKS[look].format(
            name=repr(title.capitalize()).replace("'", '"'), colour=f'"{colour}"', other=f'"{other}"'
        )
        taken = {v: c for c, v in self.materials.items()}
        k = 2
        base, call_base = variable, call
        while taken.get(variable, call) != call:
            variable, call = f"{base}_{k}", call_base.replace(title.capitalize(), f"{title.capitalize()} {k}", 1)
            k += 1
        self.need(call.partition("(")[0])
        self.materials[call] = variable
        return variable

    def helpers(self) -> str:
        """The functions that were needed, in the order of the file."""
        return "\n\n\n".join(code for name, code in _helpers().items() if name in self.needs)


def number(value: float) -> str:
    """A number as a person writes it."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def vector(values: Sequence[float]) -> str:
    return f"({', '.join(number(v) for v in values)})"


def script(brief: str, header: Mapping[str, object], things: Sequence[Stood], stage: str, pen: Pen) -> str:
    """The whole script; `stage` are the lines of ground, light and camera, written with the same pen."""
    builders, calls = _things(things, pen)
    pen.need("rgb")
    vectors = "\nfrom mathutils import Vector" if "aim" in pen.needs else ""
    materials = "\n".join(f"{name} = {call}" for call, name in sorted(pen.materials.items(), key=lambda m: m[1]))
    blocks = [
        f'"""{_said(brief)}"""\n# scene: {json.dumps(header, ensure_ascii=True)}\n\nimport math\n\nimport bpy{vectors}',
        "scene = bpy.context.scene\nfor old in list(bpy.data.objects):\n    bpy.data.objects.remove(old)",
        "\n" + pen.helpers() + "\n",
        f"# Materials\n{materials}",
        *(["\n" + "\n\n\n".join(builders) + "\n"] if builders else []),
        *([f"# Things\n{calls}"] if calls else []),
        stage,
    ]
    return (
        "\n\n".join(block.rstrip("\n") if i in (3, 5, 6) else block for i, block in enumerate(blocks) if block) + "\n"
    )


def _said(brief: str) -> str:
    bare = " ".join(brief.split()).replace("\\", "").replace('"', "'")[:300]
    return (bare[:1].upper() + bare[1:]).rstrip(".") + "."


def _things(things: Sequence[Stood], pen: Pen) -> tuple[list[str], str]:
    """A function for each kind of thing, and the calls that stand them up."""
    kinds: dict[str, Solid] = {}
    names: dict[int, str] = {}
    for one in things:
        name = _builder(one.solid.name)
        while name in kinds and kinds[name] is not one.solid:
            name += "_2"
        kinds[name] = one.solid
        names[id(one.solid)] = name
    builders = [_function(name, solid, pen) for name, solid in kinds.items()]
    groups: dict[tuple[object, ...], list[Stood]] = {}
    for one in things:
        key = (id(one.solid), one.colour, one.look, one.parts, one.group)
        groups.setdefault(key, []).append(one)
    return builders, "\n".join(_calls(names[id(g[0].solid)], g, pen) for g in groups.values())


def _builder(name: str) -> str:
    return "make_" + (re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_") or "thing")


def _calls(builder: str, group: Sequence[Stood], pen: Pen) -> str:
    first = group[0]
    keys = _keys(first.solid)
    colours = {"main": first.colour, "dark": shade(first.colour, -0.3), "light": shade(first.colour, 0.4)}
    materials = [pen.material(first.look, colours[key]) for key in keys]
    rest = _stand(first)
    call = f"{builder}({', '.join([json.dumps(first.name, ensure_ascii=False), *materials, rest])})"
    repaint = [
        f'for part in {_variable(first.name)}.children:\n    if "{part}" in part.name.removeprefix({first.name!r}):\n'
        f"        part.data.materials[0] = {pen.material('paint', colour)}"
        for part, colour in first.parts
    ]
    lines = [f"# {first.note}"] if first.note else []
    if len(group) == 1 and not repaint:
        return "\n".join([*lines, call])
    lines += [f"{_variable(first.name)} = {call}", *repaint]
    if len(group) == 1:
        return "\n".join(lines)
    pen.need("again")
    if len(group) <= LOOPED:
        lines += [
            f"again({_variable(first.name)}, {json.dumps(o.name, ensure_ascii=False)}, {_stand(o)})" for o in group[1:]
        ]
        return "\n".join(lines)
    base = re.sub(r" \d+$", "", first.name)
    places = "\n".join(f"    {vector((*o.at, o.turn))}," for o in group[1:])
    size = "" if abs(first.size - 1) < 1e-6 else f", {number(first.size)}"
    lines.append(
        f"for k, (x, y, z, turn) in enumerate([\n{places}\n], start=2):\n"
        f'    again({_variable(first.name)}, f"{base} {{k}}", (x, y, z), turn{size})'
    )
    return "\n".join(lines)


def _variable(name: str) -> str:
    found = re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_") or "it"
    return f"the_{found}"


def _stand(one: Stood) -> str:
    turn = f", turn={number(one.turn)}" if one.turn else ""
    size = f", size={number(one.size)}" if abs(one.size - 1) > 1e-6 else ""
    return f"at={vector(one.at)}{turn}{size}"


def _keys(solid: Solid) -> list[str]:
    """Which of the shades of its own colour a thing's function takes; those of parts with a look of their own are not."""
    used = {p.colour for p in solid.parts if p.look is None}
    return [key for key in ("main", "dark", "light") if key in used]


def _function(name: str, solid: Solid, pen: Pen) -> str:
    pen.need("thing")
    x0, y0, z0, x1, y1, z1 = bounds(points_of(solid))
    size = " × ".join(_length(v) for v in (x1 - x0, y1 - y0, z1 - z0))
    keys = "".join(f", {key}" for key in _keys(solid))
    lines = [f"def {name}(name{keys}, at, turn=0.0, size=1.0):", f'    """{_title(solid.name)}, {size}."""']
    lines.append("    root = thing(name, at, turn, size)")
    for part in solid.parts:
        lines += ["    " + line for line in _part(part, solid, pen)]
    return "\n".join([*lines, "    return root"])


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
    match part.shape:
        case "box" | "ball":
            return vector([v / 100 for v in part.box or part.ball or ()])
        case "cylinder":
            return ", ".join(number(v / 100) for v in part.cylinder or ())
        case "cone":
            lower, _, height = part.cone or (0, 0, 0)
            return f"{number(lower / 100)}, {number(height / 100)}"
        case "lathe":
            return _points(part.lathe or (), 0)
        case "turned":
            return f"smooth({_points(part.turned or (), 0)})"
        case "tube":
            path = _points(part.tube or (), flip)
            return f"{f'smooth({path})' if part.round else path}, {number(part.thick / 100)}"
        case "prism":
            outline = _points(part.prism or (), flip)
            return f"{f'smooth({outline}, closed=True)' if part.round else outline}, {number(part.depth / 100)}"
        case _:
            return f"{json.dumps(part.text, ensure_ascii=False)}, {number(part.thick / 100)}"


def _points(points: Sequence[Sequence[float]], flip: int) -> str:
    if not flip:
        return f"[{', '.join(vector([v / 100 for v in p]) for p in points)}]"
    return (
        "["
        + ", ".join(f"({', '.join([_signed(p[0] / 100, flip), *(number(v / 100) for v in p[1:])])})" for p in points)
        + "]"
    )
