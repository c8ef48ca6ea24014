# brief: a glass of red wine, a bottle and a piece of cheese on a wooden board, parallel projection
import bpy, math
from mathutils import Vector
sc=bpy.context.scene
def mat(n,c,r=.3,tr=0):
    m=bpy.data.materials.new(n); m.use_nodes=True; b=m.node_tree.nodes["Principled BSDF"]; b.inputs["Base Color"].default_value=(*c,1); b.inputs["Roughness"].default_value=r; b.inputs["Transmission Weight"].default_value=tr; return m
def spin(n,prof,m,loc,N=48):
    v=[];f=[];k=len(prof)
    for i in range(N):
        a=2*math.pi*i/N; v+=[(r*math.cos(a),r*math.sin(a),z) for r,z in prof]
    for i in range(N):
        j=(i+1)%N; f+=[(i*k+q,j*k+q,j*k+q+1,i*k+q+1) for q in range(k-1)]
    me=bpy.data.meshes.new(n); me.from_pydata(v,[],f); me.validate(); o=bpy.data.objects.new(n,me); o.location=loc; me.materials.append(m); sc.collection.objects.link(o); return o
glass,wine,bottle,cork,wood,cheese,wall=mat("Glass",(1,1,1),.02,1),mat("Wine",(.3,.01,.03),.1),mat("Green",(.03,.12,.04),.1),mat("Cork",(.5,.35,.2)),mat("Wood",(.4,.24,.12),.7),mat("Cheese",(.9,.7,.2)),mat("Backdrop",(.7,.66,.6),1)
bpy.ops.mesh.primitive_plane_add(size=4); bpy.context.object.name="Backdrop_Floor"; bpy.context.object.data.materials.append(wall)
bpy.ops.mesh.primitive_plane_add(size=4,location=(0,1,1),rotation=(math.radians(90),0,0)); bpy.context.object.name="Backdrop"; bpy.context.object.data.materials.append(wall)
bpy.ops.mesh.primitive_cube_add(size=1,location=(0,0,.012)); b=bpy.context.object; b.name="CuttingBoard"; b.scale=(.6,.35,.024); b.data.materials.append(wood)
Z=.024
g=spin("WineGlass",[(.001,0),(.035,0),(.034,.003),(.004,.008),(.004,.09),(.03,.11),(.04,.15),(.032,.21),(.031,.21),(.039,.15),(.029,.112),(.001,.098)],glass,(-.15,0,Z))
spin("WineGlass_Wine",[(.001,.0995),(.028,.1125),(.0375,.148),(.001,.148)],wine,(-.15,0,Z))
spin("Bottle",[(.001,0),(.037,0),(.037,.19),(.014,.24),(.014,.3),(.001,.3)],bottle,(.05,.06,Z)); spin("Bottle_Cork",[(.001,.3),(.011,.3),(.011,.315),(.001,.315)],cork,(.05,.06,Z))
me=bpy.data.meshes.new("Cheese"); me.from_pydata([(0,0,0),(.14,-.04,0),(.14,.05,0),(0,0,.06),(.14,-.04,.06),(.14,.05,.06)],[],[(0,2,1),(3,4,5),(0,1,4,3),(1,2,5,4),(2,0,3,5)]); c=bpy.data.objects.new("Cheese",me); c.location=(.1,-.09,Z); me.materials.append(cheese); sc.collection.objects.link(c)
bpy.ops.object.light_add(type='AREA',location=(-.8,-.8,1.2)); l=bpy.context.object; l.data.energy=18; l.data.size=.6; l.rotation_euler=(Vector((0,0,.1))-l.location).to_track_quat('-Z','Y').to_euler()
sc.world=bpy.data.worlds.new("w"); sc.world.use_nodes=True; sc.world.node_tree.nodes["Background"].inputs[1].default_value=.5
bpy.ops.object.camera_add(location=(.25,-1.2,.5)); k=bpy.context.object; k.data.type='ORTHO'; k.data.ortho_scale=.8; k.rotation_euler=(Vector((0,0,.14))-k.location).to_track_quat('-Z','Y').to_euler(); sc.camera=k
