# brief: a tent beside a campfire at night, with a full moon and pine trees in the background
import bpy, bmesh, math, random
random.seed(11)
sc = bpy.context.scene
def M(n, c, e=0):
    m = bpy.data.materials.new(n); m.use_nodes=True; b=m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value=(*c,1)
    if e: b.inputs["Emission Color"].default_value=(*c,1); b.inputs["Emission Strength"].default_value=e
    return m
ground=M("Ground",(.06,.1,.04)); canvas=M("Canvas",(.6,.25,.05)); log=M("Log",(.12,.06,.03)); fire=M("Fire",(1,.35,.05),12); moon=M("Moon",(.9,.9,.8),4); leaf=M("Pine",(.02,.08,.04)); stone=M("Stone",(.25,.25,.27))
bpy.ops.mesh.primitive_plane_add(size=60); bpy.context.object.name="Ground"; bpy.context.object.data.materials.append(ground)
# tent: a triangular prism
me=bpy.data.meshes.new("Tent"); bm=bmesh.new()
w,l,h=1.1,1.3,1.6
vs=[bm.verts.new(v) for v in [(-w,-l,0),(w,-l,0),(0,-l,h),(-w,l,0),(w,l,0),(0,l,h)]]
for f in [(0,1,2),(3,5,4),(0,2,5,3),(1,4,5,2),(0,3,4,1)]: bm.faces.new([vs[i] for i in f])
bm.normal_update(); bm.to_mesh(me); bm.free()
tent=bpy.data.objects.new("Tent",me); tent.location=(-1.8,0.5,0); tent.rotation_euler.z=math.radians(-20); me.materials.append(canvas); sc.collection.objects.link(tent)
# campfire
fx,fy=1.2,-.3
for i in range(5):
    a=2*math.pi*i/5
    bpy.ops.mesh.primitive_cylinder_add(radius=.06,depth=.8,location=(fx+.18*math.cos(a),fy+.18*math.sin(a),.25),rotation=(math.radians(50)*math.sin(a)*-1,math.radians(50)*math.cos(a),0))
    o=bpy.context.object; o.name=f"Campfire_Log_{i}"; o.data.materials.append(log)
for i in range(9):
    a=2*math.pi*i/9
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=1,radius=.13,location=(fx+.6*math.cos(a),fy+.6*math.sin(a),.06)); o=bpy.context.object; o.name=f"Campfire_Stone_{i}"; o.data.materials.append(stone)
bpy.ops.mesh.primitive_cone_add(radius1=.22,radius2=0,depth=.8,location=(fx,fy,.5)); f=bpy.context.object; f.name="Campfire_Flame"; f.data.materials.append(fire)
bpy.ops.object.light_add(type='POINT',location=(fx,fy,.9)); bpy.context.object.data.energy=150; bpy.context.object.data.color=(1,.5,.2)
bpy.ops.mesh.primitive_uv_sphere_add(radius=1.6,location=(9,30,13)); o=bpy.context.object; o.name="Moon"; o.data.materials.append(moon)
for i in range(14):
    x=-14+2.1*i+random.uniform(-.5,.5); y=random.uniform(8,13); s=random.uniform(.8,1.5)
    bpy.ops.mesh.primitive_cone_add(radius1=1.1*s,radius2=0,depth=4*s,location=(x,y,2.4*s)); c=bpy.context.object; c.name=f"PineTree_{i}"; c.data.materials.append(leaf)
    bpy.ops.mesh.primitive_cylinder_add(radius=.15*s,depth=1*s,location=(x,y,.3*s)); t=bpy.context.object; t.name=f"PineTree_{i}_Trunk"; t.data.materials.append(log)
bpy.ops.object.light_add(type='SUN',rotation=(math.radians(60),0,math.radians(200))); bpy.context.object.data.energy=.15; bpy.context.object.data.color=(.6,.7,1)
sc.world=bpy.data.worlds.new("Night"); sc.world.use_nodes=True; sc.world.node_tree.nodes["Background"].inputs[0].default_value=(.01,.015,.04,1)
bpy.ops.object.camera_add(location=(0,-8,2.2),rotation=(math.radians(86),0,0)); sc.camera=bpy.context.object; sc.camera.data.lens=28
