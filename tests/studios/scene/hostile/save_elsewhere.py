import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.ops.wm.save_as_mainfile(filepath="@@FOLDER@@/not/there/scene.blend")
