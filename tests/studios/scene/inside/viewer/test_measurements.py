"""What a scene is measured to be, against what its script put there."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely
from blender_viewer import SETTINGS, Viewer, contact, open_viewer, rest, thing

from redraft.sandbox.processes import tree_of
from redraft.studios.scene.execute import Wanted, viewer_program
from redraft.studios.scene.spec import SceneFacts

pytestmark = [pytest.mark.real, pytest.mark.slow]

CUBE = """
def cube(name, at, size):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at)
    made = bpy.context.object
    made.name = name
    made.scale = size if isinstance(size, tuple) else (size,) * 3
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return made

def ball(name, at, radius, segments=32):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=segments, ring_count=segments // 2, radius=radius, location=at)
    bpy.context.object.name = name
    return bpy.context.object

def ground():
    bpy.ops.mesh.primitive_plane_add(size=20)
    bpy.context.object.name = 'Ground'

def opened(made):
    mesh = bmesh.new()
    mesh.from_mesh(made.data)
    bmesh.ops.delete(mesh, geom=[v for v in mesh.verts if v.co.z > 0.01], context='VERTS')
    mesh.to_mesh(made.data)
    return made
"""


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    with open_viewer(tmp_path_factory.mktemp("box")) as opened:
        yield opened


def measured(viewer: Viewer, script: str) -> SceneFacts:
    return viewer.facts(CUBE + script)


def test_boxes_are_in_the_world_with_modifiers_applied(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
mother = cube('Mother', (1, 2, 3), 1)
mother.rotation_euler.z = math.radians(45)
child = cube('Child', (0, 0, 2), (1, 1, 0.2))
child.parent = mother
row = cube('Row', (-5, 0, 0.5), 1)
many = row.modifiers.new('Many', 'ARRAY')
many.count = 3
only_there = cube('OnlyInTheViewport', (-5, 5, 0.5), 1).modifiers.new('Many', 'ARRAY')
only_there.show_render = False
only_here = cube('OnlyInTheRender', (-5, 9, 0.5), 1).modifiers.new('Many', 'ARRAY')
only_here.show_viewport = False
""",
    )
    half = math.sqrt(0.5)
    assert thing(facts, "Mother").box == pytest.approx((1 - half, 2 - half, 2.5, 1 + half, 2 + half, 3.5), abs=1e-4)
    assert thing(facts, "Child").box == pytest.approx((1 - half, 2 - half, 4.9, 1 + half, 2 + half, 5.1), abs=1e-4)
    assert thing(facts, "Child").parent == "Mother"
    assert thing(facts, "Child").location == pytest.approx((1, 2, 5))
    assert thing(facts, "Row").box == pytest.approx((-5.5, -0.5, 0, -2.5, 0.5, 1))
    assert thing(facts, "Row").faces == 18
    assert thing(facts, "OnlyInTheViewport").box == pytest.approx((-5.5, 4.5, 0, -4.5, 5.5, 1))
    assert thing(facts, "OnlyInTheRender").box == pytest.approx((-5.5, 8.5, 0, -3.5, 9.5, 1))


def test_every_kind_of_thing_is_there_and_only_those(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
cube('Cube', (0, 0, 0.5), 1)
bpy.ops.object.text_add(location=(3, 0, 0))
bpy.context.object.data.body = 'redraft'
bpy.context.object.data.extrude = 0.1
bpy.ops.curve.primitive_bezier_circle_add(location=(6, 0, 0))
bpy.context.object.data.bevel_depth = 0.1
bpy.ops.object.metaball_add(type='BALL', location=(9, 0, 0))
bpy.ops.object.empty_add(location=(0, 0, 7))
bpy.ops.object.light_add(type='SPOT', location=(1, 2, 3))
bpy.context.object.data.energy = 50
bpy.context.object.data.color = (1, 0, 0)
bpy.ops.object.camera_add(location=(0, -5, 1), rotation=(math.radians(90), 0, 0))
bpy.context.scene.camera = bpy.context.object
bpy.context.scene.render.engine = 'BLENDER_WORKBENCH'
bpy.context.object.data.lens = 18
""",
    )
    kinds = {each.name: each.kind for each in facts.things}
    assert kinds == {"Cube": "MESH", "Text": "FONT", "BézierCircle": "CURVE", "Mball": "META", "Empty": "EMPTY"} or (
        sorted(kinds.values()) == ["CURVE", "EMPTY", "FONT", "MESH", "META"]
    )
    assert all((each.box is None) == (each.kind == "EMPTY") for each in facts.things)
    assert not thing(facts, "Empty").footprint
    (light,) = facts.lights
    assert (light.kind, light.location, light.energy, light.colour) == ("SPOT", (1, 2, 3), 50, "#ff0000")
    assert facts.camera is not None
    assert facts.camera.forward == pytest.approx((0, 1, 0), abs=1e-5)
    assert facts.camera.right == pytest.approx((1, 0, 0), abs=1e-5)
    assert facts.camera.angle == pytest.approx(90, abs=1e-2)
    assert facts.engine == "BLENDER_WORKBENCH"
    assert facts.blender.count(".") == 2


def test_colours_and_what_shines(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
def paint(made, name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    made.data.materials.append(material)
    return material.node_tree, material.node_tree.nodes['Principled BSDF'].inputs
_, inputs = paint(cube('Red', (0, 0, 0), 1), 'red')
inputs['Base Color'].default_value = (1, 0, 0, 1)
tree, inputs = paint(cube('Linked', (2, 0, 0), 1), 'linked')
node = tree.nodes.new('ShaderNodeRGB')
node.outputs[0].default_value = (0, 0, 1, 1)
tree.links.new(node.outputs[0], inputs['Base Color'])
tree, inputs = paint(cube('Ramp', (4, 0, 0), 1), 'ramp')
node = tree.nodes.new('ShaderNodeValToRGB')
node.color_ramp.elements[0].color = (1, 1, 0, 1)
node.color_ramp.elements[1].color = (1, 1, 0, 1)
tree.links.new(tree.nodes.new('ShaderNodeTexNoise').outputs[0], node.inputs[0])
tree.links.new(node.outputs[0], inputs['Base Color'])
tree, _ = paint(cube('Lamp', (6, 0, 0), 1), 'lamp')
node = tree.nodes.new('ShaderNodeEmission')
node.inputs['Color'].default_value = (0, 1, 0, 1)
tree.links.new(node.outputs[0], tree.nodes['Material Output'].inputs['Surface'])
plain = cube('Plain', (8, 0, 0), 1)
plain.data.materials.append(bpy.data.materials.new('plain'))
plain.data.materials[0].use_nodes = False
cube('Bare', (10, 0, 0), 1)
world = bpy.context.scene.world
world.node_tree.nodes['Background'].inputs['Color'].default_value = (1, 1, 1, 1)
world.node_tree.nodes['Background'].inputs['Strength'].default_value = 0.5
""",
    )
    colours = {each.name: each.colours for each in facts.things}
    assert colours["Red"] == ("#ff0000",)
    assert colours["Linked"] == ("#0000ff",)
    assert colours["Ramp"] == ("#ffff00",)
    assert colours["Lamp"] == ("#00ff00",)
    assert colours["Plain"] == ("#e7e7e7",)
    assert colours["Bare"] == ()
    assert facts.glow == ("Lamp",)
    assert facts.sky == pytest.approx(0.5)


def test_open_and_closed_surfaces(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
ground()
cube('Cube', (0, 0, 1), 1)
opened(ball('Bowl', (3, 0, 1), 1))
loose = cube('Loose', (6, 0, 1), 1)
mesh = bmesh.new()
mesh.from_mesh(loose.data)
bmesh.ops.split_edges(mesh, edges=mesh.edges)
mesh.to_mesh(loose.data)
thick = opened(ball('Thick', (9, 0, 1), 1))
thick.modifiers.new('Solid', 'SOLIDIFY').thickness = 0.1
""",
    )
    closed = {each.name: each.closed for each in facts.things}
    assert closed == {"Ground": False, "Cube": True, "Bowl": False, "Loose": True, "Thick": True}


def test_footprints_are_what_is_covered_from_above(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
bpy.ops.mesh.primitive_torus_add(major_radius=1, minor_radius=0.25, major_segments=96)
corner = cube('Corner', (5, 0, 0.5), (2, 0.2, 1))
cube('Arm', (4.1, 1, 0.5), (0.2, 2, 1))
bpy.ops.object.select_all(action='DESELECT')
for name in ('Corner', 'Arm'):
    bpy.data.objects[name].select_set(True)
bpy.context.view_layer.objects.active = corner
bpy.ops.object.join()
ball('Ball', (0, 5, 1), 1, 64)
cube('Turned', (5, 5, 1), 1).rotation_euler.z = math.radians(30)
""",
    )
    covered = {each.name: shapely.union_all([shapely.Polygon(r) for r in each.footprint]) for each in facts.things}
    assert covered["Torus"].area == pytest.approx(math.pi * (1.25**2 - 0.75**2), rel=0.04)
    assert not covered["Torus"].contains(shapely.Point(0, 0))
    assert covered["Corner"].area == pytest.approx(2 * 0.2 + 2 * 0.2 - 0.02, rel=0.04)
    assert not covered["Corner"].contains(shapely.Point(5.5, 1.5))
    assert covered["Ball"].area == pytest.approx(math.pi, rel=0.03)
    assert covered["Turned"].area == pytest.approx(1, rel=1e-3)
    assert len(thing(facts, "Turned").footprint[0]) == 4


def test_copies_count_and_give_a_holder_its_shape(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
stock = bpy.data.collections.new('Stock')
made = cube('Post', (0, 0, 0.5), 1)
stock.objects.link(made)
bpy.context.scene.collection.objects.unlink(made) if made.name in bpy.context.scene.collection.objects else None
for each in range(3):
    copy = bpy.data.objects.new(f'Copy{each}', None)
    copy.instance_type, copy.instance_collection = 'COLLECTION', stock
    copy.location.x = each * 2
    bpy.context.scene.collection.objects.link(copy)
""",
    )
    copy = thing(facts, "Copy2")
    assert (copy.kind, copy.instances) == ("EMPTY", 1)
    assert copy.box == pytest.approx((3.5, -0.5, 0, 4.5, 0.5, 1))
    assert shapely.Polygon(copy.footprint[0]).area == pytest.approx(1)


def test_hidden_things_are_measured_and_touch_nothing(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
ground()
cube('Seen', (0, 0, 0.5), 1)
cube('Hidden', (0, 0, 1.5), 1).hide_render = True
cube('OnlyViewport', (5, 0, 0.5), 1).hide_viewport = True
cube('Put', (9, 0, 0.5), 1)
bpy.data.objects['Put'].hide_set(True)
away = bpy.data.collections.new('Away')
bpy.context.scene.collection.children.link(away)
excluded = cube('Excluded', (0, 9, 0.5), 1)
for each in list(excluded.users_collection):
    each.objects.unlink(excluded)
away.objects.link(excluded)
bpy.context.view_layer.layer_collection.children['Away'].exclude = True
""",
    )
    hidden = {each.name: each.hidden for each in facts.things}
    assert hidden == {
        "Ground": False, "Seen": False, "Hidden": True, "OnlyViewport": False, "Put": False, "Excluded": True,
    }  # fmt: skip
    assert thing(facts, "Hidden").box == pytest.approx((-0.5, -0.5, 1, 0.5, 0.5, 2))
    assert thing(facts, "Excluded").box == pytest.approx((-0.5, 8.5, 0, 0.5, 9.5, 1))
    assert {each.name for each in facts.rests} == {"Ground", "Seen", "OnlyViewport", "Put"}


def test_what_stands_touches_and_reaches_no_depth(viewer: Viewer) -> None:
    facts = measured(viewer, "ground()\ncube('Low', (0, 0, 0.5), 1)\ncube('High', (0.2, 0.1, 1.25), 0.5)\n")
    for one, other in (("Ground", "Low"), ("Low", "High")):
        touch = contact(facts, one, other)
        assert touch is not None
        assert (touch.gap, touch.depth, touch.share) == (0, 0, 0)
    assert (rest(facts, "High").on, rest(facts, "High").drop, rest(facts, "High").held) == ("Low", 0, ())
    assert (rest(facts, "Low").on, rest(facts, "Low").drop, rest(facts, "Low").held) == ("Ground", 0, ())
    assert (rest(facts, "Ground").on, rest(facts, "Ground").drop) == ("", None)


@pytest.mark.parametrize("lift", [0.006, 0.02, 0.3, 2.0])
def test_what_floats_would_fall_exactly_so_far(viewer: Viewer, lift: float) -> None:
    facts = measured(
        viewer, f"ground()\ncube('Cube', (0, 0, {0.5 + lift}), 1)\nball('Ball', (3, 0, {0.2 + lift}), 0.2)"
    )
    for name in ("Cube", "Ball"):
        assert (rest(facts, name).on, rest(facts, name).drop) == ("Ground", pytest.approx(lift, abs=1e-4))
    touch = contact(facts, "Ground", "Cube")
    assert touch.gap == pytest.approx(lift, abs=1e-4) if touch else lift > 0.1


def test_a_large_thing_over_a_small_one(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        "ground()\ncube('Peg', (0.7, 0.4, 0.2), (0.02, 0.02, 0.4))\ncube('Plate', (0, 0, 0.47), (4, 4, 0.1))\n",
    )
    assert (rest(facts, "Plate").on, rest(facts, "Plate").drop) == ("Peg", pytest.approx(0.02, abs=1e-4))


@pytest.mark.parametrize("depth", [0.01, 0.05, 0.2])
def test_what_sinks_is_as_deep_as_it_is(viewer: Viewer, depth: float) -> None:
    facts = measured(
        viewer,
        f"ground()\ncube('InGround', (0, 0, {0.5 - depth}), 1)\ncube('Block', (4, 0, 0.5), 1)\n"
        f"ball('InBlock', (4, 0, {1.3 - depth}), 0.3, 64)\ncube('BesideBlock', ({5 - depth}, 0, 0.5), (1, 0.5, 1))\n",
    )
    for one, other in (("Ground", "InGround"), ("Block", "InBlock"), ("Block", "BesideBlock")):
        touch = contact(facts, one, other)
        assert touch is not None
        assert touch.depth == pytest.approx(depth, abs=0.12 * depth)
        assert touch.gap == 0
    share = contact(facts, "Ground", "InGround")
    assert share is not None
    assert share.share == pytest.approx(
        (1 + 4 * depth) / 6, abs=0.05
    )  # the cube's underside and that much of its sides
    assert all(rest(facts, name).drop == 0 for name in ("InGround", "InBlock", "BesideBlock"))
    assert rest(facts, "InBlock").on == "Block"


def test_an_apple_in_a_bowl_rests_on_its_inside(viewer: Viewer) -> None:
    bowl = """
ground()
opened(ball('Bowl', (0, 0, 1), 1, 96))
thick = bpy.data.objects['Bowl'].modifiers.new('Solid', 'SOLIDIFY')
thick.thickness, thick.offset = 0.05, -1
"""
    facts = measured(
        viewer,
        f"{bowl}ball('Apple', (0, 0, 0.252), 0.2, 64)\nball('High', (0.5, 0, 0.7), 0.1)\n"
        "ball('Near', (-0.7, 0, 0.7), 0.15, 64)\n",
    )
    apple, high = rest(facts, "Apple"), rest(facts, "High")
    assert (apple.on, apple.drop) == ("Bowl", pytest.approx(0.0, abs=0.003))
    fall = math.sqrt(0.85**2 - 0.5**2) - 0.3  # until their middles are that near
    assert (high.on, high.drop) == ("Bowl", pytest.approx(fall, abs=0.006))
    within, near = contact(facts, "Apple", "Bowl"), contact(facts, "Bowl", "Near")
    assert within is not None
    assert near is not None
    assert within.depth == 0
    assert near.gap == pytest.approx(0.95 - math.hypot(0.7, 0.3) - 0.15, abs=0.004)  # of two spheres


def test_what_hangs_on_a_wall_is_held_there(viewer: Viewer) -> None:
    facts = measured(
        viewer, "ground()\ncube('Wall', (0, 0, 1.5), (4, 0.1, 3))\ncube('Picture', (0, -0.07, 1.8), (0.8, 0.04, 0.6))\n"
    )
    picture = rest(facts, "Picture")
    assert (picture.on, picture.drop, picture.held) == ("Ground", pytest.approx(1.5, abs=1e-3), ("Wall",))
    assert rest(facts, "Wall").drop == 0


def test_all_of_it_turned_inside_out_is_the_same(viewer: Viewer) -> None:
    scene = "ground()\ncube('Low', (0, 0, 0.5), 1)\ncube('In', (0, 0, 1.15), 0.5)\ncube('Over', (3, 0, 0.8), 1)\n"
    flipped = "for each in bpy.data.objects:\n    each.data.flip_normals()\n"
    one, other = measured(viewer, scene), measured(viewer, scene + flipped)
    assert one.rests == other.rests
    assert [(c.a, c.b, c.gap, c.depth) for c in one.contacts] == [(c.a, c.b, c.gap, c.depth) for c in other.contacts]


def test_parts_belong_to_what_they_hang_on(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
ground()
top = cube('Table', (0, 0, 0.725), (1.4, 0.8, 0.05))
for index, (x, y) in enumerate(((-0.6, -0.3), (0.6, -0.3), (-0.6, 0.3), (0.6, 0.3))):
    leg = cube(f'Leg{index}', (x, y, 0.35), (0.06, 0.06, 0.7))
    leg.parent = top
    leg.matrix_parent_inverse = top.matrix_world.inverted()
group = bpy.data.objects.new('Stack', None)
bpy.context.scene.collection.objects.link(group)
for index in range(2):
    cube(f'Part{index}', (3, 0, 0.25 + 0.6 * index), 0.5).parent = group
""",
    )
    assert {each.name for each in facts.rests} == {"Ground", "Table", "Stack"}
    assert rest(facts, "Table").on == "Ground"
    assert rest(facts, "Table").drop == 0
    assert contact(facts, "Leg0", "Table") is None


def test_a_room_does_not_fall_onto_what_stands_in_it(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
room = cube('Room', (0, 0, 1.3), (4, 4, 2.6))
thick = room.modifiers.new('Solid', 'SOLIDIFY')
thick.thickness, thick.use_even_offset = 0.1, True
cube('Chair', (0, 0, 0.6), 1)
cube('Hat', (0, 0, 1.2), 0.2)
""",
    )
    assert (rest(facts, "Chair").on, rest(facts, "Hat").on) == ("Room", "Chair")
    assert (rest(facts, "Room").on, rest(facts, "Room").drop) == ("", None)
    assert rest(facts, "Chair").drop == 0


def test_what_the_camera_sees(viewer: Viewer) -> None:
    script = """
bpy.ops.object.camera_add(location=(0, -10, 0), rotation=(math.radians(90), 0, 0))
camera = bpy.context.object
bpy.context.scene.camera = camera
camera.data.type, camera.data.ortho_scale = 'ORTHO', 8
cube('Front', (-1, 0, 0), 2)
cube('Behind', (-0.5, 3, 0), (1, 1, 1))
cube('Half', (4, 0, 0), 2)
cube('Back', (0, -20, 0), 1)
cube('Pane', (2, -3, 0), (1, 0.1, 2))
glass = bpy.data.materials.new('glass')
glass.use_nodes = True
glass.node_tree.nodes['Principled BSDF'].inputs['Transmission Weight'].default_value = 1
bpy.data.objects['Pane'].data.materials.append(glass)
cube('BehindPane', (2, 3, 0), (0.5, 1, 1))
"""
    facts = viewer.facts(CUBE + script, Wanted(camera=(64, 48, 1)))
    whole = 8 * 6
    seen = {each.name: (each.pixels * whole, each.bare * whole, each.outside) for each in facts.things}
    assert seen["Front"] == pytest.approx((4, 4, 0), abs=0.2)
    assert seen["Behind"] == pytest.approx((0, 1, 0), abs=0.1)
    assert seen["Half"] == pytest.approx((2, 2, 0.5), abs=0.15)
    assert seen["Back"] == (0, 0, 1)
    assert seen["Pane"] == pytest.approx((2, 2, 0), abs=0.15)
    assert seen["BehindPane"] == pytest.approx((0.5, 0.5, 0), abs=0.1)


def test_without_a_camera_nothing_is_claimed(viewer: Viewer) -> None:
    facts = viewer.facts(CUBE + "cube('Cube', (0, 0, 0), 1)", Wanted(camera=(64, 48, 1)))
    assert facts.camera is None
    assert (facts.things[0].pixels, facts.things[0].bare, facts.things[0].outside) == (0, 0, 0)


def test_the_largest_are_measured_and_the_rest_is_counted(viewer: Viewer) -> None:
    facts = measured(
        viewer,
        """
made = cube('Cube', (0, 0, 0), 0.1)
for index in range(2100):
    copy = bpy.data.objects.new(f'Copy{index:04d}', made.data)
    copy.location = (index % 50, index // 50, 0)
    bpy.context.scene.collection.objects.link(copy)
cube('Large', (0, -9, 0), 3)
""",
    )
    assert len(facts.things) == 2000
    assert facts.left_out == 102
    assert any(each.name == "Large" for each in facts.things)


def test_numbers_are_the_same_each_time(viewer: Viewer) -> None:
    script = (
        CUBE + "ground()\nfor i in range(12):\n    ball(f'B{i}', (math.sin(i), math.cos(i * 2), 0.3 + i * 0.01), 0.3)\n"
    )
    assert viewer.facts(script) == viewer.facts(script)


@pytest.mark.parametrize("child", ["", "bpy.context.object.parent = ground\n"], ids=["apart", "child"])
def test_the_ground_does_not_rest_on_what_lies_on_it_because_it_has_a_child(viewer: Viewer, child: str) -> None:
    script = (
        "bpy.ops.mesh.primitive_plane_add(size=10)\n"
        "ground = bpy.context.object\nground.name = 'Ground'\n"
        "bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.005))\n"
        "bpy.context.object.name, bpy.context.object.scale = 'Blanket', (2, 1.5, 0.02)\n"
        "bpy.ops.mesh.primitive_cone_add(location=(3, 3, 1.0))\nbpy.context.object.name = 'Tree'\n"
    )
    facts = viewer.facts(script + child)
    assert rest(facts, "Ground").on == ""
    assert (rest(facts, "Blanket").on, rest(facts, "Blanket").drop) == ("Ground", 0.0)


def test_copies_of_a_mesh_are_measured_like_it(viewer: Viewer) -> None:
    script = (
        "bpy.ops.mesh.primitive_monkey_add()\nfirst = bpy.context.object\nfirst.name = 'A'\n"
        "copies = [('B', (3, 1, 0), 0.0), ('C', (6, 0, 0), 0.7)]\n"
        "for name, place, turn in copies:\n"
        "    copy = bpy.data.objects.new(name, first.data)\n"
        "    copy.location, copy.rotation_euler.z = place, turn\n"
        "    bpy.context.collection.objects.link(copy)\n"
        "    if SINGLE:\n        copy.data = first.data.copy()\n"
    )
    shared, single = (viewer.facts(f"SINGLE = {flag}\n{script}") for flag in (False, True))
    for name in "ABC":
        one, other = thing(shared, name), thing(single, name)
        assert one.box == other.box
        areas = [sum(shapely.Polygon(ring).area for ring in each.footprint) for each in (one, other)]
        assert areas[0] == pytest.approx(areas[1], rel=0.02)


@pytest.mark.timeout(300)
def test_thousands_of_objects_that_share_a_mesh_are_measured_in_seconds(viewer: Viewer) -> None:
    script = (
        "mesh = bpy.data.meshes.new('Stone')\nbm = bmesh.new()\nbmesh.ops.create_cube(bm, size=0.4)\nbm.to_mesh(mesh)\n"
        "for i in range(4000):\n"
        "    stone = bpy.data.objects.new(f'Stone {i}', mesh)\n"
        "    stone.location = (i % 100, i // 100, 0.2)\n"
        "    bpy.context.collection.objects.link(stone)\n"
    )
    viewer.blend(script)
    before = processor_time(viewer)
    facts = viewer.facts(script)
    assert processor_time(viewer) - before < 30  # it took minutes when each object asked for all others
    assert (len(facts.things), facts.left_out) == (2_000, 2_000)


def processor_time(viewer: Viewer) -> float:
    """Seconds of the viewer's processes so far."""
    found = 0.0
    for worker in viewer.box.pids(viewer_program(SETTINGS)):
        for pid in tree_of(worker):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found
