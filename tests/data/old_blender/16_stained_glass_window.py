# Blender 2.83
# Scene: A round stained glass window of 24 colored see-through segments (rainbow colors around the circle) with a black lead frame, lit from behind by a strong white spot light that throws colored light in a thin fog toward the camera, dark room.
# Old: mesh.vertex_colors.new with vertex_colors.data.color -> every glass segment has its own rainbow color, Principled 'Transmission' -> light goes through the glass, material.shadow_method 'HASHED' -> glass lets light through, eevee.use_volumetric_lights with volumetric_samples -> visible light beams in the fog
import bpy
import colorsys
from math import radians, cos, sin, pi

# wipe
for o in list(bpy.data.objects):
    bpy.data.objects.remove(o, do_unlink=True)

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_volumetric_lights = True
scene.eevee.volumetric_samples = 64
scene.eevee.volumetric_end = 40

# --- build the window (XZ plane) from 24 wedges in two rings
SEG = 24
verts, faces, tints = [], [], []
for i in range(SEG):
    a0 = 2 * pi * i / SEG
    a1 = 2 * pi * (i + 1) / SEG
    for (r0, r1, sat) in ((0.4, 1.2, 0.6), (1.2, 2.0, 1.0)):
        n = len(verts)
        verts += [(r0 * cos(a0), 0, r0 * sin(a0)), (r1 * cos(a0), 0, r1 * sin(a0)),
                  (r1 * cos(a1), 0, r1 * sin(a1)), (r0 * cos(a1), 0, r0 * sin(a1))]
        faces.append((n, n + 1, n + 2, n + 3))
        tints.append(colorsys.hsv_to_rgb(i / SEG, sat, 1.0))

me = bpy.data.meshes.new('Window')
me.from_pydata(verts, [], faces)
vcol = me.vertex_colors.new(name='Tint')
for poly in me.polygons:
    for li in poly.loop_indices:
        vcol.data[li].color = tints[poly.index] + (1.0,)
me.update()
win = bpy.data.objects.new('Window', me)
win.location = (0, 0, 2.5)
scene.collection.objects.link(win)

# --- glass reads the vertex color
glass = bpy.data.materials.new('StainedGlass')
glass.use_nodes = True
glass.blend_method = 'HASHED'
glass.shadow_method = 'HASHED'
nt = glass.node_tree
p = nt.nodes['Principled BSDF']
p.inputs['Roughness'].default_value = 0.15
p.inputs['Transmission'].default_value = 0.9
p.inputs['Alpha'].default_value = 0.6
attr = nt.nodes.new('ShaderNodeAttribute')
attr.attribute_name = 'Tint'
nt.links.new(attr.outputs['Color'], p.inputs['Base Color'])
me.materials.append(glass)

# --- lead
lead = bpy.data.materials.new('Lead')
lead.use_nodes = True
lead.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (0.01, 0.01, 0.01, 1)
for r in (0.4, 1.2, 2.0):
    bpy.ops.mesh.primitive_torus_add(location=(0, 0, 2.5), rotation=(pi / 2, 0, 0), major_radius=r, minor_radius=0.04)
    bpy.context.object.data.materials.append(lead)
for i in range(SEG):
    a = 2 * pi * i / SEG
    bpy.ops.mesh.primitive_cube_add(size=1, location=(1.2 * cos(a), 0, 2.5 + 1.2 * sin(a)), rotation=(0, -a, 0))
    bpy.context.object.scale = (1.6, 0.05, 0.03)
    bpy.context.object.data.materials.append(lead)

# --- floor, light, fog, camera
bpy.ops.mesh.primitive_plane_add(size=30)
bpy.context.object.data.materials.append(lead)
bpy.ops.object.light_add(type='SPOT', location=(0, 7, 5), rotation=(radians(-70), 0, 0))
spot = bpy.context.object.data
spot.energy = 6000
spot.spot_size = radians(50)

scene.world.use_nodes = True
wt = scene.world.node_tree
wt.nodes['Background'].inputs[0].default_value = (0.004, 0.004, 0.006, 1)
fog = wt.nodes.new('ShaderNodeVolumeScatter')
fog.inputs['Density'].default_value = 0.03
wt.links.new(fog.outputs[0], wt.nodes['World Output'].inputs['Volume'])
bpy.ops.object.camera_add(location=(2, -12, 2.2), rotation=(radians(91), 0, radians(9.5)))
scene.camera = bpy.context.object
