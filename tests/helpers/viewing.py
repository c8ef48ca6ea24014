"""A viewer in a process of its own, as `redraft view` starts it, and requests to it byte by byte."""

from __future__ import annotations

import http.client
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from run_writer import RunWriter, house
from small_board import small_board

import redraft

NO_KEYRING = "keyring.backends.fail.Keyring"


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Viewing:
    """`redraft view` over a folder, until the block ends."""

    folder: Path
    options: tuple[str, ...] = ()
    port: int = 0
    inside: tuple[str, ...] = ()
    """A command that the viewer's own command is appended to."""
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    program: tuple[str, ...] = ("-m", "redraft")
    """What Python runs."""
    browser: bool = False
    root: str = ""
    """The path that all pages lie under."""
    cookie: str = ""
    process: subprocess.Popen[str] = field(init=False)
    terminal: IO[bytes] = field(init=False)

    def __enter__(self) -> Viewing:
        command = [sys.executable, *self.program, "view", str(self.folder), "--port", str(self.port)]
        command += [] if self.browser else ["--no-browser"]
        sources = str(Path(redraft.__file__).parents[1])  # `src` alone would be another folder there
        terminal, standard_input = pty.openpty()
        self.terminal = os.fdopen(terminal, "wb", 0)
        self.process = subprocess.Popen(
            [*self.inside, *command, *self.options],
            stdin=standard_input,
            stdout=subprocess.PIPE,
            text=True,
            cwd=self.folder.parent,
            env={
                **os.environ,
                "PYTHON_KEYRING_BACKEND": NO_KEYRING,
                "PYTHONPATH": sources,
                **self.env,
            },
            start_new_session=True,
        )
        os.close(standard_input)
        set_cookie = self.open(self._printed()).headers["set-cookie"]
        self.cookie = set_cookie.partition(";")[0]
        found = re.search(r"Path=(/\w+)/", set_cookie)
        assert found is not None, set_cookie
        self.root = found[1]
        return self

    def _printed(self) -> str:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/\S+", line):
                self.port = int(found[1])
                return found[0]
        raise AssertionError("the viewer printed no address")

    def address(self) -> str:
        """Return a new address, as pressing Enter in the terminal prints it; it opens one browser."""
        self.terminal.write(b"\n")
        return self._printed()

    def open(self, address: str, method: str = "GET", **headers: str) -> Answer:
        """Get a printed address as a new browser does."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._sent(method, address.partition(self.host)[2], {"Host": self.host, **more})

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.terminal.close()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address of the gallery for a browser that was let in, without the slash at its end."""
        return f"http://{self.host}{self.root}"

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"", *, length: bool = True
    ) -> Answer:
        """Request a page with these headers and no others but the length."""
        return self._sent(method, self.root + path, headers, body, length=length)

    def _sent(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"", *, length: bool = True
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body and length:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body or None)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)

    def get(self, path: str, cookie: str | None = None, **headers: str) -> Answer:
        """Get a page as the browser that was let in does."""
        sent = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        cookie = self.cookie if cookie is None else cookie
        return self.request("GET", path, sent | ({"Cookie": cookie} if cookie else {}))

    def until(self, path: str, words: str, seconds: float = 30) -> Answer:
        """Get a page again and again until it has these words."""
        end = time.monotonic() + seconds
        while True:
            answer = self.get(path)
            if words in answer.text:
                return answer
            assert time.monotonic() < end, f"{words!r} is not in {path}: {answer.text[:2000]}"
            time.sleep(0.2)


def plain_run(folder: Path, words: str = "a house", **changes: object) -> RunWriter:
    """Write a run with one turn and a drawing."""
    writer = RunWriter(folder)
    with writer.journal:
        writer.start(words, **changes)
        writer.call("iteration-1/draft", f"Draw {words}", "a reply")
        writer.attempted("iteration-1/draft")
        writer.finish(house(0.3))
    return writer


def many_runs(folder: Path, many: int, words: str = "a house number {n}") -> None:
    """Write runs of several studios."""
    for n in range(many):
        plain_run(folder / f"run-{n:05}", words.format(n=n), studio=("sketch", "shader", "board")[n % 3])


def carry_out(*words: object) -> None:
    """Carry out a command in a process of its own: Playwright's event loop does not allow another one here."""
    command = [sys.executable, "-m", "redraft", *map(str, words), "--quiet"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert ran.returncode in (0, 1), ran.stderr


def placed_run(folder: Path) -> None:
    """Place a component of a small board, which lies beside the folder of runs."""
    board = folder.parents[1] / "small.kicad_pcb"
    board.write_text(small_board(), "utf-8")
    carry_out("board", board, "put C1 2 mm right of U1", "--drc", "never", "--out", folder)
