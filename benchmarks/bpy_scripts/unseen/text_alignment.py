# change: curves.new(type='TEXT') -> 'FONT', align_x MIDDLE -> CENTER
# holds: bpy.data.objects['Sign'].data.align_x == 'CENTER' and bpy.data.objects['Sign'].data.body == 'OPEN'
# names: FONT
import bpy

curve = bpy.data.curves.new(name="Sign", type='TEXT')
curve.body = "OPEN"
curve.extrude = 0.02
curve.align_x = 'MIDDLE'
sign = bpy.data.objects.new("Sign", curve)
bpy.context.scene.collection.objects.link(sign)
sign.rotation_euler = (1.5708, 0, 0)
