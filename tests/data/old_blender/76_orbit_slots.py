# Blender 4.4
# Slotted actions: planet + moon share ONE action, one slot each.
# The old action.fcurves still works but only sees the first slot, so be careful.
import bpy
from math import tau, radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()


def sphere(name, r, loc, col):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=r, location=loc)
    o = bpy.context.object
    o.name = name
    bpy.ops.object.shade_smooth()
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = col
    o.data.materials.append(m)
    return o


planet = sphere("Planet", 1.2, (0, 0, 0), (0.1, 0.3, 0.7, 1))
moon = sphere("Moon", 0.35, (3, 0, 0), (0.6, 0.6, 0.6, 1))
pivot = bpy.data.objects.new("MoonPivot", None)
bpy.context.collection.objects.link(pivot)
moon.parent = pivot

action = bpy.data.actions.new("SolarSystem")
slot_planet = action.slots.new(id_type='OBJECT', name="Planet")
slot_moon = action.slots.new(id_type='OBJECT', name="MoonPivot")

for ob, slot in ((planet, slot_planet), (pivot, slot_moon)):
    ad = ob.animation_data_create()
    ad.action = action
    ad.action_slot = slot

# planet spin: legacy API -> goes to the first slot
fc = action.fcurves.new("rotation_euler", index=2, action_group="Spin")
fc.keyframe_points.insert(1, 0.0)
fc.keyframe_points.insert(121, tau * 3)
for k in fc.keyframe_points:
    k.interpolation = 'LINEAR'

# moon: proper layered API
strip = action.layers[0].strips[0]
bag = strip.channelbag(slot_moon, ensure=True)
fm = bag.fcurves.new("rotation_euler", index=2)
fm.keyframe_points.insert(1, 0.0)
fm.keyframe_points.insert(121, tau)
for k in fm.keyframe_points:
    k.interpolation = 'LINEAR'
print("id_root:", action.id_root, "| legacy sees", len(action.fcurves), "curve(s)")

# sun with a driver: brighter when the moon is in front
bpy.ops.object.light_add(type='SUN', rotation=(radians(60), 0, radians(30)))
sun = bpy.context.object
drv = sun.data.driver_add("energy").driver
drv.type = 'SCRIPTED'
var = drv.variables.new()
var.name = "rot"
var.type = 'TRANSFORMS'
var.targets[0].id = pivot
var.targets[0].transform_type = 'ROT_Z'
var.targets[0].transform_space = 'WORLD_SPACE'
drv.expression = "2 + sin(rot)"

bpy.ops.object.camera_add(location=(0, -11, 4), rotation=(radians(70), 0, 0))
bpy.context.scene.camera = bpy.context.object
bpy.context.scene.frame_end = 120
bpy.context.scene.render.engine = 'BLENDER_EEVEE_NEXT'
