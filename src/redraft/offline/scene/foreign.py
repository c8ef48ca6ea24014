"""Changes to a script that somebody else wrote: a block at its end that repaints, moves, scales and deletes by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.english.edits import Edit, Recolour, Remove, Resize, Shift, read_edits
from redraft.english.words import singular
from redraft.offline.scene.colours import colour_of
from redraft.offline.scene.pen import number, vector

__all__ = ["amended", "object_names"]

_STATEMENT = re.compile(
    r"""bpy\.data\.objects\[(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]\.(?:location|rotation_euler|scale|hide_render)"""
    r"(?:\.[xyz])?\s*[-+*]?=\s*(?:-?[\d.]+(?:e-?\d+)?|\([-\d., e]+\)|True|False)"
)
_NAMED = re.compile(r"^(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")")
STEP = 4.0
"""Metres of a scene that a step of one canvas is taken for."""

_FIND = '''\
def named(word):
    """The top-level objects of that name, numbers left out: with what belongs to them."""
    tops = [thing for thing in bpy.data.objects if thing.parent is None and word in thing.name.lower()]
    return [(thing, [thing, *thing.children_recursive]) for thing in tops]
'''
_PAINT = """\
for _, family in named({word}):
    for part in family:
        for slot in getattr(part, "material_slots", ()):
            slot.material = slot.material.copy() if slot.material else bpy.data.materials.new("Repainted")
            slot.material.diffuse_color = {colour}
            shader = slot.material.node_tree.nodes.get("Principled BSDF") if slot.material.node_tree else None
            if shader is not None:
                for link in list(shader.inputs["Base Color"].links):
                    slot.material.node_tree.links.remove(link)
                shader.inputs["Base Color"].default_value = {colour}
"""
_REMOVE = """\
for _, family in named({word}):
    for part in family:
        bpy.data.objects.remove(part)
"""
_SCALE = """\
for top, _ in named({word}):
    top.scale = [side * {factor} for side in top.scale]
"""
_MOVE = """\
for top, _ in named({word}):
    top.location = [at + step for at, step in zip(top.location, {step})]
"""


def object_names(things: Sequence[str]) -> list[str]:
    """The names in an inventory's lines."""
    return [m[1] or m[2] for m in map(_NAMED.match, things) if m is not None]


def amended(code: str, instruction: str, issues: str, names: Sequence[str]) -> tuple[str, str] | None:
    """What was done, and the script with a block for it: the mends that issues state as code, else the edits of the
    words. None when there is nothing that it understands."""
    statements = list(dict.fromkeys(m[0] for m in _STATEMENT.finditer(issues)))
    if statements:
        return f"carries out {len(statements)} of the mends", _with(code, "What was measured asks for", statements)
    nouns = tuple(dict.fromkeys(singular(_word(name))[0] for name in names))
    blocks = [block for edit in read_edits(instruction, nouns) if (block := _block(edit, nouns))]
    if not blocks:
        return None
    done = f"appends {len(blocks)} change{'s' if len(blocks) > 1 else ''} to a script that is not its own"
    return done, _with(code, "Changes that were asked for", [_FIND + "\n", *blocks])


def _with(code: str, title: str, lines: Sequence[str]) -> str:
    return f"{code.rstrip()}\n\n\n# {title}\nimport bpy\n\n" + "\n".join(lines).rstrip() + "\n"


def _word(name: str) -> str:
    """The noun of an object's name: `Apple.001`, `RedApple_2` → apple."""
    bare = re.sub(r"[\W\d_]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).strip().lower()
    return bare.split()[-1] if bare else name.lower()


def _block(edit: Edit, nouns: Sequence[str]) -> str:
    if not isinstance(edit, Recolour | Remove | Resize | Shift):
        return ""
    noun = singular(edit.noun.split()[-1])[0]
    if noun not in nouns:
        return ""
    word = repr(noun)
    match edit:
        case Recolour():
            colour = colour_of(edit.colour)
            return "" if colour is None else _PAINT.format(word=word, colour=vector([*_linear(colour), 1.0]))
        case Remove():
            return _REMOVE.format(word=word)
        case Resize():
            return _SCALE.format(word=word, factor=number(edit.factor))
        case Shift():
            ways = {
                "left": (-1, 0, 0),
                "right": (1, 0, 0),
                "up": (0, 0, 1),
                "down": (0, 0, -1),
                "closer": (0, -1, 0),
                "away": (0, 1, 0),
            }
            step = ways.get(edit.way)
            return "" if step is None else _MOVE.format(word=word, step=vector([STEP * edit.amount * s for s in step]))


def _linear(code: str) -> list[float]:
    channels = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
