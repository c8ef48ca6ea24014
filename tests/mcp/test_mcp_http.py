"""The server as a process of its own over HTTP: who may connect, how much may be sent, and who reaches which work."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client
from mcp_server import ACCEPT, HELLO, Served, Session, arguments_of, begin, listen, serving
from other_user import ADMINISTRATOR, as_nobody
from real_parts import needs
from small_board import write_board

from mcp import Client
from redraft.errors import ConfigError
from redraft.mcp.http import CLIENT_SESSIONS, GRACE, MOST_SESSIONS, checked_token, security
from redraft.mcp.opened import MAX_OPEN

from .conftest import Desktop

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timed]

OPEN, LOOK, ACT, UNDO, DRAFT = "board_open", "board_look", "board_act", "board_undo", "scene_draft"
BOARD = {"path": "small.kicad_pcb"}
TOKEN = "correct-horse-battery-staple"
LARGE = b'{"jsonrpc": "2.0", "id": 1, "method": "%s"}' % (b"x" * 50_000_000)
PARTS = [*(f"R{number}" for number in range(1, 9)), "C1", "C2", "U1", "J1"]
SLOW: dict[str, Any] = {"actions": [{"action": "place_all", "refs": PARTS, "effort": 100}]}
"""A call that takes minutes."""
EITHER = pytest.mark.parametrize("mode", ["auto", "legacy"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all tests: what one client leaves behind must not trouble the next."""
    boards = tmp_path_factory.mktemp("served")
    write_board(boards)
    with serving(boards) as served:
        yield served
    assert served.said.startswith(f"redraft: serving {served.url}\n")


@pytest.fixture
def own(boards: Path) -> Iterator[Served]:
    """A server for one test."""
    with serving(boards) as served:
        yield served


def test_a_port_that_is_taken_is_an_error_with_advice(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = subprocess.run(
            arguments_of(tmp_path, "--http", "--port", port), capture_output=True, text=True, timeout=60, check=False
        )
    assert ended.returncode == 2
    assert f"port {port}, cannot be opened" in ended.stderr
    assert "--port" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://localhost:6274"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:8765"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Host": "127.0.0.1:80.evil.example"}, 421),
        ({"Host": "localhost:80"}, 421),
        ({"Host": "localhost"}, 421),
    ],
)
def test_only_this_machine_is_served(server: Served, headers: dict[str, str], status: int) -> None:
    answer = httpx2.post(server.url, json=HELLO, headers={**ACCEPT, **headers})
    assert answer.status_code == status, answer.text


@pytest.fixture
def guarded(boards: Path) -> Iterator[Served]:
    """A server with a token, which it never writes."""
    with serving(boards, token=TOKEN) as served:
        yield served
        assert TOKEN.encode() not in Path(f"/proc/{served.process.pid}/cmdline").read_bytes()
    assert TOKEN not in served.said


async def test_with_a_token_each_request_must_bear_it(guarded: Served) -> None:
    requests = [("POST", ""), ("GET", ""), ("DELETE", ""), ("GET", "/elsewhere")]
    for given in ("", TOKEN, f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer", "Bearer \xe9"):
        headers = ACCEPT | ({"Authorization": given} if given else {})
        for method, path in requests:
            answer = httpx2.request(method, guarded.url + path, headers=httpx2.Headers(headers, encoding="latin-1"))
            assert answer.status_code == 401, (given, method, path)
            assert answer.headers["www-authenticate"] == "Bearer"
            assert "Authorization: Bearer TOKEN" in answer.text
    session = Session(guarded, {"Authorization": f"bearer {TOKEN}"})
    assert session.ok(OPEN, **BOARD)["components"] == 13
    del session.headers["Authorization"]  # a session does not stand in for it
    assert session.post({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).status_code == 401


@EITHER
async def test_the_sdks_client_sends_a_token(guarded: Served, mode: str) -> None:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"})
    async with http, Client(streamable_http_client(guarded.url, http_client=http), mode=mode) as client:
        assert OPEN in {tool.name for tool in (await client.list_tools()).tools}
        assert (await Desktop(client).ok(OPEN, **BOARD))["components"] == 13


@pytest.mark.parametrize(
    ("token", "said"), [("", "0 char"), ("fifteen letters", "15 char"), ("ein längeres Wort", "ASCII")]
)
def test_a_token_that_cannot_protect_is_refused_and_not_shown(token: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as refused:
        checked_token(token)
    assert not token or token not in str(refused.value)


def test_a_short_token_ends_the_command(boards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_MCP_TOKEN", "too-short")
    ended = subprocess.run(arguments_of(boards, "--http"), capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "9 characters" in ended.stderr
    assert "too-short" not in ended.stdout + ended.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org"])
def test_other_machines_need_a_token_and_an_allowed_origin(host: str) -> None:
    origin = "http://desk.local:8765"
    with pytest.raises(ConfigError, match="REDRAFT_MCP_TOKEN and --allow-origin"):
        security(host, ())
    with pytest.raises(ConfigError, match=r"needs a token in the environment variable REDRAFT_MCP_TOKEN\.$"):
        security(host, [origin])
    with pytest.raises(ConfigError, match="needs --allow-origin"):
        security(host, (), TOKEN)
    allowed = security(host, [origin], TOKEN)
    assert "desk.local:8765" in allowed.allowed_hosts
    assert allowed.enable_dns_rebinding_protection


@pytest.mark.parametrize("origin", ["*", "desk.local", "http://*", "ftp://desk", "http://desk/path"])
def test_an_origin_that_is_not_valid_is_refused(origin: str) -> None:
    with pytest.raises(ConfigError, match="--allow-origin"):
        security("127.0.0.1", [origin])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.5"])
def test_this_machine_needs_no_permission(host: str) -> None:
    assert "http://localhost" in security(host, ()).allowed_origins


@pytest.mark.parametrize("length", ["declared", "chunked"])
def test_fifty_megabytes_are_refused_without_filling_memory(server: Served, length: str) -> None:
    before = server.memory()
    pieces = (LARGE[at : at + 65536] for at in range(0, len(LARGE), 65536))
    answer = httpx2.post(server.url, content=LARGE if length == "declared" else pieces, headers=ACCEPT, timeout=60)
    assert answer.status_code == 413
    assert server.memory() - before < 20_000_000
    assert Session(server).ok(OPEN, **BOARD)["components"] == 13


def test_a_client_that_ends_no_session_takes_no_place_of_others(own: Served) -> None:
    first = Session(own)
    assert first.ok(OPEN, **BOARD)["components"] == 13
    second, third = Session(own), Session(own)
    with httpx2.Client(headers=ACCEPT) as client:
        for _ in range(CLIENT_SESSIONS - 2):
            assert client.post(own.url, json=HELLO).status_code == 200
    assert second.post({"jsonrpc": "2.0", "id": 2, "method": "ping"}).status_code == 404  # it was idle longest
    assert third.post({"jsonrpc": "2.0", "id": 2, "method": "ping"}).status_code == 200
    with httpx2.Client(headers=ACCEPT) as client:
        for _ in range(MOST_SESSIONS):
            assert client.post(own.url, json=HELLO).status_code == 200
    assert third.post({"jsonrpc": "2.0", "id": 2, "method": "ping"}).status_code == 404
    assert "U1" in str(first.ok(LOOK))


def test_a_client_with_all_sessions_in_use_gets_no_other(own: Served) -> None:
    sessions = [Session(own) for _ in range(CLIENT_SESSIONS)]
    with ExitStack() as streams:
        for session in sessions:
            streams.enter_context(closing(listen(session)))
        answer = httpx2.post(own.url, json=HELLO, headers=ACCEPT)
        assert answer.status_code == 429
        assert "All 64 sessions of this machine are in use" in answer.text
        assert httpx2.delete(own.url, headers=sessions[5].headers).status_code == 200
        assert Session(own).ok(OPEN, **BOARD)["components"] == 13
        assert sessions[0].post({"jsonrpc": "2.0", "id": 2, "method": "ping"}).status_code == 200


@ADMINISTRATOR
def test_another_user_of_this_machine_needs_the_token(own: Served, guarded: Served) -> None:
    with as_nobody():
        other = socket.create_connection(("127.0.0.1", own.port))
    assert b" 403 " in answered(other, own, HELLO)
    with as_nobody():
        other = socket.create_connection(("127.0.0.1", guarded.port))
    assert b" 200 " in answered(other, guarded, HELLO, Authorization=f"Bearer {TOKEN}")


def answered(connection: socket.socket, served: Served, message: dict[str, Any], **headers: str) -> bytes:
    """Send a message over a connection; the first line of the answer."""
    with closing(connection):
        begin(served, ACCEPT | headers, message, connection)
        return connection.recv(100)


@EITHER
async def test_two_clients_have_a_board_each(server: Served, mode: str) -> None:
    async with Client(server.url, mode=mode) as one, Client(server.url, mode=mode) as two:
        first, second = Desktop(one), Desktop(two)
        mine, yours = [(await desk.ok(OPEN, **BOARD))["handle"] for desk in (first, second)]
        assert mine != yours
        named, other = ({"handle": mine}, {"handle": yours}) if mode == "auto" else ({}, {})
        await first.ok(ACT, actions=[{"action": "move_by", "refs": ["C1"], "dx": 1.0}], **named)
        assert "nothing to undo" in await second.fails(UNDO, **other)
        assert (await first.ok(UNDO, **named))["changed"] == 0


async def test_a_session_cannot_reach_or_close_the_board_of_another(server: Served) -> None:
    first, second = Session(server), Session(server)
    mine = first.ok(OPEN, **BOARD)["handle"]
    first.ok(ACT, actions=[{"action": "move_by", "refs": ["C1"], "dx": 1.0}])
    assert "No board is open" in second.fails(LOOK)
    assert "is not open" in second.fails(LOOK, handle=mine)
    assert "is not open" in second.fails(UNDO, handle=mine)
    second.ok(OPEN, **BOARD)
    assert httpx2.delete(server.url, headers=second.headers).status_code == 200
    async with Client(server.url) as client:  # calls that stand alone
        assert "is not open" in await Desktop(client).fails(LOOK, handle=mine)
    assert first.ok(UNDO)["changed"] == 0


async def test_a_call_that_stands_alone_reaches_only_what_it_has_the_handle_of(server: Served) -> None:
    session = Session(server)
    session.ok(OPEN, **BOARD)
    # The header of a session means nothing here, even that of an open one.
    http = httpx2.AsyncClient(headers={"Mcp-Session-Id": session.id})
    async with http, Client(streamable_http_client(server.url, http_client=http)) as client:
        desk = Desktop(client)
        mine = (await desk.ok(OPEN, **BOARD))["handle"]
        assert "`handle`" in await desk.fails(LOOK)
        await desk.ok(LOOK, handle=mine)
        for guess in ("unknown", mine[:-1], mine + "0", f"{mine[:-1]}{'1' if mine[-1] == '0' else '0'}"):
            assert f"{guess!r} is not open" in await desk.fails(LOOK, handle=guess)
        assert "is a handle of the board studio" in await desk.fails(DRAFT, script="import bpy", handle=mine)
    assert len(mine.rpartition("-")[2]) >= 16  # hexadecimal digits: 64 random bits
    assert "U1" in str(session.ok(LOOK))


async def test_a_session_that_ends_leaves_no_board_open(server: Served) -> None:
    for _ in range(MAX_OPEN + 2):
        async with Client(server.url, mode="legacy") as client:
            await Desktop(client).ok(OPEN, **BOARD)


def test_a_client_that_vanishes_in_a_call_has_its_work_canceled_and_closed(own: Served) -> None:
    session = Session(own)
    session.ok(OPEN, **BOARD)
    _break_off(own, session.begin(ACT, **SLOW))
    time.sleep(GRACE + 3)
    assert not _busy(own)
    assert own.children() == []
    assert session.post({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).status_code == 404
    for _ in range(MAX_OPEN):  # its board is closed: there is room for all of these
        Session(own).ok(OPEN, **BOARD)


def test_a_client_that_comes_back_keeps_its_session(own: Served) -> None:
    session = Session(own)
    session.ok(OPEN, **BOARD)
    session.begin(ACT, actions=[{"action": "place_all", "refs": ["C1"], "effort": 1}]).close()
    time.sleep(GRACE / 2)  # until the server has noticed it, and before the session ends
    session.post({"jsonrpc": "2.0", "id": 2, "method": "ping"})
    time.sleep(GRACE + 3)
    assert "U1" in str(session.ok(LOOK))


def test_the_server_ends_quietly_while_it_waits_for_a_client_to_come_back(boards: Path) -> None:
    with serving(boards) as served:
        session = Session(served)
        session.ok(OPEN, **BOARD)
        _break_off(served, session.begin(ACT, **SLOW))
    assert "Exception" not in served.said


async def test_a_call_that_stands_alone_is_canceled_when_its_client_vanishes(own: Served) -> None:
    async with Client(own.url) as client:
        handle = (await Desktop(client).ok(OPEN, **BOARD))["handle"]
    about = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    params = {"name": ACT, "arguments": {**SLOW, "handle": handle}, "_meta": about}
    headers = ACCEPT | {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": ACT}
    _break_off(own, begin(own, headers, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
    await anyio.sleep(3)
    assert not _busy(own)
    async with Client(own.url) as client:
        assert "nothing to undo" in await Desktop(client).fails(UNDO, handle=handle)


@pytest.mark.real
def test_a_client_that_vanishes_leaves_no_process_of_its_scene(own: Served) -> None:
    needs("blender")
    session = Session(own)
    with closing(session.begin(DRAFT, brief="a cube", script="import bpy\nwhile True:\n    pass\n")):
        time.sleep(6)
        assert own.children()
    time.sleep(GRACE + 3)
    assert own.children() == []


def _break_off(served: Served, call: socket.socket) -> None:
    """Disconnect when the server has loaded what it needs and works on the call."""
    with closing(call):
        time.sleep(6)
        assert _busy(served)
        call.setblocking(False)
        with suppress(BlockingIOError):
            assert b'"jsonrpc"' not in call.recv(100_000), "it is answered already"


def _busy(served: Served) -> bool:
    """Whether it uses the processor for a good part of two seconds."""
    before = served.seconds()
    time.sleep(2)
    return served.seconds() - before > 0.5
