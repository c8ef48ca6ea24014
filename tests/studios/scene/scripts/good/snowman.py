# brief: a snowman with a carrot nose between two pine trees, in the snow
import bpy, math, random
random.seed(3)
bpy.ops.wm.read_factory_settings(use_empty=True)

def m(name, c, r=.8):
    x = bpy.data.materials.new(name); x.use_nodes = True
    x.node_tree.nodes["Principled BSDF"].inputs[0].default_value = (*c, 1)
    x.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = r
    return x

snow, coal, orange, pine, bark = m("snow",(.9,.92,.97)), m("coal",(.02,.02,.02)), m("carrot",(.9,.35,.05)), m("pine",(.05,.25,.1)), m("bark",(.2,.1,.05))

bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=40, size=24)
g = bpy.context.object; g.name = "SnowGround"; g.data.materials.append(snow)
for v in g.data.vertices:
    d = math.hypot(v.co.x, v.co.y)
    if d > 3: v.co.z = .25*math.sin(v.co.x*.7)*math.cos(v.co.y*.5)*min(1,(d-3)/3)

def ball(name, r, z, mt, x=0, y=0):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=r, location=(x,y,z), segments=40, ring_count=20)
    o = bpy.context.object; o.name = name; o.data.materials.append(mt)
    bpy.ops.object.shade_smooth()
    return o

ball("Snowman_Bottom", .6, .55, snow)
ball("Snowman_Middle", .42, 1.35, snow)
ball("Snowman_Head", .28, 1.9, snow)
for sx in (-1,1):
    ball("Snowman_Eye_" + ("L" if sx<0 else "R"), .035, 1.98, coal, sx*.1, -.255)
for i in range(3):
    ball(f"Snowman_Button_{i}", .035, 1.2+.15*i, coal, 0, -.405 + .02*abs(i-1))
bpy.ops.mesh.primitive_cone_add(radius1=.05, radius2=0, depth=.3, location=(0,-.4,1.9), rotation=(math.radians(90),0,0))
n = bpy.context.object; n.name = "Snowman_Nose"; n.data.materials.append(orange)
for sx in (-1,1):
    bpy.ops.mesh.primitive_cylinder_add(radius=.025, depth=.7, location=(sx*.65,0,1.5), rotation=(0, sx*math.radians(60), 0))
    a = bpy.context.object; a.name = "Snowman_Arm_" + ("L" if sx<0 else "R"); a.data.materials.append(bark)

def tree(i, x, y, s):
    bpy.ops.mesh.primitive_cylinder_add(radius=.15*s, depth=.8*s, location=(x,y,.35*s))
    t = bpy.context.object; t.name=f"PineTree_{i}_Trunk"; t.data.materials.append(bark)
    for k in range(3):
        bpy.ops.mesh.primitive_cone_add(radius1=(1-.25*k)*s, radius2=0, depth=1.3*s, location=(x,y,(1.2+.75*k)*s))
        c = bpy.context.object; c.name=f"PineTree_{i}_Foliage_{k}"; c.data.materials.append(pine)
        c.parent = t; c.matrix_parent_inverse = t.matrix_world.inverted()
        bpy.context.view_layer.update()
tree(1, -2.6, .4, 1.1)
tree(2, 2.5, .6, 1.25)

bpy.ops.object.light_add(type='SUN', rotation=(math.radians(50), math.radians(10), math.radians(35)))
bpy.context.object.data.energy = 3
w = bpy.data.worlds.new("w"); bpy.context.scene.world = w; w.use_nodes = True
w.node_tree.nodes["Background"].inputs[0].default_value = (.45,.65,.95,1)
bpy.ops.object.camera_add(location=(0,-9,2.2), rotation=(math.radians(85),0,0))
bpy.context.scene.camera = bpy.context.object
