# Blender 3.1
# bmesh crates with edge creases + joining with a context override
import bpy
import bmesh
from mathutils import Matrix, Vector


def clear():
    for ob in list(bpy.context.scene.objects):
        bpy.data.objects.remove(ob, do_unlink=True)


def crate(name, loc, size=1.0, crease=0.8):
    me = bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=size)
    ret = bmesh.ops.inset_individual(bm, faces=bm.faces[:], thickness=size * 0.12, depth=-size * 0.05)
    cr = bm.edges.layers.crease.verify()
    bw = bm.edges.layers.bevel_weight.verify()
    for e in bm.edges:
        if e.calc_face_angle(0) > 1.0:
            e[cr] = crease
            e[bw] = 1.0
    bm.normal_update()
    bm.to_mesh(me)
    bm.free()
    me.use_customdata_edge_crease = True
    me.use_customdata_edge_bevel = True
    me.calc_normals()
    me.update()
    ob = bpy.data.objects.new(name, me)
    ob.location = loc
    bpy.context.collection.objects.link(ob)
    return ob


clear()
positions = [(-1.1, 0, 0.5), (0, 0, 0.5), (1.1, 0, 0.5), (-0.55, 0, 1.55), (0.55, 0.1, 1.55), (0, 0, 2.6)]
crates = [crate("Crate.%d" % i, p) for i, p in enumerate(positions)]
bpy.context.view_layer.update()

# top crate: also harden a couple of edges directly on the mesh
for e in crates[-1].data.edges:
    if e.crease < 0.1:
        e.crease = 0.25

# join them all, no selection needed
ctx = bpy.context.copy()
ctx["object"] = crates[0]
ctx["active_object"] = crates[0]
ctx["selected_objects"] = crates
ctx["selected_editable_objects"] = crates
bpy.ops.object.join(ctx)

stack = crates[0]
sub = stack.modifiers.new("Subsurf", 'SUBSURF')
sub.levels = 2
sub.render_levels = 3
sub.use_creases = True

wood = bpy.data.materials.new("Wood")
wood.use_nodes = True
wood.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.32, 0.16, 0.06, 1)
stack.data.materials.append(wood)

bpy.ops.mesh.primitive_plane_add(size=15)

lamp = bpy.data.lights.new("Key", 'SPOT')
lamp.energy = 800
lamp.spot_size = 1.2
lamp_ob = bpy.data.objects.new("Key", lamp)
lamp_ob.matrix_world = Matrix.Translation((3, -4, 6)) @ Vector((3, -4, 5)).to_track_quat('Z', 'Y').to_matrix().to_4x4()
bpy.context.collection.objects.link(lamp_ob)

cam_ob = bpy.data.objects.new("Cam", bpy.data.cameras.new("Cam"))
cam_ob.location = (0, -8, 2.2)
cam_ob.rotation_euler = (1.48, 0, 0)
bpy.context.collection.objects.link(cam_ob)
bpy.context.scene.camera = cam_ob
