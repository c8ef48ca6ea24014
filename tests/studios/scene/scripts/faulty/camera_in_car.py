# brief: a red car parked in front of a yellow house with a brown roof, a tree to the right of the house
# finds: camera.inside, camera.blind: Car
import bpy
import math
from mathutils import Vector

C = bpy.context


def color(name, r, g, b, rough=0.6):
    m = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    m.use_nodes = True
    n = m.node_tree.nodes.get("Principled BSDF")
    n.inputs[0].default_value = (r, g, b, 1)
    n.inputs["Roughness"].default_value = rough
    return m


def cube(name, loc, scale, mat, parent=None):
    bpy.ops.mesh.primitive_cube_add(location=loc)
    o = C.object
    o.name = name
    o.scale = scale
    o.data.materials.append(mat)
    if parent is not None:
        C.view_layer.update()
        o.parent = parent
        o.matrix_parent_inverse = parent.matrix_world.inverted()
    return o


cube("Lawn", (0, 4, -0.1), (15, 10, 0.1), color("Lawn", 0.12, 0.35, 0.08))
cube("Road", (0, -4.5, -0.095), (15, 2.5, 0.1), color("Asphalt", 0.08, 0.08, 0.09))

house = cube("House_Walls", (-2, 5, 1.5), (3, 2.5, 1.5), color("Yellow", 0.8, 0.6, 0.12))
mesh = bpy.data.meshes.new("House_Roof")
v = [(-3.3, -2.8, 0), (3.3, -2.8, 0), (3.3, 2.8, 0), (-3.3, 2.8, 0), (-3.3, 0, 1.8), (3.3, 0, 1.8)]
f = [(0, 1, 5, 4), (2, 3, 4, 5), (0, 4, 3), (1, 2, 5), (3, 2, 1, 0)]
mesh.from_pydata(v, [], f)
roof = bpy.data.objects.new("House_Roof", mesh)
roof.location = (-2, 5, 3)
mesh.materials.append(color("RoofBrown", 0.28, 0.12, 0.05))
C.collection.objects.link(roof)
cube("House_Door", (-2, 2.48, 1.0), (0.45, 0.05, 1.0), color("Door", 0.25, 0.1, 0.04), house)
for sx in (-1, 1):
    cube(f"House_Window_{'L' if sx < 0 else 'R'}", (-2 + sx * 1.7, 2.48, 1.7), (0.5, 0.05, 0.45), color("Glass", 0.5, 0.7, 0.9, 0.1), house)

body = cube("Car", (-1.5, -3.6, 0.55), (1.9, 0.8, 0.3), color("CarRed", 0.7, 0.02, 0.02, 0.2))
cube("Car_Cabin", (-1.7, -3.6, 1.1), (1.0, 0.7, 0.28), color("CarGlass", 0.1, 0.12, 0.15, 0.1), body)
for i, (x, y) in enumerate([(-2.7, -4.4), (-0.3, -4.4), (-2.7, -2.8), (-0.3, -2.8)]):
    bpy.ops.mesh.primitive_cylinder_add(radius=0.33, depth=0.22, location=(x, y, 0.335), rotation=(math.radians(90), 0, 0))
    w = C.object
    w.name = f"Car_Wheel_{i}"
    w.data.materials.append(color("Tyre", 0.02, 0.02, 0.02))
    C.view_layer.update()
    w.parent = body
    w.matrix_parent_inverse = body.matrix_world.inverted()

bpy.ops.mesh.primitive_cylinder_add(radius=0.25, depth=2.4, location=(4.5, 5, 1.1))
C.object.name = "Tree_Trunk"
C.object.data.materials.append(color("Bark", 0.2, 0.1, 0.05))
for i, (dx, dy, z, r) in enumerate([(0, 0, 3.2, 1.4), (0.8, 0.2, 2.8, 1.0), (-0.8, -0.2, 2.9, 1.0)]):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=r, location=(4.5 + dx, 5 + dy, z))
    C.object.name = f"Tree_Crown_{i}"
    C.object.data.materials.append(color("Leaves", 0.08, 0.3, 0.06))

bpy.ops.object.light_add(type="SUN", rotation=(math.radians(45), math.radians(15), 0))
C.object.data.energy = 3
C.scene.world = bpy.data.worlds.new("World")
C.scene.world.use_nodes = True
C.scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.5, 0.7, 1.0, 1)
bpy.ops.object.camera_add(location=(3, -15, 5))
C.object.rotation_euler = (Vector((0, 1, 1.5)) - C.object.location).to_track_quat("-Z", "Y").to_euler()
C.scene.camera = C.object

C.scene.camera.location = (-1.5, -3.6, 0.55)
