# Blender 2.78
# Scene: A white snowman of three balls with black coal eyes, an orange carrot nose and a black top hat on a white-blue snow field, lit by a soft hemisphere light from above and a sun from the right.
# Old: primitive_uv_sphere_add(size=)/primitive_plane_add(radius=) -> balls of 1.2, 0.85 and 0.55 radius on a field 20 wide, view_align=False -> ignored, layers=(True, False...) -> objects visible in the scene, lamp_add with Blender Internal energies (0.5 and 0.8) -> lights exist and the snow is bright, lamp type 'HEMI' -> soft even light from above, material.diffuse_color with three numbers -> white snow and orange nose and black coal in the render
import bpy
import math

# delete all
for ob in bpy.data.objects:
    bpy.data.objects.remove(ob, do_unlink=True)

L0 = (True, False, False, False, False, False, False, False, False, False,
      False, False, False, False, False, False, False, False, False, False)


def color(name, r, g, b):
    m = bpy.data.materials.new(name)
    m.diffuse_color = (r, g, b)
    m.specular_intensity = 0.1
    return m


snow = color("snow", 0.95, 0.95, 1.0)
ice = color("ground", 0.75, 0.85, 1.0)
coal = color("coal", 0.01, 0.01, 0.01)
carrot = color("carrot", 1.0, 0.35, 0.02)

bpy.ops.mesh.primitive_plane_add(radius=10, view_align=False, enter_editmode=False, location=(0, 0, 0), layers=L0)
bpy.context.object.data.materials.append(ice)


def ball(size, z, mat, x=0.0, y=0.0):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, size=size, view_align=False,
                                         enter_editmode=False, location=(x, y, z), layers=L0)
    ob = bpy.context.object
    bpy.ops.object.shade_smooth()
    ob.data.materials.append(mat)
    return ob


ball(1.2, 1.1, snow)
ball(0.85, 2.7, snow)
ball(0.55, 3.85, snow)

# eyes and buttons
ball(0.07, 3.98, coal, -0.2, -0.5)
ball(0.07, 3.98, coal, 0.2, -0.5)
for i in range(3):
    ball(0.09, 2.35 + 0.3 * i, coal, 0, -0.8 + abs(i - 1) * 0.05)

# nose
bpy.ops.mesh.primitive_cone_add(vertices=16, radius1=0.1, radius2=0, depth=0.7, view_align=False,
                                location=(0, -0.85, 3.82), rotation=(math.pi / 2, 0, 0), layers=L0)
bpy.context.object.data.materials.append(carrot)

# hat
bpy.ops.mesh.primitive_cylinder_add(radius=0.65, depth=0.08, view_align=False, location=(0, 0, 4.3), layers=L0)
bpy.context.object.data.materials.append(coal)
bpy.ops.mesh.primitive_cylinder_add(radius=0.4, depth=0.7, view_align=False, location=(0, 0, 4.65), layers=L0)
bpy.context.object.data.materials.append(coal)

# lights
bpy.ops.object.lamp_add(type='HEMI', radius=1, view_align=False, location=(0, 0, 8), layers=L0)
bpy.context.object.data.energy = 0.5
bpy.ops.object.lamp_add(type='SUN', radius=1, view_align=False, location=(5, -4, 8), layers=L0)
sun = bpy.context.object
sun.rotation_euler = (math.radians(35), math.radians(30), 0)
sun.data.energy = 0.8

bpy.ops.object.camera_add(view_align=False, location=(0, -11, 3.5), rotation=(math.radians(84), 0, 0), layers=L0)
bpy.context.object.data.lens = 35
bpy.context.scene.camera = bpy.context.object
