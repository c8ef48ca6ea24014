"""The journal, which makes a run repeatable and resumable.

The loop is deterministic code over journaled effects. `once` runs an effect the first time and gives its recorded
result ever after; `note` writes an event the first time and checks that it is the same ever after. Lines are
appended and flushed to disk; a torn last line is dropped; a lock forbids two writers.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, TypeVar

from filelock import FileLock, Timeout
from pydantic import JsonValue, TypeAdapter, ValidationError

from redraft.errors import (
    AttemptError,
    ExecutionError,
    FormatError,
    InfrastructureError,
    ResumeDivergedError,
    RunError,
    RunFormatError,
    RunLockedError,
    RunNotFoundError,
    RunStoppedError,
)
from redraft.limits import JOURNAL, open_file, read_file
from redraft.record.events import FORMAT_VERSION, EffectFailed, EffectFinished, EffectStarted, Event, event_adapter
from redraft.record.repeats import SHARED_FROM, Repeats
from redraft.result import CodePatch

EVENTS_FILE = "events.jsonl"
PICTURES = "pictures"
"""The folder of a run's pictures."""
LOCK_FILE = ".lock"
STOP_FILE = "stop"
"""A file of this name in a run's folder stops the run before its next effect."""
MAX_MARKS = 8_000_000
"""Commas and opening brackets in a journal, texts included: each may become a value of 70 bytes. The longest
journal of the benchmarks, with 1,100 calls, has about a million."""
LOCK_TIMEOUT = 0.1
"""Seconds to wait for the lock: `is_written` holds it for an instant."""

Clock = Callable[[], datetime]
Observer = Callable[[Event], None]
T = TypeVar("T")

_FAILURES: dict[str, type[AttemptError]] = {"E0": InfrastructureError, "E1": ExecutionError, "E2": FormatError}
_FORMAT = re.compile(rb'"format": ?([0-9]{1,9})[,}]')
"""The format of a journal, read before its first line is checked: other fields may differ in another format."""
_BEFORE_EVERY_RUN = frozenset({"run_started", "run_finished", "effect_started"})
"""Events that a resumed run may write again."""


def system_clock() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def digest_of(inputs: JsonValue) -> str:
    """Return sixteen hexadecimal digits over the canonical JSON of an effect's inputs."""
    text = json.dumps(inputs, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def derive_seed(seed: int, path: str) -> int:
    """Return a seed in [0, 2³¹) for one place in a run.

    It depends on the run's seed and a structural path only, never on arrival order or the clock, and is the same on
    every machine.
    """
    digest = hashlib.sha256(f"{seed}\0{path}".encode()).digest()
    return int.from_bytes(digest[:4], "big") & 0x7FFF_FFFF


def read_events(folder: Path) -> list[Event]:
    """Return the events of a run without a torn last line.

    Raises:
        RunNotFoundError: `events.jsonl` is missing. RunError: it cannot be read.
        RunFormatError: a line other than the last is damaged, or the version is unknown.
    """
    path, raw = _read(folder, lambda file: file.read(JOURNAL.size))
    refuse_crowded(raw, path)
    whole = raw[: raw.rfind(b"\n") + 1]
    repeats = Repeats() if len(raw) > SHARED_FROM else None
    return [event_in(line, path, n, repeats) for n, line in enumerate(whole.splitlines(), start=1)]


def refuse_crowded(raw: bytes, path: Path) -> None:
    """Raise `RunFormatError` for lines with more values than the record of a run has."""
    if sum(raw.count(mark) for mark in (b",", b"[", b"{")) > MAX_MARKS:
        raise RunFormatError(f"{path} has more than {MAX_MARKS:,} values. It was changed; start a new run.")


def read_first(folder: Path) -> Event | None:
    """Return the first event of a run without reading the others; None before its line is whole.

    Raises:
        RunNotFoundError: `events.jsonl` is missing. RunError: it cannot be read. RunFormatError: it is damaged.
    """
    path, line = _read(folder, lambda file: file.readline(JOURNAL.size))
    return event_in(line, path, 1) if line.endswith(b"\n") else None


def _read(folder: Path, take: Callable[[BinaryIO], bytes]) -> tuple[Path, bytes]:
    """Return the path of the journal in a run folder, and the bytes that `take` reads from it."""
    path = folder / EVENTS_FILE
    try:
        with open_file(path, JOURNAL) as file:
            return path, take(file)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RunNotFoundError(f"{folder} is not a run: it has no {EVENTS_FILE}. Give the folder of a run.") from error
    except OSError as error:
        raise RunError(f"Cannot read {path}: {error.strerror or error}.") from error


def event_in(line: bytes, path: Path, number: int, repeats: Repeats | None = None) -> Event:
    """Return the event on one line of a journal, with the values of earlier lines that it refers to (`repeats`).

    Raises:
        RunFormatError: the line is damaged, or of another version.
    """
    if number == 1 and (match := _FORMAT.search(line)) and int(match[1]) != FORMAT_VERSION:
        raise RunFormatError(
            f"{path} has the journal format {int(match[1])}; this redraft reads format {FORMAT_VERSION} only. Open it "
            "with the redraft that wrote it, or start a new run."
        )
    try:
        return event_adapter.validate_json(line if repeats is None else repeats.unpacked(line))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RunFormatError(
            f"{path}, line {number}: not an event of a run this redraft can read ({where}: {first['msg']}). "
            "The file was changed, or written by a newer redraft."
        ) from error
    except ValueError as error:
        raise RunFormatError(f"{path}, line {number}: {error}. The file was changed; start a new run.") from error


def refuse_links(folder: Path) -> None:
    """Raise `RunError` for links in the folder of a run or batch, through which files elsewhere would be used."""
    for path in (*folder.glob("*"), *folder.glob(".*"), *(folder / PICTURES).glob("*")):
        if path.is_symlink():
            raise RunError(
                f"{path} is a link, to {str(path.readlink())!r}. redraft makes none in its folders: put a copy of the "
                "file in its place, or remove the link."
            )


def is_written(folder: Path) -> bool:
    """Return whether a process is writing a run."""
    path = folder / LOCK_FILE
    try:
        import fcntl
    except ImportError:  # Windows, where a lock cannot be looked at without taking it
        return path.exists()
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


class Journal:
    """The open journal of one run; a context manager that holds the run's lock."""

    def __init__(self, folder: Path, *, clock: Clock = system_clock, observer: Observer | None = None) -> None:
        self.folder = folder
        self._clock = clock
        self._observer: Observer = observer or (lambda _: None)
        self._lock = FileLock(folder / LOCK_FILE, timeout=LOCK_TIMEOUT)
        self._results: dict[str, EffectFinished | EffectFailed] = {}
        self._noted: dict[tuple[str, str], Event] = {}
        self._file: int | None = None
        self._repeats = Repeats()
        self.events: list[Event] = []
        """Every event on record, in order."""

    def __enter__(self) -> Journal:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            refuse_links(self.folder)
            self._lock.acquire()
        except Timeout as error:
            raise RunLockedError(
                f"{self.folder} is being written by another redraft process. Wait for it, or choose another --out."
            ) from error
        except OSError as error:
            raise RunError(
                f"Cannot write in {self.folder}: {error.strerror or error}. Choose another folder with --out."
            ) from error
        try:
            (self.folder / STOP_FILE).unlink(missing_ok=True)  # it stopped the run before it was resumed
            self._open()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._lock.release()

    def _open(self) -> None:
        """Read the events so far, and open the file for more, without a torn last line."""
        path = self.folder / EVENTS_FILE
        if path.exists():
            _, raw = _read(self.folder, lambda file: file.read())
            for number, line in enumerate(raw[: raw.rfind(b"\n") + 1].splitlines(), start=1):
                self._remember(event_in(line, path, number, self._repeats))
        try:
            if path.exists():
                os.truncate(path, read_file(path, JOURNAL).rfind(b"\n") + 1)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise RunError(f"Cannot write {path}: {error.strerror or error}. Make it writable.") from error

    def _remember(self, event: Event) -> None:
        self.events.append(event)
        match event:
            case EffectFinished() | EffectFailed():
                self._results[event.key] = event
            case EffectStarted():
                pass
            case _:
                self._noted[event.event, event.key] = event

    @property
    def now(self) -> datetime:
        return self._clock()

    def knows(self, key: str) -> bool:
        """Return whether an effect has a result on record."""
        return key in self._results

    def write(self, event: Event) -> None:
        """Append an event and hand it to the system at once (a killed process loses nothing), then show it.

        Raises:
            RunError: the disk is full; the run can be resumed when there is space again.
        """
        assert self._file is not None, "the journal is not open"
        size = os.fstat(self._file).st_size
        line = self._repeats.packed(event_adapter.dump_json(event) + b"\n", refer=size >= SHARED_FROM)
        try:
            if os.write(self._file, line) < len(line):
                raise OSError(28, "No space left on device")
        except OSError as error:
            os.truncate(self._file, size)
            raise RunError(
                f"Could not write {self.folder / EVENTS_FILE}: {error.strerror or error}. All work so far is "
                f"kept. Free some space, then: redraft resume {self.folder}"
            ) from error
        self._remember(event)
        self._observer(event)

    def note(self, event: Event) -> None:
        """Write an event once. On resume the same event is shown again and must be equal, clocks aside."""
        known = self._noted.get((event.event, event.key))
        if known is None or event.event in _BEFORE_EVERY_RUN:
            self.write(event)
            return
        if _timeless(known) != _timeless(event):
            raise ResumeDivergedError(
                f"{self.folder}: the event {event.event!r} at {event.key!r} is not what it was before. The run was "
                "made by another version of redraft, or its files were changed; start a new run."
            )
        self._observer(known)

    async def once(self, key: str, inputs: JsonValue, effect: Callable[[], Awaitable[T]], result: TypeAdapter[T]) -> T:
        """Run an effect once in the life of a run; return its result, now or from the record.

        `inputs` are all that the result depends on. A failed attempt is a result and is raised again; any other
        exception leaves no result, so the effect happens again on resume.

        Raises:
            ResumeDivergedError: this key was recorded with other inputs.
            AttemptError: as the effect raised it, now or when it was recorded.
            RunStoppedError: the run was asked to stop.
        """
        digest = digest_of(inputs)
        known = self._results.get(key)
        if known is not None:
            if known.digest != digest:
                raise ResumeDivergedError(
                    f"{self.folder}: {key!r} was done with other inputs (recorded {known.digest}, now {digest}). A "
                    "setting, a prompt, the file it began with or redraft itself has changed since; start a new run, "
                    "or resume with what the run began with."
                )
            if isinstance(known, EffectFailed):
                patches = [patch.model_dump() for patch in known.patches]
                failure = _FAILURES[known.failure_class]
                raise failure(known.message, by=known.by, patches=patches, subjects=known.subjects)
            try:  # as JSON, where alone strict models take lists for tuples
                return result.validate_json(json.dumps(known.result))
            except ValidationError as error:
                raise RunFormatError(
                    f"{self.folder}: the recorded result of {key!r} cannot be read ({error.errors()[0]['msg']}). The "
                    f"file {EVENTS_FILE} was changed; start a new run."
                ) from error

        if (self.folder / STOP_FILE).exists():
            raise RunStoppedError(f"stopped by the file {STOP_FILE!r} in the run's folder")
        self.write(EffectStarted(key=key, at=self.now, digest=digest, inputs=inputs))
        try:
            value = await effect()
        except AttemptError as error:
            self.write(
                EffectFailed(
                    key=key,
                    at=self.now,
                    digest=digest,
                    failure_class=error.failure_class,
                    message=str(error),
                    by=error.by,
                    patches=tuple(CodePatch.model_validate(patch) for patch in error.patches),
                    subjects=error.subjects,
                )
            )
            raise
        self.write(EffectFinished(key=key, at=self.now, digest=digest, result=result.dump_python(value, mode="json")))
        return value


def _timeless(event: Event) -> dict[str, object]:
    return event.model_dump(exclude={"at"})
