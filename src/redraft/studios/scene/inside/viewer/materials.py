"""Colors of things and lights, read from materials and the world, without rendering."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import bpy
import numpy as np

from redraft.studios.scene.inside.viewer.shapes import Shape

Colour = tuple[float, float, float]

DEPTH = 12
"""Links that are followed from a socket to what feeds it."""
MIDDLE = (0.5, 0.5, 0.5)
"""Color of a texture without colors of its own."""
STEPS = 16
"""Places at which a ramp is read."""
COLOUR_INPUTS = ("Base Color", "Color", "Color1", "A", "Color2", "B", "Image")


@dataclass(frozen=True)
class Paint:
    """A material in a word and a color."""

    name: str
    colour: str
    """`#rrggbb`, sRGB."""


def srgb(linear: Sequence[float]) -> str:
    """Return linear red, green, blue as `#rrggbb`."""
    text = "#"
    for part in list(linear)[:3]:
        value = min(max(float(part), 0.0), 1.0) if math.isfinite(part) else 0.0
        curved = value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        text += f"{round(255 * curved):02x}"
    return text


def brightness(linear: Sequence[float]) -> float:
    """Return the brightness of a linear color."""
    red, green, blue = (float(part) for part in list(linear)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def paint_of(material: Any) -> Paint:
    """Return a material's name and base color."""
    return Paint(str(material.name), srgb(base_colour(material)))


@cache  # until the next file is opened
def base_colour(material: Any) -> Colour:
    """Return the linear color that a material's surface shader has, or else the viewport's."""
    shader = _surface(material)
    colour = _colour_of(shader, DEPTH) if shader is not None else None
    return colour or _triple(material.diffuse_color)


def _tree(owner: Any) -> Any:
    return owner.node_tree if owner is not None and owner.use_nodes else None


def _output(tree: Any, kind: str) -> Any:
    outputs = [node for node in tree.nodes if node.type == kind]
    return next((node for node in outputs if node.is_active_output), outputs[0] if outputs else None)


def _surface(material: Any) -> Any:
    """Return the shader node that feeds a material's surface."""
    tree = _tree(material)
    output = _output(tree, "OUTPUT_MATERIAL") if tree is not None else None
    return _feeder(output.inputs.get("Surface")) if output is not None else None


def _feeder(socket: Any) -> Any:
    links = socket.links if socket is not None and socket.is_linked else ()
    return links[0].from_node if links else None


def _colour_of(node: Any, depth: int, outer: Any = None) -> Colour | None:
    """Return the mean color that a node gives; None where nothing is known of it.

    Args:
        outer: the group node that the node is within, if any.
    """
    if node is None or depth == 0:
        return None
    if node.type in _READERS:
        return _READERS[node.type](node, depth, outer)
    shaders = [socket for socket in node.inputs if socket.type == "SHADER"]
    if node.type == "MIX_SHADER" and not node.inputs[0].is_linked and node.inputs[0].default_value > 0.5:
        shaders.reverse()
    for socket in shaders:
        colour = _colour_of(_feeder(socket), depth - 1, outer)
        if colour is not None:
            return colour

    # Its first color that is known; of a texture of its own only that it is between 0 and 1
    colours = [_at(socket, depth, outer) for socket in _colour_inputs(node)]
    if node.type.startswith("TEX_") and not colours:
        return MIDDLE
    return next((colour for colour in colours if colour is not None), None)


def _at(socket: Any, depth: int, outer: Any) -> Colour | None:
    """Return the color at an input; what feeds it has the middle of its range where nothing is known of it."""
    if not socket.is_linked:
        return _triple(socket.default_value)
    link = socket.links[0]
    if link.from_node.type == "REROUTE":
        return _at(link.from_node.inputs[0], depth - 1, outer) if depth else None
    if link.from_node.type == "GROUP_INPUT" and outer is not None:
        given = outer.inputs.get(link.from_socket.name)
        return _at(given, depth - 1, None) if given is not None and depth else None
    if link.from_socket.type == "VALUE" and link.from_node.type != "VALTORGB":
        value = float(link.from_socket.default_value) if link.from_node.type == "VALUE" else 0.5
        return value, value, value
    return _colour_of(link.from_node, depth - 1, outer) or MIDDLE


def _mixed(node: Any, depth: int, outer: Any) -> Colour | None:
    """Mix as the two kinds do that scripts use; another one gives its first color."""
    first, second, *_ = [*_colour_inputs(node), None, None]
    if first is None or second is None:
        return None
    one, other = _at(first, depth, outer) or MIDDLE, _at(second, depth, outer) or MIDDLE
    factor = next(socket for socket in node.inputs if socket.enabled and socket.name in {"Fac", "Factor"})
    share = 0.5 if factor.is_linked else float(factor.default_value)
    if node.blend_type == "MULTIPLY":
        other = (one[0] * other[0], one[1] * other[1], one[2] * other[2])
    elif node.blend_type != "MIX":
        return one
    return _triple([a + (b - a) * share for a, b in zip(one, other, strict=True)])


def _alternating(node: Any, depth: int, outer: Any) -> Colour | None:
    return _mean(_at(socket, depth, outer) or MIDDLE for socket in list(_colour_inputs(node))[:2])


def _combined(node: Any, depth: int, outer: Any) -> Colour | None:
    del depth, outer
    one, two, three = (0.5 if socket.is_linked else float(socket.default_value) for socket in list(node.inputs)[:3])
    return colorsys.hsv_to_rgb(one, two, three) if getattr(node, "mode", "RGB") == "HSV" else (one, two, three)


def _of_image(node: Any, depth: int, outer: Any) -> Colour | None:
    """Return the mean of a picture, linear."""
    del depth, outer
    image = node.image
    if image is None or not image.size[0] or image.channels < 3:
        return None
    numbers = np.empty(image.size[0] * image.size[1] * image.channels, np.float32)
    image.pixels.foreach_get(numbers)
    pixels = np.nan_to_num(numbers.reshape(-1, image.channels)[:, :3])
    if image.colorspace_settings.name == "sRGB" and not image.is_float:
        pixels = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    return _triple(pixels.mean(0))


def _of_attribute(node: Any, depth: int, outer: Any) -> Colour | None:
    """Return the mean of a color attribute in the first mesh that has it; the active one where no name is given."""
    del depth, outer
    name = getattr(node, "attribute_name", "") or getattr(node, "layer_name", "")
    for mesh in bpy.data.meshes:
        colors = mesh.color_attributes.get(name) if name else mesh.color_attributes.active_color
        if colors is not None and len(colors.data):
            numbers = np.empty(len(colors.data) * 4, np.float32)
            colors.data.foreach_get("color", numbers)
            return _triple(np.nan_to_num(numbers.reshape(-1, 4)).mean(0))
    return None


_READERS: dict[str, Callable[[Any, int, Any], Colour | None]] = {
    "RGB": lambda node, depth, outer: _triple(node.outputs[0].default_value),
    "VALTORGB": lambda node, depth, outer: _mean(
        node.color_ramp.evaluate((step + 0.5) / STEPS) for step in range(STEPS)
    ),
    "TEX_IMAGE": _of_image,
    "TEX_ENVIRONMENT": _of_image,
    "ATTRIBUTE": _of_attribute,
    "VERTEX_COLOR": _of_attribute,
    "COMBINE_COLOR": _combined,
    "COMBRGB": _combined,
    "GROUP": lambda node, depth, outer: (
        _colour_of(_output(node.node_tree, "GROUP_OUTPUT"), depth - 1, node) if node.node_tree is not None else None
    ),
    "MIX": _mixed,
    "MIX_RGB": _mixed,
    "TEX_CHECKER": _alternating,
    "TEX_BRICK": _alternating,
}
"""Nodes whose color is not that of their first input."""


def _mean(colours: Iterable[Any]) -> Colour | None:
    triples = [_triple(colour) for colour in colours]
    return _triple([sum(part) / len(triples) for part in zip(*triples, strict=True)]) if triples else None


def _colour_inputs(node: Any) -> Iterator[Any]:
    """Yield a node's color inputs, those with the usual names first."""
    sockets = [socket for socket in node.inputs if socket.type == "RGBA" and socket.enabled]
    rank = {name: number for number, name in enumerate(COLOUR_INPUTS)}
    yield from sorted(sockets, key=lambda socket: rank.get(str(socket.name), len(rank)))


def _triple(value: Any) -> Colour:
    red, green, blue = (float(part) for part in list(value)[:3])
    return red, green, blue


def _nodes_above(node: Any, depth: int = DEPTH) -> Iterator[Any]:
    """Yield a shader node and the shaders that feed it."""
    if node is None or depth == 0:
        return
    yield node
    for socket in node.inputs:
        if socket.type == "SHADER":
            yield from _nodes_above(_feeder(socket), depth - 1)


def _value(node: Any, *names: str) -> float:
    """Return the number of the first of these inputs that a node has; 1 where something feeds it."""
    for name in names:
        socket = node.inputs.get(name)
        if socket is not None:
            value = 1.0 if socket.is_linked else socket.default_value
            return float(value) if isinstance(value, (int, float)) else brightness(value)
    return 0.0


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
    """Return how bright the world's background is: strength times its color's brightness."""
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
