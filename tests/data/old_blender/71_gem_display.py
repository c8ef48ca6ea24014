# Blender 4.0
# A small builder class: car-paint gem on a pedestal.
# Note: the Principled inputs were renamed in 4.0 (Clearcoat -> Coat Weight, Specular -> Specular IOR Level ...)
import bpy
import math
from mathutils import Vector


class GemScene:
    def __init__(self, sides=8):
        self.sides = sides
        self.scene = bpy.context.scene
        self.coll = bpy.data.collections.new("GemDisplay")
        self.scene.collection.children.link(self.coll)

    def clear(self):
        for o in self.scene.objects[:]:
            bpy.data.objects.remove(o, do_unlink=True)

    def paint(self, name, color):
        m = bpy.data.materials.new(name)
        m.use_nodes = True
        i = m.node_tree.nodes["Principled BSDF"].inputs
        i["Base Color"].default_value = color
        i["Metallic"].default_value = 0.3
        i["Specular IOR Level"].default_value = 0.7
        i["Coat Weight"].default_value = 1.0
        i["Coat Roughness"].default_value = 0.05
        i["Emission Color"].default_value = color
        i["Emission Strength"].default_value = 0.2
        return m

    def gem(self):
        n = self.sides
        ring = [(math.cos(k * math.tau / n), math.sin(k * math.tau / n), 0.4) for k in range(n)]
        top = [(x * 0.55, y * 0.55, 0.8) for x, y, _ in ring]
        verts = ring + top + [(0, 0, -0.9)]
        faces = [tuple(range(n, 2 * n))]
        for k in range(n):
            j = (k + 1) % n
            faces.append((k, j, n + j, n + k))
            faces.append((j, k, 2 * n))
        me = bpy.data.meshes.new("Gem")
        me.from_pydata(verts, [], faces)
        me.polygons.foreach_set("use_smooth", [True] * len(me.polygons))
        me.use_auto_smooth = True
        me.auto_smooth_angle = math.radians(20)
        me.calc_normals_split()
        normals = [l.normal.copy() for l in me.loops]
        bent = [(nn + Vector((0, 0, 0.1))).normalized() for nn in normals]
        me.free_normals_split()
        me.normals_split_custom_set(bent)
        me.materials.append(self.paint("GemPaint", (0.05, 0.4, 0.8, 1)))
        return self.add("Gem", me, (0, 0, 2))

    def add(self, name, data, loc, rot=(0, 0, 0)):
        o = bpy.data.objects.new(name, data)
        o.location, o.rotation_euler = loc, rot
        self.coll.objects.link(o)
        return o

    def build(self):
        self.clear()
        self.gem()
        bpy.ops.mesh.primitive_cylinder_add(radius=0.8, depth=1, location=(0, 0, 0.5))
        key = bpy.data.lights.new("Key", 'AREA')
        key.energy, key.size = 400, 2
        self.add("Key", key, (2.5, -3, 5), (0.65, 0.4, 0))
        cam = self.add("Cam", bpy.data.cameras.new("Cam"), (0, -7, 2.6), (1.45, 0, 0))
        self.scene.camera = cam
        self.scene.render.engine = 'BLENDER_EEVEE'
        self.scene.eevee.use_gtao = True
        self.scene.eevee.use_bloom = True
        self.scene.view_settings.view_transform = 'AgX'


GemScene().build()
