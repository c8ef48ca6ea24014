"""The server as a process of its own: over its pipes, and over HTTP, where not everybody may speak to it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from small_board import write_board

from mcp import Client, StdioServerParameters
from redraft.errors import ConfigError
from redraft.mcp.opened import MOST_OPEN
from redraft.mcp.server import security

from .conftest import Desktop

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

EITHER = pytest.mark.parametrize("mode", ["auto", "legacy"])
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


def _command(boards: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "redraft", "mcp", str(boards), *more]


@EITHER
async def test_a_whole_session_over_pipes(boards: Path, mode: str) -> None:
    command, *arguments = _command(boards)
    async with Client(StdioServerParameters(command=command, args=arguments), mode=mode) as client:
        desk = Desktop(client)
        await desk.ok("board_open", path="small.kicad_pcb")
        await desk.act("place_relative", ref="C1", target="U1.4", side="right", clearance=0.5)
        await desk.ok("board_save", out="out.kicad_pcb")
    assert b"(at 125.5 118)" in (boards / "out.kicad_pcb").read_bytes()


def test_nothing_but_the_protocol_is_on_standard_output(boards: Path) -> None:
    calls: list[dict[str, Any]] = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "compass", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 3, "method": "nonsense"},
    ]
    with subprocess.Popen(_command(boards), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(call) + "\n" for call in calls) + "this is no JSON\n")
        process.stdin.flush()
        lines = [json.loads(process.stdout.readline()) for _ in range(3)]
        process.stdin.close()  # the client hangs up
        rest = process.stdout.read()
        assert process.wait(10) == 0
    assert {line["id"] for line in lines} == {1, 2, 3}
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())


def test_ctrl_c_ends_the_server_quietly(boards: Path) -> None:
    with subprocess.Popen(
        _command(boards), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over HTTP, one for all: what one client leaves behind must not trouble the next. Its address."""
    boards = tmp_path_factory.mktemp("served")
    write_board(boards)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*_command(boards), "--http", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ | {"PYTHONUNBUFFERED": "1"}) as process:
        try:
            _wait(port, process)
            assert process.stderr is not None
            assert process.stderr.readline().decode().strip() == f"redraft: serving http://127.0.0.1:{port}/mcp"
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=20)
    assert b"Traceback" not in said, said.decode()


def test_a_port_that_is_taken_is_said_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = subprocess.run(
            [*_command(tmp_path), "--http", "--port", port], capture_output=True, text=True, timeout=60, check=False
        )
    assert ended.returncode == 2
    assert f"port {port}, cannot be opened" in ended.stderr
    assert "--port" in ended.stderr
    assert "Traceback" not in ended.stderr


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


@EITHER
async def test_two_clients_over_http_have_a_board_each(served: str, mode: str) -> None:
    async with Client(served, mode=mode) as one, Client(served, mode=mode) as two:
        first, second = Desktop(one), Desktop(two)
        mine, yours = [(await desk.ok("board_open", path="small.kicad_pcb"))["handle"] for desk in (first, second)]
        assert mine != yours
        named, other = ({"handle": mine}, {"handle": yours}) if mode == "auto" else ({}, {})
        await first.ok("board_act", actions=[{"action": "move_by", "refs": ["C1"], "dx": 1.0}], **named)
        assert "nothing to undo" in await second.fails("board_undo", **other)
        assert (await first.ok("board_undo", **named))["changed"] == 0


async def test_a_session_that_ends_leaves_no_board_open(served: str) -> None:
    for _ in range(MOST_OPEN + 2):
        async with Client(served, mode="legacy") as client:
            await Desktop(client).ok("board_open", path="small.kicad_pcb")


async def test_calls_that_stand_alone_must_say_which_board(served: str) -> None:
    async with Client(served) as client:
        desk = Desktop(client)
        await desk.ok("board_open", path="small.kicad_pcb")
        assert "`handle`" in await desk.fails("board_look")
        assert "nobody-knows" in await desk.fails("board_look", handle="nobody-knows")


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
async def test_who_may_speak_to_it_over_http(served: str, headers: dict[str, str], status: int) -> None:
    async with httpx2.AsyncClient() as client:
        answer = await client.post(served, json=HELLO, headers={**ACCEPT, **headers})
    assert answer.status_code == status, answer.text


async def test_what_is_too_big_is_refused(served: str) -> None:
    async with httpx2.AsyncClient() as client:
        answer = await client.post(served, content=b"x" * 5_000_000, headers=ACCEPT)
    assert answer.status_code == 413


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org"])
def test_other_machines_are_served_only_when_it_is_said_whom(host: str) -> None:
    with pytest.raises(ConfigError, match="--allow-origin"):
        security(host, ())
    allowed = security(host, ["http://desk.local:8765"])
    assert "desk.local:8765" in allowed.allowed_hosts
    assert allowed.enable_dns_rebinding_protection


@pytest.mark.parametrize("origin", ["*", "desk.local", "http://*", "ftp://desk", "http://desk/path"])
def test_an_origin_that_is_none_is_refused(origin: str) -> None:
    with pytest.raises(ConfigError, match="--allow-origin"):
        security("127.0.0.1", [origin])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.5"])
def test_this_machine_needs_no_permission(host: str) -> None:
    assert "http://localhost" in security(host, ()).allowed_origins
