# Blender 2.93
# Scene: A rippled square surface (sin(r)/r wave) colored by height from deep blue in the valleys over green to red at the peak, smooth and slightly glossy, on a dark grey background, lit by a sun from the left and a weak area light from the right.
# Old: mesh.calc_normals() -> surface is shaded correctly, mesh.vertex_colors.new read by ShaderNodeVertexColor -> blue-green-red height colors in the render, mesh.use_auto_smooth -> smooth surface, Principled 'Specular' -> slight gloss
import bpy
import math
from mathutils import Vector

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False, confirm=False)

N = 80
SIZE = 10.0


def height(x, y):
    r = math.sqrt(x * x + y * y) * 2.0
    return 2.2 * math.sin(r) / r if r > 1e-6 else 2.2


def heat(t):
    """0..1 -> blue, green, red"""
    if t < 0.5:
        k = t * 2
        return (0.0, k, 1.0 - k, 1.0)
    k = (t - 0.5) * 2
    return (k, 1.0 - k, 0.0, 1.0)


verts = []
for j in range(N + 1):
    for i in range(N + 1):
        x = (i / N - 0.5) * SIZE
        y = (j / N - 0.5) * SIZE
        verts.append((x, y, height(x, y)))
faces = []
for j in range(N):
    for i in range(N):
        a = j * (N + 1) + i
        faces.append((a, a + 1, a + N + 2, a + N + 1))

mesh = bpy.data.meshes.new("Wave")
mesh.from_pydata(verts, [], faces)
mesh.update()
mesh.calc_normals()
for p in mesh.polygons:
    p.use_smooth = True
mesh.use_auto_smooth = True
mesh.auto_smooth_angle = math.radians(60)

zs = [v.co.z for v in mesh.vertices]
zmin, zmax = min(zs), max(zs)
layer = mesh.vertex_colors.new(name="Heat")
for loop in mesh.loops:
    z = mesh.vertices[loop.vertex_index].co.z
    layer.data[loop.index].color = heat(((z - zmin) / (zmax - zmin)) ** 0.7)

mat = bpy.data.materials.new("Heat")
mat.use_nodes = True
nt = mat.node_tree
bsdf = nt.nodes["Principled BSDF"]
bsdf.inputs["Roughness"].default_value = 0.35
bsdf.inputs["Specular"].default_value = 0.4
vc = nt.nodes.new("ShaderNodeVertexColor")
vc.layer_name = "Heat"
nt.links.new(vc.outputs["Color"], bsdf.inputs["Base Color"])
mesh.materials.append(mat)

obj = bpy.data.objects.new("Wave", mesh)
bpy.context.collection.objects.link(obj)

bpy.ops.object.light_add(type='SUN', rotation=(math.radians(30), math.radians(-40), 0))
bpy.context.object.data.energy = 3
bpy.ops.object.light_add(type='AREA', location=(7, -4, 5))
area = bpy.context.object
area.data.energy = 200
area.rotation_euler = (Vector((0, 0, 0)) - area.location).to_track_quat('-Z', 'Y').to_euler()

world = bpy.context.scene.world
world.use_nodes = True
world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.04, 0.04, 0.05, 1)

cam = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
cam.location = (10.5, -13, 10)
cam.rotation_euler = (Vector((0, 0, 0)) - cam.location).to_track_quat('-Z', 'Y').to_euler()
bpy.context.collection.objects.link(cam)
bpy.context.scene.camera = cam
