# Blender 2.75
import bpy
from math import radians


class ColorBox(object):
    """A creased, vertex coloured, unwrapped box built from raw mesh data."""

    VERTS = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1),
             (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
    FACES = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4),
             (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    COLORS = [(1, .2, .1), (.1, .8, .3), (.1, .3, 1), (1, .9, .1), (.8, .1, .9), (.1, .9, .9)]

    def __init__(self, name, location):
        self.mesh = bpy.data.meshes.new(name)
        self.mesh.from_pydata(self.VERTS, [], self.FACES)
        self.mesh.update(calc_edges=True)
        self.mesh.show_double_sided = False
        self.object = bpy.data.objects.new(name, self.mesh)
        self.object.location = location
        bpy.context.scene.objects.link(self.object)

    def unwrap(self):
        self.mesh.uv_textures.new("UVMap")
        uvs = self.mesh.uv_layers["UVMap"].data
        for poly in self.mesh.polygons:
            for li, uv in zip(poly.loop_indices, ((0, 0), (1, 0), (1, 1), (0, 1))):
                uvs[li].uv = uv

    def paint(self):
        col = self.mesh.vertex_colors.new("Col")
        for poly in self.mesh.polygons:
            poly.use_smooth = True
            for li in poly.loop_indices:
                col.data[li].color = self.COLORS[poly.index]

    def crease(self, amount):
        # top ring hard, rest soft
        for e in self.mesh.edges:
            if all(self.mesh.vertices[v].co.z > 0 for v in e.vertices):
                e.crease = amount
        sub = self.object.modifiers.new("Subsurf", 'SUBSURF')
        sub.levels = 2
        sub.render_levels = 4
        sub.use_subsurf_uv = True
        self.mesh.calc_normals()

if __name__ == "__main__":
    scn = bpy.context.scene
    for ob in scn.objects[:]:
        scn.objects.unlink(ob)

    mat = bpy.data.materials.new("VCol")
    mat.use_vertex_color_paint = True
    for i in range(4):
        box = ColorBox("Box%d" % i, (i * 2.6 - 3.9, 0, 0))
        box.unwrap()
        box.paint()
        box.crease(i / 3.0)
        box.mesh.materials.append(mat)

    lamp = bpy.data.objects.new("Lamp", bpy.data.lamps.new("Lamp", 'POINT'))
    lamp.location = (2, -6, 6)
    lamp.data.distance = 30
    scn.objects.link(lamp)
    cam = bpy.data.objects.new("Cam", bpy.data.cameras.new("Cam"))
    cam.location, cam.rotation_euler = (0, -13, 6), (radians(65), 0, 0)
    scn.objects.link(cam)
    scn.camera = cam
