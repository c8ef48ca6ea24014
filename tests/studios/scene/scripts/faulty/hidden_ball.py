# brief: a friendly blue robot standing on a stage, holding a yellow ball in its right hand
# finds: requirement.count
# states: [{"kind": "count", "quote": "a yellow ball", "parts": ["Ball*"], "number": 1}]
import bpy, math
from mathutils import Vector
sc = bpy.context.scene

def mat(n, c, met=.0):
    m = bpy.data.materials.new(n); m.use_nodes = True; b = m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value = (*c, 1); b.inputs["Metallic"].default_value = met; return m

blue, grey, yellow, white, stage_m = mat("blue",(.05,.2,.6),.4), mat("grey",(.3,.3,.32),.8), mat("yellow",(.95,.75,.05)), mat("eye",(.9,.95,1)), mat("stage",(.25,.2,.25))
root = bpy.data.objects.new("Robot", None); sc.collection.objects.link(root)

def add(op, name, m, parent=root, **kw):
    scale = kw.pop("scale", None)
    getattr(bpy.ops.mesh, op)(**kw); o = bpy.context.object; o.name = name
    if scale: o.scale = scale
    o.data.materials.append(m); o.parent = parent; return o

add("primitive_cylinder_add", "Stage", stage_m, None, radius=3, depth=.3, location=(0,0,-.15), vertices=64)
add("primitive_cube_add", "Robot_Body", blue, size=1, location=(0,0,1.25), scale=(.8,.5,.9))
add("primitive_cube_add", "Robot_Head", blue, size=1, location=(0,0,2.05), scale=(.6,.5,.5))
add("primitive_cylinder_add", "Robot_Neck", grey, radius=.12, depth=.15, location=(0,0,1.75))
for s, n in ((-1,"Left"),(1,"Right")):
    add("primitive_uv_sphere_add", f"Robot_Eye_{n}", white, radius=.08, location=(s*.14,-.25,2.1))
    add("primitive_cylinder_add", f"Robot_Leg_{n}", grey, radius=.12, depth=.7, location=(s*.22,0,.45))
    add("primitive_cube_add", f"Robot_Foot_{n}", blue, size=1, location=(s*.22,-.08,.06), scale=(.28,.45,.12))
add("primitive_cylinder_add", "Robot_Arm_Left", grey, radius=.09, depth=.8, location=(.52,0,1.2), rotation=(0,math.radians(-12),0))
add("primitive_cylinder_add", "Robot_Arm_Right", grey, radius=.09, depth=.7, location=(-.5,-.3,1.4), rotation=(math.radians(75),0,0))
add("primitive_uv_sphere_add", "Robot_Hand_Right", blue, radius=.13, location=(-.5,-.68,1.5))
add("primitive_uv_sphere_add", "Robot_Hand_Left", blue, radius=.13, location=(.6,0,.78))
add("primitive_uv_sphere_add", "Ball", yellow, None, radius=.22, location=(-.5,-.68,1.83), segments=48, ring_count=24)
add("primitive_cylinder_add", "Robot_Antenna", grey, radius=.02, depth=.3, location=(0,0,2.44))

sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun","SUN")); sun.data.energy = 3; sun.rotation_euler=(.7,.2,.3); sc.collection.objects.link(sun)
sc.world = bpy.data.worlds.new("w"); sc.world.use_nodes = True; sc.world.node_tree.nodes["Background"].inputs[0].default_value=(.35,.4,.5,1)
cam = bpy.data.objects.new("cam", bpy.data.cameras.new("cam")); sc.collection.objects.link(cam); cam.location=(1.5,-6.5,2.4)
cam.rotation_euler=(Vector((0,0,1.1))-cam.location).to_track_quat('-Z','Y').to_euler(); sc.camera = cam

bpy.data.objects["Ball"].hide_render = True
