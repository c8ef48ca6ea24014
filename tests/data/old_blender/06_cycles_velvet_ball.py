# Blender 2.79
# Scene: A purple velvet ball on a golden round pedestal in front of a grey back wall, lit by a soft white area light from the upper left and a small orange point light on the right.
# Old: bpy.data.lamps.new -> an area and a point light, lamp.use_nodes with Emission Strength in watts (400 and 150) -> these brightnesses and not ten times as much (energy of the lamp multiplies now), scene.objects.link -> lights and camera in the scene, Matrix * Vector -> camera at the rotated place (left front), camera.dof_object and cycles.aperture_size -> focus on the ball and a slightly soft wall, ShaderNodeBsdfVelvet -> purple velvet sheen on the ball
import bpy
from mathutils import Matrix, Vector
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.samples = 128


def node_material(name, node_type, color, **inputs):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    tree = mat.node_tree
    tree.nodes.clear()
    out = tree.nodes.new('ShaderNodeOutputMaterial')
    out.location = (300, 0)
    bsdf = tree.nodes.new(node_type)
    bsdf.inputs['Color'].default_value = color + (1.0,)
    for key, val in inputs.items():
        bsdf.inputs[key].default_value = val
    tree.links.new(bsdf.outputs['BSDF'], out.inputs['Surface'])
    return mat


velvet = node_material('Velvet', 'ShaderNodeBsdfVelvet', (0.35, 0.05, 0.6), Sigma=0.7)
gold = node_material('Gold', 'ShaderNodeBsdfGlossy', (0.9, 0.6, 0.15), Roughness=0.15)
wall_mat = node_material('Wall', 'ShaderNodeBsdfDiffuse', (0.4, 0.4, 0.42))

bpy.ops.mesh.primitive_plane_add(location=(0, 0, 0))
floor = bpy.context.object
floor.scale = (12, 12, 1)
floor.data.materials.append(wall_mat)

bpy.ops.mesh.primitive_plane_add(location=(0, 5, 0), rotation=(radians(90), 0, 0))
wall = bpy.context.object
wall.scale = (12, 12, 1)
wall.data.materials.append(wall_mat)

bpy.ops.mesh.primitive_cylinder_add(vertices=64, location=(0, 0, 0.5))
base = bpy.context.object
base.scale = (1.1, 1.1, 0.5)
base.data.materials.append(gold)
bev = base.modifiers.new('Bevel', 'BEVEL')
bev.width = 0.05

bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, location=(0, 0, 2))
ball = bpy.context.object
ball.data.materials.append(velvet)
bpy.ops.object.shade_smooth()


def add_lamp(name, kind, loc, rgb, strength):
    lamp = bpy.data.lamps.new(name, kind)
    lamp.use_nodes = True
    em = lamp.node_tree.nodes['Emission']
    em.inputs['Color'].default_value = rgb + (1.0,)
    em.inputs['Strength'].default_value = strength
    ob = bpy.data.objects.new(name, lamp)
    ob.location = loc
    ob.rotation_euler = (Vector((0, 0, 1.5)) - Vector(loc)).to_track_quat('-Z', 'Y').to_euler()
    scene.objects.link(ob)
    return lamp


soft = add_lamp('Soft', 'AREA', (-4, -4, 6), (1.0, 1.0, 1.0), 400.0)
soft.size = 3.0
add_lamp('Orange', 'POINT', (3.5, -2, 2.5), (1.0, 0.45, 0.1), 150.0)

cam = bpy.data.cameras.new('Cam')
cam.lens = 40
cam.dof_object = ball
cam.cycles.aperture_type = 'RADIUS'
cam.cycles.aperture_size = 0.05
cam_ob = bpy.data.objects.new('Cam', cam)
cam_ob.location = Matrix.Rotation(radians(-20), 4, 'Z') * Vector((0, -9, 3))
cam_ob.rotation_euler = (Vector((0, 0, 1.5)) - cam_ob.location).to_track_quat('-Z', 'Y').to_euler()
scene.objects.link(cam_ob)
scene.camera = cam_ob
