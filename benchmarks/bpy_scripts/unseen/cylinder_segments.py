# change: primitive_cylinder_add(segments=) -> vertices=
# holds: len(bpy.data.objects['Leg0'].data.vertices) == 32 and len(bpy.data.objects) == 5
# names: vertices
import bpy


def leg(index, x, y):
    bpy.ops.mesh.primitive_cylinder_add(segments=16, radius=0.03, depth=0.7, location=(x, y, 0.35))
    bpy.context.object.name = f"Leg{index}"


for i, (x, y) in enumerate([(-0.5, -0.3), (0.5, -0.3), (0.5, 0.3), (-0.5, 0.3)]):
    leg(i, x, y)
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.725), scale=(1.2, 0.8, 0.05))
bpy.context.object.name = "Top"
