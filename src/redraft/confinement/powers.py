"""What the system's administrator may do beyond others, given up: a worker that root starts is no more than a user."""

from __future__ import annotations

import ctypes

from redraft.confinement.kernel import PR_SET_NO_NEW_PRIVS, call, set_process

__all__ = ["confine_powers", "hide"]

CAPABILITY_VERSION = 0x20080522
PR_SET_DUMPABLE = 4


class _Head(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int32))


def confine_powers() -> None:
    """Give up every capability, for good, also for programs started later. Raises `OSError` when the kernel refuses."""
    set_process(PR_SET_NO_NEW_PRIVS, 1)
    none = (ctypes.c_uint32 * 6)()
    call("capset", ctypes.byref(_Head(CAPABILITY_VERSION, 0)), ctypes.byref(none))


def hide() -> None:
    """Let no process without powers look into this one or its forks. Raises `OSError` when the kernel refuses."""
    set_process(PR_SET_DUMPABLE, 0)
