"""The listener: takes a scene over HTTP on this machine, for the main thread to place. It does not need Blender.

One request is answered: `POST /place?name=…` with the bytes of a `.blend` or `.glb`, and the token.
"""

from __future__ import annotations

import hmac
import json
import os
import queue
import re
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent import futures
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

HOST = "127.0.0.1"
PORT = 8767
MAX_FILE = 512 * 1024**2
"""Bytes of a file."""
MAX_HEADER = 16 * 1024
"""Bytes before it."""
HEADER_TIME = 5.0
"""Seconds in which the header must arrive, in however many pieces."""
MAX_CONNECTIONS = 64
"""Connections at one time: each has a thread in Blender."""
CHUNK = 1024**2
"""Bytes that are read at once."""
STALL_TIMEOUT = 30.0
"""Seconds without a byte after which a sender is given up."""
BUSY_TIMEOUT = 60.0
"""Seconds in which Blender must come to placing a file."""
KINDS = {"application/x-blender": "blend", "model/gltf-binary": "glb"}
BEGINS = {"blend": (b"BLENDER", b"\x28\xb5\x2f\xfd", b"\x1f\x8b"), "glb": (b"glTF",)}
"""First bytes of a file; a `.blend` may be compressed, by Zstandard or gzip."""

Place = Callable[[Path, str, str], "dict[str, Any]"]


class RefusedError(Exception):
    """A request that is not carried out: the status, the reason in words, and further fields of the answer."""

    def __init__(self, status: int, message: str, **more: str) -> None:
        super().__init__(message)
        self.status, self.more = status, more


def connection_file() -> Path:
    """Return the file in which redraft finds port and token."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "redraft" / "blender.json"


class Listener:
    """A server that listens from its creation until `stop`. `pump` places files, called on the main thread in turn."""

    def __init__(self, place: Place, port: int = PORT) -> None:
        self.token = secrets.token_urlsafe(24)
        self.turn = threading.Lock()
        self._place = place
        self._waiting: queue.Queue[tuple[futures.Future[dict[str, Any]], tuple[Path, str, str]]] = queue.Queue()
        self._server = _Server((HOST, port), _Handler)
        self._server.listener = self
        self.port = self._server.server_port
        try:
            file = connection_file()
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, beside = tempfile.mkstemp(dir=file.parent)  # for the user alone, mode 0600
            with os.fdopen(handle, "w", encoding="utf-8") as writing:
                json.dump({"port": self.port, "token": self.token}, writing)
            Path(beside).replace(file)  # whole or not at all
        except OSError:
            self._server.server_close()
            raise
        threading.Thread(target=self._server.serve_forever, args=(0.05,), name="redraft", daemon=True).start()

    def pump(self) -> None:
        """Place what has arrived."""
        with suppress(queue.Empty):
            while True:
                future, arguments = self._waiting.get_nowait()
                if future.set_running_or_notify_cancel():
                    try:
                        future.set_result(self._place(*arguments))
                    except Exception as error:  # answered to the sender; here it would end Blender's timer
                        future.set_exception(error)

    def placed(self, path: Path, kind: str, name: str) -> dict[str, Any]:
        """Return the answer of the main thread for a file. Raises `RefusedError` if it does not come to it in time."""
        future: futures.Future[dict[str, Any]] = futures.Future()
        self._waiting.put((future, (path, kind, name)))
        try:
            return future.result(BUSY_TIMEOUT)
        except futures.CancelledError:
            raise RefusedError(503, "The listener was stopped.") from None
        except futures.TimeoutError:
            if future.cancel():
                raise RefusedError(503, f"Blender was busy for {BUSY_TIMEOUT:g} seconds; nothing was placed.") from None
            return future.result()

    def stop(self) -> None:
        """Stop listening; what waits is refused."""
        self._server.shutdown()
        self._server.server_close()
        with suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()[0].cancel()
        with suppress(OSError, ValueError):
            if json.loads(connection_file().read_text("utf-8")).get("token") == self.token:
                connection_file().unlink()


class _Server(ThreadingHTTPServer):
    allow_reuse_address = os.name == "posix"  # on Windows it would let others listen on the same port
    listener: Listener

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.free = threading.Semaphore(MAX_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread, where there are not too many."""
        if self.free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of the connection: a sender that goes away is not an error of Blender's."""


class _Limited:
    """Lines of a request, no more than `MAX_HEADER` bytes of them, within `HEADER_TIME`."""

    def __init__(self, stream: Any, connection: socket.socket) -> None:
        self._stream, self._connection, self.remaining = stream, connection, MAX_HEADER
        self._end = time.monotonic() + HEADER_TIME
        self.read, self.close = stream.read, stream.close

    def readline(self, size: int) -> bytes:
        line = b""
        while len(line) < size and self.remaining > 0 and not line.endswith(b"\n"):
            self._connection.settimeout(max(0.001, self._end - time.monotonic()))
            byte: bytes = self._stream.read(1)
            if not byte:
                break
            line += byte
            self.remaining -= 1
        return line


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "redraft", ""

    def setup(self) -> None:
        super().setup()
        self.rfile = cast("Any", _Limited(self.rfile, self.connection))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        """Log nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is not a request for this listener."""
        self.request_version = self.protocol_version  # an answer to a line that is not a request has a header too
        self._answer(code, {"error": f"{message or explain or 'not a request'}. It takes POST /place."})

    def do_POST(self) -> None:
        """Take a file and have it placed."""
        self.connection.settimeout(STALL_TIMEOUT)
        listener = cast("_Server", self.server).listener
        try:
            kind, length, name = self._checked(listener)
            if not listener.turn.acquire(timeout=BUSY_TIMEOUT):
                raise RefusedError(503, "Another scene is being placed. Send again.")
            try:
                with tempfile.TemporaryDirectory(prefix="redraft-") as folder:
                    path = Path(folder) / f"scene.{kind}"
                    self._receive(path, length, BEGINS[kind])
                    answer = listener.placed(path, kind, name)
            finally:
                listener.turn.release()
        except RefusedError as error:
            self._answer(error.status, {"error": str(error), **error.more})
        except Exception as error:  # whatever Blender raised
            # An operator's message is a whole traceback: the line that says what is wrong is its last one.
            lines = str(error).strip().splitlines() or [type(error).__name__]
            errors = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line)]
            self._answer(500, {"error": f"Blender could not place it: {[lines[0], *errors][-1][:500]}"})
        else:
            self._answer(200, answer)

    def _checked(self, listener: Listener) -> tuple[str, int, str]:
        """Return kind, length and name of the file. Raises `RefusedError`."""
        if cast("_Limited", self.rfile).remaining <= 0:
            raise RefusedError(431, f"The header is longer than {MAX_HEADER} bytes.")
        if self.headers.get_all("Host") != [f"{HOST}:{listener.port}"] or "Origin" in self.headers:
            raise RefusedError(403, f"Only programs on this machine may send, to {HOST}:{listener.port}.")
        given = self.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), f"Bearer {listener.token}".encode()):
            raise RefusedError(401, "The token is wrong. It is shown in Blender's sidebar, tab redraft.")
        address = urlsplit(self.path)
        if address.path != "/place":
            raise RefusedError(404, "It takes POST /place.")
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,15}", length) or "Transfer-Encoding" in self.headers:
            raise RefusedError(411, f"The length must be given as a number of bytes; given {length[:40]!r}.")
        if not 0 < int(length) <= MAX_FILE:
            raise RefusedError(413, f"A file has 1 to {MAX_FILE} bytes; this one has {length}.")
        kind = self.headers.get("Content-Type", "")
        if kind not in KINDS:
            raise RefusedError(415, f"The type must be one of {', '.join(KINDS)}; given {kind[:80]!r}.")
        name = re.sub(r"[^\w.,()-]+", " ", parse_qs(address.query).get("name", [""])[0])
        return KINDS[kind], int(length), name[:60].strip(" .-") or "redraft"

    def _receive(self, path: Path, length: int, begins: tuple[bytes, ...]) -> None:
        """Write the body into a file. Raises `RefusedError`."""
        remaining = length
        with path.open("wb") as file:
            while remaining:
                try:
                    chunk = self.rfile.read(min(CHUNK, remaining))
                except OSError:
                    chunk = b""
                if not chunk:
                    raise RefusedError(400, f"The file ended after {length - remaining} of {length} bytes.")
                if remaining == length and not chunk.startswith(begins):
                    raise RefusedError(415, f"It is not a .{path.suffix[1:]} file: it begins with {chunk[:8]!r}.")
                file.write(chunk)
                remaining -= len(chunk)

    def _answer(self, status: int, answer: dict[str, Any]) -> None:
        """Answer, and take in what is still being sent: a connection closed before that loses the answer."""
        body = json.dumps(answer).encode()
        with suppress(OSError):
            self.send_response(status)
            for key, value in (("Content-Type", "application/json"), ("Content-Length", str(len(body)))):
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()
            if status != 200:
                self.connection.shutdown(socket.SHUT_WR)
                self.connection.settimeout(1.0)
                end = time.monotonic() + 5.0
                while time.monotonic() < end and self.connection.recv(CHUNK):
                    pass
