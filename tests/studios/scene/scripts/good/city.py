# brief: a city street at dusk with six skyscrapers, a traffic light and two parked cars
import bpy, random, math
from mathutils import Vector
random.seed(1)
S=bpy.context.scene
def mat(n,c,e=0):
    m=bpy.data.materials.new(n); m.use_nodes=True; b=m.node_tree.nodes["Principled BSDF"]; b.inputs[0].default_value=(*c,1)
    if e: b.inputs["Emission Color"].default_value=(*c,1); b.inputs["Emission Strength"].default_value=e
    return m
asph,pave,glass=mat("asphalt",(.05,.05,.06)),mat("pavement",(.35,.35,.35)),[mat(f"tower{i}",(.15+.1*i,.2+.05*i,.3)) for i in range(3)]
lit=mat("window",(1,.8,.45),2); red,blue,tyre,metal=mat("red",(.6,.05,.05)),mat("blue",(.05,.1,.5)),mat("tyre",(.02,.02,.02)),mat("metal",(.1,.1,.1))
def box(n,x,y,z,w,d,h,m):
    bpy.ops.mesh.primitive_cube_add(size=1,location=(x,y,z+h/2)); o=bpy.context.object; o.name=n; o.scale=(w,d,h); bpy.ops.object.transform_apply(location=False,rotation=False,scale=True); o.data.materials.append(m); return o
def attach(o,p):
    bpy.context.view_layer.update(); o.parent=p; o.matrix_parent_inverse=p.matrix_world.inverted()
box("Street",0,40,-.2,12,160,.2,asph)
for s,n in ((-1,"L"),(1,"R")): box(f"Sidewalk_{n}",s*26,40,-.2,40,160,.35,pave)
for i in range(3):
    for s,n in ((-1,"L"),(1,"R")):
        h=random.uniform(55,95); t=box(f"Skyscraper_{n}{i+1}",s*22,30+30*i,.15,18,18,h,random.choice(glass))
        for k in range(6):
            w=box(f"Skyscraper_{n}{i+1}_Windows_{k}",s*12.95,30+30*i,6+k*8,.2,12,2,lit); attach(w,t)
def car(n,x,y,m):
    b=box(n,x,y,.35,1.8,4.2,.7,m); c=box(n+"_Roof",x,y+.2,1.05,1.6,2.1,.55,m); attach(c,b)
    for k,(a,d) in enumerate(((-.8,-1.3),(.8,-1.3),(-.8,1.3),(.8,1.3))):
        bpy.ops.mesh.primitive_cylinder_add(radius=.34,depth=.25,location=(x+a,y+d,.34),rotation=(0,math.radians(90),0)); w=bpy.context.object; w.name=f"{n}_Wheel_{k}"; w.data.materials.append(tyre); attach(w,b)
car("Car_Red",-4,6,red); car("Car_Blue",4,14,blue)
p=box("TrafficLight",7,4,.15,.15,.15,3.2,metal); h=box("TrafficLight_Box",7,3.9,2.6,.35,.3,1.0,metal); attach(h,p)
for k,c in enumerate(((0,.8,.2),(.9,.7,0),(.9,.05,.05))):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=.1,location=(7,3.72,2.8+.3*k)); o=bpy.context.object; o.name=f"TrafficLight_Lamp_{k}"; o.data.materials.append(mat(f"l{k}",c,3)); attach(o,p)
bpy.ops.object.light_add(type='SUN',rotation=(math.radians(70),0,math.radians(60))); bpy.context.object.data.energy=1.2; bpy.context.object.data.color=(1,.6,.4)
S.world=bpy.data.worlds.new("dusk"); S.world.use_nodes=True; S.world.node_tree.nodes["Background"].inputs[0].default_value=(.25,.2,.35,1)
bpy.ops.object.camera_add(location=(1,-14,4)); c=bpy.context.object; c.data.lens=24; c.data.clip_end=500; c.rotation_euler=(Vector((0,40,14))-c.location).to_track_quat('-Z','Y').to_euler(); S.camera=c
