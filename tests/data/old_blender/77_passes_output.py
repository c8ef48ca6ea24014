# Blender 4.5
# Dataset helper: render RGB + depth + albedo + object index to separate files
import bpy
import random
import math


def reset():
    bpy.ops.object.select_all(action='SELECT')
    bpy.ops.object.delete()
    bpy.ops.outliner.orphans_purge(do_recursive=True)


def add_random_objects(n=8, seed=0):
    rnd = random.Random(seed)
    ops = [bpy.ops.mesh.primitive_cube_add, bpy.ops.mesh.primitive_uv_sphere_add,
           bpy.ops.mesh.primitive_cone_add, bpy.ops.mesh.primitive_torus_add]
    for i in range(n):
        rnd.choice(ops)(location=(rnd.uniform(-4, 4), rnd.uniform(-3, 5), 1))
        ob = bpy.context.object
        ob.scale = [rnd.uniform(0.4, 0.8)] * 3
        ob.pass_index = i + 1
        mat = bpy.data.materials.new(f"mat_{i}")
        mat.use_nodes = True
        bsdf = mat.node_tree.nodes["Principled BSDF"]
        bsdf.inputs["Base Color"].default_value = (rnd.random(), rnd.random(), rnd.random(), 1)
        ob.data.materials.append(mat)
    bpy.ops.mesh.primitive_plane_add(size=30)


def setup_passes(out_dir):
    scene = bpy.context.scene
    vl = scene.view_layers["ViewLayer"]
    vl.use_pass_z = True
    vl.use_pass_diffuse_color = True
    vl.use_pass_object_index = True

    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    rl = tree.nodes.new("CompositorNodeRLayers")
    comp = tree.nodes.new("CompositorNodeComposite")
    norm = tree.nodes.new("CompositorNodeNormalize")
    ramp = tree.nodes.new("CompositorNodeValToRGB")
    ramp.color_ramp.elements[0].color = (1, 1, 1, 1)
    ramp.color_ramp.elements[1].color = (0, 0, 0, 1)
    div = tree.nodes.new("CompositorNodeMath")
    div.operation = 'DIVIDE'
    div.inputs[1].default_value = 255.0

    fo = tree.nodes.new("CompositorNodeOutputFile")
    fo.base_path = out_dir
    fo.format.file_format = 'PNG'
    fo.format.color_depth = '16'
    fo.file_slots[0].path = "depth_"
    fo.file_slots.new("albedo_")
    fo.file_slots.new("index_")

    tree.links.new(rl.outputs["Image"], comp.inputs["Image"])
    tree.links.new(rl.outputs["Depth"], norm.inputs[0])
    tree.links.new(norm.outputs[0], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], fo.inputs[0])
    tree.links.new(rl.outputs["DiffCol"], fo.inputs[1])
    tree.links.new(rl.outputs["IndexOB"], div.inputs[0])
    tree.links.new(div.outputs[0], fo.inputs[2])


reset()
add_random_objects(seed=42)
bpy.ops.object.light_add(type='SUN', location=(0, 0, 10), rotation=(math.radians(35), 0.2, 0))
bpy.context.object.data.energy = 3
bpy.ops.object.camera_add(location=(0, -12, 6), rotation=(math.radians(65), 0, 0))
bpy.context.scene.camera = bpy.context.object
bpy.context.scene.camera.data.clip_end = 60
setup_passes("//dataset/")
bpy.context.scene.render.engine = 'CYCLES'
bpy.context.scene.cycles.samples = 32
