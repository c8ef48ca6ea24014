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
"""Of a texture without colors of its own."""
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


@cache  # until the next file is opened
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


def _colour_of(node: Any, depth: int, outer: Any = None) -> Colour | None:
    """The mean color that a node gives; None where nothing is known of it.

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
    found = (_colour_of(_feeder(socket), depth - 1, outer) for socket in shaders)
    return next((colour for colour in found if colour is not None), None) or _from_inputs(node, depth, outer)


def _from_inputs(node: Any, depth: int, outer: Any) -> Colour | None:
    """What a node makes of its first color that is known; of a texture of its own only that it is between 0 and 1."""
    found = [_at(socket, depth, outer) for socket in _colour_inputs(node)]
    if node.type.startswith("TEX_") and not found:
        return MIDDLE
    return next((colour for colour in found if colour is not None), None)


def _at(socket: Any, depth: int, outer: Any) -> Colour | None:
    """The color at an input; what feeds it has the middle of its range where nothing is known of it."""
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
    """Of the kinds of mixing the two that scripts use; another one gives its first color."""
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


def _own(node: Any, depth: int, outer: Any) -> Colour | None:
    del depth, outer
    return _triple(node.outputs[0].default_value)


def _of_ramp(node: Any, depth: int, outer: Any) -> Colour | None:
    del depth, outer
    return _mean(node.color_ramp.evaluate((step + 0.5) / STEPS) for step in range(STEPS))


def _of_group(node: Any, depth: int, outer: Any) -> Colour | None:
    del outer
    output = _output(node.node_tree, "GROUP_OUTPUT") if node.node_tree is not None else None
    return _colour_of(output, depth - 1, node)


def _combined(node: Any, depth: int, outer: Any) -> Colour | None:
    del depth, outer
    one, two, three = (0.5 if socket.is_linked else float(socket.default_value) for socket in list(node.inputs)[:3])
    return colorsys.hsv_to_rgb(one, two, three) if getattr(node, "mode", "RGB") == "HSV" else (one, two, three)


def _of_image(node: Any, depth: int, outer: Any) -> Colour | None:
    """The mean of a picture, linear."""
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
    """The mean of a color attribute, of the first mesh that has it; the active one where no name is given."""
    del depth, outer
    name = getattr(node, "attribute_name", "") or getattr(node, "layer_name", "")
    for mesh in bpy.data.meshes:
        found = mesh.color_attributes.get(name) if name else mesh.color_attributes.active_color
        if found is not None and len(found.data):
            numbers = np.empty(len(found.data) * 4, np.float32)
            found.data.foreach_get("color", numbers)
            return _triple(np.nan_to_num(numbers.reshape(-1, 4)).mean(0))
    return None


_READERS: dict[str, Callable[[Any, int, Any], Colour | None]] = {
    "RGB": _own,
    "VALTORGB": _of_ramp,
    "TEX_IMAGE": _of_image,
    "TEX_ENVIRONMENT": _of_image,
    "ATTRIBUTE": _of_attribute,
    "VERTEX_COLOR": _of_attribute,
    "COMBINE_COLOR": _combined,
    "COMBRGB": _combined,
    "GROUP": _of_group,
    "MIX": _mixed,
    "MIX_RGB": _mixed,
    "TEX_CHECKER": _alternating,
    "TEX_BRICK": _alternating,
}
"""Nodes whose color is not that of their first input."""


def _mean(colours: Iterable[Any]) -> Colour | None:
    found = [_triple(colour) for colour in colours]
    return _triple([sum(part) / len(found) for part in zip(*found, strict=True)]) if found else None


def _colour_inputs(node: Any) -> Iterator[Any]:
    """Its color inputs, those with the usual names first."""
    sockets = [socket for socket in node.inputs if socket.type == "RGBA" and socket.enabled]
    rank = {name: number for number, name in enumerate(COLOUR_INPUTS)}
    yield from sorted(sockets, key=lambda socket: rank.get(str(socket.name), len(rank)))


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
