# Blender 4.2
# Scene: A dark green chalkboard with a wooden frame on a beige wall; on it in white and yellow grease pencil chalk lines: a white sine curve, white x and y axes and a yellow sun with orange-tinted rays; a wooden 3D chalk tray with two chalk cylinders (white, yellow) below, lit by an area light.
# Old: bpy.ops.object.gpencil_add(type='EMPTY') -> an empty grease pencil object, gpencil layers/frames.strokes.new with points.add and stroke.line_width -> chalk lines are drawn, stroke.display_mode '3DSPACE' -> lines live in the 3D scene, layer.line_change -> lines slightly thicker
import bpy
from math import sin, cos, pi, radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()


def node_mat(name, rgb, rough=0.8):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Base Color"].default_value = (*rgb, 1)
    bsdf.inputs["Roughness"].default_value = rough
    return mat


board_mat = node_mat("Board", (0.02, 0.09, 0.05))
wood = node_mat("Wood", (0.4, 0.22, 0.1), 0.5)
wall = node_mat("Wall", (0.8, 0.72, 0.58))
chalk_white = node_mat("ChalkWhite", (0.95, 0.95, 0.95))
chalk_yellow = node_mat("ChalkYellow", (1.0, 0.85, 0.2))


def box(loc, dims, mat):
    bpy.ops.mesh.primitive_cube_add(size=1, location=loc)
    ob = bpy.context.object
    ob.scale = dims
    ob.data.materials.append(mat)
    return ob


box((0, 0.6, 3), (16, 0.2, 10), wall)
box((0, 0.3, 3), (6, 0.1, 3.4), board_mat)
for loc, dims in (((0, 0.28, 4.75), (6.3, 0.2, 0.15)), ((0, 0.28, 1.25), (6.3, 0.2, 0.15)),
                  ((-3.08, 0.28, 3), (0.15, 0.2, 3.4)), ((3.08, 0.28, 3), (0.15, 0.2, 3.4)),
                  ((0, 0.05, 1.2), (4, 0.4, 0.06))):
    box(loc, dims, wood)
for x, m in ((-0.8, chalk_white), (0.6, chalk_yellow)):
    bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=0.05, depth=0.5, location=(x, 0, 1.28), rotation=(0, pi / 2, 0.2))
    bpy.context.object.data.materials.append(m)

# --- grease pencil
bpy.ops.object.gpencil_add(type='EMPTY', location=(0, 0.2, 3))
gp_ob = bpy.context.object
gp_ob.name = "ChalkDrawing"
gp = gp_ob.data
for name, color in (("White", (0.95, 0.95, 0.95, 1)), ("Yellow", (1.0, 0.85, 0.2, 1))):
    m = bpy.data.materials.new("Chalk" + name + "Line")
    bpy.data.materials.create_gpencil_data(m)
    m.grease_pencil.color = color
    gp.materials.append(m)

layer = gp.layers.new("Lines", set_active=True)
layer.line_change = 5
frame = layer.frames.new(1)


def line(pts, mat_index=0, width=35, tint=None):
    s = frame.strokes.new()
    s.display_mode = '3DSPACE'
    s.line_width = width
    s.material_index = mat_index
    s.points.add(len(pts))
    for p, (x, z) in zip(s.points, pts):
        p.co = (x, 0, z)
        p.pressure = 1.0
        if tint:
            p.vertex_color = tint


line([(-2.5, -0.6), (1.2, -0.6)])
line([(-2.3, -1.3), (-2.3, 1.2)])
line([(-2.3 + i * 0.05, -0.6 + 0.5 * sin(i * 0.2)) for i in range(68)], 0, 45)
circle = [(1.9 + 0.4 * cos(a * pi / 16), 0.8 + 0.4 * sin(a * pi / 16)) for a in range(33)]
line(circle, 1, 40)
for k in range(8):
    a = k * pi / 4
    line([(1.9 + 0.55 * cos(a), 0.8 + 0.55 * sin(a)), (1.9 + 0.8 * cos(a), 0.8 + 0.8 * sin(a))], 1, 30,
         (1.0, 0.5, 0.1, 0.5))

bpy.ops.object.light_add(type='AREA', location=(-2, -4, 6), rotation=(radians(45), 0, radians(-25)))
bpy.context.object.data.energy = 350
bpy.context.object.data.size = 3
bpy.ops.object.camera_add(location=(0, -10, 3), rotation=(radians(90), 0, 0))
bpy.context.scene.camera = bpy.context.object
