# change: Action.fcurves -> layered actions/channelbags (5.0)
# holds: (bpy.context.scene.frame_set(7) or bpy.context.scene.camera.location.x) != 0.0
import bpy


def shake(obj, strength, scale):
    """Give an object a hand-held shake."""
    obj.keyframe_insert(data_path='location', frame=1)
    action = obj.animation_data.action
    for fc in action.fcurves:
        if fc.data_path == 'location':
            noise = fc.modifiers.new('NOISE')
            noise.strength = strength
            noise.scale = scale


bpy.ops.object.camera_add(location=(0, -8, 2), rotation=(1.4, 0, 0))
camera = bpy.context.object
bpy.context.scene.camera = camera
shake(camera, 0.2, 12)

bpy.ops.mesh.primitive_monkey_add()
