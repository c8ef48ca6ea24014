# Blender 4.2
# Scene: A glass aquarium box half filled with transparent turquoise water, in it three orange fish (stretched balls with tail cones), white gravel and two green plants, on a dark brown cabinet, lit by a bright area light above the tank and a dim grey world.
# Old: render.engine 'BLENDER_EEVEE_NEXT' -> EEVEE, material.shadow_method 'NONE' -> glass and water throw no dark shadow, material.use_screen_refraction -> refraction through the water
import bpy
import math
import random

random.seed(11)

# Clear existing objects
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE_NEXT'
scene.eevee.use_raytracing = True


def new_material(name, color, roughness=0.5, transmission=0.0, alpha=1.0, ior=1.45):
    mat = bpy.data.materials.new(name=name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Base Color"].default_value = color
    bsdf.inputs["Roughness"].default_value = roughness
    bsdf.inputs["Transmission Weight"].default_value = transmission
    bsdf.inputs["Alpha"].default_value = alpha
    bsdf.inputs["IOR"].default_value = ior
    if transmission > 0 or alpha < 1:
        mat.blend_method = 'BLEND'
        mat.shadow_method = 'NONE'
        mat.use_screen_refraction = True
    return mat


glass = new_material("Glass", (0.95, 1.0, 0.98, 1), 0.0, 1.0, 0.3)
water = new_material("Water", (0.3, 0.9, 0.85, 1), 0.0, 1.0, 0.35, 1.33)
orange = new_material("Fish", (1.0, 0.35, 0.03, 1), 0.3)
gravel = new_material("Gravel", (0.85, 0.83, 0.78, 1), 0.9)
plant = new_material("Plant", (0.05, 0.5, 0.1, 1), 0.6)
cabinet = new_material("Cabinet", (0.12, 0.06, 0.03, 1), 0.5)


def add_box(name, loc, dims, mat):
    bpy.ops.mesh.primitive_cube_add(size=1, location=loc)
    ob = bpy.context.active_object
    ob.name = name
    ob.scale = dims
    ob.data.materials.append(mat)
    return ob


add_box("Cabinet", (0, 0, -0.5), (5, 2.6, 1), cabinet)
add_box("Gravel", (0, 0, 0.15), (3.9, 1.9, 0.2), gravel)
add_box("Water", (0, 0, 0.9), (3.9, 1.9, 1.3), water)
# four panes
for x, y, dx, dy in ((0, -1, 4, 0.05), (0, 1, 4, 0.05), (-2, 0, 0.05, 2), (2, 0, 0.05, 2)):
    add_box("Pane", (x, y, 1.1), (dx, dy, 2.1), glass)

for x, y, z in ((-1.1, 0.1, 0.9), (0.2, -0.4, 1.15), (1.2, 0.3, 0.75)):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.2, location=(x, y, z))
    body = bpy.context.active_object
    body.name = "Fish"
    body.scale = (1.7, 0.6, 1.0)
    body.data.materials.append(orange)
    bpy.ops.object.shade_smooth()
    bpy.ops.mesh.primitive_cone_add(vertices=16, radius1=0.18, depth=0.28, location=(x + 0.4, y, z),
                                    rotation=(0, math.radians(-90), 0))
    bpy.context.active_object.scale = (1, 0.4, 1)
    bpy.context.active_object.data.materials.append(orange)

for x in (-1.5, 1.6):
    for k in range(7):
        bpy.ops.mesh.primitive_cone_add(vertices=8, radius1=0.07, depth=random.uniform(0.6, 1.1),
                                        location=(x + random.uniform(-0.2, 0.2), 0.5 + random.uniform(-0.2, 0.2), 0.6),
                                        rotation=(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0))
        bpy.context.active_object.data.materials.append(plant)

bpy.ops.object.light_add(type='AREA', location=(0, 0, 4))
bpy.context.active_object.data.energy = 250
bpy.context.active_object.data.size = 3
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.12, 0.12, 0.14, 1)
bpy.ops.object.camera_add(location=(0, -8, 2.4), rotation=(math.radians(80), 0, 0))
scene.camera = bpy.context.active_object
