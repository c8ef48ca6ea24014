import os

number = 0
while True:
    os.makedirs(f"{number // 1000}", exist_ok=True)
    open(f"{number // 1000}/{number}", "w").close()
    number += 1
