# Blender 4.5
"""Here's the complete script! It makes a row of dominoes with holes (boolean), a rigid body
simulation, an adaptive-displacement table, and marks the domino as an asset."""
import bpy
import math


def enable_gpu(scene):
    """Turn on every Cycles device we can find."""
    prefs = bpy.context.preferences.addons["cycles"].preferences
    prefs.get_devices()
    for d in prefs.devices:
        d["use"] = 1
        print(d["name"], d["use"])
    scene.render.engine = 'CYCLES'
    scene.cycles.device = "GPU"
    scene["cycles"]["samples"] = 64


def make_domino():
    bpy.ops.mesh.primitive_cylinder_add(radius=0.12, depth=1, location=(0, 0, 0.7),
                                        rotation=(0, math.pi / 2, 0))
    cutter = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
    domino = bpy.context.object
    domino.name = "Domino"
    domino.scale = (0.12, 0.5, 1)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    b = domino.modifiers.new("Hole", 'BOOLEAN')
    b.operation = 'DIFFERENCE'
    b.solver = 'FAST'
    b.object = cutter
    bpy.ops.object.modifier_apply(modifier=b.name)
    bpy.data.objects.remove(cutter, do_unlink=True)
    domino.asset_mark()
    domino.asset_data.description = "Domino with hole"
    return domino


def make_table():
    bpy.ops.mesh.primitive_plane_add(size=14)
    table = bpy.context.object
    bpy.ops.rigidbody.object_add(type='PASSIVE')
    sub = table.modifiers.new("Subdivision", 'SUBSURF')
    sub.subdivision_type = 'SIMPLE'
    table.cycles.use_adaptive_subdivision = True
    table.cycles.dicing_rate = 2.0
    mat = bpy.data.materials.new("Table")
    mat.use_nodes = True
    mat.displacement_method = 'BOTH'
    nt = mat.node_tree
    tex, disp = nt.nodes.new("ShaderNodeTexNoise"), nt.nodes.new("ShaderNodeDisplacement")
    disp.inputs["Scale"].default_value = 0.02
    nt.links.new(tex.outputs["Fac"], disp.inputs["Height"])
    nt.links.new(disp.outputs[0], nt.nodes["Material Output"].inputs["Displacement"])
    table.data.materials.append(mat)


scene = bpy.context.scene
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()
scene.cycles.feature_set = 'EXPERIMENTAL'
enable_gpu(scene)
make_table()
first = make_domino()
for i in range(9):
    o = first if i == 0 else first.copy()
    if i:
        scene.collection.objects.link(o)
    o.location.x = -3 + i * 0.6
    bpy.context.view_layer.objects.active = o
    bpy.ops.rigidbody.object_add()
first.rotation_euler.y = math.radians(14)
scene.rigidbody_world.point_cache.frame_end = 150

bpy.ops.object.light_add(type='AREA', location=(2, -3, 6), rotation=(0.45, 0.3, 0))
bpy.context.object.data.energy = 500
bpy.ops.object.camera_add(location=(0, -9, 4), rotation=(math.radians(68), 0, 0))
scene.camera = bpy.context.object
