"""`redraft mcp` as a process of its own, and a client of an older protocol written by hand."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def arguments_of(folder: Path, *more: str, program: Sequence[str] = ("-m", "redraft")) -> list[str]:
    """Return the command line of a server on a folder; `program` is what Python runs."""
    return [sys.executable, *program, "mcp", str(folder), *more]


@dataclass
class Served:
    """A server over HTTP."""

    port: int
    process: subprocess.Popen[bytes]
    said: str = ""
    """What it wrote on standard error; known when it has ended."""

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/mcp"

    def memory(self) -> int:
        """Return the most memory that it has used, in bytes."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text("ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024

    def seconds(self) -> float:
        """Return the processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def children(self) -> list[int]:
        """Return the processes that it started and that still run."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(number) for task in tasks for number in task.read_text("ascii").split()]


@contextmanager
def serving(
    folder: Path, *more: str, token: str | None = None, program: Sequence[str] = ("-m", "redraft")
) -> Generator[Served]:
    """Serve a folder over HTTP; at the end the server is interrupted, and has had no crash."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = os.environ | {"PYTHONUNBUFFERED": "1"} | ({} if token is None else {"REDRAFT_MCP_TOKEN": token})
    command = arguments_of(folder, "--http", "--port", str(port), *more, program=program)
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=variables) as process:
        served = Served(port, process)
        try:
            _wait(port, process)
            yield served
        finally:
            process.send_signal(signal.SIGINT)
            served.said = process.communicate(timeout=20)[1].decode()
    assert "Traceback" not in served.said, served.said


def _wait(port: int, process: subprocess.Popen[Any]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended at once"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not listen")


@dataclass
class Session:
    """A session over HTTP as the protocol of 2025-06-18 has it. It holds no stream open between two calls."""

    served: Served
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headers of its requests."""

    def __post_init__(self) -> None:
        answer = httpx2.post(self.served.url, json=HELLO, headers={**ACCEPT, **self.more})
        assert answer.status_code == 200, answer.text
        self.id = answer.headers["mcp-session-id"]
        self.headers = {
            **ACCEPT,
            **self.more,
            "Mcp-Session-Id": self.id,
            "Mcp-Protocol-Version": "2025-06-18",
        }
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code == 202

    def post(self, message: dict[str, Any]) -> httpx2.Response:
        """Send a message."""
        return httpx2.post(self.served.url, json=message, headers=self.headers, timeout=60)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its result."""
        answer = self.post(_call(tool, arguments))
        assert answer.status_code == 200, answer.text
        return json.loads(answer.text.partition("data: ")[2])["result"]

    def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; its structured answer."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result["content"]
        return result["structuredContent"]

    def fails(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail; its words."""
        result = self.call(tool, **arguments)
        assert result.get("isError"), result
        return result["content"][0]["text"]

    def begin(self, tool: str, **arguments: Any) -> socket.socket:
        """Begin a call and return its connection, to be closed before the answer comes."""
        return begin(self.served, self.headers, _call(tool, arguments))


def begin(
    served: Served, headers: Mapping[str, str], message: dict[str, Any], connection: socket.socket | None = None
) -> socket.socket:
    """Send a request and return its connection, which is a new one by default."""
    body = json.dumps(message).encode()
    lines = [f"{name}: {value}" for name, value in headers.items()]
    head = ["POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{served.port}", f"Content-Length: {len(body)}", *lines, "", ""]
    opened = connection or socket.create_connection(("127.0.0.1", served.port))
    opened.sendall("\r\n".join(head).encode() + body)
    return opened


def listen(session: Session) -> socket.socket:
    """Open the stream of a session, and return its connection."""
    lines = [f"{name}: {value}" for name, value in session.headers.items()]
    head = ["GET /mcp HTTP/1.1", f"Host: 127.0.0.1:{session.served.port}", *lines, "", ""]
    opened = socket.create_connection(("127.0.0.1", session.served.port))
    opened.sendall("\r\n".join(head).encode())
    assert b" 200 " in opened.recv(100)
    return opened


def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
