import os

home = os.path.expanduser("~")
for folder in (home, os.environ["TMPDIR"], ".."):
    try:
        os.makedirs(os.path.join(folder, "left/scripts/startup"), exist_ok=True)
        open(os.path.join(folder, "left/scripts/startup/evil.py"), "w").write("raise SystemExit")
    except OSError as error:
        print("refused", type(error).__name__)
os.mkdir("shut")
open("shut/file", "w").close()
os.chmod("shut", 0)
for _ in range(3000):
    os.mkdir("deep")
    os.chdir("deep")
