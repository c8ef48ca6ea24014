# Blender 2.80
# Scene: Three clear glass tumblers tinted blue, amber and green on a pale wooden table, with three red spheres behind them, lit by a large area light from above and a grey-blue world.
# Old: Principled 'Transmission' -> see-through tinted glass, material.use_screen_refraction with refraction_depth -> background refracts through the glass in EEVEE, material.shadow_method 'NONE' -> glasses must not throw black shadows, eevee.use_ssr with use_ssr_refraction -> reflections and refraction are on, lightprobe_add(type='CUBEMAP') -> a reflection probe around the table
import bpy
import math


def clear_scene():
    bpy.ops.object.select_all(action='SELECT')
    bpy.ops.object.delete()
    for block in (bpy.data.meshes, bpy.data.materials, bpy.data.lights):
        for item in list(block):
            if item.users == 0:
                block.remove(item)


def glass_material(name, color):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    mat.use_screen_refraction = True
    mat.refraction_depth = 0.1
    mat.blend_method = 'OPAQUE'
    mat.shadow_method = 'NONE'
    p = mat.node_tree.nodes['Principled BSDF']
    p.inputs['Base Color'].default_value = color
    p.inputs['Roughness'].default_value = 0.02
    p.inputs['Transmission'].default_value = 1.0
    p.inputs['IOR'].default_value = 1.45
    return mat


def plain_material(name, color, rough):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    p = mat.node_tree.nodes['Principled BSDF']
    p.inputs['Base Color'].default_value = color
    p.inputs['Roughness'].default_value = rough
    return mat


def tumbler(x, mat):
    bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=0.55, depth=1.5, end_fill_type='NOTHING', location=(x, 0, 0.76))
    ob = bpy.context.active_object
    ob.name = 'Tumbler_' + mat.name
    solid = ob.modifiers.new('Wall', 'SOLIDIFY')
    solid.thickness = 0.07
    bpy.ops.object.shade_smooth()
    ob.data.materials.append(mat)
    bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=0.54, depth=0.12, location=(x, 0, 0.07))
    bottom = bpy.context.active_object
    bottom.data.materials.append(mat)
    bottom.parent = ob
    bottom.matrix_parent_inverse = ob.matrix_world.inverted()


clear_scene()
scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_ssr = True
scene.eevee.use_ssr_refraction = True
scene.eevee.taa_render_samples = 64

tumbler(-1.6, glass_material('Blue', (0.35, 0.55, 1.0, 1)))
tumbler(0.0, glass_material('Amber', (1.0, 0.65, 0.15, 1)))
tumbler(1.6, glass_material('Green', (0.4, 1.0, 0.5, 1)))

wood = plain_material('Table', (0.65, 0.45, 0.28, 1), 0.6)
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0.5, -0.1))
bpy.context.object.scale = (8, 5, 0.2)
bpy.context.object.data.materials.append(wood)

red = plain_material('Red', (0.8, 0.03, 0.03, 1), 0.3)
for x in (-1.4, 0.2, 1.8):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.35, location=(x, 1.8, 0.35))
    bpy.ops.object.shade_smooth()
    bpy.context.object.data.materials.append(red)

bpy.ops.object.lightprobe_add(type='CUBEMAP', location=(0, 0, 1.2))
bpy.context.object.data.influence_distance = 4

bpy.ops.object.light_add(type='AREA', location=(0, -1, 5))
bpy.context.object.data.energy = 350
bpy.context.object.data.size = 4

scene.world.use_nodes = True
scene.world.node_tree.nodes['Background'].inputs['Color'].default_value = (0.25, 0.3, 0.4, 1)

bpy.ops.object.camera_add(location=(0, -6.5, 2.6), rotation=(math.radians(75), 0, 0))
scene.camera = bpy.context.object
