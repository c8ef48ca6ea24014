import os

os.mkfifo("../made/scene.blend")
os.mkfifo("../made/scene.blend@")
os._exit(0)
