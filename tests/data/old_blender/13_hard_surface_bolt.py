# Blender 2.83
# Scene: A big steel hex bolt with a bevelled head and a threaded-looking shaft, and beside it a red lacquered cube with rounded edges and a round hole, on a dark grey floor, lit by two area lights (cool left, warm right).
# Old: mesh.use_auto_smooth with auto_smooth_angle -> flat faces stay flat and round ones smooth, modifier_apply(apply_as='DATA') -> the hole is really cut into the red cube, Principled 'Clearcoat' and 'Clearcoat Roughness' -> glossy lacquer layer on the red cube, Principled 'Specular' -> steel and floor highlights, eevee.use_gtao with gtao_distance -> must not stop the script
import bpy
from math import radians, pi

# Start fresh
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_gtao = True
scene.eevee.gtao_distance = 0.5


def shader(name, **kw):
    """make a material and fill its Principled node"""
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    node = mat.node_tree.nodes.get('Principled BSDF')
    for k, v in kw.items():
        node.inputs[k.replace('_', ' ')].default_value = v
    return mat

steel = shader('Steel', Base_Color=(0.6, 0.62, 0.65, 1), Metallic=1.0, Roughness=0.28, Specular=0.6)
lacquer = shader('Lacquer', Base_Color=(0.6, 0.01, 0.01, 1), Roughness=0.4, Clearcoat=1.0, Clearcoat_Roughness=0.03)
ground = shader('Ground', Base_Color=(0.08, 0.08, 0.09, 1), Roughness=0.6, Specular=0.3)


def smooth(ob, angle=35):
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.select_all(action='DESELECT')
    ob.select_set(True)
    bpy.ops.object.shade_smooth()
    ob.data.use_auto_smooth = True
    ob.data.auto_smooth_angle = radians(angle)


def apply_mod(ob, name):
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.modifier_apply(apply_as='DATA', modifier=name)


# bolt = head + shaft + rings
bpy.ops.mesh.primitive_cylinder_add(vertices=6, radius=1.0, depth=0.7, location=(-1.6, 0, 0.35))
head = bpy.context.object
bev = head.modifiers.new('Bev', 'BEVEL')
bev.width, bev.segments = 0.08, 3
head.data.materials.append(steel)
apply_mod(head, 'Bev')
smooth(head)

bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=0.5, depth=2.2, location=(-1.6, 0, 1.8))
shaft = bpy.context.object
shaft.data.materials.append(steel)
smooth(shaft)
for i in range(9):
    bpy.ops.mesh.primitive_torus_add(location=(-1.6, 0, 1.1 + i * 0.2), rotation=(radians(4), 0, 0),
                                     major_radius=0.5, minor_radius=0.06)
    ring = bpy.context.object
    ring.data.materials.append(steel)
    smooth(ring, 60)

# red cube with a hole
bpy.ops.mesh.primitive_cube_add(size=2, location=(1.6, 0, 1))
cube = bpy.context.object
cube.data.materials.append(lacquer)
bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=0.6, depth=4, location=(1.6, 0, 1), rotation=(pi / 2, 0, 0))
cutter = bpy.context.object
boo = cube.modifiers.new('Hole', 'BOOLEAN')
boo.operation = 'DIFFERENCE'
boo.object = cutter
apply_mod(cube, 'Hole')
bpy.data.objects.remove(cutter, do_unlink=True)
b = cube.modifiers.new('Bev', 'BEVEL')
b.width, b.segments = 0.06, 3
b.limit_method = 'ANGLE'
smooth(cube)

bpy.ops.mesh.primitive_plane_add(size=30)
bpy.context.object.data.materials.append(ground)

for x, color in ((-5, (0.7, 0.85, 1.0)), (5, (1.0, 0.8, 0.6))):
    bpy.ops.object.light_add(type='AREA', location=(x, -4, 5), rotation=(radians(50), 0, radians(50 if x > 0 else -50)))
    light = bpy.context.object.data
    light.energy, light.size, light.color = 400, 3, color

bpy.ops.object.camera_add(location=(0, -9, 4), rotation=(radians(73), 0, 0))
scene.camera = bpy.context.object
