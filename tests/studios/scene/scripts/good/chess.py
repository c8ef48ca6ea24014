# brief: a chessboard with two white pawns and a black king, seen from above
import bpy, bmesh, math
from mathutils import Vector
sc=bpy.context.scene
def mat(n,c):
    m=bpy.data.materials.new(n); m.use_nodes=True; m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value=(*c,1); return m
light,dark,white,black,tab=mat("light",(.8,.7,.5)),mat("dark",(.15,.08,.04)),mat("white",(.9,.88,.82)),mat("black",(.02,.02,.02)),mat("tab",(.25,.3,.28))
bpy.ops.mesh.primitive_plane_add(size=30,location=(0,0,-.5)); bpy.context.object.name="Tabletop"; bpy.context.object.data.materials.append(tab)
# the board is one mesh of 64 squares with a border
me=bpy.data.meshes.new("Chessboard"); bm=bmesh.new()
bmesh.ops.create_cube(bm,size=1); bmesh.ops.scale(bm,vec=(9,9,.5),verts=bm.verts); bmesh.ops.translate(bm,vec=(0,0,-.25),verts=bm.verts)
bm.to_mesh(me); bm.free(); board=bpy.data.objects.new("Chessboard",me); me.materials.append(dark); sc.collection.objects.link(board)
me=bpy.data.meshes.new("Chessboard_Squares"); v,f=[],[]
for i in range(8):
    for j in range(8):
        if (i+j)%2:
            k=len(v); v+=[(i-4,j-4,.003),(i-3,j-4,.003),(i-3,j-3,.003),(i-4,j-3,.003)]; f.append((k,k+1,k+2,k+3))
me.from_pydata(v,[],f); sq=bpy.data.objects.new("Chessboard_Squares",me); me.materials.append(light); sc.collection.objects.link(sq); sq.parent=board
def spin(n,prof,m,x,y):
    N=32; v=[];f=[]
    for i in range(N):
        a=2*math.pi*i/N; v+=[(r*math.cos(a),r*math.sin(a),z) for r,z in prof]
    k=len(prof)
    for i in range(N):
        j=(i+1)%N; f+=[(i*k+q,j*k+q,j*k+q+1,i*k+q+1) for q in range(k-1)]
    me=bpy.data.meshes.new(n); me.from_pydata(v,[],f); me.validate(); o=bpy.data.objects.new(n,me); o.location=(x,y,.003); me.materials.append(m); sc.collection.objects.link(o)
    for p in me.polygons: p.use_smooth=True
    return o
pawn=[(.001,0),(.34,0),(.34,.12),(.15,.3),(.12,.7),(.24,.76),(.1,.8),(.22,.98),(.22,1.1),(.1,1.25),(.001,1.28)]
king=[(.001,0),(.42,0),(.42,.15),(.2,.4),(.15,1.3),(.33,1.4),(.2,1.45),(.3,1.95),(.001,2.05)]
spin("Pawn_White_1",pawn,white,-1.5,-1.5); spin("Pawn_White_2",pawn,white,.5,-.5)
k=spin("King_Black",king,black,1.5,2.5)
for n,s in (("v",(.08,.08,.36)),("h",(.26,.08,.08))):
    bpy.ops.mesh.primitive_cube_add(size=1,location=(1.5,2.5,2.2)); o=bpy.context.object; o.name="King_Cross_"+n; o.scale=s; o.data.materials.append(black)
bpy.ops.object.light_add(type='SUN',rotation=(math.radians(35),math.radians(20),0)); bpy.context.object.data.energy=3
sc.world=bpy.data.worlds.new("w"); sc.world.use_nodes=True
bpy.ops.object.camera_add(location=(0,-7,13)); c=bpy.context.object; c.rotation_euler=(Vector((0,.3,0))-c.location).to_track_quat('-Z','Y').to_euler(); sc.camera=c
