"""One worker process: start it, exchange frames over pipes, and end it for certain."""

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
"""Bytes that a worker may reserve beyond its memory limit: stacks of threads, arenas, libraries."""
MAX_FILES = 1024
"""Files and pipes that a confined process may have open: each can hold uncounted memory."""
KEPT_OUTPUT = 8_000
"""Bytes of a worker's output that are kept, the last ones."""
MAX_LAST_WORDS = 600
"""Characters of that output in an error message."""
PIPE_SIZE = 1 << 20
"""Bytes of a pipe: larger ones are faster. This is the most that Linux gives a user by default."""
END_TIMEOUT = 5.0
"""Seconds to wait for the end of a killed process."""


class WorkerProcess:
    """A running worker. It is killed when the thread that made it ends."""

    def __init__(self, program: Program, scratch: Path) -> None:
        self.program = program
        self.jobs = 0
        """Number of its finished jobs."""
        self.bound = program.bound
        scratch.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="worker-", dir=scratch))
        try:
            hello = _hello(program, self.folder)
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
        """Send a frame, if there is a job, and wait for one. Raises `OSError` or `EOFError` if the process is gone."""
        if job is not None:
            send(cast("BinaryIO", self._process.stdin), job, blob)
        return receive(cast("BinaryIO", self._process.stdout), most)

    def kill(self) -> None:
        """End the process and all that it started; return at once."""
        if self._process.returncode is None:
            end_all(self.pid)

    def end(self) -> None:
        """Kill the process, wait for its end, and remove its folder."""
        self.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_TIMEOUT)
        self._listener.join(END_TIMEOUT)
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # bytes that were not yet written to a process that is gone
                cast("BinaryIO", pipe).close()
        remove(self.folder)

    def death(self) -> str:
        """Wait for the end that a broken pipe announces, and return it with the last output, in words."""
        try:
            code = self._process.wait(END_TIMEOUT)
            end_group(self.pid)
        except subprocess.TimeoutExpired:
            return f"{self.program.name} closed its pipe and went on{self.last_words()}"
        self._listener.join(END_TIMEOUT)
        how = signal_in_words(code, jailed=self.program.level == "bubblewrap")
        return f"{self.program.name} {how}{self.last_words()}"

    def last_words(self) -> str:
        """Return the end of its output for a message, without redraft's own paths; empty without output."""
        output = self.printed[-MAX_LAST_WORDS:].strip()
        return f"; it last said: {output}" if output else ""

    @property
    def printed(self) -> str:
        return bytes(self._printed).decode("utf-8", "replace").replace(str(self.folder), JAIL_SCRATCH)

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process, with nothing of this one's environment: no key, no token, no setting."""
        jail = self.program.level == "bubblewrap"
        home = JAIL_SCRATCH if jail else str(self.folder)
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "LANG": "C.UTF-8",
            "HOME": home,
            "TMPDIR": home,
            "PYTHONDONTWRITEBYTECODE": "1",
            **dict(self.program.environment),
        }
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
        if sys.platform.startswith("linux"):
            import fcntl

            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # small pipes work too
                    fcntl.fcntl(cast("IO[bytes]", pipe), fcntl.F_SETPIPE_SZ, PIPE_SIZE)
        return process

    def _listen(self) -> None:
        """Keep the end of the output until it closes."""
        with cast("BinaryIO", self._process.stderr) as pipe:
            while piece := os.read(pipe.fileno(), 65_536):
                self._printed += piece
                del self._printed[:-KEPT_OUTPUT]


def _hello(program: Program, folder: Path) -> dict[str, JsonValue]:
    """Return the limits that a worker sets itself before anything else, and the paths that it may reach."""
    hello: dict[str, JsonValue] = {
        "address": program.memory + ADDRESS_ROOM,
        "file": program.memory,
        "nice": program.nice,
        "parent": None if program.level == "bubblewrap" else os.getpid(),
    }
    if program.level == "bubblewrap":  # the jail has no other paths
        hello |= {"files": MAX_FILES, "tasks": MAX_THREADS, "reach": None}
    elif program.level == "landlock":
        system = [path for path in (*SYSTEM, *SYSTEM_FILES, *READ_BY_LIBRARIES) if Path(path).exists()]
        paths = [str(path) for path in needed_paths(program)]
        reach: dict[str, JsonValue] = {
            "read": [*system, *paths, *(["/proc"] if program.watches else [])],
            "write": [str(folder), os.devnull],
        }
        hello |= {"files": MAX_FILES, "reach": reach}
    return hello
