# Blender 4.2
# Scene: A simple shiny red toy sports car (box body with rounded edges, dark glass cabin, four black wheels with silver hubs, two glowing white headlights) on a dark asphalt plane at dusk with a blue-violet world, lit by an area light above.
# Old: Principled 'Specular' -> normal reflectivity, Principled 'Clearcoat' and 'Clearcoat Roughness' -> lacquer on the red body, Principled 'Emission' -> headlights glow white with Emission Strength 8, mesh.use_auto_smooth -> wheels smooth with hard rims, eevee.use_bloom -> glow around the headlights, render.engine 'BLENDER_EEVEE_NEXT' -> EEVEE
import bpy
import math


def clear_scene():
    """Delete every object in the scene."""
    bpy.ops.object.select_all(action='SELECT')
    bpy.ops.object.delete(use_global=False)


def create_material(name, color, metallic=0.0, roughness=0.5, specular=0.5,
                    clearcoat=0.0, emission=None, emission_strength=1.0):
    """Create a Principled BSDF material."""
    material = bpy.data.materials.new(name=name)
    material.use_nodes = True
    bsdf = material.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Base Color"].default_value = color
    bsdf.inputs["Metallic"].default_value = metallic
    bsdf.inputs["Roughness"].default_value = roughness
    bsdf.inputs["Specular"].default_value = specular
    bsdf.inputs["Clearcoat"].default_value = clearcoat
    bsdf.inputs["Clearcoat Roughness"].default_value = 0.03
    if emission is not None:
        bsdf.inputs["Emission"].default_value = emission
        bsdf.inputs["Emission Strength"].default_value = emission_strength
    return material


def create_box(name, location, dimensions, material, bevel=0.15):
    bpy.ops.mesh.primitive_cube_add(size=1, location=location)
    obj = bpy.context.active_object
    obj.name = name
    obj.scale = dimensions
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    modifier = obj.modifiers.new(name="Bevel", type='BEVEL')
    modifier.width, modifier.segments = bevel, 4
    obj.data.materials.append(material)
    return obj


def create_wheel(location, tire, hub):
    for radius, depth, mat in ((0.42, 0.3, tire), (0.24, 0.32, hub)):
        bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=radius, depth=depth, location=location,
                                            rotation=(math.radians(90), 0, 0))
        wheel = bpy.context.active_object
        wheel.data.materials.append(mat)
        bpy.ops.object.shade_smooth()
        wheel.data.use_auto_smooth = True


def main():
    clear_scene()
    scene = bpy.context.scene
    scene.render.engine = 'BLENDER_EEVEE_NEXT'
    scene.eevee.use_bloom = True

    red = create_material("CarPaint", (0.7, 0.01, 0.02, 1.0), 0.2, 0.35, 0.5, 1.0)
    glass = create_material("DarkGlass", (0.02, 0.03, 0.04, 1.0), 0.0, 0.05, 0.8)
    rubber = create_material("Rubber", (0.015, 0.015, 0.015, 1.0), 0.0, 0.9, 0.2)
    silver = create_material("Silver", (0.8, 0.8, 0.82, 1.0), 1.0, 0.25)
    lamp = create_material("Headlight", (1.0, 1.0, 1.0, 1.0), emission=(1.0, 0.95, 0.85, 1.0), emission_strength=8.0)
    asphalt = create_material("Asphalt", (0.05, 0.05, 0.055, 1.0), 0.0, 0.8, 0.3)

    create_box("Body", (0, 0, 0.62), (4.2, 1.8, 0.55), red, 0.2)
    create_box("Cabin", (0.3, 0, 1.1), (1.9, 1.5, 0.6), glass, 0.25)
    create_box("Spoiler", (1.95, 0, 1.15), (0.35, 1.7, 0.08), red, 0.03)
    for x in (-1.3, 1.3):
        for y in (-0.85, 0.85):
            create_wheel((x, y, 0.42), rubber, silver)
    for y in (-0.6, 0.6):
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.16, location=(-2.05, y, 0.68))
        bpy.context.active_object.data.materials.append(lamp)

    bpy.ops.mesh.primitive_plane_add(size=60)
    bpy.context.active_object.data.materials.append(asphalt)

    bpy.ops.object.light_add(type='AREA', location=(-1, -2, 6))
    bpy.context.active_object.data.energy = 450
    bpy.context.active_object.data.size = 4
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.06, 0.05, 0.16, 1.0)

    bpy.ops.object.camera_add(location=(-6.0, -6.0, 2.6), rotation=(math.radians(77), 0, math.radians(-45)))
    scene.camera = bpy.context.active_object


main()
