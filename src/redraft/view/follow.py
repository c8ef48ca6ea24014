"""The events of a run as a process writes them, this one or another."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock

from redraft.errors import RunFormatError, RunNotFoundError
from redraft.limits import JOURNAL, too_large
from redraft.record.events import Event, event_adapter
from redraft.record.journal import EVENTS_FILE, read_first, refuse_crowded
from redraft.record.repeats import Repeats


class Followed:
    """The journal of one run, read on from where it was read last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._events: list[Event] = []
        self._at = 0
        """Bytes read: always the end of a line."""
        self._inode = 0
        self._repeats = Repeats()
        self._lock = Lock()

    def read(self) -> list[Event]:
        """Return all events so far; half a line at the end is left for the next time.

        Raises:
            RunNotFoundError: the run was deleted. RunFormatError: the journal is damaged.
        """
        with self._lock:
            try:
                handle = os.open(
                    self._folder / EVENTS_FILE,
                    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0),
                )
            except OSError as error:
                self._events, self._at, self._repeats = [], 0, Repeats()
                if self._folder.is_dir() and isinstance(error, FileNotFoundError):
                    return []  # has not begun
                raise RunNotFoundError(f"{self._folder.name} cannot be read: {error.strerror or error}.") from error
            with os.fdopen(handle, "rb") as file:
                found = os.fstat(handle)
                if found.st_ino != self._inode or found.st_size < self._at:  # another run of that name
                    self._events, self._at, self._inode, self._repeats = [], 0, found.st_ino, Repeats()
                if found.st_size > JOURNAL.size:
                    raise RunFormatError(str(too_large(self._folder.name, f"it has {found.st_size:,} bytes", JOURNAL)))
                if found.st_size > self._at:
                    file.seek(self._at)
                    self._add(file.read(found.st_size - self._at))
            return list(self._events)

    def _add(self, raw: bytes) -> None:
        whole = raw[: raw.rfind(b"\n") + 1]
        refuse_crowded(whole, self._folder / EVENTS_FILE)
        if self._at == 0 and whole:
            read_first(self._folder)  # says what is wrong with a journal of another version
        try:
            self._events += [event_adapter.validate_json(self._repeats.unpacked(line)) for line in whole.splitlines()]
        except ValueError as error:
            raise RunFormatError(
                f"{self._folder.name}, line {len(self._events) + 1}: not an event of a run that this redraft can read. "
                "The file was changed, or written by a newer redraft."
            ) from error
        self._at += len(whole)
