# Blender 2.83
# Scene: A 3D scatter plot of 90 small balls in three clusters (red, green, blue; the blue ones metallic) over a white base plate with three dark drawn axis lines and axis letters X Y Z, on a light grey background, lit by one sun.
# Old: material.diffuse_color with four numbers plus material.metallic (no nodes) -> red/green/blue balls in the render, grease pencil drawing with gpencil data (grease_pencils.new + frames.strokes.new + points.add + line_width) -> three dark axis lines, eevee.shadow_cascade_size and shadow_cube_size -> must not stop the script
import bpy
import random
from math import radians

random.seed(42)
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.shadow_cascade_size = '2048'
scene.eevee.shadow_cube_size = '1024'

CLUSTERS = {
    'setosa': ((1.0, 1.2, 1.0), (0.85, 0.05, 0.05, 1.0), 0.0),
    'versicolor': ((3.0, 2.0, 2.6), (0.05, 0.6, 0.1, 1.0), 0.0),
    'virginica': ((4.2, 4.0, 4.1), (0.05, 0.15, 0.85, 1.0), 0.6),
}

# one shared mesh, the material sits on the object slot
bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12, radius=0.13, location=(0, 0, -20))
proto = bpy.context.object
bpy.ops.object.shade_smooth()
proto.data.materials.append(None)

for name, (center, rgba, metallic) in CLUSTERS.items():
    coll = bpy.data.collections.new(name)
    scene.collection.children.link(coll)
    mat = bpy.data.materials.new(name)
    mat.diffuse_color = rgba
    mat.metallic = metallic
    mat.roughness = 0.35
    for i in range(30):
        ob = bpy.data.objects.new('%s_%02d' % (name, i), proto.data)
        ob.location = [random.gauss(c, 0.45) for c in center]
        ob.material_slots[0].link = 'OBJECT'
        ob.material_slots[0].material = mat
        coll.objects.link(ob)
bpy.data.objects.remove(proto)

# base plate
bpy.ops.mesh.primitive_plane_add(size=6, location=(2.5, 2.5, -0.5))
base = bpy.context.object
base_mat = bpy.data.materials.new('base')
base_mat.diffuse_color = (0.9, 0.9, 0.9, 1)
base.data.materials.append(base_mat)

# axes drawn with grease pencil
gp = bpy.data.grease_pencils.new('Axes')
ink = bpy.data.materials.new('Ink')
bpy.data.materials.create_gpencil_data(ink)
ink.grease_pencil.color = (0.05, 0.05, 0.05, 1)
gp.materials.append(ink)
layer = gp.layers.new('axes')
frame = layer.frames.new(1)
for end in ((5.5, -0.5, -0.45), (-0.5, 5.5, -0.45), (-0.5, -0.5, 5.5)):
    st = frame.strokes.new()
    st.display_mode = '3DSPACE'
    st.line_width = 60
    st.points.add(2)
    st.points[0].co = (-0.5, -0.5, -0.45)
    st.points[1].co = end
scene.collection.objects.link(bpy.data.objects.new('Axes', gp))

# axis letters
for letter, loc in (('X', (5.8, -0.6, -0.4)), ('Y', (-0.9, 5.6, -0.4)), ('Z', (-0.6, -0.6, 5.8))):
    cu = bpy.data.curves.new(letter, 'FONT')
    cu.body = letter
    cu.size = 0.6
    cu.materials.append(base_mat.copy())
    cu.materials[0].diffuse_color = (0.02, 0.02, 0.02, 1)
    t = bpy.data.objects.new(letter, cu)
    t.location = loc
    t.rotation_euler = (radians(70), 0, radians(40))
    scene.collection.objects.link(t)

bpy.ops.object.light_add(type='SUN', rotation=(radians(35), radians(20), 0))
bpy.context.object.data.energy = 3
scene.world.use_nodes = True
scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.7, 0.7, 0.72, 1)
bpy.ops.object.camera_add(location=(13, -11.5, 9), rotation=(radians(69), 0, radians(37)))
scene.camera = bpy.context.object
