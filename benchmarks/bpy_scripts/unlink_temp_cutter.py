# change: scene.objects.unlink -> collection/data.remove (2.80); also: modifier_apply(apply_as=)
# holds: len(bpy.context.scene.objects) == 2 and bpy.data.objects['Base'].modifiers['hole'].object
import bpy

bpy.ops.mesh.primitive_cube_add(location=(0, 0, 0))
base = bpy.context.object
base.name = "Base"

bpy.ops.mesh.primitive_cylinder_add(radius=0.5, depth=3, location=(0, 0, 0))
cutter = bpy.context.object

mod = base.modifiers.new("hole", 'BOOLEAN')
mod.operation = 'DIFFERENCE'
mod.object = cutter

bpy.context.scene.objects.unlink(cutter)

bpy.ops.mesh.primitive_plane_add(location=(0, 0, -1))
bpy.context.object.scale = (4, 4, 1)
