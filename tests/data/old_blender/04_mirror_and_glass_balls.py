# Blender 2.75
# Scene: A mirror ball, a clear slightly green glass ball and a solid red ball on a black and white checkerboard under a sky that goes from white at the horizon to blue at the top, one point lamp above left.
# Old: material.diffuse_color with three numbers -> black/white tiles and red ball in the render, raytrace_mirror -> the left ball is a perfect mirror, use_transparency + alpha + raytrace_transparency.ior -> the middle ball is glass that refracts, lamp_add -> a light in the scene, lamp.energy 1.5 with distance 30 of Blender Internal -> the floor is brightly lit, world.horizon_color with zenith_color and use_sky_blend -> white to blue sky gradient
import bpy
import math

# select everything and kill it
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

world = bpy.context.scene.world
world.use_sky_blend = True
world.horizon_color = (0.9, 0.95, 1.0)
world.zenith_color = (0.1, 0.3, 0.8)

black = bpy.data.materials.new('Black')
black.diffuse_color = (0.02, 0.02, 0.02)
white = bpy.data.materials.new('White')
white.diffuse_color = (0.9, 0.9, 0.9)

# checkerboard 8x8
for i in range(8):
    for j in range(8):
        bpy.ops.mesh.primitive_plane_add(location=(i * 2 - 7, j * 2 - 5, 0))
        tile = bpy.context.object
        tile.name = 'Tile_%d_%d' % (i, j)
        tile.data.materials.append(black if (i + j) % 2 else white)

# mirror
chrome = bpy.data.materials.new('Mirror')
chrome.diffuse_color = (0.8, 0.8, 0.8)
chrome.raytrace_mirror.use = True
chrome.raytrace_mirror.reflect_factor = 0.95
chrome.raytrace_mirror.depth = 4

# glass
glass = bpy.data.materials.new('Glass')
glass.diffuse_color = (0.8, 1.0, 0.85)
glass.use_transparency = True
glass.transparency_method = 'RAYTRACE'
glass.alpha = 0.08
glass.raytrace_transparency.ior = 1.45
glass.raytrace_transparency.depth = 6

# solid
red = bpy.data.materials.new('Red')
red.diffuse_color = (0.8, 0.02, 0.02)

x = -2.6
for mat in (chrome, glass, red):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, location=(x, 0, 1))
    ob = bpy.context.active_object
    ob.name = 'Ball_' + mat.name
    ob.data.materials.append(mat)
    bpy.ops.object.shade_smooth()
    x += 2.6

bpy.ops.object.lamp_add(type='POINT', location=(-4, -5, 7))
lamp = bpy.context.object
lamp.name = 'Main lamp'
lamp.data.energy = 1.5
lamp.data.distance = 30

bpy.ops.object.camera_add(location=(0, -9, 3.2), rotation=(math.radians(76), 0, 0))
bpy.context.object.data.lens = 35
bpy.context.scene.camera = bpy.context.object
bpy.context.scene.render.resolution_x = 960
bpy.context.scene.render.resolution_y = 540
