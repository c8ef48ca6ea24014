# Blender 2.83
# compositor from script: denoise -> glare -> vignette, plus a File Output for the passes
import bpy
import os

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.samples = 32

for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob)
# ---------- scene
bpy.ops.mesh.primitive_plane_add(size=20)
bpy.ops.mesh.primitive_torus_add(location=(0, 0, 1), rotation=(1.2, 0.3, 0), major_radius=1, minor_radius=0.3)
em = bpy.data.materials.new('Hot')
em.use_nodes = True
nt = em.node_tree
e = nt.nodes.new('ShaderNodeEmission')
e.inputs['Color'].default_value = (1, 0.35, 0.05, 1)
e.inputs['Strength'].default_value = 12
nt.links.new(e.outputs['Emission'], nt.nodes['Material Output'].inputs['Surface'])
bpy.context.object.data.materials.append(em)
bpy.ops.object.light_add(type='AREA', location=(0, -3, 5), rotation=(0.5, 0, 0))
bpy.context.object.data.energy = 100
bpy.ops.object.camera_add(location=(0, -7, 2.5), rotation=(1.36, 0, 0))
scene.camera = bpy.context.object
# ---------- passes
vl = bpy.context.view_layer
vl.use_pass_mist = True
vl.cycles.denoising_store_passes = True
# ---------- compositor
scene.use_nodes = True
tree = scene.node_tree
tree.nodes.clear()

def node(idname, x, y=0):
    n = tree.nodes.new(idname)
    n.location = (x, y)
    return n
rl = node('CompositorNodeRLayers', 0)
dn = node('CompositorNodeDenoise', 300)
gl = node('CompositorNodeGlare', 500)
gl.glare_type = 'FOG_GLOW'
gl.quality = 'HIGH'
gl.threshold = 0.8
gl.size = 7
el = node('CompositorNodeEllipseMask', 300, -300)
el.width, el.height = 0.95, 0.8
bl = node('CompositorNodeBlur', 500, -300)
bl.size_x = bl.size_y = 200
mx = node('CompositorNodeMixRGB', 750)
mx.blend_type = 'MULTIPLY'
mx.inputs[0].default_value = 0.7
out = node('CompositorNodeComposite', 1000)
fo = node('CompositorNodeOutputFile', 1000, -300)
fo.base_path = os.path.join('//', 'passes')
fo.format.file_format = 'OPEN_EXR'
fo.file_slots[0].path = 'beauty_'
fo.file_slots.new('mist_')
L = tree.links
L.new(rl.outputs['Noisy Image'], dn.inputs['Image'])
L.new(rl.outputs['Denoising Normal'], dn.inputs['Normal'])
L.new(rl.outputs['Denoising Albedo'], dn.inputs['Albedo'])
L.new(dn.outputs[0], gl.inputs[0])
L.new(el.outputs[0], bl.inputs[0])
L.new(gl.outputs[0], mx.inputs[1])
L.new(bl.outputs[0], mx.inputs[2])
L.new(mx.outputs[0], out.inputs['Image'])
L.new(dn.outputs[0], fo.inputs[0])
L.new(rl.outputs['Mist'], fo.inputs[1])
