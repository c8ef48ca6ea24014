"""Colors of materials made of nodes, as the plain views show them and as statements are measured."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blender_viewer import Viewer, open_viewer, thing

pytestmark = [pytest.mark.real, pytest.mark.slow]

MATERIAL = """
bpy.ops.mesh.primitive_cube_add()
cube = bpy.context.object
cube.name = "Cube"
material = bpy.data.materials.new("Nodes")
material.use_nodes = True
cube.data.materials.append(material)
tree = material.node_tree
shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
base = shader.inputs["Base Color"]
RED, BLUE = (1, 0, 0, 1), (0, 0, 1, 1)
def new(kind, **values):
    node = tree.nodes.new(kind)
    for name, value in values.items():
        setattr(node, name, value)
    return node
def mix(blend, share, one, other):
    node = new("ShaderNodeMix", data_type="RGBA", blend_type=blend)
    node.inputs[0].default_value, node.inputs[6].default_value, node.inputs[7].default_value = share, one, other
    return node
"""
RED, HALF_RED, PURPLE, GRAY = "#ff0000", "#bc0000", "#bc00bc", "#bcbcbc"
CASES = {
    "a mix": ("tree.links.new(mix('MIX', 1.0, BLUE, RED).outputs[2], base)", RED),
    "a mix by noise": (
        "node = mix('MIX', 0.0, BLUE, RED)\n"
        "tree.links.new(new('ShaderNodeTexNoise').outputs[0], node.inputs[0])\ntree.links.new(node.outputs[2], base)",
        PURPLE,
    ),
    "a product": ("tree.links.new(mix('MULTIPLY', 1.0, RED, (0.5, 0.5, 0.5, 1)).outputs[2], base)", HALF_RED),
    "a ramp": (
        "node = new('ShaderNodeValToRGB')\nnode.color_ramp.elements[0].color = RED\n"
        "node.color_ramp.elements[1].color = RED\ntree.links.new(node.outputs[0], base)",
        RED,
    ),
    "noise": ("tree.links.new(new('ShaderNodeTexNoise').outputs[0], base)", GRAY),
    "a checker": (
        "node = new('ShaderNodeTexChecker')\nnode.inputs['Color1'].default_value = RED\n"
        "node.inputs['Color2'].default_value = BLUE\ntree.links.new(node.outputs[0], base)",
        PURPLE,
    ),
    "a picture": (
        "image = bpy.data.images.new('Red', 4, 4)\nimage.pixels = [1.0, 0.0, 0.0, 1.0] * 16\nimage.pack()\n"
        "tree.links.new(new('ShaderNodeTexImage', image=image).outputs[0], base)",
        RED,
    ),
    "an attribute": (
        "paint = cube.data.color_attributes.new('Paint', 'FLOAT_COLOR', 'POINT')\n"
        "paint.data.foreach_set('color', [1.0, 0.0, 0.0, 1.0] * 8)\n"
        "tree.links.new(new('ShaderNodeAttribute', attribute_name='Paint').outputs['Color'], base)",
        RED,
    ),
    "parts": (
        "node = new('ShaderNodeCombineColor')\nnode.inputs[0].default_value = 1.0\n"
        "tree.links.new(node.outputs[0], base)",
        RED,
    ),
    "a group": (
        "inner = bpy.data.node_groups.new('Paint', 'ShaderNodeTree')\n"
        "inner.interface.new_socket('Color', in_out='INPUT', socket_type='NodeSocketColor')\n"
        "inner.interface.new_socket('Color', in_out='OUTPUT', socket_type='NodeSocketColor')\n"
        "one, two = inner.nodes.new('NodeGroupInput'), inner.nodes.new('NodeGroupOutput')\n"
        "bright = inner.nodes.new('ShaderNodeGamma')\ninner.links.new(one.outputs[0], bright.inputs[0])\n"
        "inner.links.new(bright.outputs[0], two.inputs[0])\n"
        "node = new('ShaderNodeGroup', node_tree=inner)\nnode.inputs[0].default_value = RED\n"
        "tree.links.new(node.outputs[0], base)",
        RED,
    ),
    "two shaders": (
        "base.default_value = BLUE\nother = new('ShaderNodeBsdfDiffuse')\nother.inputs[0].default_value = RED\n"
        "node = new('ShaderNodeMixShader')\nnode.inputs[0].default_value = 0.9\n"
        "tree.links.new(shader.outputs[0], node.inputs[1])\ntree.links.new(other.outputs[0], node.inputs[2])\n"
        "output = next(n for n in tree.nodes if n.type == 'OUTPUT_MATERIAL')\n"
        "tree.links.new(node.outputs[0], output.inputs['Surface'])",
        RED,
    ),
}


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    with open_viewer(tmp_path_factory.mktemp("box")) as opened:
        yield opened


@pytest.mark.parametrize("name", CASES)
def test_the_color_of_nodes_is_read(viewer: Viewer, name: str) -> None:
    script, color = CASES[name]
    found = thing(viewer.facts(MATERIAL + script), "Cube").colours[0]
    pairs = [(int(found[i : i + 2], 16), int(color[i : i + 2], 16)) for i in (1, 3, 5)]
    assert all(abs(one - other) <= 2 for one, other in pairs), (found, color)
