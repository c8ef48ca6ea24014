# change: bmesh create_uvsphere(diameter=) -> radius= (3.0), extrude_face_region(faces=) -> geom=
# holds: len(bpy.data.objects['Bowl'].data.vertices) > 100
# names: radius
import bmesh
import bpy

mesh = bpy.data.meshes.new("Bowl")
bm = bmesh.new()
bmesh.ops.create_uvsphere(bm, u_segments=24, v_segments=12, diameter=0.2)
upper = [v for v in bm.verts if v.co.z > 0.01]
bmesh.ops.delete(bm, geom=upper, context=1)
bmesh.ops.extrude_face_region(bm, faces=bm.faces[:])
bm.to_mesh(mesh)
bm.free()
mesh.calc_normals()
bowl = bpy.data.objects.new("Bowl", mesh)
bpy.context.collection.objects.link(bowl)
