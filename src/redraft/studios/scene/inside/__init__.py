"""The programs that run inside Blender, in a process of their own: with Blender's Python, its NumPy, and no other library.

Nothing outside this folder is imported here but `redraft.errors`, `redraft.sandbox.protocol` and the standard library.
"""
