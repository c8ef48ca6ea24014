import os

os.symlink("@@SECRET@@", "link")
os.symlink("@@FOLDER@@", "folder")
for path in ("link", "folder/planted", "../../planted"):
    try:
        with open(path, "w") as file:
            file.write("planted")
        print("WROTE", path)
    except OSError as error:
        print("refused", type(error).__name__)
open("link", "a").write("more")
