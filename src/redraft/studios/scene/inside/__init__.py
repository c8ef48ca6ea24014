"""The programs that run inside Blender, in processes of their own: with Blender's Python, its NumPy, nothing else.

Nothing outside this folder is imported here but `redraft.errors`, `redraft.sandbox.protocol` and the standard library.
"""
