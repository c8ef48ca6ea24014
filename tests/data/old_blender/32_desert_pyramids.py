# Blender 4.0
# Scene: Three sand colored pyramids on rippled orange dunes under a blue physical sky with a warm low sun from the left that throws long shadows, a small dark cactus group in front.
# Old: sky.sky_type 'NISHITA' with sun_elevation/sun_rotation/sun_intensity -> blue sky and warm sun light, sky.dust_density -> hazy horizon, ShaderNodeTexMusgrave -> fine lighter and darker sand patches, mesh.use_auto_smooth with auto_smooth_angle -> smooth dunes and hard pyramid edges
import bpy
import math

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.samples = 64


def sand_material():
    mat = bpy.data.materials.new("Sand")
    mat.use_nodes = True
    nodes, links = mat.node_tree.nodes, mat.node_tree.links
    bsdf = nodes["Principled BSDF"]
    bsdf.inputs["Roughness"].default_value = 0.95
    bsdf.inputs["Specular IOR Level"].default_value = 0.1
    coord = nodes.new("ShaderNodeTexCoord")
    musgrave = nodes.new("ShaderNodeTexMusgrave")
    musgrave.musgrave_type = 'RIDGED_MULTIFRACTAL'
    musgrave.inputs["Scale"].default_value = 0.8
    musgrave.inputs["Detail"].default_value = 4.0
    musgrave.inputs["Lacunarity"].default_value = 2.2
    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (0.55, 0.25, 0.08, 1)
    ramp.color_ramp.elements[1].color = (0.85, 0.5, 0.22, 1)
    links.new(coord.outputs["Object"], musgrave.inputs["Vector"])
    links.new(musgrave.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], bsdf.inputs["Base Color"])
    return mat


def flat_material(name, color):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    mat.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = color
    mat.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.9
    return mat


def auto_smooth(ob, degrees):
    for poly in ob.data.polygons:
        poly.use_smooth = True
    ob.data.use_auto_smooth = True
    ob.data.auto_smooth_angle = math.radians(degrees)


# dunes
bpy.ops.mesh.primitive_grid_add(x_subdivisions=150, y_subdivisions=150, size=80)
dunes = bpy.context.object
dunes.name = "Dunes"
for v in dunes.data.vertices:
    v.co.z = 0.5 * math.sin(v.co.x * 0.35 + 0.4 * math.sin(v.co.y * 0.2)) + 0.12 * math.sin(v.co.x * 2.0 + v.co.y * 0.7)
dunes.data.materials.append(sand_material())
auto_smooth(dunes, 60)

# pyramids
stone = flat_material("Stone", (0.75, 0.55, 0.3, 1))
for x, y, s in ((-9, 14, 5.5), (2, 18, 7.5), (13, 12, 4.5)):
    bpy.ops.mesh.primitive_cone_add(vertices=4, radius1=s, radius2=0, depth=s * 0.9,
                                    location=(x, y, s * 0.42), rotation=(0, 0, math.radians(45)))
    bpy.context.object.name = "Pyramid"
    bpy.context.object.data.materials.append(stone)
    auto_smooth(bpy.context.object, 30)

# cactus
green = flat_material("Cactus", (0.05, 0.15, 0.04, 1))
for x, y, h in ((-3.5, -2, 1.8), (-3.0, -1.6, 1.2), (-4.1, -1.8, 1.0)):
    bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=0.16, depth=h, location=(x, y, h / 2))
    bpy.context.object.data.materials.append(green)

# physical sky
world = scene.world
world.use_nodes = True
wn = world.node_tree.nodes
sky = wn.new("ShaderNodeTexSky")
sky.sky_type = 'NISHITA'
sky.sun_elevation = math.radians(18)
sky.sun_rotation = math.radians(-75)
sky.sun_intensity = 0.5
sky.dust_density = 2.0
world.node_tree.links.new(sky.outputs["Color"], wn["Background"].inputs["Color"])
wn["Background"].inputs["Strength"].default_value = 0.15

bpy.ops.object.camera_add(location=(0, -14, 2.6), rotation=(math.radians(88), 0, 0))
scene.camera = bpy.context.object
