"""Colors of things and lights, read from materials and the world, without rendering."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from redraft.studios.scene.inside.viewer.shapes import Shape

__all__ = [
    "Paint",
    "base_colour",
    "brightness",
    "glows",
    "is_clear",
    "paint_of",
    "see_through",
    "shines",
    "sky_of",
    "srgb",
]

Colour = tuple[float, float, float]

DEPTH = 6
"""Links that are followed from a socket to what feeds it."""
GREY = (0.8, 0.8, 0.8)
COLOUR_INPUTS = ("Base Color", "Color", "Color1", "A", "Color2", "B", "Image")


@dataclass(frozen=True)
class Paint:
    """A material in a word and a color."""

    name: str
    colour: str
    """`#rrggbb`, sRGB."""


def srgb(linear: Sequence[float]) -> str:
    """Linear red, green, blue as `#rrggbb`."""
    return "#" + "".join(f"{round(255 * _curved(float(part))):02x}" for part in list(linear)[:3])


def _curved(part: float) -> float:
    part = min(max(part, 0.0), 1.0) if math.isfinite(part) else 0.0
    return part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def brightness(linear: Sequence[float]) -> float:
    """Of a linear color."""
    red, green, blue = (float(part) for part in list(linear)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def paint_of(material: Any) -> Paint:
    """A material's name and base color."""
    return Paint(str(material.name), srgb(base_colour(material)))


def base_colour(material: Any) -> Colour:
    """Linear: what a material's surface shader is given, or the color that the viewport shows where there is none."""
    shader = _surface(material)
    found = _colour_of(shader, DEPTH) if shader is not None else None
    return found or _triple(material.diffuse_color)


def _tree(owner: Any) -> Any:
    return owner.node_tree if owner is not None and owner.use_nodes else None


def _output(tree: Any, kind: str) -> Any:
    outputs = [node for node in tree.nodes if node.type == kind]
    return next((node for node in outputs if node.is_active_output), outputs[0] if outputs else None)


def _surface(material: Any) -> Any:
    """The shader node that feeds a material's surface."""
    tree = _tree(material)
    output = _output(tree, "OUTPUT_MATERIAL") if tree is not None else None
    return _feeder(output.inputs.get("Surface")) if output is not None else None


def _feeder(socket: Any) -> Any:
    links = socket.links if socket is not None and socket.is_linked else ()
    return links[0].from_node if links else None


def _colour_of(node: Any, depth: int) -> Colour | None:
    """The color that a node gives: its own, a ramp's mean, or that of what feeds it."""
    if node is None or depth == 0:
        return None
    if node.type == "RGB":
        return _triple(node.outputs[0].default_value)
    if node.type == "VALTORGB":
        stops = [element.color for element in node.color_ramp.elements]
        return _triple([sum(float(stop[part]) for stop in stops) / len(stops) for part in range(3)])
    shaders = [_feeder(socket) for socket in node.inputs if socket.type == "SHADER"]
    for shader in shaders:
        found = _colour_of(shader, depth - 1)
        if found is not None:
            return found
    return _from_inputs(node, depth)


def _from_inputs(node: Any, depth: int) -> Colour | None:
    fallback = None
    for socket in _colour_inputs(node):
        if socket.is_linked:
            found = _colour_of(_feeder(socket), depth - 1)
            if found is not None:
                return found
            fallback = fallback or GREY
        elif fallback is None:
            fallback = _triple(socket.default_value)
    return fallback


def _colour_inputs(node: Any) -> Iterator[Any]:
    for name in COLOUR_INPUTS:
        for socket in node.inputs:
            if socket.name == name and socket.type == "RGBA" and socket.enabled:
                yield socket


def _triple(value: Any) -> Colour:
    red, green, blue = (float(part) for part in list(value)[:3])
    return red, green, blue


def _nodes_above(node: Any, depth: int = DEPTH) -> Iterator[Any]:
    """A shader node and the shaders that feed it."""
    if node is None or depth == 0:
        return
    yield node
    for socket in node.inputs:
        if socket.type == "SHADER":
            yield from _nodes_above(_feeder(socket), depth - 1)


def _value(node: Any, *names: str) -> float:
    """The number of the first of these inputs that a node has; 1 where something feeds it."""
    for name in names:
        socket = node.inputs.get(name)
        if socket is not None:
            return 1.0 if socket.is_linked else _number(socket.default_value)
    return 0.0


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else brightness(value)


def glows(shape: Shape) -> bool:
    """Whether a thing shines by its own material."""
    return any(shines(slot.material) for slot in shape.thing.material_slots if slot.material is not None)


def shines(material: Any) -> bool:
    """Whether a material gives light of its own."""
    for node in _nodes_above(_surface(material)):
        if node.type == "EMISSION" and _value(node, "Strength") * _value(node, "Color") > 0:
            return True
        if node.type == "BSDF_PRINCIPLED":
            colour = _value(node, "Emission Color", "Emission")
            if _value(node, "Emission Strength") * colour > 0:
                return True
    return False


def see_through(shape: Shape) -> bool:
    """Whether what lies behind a thing is seen through it: all its materials are glass, or mostly clear."""
    materials = [slot.material for slot in shape.thing.material_slots if slot.material is not None]
    return bool(materials) and all(is_clear(material) for material in materials)


def is_clear(material: Any) -> bool:
    """Whether a material is glass, or mostly clear."""
    tree = _tree(material)
    if tree is None:
        return False
    shader = _surface(material)
    if shader is None:
        return True  # nothing but a volume: fog
    for node in _nodes_above(shader):
        if node.type in {"BSDF_GLASS", "BSDF_TRANSPARENT", "BSDF_REFRACTION"}:
            return True
        if node.type == "BSDF_PRINCIPLED":
            return _value(node, "Transmission Weight", "Transmission") > 0.5 or _value(node, "Alpha") < 0.5
    return False


def sky_of(world: Any) -> float:
    """How bright the world's background is: strength times its color's brightness."""
    if world is None:
        return 0.0
    tree = _tree(world)
    if tree is None:
        return brightness(world.color)
    output = _output(tree, "OUTPUT_WORLD")
    total = 0.0
    for node in _nodes_above(_feeder(output.inputs.get("Surface")) if output is not None else None):
        if node.type == "BACKGROUND":
            total += _value(node, "Strength") * _value(node, "Color")
    return total
