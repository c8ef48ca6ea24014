import os

for descriptor in range(1024):
    try:
        os.write(descriptor, os.urandom(4096))
    except OSError:
        pass
