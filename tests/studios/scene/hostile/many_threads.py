import threading
import time

threading.stack_size(65536)
for _ in range(6_000):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
time.sleep(60)
