import threading

import bpy


def work():
    while True:
        sum(range(1000))


for _ in range(8):
    threading.Thread(target=work).start()
bpy.ops.mesh.primitive_cube_add()
