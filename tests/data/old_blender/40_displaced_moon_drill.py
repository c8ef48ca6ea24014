# Blender 4.4
# Scene: A grey bumpy moon ball (displaced) with a round hole drilled through the front, and an orange spinning drill bit cone beside it, on a starless black background, lit by a sun from the right and a faint blue area light from the left.
# Old: object.cycles.use_adaptive_subdivision with object.cycles.dicing_rate -> adaptive subdivision of the moon (on the modifier today) and must not stop the script, material.cycles.displacement_method = 'BOTH' -> real bumps on the moon surface, boolean solver 'FAST' -> hole through the moon, action.fcurves on the drill -> linear endless rotation
import bpy
import math
from mathutils import Vector

bpy.ops.wm.read_homefile(use_empty=True)

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.feature_set = 'EXPERIMENTAL'
scene.cycles.samples = 48
scene.frame_end = 60

# --- moon material with displacement
moon_mat = bpy.data.materials.new("Moon")
moon_mat.use_nodes = True
moon_mat.cycles.displacement_method = 'BOTH'
nt = moon_mat.node_tree
bsdf = nt.nodes["Principled BSDF"]
bsdf.inputs["Base Color"].default_value = (0.35, 0.34, 0.33, 1)
bsdf.inputs["Roughness"].default_value = 0.95
tex = nt.nodes.new("ShaderNodeTexVoronoi")
tex.feature = 'SMOOTH_F1'
tex.inputs["Scale"].default_value = 3.5
coord = nt.nodes.new("ShaderNodeTexCoord")
disp = nt.nodes.new("ShaderNodeDisplacement")
disp.inputs["Scale"].default_value = 0.15
disp.inputs["Midlevel"].default_value = 0.4
nt.links.new(coord.outputs["Object"], tex.inputs["Vector"])
nt.links.new(tex.outputs["Distance"], disp.inputs["Height"])
nt.links.new(disp.outputs["Displacement"], nt.nodes["Material Output"].inputs["Displacement"])

orange_mat = bpy.data.materials.new("Drill")
orange_mat.use_nodes = True
orange_mat.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.95, 0.35, 0.02, 1)
orange_mat.node_tree.nodes["Principled BSDF"].inputs["Metallic"].default_value = 0.4

# --- moon
bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, radius=1.6, location=(0, 0, 0))
moon = bpy.context.active_object
moon.name = "Moon"
moon.data.materials.append(moon_mat)
bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=0.5, depth=6, location=(0.2, 0, 0.1), rotation=(math.radians(90), 0, 0))
cutter = bpy.context.active_object
cutter.name = "Cutter"
hole = moon.modifiers.new("Hole", 'BOOLEAN')
hole.operation = 'DIFFERENCE'
hole.solver = 'FAST'
hole.object = cutter
bpy.context.view_layer.objects.active = moon
bpy.ops.object.modifier_apply(modifier="Hole")
bpy.data.objects.remove(cutter, do_unlink=True)

sub = moon.modifiers.new("Subdivision", 'SUBSURF')
sub.subdivision_type = 'SIMPLE'
sub.render_levels = 3
moon.cycles.use_adaptive_subdivision = True
moon.cycles.dicing_rate = 1.0

# --- drill
bpy.ops.mesh.primitive_cone_add(vertices=5, radius1=0.45, radius2=0.0, depth=1.8, location=(2.6, -0.8, 0), rotation=(math.radians(-90), 0, 0))
drill = bpy.context.active_object
drill.name = "Drill"
drill.rotation_mode = 'ZYX'
drill.data.materials.append(orange_mat)
twist = drill.modifiers.new("Twist", 'SIMPLE_DEFORM')
twist.deform_method = 'TWIST'
twist.angle, twist.deform_axis = math.radians(90), 'Z'
drill.keyframe_insert("rotation_euler", index=2, frame=1)
drill.rotation_euler[2] += 2 * math.pi
drill.keyframe_insert("rotation_euler", index=2, frame=31)
for fcurve in drill.animation_data.action.fcurves:
    for key in fcurve.keyframe_points:
        key.interpolation = 'LINEAR'
    fcurve.modifiers.new(type='CYCLES')

# --- lights, world, camera
for kind, loc, energy, color in (('SUN', (5, -4, 4), 4.0, (1, 0.97, 0.9)), ('AREA', (-5, -4, 0), 60.0, (0.3, 0.5, 1.0))):
    bpy.ops.object.light_add(type=kind, location=loc)
    lamp = bpy.context.active_object
    lamp.data.energy, lamp.data.color = energy, color
    lamp.rotation_euler = (-Vector(loc)).to_track_quat('-Z', 'Y').to_euler()
world = bpy.data.worlds.new("Space")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0, 0, 0, 1)
scene.world = world
bpy.ops.object.camera_add(location=(0.6, -11, 0.6), rotation=(math.radians(87), 0, 0))
scene.camera = bpy.context.active_object
