# What it learns of another process, it would print.
import os

for pid in {1, os.getppid(), *range(1, 64)} - {os.getpid()}:
    for name in ("cmdline", "comm", "environ", "status", "stat", "mountinfo", "task"):
        try:
            path = f"/proc/{pid}/{name}"
            print("READ", path, os.listdir(path) if name == "task" else open(path, "rb").read()[:200])
        except OSError:
            pass
try:
    print("LISTED", os.listdir("/proc"))
except OSError:
    pass
