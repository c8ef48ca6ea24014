"""A real Redis server for tests: on a free loopback port, with nothing on disk, ended with the block it is for."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import redis

PATIENCE = 20.0
"""Seconds that a start may take on a loaded machine."""


def free_port() -> int:
    """A loopback port on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class RedisServer:
    """A server of its own; a context manager. `program` is the path of `redis-server`, `options` go to it as they are.

    It also listens on `socket`, a file in its folder.
    """

    def __init__(self, program: str, folder: Path, *options: str, password: str = "") -> None:
        self.port = free_port()
        self.socket = folder / f"redis-{self.port}.sock"
        self.password = password
        self._folder = folder
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", str(self.socket)]
        self._command += ["--save", "", "--appendonly", "no", "--dir", str(folder), "--daemonize", "no"]
        self._command += ["--requirepass", password] if password else []
        self._command += options
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        secret = f":{self.password}@" if self.password else ""
        return f"redis://{secret}127.0.0.1:{self.port}/0"

    def __enter__(self) -> RedisServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it and wait until it answers."""
        log = (self._folder / f"redis-{self.port}.log").open("ab")
        with log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=subprocess.STDOUT)
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.client().ping()
                return
            except redis.ConnectionError as error:
                if time.monotonic() > until or self._process.poll() is not None:
                    self.kill()
                    raise RuntimeError(f"redis-server did not start: {error}") from error
                time.sleep(0.02)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=PATIENCE)
            self._process = None

    def client(self) -> Any:
        """A client of the test's own, which reads text; its types are partly unknown, so it is taken as it is."""
        client: Any = redis.Redis(
            host="127.0.0.1", port=self.port, password=self.password or None, decode_responses=True, protocol=2
        )
        return client

    def wipe(self) -> None:
        """As if it had just been started."""
        self.client().flushall()
