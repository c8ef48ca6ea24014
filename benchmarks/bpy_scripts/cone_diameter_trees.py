# change: bmesh create_cone diameter1 -> radius1 (3.0); also: matrix * vector
# holds: len(bpy.data.objects) == 3 and round(bpy.data.objects['Tree.0']['top'], 3) == 2.25
import bpy
import bmesh
from mathutils import Matrix, Vector


def tree(name, location, height):
    """A trunk and a crown in one mesh."""
    bm = bmesh.new()
    bmesh.ops.create_cone(
        bm,
        cap_ends=True,
        segments=8,
        diameter1=0.15,
        diameter2=0.1,
        depth=height,
        matrix=Matrix.Translation((0, 0, height / 2)),
    )
    bmesh.ops.create_cone(
        bm,
        cap_ends=True,
        segments=10,
        diameter1=height * 0.35,
        diameter2=0.0,
        depth=height,
        matrix=Matrix.Translation((0, 0, height)),
    )
    top = Matrix.Translation((0, 0, height)) * Vector((0, 0, height / 2))
    mesh = bpy.data.meshes.new(name)
    bm.to_mesh(mesh)
    bm.free()
    obj = bpy.data.objects.new(name, mesh)
    obj.location = location
    obj["top"] = top.z
    bpy.context.collection.objects.link(obj)


for n in range(3):
    tree("Tree.%d" % n, (n * 2.0, 0, 0), 1.5 + n * 0.5)
