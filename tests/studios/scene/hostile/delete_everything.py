import bpy

bpy.ops.wm.read_factory_settings()
for name in dir(bpy.data):
    collection = getattr(bpy.data, name)
    if hasattr(collection, "remove"):
        for block in list(collection):
            try:
                collection.remove(block)
            except (RuntimeError, TypeError, ReferenceError) as error:
                print(name, type(error).__name__)
bpy.ops.outliner.orphans_purge(do_recursive=True)
