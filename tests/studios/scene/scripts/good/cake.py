# brief: a birthday cake with five candles on a plate, on a round table with a white tablecloth
import bpy, math
from mathutils import Vector
sc=bpy.context.scene
def mat(n,c,r=.5,e=0):
    m=bpy.data.materials.new(n); m.use_nodes=True; b=m.node_tree.nodes["Principled BSDF"]; b.inputs["Base Color"].default_value=(*c,1); b.inputs["Roughness"].default_value=r
    if e: b.inputs["Emission Color"].default_value=(*c,1); b.inputs["Emission Strength"].default_value=e
    return m
def cyl(n,r,h,x,y,z,m,v=64):
    bpy.ops.mesh.primitive_cylinder_add(radius=r,depth=h,location=(x,y,z+h/2),vertices=v); o=bpy.context.object; o.name=n; o.data.materials.append(m); return o
wood=mat("Wood",(.3,.17,.08)); cloth=mat("Cloth",(.85,.85,.83),.95); china=mat("China",(.75,.8,.85),.1); sponge=mat("Sponge",(.55,.3,.12)); cream=mat("Cream",(.95,.8,.8)); wax=mat("Wax",(.2,.4,.8)); flame=mat("Flame",(1,.6,.15),.5,8); fl=mat("Floor",(.35,.3,.28))
bpy.ops.mesh.primitive_plane_add(size=8); bpy.context.object.name="Floor"; bpy.context.object.data.materials.append(fl)
cyl("Table_Top",.6,.03,0,0,.72,wood); cyl("Table_Leg",.06,.72,0,0,0,wood)
cyl("Tablecloth",.64,.004,0,0,.75,cloth)
Z=.754
cyl("Plate",.2,.015,0,0,Z,china)
cake=cyl("Cake",.15,.1,0,0,Z+.015,sponge)
top=cyl("Cake_Frosting",.155,.02,0,0,Z+.105,cream); top.parent=cake; top.matrix_parent_inverse=cake.matrix_world.inverted()
for i in range(5):
    a=2*math.pi*i/5
    c=cyl(f"Candle_{i+1}",.006,.07,.09*math.cos(a),.09*math.sin(a),Z+.115,wax,16)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=.007,location=(c.location.x,c.location.y,Z+.2),segments=12,ring_count=8); f=bpy.context.object; f.name=f"Candle_{i+1}_Flame"; f.scale.z=1.8; f.data.materials.append(flame)
bpy.ops.object.light_add(type='AREA',location=(.8,-1,2)); l=bpy.context.object; l.data.energy=50; l.data.size=1; l.rotation_euler=(math.radians(30),math.radians(25),0)
sc.world=bpy.data.worlds.new("W"); sc.world.use_nodes=True; sc.world.node_tree.nodes["Background"].inputs[0].default_value=(.15,.15,.2,1)
bpy.ops.object.camera_add(location=(.3,-1.3,1.35)); c=bpy.context.object; c.rotation_euler=(Vector((0,0,.8))-c.location).to_track_quat('-Z','Y').to_euler(); sc.camera=c
