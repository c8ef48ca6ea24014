# change: primitive_cube_add(radius=) -> size= (2.80); also: primitive_plane_add(radius=), material diffuse_color
# holds: len(bpy.data.objects) == 17 and round(bpy.data.objects['Ground'].dimensions.x, 3) == 20 and round(bpy.data.materials['Concrete'].diffuse_color[2], 3) == 0.55
import bpy
import random

random.seed(11)
BLOCKS = 4

mat = bpy.data.materials.new("Concrete")


def building(x, y):
    h = random.uniform(1.0, 4.0)
    bpy.ops.mesh.primitive_cube_add(
        radius=0.5,
        location=(x, y, h / 2),
    )
    ob = bpy.context.active_object
    ob.scale.z = h
    ob.data.materials.append(mat)
    return ob


for i in range(BLOCKS):
    for j in range(BLOCKS):
        building(i * 2.0, j * 2.0)

bpy.ops.mesh.primitive_plane_add(radius=10, location=(3, 3, 0))
bpy.context.active_object.name = "Ground"
mat.diffuse_color = (0.5, 0.5, 0.55)
