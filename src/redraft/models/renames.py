"""Which files were renamed into place, and are therefore whole.

A file's times tell it where the clock of the file system is finer than a rename (macOS). On Linux that clock ticks in
milliseconds, so a script that writes and renames leaves no trace in them: there the kernel is asked, through inotify.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path

__all__ = ["Renames"]

_MOVED_TO = 0x80  # IN_MOVED_TO, inotify(7)
_HEADER = struct.Struct("iIII")  # struct inotify_event: wd, mask, cookie, length of the name that follows


class Renames:
    """Watches a folder while it is open. Without inotify it sees nothing, and `Path.stat` must do."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handle = -1
        self._names: set[str] = set()

    def __enter__(self) -> Renames:
        if sys.platform == "linux":
            library = ctypes.CDLL(None, use_errno=True)
            self._handle = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            # A refusal (too many watches, an odd file system) leaves the rule for files that end in a newline.
            if self._handle >= 0:
                library.inotify_add_watch(self._handle, os.fsencode(self._folder), _MOVED_TO)
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def saw(self, name: str) -> bool:
        """Whether a file was renamed to `name` since the folder is watched and `forget` was called."""
        self._read()
        return name in self._names

    def forget(self, name: str) -> None:
        """Take what was renamed to `name` as seen: only a further rename counts."""
        self._names.discard(name)

    def _read(self) -> None:
        if self._handle < 0:
            return
        try:
            while data := os.read(self._handle, 65_536):
                self._names.update(_names(data))
        except BlockingIOError:
            return


def _names(data: bytes) -> list[str]:
    names: list[str] = []
    at = 0
    while at < len(data):
        *_, length = _HEADER.unpack_from(data, at)
        at += _HEADER.size
        names.append(os.fsdecode(data[at : at + length].rstrip(b"\0")))
        at += length
    return names
