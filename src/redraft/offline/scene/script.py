"""A placed scene as a Blender script that is a pleasure to read: helpers, materials, a function for each kind of thing.

Only what a scene uses is written. Lengths in the script are metres.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from redraft.offline.scene.colours import shade
from redraft.offline.scene.parts import maker, shades
from redraft.offline.scene.pen import Pen, number, vector
from redraft.offline.scene.solids import Solid
from redraft.offline.scene.stood import Stood

__all__ = ["script"]

LOOPED = 3
"""From so many on, the others of a kind are made in a loop."""


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
    builders = [maker(name, solid, pen) for name, solid in kinds.items()]
    groups: dict[tuple[object, ...], list[Stood]] = {}
    for one in things:
        key = (id(one.solid), one.colour, one.look, one.parts, one.group)
        groups.setdefault(key, []).append(one)
    return builders, "\n".join(_calls(names[id(g[0].solid)], g, pen) for g in groups.values())


def _builder(name: str) -> str:
    return "make_" + (re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_") or "thing")


def _calls(builder: str, group: Sequence[Stood], pen: Pen) -> str:
    first = group[0]
    keys = shades(first.solid)
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
