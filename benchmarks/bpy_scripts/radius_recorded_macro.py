# change: primitive_cube_add(radius=) -> size= (2.80); also: view_align, layers
# holds: len(bpy.data.objects) == 3 and round(bpy.data.objects['Cube'].dimensions.x, 3) == 4 and round(bpy.data.objects['Plane'].dimensions.x, 3) == 10
import bpy

bpy.ops.mesh.primitive_cube_add(radius=1, view_align=False, enter_editmode=False, location=(0, 0, 0), layers=(True, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False))
bpy.ops.transform.resize(value=(2, 1, 0.5))
bpy.ops.mesh.primitive_uv_sphere_add(size=1, view_align=False, enter_editmode=False, location=(0, 0, 2), layers=(True, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False))
bpy.ops.object.shade_smooth()
bpy.ops.mesh.primitive_plane_add(radius=5, view_align=False, enter_editmode=False, location=(0, 0, -0.5), layers=(True, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False))
