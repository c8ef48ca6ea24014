# Everything in a .blend that can read or write a file, or run code, where another person opens or renders it.
import os
import wave

import bpy
from mathutils import Vector

HERE, OTHERS, MINE = os.getcwd(), "@@FOLDER@@/others", "@@FOLDER@@/mine"
FIVE = bpy.app.version >= (5, 0)
scene = bpy.context.scene
bpy.ops.mesh.primitive_plane_add(size=4)
ground = bpy.context.object
material = bpy.data.materials.new("Ground")
material.use_nodes = True
nodes = material.node_tree.nodes
ground.data.materials.append(material)

# Pictures, of which two are in the file itself
drawn = bpy.data.images.new("Drawn", 16, 16)
drawn.pixels = [0.0, 1.0, 0.0, 1.0] * 256
saved = bpy.data.images.new("Saved", 16, 16)
saved.filepath_raw, saved.file_format = f"{HERE}/saved.png", "PNG"
saved.save()
loaded = bpy.data.images.load(f"{HERE}/saved.png")
loaded.name = "Loaded"
for picture in (drawn, loaded):
    nodes.new("ShaderNodeTexImage").image = picture
for name, source in (("Secret", "FILE"), ("Sequence", "SEQUENCE"), ("Movie", "MOVIE")):
    picture = bpy.data.images.new(name, 4, 4)
    picture.source, picture.filepath = source, f"{OTHERS}/{name}.png"
    nodes.new("ShaderNodeTexImage").image = picture
scene.render.filepath = f"{MINE}/render"

# Nodes
nodes.new("ShaderNodeScript").filepath = f"{OTHERS}/shader.osl"
nodes.new("ShaderNodeScript").script = bpy.data.texts.new("shader.osl")
light = nodes.new("ShaderNodeTexIES")
light.mode, light.filepath = "EXTERNAL", f"{OTHERS}/lamp.ies"
scene.render.use_compositing = True
if FIVE:
    tree = scene.compositing_node_group = bpy.data.node_groups.new("Compositor", "CompositorNodeTree")
    output = tree.nodes.new("CompositorNodeOutputFile")
    output.directory, output.file_name = f"{MINE}/composed", "written"
    output.file_output_items.new("RGBA", "Image")
else:
    scene.use_nodes = True
    tree = scene.node_tree
    output = tree.nodes.new("CompositorNodeOutputFile")
    output.base_path = f"{MINE}/composed"
tree.links.new(tree.nodes.new("CompositorNodeRLayers").outputs[0], output.inputs[0])
bpy.ops.mesh.primitive_cube_add()
grown = bpy.context.object
grown.name = "Grown"
if FIVE:
    group = bpy.data.node_groups.new("Growth", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    path = group.interface.new_socket("Path", in_out="INPUT", socket_type="NodeSocketString")
    path.subtype, path.default_value = "FILE_PATH", f"{OTHERS}/default.obj"
    source = group.nodes.new("NodeGroupInput")
    for kind in ("OBJ", "PLY", "STL", "CSV", "VDB", "Text"):
        node = group.nodes.new(f"GeometryNodeImport{kind}")
        node.inputs[0].default_value = f"{OTHERS}/model.{kind}"
        group.links.new(source.outputs[0], node.inputs[0])
    group.nodes.new("GeometryNodeBake")
    modifier = grown.modifiers.new("Growth", "NODES")
    modifier.node_group, modifier.bake_directory = group, f"{MINE}/bake"
    modifier[path.identifier] = f"{OTHERS}/named.obj"
    for bake in modifier.bakes:
        bake.use_custom_path, bake.directory, bake.bake_target = True, f"{MINE}/baked", "DISK"

# Modifiers and simulations
bpy.ops.mesh.primitive_cube_add(location=(0, 0, 2))
changed = bpy.context.object
changed.name = "Changed"
changed.modifiers.new("Cache", "MESH_CACHE").filepath = f"{OTHERS}/cache.mdd"
changed.modifiers.new("Ocean", "OCEAN").filepath = f"{MINE}/ocean"
changed.modifiers.new("Paint", "DYNAMIC_PAINT").ui_type = "CANVAS"
bpy.ops.dpaint.type_toggle(type="CANVAS")
changed.modifiers["Paint"].canvas_settings.canvas_surfaces[0].image_output_path = f"{MINE}/paint"
bpy.ops.mesh.primitive_grid_add(location=(0, 0, 4))
cloth = bpy.context.object
cloth.name = "Cloth"
cache = cloth.modifiers.new("Cloth", "CLOTH").point_cache
cache.use_disk_cache = cache.use_external = True
cache.filepath = f"{MINE}/cloth"
bpy.ops.mesh.primitive_cube_add(location=(0, 5, 2))
domain = bpy.context.object
domain.name = "Domain"
fluid = domain.modifiers.new("Fluid", "FLUID")
fluid.fluid_type = "DOMAIN"
fluid.domain_settings.cache_directory = f"{MINE}/fluid"

# Sounds, films, caches, volumes, fonts
with wave.open(f"{HERE}/tone.wav", "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(8000)
    file.writeframes(bytes(1600))
bpy.data.speakers.new("Speaker").sound = bpy.data.sounds.load(f"{HERE}/tone.wav")
bpy.data.movieclips.load(f"{HERE}/saved.png").use_fake_user = True
bpy.ops.cachefile.open(filepath=f"{OTHERS}/model.abc")
for each in bpy.data.cache_files:
    each.use_fake_user = True
volume = bpy.data.volumes.new("Smoke")
volume.filepath = f"{OTHERS}/smoke.vdb"
scene.collection.objects.link(bpy.data.objects.new("Smoke", volume))
strips = scene.sequence_editor_create()
strips = strips.strips if hasattr(strips, "strips") else strips.sequences
strips.new_sound("Sound", f"{HERE}/tone.wav", 1, 1)
strips.new_image("Picture", f"{HERE}/saved.png", 2, 1)
strips.new_movie("Film", f"{OTHERS}/film.mp4", 3, 1)

# Other .blend files
bpy.ops.mesh.primitive_cone_add()
cone = bpy.context.object
bpy.data.libraries.write(f"{HERE}/library.blend", {cone})
bpy.data.objects.remove(cone)
with bpy.data.libraries.load(f"{HERE}/library.blend", link=True) as (_, linked):
    linked.objects = ["Cone"]
scene.collection.objects.link(linked.objects[0])

# Code
scene.render.use_freestyle = True
freestyle = scene.view_layers[0].freestyle_settings
freestyle.mode = "SCRIPT"
freestyle.modules.new().script = bpy.data.texts.new("lines.py")
bpy.data.texts.new("register.py").use_module = True
ground.driver_add("location", 2).driver.expression = "__import__('os').getpid() * 0"
material.node_tree.driver_add("nodes[0].location", 0).driver.expression = "__import__('os').getpid() * 0"
if FIVE:
    shader = bpy.data.cameras.new("Shader")
    shader.type, shader.custom_mode, shader.custom_filepath = "CUSTOM", "EXTERNAL", f"{OTHERS}/camera.osl"
    scene.collection.objects.link(bpy.data.objects.new("Shader", shader))
    bpy.ops.collection.exporter_add(name="IO_FH_obj")
    scene.collection.exporters[0].filepath = f"{MINE}/export.obj"

camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
scene.collection.objects.link(camera)
camera.location = (6, -10, 6)
camera.rotation_euler = (Vector((0, 0, 1)) - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.camera = camera
bpy.ops.object.light_add(type="SUN")
