# change: scene.cursor_location -> scene.cursor.location (2.80); also: scene.objects.link, empty_draw_size
# holds: round(bpy.data.objects['Target'].location.z, 2) == 2.0 and bpy.data.objects['Target'].empty_display_size == 0.5 and 'Target' in bpy.context.scene.objects
import bpy
from mathutils import Vector


def at_cursor(context, offset):
    return context.scene.cursor_location + Vector(offset)


empty = bpy.data.objects.new("Target", None)
empty.location = at_cursor(bpy.context, (0, 0, 2))
empty.empty_draw_size = 0.5
bpy.context.scene.objects.link(empty)

bpy.ops.mesh.primitive_cone_add(location=(0, 0, 0))
cone = bpy.context.object
track = cone.constraints.new('TRACK_TO')
track.target = empty
