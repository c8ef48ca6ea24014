# Blender 2.79
# Scene: A cubic lattice of 27 blue balls (instances on vertices) and around it six water molecules (red ball with two small white balls, each a group instance) on a pale yellow background, lit by a white glowing panel overhead.
# Old: dupli_type 'VERTS' -> 27 blue balls at the vertices, bpy.data.groups.new with dupli_type 'GROUP', dupli_group and dupli_offset -> six water molecules around the lattice, scene.objects.link -> all objects in the scene, empty_draw_size/draw_type -> only viewport and must not stop the script, world.horizon_color without world nodes in Cycles -> pale yellow background and ambient light, scene.update() -> matrices are up to date
import bpy
from math import radians, cos, sin, pi

scene = bpy.context.scene
scene.render.engine = 'CYCLES'

for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob, do_unlink=True)


def mat_diffuse(name, rgb, emission=0.0):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    nt = m.node_tree
    nt.nodes.clear()
    out = nt.nodes.new('ShaderNodeOutputMaterial')
    if emission:
        sh = nt.nodes.new('ShaderNodeEmission')
        sh.inputs['Strength'].default_value = emission
    else:
        sh = nt.nodes.new('ShaderNodeBsdfDiffuse')
    sh.inputs['Color'].default_value = rgb + (1.0,)
    nt.links.new(sh.outputs[0], out.inputs['Surface'])
    return m


def ball(name, loc, r, mat):
    bpy.ops.mesh.primitive_uv_sphere_add(location=loc)
    ob = bpy.context.object
    ob.name = name
    ob.scale = (r, r, r)
    bpy.ops.object.shade_smooth()
    ob.data.materials.append(mat)
    return ob


blue = mat_diffuse('Blue', (0.05, 0.15, 0.8))
red = mat_diffuse('Oxygen', (0.8, 0.02, 0.02))
white = mat_diffuse('Hydrogen', (0.9, 0.9, 0.9))

# lattice: mesh of loose vertices, one ball per vertex
pts = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
me = bpy.data.meshes.new('Lattice')
me.from_pydata(pts, [], [])
lattice = bpy.data.objects.new('Lattice', me)
lattice.draw_type = 'WIRE'
scene.objects.link(lattice)
atom = ball('LatticeAtom', (0, 0, 0), 0.3, blue)
atom.parent = lattice
lattice.dupli_type = 'VERTS'

# one water molecule far away, collected in a group
water = bpy.data.groups.new('Water')
for ob in (ball('O', (0, 0, 0), 0.45, red),
           ball('H1', (0.45, 0, 0.35), 0.25, white),
           ball('H2', (-0.45, 0, 0.35), 0.25, white)):
    water.objects.link(ob)
    ob.location.z += 50
water.dupli_offset = (0, 0, 50)

for i in range(6):
    a = i * pi / 3
    e = bpy.data.objects.new('Water_%d' % i, None)
    e.empty_draw_size = 0.3
    e.dupli_type = 'GROUP'
    e.dupli_group = water
    e.location = (3.2 * cos(a), 3.2 * sin(a), 0.4 * (-1) ** i)
    e.rotation_euler = (0, 0, a)
    scene.objects.link(e)

bpy.ops.mesh.primitive_plane_add(location=(0, 0, 7), rotation=(pi, 0, 0))
panel = bpy.context.object
panel.scale = (2, 2, 1)
panel.data.materials.append(mat_diffuse('Panel', (1.0, 1.0, 1.0), 8.0))

scene.world.use_nodes = False
scene.world.horizon_color = (0.9, 0.85, 0.55)

bpy.ops.object.camera_add(location=(4, -9, 5), rotation=(radians(63), 0, radians(24)))
scene.camera = bpy.context.object
scene.camera.data.lens = 35
scene.update()
