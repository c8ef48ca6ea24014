# change: scene.objects.link -> collection.objects.link (2.80); also: scene.objects.active, obj.select
# holds: bpy.context.object.name == 'Pyramid' and bpy.context.object.select_get() and len(bpy.context.object.data.polygons) == 5
import bpy

# Make a pyramid from vertices and faces, and put it in the scene.
verts = [
    (1.0, 1.0, -1.0),
    (1.0, -1.0, -1.0),
    (-1.0, -1.0, -1.0),
    (-1.0, 1.0, -1.0),
    (0.0, 0.0, 1.0),
]
faces = [(0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]

mesh = bpy.data.meshes.new("pyramid_mesh")
obj = bpy.data.objects.new("Pyramid", mesh)
obj.location = (0.0, 0.0, 1.0)

scene = bpy.context.scene
scene.objects.link(obj)
scene.objects.active = obj
obj.select = True

mesh.from_pydata(verts, [], faces)
mesh.update(calc_edges=True)
