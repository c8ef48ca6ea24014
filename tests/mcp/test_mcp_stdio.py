"""The server as a process of its own, over its pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_server import HELLO, arguments_of

from mcp import Client, StdioServerParameters

from .conftest import Desktop

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timed]

OPEN, LOOK, ACT, SAVE = "board_open", "board_look", "board_act", "board_save"
LARGE = "x" * 50_000_000
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_whole_session_over_pipes(boards: Path, mode: str) -> None:
    command, *arguments = arguments_of(boards)
    server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        desk = Desktop(client)
        assert {OPEN, LOOK, ACT, SAVE} <= {tool.name for tool in (await client.list_tools()).tools}
        await desk.ok(OPEN, path="small.kicad_pcb")
        await desk.act("place_relative", ref="C1", target="U1.4", side="right", clearance=0.5)
        await desk.ok(SAVE, out="out.kicad_pcb")
    assert b"(at 125.5 118)" in (boards / "out.kicad_pcb").read_bytes()


class Pipes:
    """A server and what is written to it by hand, a line a message."""

    def __init__(self, boards: Path) -> None:
        self.process = subprocess.Popen(
            arguments_of(boards), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def send(self, *messages: dict[str, Any] | str) -> None:
        """Write messages, or lines as they are."""
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Read one answer."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its result."""
        self.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        return self.read()["result"]


@pytest.fixture
def pipes(boards: Path) -> Iterator[Pipes]:
    opened = Pipes(boards)
    with opened.process:
        yield opened
        opened.process.kill()


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_older_protocols_are_spoken(pipes: Pipes, version: str) -> None:
    pipes.send(HELLO | {"params": HELLO["params"] | {"protocolVersion": version}}, INITIALIZED)
    greeting = pipes.read()["result"]
    assert greeting["protocolVersion"] == version
    assert greeting["serverInfo"]["name"] == "redraft"
    pipes.send({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    tools = {tool["name"]: tool for tool in pipes.read()["result"]["tools"]}
    assert tools[OPEN]["inputSchema"]["required"] == ["path"]
    assert json.loads(pipes.call(OPEN, path="small.kicad_pcb")["content"][0]["text"])["components"] == 13
    assert "U1" in pipes.call(LOOK)["content"][0]["text"]  # without a handle: the connection has one board
    assert pipes.call(OPEN, path="/etc/passwd")["isError"] is True


def test_an_argument_of_fifty_megabytes_is_an_error_and_harms_no_later_call(pipes: Pipes) -> None:
    pipes.send(HELLO, INITIALIZED)
    pipes.read()
    assert not pipes.call(OPEN, path="small.kicad_pcb")["isError"]
    for tool, arguments in (
        (OPEN, {"path": LARGE}),
        (ACT, {"actions": LARGE}),
        (ACT, {"actions": [{"action": LARGE}]}),
        (LOOK, {LARGE: 1}),
    ):
        refused = pipes.call(tool, **arguments)
        assert refused["isError"] is True
        assert len(refused["content"][0]["text"]) < 1000
    pipes.send(LARGE)  # not JSON at all
    assert "U1" in pipes.call(LOOK)["content"][0]["text"]


def test_nothing_but_the_protocol_is_on_standard_output(pipes: Pipes) -> None:
    look = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": LOOK}}
    pipes.send(HELLO, INITIALIZED, look, {"jsonrpc": "2.0", "id": 3, "method": "nonsense"}, "this is not JSON")
    lines = [pipes.read() for _ in range(3)]
    rest, _ = pipes.process.communicate(timeout=10)  # the client hangs up
    assert pipes.process.returncode == 0
    assert {line["id"] for line in lines} == {1, 2, 3}
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())


def test_ctrl_c_ends_the_server_quietly(pipes: Pipes) -> None:
    pipes.send(HELLO)
    pipes.read()
    pipes.process.send_signal(signal.SIGINT)
    _, said = pipes.process.communicate(timeout=20)
    assert "Traceback" not in said
