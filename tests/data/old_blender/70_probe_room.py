# Blender 3.1
# Eevee interior test: irradiance grid + cubemap + screen space refraction
import bpy
from math import pi

C = bpy.context
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()


def mat(name, rgb, rough=0.5):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes['Principled BSDF']
    b.inputs['Base Color'].default_value = rgb + (1,)
    b.inputs['Roughness'].default_value = rough
    return m


def wall(loc, rot, m):
    bpy.ops.mesh.primitive_plane_add(size=4, location=loc, rotation=rot)
    C.object.data.materials.append(m)


white, red, green = mat('White', (.8, .8, .8)), mat('Red', (.7, .05, .05)), mat('Green', (.05, .6, .1))
wall((0, 0, 0), (0, 0, 0), white)
wall((0, 0, 4), (pi, 0, 0), white)
wall((0, 2, 2), (pi / 2, 0, 0), white)
wall((-2, 0, 2), (0, pi / 2, 0), red)
wall((2, 0, 2), (0, -pi / 2, 0), green)

# glass ball
bpy.ops.mesh.primitive_uv_sphere_add(radius=.7, location=(.6, -.2, .7))
bpy.ops.object.shade_smooth()
glass = mat('Glass', (1, 1, 1), 0.0)
glass.node_tree.nodes['Principled BSDF'].inputs['Transmission'].default_value = 1
glass.use_screen_refraction = True
glass.refraction_depth = 0.4
glass.blend_method = 'HASHED'
glass.shadow_method = 'HASHED'
glass.show_transparent_back = False
C.object.data.materials.append(glass)

bpy.ops.mesh.primitive_cube_add(size=1.2, location=(-.7, .6, .6), rotation=(0, 0, .4))
C.object.data.materials.append(white)

# lamp in the ceiling
bpy.ops.object.light_add(type='AREA', location=(0, 0, 3.9))
C.object.data.energy = 80
C.object.data.size = 1.2
C.object.data.use_contact_shadow = True

# probes
bpy.ops.object.lightprobe_add(type='GRID', radius=2.2, location=(0, 0, 2))
grid = C.object
grid.data.grid_resolution_x = grid.data.grid_resolution_y = grid.data.grid_resolution_z = 6
bpy.ops.object.lightprobe_add(type='CUBEMAP', radius=3, location=(0, 0, 2))
C.object.data.influence_type = 'BOX'

bpy.ops.object.camera_add(location=(0, -8.5, 2), rotation=(pi / 2, 0, 0))
C.scene.camera = C.object

ee = C.scene.eevee
C.scene.render.engine = 'BLENDER_EEVEE'
ee.use_ssr = True
ee.use_ssr_refraction = True
ee.ssr_max_roughness = 0.6
ee.use_gtao = True
ee.gtao_distance = 0.5
ee.use_soft_shadows = True
ee.shadow_cube_size = '1024'
ee.gi_diffuse_bounces = 4
ee.gi_cubemap_resolution = '256'
bpy.ops.scene.light_cache_bake(subset='ALL')
