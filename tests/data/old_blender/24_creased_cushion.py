# Blender 2.92
# Scene: A soft teal velvet cushion with one hard creased rim on a pale wooden stool with four legs whose edges are bevelled, on a warm off-white floor and world, lit by a large area light from the upper right.
# Old: edge.crease with mesh.use_customdata_edge_crease -> rim stays sharp while the rest of the cushion is round, edge.bevel_weight with bevel limit_method 'WEIGHT' -> only the top edges of the stool are rounded, Principled 'Sheen' and 'Sheen Tint' as number -> soft velvet edge light, Principled 'Subsurface' -> soft cloth look
import bpy
from math import radians
from mathutils import Vector

# start with an empty scene
for obj in list(bpy.context.scene.objects):
    bpy.data.objects.remove(obj, do_unlink=True)


def principled(name, **values):
    mat = bpy.data.materials.new(name=name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes.get("Principled BSDF")
    for socket, value in values.items():
        bsdf.inputs[socket.replace("_", " ")].default_value = value
    return mat


teal = principled("Teal", Base_Color=(0.02, 0.35, 0.33, 1), Roughness=0.9,
                  Sheen=1.0, Sheen_Tint=0.5, Subsurface=0.1)
wood = principled("PaleWood", Base_Color=(0.65, 0.45, 0.25, 1), Roughness=0.5)
floor_mat = principled("Floor", Base_Color=(0.8, 0.75, 0.68, 1), Roughness=0.8)

# ---------------------------------------------------------------- cushion
bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 1.75))
cushion = bpy.context.object
cushion.name = "Cushion"
cushion.scale = (1.0, 1.0, 0.45)
me = cushion.data
me.use_customdata_edge_crease = True
for e in me.edges:
    a, b = (me.vertices[i].co for i in e.vertices)
    if a.z < 0 and b.z < 0:
        e.crease = 1.0
    elif abs(a.z - b.z) < 0.01:
        e.crease = 0.3
sub = cushion.modifiers.new("Subsurf", 'SUBSURF')
sub.levels = 4
sub.render_levels = 4
bpy.ops.object.shade_smooth()
me.materials.append(teal)

# ---------------------------------------------------------------- stool
bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 1.2))
seat = bpy.context.object
seat.name = "Seat"
seat.scale = (1.15, 1.15, 0.1)
bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
sm = seat.data
for e in sm.edges:
    a, b = (sm.vertices[i].co for i in e.vertices)
    if a.z > 0 and b.z > 0:
        e.bevel_weight = 1.0
bev = seat.modifiers.new("Edge", 'BEVEL')
bev.limit_method = 'WEIGHT'
bev.width = 0.12
bev.segments = 4
sm.materials.append(wood)

for x in (-0.9, 0.9):
    for y in (-0.9, 0.9):
        bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=0.1, depth=1.2, location=(x, y, 0.55))
        leg = bpy.context.object
        leg.rotation_euler = (radians(6 if y > 0 else -6), radians(-6 if x > 0 else 6), 0)
        leg.data.materials.append(wood)
        leg.parent = seat
        leg.matrix_parent_inverse = seat.matrix_world.inverted()

bpy.ops.mesh.primitive_plane_add(size=40)
bpy.context.object.data.materials.append(floor_mat)

# ---------------------------------------------------------------- light and camera
light = bpy.data.lights.new("Soft", 'AREA')
light.energy = 450
light.size = 4
lo = bpy.data.objects.new("Soft", light)
lo.location = (4, -3, 6)
lo.rotation_euler = (Vector((0, 0, 1)) - lo.location).to_track_quat('-Z', 'Y').to_euler()
bpy.context.collection.objects.link(lo)
bpy.context.scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.55, 0.5, 1)
bpy.ops.object.camera_add(location=(4.5, -6.5, 4), rotation=(radians(70), 0, radians(34.7)))
bpy.context.scene.camera = bpy.context.object
