# change: mesh.vertex_colors with three numbers, calc_normals_split removed (4.1)
# holds: len(bpy.data.objects['Gem'].data.color_attributes) == 1
# names: calc_normals_split
import bpy

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=0.3)
gem = bpy.context.object
gem.name = "Gem"
mesh = gem.data
layer = mesh.color_attributes.new(name="Col", type='BYTE_COLOR', domain='CORNER')
mesh.calc_normals_split()
for loop in mesh.loops:
    n = loop.normal
    layer.data[loop.index].color = (abs(n.x), abs(n.y), abs(n.z), 1.0)
mesh.free_normals_split()
