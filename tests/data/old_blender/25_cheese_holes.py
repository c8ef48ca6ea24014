# Blender 3.5
# Scene: A yellow wedge of cheese full of round holes on a grey wooden-looking board, beside it a small grey mouse made of spheres with pink ears, soft white world, lit by a sun.
# Old: boolean modifier solver 'FAST' -> nine holes are cut into the wedge, shade_smooth(use_auto_smooth=True, auto_smooth_angle=) -> holes smooth and wedge edges hard, Principled 'Subsurface' -> slightly translucent cheese, eevee.use_ssr -> must not stop the script (reflections), eevee.use_gtao -> must not stop the script
import bpy
import bmesh
import random
from math import radians

random.seed(3)

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_ssr = True
scene.eevee.use_gtao = True


def make_mat(name, rgba, sss=0.0, rough=0.5):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes['Principled BSDF']
    bsdf.inputs['Base Color'].default_value = rgba
    bsdf.inputs['Roughness'].default_value = rough
    bsdf.inputs['Subsurface'].default_value = sss
    return mat


cheese_mat = make_mat('Cheese', (0.95, 0.65, 0.1, 1), 0.25, 0.4)
grey = make_mat('Mouse', (0.25, 0.25, 0.27, 1), 0.0, 0.9)
pink = make_mat('Pink', (0.9, 0.4, 0.45, 1))
black = make_mat('Black', (0.01, 0.01, 0.01, 1), 0.0, 0.2)
board_mat = make_mat('Board', (0.4, 0.36, 0.33, 1), 0.0, 0.7)

# wedge
bm = bmesh.new()
bottom = [bm.verts.new(co) for co in ((-2, -0.9, 0), (2, -0.9, 0), (-2, 1.8, 0))]
top = [bm.verts.new((v.co.x, v.co.y, 1.5)) for v in bottom]
bm.faces.new(bottom[::-1])
bm.faces.new(top)
for i in range(3):
    j = (i + 1) % 3
    bm.faces.new((bottom[i], bottom[j], top[j], top[i]))
me = bpy.data.meshes.new('Cheese')
bm.to_mesh(me)
bm.free()
cheese = bpy.data.objects.new('Cheese', me)
scene.collection.objects.link(cheese)
me.materials.append(cheese_mat)

# holes
for i in range(9):
    x = -1.8 + 0.42 * i
    z = random.uniform(0.3, 1.3)
    y = -0.9 if i % 3 else random.uniform(-0.5, 0.2)
    if i % 3 == 0:
        z = 1.5
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=random.uniform(0.15, 0.32), location=(x, y, z))
    cutter = bpy.context.object
    mod = cheese.modifiers.new('Hole', 'BOOLEAN')
    mod.operation = 'DIFFERENCE'
    mod.solver = 'FAST'
    mod.object = cutter
    bpy.context.view_layer.objects.active = cheese
    bpy.ops.object.modifier_apply(modifier=mod.name)
    bpy.data.objects.remove(cutter)

bpy.ops.object.select_all(action='DESELECT')
cheese.select_set(True)
bpy.context.view_layer.objects.active = cheese
bpy.ops.object.shade_smooth(use_auto_smooth=True, auto_smooth_angle=radians(30))

# mouse: (location, radius, stretch, material)
for loc, r, sx, m in (((2.3, -1.6, 0.45), 0.45, 1.5, grey), ((1.6, -1.75, 0.6), 0.3, 1.3, grey),
                      ((1.7, -1.6, 0.95), 0.17, 0.5, pink), ((1.7, -1.95, 0.95), 0.17, 0.5, pink),
                      ((1.22, -1.78, 0.58), 0.06, 1, black), ((1.42, -1.98, 0.7), 0.04, 1, black)):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=r, location=loc)
    bpy.context.object.scale.x = sx
    bpy.ops.object.shade_smooth()
    bpy.context.object.data.materials.append(m)

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, -0.15))
bpy.context.object.scale = (9, 6, 0.3)
bpy.context.object.data.materials.append(board_mat)
bpy.ops.object.light_add(type='SUN', rotation=(radians(35), radians(-25), 0))
bpy.context.object.data.energy = 2.5
scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.8, 0.8, 0.8, 1)
bpy.ops.object.camera_add(location=(1, -8.5, 4.2), rotation=(radians(66), 0, radians(5)))
scene.camera = bpy.context.object
