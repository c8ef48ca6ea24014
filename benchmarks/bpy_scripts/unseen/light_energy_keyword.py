# change: light_add(energy=) is not a keyword
# holds: bpy.data.objects['Key'].data.energy == 500 and bpy.data.objects['Key'].data.size == 2
# names: energy
import bpy

bpy.ops.object.light_add(type='AREA', energy=500, location=(3, -3, 4))
key = bpy.context.object
key.name = "Key"
key.data.energy = 500
key.data.size = 2
