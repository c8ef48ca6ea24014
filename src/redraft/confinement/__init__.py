"""What a process does to itself before it runs what a model wrote: it gives up system calls, files and powers for good.

Only the standard library is needed in here, so that any Python can do it, also Blender's own.
"""
