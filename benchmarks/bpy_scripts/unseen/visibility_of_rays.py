# change: Object.cycles_visibility.camera -> visible_camera (3.0)
# holds: not bpy.data.objects['Card'].visible_camera and not bpy.data.objects['Card'].visible_shadow
# names: visible_camera
import bpy

bpy.context.scene.render.engine = 'CYCLES'
bpy.context.scene.cycles.samples = 64
bpy.context.scene.cycles.use_denoising = True
bpy.ops.mesh.primitive_plane_add(size=3, location=(0, 0, 3))
card = bpy.context.object
card.name = "Card"
card.cycles_visibility.camera = False
card.cycles_visibility.shadow = False
