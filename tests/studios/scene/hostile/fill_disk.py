number = 0
while True:
    with open(f"{number}.bin", "wb") as file:
        for _ in range(100):
            file.write(bytes(1 << 20))
    number += 1
