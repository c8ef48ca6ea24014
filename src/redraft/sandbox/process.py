"""One worker process: starting it, exchanging frames over pipes, and ending it for certain."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from pydantic import JsonValue

from redraft.errors import MissingPartError
from redraft.sandbox.processes import MAX_THREADS, end_all, end_group, remove, signal_in_words
from redraft.sandbox.program import JAIL_SCRATCH, READ_BY_LIBRARIES, SYSTEM, SYSTEM_FILES, Program, needed_paths
from redraft.sandbox.protection import jailed
from redraft.sandbox.protocol import Frame, receive, send

ADDRESS_ROOM = 4 << 30
"""Bytes that a worker may reserve beyond what it may hold: stacks of threads, arenas, libraries."""
FILES = 1024
"""Files and pipes that one process may have open where it is confined: each can hold uncounted memory."""
KEPT_WORDS = 8_000
"""Bytes of what a worker prints that are kept, the last ones."""
SHOWN = 600
PIPE_SIZE = 1 << 20
PATIENCE = 5.0
"""Seconds to wait for a killed process to be gone."""


class WorkerProcess:
    """A worker under way. It is killed when the thread ends that made it."""

    def __init__(self, program: Program, scratch: Path) -> None:
        self.program = program
        self.jobs = 0
        """Number of its finished jobs."""
        self.bound = program.bound
        scratch.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="worker-", dir=scratch))
        try:
            hello = self._hello()
            self._process = self._start()
        except BaseException:
            remove(self.folder)
            raise
        self._printed = bytearray()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        with suppress(OSError):  # it has ended already; the request for its answer reports that
            send(cast("BinaryIO", self._process.stdin), hello)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        if self._process.returncode is None and sys.platform.startswith("linux"):
            # Not `poll`: a process that was not waited for keeps its number, so that its group can still be ended.
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        return self._process.poll() is None

    def exchange(self, job: Mapping[str, JsonValue] | None, blob: bytes, most: int | None) -> Frame:
        """Send one frame, None for none, and wait for one; blocks. `OSError` or `EOFError` when the process is gone."""
        if job is not None:
            send(cast("BinaryIO", self._process.stdin), job, blob)
        return receive(cast("BinaryIO", self._process.stdout), most)

    def kill(self) -> None:
        """End it and all it started; comes back at once."""
        if self._process.returncode is None:
            end_all(self.pid)

    def end(self) -> None:
        """Kill it, wait until it is gone, and leave nothing of it behind."""
        self.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        self._listener.join(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not yet written to a process that is gone
                cast("BinaryIO", pipe).close()
        remove(self.folder)

    def death(self) -> str:
        """Wait for the end that a broken pipe announces, and return it with the last output, in words."""
        try:
            code = self._process.wait(PATIENCE)
            end_group(self.pid)
        except subprocess.TimeoutExpired:
            return f"{self.program.name} closed its pipe and went on{self.last_words()}"
        self._listener.join(PATIENCE)
        how = signal_in_words(code, jailed=self.program.level == "bubblewrap")
        return f"{self.program.name} {how}{self.last_words()}"

    def last_words(self) -> str:
        """The end of what it printed, without our own paths; empty when it printed nothing."""
        said = self.printed[-SHOWN:].strip()
        return f"; it last said: {said}" if said else ""

    @property
    def printed(self) -> str:
        return bytes(self._printed).decode("utf-8", "replace").replace(str(self.folder), JAIL_SCRATCH)

    def _hello(self) -> dict[str, JsonValue]:
        """The limits that it sets itself before anything else."""
        level = self.program.level
        hello: dict[str, JsonValue] = {
            "address": self.program.memory + ADDRESS_ROOM,
            "file": self.program.memory,
            "nice": self.program.nice,
            "parent": None if level == "bubblewrap" else os.getpid(),
        }
        if level == "bubblewrap":
            hello |= {"files": FILES, "tasks": MAX_THREADS, "reach": None}
        elif level == "landlock":
            hello |= {"files": FILES, "reach": self._reach()}
        return hello

    def _reach(self) -> dict[str, JsonValue]:
        """The paths that the kernel leaves it."""
        system = [path for path in (*SYSTEM, *SYSTEM_FILES, *READ_BY_LIBRARIES) if Path(path).exists()]
        paths = [str(path) for path in needed_paths(self.program)]
        watched = ["/proc"] if self.program.watches else []
        return {"read": [*system, *paths, *watched], "write": [str(self.folder), os.devnull]}

    def _start(self) -> subprocess.Popen[bytes]:
        jail = self.program.level == "bubblewrap"
        environment = self._environment(JAIL_SCRATCH if jail else str(self.folder))
        command = jailed(self.program, environment) if jail else self.program.command
        try:
            process = subprocess.Popen(  # noqa: S603 - the whole purpose; a list, no shell
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env={} if jail else environment,
                start_new_session=True,
            )
        except OSError as error:
            raise MissingPartError(
                f"{self.program.name} cannot be started: {command[0]}: {error.strerror or error}."
            ) from error
        _widen(process.stdin, process.stdout)
        return process

    def _environment(self, home: str) -> dict[str, str]:
        """Nothing of ours: no key, no token, no setting."""
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "LANG": "C.UTF-8",
            "HOME": home,
            "TMPDIR": home,
            "PYTHONDONTWRITEBYTECODE": "1",
            **dict(self.program.environment),
        }

    def _listen(self) -> None:
        with cast("BinaryIO", self._process.stderr) as pipe:
            while piece := os.read(pipe.fileno(), 65_536):
                self._printed += piece
                del self._printed[:-KEPT_WORDS]


def _widen(*pipes: IO[bytes] | None) -> None:
    """Larger pipes are faster; where they are refused, small ones do."""
    if not sys.platform.startswith("linux"):
        return
    import fcntl

    for pipe in pipes:
        with suppress(OSError):
            fcntl.fcntl(cast("IO[bytes]", pipe), fcntl.F_SETPIPE_SZ, PIPE_SIZE)
