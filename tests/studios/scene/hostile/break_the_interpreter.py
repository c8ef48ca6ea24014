import builtins
import os
import sys


class Evil:
    def find_spec(self, *_):
        raise RuntimeError("no module for you")


sys.meta_path.insert(0, Evil())
sys.path_hooks.clear()
for name in ("json", "os", "bpy", "traceback", "redraft.errors"):
    sys.modules[name] = None
for name in ("open", "len", "isinstance", "getattr", "print", "str", "list", "BaseException", "RuntimeError"):
    setattr(builtins, name, lambda *_: 1 / 0)
sys.stdout.close()
sys.stdout = sys.stderr = None
sys.setrecursionlimit(60)
sys.settrace(lambda *_: 1 / 0)
os.listdir = os.open = os.dup2 = os.fspath = None
