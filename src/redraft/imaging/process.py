"""One program, started, fed, listened to, and ended with everything that it started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from redraft.imaging.words import clipped
from redraft.sandbox.processes import end_all, end_group, signal_in_words

__all__ = ["MOST_BYTES", "Ended", "ended_in_words", "run"]

MOST_BYTES = 128 << 20
"""That a program may write to standard output."""
_KEPT = 8_000
"""Bytes of standard error that are kept, the last ones."""
_PATIENCE = 3.0
"""Seconds for the pipes of a program that has ended: something that left its group may hold them."""


@dataclass
class Ended:
    """How a program ended, and what it wrote."""

    code: int = 0
    out: bytes = b""
    late: bool = False
    """The time was up."""
    flooded: bool = False
    """It wrote more than `MOST_BYTES`."""
    errors: bytes = b""
    """The end of standard error."""
    words: str = field(init=False, default="")
    """Its last lines, as one."""

    def __post_init__(self) -> None:
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        self.words = clipped(" | ".join(line.strip() for line in lines[-5:] if line.strip()))


def ended_in_words(code: int) -> str:
    """`ended with exit code 3`, `was ended by signal 11, a segmentation fault`."""
    return f"ended with exit code {code}" if code >= 0 else signal_in_words(code)


async def run(
    command: Sequence[str], *, given: bytes, folder: Path, environment: Mapping[str, str], seconds: float
) -> Ended:
    """Run a program to its end, at most so many seconds; `given` goes to its standard input. No shell.

    Whatever is still in its group when it has ended, or when this is cancelled, is killed.

    Raises:
        OSError: it cannot be started.
    """
    process = await anyio.open_process(
        command, cwd=folder, env=dict(environment), stdin=-1, stdout=-1, stderr=-1, start_new_session=True
    )
    out, errors = _Kept(MOST_BYTES, process), _Kept(_KEPT, None)
    late = True
    try:
        with anyio.move_on_after(seconds):
            await _to_its_end(process, given, out, errors)
            late = False
    finally:
        await _gone(process)
    return Ended(process.returncode or 0, bytes(out.found), late, out.flooded, bytes(errors.found))


@dataclass
class _Kept:
    """What came through a pipe: everything up to a limit, with a process to end when it is passed; or the end of it."""

    most: int
    process: Process | None
    found: bytearray = field(default_factory=bytearray)
    flooded: bool = False

    async def listen(self, pipe: ByteReceiveStream) -> None:
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            while True:
                self.found += await pipe.receive()
                if len(self.found) <= self.most:
                    continue
                if self.process is not None:
                    self.flooded = True
                    end_all(self.process.pid)
                    return
                del self.found[: -self.most]


async def _to_its_end(process: Process, given: bytes, out: _Kept, errors: _Kept) -> None:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise RuntimeError("a process was started without its pipes")
    async with anyio.create_task_group() as group:
        group.start_soon(_feed, process.stdin, given)
        group.start_soon(out.listen, process.stdout)
        group.start_soon(errors.listen, process.stderr)
        await process.wait()
        end_group(process.pid)
        group.cancel_scope.deadline = anyio.current_time() + _PATIENCE


async def _feed(pipe: ByteSendStream, given: bytes) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, BrokenPipeError, ConnectionResetError):
        await pipe.send(given)
    with suppress(anyio.BrokenResourceError, BrokenPipeError, ConnectionResetError):
        await pipe.aclose()


async def _gone(process: Process) -> None:
    """Ended for certain, and its pipes closed."""
    if process.returncode is None:
        end_all(process.pid)
    with anyio.CancelScope(shield=True), anyio.move_on_after(_PATIENCE):
        await process.aclose()
