# What it finds outside its folder, it would print.
import os

for path in ("@@SECRET@@", "/etc/passwd", "/proc/1/environ", os.path.expanduser("~root/.ssh/id_rsa")):
    try:
        print("READ", path, open(path, "rb").read()[:200])
    except OSError as error:
        print("refused", type(error).__name__)
for folder in ("@@FOLDER@@", "/root", "/home"):
    try:
        print("LISTED", folder, os.listdir(folder))
    except OSError as error:
        print("refused", type(error).__name__)
open("@@SECRET@@").read()
