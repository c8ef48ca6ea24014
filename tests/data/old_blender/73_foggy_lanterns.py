# Blender 4.2
# EEVEE Next: lanterns in fog, soft-focus through the compositor
# (bloom checkbox is gone in 4.2, so glow = Glare node)
import bpy
import math

bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
scene = bpy.context.scene

scene.render.engine = 'BLENDER_EEVEE_NEXT'
scene.eevee.taa_render_samples = 64
scene.eevee.use_raytracing = True
scene.eevee.ray_tracing_options.resolution_scale = '1'
scene.eevee.use_shadows = True
scene.eevee.volumetric_tile_size = '4'

# fog cube
bpy.ops.mesh.primitive_cube_add(size=20, location=(0, 4, 5))
fog = bpy.context.object
fog.display_type = 'WIRE'
fm = bpy.data.materials.new("Fog")
fm.use_nodes = True
nt = fm.node_tree
nt.nodes.clear()
out = nt.nodes.new("ShaderNodeOutputMaterial")
vol = nt.nodes.new("ShaderNodeVolumePrincipled")
vol.inputs["Density"].default_value = 0.04
nt.links.new(vol.outputs[0], out.inputs["Volume"])
fog.data.materials.append(fm)

# paper shade
paper = bpy.data.materials.new("Paper")
paper.use_nodes = True
paper.surface_render_method = 'BLENDED'
paper.use_transparency_overlap = False
paper.use_transparent_shadow = True
pb = paper.node_tree.nodes["Principled BSDF"]
pb.inputs["Base Color"].default_value = (1, 0.6, 0.25, 1)
pb.inputs["Emission Color"].default_value = (1, 0.45, 0.12, 1)
pb.inputs["Emission Strength"].default_value = 3
pb.inputs["Alpha"].default_value = 0.85

for i in range(7):
    x = (i - 3) * 1.6
    loc = (x, abs(x) * 0.9, 2 + math.sin(i) * 0.4)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.35, location=loc)
    bpy.ops.object.shade_smooth()
    bpy.context.object.data.materials.append(paper)
    bpy.ops.object.light_add(type='POINT', location=loc)
    bpy.context.object.data.energy = 40
    bpy.context.object.data.color = (1, 0.6, 0.3)

bpy.ops.mesh.primitive_plane_add(size=40)
bpy.ops.object.camera_add(location=(0, -7, 2), rotation=(math.radians(90), 0, 0))
scene.camera = bpy.context.object

# compositing
scene.use_nodes = True
tree = scene.node_tree
rl = tree.nodes["Render Layers"]
comp = tree.nodes["Composite"]
glare = tree.nodes.new("CompositorNodeGlare")
glare.glare_type = 'BLOOM'
glare.mix = -0.3
blur = tree.nodes.new("CompositorNodeBlur")
blur.filter_type = 'FAST_GAUSS'
blur.use_relative = False
blur.size_x = 12
blur.size_y = 12
over = tree.nodes.new("CompositorNodeAlphaOver")
over.inputs[0].default_value = 0.25
tree.links.new(rl.outputs["Image"], glare.inputs[0])
tree.links.new(glare.outputs[0], blur.inputs[0])
tree.links.new(glare.outputs[0], over.inputs[1])
tree.links.new(blur.outputs[0], over.inputs[2])
tree.links.new(over.outputs[0], comp.inputs[0])
