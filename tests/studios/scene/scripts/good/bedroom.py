# brief: a bedroom with a bed with two pillows and a blue blanket, a nightstand with a lamp to the right of the bed, and a picture on the wall above the bed
import bpy
from mathutils import Vector
from math import radians
def mat(n,c,e=0):
    m=bpy.data.materials.new(n); m.use_nodes=True; b=m.node_tree.nodes["Principled BSDF"]; b.inputs["Base Color"].default_value=(*c,1)
    if e: b.inputs["Emission Color"].default_value=(*c,1); b.inputs["Emission Strength"].default_value=e
    return m
M={k:mat(k,c) for k,c in dict(wood=(.35,.2,.1),white=(.8,.8,.78),blue=(.08,.15,.5),wall=(.6,.55,.5),floor=(.4,.27,.16),gold=(.6,.45,.15),art=(.2,.5,.45)).items()}
shade=mat("shade",(1,.8,.5),3)
def box(n,x,y,z,w,d,h,m,bevel=0):
    bpy.ops.mesh.primitive_cube_add(size=1,location=(x,y,z+h/2)); o=bpy.context.object; o.name=n; o.scale=(w,d,h); bpy.ops.object.transform_apply(scale=True,location=False,rotation=False); o.data.materials.append(m)
    if bevel:
        mod=o.modifiers.new("b","BEVEL"); mod.width=bevel; mod.segments=4
    return o
box("floor",0,0,-.1,5,5,.1,M["floor"]); box("wall_back",0,2.55,0,5,.1,2.7,M["wall"]); box("wall_left",-2.55,0,0,.1,5,2.7,M["wall"])
box("bed_frame",0,1.4,0,1.7,2.1,.3,M["wood"]); box("bed_headboard",0,2.44,0,1.7,.08,1.0,M["wood"])
box("mattress",0,1.38,.3,1.6,2.0,.22,M["white"],.05)
for i,x in enumerate((-.4,.4)): box(f"pillow_{i}",x,2.1,.5,.6,.4,.14,M["white"],.06)
box("blanket",0,1.0,.44,1.66,1.3,.11,M["blue"],.04)
box("nightstand",1.2,2.2,0,.45,.4,.5,M["wood"],.01); box("nightstand_drawer",1.2,1.99,.25,.38,.02,.16,M["wood"])
bpy.ops.mesh.primitive_cylinder_add(radius=.07,depth=.02,location=(1.2,2.2,.51)); o=bpy.context.object; o.name="lamp_base"; o.data.materials.append(M["gold"])
bpy.ops.mesh.primitive_cylinder_add(radius=.012,depth=.22,location=(1.2,2.2,.63)); o=bpy.context.object; o.name="lamp_stem"; o.data.materials.append(M["gold"])
bpy.ops.mesh.primitive_cone_add(radius1=.13,radius2=.08,depth=.16,location=(1.2,2.2,.8)); o=bpy.context.object; o.name="lamp_shade"; o.data.materials.append(shade)
box("picture_frame",0,2.485,1.45,.9,.03,.6,M["gold"]); box("picture_canvas",0,2.465,1.5,.8,.015,.5,M["art"])
bpy.ops.object.light_add(type='AREA',location=(0,-.5,2.6)); bpy.context.object.data.energy=110; bpy.context.object.data.size=2
bpy.ops.object.light_add(type='POINT',location=(1.2,2.1,1.0)); bpy.context.object.data.energy=8
w=bpy.data.worlds.new("w"); bpy.context.scene.world=w; w.use_nodes=True; w.node_tree.nodes["Background"].inputs[1].default_value=.4
bpy.ops.object.camera_add(location=(1.4,-3.4,1.9)); c=bpy.context.object; c.data.lens=28; c.rotation_euler=(Vector((0,1.4,.7))-c.location).to_track_quat('-Z','Y').to_euler(); bpy.context.scene.camera=c
