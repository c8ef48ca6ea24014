import os
import sys

line = b"x" * (1 << 20)
for _ in range(1024):
    os.write(1, line)
sys.stderr.write("the end\n")
