# change: Light.use_contact_shadow removed (4.2), lights.new(type='DIRECTIONAL') -> SUN
# holds: bpy.data.lights['Sun'].type == 'SUN' and bpy.data.lights['Sun'].energy == 3
# names: SUN
import bpy

light = bpy.data.lights.new(name="Sun", type='DIRECTIONAL')
light.energy = 3
light.use_contact_shadow = True
light.angle = 0.01
sun = bpy.data.objects.new("Sun", light)
sun.rotation_euler = (0.8, 0.1, 0.4)
bpy.context.collection.objects.link(sun)
