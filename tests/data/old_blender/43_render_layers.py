# Blender 2.76
# layers -> render layers -> compositor, the short version (Cycles)
import bpy

C = bpy.context
D = bpy.data
scn = C.scene
scn.render.engine = 'CYCLES'

def L(*on):
    return [i in on for i in range(20)]

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

# both layers must be visible or the ops wont give us an active object
scn.layers = L(0, 1)

def shader(name, col):
    m = D.materials.new(name)
    m.use_nodes = True
    m.node_tree.nodes['Diffuse BSDF'].inputs['Color'].default_value = col + (1,)
    return m

bpy.ops.mesh.primitive_plane_add(radius=10, location=(0, 0, 0), layers=L(0))
C.object.data.materials.append(shader('floor', (0.5, 0.5, 0.5)))

for x in (-3, 0, 3):
    bpy.ops.mesh.primitive_cube_add(radius=0.9, location=(x, 3, 0.9), layers=L(0))
    C.object.data.materials.append(shader('box', (0.1, 0.2, 0.6)))

bpy.ops.mesh.primitive_monkey_add(radius=1, location=(0, -1, 1), layers=L(1))
bpy.ops.object.shade_smooth()
C.object.data.materials.append(shader('suzanne', (0.8, 0.25, 0.05)))

bpy.ops.object.lamp_add(type='SUN', location=(0, 0, 8), rotation=(0.6, 0.3, 0), layers=L(0, 1))
bpy.ops.object.camera_add(location=(0, -9, 3), rotation=(1.35, 0, 0), layers=L(0, 1))
scn.camera = C.object

# --- render layers
bg = scn.render.layers[0]
bg.name = 'Background'
bg.layers = L(0)
fg = scn.render.layers.new('Foreground')
fg.layers = L(1)
fg.use_sky = False
clay = scn.render.layers.new('Clay')
clay.layers = L(0, 1)
clay.material_override = shader('clay', (0.8, 0.8, 0.8))
clay.use = False     # switch on if you want it

# --- compositor: blurred background, sharp monkey
scn.use_nodes = True
tree = scn.node_tree
for n in tree.nodes:
    tree.nodes.remove(n)

r1 = tree.nodes.new('CompositorNodeRLayers')
r1.layer = 'Background'
r2 = tree.nodes.new('CompositorNodeRLayers')
r2.layer = 'Foreground'
blur = tree.nodes.new('CompositorNodeBlur')
blur.filter_type = 'GAUSS'
blur.size_x = blur.size_y = 12
over = tree.nodes.new('CompositorNodeAlphaOver')
comp = tree.nodes.new('CompositorNodeComposite')
tree.links.new(r1.outputs['Image'], blur.inputs['Image'])
tree.links.new(blur.outputs[0], over.inputs[1])
tree.links.new(r2.outputs['Image'], over.inputs[2])
tree.links.new(over.outputs[0], comp.inputs[0])
