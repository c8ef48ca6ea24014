import os

import bpy

bpy.ops.mesh.primitive_cube_add()
os.symlink("@@SECRET@@", "../made/scene.blend")
