# brief: a stone bridge over a river with a yellow truck on it, seen from the side, two boats below the bridge
import bpy, math
from mathutils import Vector
sc=bpy.context.scene
def mat(n,c,r=.6):
    m=bpy.data.materials.new(n); m.use_nodes=True; b=m.node_tree.nodes["Principled BSDF"]; b.inputs["Base Color"].default_value=(*c,1); b.inputs["Roughness"].default_value=r; return m
stone,water,grass,yellow,black,woodm,white=mat("stone",(.4,.38,.35)),mat("water",(.05,.2,.3),.1),mat("grass",(.15,.35,.1)),mat("yellow",(.85,.6,.05)),mat("black",(.02,.02,.02)),mat("wood",(.3,.15,.07)),mat("white",(.8,.8,.8))
def box(n,c,s,m,p=None):
    bpy.ops.mesh.primitive_cube_add(size=1,location=c); o=bpy.context.object; o.name=n; o.scale=s; o.data.materials.append(m)
    if p: bpy.context.view_layer.update(); o.parent=p; o.matrix_parent_inverse=p.matrix_world.inverted()
    return o
box("River",(0,0,-1.05),(24,60,.1),water)
box("Bank_Left",(-22,0,0),(20,60,2),grass); box("Bank_Right",(22,0,0),(20,60,2),grass)
deck=box("Bridge_Deck",(0,0,3.75),(30,5,.5),stone)
for i,x in enumerate((-12,-4,4,12)): box(f"Bridge_Pillar_{i}",(x,0,1.25 if abs(x)<12 else 2.25),(1.2,4,5 if abs(x)<12 else 3),stone)
for i,y in enumerate((-2.4,2.4)): box(f"Bridge_Rail_{i}",(0,y,4.4),(30,.2,.8),stone)
D=4.0
body=box("Truck",(-1,0,D+1.5),(3.6,2,1.8),yellow); box("Truck_Cab",(1.5,0,D+1.2),(1.3,1.9,1.4),yellow,body)
for i,(x,y) in enumerate(((-2.2,-.9),(1.4,-.9),(-2.2,.9),(1.4,.9))):
    bpy.ops.mesh.primitive_cylinder_add(radius=.5,depth=.4,location=(x,y,D+.5),rotation=(math.radians(90),0,0)); w=bpy.context.object; w.name=f"Truck_Wheel_{i}"; w.data.materials.append(black); bpy.context.view_layer.update(); w.parent=body; w.matrix_parent_inverse=body.matrix_world.inverted()
def boat(n,x,y,m):
    me=bpy.data.meshes.new(n); v=[(-1.6,-.7,.6),(1.6,-.7,.6),(2.3,0,.7),(1.6,.7,.6),(-1.6,.7,.6),(-1.3,-.45,-.2),(1.4,-.4,-.2),(1.4,.4,-.2),(-1.3,.45,-.2)]
    f=[(5,6,7,8),(0,1,6,5),(1,2,6),(2,7,6),(2,3,7),(3,4,8,7),(4,0,5,8),(0,4,3,2,1)]; me.from_pydata(v,[],f); me.update(); o=bpy.data.objects.new(n,me); o.location=(x,y,-1); me.materials.append(m); sc.collection.objects.link(o); return o
boat("Boat_1",0,-1,woodm); boat("Boat_2",7.2,1.2,white)
sun=bpy.data.objects.new("Sun",bpy.data.lights.new("Sun","SUN")); sun.data.energy=3; sun.rotation_euler=(.8,.1,.4); sc.collection.objects.link(sun)
sc.world=bpy.data.worlds.new("w"); sc.world.use_nodes=True; sc.world.node_tree.nodes["Background"].inputs[0].default_value=(.5,.7,.95,1)
cam=bpy.data.objects.new("cam",bpy.data.cameras.new("cam")); sc.collection.objects.link(cam); cam.location=(2,-30,6); cam.rotation_euler=(Vector((0,0,2.5))-cam.location).to_track_quat('-Z','Y').to_euler(); sc.camera=cam
