# change: scene.objects.link -> collection.objects.link (2.80); also: calc_normals, draw_type, groups, lamps, select
# holds: 'Tri' in bpy.data.collections['Things'].objects and bpy.data.objects['Tri'].display_type == 'WIRE' and bpy.context.object.name == 'Tri' and len(bpy.context.scene.objects) == 2
import bpy

scene = bpy.context.scene
mesh = bpy.data.meshes.new("Tri")
mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
obj = bpy.data.objects.new("Tri", mesh)
scene.objects.link(obj)
mesh.calc_normals()
obj.draw_type = 'WIRE'

group = bpy.data.groups.new("Things")
group.objects.link(obj)

lamp = bpy.data.lamps.new("Sun", 'SUN')
lamp.shadow_method = 'RAY_SHADOW'
sun = bpy.data.objects.new("Sun", lamp)
scene.objects.link(sun)

for ob in scene.objects:
    ob.select = False
obj.select = True
scene.objects.active = obj
