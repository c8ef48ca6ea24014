# brief: a lamp hanging above a round table with two chairs
# finds: light.none
import bpy
from math import radians, cos, sin, pi
from mathutils import Matrix, Vector

def mat(n, c):
    m = bpy.data.materials.new(n); m.use_nodes = True
    m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*c, 1); return m

WOOD, METAL, FLOOR, WHITE = mat("Wood",(.4,.22,.1)), mat("Metal",(.1,.1,.1)), mat("Floor",(.5,.45,.4)), mat("White",(.8,.8,.8))
col = {}
for n in ("Room","Table","Chairs","Lamp"):
    col[n] = bpy.data.collections.new(n); bpy.context.scene.collection.children.link(col[n])

def put(o, name, m, c):
    o.name = name
    for u in list(o.users_collection): u.objects.unlink(o)
    col[c].objects.link(o)
    o.data.materials.append(m)
    return o

def cyl(name, r, h, z, m, c, x=0, y=0):
    bpy.ops.mesh.primitive_cylinder_add(radius=r, depth=h, location=(x,y,z+h/2), vertices=48)
    return put(bpy.context.object, name, m, c)

bpy.ops.mesh.primitive_plane_add(size=6); put(bpy.context.object, "floor", FLOOR, "Room")
cyl("top", .55, .03, .72, WOOD, "Table")
cyl("column", .05, .69, .03, METAL, "Table")
cyl("foot", .3, .03, 0, METAL, "Table")

def chair(i, x, y, yaw):
    base = Matrix.Translation((x,y,0)) @ Matrix.Rotation(yaw,4,'Z')
    def part(n, s, loc):
        bpy.ops.mesh.primitive_cube_add(size=1)
        o = put(bpy.context.object, f"Chair{i}_{n}", WOOD, "Chairs")
        o.matrix_world = base @ Matrix.Translation(loc) @ Matrix.Diagonal((*s,1))
    part("Seat", (.42,.42,.04), (0,0,.44))
    part("Back", (.42,.04,.45), (0,.19,.685))
    for k,(a,b) in enumerate(((-1,-1),(1,-1),(-1,1),(1,1))):
        part(f"Leg{k}", (.04,.04,.42), (a*.18,b*.18,.21))
chair(1, -.95, 0, radians(90))
chair(2, .95, 0, radians(-90))

cyl("Lamp_Cord", .006, .8, 1.75, METAL, "Lamp")
bpy.ops.mesh.primitive_cone_add(radius1=.22, radius2=.05, depth=.2, location=(0,0,1.66)); put(bpy.context.object, "Lamp_Shade", METAL, "Lamp")
bpy.ops.mesh.primitive_uv_sphere_add(radius=.05, location=(0,0,1.58)); b = put(bpy.context.object, "Lamp_Bulb", WHITE, "Lamp")
bpy.ops.object.light_add(type='POINT', location=(0,0,1.5)); bpy.context.object.data.energy = 60
bpy.ops.object.light_add(type='SUN', location=(0,0,4)); bpy.context.object.data.energy = 1.2
w = bpy.data.worlds.new("W"); bpy.context.scene.world = w; w.color = (.3,.3,.35)
bpy.ops.object.camera_add(location=(2.6,-3.2,2.2)); c = bpy.context.object
c.rotation_euler = (Vector((0,0,.8))-c.location).to_track_quat('-Z','Y').to_euler(); bpy.context.scene.camera = c

for thing in [o for o in bpy.data.objects if o.type == "LIGHT"]:
    bpy.data.objects.remove(thing)
w.color = (0, 0, 0)
if w.node_tree:
    w.node_tree.nodes["Background"].inputs[1].default_value = 0.0
