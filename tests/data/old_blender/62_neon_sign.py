# Blender 3.0
# Neon sign in Eevee. From my blog: "Glow in 40 lines of Python"
import bpy
import math

# --- empty the scene -------------------------------------------------
for o in list(bpy.data.objects):
    bpy.data.objects.remove(o, do_unlink=True)

scene = bpy.context.scene


def neon_material(name, color, strength):
    mat = bpy.data.materials.new(name=name)
    mat.use_nodes = True
    p = mat.node_tree.nodes.get("Principled BSDF")
    p.inputs["Base Color"].default_value = (0, 0, 0, 1)
    p.inputs["Emission"].default_value = (*color, 1.0)
    p.inputs["Emission Strength"].default_value = strength
    return mat


def neon_text(body, loc, color, size=1.0):
    curve = bpy.data.curves.new(type="FONT", name=body)
    curve.body = body
    curve.align_x = 'CENTER'
    curve.align_y = 'CENTER'
    curve.size = size
    curve.fill_mode = 'NONE'
    curve.bevel_depth = 0.025
    curve.bevel_resolution = 3
    obj = bpy.data.objects.new(body, curve)
    obj.location = loc
    obj.rotation_euler = (math.radians(90), 0, 0)
    curve.materials.append(neon_material("Neon_" + body, color, 8.0))
    scene.collection.objects.link(obj)
    return obj


neon_text("OPEN", (0, 0, 2.2), (1.0, 0.05, 0.3), 1.4)
neon_text("24 hours", (0, 0, 1.1), (0.05, 0.5, 1.0), 0.6)

# back wall
bpy.ops.mesh.primitive_plane_add(size=14, location=(0, 0.4, 2), rotation=(math.radians(90), 0, 0))
wall = bpy.context.active_object
wall_mat = bpy.data.materials.new("Wall")
wall_mat.use_nodes = True
wall_mat.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.03, 0.03, 0.035, 1)
wall_mat.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.35
wall.data.materials.append(wall_mat)

# dim fill light
light = bpy.data.lights.new("Fill", 'POINT')
light.energy = 30
light_obj = bpy.data.objects.new("Fill", light)
light_obj.location = (2, -3, 4)
scene.collection.objects.link(light_obj)

cam = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
cam.location = (0, -7, 1.8)
cam.rotation_euler = (math.radians(90), 0, 0)
scene.collection.objects.link(cam)
scene.camera = cam

# Eevee glow!
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_bloom = True
scene.eevee.bloom_threshold = 0.8
scene.eevee.bloom_intensity = 0.1
scene.eevee.bloom_radius = 6.5
scene.eevee.use_ssr = True
