# change: scene.objects.link -> collection.objects.link (2.80); also: bpy.data.lamps
# holds: sorted(o.type for o in bpy.context.scene.objects) == ['CAMERA', 'LIGHT', 'LIGHT', 'MESH'] and bpy.context.scene.camera
import bpy


def add_camera(scene, location, rotation):
    cam_data = bpy.data.cameras.new("Cam")
    cam_data.lens = 35
    cam = bpy.data.objects.new("Cam", cam_data)
    cam.location = location
    cam.rotation_euler = rotation
    scene.objects.link(cam)
    scene.camera = cam
    return cam


def add_lamp(scene, location, energy):
    lamp_data = bpy.data.lamps.new(name="Key", type='POINT')
    lamp_data.energy = energy
    lamp = bpy.data.objects.new(name="Key", object_data=lamp_data)
    lamp.location = location
    scene.objects.link(lamp)
    return lamp


scene = bpy.context.scene
add_camera(scene, (7.0, -7.0, 5.0), (1.1, 0.0, 0.785))
add_lamp(scene, (4.0, 1.0, 6.0), 10)
add_lamp(scene, (-4.0, -2.0, 6.0), 5)

bpy.ops.mesh.primitive_cube_add(location=(0, 0, 1))
