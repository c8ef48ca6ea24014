# Überschrift: 你好, мир, 🍎
import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.context.object.name = "Äpfel 🍎"
bpy.ops.object.text_add()
bpy.context.object.data.body = "你好, мир"
print("Größe: 3 m²")
raise ValueError("Straße — 道路 \udcff")
