# Blender 3.6
# Scene: A grid of dark grey skyscrapers of different heights, many with bands of warm yellow glowing windows, under an orange-blue evening sky with a low sun, on dark asphalt; the sky and the windows shine.
# Old: sky.sky_type 'NISHITA' with sun_elevation -> evening sky with low sun, sky.dust_density -> orange haze at the horizon, Principled 'Emission' with 'Emission Strength' -> warm glowing window bands, view_settings.look 'High Contrast' with Filmic -> contrasty picture
import bpy
import random
from math import radians

random.seed(2023)


def clean_scene():
    """Remove all objects and orphan data."""
    bpy.ops.object.select_all(action='SELECT')
    bpy.ops.object.delete()
    for collection in (bpy.data.meshes, bpy.data.materials, bpy.data.lights, bpy.data.cameras):
        for block in list(collection):
            if block.users == 0:
                collection.remove(block)


def create_material(name, base, emission=None, strength=0.0):
    mat = bpy.data.materials.new(name=name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Base Color"].default_value = base
    bsdf.inputs["Roughness"].default_value = 0.6
    if emission:
        bsdf.inputs["Emission"].default_value = emission
        bsdf.inputs["Emission Strength"].default_value = strength
    return mat


def create_tower(x, y, height, wall, glow):
    width = random.uniform(0.9, 1.5)
    bpy.ops.mesh.primitive_cube_add(size=1, location=(x, y, height / 2))
    tower = bpy.context.active_object
    tower.name = "Tower"
    tower.scale = (width, width, height)
    tower.data.materials.append(wall)
    if random.random() < 0.75:
        for level in range(1, int(height / 0.8)):
            if random.random() < 0.25:
                continue
            bpy.ops.mesh.primitive_cube_add(size=1, location=(x, y, level * 0.8))
            band = bpy.context.active_object
            band.name = "Windows"
            band.scale = (width * 1.01, width * 1.01, 0.18)
            band.data.materials.append(glow)


def setup_sky():
    world = bpy.context.scene.world
    world.use_nodes = True
    nodes = world.node_tree.nodes
    sky = nodes.new("ShaderNodeTexSky")
    sky.sky_type = 'NISHITA'
    sky.sun_elevation = radians(4)
    sky.sun_rotation = radians(-40)
    sky.air_density = 1.2
    sky.dust_density = 3.0
    world.node_tree.links.new(sky.outputs["Color"], nodes["Background"].inputs["Color"])
    nodes["Background"].inputs["Strength"].default_value = 0.25


def main():
    clean_scene()
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    scene.cycles.samples = 96
    scene.view_settings.view_transform = 'Filmic'
    scene.view_settings.look = 'High Contrast'

    wall = create_material("Concrete", (0.08, 0.085, 0.1, 1.0))
    glow = create_material("Windows", (0.0, 0.0, 0.0, 1.0), (1.0, 0.7, 0.25, 1.0), 4.0)
    asphalt = create_material("Asphalt", (0.03, 0.03, 0.035, 1.0))

    for ix in range(-4, 5):
        for iy in range(0, 5):
            create_tower(ix * 2.2, iy * 2.4, random.uniform(1.5, 6.5), wall, glow)

    bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, 0))
    bpy.context.active_object.data.materials.append(asphalt)
    setup_sky()

    bpy.ops.object.camera_add(location=(0, -14, 4.5), rotation=(radians(86), 0, 0))
    scene.camera = bpy.context.active_object
    scene.camera.data.lens = 30


main()
