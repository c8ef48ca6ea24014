import os

print("before")
os.abort()
