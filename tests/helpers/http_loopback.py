"""What servers on loopback share: starting, stopping, answering, and the two ways of not answering."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Drop:
    """The connection closes before any answer."""


@dataclass(frozen=True)
class Hang:
    """Nothing is answered until the server closes."""


class Quiet(BaseHTTPRequestHandler):
    """A handler that says nothing on the test's screen."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Says nothing."""


class OnLoopback:
    """Runs in threads of its own; a context manager."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def leave(self, act: Drop | Hang, handler: BaseHTTPRequestHandler) -> None:
        """Do not answer."""
        if isinstance(act, Hang):
            self._closing.wait(30)
        cut(handler)


def send(handler: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str], raw: bytes, promised: int) -> None:
    """Headers that promise so many bytes, and these bytes."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(promised))
    handler.end_headers()
    handler.wfile.write(raw)


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection."""
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)
