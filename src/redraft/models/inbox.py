"""`inbox:DIR`: requests as readable files, answered by a person, a chat window or an agent.

    NNNN.request.md   the request; never changed once it exists
    NNNN-K.png        its pictures
    NNNN.reply.md     the answer
    NNNN.problem.md   the reason an answer was not taken; removed once one is
    NNNN.taken        the answer was taken; empty
    .NNNN.lock        held by the run that waits

`NNNN` counts up over everything in the folder; several runs may share it. A request outlives the run that made it:
after a kill, the resumed run finds it, and the answer that came meanwhile.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import stat
import struct
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import anyio
import anyio.lowlevel
from filelock import FileLock, Timeout

from redraft.errors import ConfigError, ModelUnavailableError
from redraft.files import write_atomic
from redraft.limits import INBOX_REPLY
from redraft.models.base import ModelInfo, Reply, Request, digest
from redraft.result import Usage

POLL_INTERVAL = 0.2
"""Seconds between two looks at the folder."""
SETTLED_AFTER = 1.0
"""Seconds for which a reply that ends in a newline must stay unchanged to be whole."""
STALLED_AFTER = 10.0
"""Seconds after which a reply without that newline is reported."""

_LABEL = "inbox: answered through files in a folder, by a person or another program. Tokens and cost are unknown."
_NUMBERED = re.compile(r"^\.?(\d{4,})[.-]")
_HEADER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_PICTURE = re.compile(r"^- `(\d+-\d+\.png)` \((.+)\)$", re.MULTILINE)
_SCHEMA = re.compile(r"^## Schema of the reply\n.*?^```json\n(.*?)^```", re.DOTALL | re.MULTILINE)


class InboxModel:
    """Asks through a folder, which is made if it is missing.

    A request of an earlier process is used again if its answer was not taken and no process waits for it; with `run`, a
    name for the header, only requests of this run count. `on_wait` is called with the request's file when a wait
    begins.

    Raises on construction:
        ConfigError: the folder cannot be made or written.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        run: str = "",
        sees: bool = True,
        on_wait: Callable[[Path], None] = lambda _: None,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = Path(folder).expanduser()
        self._run = run
        self._on_wait = on_wait
        self._sleep = sleep
        self._clock = clock
        self._info = ModelInfo(name="inbox", sees=sees, label=_LABEL)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"The inbox {str(folder)!r} cannot be used: {error.strerror}. Give a folder, as in inbox:mail."
            ) from error

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def ask(self, request: Request) -> Reply:
        """Write the request, unless this run already did, and wait for its reply for as long as it takes.

        Raises:
            RunError: the folder cannot be written. ModelUnavailableError: it was removed.
        """
        await anyio.lowlevel.checkpoint()
        # Watched before the request exists, so that no answer can be renamed into place unseen.
        with _Renames(self._folder) as renames:
            posted = _left_behind(self._folder, request, self._run) or post(self._folder, request, self._run)
            try:
                self._on_wait(posted.request)
                text = await self._wait(posted, renames)
            finally:
                posted.release()
        return Reply(text=text, model=self._info.name, usage=Usage(calls=1, cost=None))

    async def _wait(self, posted: InboxRequest, renames: _Renames) -> str:
        """Return the text of the reply once it is whole; a reply that cannot be accepted gets a note."""
        last = inherited = _state(posted.reply)
        refused: _FileState | None = None
        since = self._clock()
        while True:
            now = _state(posted.reply)
            if now != last:
                last, since = now, self._clock()
            if now is not None and now != refused:
                renamed = renames.saw(posted.reply.name)
                still = self._clock() - since
                try:
                    text = _read_reply(posted.reply, now, still=still, renamed=renamed, inherited=now == inherited)
                except FileNotFoundError:  # removed, renamed away or exchanged since `now`
                    text = None
                except (_UnfitReply, PermissionError) as error:
                    posted.complain(str(error))
                    renames.forget(posted.reply.name)
                    refused, text = now, None
                if text is not None:
                    posted.problem.unlink(missing_ok=True)
                    write_atomic(posted.taken, "")
                    return text
            if not self._folder.is_dir():  # an answer could not arrive any more
                raise ModelUnavailableError(
                    f"The inbox {self._folder} was removed while {posted.request.name} waited for its answer. "
                    "redraft resume makes the folder and the request again."
                )
            await self._sleep(POLL_INTERVAL)


@dataclass(frozen=True)
class InboxRequest:
    """One request in an inbox folder, held by the run that asks."""

    folder: Path
    number: int
    lock: FileLock

    def _file(self, ending: str) -> Path:
        return self.folder / f"{self.number:04d}{ending}"

    @property
    def request(self) -> Path:
        return self._file(".request.md")

    @property
    def reply(self) -> Path:
        return self._file(".reply.md")

    @property
    def problem(self) -> Path:
        return self._file(".problem.md")

    @property
    def taken(self) -> Path:
        return self._file(".taken")

    def picture(self, index: int) -> Path:
        """Return the file of the picture at `index`, from 0; names count from 1."""
        return self._file(f"-{index + 1}.png")

    def complain(self, problem: str) -> None:
        """Write the reason that the reply was not taken."""
        note = f"# {self.reply.name} was not taken\n\n{problem}\n\nThe run still waits for a reply.\n"
        if _text_of(self.problem) != note:
            write_atomic(self.problem, note)

    def release(self) -> None:
        """Let another run wait for the reply."""
        Path(self.lock.lock_file).unlink(missing_ok=True)
        self.lock.release()


@dataclass(frozen=True)
class Waiting:
    """A request in a folder that waits for an answer."""

    number: int
    kind: str
    path: str
    text: str
    """The messages."""
    pictures: dict[str, Path]
    """Files by the names that the messages have for them."""
    fields: frozenset[str]
    """Fields of the reply, if it is a JSON object; else empty."""
    problem: str
    """The reason that an earlier answer was not taken; empty without one."""


def waiting(folder: Path, run: str) -> list[Waiting]:
    """Return the requests of one run that wait for an answer, oldest first."""
    requests: list[Waiting] = []
    for path in sorted(folder.glob("*.request.md")):
        number = _NUMBERED.match(path.name)
        if number is None or (folder / f"{number[1]}.taken").exists():
            continue
        problem = _text_of(folder / f"{number[1]}.problem.md") or ""
        if (folder / f"{number[1]}.reply.md").exists() and not problem:
            continue
        header = _read_header(path)
        if header is None or header.get("run") != run:
            continue

        # Before the messages stand the names of the pictures, and the schema of the reply.
        about, mark, messages = (_text_of(path) or "").partition("\n## Message 1 of ")
        pictures = {name: folder / file for file, name in _PICTURE.findall(about)}
        pictures = {name: file for name, file in pictures.items() if file.is_file() and not file.is_symlink()}
        fields = frozenset[str]()
        if schema := _SCHEMA.search(about):
            with suppress(ValueError, KeyError, TypeError, RecursionError):  # of another program, or not of an object
                fields = frozenset(cast("dict[str, dict[str, object]]", json.loads(schema[1]))["properties"])
        kind, place, text = header.get("kind", ""), header.get("path", ""), (mark + messages).strip()
        requests.append(Waiting(int(number[1]), kind, place, text, pictures, fields, problem))
    return requests


def answer(folder: Path, number: int, text: str) -> None:
    """Write the answer to a request, whole or not at all. Raises `RunError` if it cannot be written."""
    write_atomic(folder / f"{number:04d}.reply.md", text.rstrip() + "\n")


def _left_behind(folder: Path, request: Request, run: str) -> InboxRequest | None:
    """Return the same request of a run that was killed: its answer not taken, and no process waiting for it."""
    header = _header(request, run)
    for path in sorted(folder.glob("*.request.md")):
        number = _NUMBERED.match(path.name)
        if number is None or _read_header(path) != header:
            continue
        posted = _hold(folder, int(number.group(1)))
        if posted is None:
            continue
        if not posted.taken.exists():
            return posted
        posted.release()
    return None


def post(folder: Path, request: Request, run: str) -> InboxRequest:
    """Write a request under the next free number, the pictures first.

    Raises:
        RunError: the folder cannot be written.
    """
    number = 0
    while True:
        matches = (_NUMBERED.match(path.name) for path in folder.iterdir())
        number = max(number, *(int(match.group(1)) for match in matches if match), 0) + 1
        posted = _hold(folder, number)
        if posted is None:
            continue
        # Another run may have published this number and released it since the folder was listed.
        if not posted.request.exists():
            break
        posted.release()
    try:
        for index, picture in enumerate(request.pictures):
            write_atomic(posted.picture(index), picture.png)
        write_atomic(posted.request, _text(posted, request, run))
    except BaseException:
        posted.release()
        raise
    return posted


def _hold(folder: Path, number: int) -> InboxRequest | None:
    """Return the request of a number, held by this process; None if another one holds it."""
    lock = FileLock(folder / f".{number:04d}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return None
    return InboxRequest(folder, number, lock)


def _header(request: Request, run: str) -> dict[str, str]:
    return {"format": "inbox-1", "run": run, "path": request.path, "kind": request.kind, "digest": digest(request)}


def _read_header(path: Path) -> dict[str, str] | None:
    """Return the header's fields, whose values are JSON (and so YAML); None for a file of another program."""
    try:
        match = _HEADER.match(_text_of(path) or "")
        fields = [line.partition(": ") for line in match.group(1).splitlines()] if match else []
        return {key: cast("str", json.loads(value)) for key, _, value in fields}
    except (ValueError, RecursionError):  # of another program
        return None


def _text_of(path: Path) -> str | None:
    """Return the text of a file in the folder; None if it is missing, a link, not a regular file or not text."""
    try:
        handle = _open(path)
    except OSError:
        return None
    with os.fdopen(handle, encoding="utf-8") as file:
        try:
            return file.read(INBOX_REPLY.size) if stat.S_ISREG(os.fstat(handle).st_mode) else None
        except ValueError:
            return None


def _open(path: Path) -> int:
    """Return a handle of a file for reading. A link is not followed, and a pipe not waited for."""
    return os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _text(posted: InboxRequest, request: Request, run: str) -> str:
    """Return a request as a file: header, instructions, pictures, schema, and the messages."""
    header = "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in _header(request, run).items()
    )
    what = "exactly what a model would answer" if request.output_schema is None else "JSON of the schema below"
    instructions = (
        f"Read the messages below{' and look at the pictures' if request.pictures else ''}, and answer the last one.\n"
        f"Write the answer, {what}, to this file in this folder:\n\n"
        f"    {posted.reply.name}\n\n"
        "The whole file is the reply. It is UTF-8 text of at most 12 MB. It is accepted once it is complete:\n"
        "either write it under another name and rename it, or let it end in a newline; then it is accepted once it\n"
        f"has not changed for a second. If it cannot be accepted, `{posted.problem.name}` has the reason, and the run\n"
        "keeps waiting."
    )
    parts = [f"---\n{header}---\n\n# Request {posted.number:04d}: {request.kind}\n\n{instructions}"]
    if request.pictures:
        names = [f"- `{posted.picture(i).name}` ({p.name})" for i, p in enumerate(request.pictures)]
        parts.append("## Pictures\n\nThey belong to the last message.\n\n" + "\n".join(names))

    def untitled(value: dict[str, object]) -> dict[str, object]:  # titles repeat the names of the fields
        return {key: one for key, one in value.items() if key != "title" or not isinstance(one, str)}

    if request.output_schema is not None:
        schema = json.dumps(
            json.loads(json.dumps(request.output_schema), object_hook=untitled),
            ensure_ascii=False,
        )
        parts.append(f"## Schema of the reply\n\nThe reply is one JSON value of this schema:\n\n```json\n{schema}\n```")
    count = len(request.messages)
    for number, message in enumerate(request.messages, start=1):
        parts.append(f"## Message {number} of {count}, from: {message.role}\n\n{message.text.rstrip()}")
    return "\n\n".join(parts) + "\n"


class _UnfitReply(Exception):  # noqa: N818  a signal within the inbox, never the caller's
    """A reply that cannot be taken as it is; the message gives its author the reason."""


@dataclass(frozen=True)
class _FileState:
    """A reply file at one moment."""

    inode: int
    size: int
    modified: int
    """Nanoseconds, as `changed`; renaming moves only `changed`."""
    changed: int
    regular: bool


def _state(path: Path) -> _FileState | None:
    """Return the state of a file; None if it is missing."""
    try:
        return _state_of(path.lstat())
    except FileNotFoundError:
        return None


def _state_of(status: os.stat_result) -> _FileState:
    regular = stat.S_ISREG(status.st_mode)
    return _FileState(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, regular)


def _read_reply(path: Path, state: _FileState, *, still: float, renamed: bool, inherited: bool) -> str | None:
    """Return the text of a reply if it is whole; None while it may still be written.

    Args:
        path: the file.
        state: its state when it was looked at.
        still: seconds since it last changed.
        renamed: it was renamed into place while the folder was watched, and is whole.
        inherited: it existed before the folder was watched. It may have been renamed then, and is taken once it rests.

    Raises:
        _UnfitReply: it cannot be taken as it is.
        FileNotFoundError: it was removed or exchanged since it was looked at.
    """
    if not state.regular:
        raise _UnfitReply("It is a link, a folder or a device. Put the reply itself there, as a regular file.")
    if state.size > INBOX_REPLY.size:
        raise _UnfitReply(f"It has {state.size:,} bytes; at most {INBOX_REPLY.size:,} are read.")
    if not renamed and still < SETTLED_AFTER:
        return None
    try:
        handle = _open(path)
    except OSError as error:
        if error.errno == errno.ELOOP:  # a link now
            raise FileNotFoundError(path) from error
        raise
    with os.fdopen(handle, "rb") as file:
        if _state_of(os.fstat(file.fileno())) != state:
            raise FileNotFoundError(path)
        raw = file.read(INBOX_REPLY.size)
    if renamed or raw.endswith(b"\n") or state.changed > state.modified:
        return _decoded(raw)
    if still < STALLED_AFTER:
        return None
    text = _decoded(raw)  # raises a better reason for a file that is not text at all
    if inherited:
        return text
    raise _UnfitReply(
        f"It has not changed for {STALLED_AFTER:.0f} seconds and does not end in a newline, so it may be half of a "
        "reply. If it is whole, add a newline at its end, or rename it away and back."
    )


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        utf16 = " It looks like UTF-16." if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else ""
        byte = f"byte {error.start} is 0x{raw[error.start]:02x}"
        raise _UnfitReply(f"It is not UTF-8: {byte}.{utf16} Save it as UTF-8.") from error
    if not text.strip("\ufeff \t\r\n"):
        raise _UnfitReply("It is empty.")
    return text


class _Renames:
    """The files that were renamed into a folder while it is watched, and are therefore whole.

    A file's times show a rename if the file system's clock is fine enough (macOS). On Linux that clock ticks in
    milliseconds, so that the kernel is asked there, through inotify.
    """

    _MOVED_TO = 0x80  # IN_MOVED_TO, inotify(7)
    _EVENT = struct.Struct("iIII")  # struct inotify_event: wd, mask, cookie, length of the name that follows

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handle = -1
        self._names: set[str] = set()

    def __enter__(self) -> _Renames:
        if sys.platform == "linux":
            library = ctypes.CDLL(None, use_errno=True)
            self._handle = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            # A refusal (too many watches, an odd file system) leaves the rule for files that end in a newline.
            if self._handle >= 0:
                library.inotify_add_watch(self._handle, os.fsencode(self._folder), self._MOVED_TO)
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def saw(self, name: str) -> bool:
        """Return whether a file was renamed to `name` since the folder is watched and `forget` was called."""
        while self._handle >= 0:
            try:
                data = os.read(self._handle, 65_536)
            except BlockingIOError:
                break
            at = 0
            while at < len(data):
                *_, length = self._EVENT.unpack_from(data, at)
                at += self._EVENT.size
                self._names.add(os.fsdecode(data[at : at + length].rstrip(b"\0")))
                at += length
        return name in self._names

    def forget(self, name: str) -> None:
        """Count only further renames to `name`."""
        self._names.discard(name)
