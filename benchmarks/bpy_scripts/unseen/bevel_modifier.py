# change: BevelModifier.use_only_vertices -> affect (2.90), modifier_apply(apply_as=) removed (2.90)
# holds: len(bpy.data.objects['Box'].data.vertices) > 8 and not bpy.data.objects['Box'].modifiers
# names: affect
import bpy

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
box = bpy.context.object
box.name = "Box"
bevel = box.modifiers.new("Edges", 'BEVEL')
bevel.width = 0.05
bevel.segments = 3
bevel.use_only_vertices = False
bpy.ops.object.modifier_apply(apply_as='DATA', modifier="Edges")
