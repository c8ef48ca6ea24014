# brief: a bookshelf against a wall with six books on its middle board and a vase on top
import bpy, math, random
from mathutils import Vector
random.seed(5)
scene = bpy.context.scene
def material(name, c):
    m = bpy.data.materials.new(name); m.use_nodes=True; m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value=(*c,1); return m
oak=material("Oak",(.5,.32,.16)); wall=material("Wall",(.7,.72,.68)); floor=material("Floor",(.35,.25,.18)); vase_m=material("Vase",(.1,.35,.4))
def slab(name, x,y,z, w,d,h, m):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(x,y,z+h/2)); o=bpy.context.object; o.name=name; o.scale=(w,d,h); o.data.materials.append(m); return o
slab("Floor",0,0,-.1, 5,5,.1,floor)
slab("Wall",0,1.05,0, 5,.1,2.6,wall)
slab("Bookshelf_Side_L",-.5,.85,0,.03,.3,1.5,oak)
slab("Bookshelf_Side_R",.5,.85,0,.03,.3,1.5,oak)
for i,z in enumerate((0.05,.5,.95,1.47)):
    slab(f"Bookshelf_Board_{i}",0,.85,z,.97 if i<3 else 1.03,.3,.03,oak)
slab("Bookshelf_Back",0,.99,0,1.0,.015,1.5,oak)
x=-.4
for i in range(6):
    w=random.uniform(.03,.06); h=random.uniform(.22,.3)
    slab(f"Book_{i+1}", x+w/2,.83,.53,w,.2,h, material(f"Cover{i}",(random.random()*.7,random.random()*.5,random.random()*.6)))
    x+=w+.002
bpy.ops.mesh.primitive_cone_add(radius1=.07,radius2=.045,depth=.25,location=(.2,.85,1.5+.125)); bpy.context.object.name="Vase"; bpy.context.object.data.materials.append(vase_m)
bpy.ops.object.light_add(type="AREA",location=(1,-2,2.4)); l=bpy.context.object; l.data.energy=120; l.data.size=2; l.rotation_euler=(math.radians(55),0,math.radians(20))
scene.world=bpy.data.worlds.new("W"); scene.world.use_nodes=True; scene.world.node_tree.nodes["Background"].inputs[1].default_value=.6
bpy.ops.object.camera_add(location=(-1.6,-2.6,1.5)); cam=bpy.context.object; cam.rotation_euler=(Vector((0,.8,.8))-cam.location).to_track_quat("-Z","Y").to_euler(); scene.camera=cam
