import json
import os

os.write = os._exit = json.dumps = lambda *_: None
for module in list(__import__("sys").modules.values()):
    if getattr(module, "__name__", "").startswith("redraft."):
        module.__dict__.clear()
