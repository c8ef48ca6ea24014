# brief: a sun with four planets in space, one of them with a ring
import bpy, math
s=bpy.context.scene
def mat(n,c,e=0.0):
    m=bpy.data.materials.new(n); m.use_nodes=True; b=m.node_tree.nodes["Principled BSDF"]; b.inputs["Base Color"].default_value=c
    b.inputs["Emission Color"].default_value=c; b.inputs["Emission Strength"].default_value=e; return m
def sphere(n,r,x,y,m):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=r,location=(x,y,0),segments=48,ring_count=24); o=bpy.context.object; o.name=n; o.data.materials.append(m); bpy.ops.object.shade_smooth(); return o
sphere("Sun",2,0,0,mat("SunMat",(1,.7,.2,1),6))
for i,(r,d,c) in enumerate([(.3,3.5,(.6,.5,.4,1)),(.5,5.2,(.1,.3,.8,1)),(.4,7,(.8,.25,.1,1)),(.9,9.5,(.85,.7,.45,1))]):
    a=.5+1.1*i
    p=sphere(f"Planet_{i+1}",r,d*math.cos(a),d*math.sin(a),mat(f"P{i}",c,.15))
bpy.ops.mesh.primitive_torus_add(location=p.location,major_radius=1.5,minor_radius=.12,rotation=(.4,.2,0)); t=bpy.context.object; t.name="Planet_4_Ring"; t.scale.z=.1; t.data.materials.append(mat("Ring",(.7,.6,.5,1),.1))
bpy.ops.object.light_add(type="POINT",location=(0,0,0)); bpy.context.object.data.energy=5000
s.world=bpy.data.worlds.new("Space"); s.world.use_nodes=True; s.world.node_tree.nodes["Background"].inputs[0].default_value=(0.002,0.002,0.006,1)
bpy.ops.object.camera_add(location=(0,-26,15),rotation=(math.radians(60),0,0)); s.camera=bpy.context.object
