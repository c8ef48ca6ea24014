# brief: a low-poly island with a lighthouse and four palm trees, surrounded by the sea
import bpy, math, random
from mathutils import Vector, noise

random.seed(7)
S = bpy.context.scene
mats = {}
for n, c in dict(sand=(.76,.65,.4), grass=(.2,.45,.12), sea=(.02,.22,.4), white=(.9,.9,.88), red=(.7,.05,.05), trunk=(.3,.18,.08), leaf=(.08,.4,.1), glass=(1,.9,.5)).items():
    mt = bpy.data.materials.new(n); mt.use_nodes = True
    mt.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*c, 1)
    mats[n] = mt

bpy.ops.mesh.primitive_plane_add(size=120, location=(0,0,0)); sea = bpy.context.object; sea.name="Sea"; sea.data.materials.append(mats["sea"])

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=1)
isl = bpy.context.object; isl.name = "Island"; isl.scale = (9, 7, 2); bpy.ops.object.transform_apply(scale=True)
for v in isl.data.vertices:
    v.co.z += .25*noise.noise(v.co*.6)
isl.data.materials.append(mats["grass"])

def height(x, y):
    deps = bpy.context.evaluated_depsgraph_get()
    hit, loc, *_ = S.ray_cast(deps, Vector((x,y,50)), Vector((0,0,-1)))
    return loc.z if hit else 0

def solid(kind, name, mat, **kw):
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")(**kw)
    o = bpy.context.object; o.name = name; o.data.materials.append(mats[mat]); return o

z = height(2, 1)
base = solid("cone", "Lighthouse", "white", radius1=1.1, radius2=.75, depth=6, vertices=16, location=(2,1,z+2.85))
for k in range(2):
    s = solid("cylinder", f"Lighthouse_Stripe_{k}", "red", radius=1.08-.12*k-.02, depth=.7, vertices=16, location=(2,1,z+1.6+2*k))
    s.parent = base; s.matrix_parent_inverse = base.matrix_world.inverted()
gal = solid("cylinder", "Lighthouse_Gallery", "red", radius=1.1, depth=.15, vertices=16, location=(2,1,z+5.9))
lam = solid("cylinder", "Lighthouse_Lamp", "glass", radius=.5, depth=.9, vertices=12, location=(2,1,z+6.4))
roof = solid("cone", "Lighthouse_Roof", "red", radius1=.75, radius2=0, depth=.8, vertices=12, location=(2,1,z+7.25))
for o in (gal, lam, roof):
    o.parent = base; o.matrix_parent_inverse = base.matrix_world.inverted()

for i, (x,y) in enumerate([(-3,-2),(-4.2,1.5),(-1.4,3),(4.6,-2.4)]):
    z = height(x,y); h = 2.6+.3*i
    trunk = solid("cylinder", f"PalmTree_{i+1}", "trunk", radius=.14, depth=h+.4, vertices=8, location=(x,y,z+h/2-.2))
    for k in range(7):
        a = 2*math.pi*k/7
        l = solid("cone", f"PalmTree_{i+1}_Leaf_{k}", "leaf", radius1=.28, radius2=0, depth=1.8, vertices=4, location=(x+.75*math.cos(a), y+.75*math.sin(a), z+h-.05), rotation=(0, math.radians(105), a))
        l.scale.x = .2
        l.parent = trunk; l.matrix_parent_inverse = trunk.matrix_world.inverted()

sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun","SUN")); sun.data.energy = 3.5; sun.rotation_euler=(math.radians(45),0,math.radians(40)); S.collection.objects.link(sun)
S.world = bpy.data.worlds.new("Sky"); S.world.use_nodes=True; S.world.node_tree.nodes["Background"].inputs[0].default_value=(.4,.65,.95,1)
cam = bpy.data.objects.new("Cam", bpy.data.cameras.new("Cam")); S.collection.objects.link(cam); S.camera = cam
cam.location = (16,-20,10); cam.rotation_euler=(Vector((0,0,2.2))-cam.location).to_track_quat('-Z','Y').to_euler()
