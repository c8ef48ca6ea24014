# Blender 4.2
# Scene: Seven red toadstools with white dots on a mossy green hill, with a light morning-grey world, lit by a sun; the corners of the picture are darkened by a compositor vignette and the colors are a bit more saturated.
# Old: scene.node_tree with CompositorNodeComposite -> compositor tree is used for the render, CompositorNodeMixRGB 'MULTIPLY' -> dark corners, ellipse mask properties mask_width/mask_height -> large oval in the middle stays bright, blur size_x/size_y/filter_type properties -> soft edge of the vignette
import bpy
import random
from math import radians, cos, sin, pi

random.seed(5)

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.samples = 64

def mat(name, rgb, rough=0.5):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*rgb, 1)
    m.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = rough
    return m


red = mat("Cap", (0.7, 0.02, 0.01), 0.25)
white = mat("White", (0.9, 0.88, 0.8))
moss = mat("Moss", (0.08, 0.22, 0.03), 1.0)


def hill_z(x, y):
    return 0.8 - 0.06 * (x * x + y * y)


def add(kind, mat, loc, scale, smooth=True, **kw):
    getattr(bpy.ops.mesh, 'primitive_%s_add' % kind)(location=loc, **kw)
    ob = bpy.context.object
    ob.scale = scale
    ob.data.materials.append(mat)
    if smooth:
        bpy.ops.object.shade_smooth()
    return ob


def toadstool(x, y, s):
    z = hill_z(x, y)
    root = bpy.data.objects.new("Toadstool", None)
    root.location = (x, y, z)
    root.rotation_euler = (random.uniform(-0.12, 0.12), random.uniform(-0.12, 0.12), random.uniform(0, pi))
    scene.collection.objects.link(root)
    parts = [add('cone', white, (0, 0, 0.5), (1, 1, 1), radius1=0.22, radius2=0.14, depth=1.1),
             add('uv_sphere', red, (0, 0, 1.0), (1, 1, 0.65), radius=0.6)]
    for ring, count, tilt in ((0, 1, 0), (1, 6, 35), (2, 9, 62)):
        for k in range(count):
            a, t = 2 * pi * k / count + ring, radians(tilt)
            parts.append(add('uv_sphere', white, (0.6 * sin(t) * cos(a), 0.6 * sin(t) * sin(a), 1.0 + 0.39 * cos(t)),
                             (1, 1, 0.6), radius=0.07))
    for p in parts:
        p.parent = root
    root.scale = (s, s, s)


bpy.ops.mesh.primitive_grid_add(x_subdivisions=80, y_subdivisions=80, size=20)
hill = bpy.context.object
for v in hill.data.vertices:
    v.co.z = max(-6, hill_z(v.co.x, v.co.y)) + random.uniform(-0.03, 0.03)
hill.data.materials.append(moss)

for x, y, s in ((0, 0, 1.5), (-1.6, -0.6, 1.0), (1.5, -0.4, 1.1), (-0.8, -1.6, 0.6), (0.9, -1.7, 0.5), (2.7, 0.6, 0.8), (-2.9, 0.5, 0.9)):
    toadstool(x, y, s)

bpy.ops.object.light_add(type='SUN', rotation=(radians(45), radians(25), 0))
bpy.context.object.data.energy = 3.5
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.55, 0.6, 0.62, 1)
bpy.ops.object.camera_add(location=(0, -9, 2.6), rotation=(radians(82), 0, 0))
scene.camera = bpy.context.object

# compositing
scene.use_nodes = True
ct = scene.node_tree
ct.nodes.clear()
layers, hsv, mask, blur, mix, comp = (ct.nodes.new('CompositorNode' + n) for n in (
    'RLayers', 'HueSat', 'EllipseMask', 'Blur', 'MixRGB', 'Composite'))
hsv.inputs['Saturation'].default_value = 1.2
mask.mask_width, mask.mask_height = 0.95, 0.75
blur.filter_type, blur.size_x, blur.size_y = 'FAST_GAUSS', 220, 220
mix.blend_type = 'MULTIPLY'
mix.inputs[0].default_value = 0.85
for a, b in ((layers.outputs['Image'], hsv.inputs['Image']), (mask.outputs[0], blur.inputs[0]), (hsv.outputs[0], mix.inputs[1]),
             (blur.outputs[0], mix.inputs[2]), (mix.outputs[0], comp.inputs['Image'])):
    ct.links.new(a, b)
