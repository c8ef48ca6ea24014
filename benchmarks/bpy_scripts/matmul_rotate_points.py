# change: matrix * vector -> @ (2.80); also: matrix * matrix
# holds: round(bpy.data.objects['Stone.0'].location.y, 3) == 1.5 and len({tuple(round(v, 2) for v in o.location) for o in bpy.data.objects}) == 12
import bpy
from math import radians
from mathutils import Matrix, Vector

turn = Matrix.Rotation(radians(30), 4, 'Z')
move = Matrix.Translation((2, 0, 0))

for i in range(12):
    pos = turn * Vector((3, 0, 0))
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=pos)
    bpy.context.object.name = "Stone.%d" % i
    turn = Matrix.Rotation(radians(30), 4, 'Z') * turn

last = bpy.context.object
last.matrix_world = move * last.matrix_world
