# change: matrix * vector -> @ (2.80); also: quaternion * vector, scene.update
# holds: bpy.data.objects['Spot'].data.energy == 500 and 0.9 < (bpy.data.objects['Spot'].location - bpy.context.scene.camera.location).length < 1.3
import bpy
from mathutils import Vector


def look_at(cam, target):
    direction = target - cam.location
    cam.rotation_euler = direction.to_track_quat('-Z', 'Y').to_euler()


bpy.ops.object.camera_add(location=(6, -6, 4))
cam = bpy.context.object
look_at(cam, Vector((0, 0, 0)))
bpy.context.scene.camera = cam
bpy.context.view_layer.update()

# a lamp a bit to the left of the camera
offset = cam.matrix_world * Vector((-1.0, 0.5, 0.0))
forward = cam.rotation_euler.to_quaternion() * Vector((0.0, 0.0, -1.0))
bpy.ops.object.light_add(type='SPOT', location=offset)
lamp = bpy.context.object
lamp.data.energy = 500
look_at(lamp, cam.location + forward * 5)

bpy.ops.mesh.primitive_monkey_add()
