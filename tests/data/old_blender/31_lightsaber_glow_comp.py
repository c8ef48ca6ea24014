# Blender 4.3
# Scene: Two crossed glowing sabers (blue and red blades with metal grips) before a black back wall on a dark shiny floor, with a soft glow around the blades made by the compositor; only the blades and one very dim area light shine.
# Old: scene.use_nodes with scene.node_tree -> compositor tree is used for the render, CompositorNodeComposite -> compositor output, glare.glare_type 'FOG_GLOW' with quality/threshold/size/mix as properties -> glow around the blades, render.engine 'BLENDER_EEVEE_NEXT' -> EEVEE
import bpy
import math
from mathutils import Vector

bpy.ops.wm.read_factory_settings(use_empty=True)

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE_NEXT'
scene.eevee.use_raytracing = True


def make_material(name, base=(0.8, 0.8, 0.8), metallic=0.0, roughness=0.5, emission=None, strength=0.0):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes.get("Principled BSDF")
    bsdf.inputs["Base Color"].default_value = (*base, 1.0)
    bsdf.inputs["Metallic"].default_value = metallic
    bsdf.inputs["Roughness"].default_value = roughness
    if emission:
        bsdf.inputs["Emission Color"].default_value = (*emission, 1.0)
        bsdf.inputs["Emission Strength"].default_value = strength
    return mat


metal = make_material("Grip", (0.5, 0.5, 0.52), 1.0, 0.3)
dark = make_material("Dark", (0.01, 0.01, 0.012), 0.0, 0.9)
shiny = make_material("Floor", (0.02, 0.02, 0.025), 0.0, 0.1)


def saber(name, color, angle_deg, y):
    root = bpy.data.objects.new(name, None)
    scene.collection.objects.link(root)
    blade_mat = make_material(name + "Blade", (0, 0, 0), emission=color, strength=12.0)
    for part, radius, depth, z, mat in (("Blade", 0.05, 3.0, 1.9, blade_mat), ("Grip", 0.08, 0.8, 0.0, metal)):
        bpy.ops.mesh.primitive_cylinder_add(vertices=32, radius=radius, depth=depth, location=(0, 0, z))
        ob = bpy.context.active_object
        ob.name = f"{name}_{part}"
        ob.data.materials.append(mat)
        ob.parent = root
    root.location = (math.sin(math.radians(-angle_deg)) * 1.6, y, 0.6)
    root.rotation_euler = (0, math.radians(angle_deg), 0)


saber("Blue", (0.05, 0.25, 1.0), 35, 0.0)
saber("Red", (1.0, 0.03, 0.03), -35, 0.15)

bpy.ops.mesh.primitive_plane_add(size=20, location=(0, 0, 0))
bpy.context.active_object.data.materials.append(shiny)
bpy.ops.mesh.primitive_plane_add(size=20, location=(0, 3, 5), rotation=(math.pi / 2, 0, 0))
bpy.context.active_object.data.materials.append(dark)

light = bpy.data.lights.new("Dim", 'AREA')
light.energy = 25
light.size = 2
light_ob = bpy.data.objects.new("Dim", light)
light_ob.location = (-3, -4, 5)
light_ob.rotation_euler = (Vector((0, 0, 1)) - light_ob.location).to_track_quat('-Z', 'Y').to_euler()
scene.collection.objects.link(light_ob)

world = bpy.data.worlds.new("World")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0, 0, 0, 1)
scene.world = world

cam = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
cam.location = (0, -9, 1.9)
cam.rotation_euler = (math.radians(90), 0, 0)
scene.collection.objects.link(cam)
scene.camera = cam

# --- compositor: glow
scene.use_nodes = True
tree = scene.node_tree
tree.nodes.clear()
rl = tree.nodes.new('CompositorNodeRLayers')
glare = tree.nodes.new('CompositorNodeGlare')
glare.glare_type = 'FOG_GLOW'
glare.quality = 'HIGH'
glare.threshold = 0.8
glare.size = 8
glare.mix = 0.0
comp = tree.nodes.new('CompositorNodeComposite')
tree.links.new(rl.outputs['Image'], glare.inputs['Image'])
tree.links.new(glare.outputs['Image'], comp.inputs['Image'])
