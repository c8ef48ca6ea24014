# brief: a wooden desk with a laptop and a desk lamp on it, and a chair in front of the desk, in a small room
# finds: gravity.sinking: Chair Floor
import bpy
from math import radians

scene = bpy.context.scene


def mat(name, color, rough=0.6, metal=0.0, emit=0.0):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value = color
    b.inputs["Roughness"].default_value = rough
    b.inputs["Metallic"].default_value = metal
    if emit:
        b.inputs["Emission Color"].default_value = color
        b.inputs["Emission Strength"].default_value = emit
    return m


def box(name, size, loc, material, parent=None, rot=(0, 0, 0)):
    bpy.ops.mesh.primitive_cube_add(size=1, location=loc, rotation=rot)
    o = bpy.context.active_object
    o.name = name
    o.dimensions = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    o.data.materials.append(material)
    if parent:
        bpy.context.view_layer.update()
        o.parent = parent
        o.matrix_parent_inverse = parent.matrix_world.inverted()
    return o


def cyl(name, r, h, loc, material, parent=None, rot=(0, 0, 0)):
    bpy.ops.mesh.primitive_cylinder_add(radius=r, depth=h, location=loc, rotation=rot, vertices=32)
    o = bpy.context.active_object
    o.name = name
    o.data.materials.append(material)
    if parent:
        bpy.context.view_layer.update()
        o.parent = parent
        o.matrix_parent_inverse = parent.matrix_world.inverted()
    return o


def group(name):
    e = bpy.data.objects.new(name, None)
    scene.collection.objects.link(e)
    return e


OAK = mat("Oak", (0.4, 0.24, 0.12, 1))
METAL = mat("Metal", (0.5, 0.5, 0.52, 1), 0.3, 0.9)
BLACK = mat("Black", (0.02, 0.02, 0.02, 1))
SCREEN = mat("Screen", (0.3, 0.5, 0.9, 1), emit=1.5)
WALL = mat("Wall", (0.75, 0.72, 0.66, 1), 0.9)
FLOOR = mat("Floor", (0.3, 0.2, 0.13, 1), 0.7)
FABRIC = mat("Fabric", (0.1, 0.2, 0.25, 1), 0.95)
SHADE = mat("LampShade", (0.9, 0.7, 0.2, 1))

box("Floor", (4, 4, 0.1), (0, 0, -0.05), FLOOR)
box("BackWall", (4, 0.1, 2.6), (0, 2.0, 1.3), WALL)
box("LeftWall", (0.1, 4, 2.6), (-2.0, 0, 1.3), WALL)

desk = group("Desk")
box("Desk_Top", (1.5, 0.75, 0.04), (0, 1.2, 0.73), OAK, desk)
for i, (x, y) in enumerate(((-0.7, 0.88), (0.7, 0.88), (-0.7, 1.52), (0.7, 1.52))):
    box(f"Desk_Leg_{i}", (0.05, 0.05, 0.71), (x, y, 0.355), OAK, desk)

laptop = group("Laptop")
box("Laptop_Base", (0.34, 0.24, 0.02), (0, 1.12, 0.76), METAL, laptop)
box("Laptop_Screen", (0.34, 0.012, 0.22), (0, 1.26, 0.878), BLACK, laptop, (radians(-12), 0, 0))
box("Laptop_Display", (0.31, 0.004, 0.19), (0, 1.252, 0.878), SCREEN, laptop, (radians(-12), 0, 0))

lamp = group("DeskLamp")
cyl("Lamp_Base", 0.08, 0.02, (0.5, 1.3, 0.76), BLACK, lamp)
cyl("Lamp_Arm", 0.012, 0.38, (0.5, 1.3, 0.96), METAL, lamp)
bpy.ops.mesh.primitive_cone_add(radius1=0.09, radius2=0.03, depth=0.12, location=(0.5, 1.3, 1.17))
shade = bpy.context.active_object
shade.name = "Lamp_Shade"
shade.data.materials.append(SHADE)
shade.parent = lamp

chair = group("Chair")
box("Chair_Seat", (0.45, 0.45, 0.06), (-0.05, 0.35, 0.45), FABRIC, chair)
box("Chair_Back", (0.45, 0.05, 0.5), (-0.05, 0.15, 0.73), FABRIC, chair)
for i, (x, y) in enumerate(((-0.25, 0.15), (0.15, 0.15), (-0.25, 0.55), (0.15, 0.55))):
    cyl(f"Chair_Leg_{i}", 0.02, 0.42, (x, y, 0.21), METAL, chair)

bpy.ops.object.light_add(type="AREA", location=(0.8, -0.5, 2.5))
bpy.context.object.data.energy = 90
bpy.context.object.data.size = 1.2
bpy.ops.object.light_add(type="POINT", location=(0.5, 1.3, 1.05))
bpy.context.object.data.energy = 8

scene.world = bpy.data.worlds.new("W")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.5

bpy.ops.object.camera_add(location=(2.1, -2.4, 2.0))
cam = bpy.context.object
target = bpy.data.objects.new("Target", None)
target.location = (0, 0.9, 0.7)
scene.collection.objects.link(target)
con = cam.constraints.new("TRACK_TO")
con.target = target
con.track_axis = "TRACK_NEGATIVE_Z"
con.up_axis = "UP_Y"
cam.data.lens = 32
scene.camera = cam

bpy.data.objects["Chair"].location.z -= 0.16
