"""Connections to both servers that wait too long, are too many, or come from another user of this machine."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from unittest.mock import MagicMock

import anyio
import httpx2
import pytest
import uvicorn
from mcp_server import ACCEPT, HELLO, serving
from other_user import ADMINISTRATOR, NOBODY, as_nobody
from run_writer import RunWriter
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState
from viewing import Viewing

from redraft.record.events import Warned
from redraft.serving import PROGRESS, Connection, user_of

pytestmark = [pytest.mark.slow, pytest.mark.timed]

SHORT_TIMES = str(Path(__file__).parent / "helpers" / "short_times.py")
LONG = "600"
"""Seconds that no test waits for."""
PATIENCE = 60.0
"""Seconds after which a connection counts as open for ever."""
Serve = Callable[[str, str, int], int]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve with these limits; the port. The servers end with the test, and have reported no error."""
    with ExitStack() as stack:

        def served(kind: str, request_time: str, connections: int) -> int:
            program = (SHORT_TIMES, request_time, str(connections))
            folder = tmp_path / kind
            folder.mkdir()
            if kind == "mcp":
                return stack.enter_context(serving(folder, program=program)).port
            return stack.enter_context(Viewing(folder, program=program)).port

        yield served


BEGINNINGS = {
    "nothing": b"",
    "a head without end": b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Long: ",
    "a body without end": (
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Accept: application/json, text/event-stream\r\nContent-Length: 1000000\r\n\r\n{"
    ),
    "a body in chunks without end": (
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    ),
    "a request, then nothing": b"GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
    "a request, then a head without end": (
        b"GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\nGET / HTTP/1.1\r\nX-Long: "
    ),
}
DRIPS = {
    "nothing": b"",
    "a request, then nothing": b"",
    "a body in chunks without end": b"1\r\n \r\n",
}
"""Sent again and again, where it is not a letter."""


@pytest.mark.parametrize("kind", ["view", "mcp"])
def test_a_connection_without_a_whole_request_is_closed(
    serve: Serve, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    port = serve(kind, "1", 400)
    opened: dict[str, list[socket.socket]] = {}
    for name, beginning in BEGINNINGS.items():
        opened[name] = [socket.create_connection(("127.0.0.1", port)) for _ in range(10)]
        for one in opened[name]:
            one.sendall(beginning % port if b"%d" in beginning else beginning)
    end = time.monotonic() + PATIENCE
    while any(opened.values()):
        assert time.monotonic() < end, {name: len(connections) for name, connections in opened.items()}
        time.sleep(0.2)
        for name, connections in opened.items():
            opened[name] = [
                one for one in connections if is_open(one, b"" if "nothing" in name else DRIPS.get(name, b"x"))
            ]
    assert "Traceback" not in capfd.readouterr().err


def is_open(connection: socket.socket, drip: bytes) -> bool:
    """Send some more, and return whether the other end has not closed the connection; close it if it has."""
    connection.setblocking(False)
    try:
        connection.send(drip)
        while connection.recv(65_536):
            pass
    except BlockingIOError:
        return True
    except ConnectionError:
        pass
    connection.close()
    return False


@pytest.mark.anyio
async def test_an_upload_that_makes_progress_has_as_much_time_again() -> None:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        await anyio.sleep_forever()

    transport = MagicMock()
    transport.get_extra_info.return_value = None
    connection = Connection(uvicorn.Config(application), ServerState(), {}, asyncio.get_running_loop())
    connection.connection_made(transport)
    connection.data_received(b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9000000\r\n\r\n")
    connection.data_received(bytes(PROGRESS))
    connection.expire()
    assert not transport.close.called
    connection.data_received(bytes(PROGRESS - 1))
    connection.expire()
    assert transport.close.called
    for task in connection.tasks:
        task.cancel()


@pytest.mark.parametrize("kind", ["view", "mcp"])
def test_waiting_connections_make_room(serve: Serve, kind: str) -> None:
    port, opened = serve(kind, LONG, 20), list[socket.socket]()
    with ExitStack() as stack:
        for name in ("nothing", "a head without end", "a body without end"):
            for _ in range(60):
                one = stack.enter_context(closing(socket.create_connection(("127.0.0.1", port))))
                opened.append(one)
                beginning = BEGINNINGS[name]
                one.sendall(beginning % port if b"%d" in beginning else beginning)
        if kind == "mcp":
            assert httpx2.post(f"http://127.0.0.1:{port}/mcp", json=HELLO, headers=ACCEPT).status_code == 200
        else:
            assert httpx2.get(f"http://127.0.0.1:{port}/").status_code == 403
        end = time.monotonic() + PATIENCE
        while len(opened := [one for one in opened if is_open(one, b"")]) > 20:
            assert time.monotonic() < end, len(opened)
            time.sleep(0.1)


def test_answers_under_way_keep_their_places(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "runs" / "one")
    with writer.journal, ExitStack() as stack:
        writer.start()
        viewing = stack.enter_context(Viewing(tmp_path / "runs", program=(SHORT_TIMES, "1", "20")))

        def connect() -> socket.socket:
            return stack.enter_context(closing(socket.create_connection(("127.0.0.1", viewing.port))))

        stream = connect()
        head = f"GET {viewing.root}/live/one HTTP/1.1\r\nHost: {viewing.host}\r\nCookie: {viewing.cookie}\r\n\r\n"
        stream.sendall(head.encode())
        stream.settimeout(PATIENCE)
        received = stream.recv(10_000)
        assert b"text/event-stream" in received
        others = [connect() for _ in range(40)]
        for other in others:
            other.settimeout(PATIENCE)
            assert other.recv(1) == b""  # closed, to make room or after the second
        writer.journal.write(Warned(key="w", at=writer.journal.now, message="still followed"))
        while b"still followed" not in received:
            received += (more := stream.recv(10_000))
            assert more, received


@ADMINISTRATOR
def test_another_user_cannot_use_the_viewer_even_with_its_secrets(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    with Viewing(tmp_path / "runs") as viewing:
        address = viewing.address()
        requests = {address.partition(viewing.host)[2]: "", f"{viewing.root}/": viewing.cookie}
        for path, cookie in requests.items():
            head = f"GET {path} HTTP/1.1\r\nHost: {viewing.host}\r\nCookie: {cookie}\r\n\r\n".encode()
            with as_nobody():
                other = socket.create_connection(("127.0.0.1", viewing.port))
            with closing(other):
                other.sendall(head)
                assert b" 403 " in other.recv(100)
        assert viewing.open(address).status == 200


@ADMINISTRATOR
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_connection_that_was_closed_belongs_to_nobody(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server:
        with as_nobody():
            other = socket.create_connection(server.getsockname()[:2])
        accepted, _ = server.accept()
        with closing(accepted):
            client, own = accepted.getpeername()[:2], accepted.getsockname()[:2]
            assert user_of(client, own) == NOBODY
            other.close()
            assert user_of(client, own) == -1  # the kernel says 0
            accepted.close()
            assert user_of(client, own) == -1
        mine = socket.create_connection(server.getsockname()[:2])
        accepted, _ = server.accept()
        with closing(mine), closing(accepted):
            assert user_of(accepted.getpeername()[:2], accepted.getsockname()[:2]) == os.getuid()


def test_other_machines_have_no_user_here() -> None:
    assert user_of(("192.0.2.1", 40_000), ("127.0.0.1", 80)) is None
