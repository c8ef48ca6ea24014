# Blender 4.0
# little house, box UVs by hand in bmesh, roof loops selected + pinned so you can see them in the UV editor
import bpy, bmesh
from mathutils import Vector

for ob in bpy.data.objects: bpy.data.objects.remove(ob)

me = bpy.data.meshes.new('house')
house = bpy.data.objects.new('house', me)
bpy.context.collection.objects.link(house)

bm = bmesh.new()
base = [bm.verts.new(c) for c in ((-2, -1.5, 0), (2, -1.5, 0), (2, 1.5, 0), (-2, 1.5, 0))]
top = [bm.verts.new(v.co + Vector((0, 0, 2))) for v in base]
r0, r1 = bm.verts.new((-2, 0, 3.4)), bm.verts.new((2, 0, 3.4))
bm.faces.new(base[::-1])
bm.faces.new((base[0], base[1], top[1], top[0]))
bm.faces.new((base[2], base[3], top[3], top[2]))
bm.faces.new((base[1], base[2], top[2], r1, top[1]))
bm.faces.new((base[3], base[0], top[0], r0, top[3]))
roof = [bm.faces.new((top[0], top[1], r1, r0)), bm.faces.new((top[2], top[3], r0, r1))]
for f in roof:
    f.material_index = 1
bm.normal_update()

# box mapping
uv = bm.loops.layers.uv.verify()
for f in bm.faces:
    n = f.normal
    axis = max(range(3), key=lambda i: abs(n[i]))
    a, b = [i for i in range(3) if i != axis]
    for loop in f.loops:
        loop[uv].uv = (loop.vert.co[a] * 0.25 + 0.5, loop.vert.co[b] * 0.25)
        loop[uv].select = f in roof
        loop[uv].select_edge = f in roof
        loop[uv].pin_uv = f in roof

# 4.0: crease / bevel weight are plain float layers now
crease = bm.edges.layers.float.new('crease_edge')
bevel = bm.edges.layers.float.new('bevel_weight_edge')
for e in bm.edges:
    e[crease] = 0.9
    e[bevel] = 1.0 if r0 in e.verts and r1 in e.verts else 0.3
bm.to_mesh(me)
bm.free()

sel = sum(l.select for l in me.uv_layers.active.data)
print('selected uvs:', sel)

bev = house.modifiers.new('bev', 'BEVEL')
bev.limit_method = 'WEIGHT'
bev.width = 0.15
bev.segments = 3
me.use_auto_smooth = True

for name, col in (('wall', (.85, .8, .7, 1)), ('roof', (.4, .07, .04, 1))):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    nt = m.node_tree
    chk = nt.nodes.new('ShaderNodeTexChecker')
    chk.inputs['Scale'].default_value = 16
    chk.inputs['Color1'].default_value = col
    nt.links.new(chk.outputs[0], nt.nodes['Principled BSDF'].inputs[0])
    me.materials.append(m)

w = bpy.context.scene.world or bpy.data.worlds.new('World')
bpy.context.scene.world = w
w.use_nodes = True
sky = w.node_tree.nodes.new('ShaderNodeTexSky')   # nishita is the default
sky.sky_type = 'NISHITA'
sky.sun_disc = False
sky.ozone_density = 2
bg = w.node_tree.nodes['Background']
bg.inputs[1].default_value = .2
w.node_tree.links.new(sky.outputs[0], bg.inputs[0])

bpy.ops.object.light_add(type='SUN', rotation=(.7, .3, .5))
bpy.ops.object.camera_add(location=(7, -8, 5), rotation=(1.15, 0, .72))
bpy.context.scene.camera = bpy.context.object
bpy.context.scene.render.engine = 'CYCLES'
