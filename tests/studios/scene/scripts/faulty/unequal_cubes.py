# brief: a row of five cubes of increasing size from left to right, each in another colour
# finds: requirement.proportion
# states: [{"kind": "proportion", "quote": "of increasing size from left to right", "parts": ["Cube*"], "order": "increasing", "dimension": "height"}]
import bpy
x = 0.0
colors = [(0.8, 0.1, 0.1), (0.9, 0.5, 0.1), (0.9, 0.85, 0.1), (0.1, 0.6, 0.2), (0.1, 0.2, 0.8)]
for i, c in enumerate(colors):
    size = 0.5 + 0.25 * i
    bpy.ops.mesh.primitive_cube_add(size=size, location=(x + size / 2, 0, size / 2))
    cube = bpy.context.active_object
    mat = bpy.data.materials.new(f"Color{i}")
    mat.use_nodes = True
    mat.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*c, 1)
    cube.data.materials.append(mat)
    x += size + 0.3
bpy.ops.mesh.primitive_plane_add(size=20, location=(3, 0, 0))
bpy.ops.object.light_add(type="SUN", location=(5, -5, 8), rotation=(0.6, 0.3, 0))
bpy.context.object.data.energy = 3
world = bpy.data.worlds.new("World")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.8, 0.85, 0.9, 1)
bpy.context.scene.world = world
bpy.ops.object.camera_add(location=(3.2, -9, 3.5), rotation=(1.2, 0, 0))
bpy.context.scene.camera = bpy.context.object

bpy.data.objects["Cube.002"].scale = (0.6, 0.6, 0.6)
bpy.data.objects["Cube.002"].location.z = 0.3
