# change: primitive_cube_add(radius=) -> size= (2.80)
# holds: [round(max(v.co.x for v in o.data.vertices), 2) for o in sorted(bpy.data.objects, key=lambda o: o.name)] == [1.0, 0.88, 0.76, 0.64, 0.52, 0.4]
import bpy

# a tower of cubes
height = 0.0
for i in range(6):
    r = 1.0 - i * 0.12
    bpy.ops.mesh.primitive_cube_add(radius=r, location=(0, 0, height + r))
    cube = bpy.context.object
    cube.name = "Level_%d" % i
    cube.rotation_euler[2] = i * 0.2
    height += 2 * r
