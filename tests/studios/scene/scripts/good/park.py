# brief: a man sitting on a bench under a tree, with a brown dog beside the bench
import bpy, math
from mathutils import Vector
sc=bpy.context.scene
def mat(n,c):
    m=bpy.data.materials.new(n); m.use_nodes=True; m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value=(*c,1); return m
grass,wood,bark,leaf,skin,shirt,pants,fur,iron=[mat(n,c) for n,c in (("grass",(.15,.4,.1)),("wood",(.45,.27,.12)),("bark",(.2,.12,.06)),("leaf",(.1,.35,.08)),("skin",(.75,.5,.38)),("shirt",(.6,.1,.1)),("pants",(.08,.1,.25)),("fur",(.3,.15,.06)),("iron",(.05,.05,.05)))]
def box(n,c,s,m,rot=(0,0,0)):
    bpy.ops.mesh.primitive_cube_add(size=1,location=c,rotation=rot); o=bpy.context.object; o.name=n; o.scale=s; o.data.materials.append(m); return o
def ball(n,c,s,m):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1,location=c,segments=24,ring_count=12); o=bpy.context.object; o.name=n; o.scale=s; o.data.materials.append(m); return o
bpy.ops.mesh.primitive_circle_add(vertices=64,radius=14,fill_type='NGON'); bpy.context.object.name="Grass"; bpy.context.object.data.materials.append(grass)
box("Bench_Seat",(0,0,.45),(1.7,.45,.05),wood); box("Bench_Back",(0,.24,.75),(1.7,.05,.5),wood)
for s in (-1,1): box(f"Bench_Leg_{'L' if s<0 else 'R'}",(s*.7,0.02,.215),(.06,.45,.43),iron)
S=.475
box("Man_Hips",(-.2,0,S+.1),(.36,.3,.2),pants); box("Man_Torso",(-.2,.05,S+.45),(.4,.24,.52),shirt); ball("Man_Head",(-.2,.05,S+.86),(.12,.13,.16),skin)
for s,n in ((-1,"L"),(1,"R")):
    box(f"Man_Thigh_{n}",(-.2+s*.1,-.22,S+.08),(.14,.42,.15),pants); box(f"Man_Shin_{n}",(-.2+s*.1,-.38,.27),(.13,.14,.5),pants); box(f"Man_Foot_{n}",(-.2+s*.1,-.45,.04),(.12,.28,.08),iron)
    box(f"Man_Arm_{n}",(-.2+s*.25,0,S+.42),(.1,.12,.5),shirt)
bpy.ops.mesh.primitive_cone_add(radius1=.35,radius2=.2,depth=3.4,location=(1.6,1.6,1.6)); t=bpy.context.object; t.name="Tree_Trunk"; t.data.materials.append(bark)
for i,(x,y,z,r) in enumerate(((1.6,1.6,4,1.6),(.5,1.4,3.6,1.1),(2.6,1.5,3.7,1.2))): ball(f"Tree_Leaves_{i}",(x,y,z),(r,r,r*.8),leaf)
ball("Dog_Body",(1.35,-.3,.38),(.32,.13,.15),fur); ball("Dog_Head",(1.06,-.3,.5),(.13,.1,.1),fur)
for i,(x,y) in enumerate(((1.15,-.38),(1.15,-.22),(1.55,-.38),(1.55,-.22))): box(f"Dog_Leg_{i}",(x,y,.16),(.06,.06,.32),fur)
box("Dog_Tail",(1.72,-.3,.48),(.2,.04,.04),fur,(0,math.radians(-30),0))
bpy.ops.object.light_add(type='SUN',rotation=(math.radians(45),math.radians(-20),0)); bpy.context.object.data.energy=3
sc.world=bpy.data.worlds.new("w"); sc.world.use_nodes=True; sc.world.node_tree.nodes["Background"].inputs[0].default_value=(.5,.7,.95,1)
bpy.ops.object.camera_add(location=(-1.5,-6.5,2.2)); c=bpy.context.object; c.rotation_euler=(Vector((.4,.3,1.5))-c.location).to_track_quat('-Z','Y').to_euler(); c.data.lens=35; sc.camera=c
