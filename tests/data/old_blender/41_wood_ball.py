# Blender 2.70
# Wooden ball on a mirror floor - Blender Internal materials & texture slots
import bpy
from math import radians

# clean up
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scn = bpy.context.scene
scn.render.engine = 'BLENDER_RENDER'

def makeMaterial(name, diffuse, specular, alpha):
    mat = bpy.data.materials.new(name)
    mat.diffuse_color = diffuse
    mat.diffuse_shader = 'OREN_NAYAR'
    mat.diffuse_intensity = 0.9
    mat.specular_color = specular
    mat.specular_shader = 'COOKTORR'
    mat.specular_intensity = 0.5
    mat.specular_hardness = 80
    mat.alpha = alpha
    mat.ambient = 1
    return mat

def setMaterial(ob, mat):
    me = ob.data
    me.materials.append(mat)

# the ball
bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, size=1.2, location=(0, 0, 1.2))
bpy.ops.object.shade_smooth()
wood = makeMaterial('Wood', (0.45, 0.2, 0.07), (1, 1, 1), 1)
setMaterial(bpy.context.object, wood)

# procedural texture
tex = bpy.data.textures.new('WoodTex', type='WOOD')
tex.wood_type = 'RINGNOISE'
tex.noise_scale = 0.4
tex.turbulence = 6.0

mtex = wood.texture_slots.add()
mtex.texture = tex
mtex.texture_coords = 'ORCO'
mtex.mapping = 'CUBE'
mtex.use_map_color_diffuse = True
mtex.color = (0.8, 0.5, 0.2)
mtex.diffuse_color_factor = 0.8
mtex.use_map_normal = True
mtex.normal_factor = 0.3

# the floor
bpy.ops.mesh.primitive_plane_add(radius=8, location=(0, 0, 0))
floor = makeMaterial('Floor', (0.3, 0.35, 0.4), (1, 1, 1), 1)
floor.raytrace_mirror.use = True
floor.raytrace_mirror.reflect_factor = 0.35
setMaterial(bpy.context.object, floor)

# spot with buffered shadow
bpy.ops.object.lamp_add(type='SPOT', location=(4, -4, 7), rotation=(radians(38), 0, radians(45)))
lamp = bpy.context.object.data
lamp.energy = 3.0
lamp.distance = 20
lamp.spot_size = radians(55)
lamp.shadow_method = 'BUFFER_SHADOW'
lamp.shadow_buffer_size = 2048
lamp.shadow_buffer_soft = 6

bpy.ops.object.camera_add(view_align=False, location=(0, -7, 3.2), rotation=(radians(74), 0, 0))
scn.camera = bpy.context.object
