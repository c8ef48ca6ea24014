import signal
import time

signal.alarm(1)
time.sleep(60)
