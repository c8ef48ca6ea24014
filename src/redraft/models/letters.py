"""The files of an inbox: how a request is written, how a reply is judged.

    NNNN.request.md   what is asked; never changed once it is there
    NNNN-K.png        its pictures
    NNNN.reply.md     the answer, from whoever answers
    NNNN.problem.md   why an answer was not taken; gone once one is
    NNNN.taken        the answer was taken; empty
    .NNNN.lock        held by the run that waits

`NNNN` counts up over everything in the folder; several runs may share it.
"""

from __future__ import annotations

import json
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from filelock import FileLock, Timeout

from redraft.files import write_atomic
from redraft.models.base import Request
from redraft.models.digest import digest

__all__ = ["MAX_REPLY", "SETTLED", "STALLED", "Letter", "Look", "UnfitReply", "find", "look", "post", "read_reply"]

MAX_REPLY = 12_000_000
"""Bytes. Replies are drafts of a few kilobytes; more is a mistake, and would only be refused later."""

SETTLED = 1.0
"""Seconds that a reply ending in a newline must stay unchanged to be whole."""

STALLED = 10.0
"""Seconds after which a reply without that newline is pointed out."""

_FORMAT = "inbox-1"
_NUMBERED = re.compile(r"^\.?(\d{4,})[.-]")
_HEADER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


class UnfitReply(Exception):  # noqa: N818  a signal within the inbox, never the caller's
    """A reply that cannot be taken as it is; the message says why, to whoever wrote it."""


@dataclass(frozen=True)
class Letter:
    """One request in an inbox folder, held by the run that asks."""

    folder: Path
    number: int
    lock: FileLock

    @property
    def stem(self) -> str:
        return f"{self.number:04d}"

    @property
    def request(self) -> Path:
        return self.folder / f"{self.stem}.request.md"

    @property
    def reply(self) -> Path:
        return self.folder / f"{self.stem}.reply.md"

    @property
    def problem(self) -> Path:
        return self.folder / f"{self.stem}.problem.md"

    @property
    def taken(self) -> Path:
        return self.folder / f"{self.stem}.taken"

    def picture(self, index: int) -> Path:
        """The file of the picture at `index`, from 0; names count from 1."""
        return self.folder / f"{self.stem}-{index + 1}.png"

    def release(self) -> None:
        """Let others wait for it."""
        Path(self.lock.lock_file).unlink(missing_ok=True)
        self.lock.release()


def find(folder: Path, request: Request, run: str) -> Letter | None:
    """The letter in which this was asked before, if its answer was not taken and nobody waits for it now.

    That is what a killed run leaves behind.
    """
    wanted = _header(request, run)
    for path in sorted(folder.glob("*.request.md")):
        number = _NUMBERED.match(path.name)
        if number is None or _read_header(path) != wanted:
            continue
        letter = _hold(folder, int(number.group(1)))
        if letter is None:
            continue
        if not letter.taken.exists():
            return letter
        letter.release()
    return None


def post(folder: Path, request: Request, run: str) -> Letter:
    """Write a new letter under the next free number, the pictures first.

    Raises:
        RunError: the folder cannot be written.
    """
    letter = _next(folder)
    try:
        for index, picture in enumerate(request.pictures):
            write_atomic(letter.picture(index), picture.png)
        write_atomic(letter.request, _text(letter, request, run))
    except BaseException:
        letter.release()
        raise
    return letter


def _next(folder: Path) -> Letter:
    """A number that nobody else has: its lock is held, and nothing in the folder bears it."""
    number = 0
    while True:
        matches = (_NUMBERED.match(path.name) for path in folder.iterdir())
        number = max(number, *(int(match.group(1)) for match in matches if match), 0) + 1
        letter = _hold(folder, number)
        if letter is None:
            continue
        # Another run may have published this number and let go of it since the folder was listed.
        if not letter.request.exists():
            return letter
        letter.release()


def _hold(folder: Path, number: int) -> Letter | None:
    lock = FileLock(folder / f".{number:04d}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return None
    return Letter(folder, number, lock)


def _header(request: Request, run: str) -> dict[str, str]:
    return {"format": _FORMAT, "run": run, "path": request.path, "kind": request.kind, "digest": digest(request)}


def _read_header(path: Path) -> dict[str, str] | None:
    """The header's fields; their values are JSON, which is YAML too. None for somebody else's file."""
    try:
        match = _HEADER.match(path.read_text(encoding="utf-8"))
        fields = [line.partition(": ") for line in match.group(1).splitlines()] if match else []
        return {key: cast("str", json.loads(value)) for key, _, value in fields}
    except (OSError, ValueError):  # not ours, not text, or being removed
        return None


def _text(letter: Letter, request: Request, run: str) -> str:
    header = "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in _header(request, run).items()
    )
    parts = [f"---\n{header}---\n\n# Request {letter.stem}: {request.kind}\n\n{_instructions(letter, request)}"]
    if request.pictures:
        names = [f"- `{letter.picture(i).name}` ({p.name})" for i, p in enumerate(request.pictures)]
        parts.append("## Pictures\n\nThey belong to the last message.\n\n" + "\n".join(names))
    if request.output_schema is not None:
        schema = json.dumps(request.output_schema, indent=2, ensure_ascii=False)
        parts.append(f"## Schema of the reply\n\nThe reply is one JSON value of this schema:\n\n```json\n{schema}\n```")
    count = len(request.messages)
    for number, message in enumerate(request.messages, start=1):
        parts.append(f"## Message {number} of {count}, from: {message.role}\n\n{message.text.rstrip()}")
    return "\n\n".join(parts) + "\n"


def _instructions(letter: Letter, request: Request) -> str:
    schema = request.output_schema is not None
    what = "JSON of the schema below, bare or in one ```json block" if schema else "exactly what a model would answer"
    return (
        f"Read the messages below{' and look at the pictures' if request.pictures else ''}, and answer the last one.\n"
        f"Write the answer, {what}, to this file in this folder:\n\n"
        f"    {letter.reply.name}\n\n"
        "The whole file is the reply. It is UTF-8 text of at most 12 MB. It is taken when it is whole: either write\n"
        "it under another name and rename it, or let it end in a newline; then it is taken once it has not changed\n"
        f"for a second. If it cannot be taken, `{letter.problem.name}` says why, and the run goes on waiting."
    )


@dataclass(frozen=True)
class Look:
    """A reply file at one moment."""

    inode: int
    size: int
    modified: int
    """Nanoseconds, as `changed`; renaming moves only `changed`."""
    changed: int
    regular: bool


def look(path: Path) -> Look | None:
    """The file now, None when it is not there."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    regular = stat.S_ISREG(status.st_mode)
    return Look(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, regular)


def read_reply(path: Path, seen: Look, *, still: float, renamed: bool, inherited: bool = False) -> str | None:
    """A reply's text when it is whole, None while it may still be written.

    `still` is for how many seconds it has not changed, `renamed` that it was seen being renamed into place, and
    `inherited` that it was there before anybody watched: it may have been renamed then, and is taken when it rests.

    Raises:
        UnfitReply: it cannot be taken as it is.
        FileNotFoundError: it was taken away since it was looked at.
    """
    if not seen.regular:
        raise UnfitReply("It is not a regular file.")
    if seen.size > MAX_REPLY:
        raise UnfitReply(f"It has {seen.size:,} bytes; at most {MAX_REPLY:,} are read.")
    if not renamed and still < SETTLED:
        return None
    raw = path.read_bytes()
    if renamed or raw.endswith(b"\n") or seen.changed > seen.modified:
        return _decoded(raw)
    if still < STALLED:
        return None
    text = _decoded(raw)  # has a better reason when it is no text at all
    if inherited:
        return text
    raise UnfitReply(
        f"It has not changed for {STALLED:.0f} seconds and does not end in a newline, so it may be half of a reply. "
        "If it is whole, add a newline at its end, or rename it away and back."
    )


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        utf16 = " It looks like UTF-16." if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else ""
        found = f"byte {error.start} is 0x{raw[error.start]:02x}"
        raise UnfitReply(f"It is not UTF-8: {found}.{utf16} Save it as UTF-8.") from error
    if not text.strip("\ufeff \t\r\n"):
        raise UnfitReply("It is empty.")
    return text
