# Blender 2.91
# hex nut: bmesh with bevel weights + creases, auto smooth and custom split normals
import bpy, bmesh
from math import radians, pi
from mathutils import Vector

col = bpy.context.collection
for o in bpy.data.objects[:]:
    bpy.data.objects.remove(o)

bm = bmesh.new()
bmesh.ops.create_cone(bm, cap_ends=True, cap_tris=False, segments=6,
                      diameter1=1.0, diameter2=1.0, depth=0.7)

# hole rims: inset the caps then bridge
caps = [f for f in bm.faces if len(f.verts) == 6]
bmesh.ops.inset_individual(bm, faces=caps, thickness=0.35, depth=0)
bmesh.ops.delete(bm, geom=caps, context='FACES_ONLY')
rims = [e for e in bm.edges if e.is_boundary]
bmesh.ops.bridge_loops(bm, edges=rims)
bmesh.ops.recalc_face_normals(bm, faces=bm.faces)

bw = bm.edges.layers.bevel_weight.verify()
cr = bm.edges.layers.crease.verify()
for e in bm.edges:
    if e.calc_length() > 0.9:
        e[bw] = 1.0
    if abs(e.verts[0].co.z - e.verts[1].co.z) > 0.5:
        e[cr] = 0.8
for f in bm.faces:
    f.smooth = True

me = bpy.data.meshes.new('Nut')
bm.to_mesh(me)
bm.free()

me.use_auto_smooth = True
me.auto_smooth_angle = radians(35)
# tint by split normal
me.calc_normals_split()
vc = me.vertex_colors.new(name='NormalTint')
for i, loop in enumerate(me.loops):
    n = loop.normal
    vc.data[i].color = (n.x * .5 + .5, n.y * .5 + .5, n.z * .5 + .5, 1.0)
# push all normals a bit upwards
me.normals_split_custom_set([(l.normal + Vector((0, 0, .2))).normalized() for l in me.loops])
me.free_normals_split()
mat = bpy.data.materials.new('Tint')
mat.use_nodes = True
vn = mat.node_tree.nodes.new('ShaderNodeVertexColor')
vn.layer_name = 'NormalTint'
mat.node_tree.links.new(vn.outputs['Color'], mat.node_tree.nodes['Principled BSDF'].inputs['Base Color'])
me.materials.append(mat)
for i in range(3):
    ob = bpy.data.objects.new('Nut', me)
    ob.location = (i * 2.2 - 2.2, 0, 0)
    ob.rotation_euler = (i * pi / 6, 0, i * 0.3)
    col.objects.link(ob)
    m = ob.modifiers.new('Bevel', 'BEVEL')
    m.limit_method = 'WEIGHT'
    m.width = 0.06
    m.segments = 3
light = bpy.data.objects.new('L', bpy.data.lights.new('L', 'AREA'))
light.data.energy, light.data.size = 400, 3
light.location = (0, 0, 5)
col.objects.link(light)
cam = bpy.data.objects.new('C', bpy.data.cameras.new('C'))
cam.location, cam.rotation_euler = (0, -7, 4), (radians(60), 0, 0)
col.objects.link(cam)
bpy.context.scene.camera = cam
