import ctypes
import os
import time


class Event(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("how", ctypes.c_int),
        ("more", ctypes.c_char * 48),
    )


library = ctypes.CDLL(None, use_errno=True)
timer = ctypes.c_void_p()
if library.timer_create(0, ctypes.byref(Event(0, 9, 0)), ctypes.byref(timer)):
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
library.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1), None)
time.sleep(60)
