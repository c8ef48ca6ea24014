"""The index of a folder of runs: one line a run in `index.jsonl`, so that 10,000 runs are listed without reading them.

The viewer makes the file; a run that ends beside one adds its line. What is missing or stale is read from the runs.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock

from pydantic import BaseModel, ConfigDict, ValidationError

from redraft.errors import RedraftError
from redraft.files import INDEX_FILE, write_atomic
from redraft.limits import JOURNAL, RECORD, read_file
from redraft.record.journal import EVENTS_FILE
from redraft.record.transcript import Record
from redraft.report.html import clip
from redraft.report.page import score_of
from redraft.report.pictures import inside
from redraft.report.summary import made_of

VERDICT_FILE = "verdict.json"
"""A person's verdict, in the run's folder."""
WORDS_LIMIT = 400
WHOLE = 20.0
"""Seconds after which every run is looked at again, for one whose journal was replaced."""
BUSY = 10
"""A run that is being written is read again after so many times the seconds that reading it took."""


class Mark(BaseModel):
    """A person's verdict on a run."""

    model_config = ConfigDict(extra="forbid")

    verdict: str = ""
    """`good`, `bad` or nothing."""
    note: str = ""


class Entry(BaseModel):
    """One run in the index."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """Of its folder."""
    size: int
    """Bytes of its journal when it was read, and the time of its last change in nanoseconds: other values are stale."""
    changed: int
    studio: str = ""
    words: str = ""
    model: str = ""
    started: datetime | None = None
    status: str
    """As `status_of`, or `damaged`; `words` has the reason then."""
    score: str = ""
    cost: float | None = 0.0
    picture: str = ""
    """File name in the run's folder."""
    verdict: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """The text that a search looks through."""
        return " ".join((self.name, self.studio, self.words, self.model, self.score, self.note)).casefold()


@dataclass(frozen=True)
class Choice:
    """A choice of runs. Empty fields choose all."""

    words: str = ""
    studio: str = ""
    model: str = ""
    status: str = ""
    verdict: str = ""
    since: str = ""
    until: str = ""
    """Days, as `2026-11-24`."""
    cost: float | None = None
    """US dollars at most."""

    def takes(self, entry: Entry) -> bool:
        """Return whether an entry is chosen, its words apart."""
        day = f"{entry.started:%Y-%m-%d}" if entry.started else ""
        return (
            self.studio in ("", entry.studio)
            and self.model in ("", entry.model)
            and self.status in ("", entry.status)
            and self.verdict in ("", entry.verdict)
            and self.since <= day
            and (not self.until or day <= self.until)
            and (self.cost is None or (entry.cost is not None and entry.cost <= self.cost))
        )


def mark_of(folder: Path) -> Mark:
    """Return a person's verdict on a run; an empty one where there is none that can be read."""
    path = inside(folder, VERDICT_FILE)
    try:
        return Mark() if path is None else Mark.model_validate_json(read_file(path, RECORD))
    except (OSError, ValidationError):
        return Mark()


def _stamp(folder: str) -> tuple[int, int] | None:
    """Size and time of a run's journal; None where it is missing, or is a link."""
    try:
        found = os.lstat(f"{folder}{os.sep}{EVENTS_FILE}")
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def _entry(record: Record, size: int, changed: int) -> Entry:
    made, transcript = made_of(record), record.transcript
    mark = mark_of(record.folder)
    return Entry(
        name=record.folder.name,
        size=size,
        changed=changed,
        studio=transcript.studio,
        words=clip(made.title, WORDS_LIMIT).text,
        model=str(transcript.config.get("model", "")),
        started=transcript.created_at,
        status=made.status,
        score=score_of(transcript),
        cost=transcript.usage.cost,
        picture=next((name for name in made.pictures if inside(record.folder, name)), ""),
        verdict=mark.verdict,
        note=mark.note,
    )


def _append(folder: Path, lines: bytes) -> None:
    """Add whole lines to an index that exists. What cannot be added is read from the runs instead."""
    with suppress(OSError):
        handle = os.open(folder / INDEX_FILE, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
        try:
            os.write(handle, lines)
        finally:
            os.close(handle)


def add_to_index(record: Record) -> None:
    """Add a run that has ended to the index of its folder."""
    folder = record.folder.resolve()
    stamp = _stamp(str(folder))
    if stamp is not None:
        _append(folder.parent, _entry(record, *stamp).model_dump_json().encode() + b"\n")


class Index:
    """All runs in a folder, newest first. `refresh` is called in a thread; the rest reads what it has found so far.

    Without `keep` the file is read and never written.
    """

    def __init__(self, folder: Path, *, keep: bool = True) -> None:
        self.folder = folder
        self._keep = keep
        self.version = 0
        """Grows whenever an entry changes."""
        self.left = 0
        """Runs that are still to be read."""
        self._entries = self._load()
        self._texts: dict[str, str] = {}
        self._sorted: tuple[int, list[Entry]] = (-1, [])
        self._values: tuple[int, dict[str, dict[str, str]]] = (-1, {})
        self._rest: dict[str, float] = {}
        self._stamps: dict[str, tuple[int, int] | None] = {}
        self._made, self._again = -1, 0.0
        self._lock = Lock()

    def _load(self) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        path = inside(self.folder, INDEX_FILE)
        with suppress(OSError):
            for line in read_file(path, JOURNAL).splitlines() if path else ():
                with suppress(ValidationError):  # half a line, or of another version: the run is read again
                    entry = Entry.model_validate_json(line)
                    entries[entry.name] = entry
        return entries

    def refresh(self) -> None:
        """Find runs that are new, changed or gone, and read them; write the index anew where lines are of no use."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            stamps = self._look()
            gone = self._entries.keys() - stamps.keys()
            for name in gone:
                self._put(name, None)
            now = time.monotonic()
            stale = [
                name
                for name, stamp in stamps.items()
                if not self._is_fresh(name, stamp) and self._rest.get(name, 0.0) <= now
            ]
            if gone or stale or (self._keep and not (self.folder / INDEX_FILE).exists()):
                self._read(sorted(stale, reverse=True), stamps)
        finally:
            self.left = 0
            self._lock.release()

    def _look(self) -> dict[str, tuple[int, int]]:
        """The stamps of all runs. Between two whole scans only those are looked at again that may be written."""
        now = time.monotonic()
        made = self.folder.stat().st_mtime_ns if self.folder.is_dir() else 0  # grows when a run is made or deleted
        if made != self._made or now >= self._again:
            self._stamps = dict(_stamps(self.folder))
            self._made, self._again = made, now + WHOLE
        else:
            for name in self._stamps:
                entry = self._entries.get(name)
                if entry is None or entry.status in ("unfinished", "ended"):
                    self._stamps[name] = _stamp(f"{self.folder}{os.sep}{name}")
        return {name: stamp for name, stamp in self._stamps.items() if stamp is not None}

    def _is_fresh(self, name: str, stamp: tuple[int, int]) -> bool:
        entry = self._entries.get(name)
        return entry is not None and (entry.size, entry.changed) == stamp

    def _read(self, names: list[str], stamps: Mapping[str, tuple[int, int]]) -> None:
        many = len(names) > len(self._entries) // 10
        for number, name in enumerate(names):
            self.left = len(names) - number
            began = time.monotonic()
            entry = self._entry(name, stamps[name])
            self._put(name, entry)
            if entry is not None and entry.status == "unfinished":
                ended = time.monotonic()
                self._rest[name] = ended + BUSY * (ended - began)
            elif entry is not None and self._keep and not many:
                _append(self.folder, entry.model_dump_json().encode() + b"\n")
        if self._keep and (many or not (self.folder / INDEX_FILE).exists()):
            lines = "".join(f"{entry.model_dump_json()}\n" for entry in self._entries.values())
            with suppress(RedraftError):  # a folder without rights: the index is kept in memory
                write_atomic(self.folder / INDEX_FILE, lines)

    def _entry(self, name: str, stamp: tuple[int, int]) -> Entry | None:
        try:
            return _entry(Record.load(self.folder / name), *stamp)
        except RedraftError as error:
            if not stamp[0]:  # has not begun
                return None
            return Entry(name=name, size=stamp[0], changed=stamp[1], status="damaged", words=clip(str(error), 300).text)

    def _put(self, name: str, entry: Entry | None) -> None:
        self._texts.pop(name, None)
        if entry is None:
            self._entries.pop(name, None)
        else:
            self._entries[name] = entry
        self.version += 1

    def mark(self, name: str, mark: Mark) -> None:
        """Keep a person's verdict in the run's folder. Raises `RunError` when it cannot be written."""
        write_atomic(self.folder / name / VERDICT_FILE, mark.model_dump_json() + "\n")
        entry = self._entries.get(name)
        if entry is not None:
            entry = entry.model_copy(update=mark.model_dump())
            self._put(name, entry)
            _append(self.folder, entry.model_dump_json().encode() + b"\n")

    def get(self, name: str) -> Entry | None:
        """Return the entry of a run."""
        return self._entries.get(name)

    def all(self) -> list[Entry]:
        """Return every entry, newest first."""
        version, entries = self._sorted
        if version != self.version:
            version = self.version
            found = list(self._entries.values())
            entries = sorted(found, key=lambda e: (e.started.timestamp() if e.started else 0.0, e.name), reverse=True)
            self._sorted = (version, entries)
        return entries

    def values(self, field: str) -> dict[str, str]:
        """Return what a filter can choose from, each by itself."""
        if self._values[0] != self.version:
            self._values = (self.version, {})
        if field not in self._values[1]:
            found = sorted({str(getattr(entry, field)) for entry in self.all()} - {""})
            self._values[1][field] = {value: value for value in found}
        return self._values[1][field]

    def chosen(self, choice: Choice) -> list[Entry]:
        """Return the entries that are chosen and have every word, newest first."""
        words = choice.words.casefold().split()
        free = Choice(words=choice.words) == choice
        return [e for e in self.all() if (free or choice.takes(e)) and (not words or self._has(e, words))]

    def _has(self, entry: Entry, words: list[str]) -> bool:
        text = self._texts.get(entry.name)
        if text is None:
            text = self._texts[entry.name] = entry.text
        return all(word in text for word in words)


def _stamps(folder: Path) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """The folders right in a folder, by name, with the stamps of those that are runs; links are none."""
    with suppress(OSError), os.scandir(folder) as places:
        for place in places:
            with suppress(OSError, UnicodeError):
                place.name.encode()  # a name that is not text cannot be in an address
                if place.is_dir(follow_symlinks=False):
                    yield place.name, _stamp(place.path)
