import bpy

bpy.ops.preferences.addon_enable(module="archimesh")
