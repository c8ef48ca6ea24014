# Blender 3.4
# Scene: A planet with blue oceans, green-brown continents and white clouds from one shader node group, and beside it a small second planet of the same group tinted orange, before black space, lit by one strong sun from the left.
# Old: node_group.inputs.new / outputs.new for a shader node group with 'NodeSocketFloatFactor' and min_value/max_value -> group has the sockets Tint, Sea Level and Clouds, ShaderNodeTexMusgrave -> continents, ShaderNodeMixRGB -> blending of sea/land/clouds, ShaderNodeSeparateRGB and ShaderNodeCombineRGB -> the red channel of the tint also drives the land color
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

def build_group():
    g = bpy.data.node_groups.new('PlanetSurface', 'ShaderNodeTree')
    g.inputs.new('NodeSocketColor', 'Tint').default_value = (1, 1, 1, 1)
    sea = g.inputs.new('NodeSocketFloatFactor', 'Sea Level')
    sea.default_value = 0.5
    sea.min_value, sea.max_value = 0.0, 1.0
    g.inputs.new('NodeSocketFloatFactor', 'Clouds').default_value = 0.5
    g.outputs.new('NodeSocketColor', 'Color')

    link = g.links.new

    def node(kind, **defaults):
        n = g.nodes.new(kind)
        for key, val in defaults.items():
            n.inputs[key].default_value = val
        return n

    def math(op, second=0.5):
        n = g.nodes.new('ShaderNodeMath')
        n.operation = op
        n.inputs[1].default_value = second
        return n

    gi, go = node('NodeGroupInput'), node('NodeGroupOutput')
    coord = node('ShaderNodeTexCoord')
    # continents
    musg = node('ShaderNodeTexMusgrave', Scale=1.6, Detail=8.0, Dimension=0.9)
    link(coord.outputs['Object'], musg.inputs['Vector'])
    shift, land = math('SUBTRACT', 0.45), math('GREATER_THAN')
    link(gi.outputs['Sea Level'], shift.inputs[0])
    link(musg.outputs[0], land.inputs[0])
    link(shift.outputs[0], land.inputs[1])
    # the land gets its red from the tint
    sep = node('ShaderNodeSeparateRGB')
    half = math('MULTIPLY', 0.22)
    comb = node('ShaderNodeCombineRGB', G=0.25, B=0.04)
    link(gi.outputs['Tint'], sep.inputs['Image'])
    link(sep.outputs['R'], half.inputs[0])
    link(half.outputs[0], comb.inputs['R'])

    surf = node('ShaderNodeMixRGB', Color1=(0.01, 0.08, 0.4, 1))
    link(land.outputs[0], surf.inputs['Fac'])
    link(comb.outputs['Image'], surf.inputs['Color2'])
    mul = node('ShaderNodeMixRGB', Fac=1.0)
    mul.blend_type = 'MULTIPLY'
    link(surf.outputs['Color'], mul.inputs['Color1'])
    link(gi.outputs['Tint'], mul.inputs['Color2'])
    # clouds on top
    noise = node('ShaderNodeTexNoise', Scale=3.0, Detail=10.0)
    link(coord.outputs['Object'], noise.inputs['Vector'])
    amount = math('MULTIPLY')
    link(noise.outputs['Fac'], amount.inputs[0])
    link(gi.outputs['Clouds'], amount.inputs[1])
    cloud = node('ShaderNodeMixRGB', Color2=(1, 1, 1, 1))
    link(amount.outputs[0], cloud.inputs['Fac'])
    link(mul.outputs['Color'], cloud.inputs['Color1'])
    link(cloud.outputs['Color'], go.inputs['Color'])
    return g


def planet(group, name, loc, radius, tint, sea, clouds):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=96, ring_count=48, radius=radius, location=loc)
    bpy.ops.object.shade_smooth()
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    gn = mat.node_tree.nodes.new('ShaderNodeGroup')
    gn.node_tree = group
    for socket, value in (('Tint', tint), ('Sea Level', sea), ('Clouds', clouds)):
        gn.inputs[socket].default_value = value
    mat.node_tree.links.new(gn.outputs['Color'], mat.node_tree.nodes['Principled BSDF'].inputs['Base Color'])
    bpy.context.object.data.materials.append(mat)


grp = build_group()
planet(grp, 'Terra', (-1, 0, 0), 2.0, (1, 1, 1, 1), 0.5, 0.6)
planet(grp, 'Ember', (3, 1, 0.8), 0.8, (1.0, 0.45, 0.15, 1), 0.3, 0.2)
bpy.ops.object.light_add(type='SUN', rotation=(radians(50), radians(-45), 0))
bpy.context.object.data.energy = 5
bpy.context.scene.world.node_tree.nodes['Background'].inputs[1].default_value = 0.0
bpy.ops.object.camera_add(location=(0.6, -12, 0), rotation=(radians(90), 0, 0))
bpy.context.scene.camera = bpy.context.object
