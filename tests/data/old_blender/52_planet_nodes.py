# Blender 2.81
import bpy

# Procedural planet: Musgrave + ColorRamp + MixRGB -> Principled, real displacement in Cycles

def clear():
    for ob in bpy.data.objects:
        bpy.data.objects.remove(ob, do_unlink=True)

def planet_material():
    mat = bpy.data.materials.new("Planet")
    mat.use_nodes = True
    mat.cycles.displacement_method = 'BOTH'
    nodes = mat.node_tree.nodes
    link = mat.node_tree.links.new
    bsdf = nodes.get("Principled BSDF")
    out = nodes.get("Material Output")

    coord = nodes.new("ShaderNodeTexCoord")
    coord.location = (-1100, 0)

    musg = nodes.new("ShaderNodeTexMusgrave")
    musg.location = (-900, 0)
    musg.musgrave_type = 'RIDGED_MULTIFRACTAL'
    musg.musgrave_dimensions = '3D'
    musg.inputs['Scale'].default_value = 1.8
    musg.inputs['Detail'].default_value = 8
    musg.inputs['Dimension'].default_value = 0.9

    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.location = (-650, 150)
    ramp.color_ramp.elements[0].position = 0.35
    ramp.color_ramp.elements[1].position = 0.45

    mix = nodes.new("ShaderNodeMixRGB")
    mix.location = (-300, 100)
    mix.blend_type = 'MIX'
    mix.inputs['Color1'].default_value = (0.01, 0.05, 0.2, 1)   # sea
    mix.inputs['Color2'].default_value = (0.15, 0.3, 0.06, 1)   # land

    disp = nodes.new("ShaderNodeDisplacement")
    disp.location = (-300, -300)
    disp.inputs['Scale'].default_value = 0.06

    link(coord.outputs['Object'], musg.inputs['Vector'])
    link(musg.outputs[0], ramp.inputs['Fac'])
    link(ramp.outputs['Color'], mix.inputs['Fac'])
    link(mix.outputs['Color'], bsdf.inputs['Base Color'])
    link(ramp.outputs['Color'], bsdf.inputs['Roughness'])
    link(ramp.outputs['Color'], disp.inputs['Height'])
    link(disp.outputs[0], out.inputs['Displacement'])
    bsdf.inputs['Specular'].default_value = 0.7
    bsdf.inputs['Subsurface'].default_value = 0.02
    bsdf.inputs['Clearcoat'].default_value = 0.2
    bsdf.inputs['Emission'].default_value = (0.0, 0.002, 0.01, 1)
    return mat

clear()
scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.feature_set = 'EXPERIMENTAL'

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=6, radius=2)
planet = bpy.context.active_object
bpy.ops.object.shade_smooth()
planet.data.materials.append(planet_material())
bpy.ops.object.light_add(type='SUN', rotation=(1.1, 0, 0.9))
bpy.context.active_object.data.energy = 4
bpy.ops.object.camera_add(location=(0, -8, 0), rotation=(1.5708, 0, 0))
scene.camera = bpy.context.active_object
