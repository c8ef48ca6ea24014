import os
import subprocess

for start in (
    lambda: subprocess.run(["/bin/sh", "-c", "touch started"], check=True),
    lambda: os.system("touch started") and None,
    lambda: os.execv("/bin/true", ["true"]),
    lambda: os.posix_spawn("/bin/true", ["true"], {}),
):
    try:
        start()
    except OSError as error:
        print("refused", type(error).__name__)
print("started" if os.path.exists("started") else "nothing started")
