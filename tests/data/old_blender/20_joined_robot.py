# Blender 2.91
# Scene: A light blue toy robot (one joined mesh of boxes and cylinders with rounded edges) with two glowing yellow eyes behind a clear visor and a small red antenna ball, on a beige floor with a beige world, lit by a sun and an area light.
# Old: bpy.ops.object.delete({'selected_objects': ...}) override dict -> empty scene, bpy.ops.object.join(ctx) with a bpy.context.copy() override -> one robot body object, bpy.ops.object.modifier_apply(ctx, modifier=) override -> rounded edges are applied, Principled 'Emission' with 'Emission Strength' -> yellow glowing eyes, Principled 'Transmission' -> clear visor
import bpy
from math import radians

# remove everything without touching the selection
bpy.ops.object.delete({'selected_objects': list(bpy.data.objects)})

scene = bpy.context.scene


def material(name, color, **kw):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    node = mat.node_tree.nodes['Principled BSDF']
    node.inputs['Base Color'].default_value = color
    for k, v in kw.items():
        node.inputs[k.replace('_', ' ')].default_value = v
    return mat


blue = material('RobotBlue', (0.25, 0.55, 0.8, 1), Roughness=0.4)
eye = material('Eye', (0, 0, 0, 1), Emission=(1.0, 0.8, 0.1, 1), Emission_Strength=6.0)
visor = material('Visor', (0.9, 0.95, 1.0, 1), Transmission=1.0, Roughness=0.0, IOR=1.2)
red = material('Red', (0.8, 0.02, 0.02, 1), Roughness=0.3)
beige = material('Floor', (0.7, 0.6, 0.45, 1), Roughness=0.8)


def box(loc, dims, mat=blue):
    bpy.ops.mesh.primitive_cube_add(size=1, location=loc)
    ob = bpy.context.active_object
    ob.dimensions = dims
    ob.data.materials.append(mat)
    return ob


def cyl(loc, r, depth, rot=(0, 0, 0), mat=blue):
    bpy.ops.mesh.primitive_cylinder_add(radius=r, depth=depth, location=loc, rotation=rot)
    ob = bpy.context.active_object
    ob.data.materials.append(mat)
    return ob


parts = [
    box((0, 0, 2.0), (1.6, 1.0, 1.6)),                       # torso
    box((0, 0, 3.4), (1.2, 1.0, 0.9)),                       # head
    cyl((0, 0, 2.88), 0.25, 0.3),                            # neck
    cyl((-1.1, 0, 1.9), 0.2, 1.5), cyl((1.1, 0, 1.9), 0.2, 1.5),     # arms
    cyl((-0.45, 0, 0.65), 0.28, 1.3), cyl((0.45, 0, 0.65), 0.28, 1.3),  # legs
    box((-0.45, -0.15, 0.12), (0.6, 0.9, 0.24)), box((0.45, -0.15, 0.12), (0.6, 0.9, 0.24)),
    cyl((0, 0, 4.1), 0.03, 0.6),
]
bpy.context.view_layer.update()

# join all the parts with an override
ctx = bpy.context.copy()
ctx['object'] = ctx['active_object'] = parts[0]
ctx['selected_objects'] = ctx['selected_editable_objects'] = parts
bpy.ops.object.join(ctx)
robot = parts[0]
robot.name = 'Robot'

bevel = robot.modifiers.new('Rounded', 'BEVEL')
bevel.width = 0.04
bevel.segments = 3
bevel.limit_method = 'ANGLE'
ctx = bpy.context.copy()
ctx['object'] = robot
bpy.ops.object.modifier_apply(ctx, modifier='Rounded')

for x in (-0.28, 0.28):
    e = cyl((x, -0.52, 3.45), 0.13, 0.06, (radians(90), 0, 0), eye)
    e.parent = robot
    e.matrix_parent_inverse = robot.matrix_world.inverted()
box((0, -0.68, 3.45), (1.1, 0.04, 0.45), visor)
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.12, location=(0, 0, 4.45))
bpy.context.object.data.materials.append(red)
bpy.ops.mesh.primitive_plane_add(size=30)
bpy.context.object.data.materials.append(beige)

bpy.ops.object.light_add(type='SUN', rotation=(radians(40), radians(25), 0))
bpy.context.object.data.energy = 2.5
bpy.ops.object.light_add(type='AREA', location=(-4, -4, 4), rotation=(radians(60), 0, radians(-45)))
bpy.context.object.data.energy = 150
scene.world.use_nodes = True
scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.6, 0.52, 0.42, 1)
bpy.ops.object.camera_add(location=(4, -12, 3.6), rotation=(radians(84), 0, radians(18.5)))
scene.camera = bpy.context.object
