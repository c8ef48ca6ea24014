"""Tokens that a client's model reads: of the definitions of the tools, and of typical answers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from real_parts import DEMOS
from small_board import write_board
from token_counts import tokens

from mcp import Client
from redraft.mcp.server import build_server

from .conftest import Desktop, said

pytestmark = pytest.mark.anyio

COMMON = ("memory_lookup", "run")
"""Tools that come with each studio's."""
STUDIO, ALL, BOARD, ANSWER = 4_000, 14_000, 3_300, 1_500


async def test_the_tools_of_each_studio_and_all_together_are_within_budget(tmp_path: Path) -> None:
    async with Client(build_server([tmp_path], by_handle=True)) as client:
        tools = (await client.list_tools()).tools
    cost: dict[str, int] = {}
    for tool in tools:
        sent = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
        cost[tool.name] = tokens(json.dumps(sent, ensure_ascii=False, separators=(",", ":")))
    common = sum(cost.get(name, 0) for name in COMMON)
    studios: dict[str, int] = {}
    for name in cost.keys() - set(COMMON):
        studio = name.partition("_")[0]
        studios[studio] = studios.get(studio, 0) + cost[name]
    assert "board" in studios
    assert studios["board"] < BOARD, cost
    assert {studio: spent + common for studio, spent in studios.items() if spent + common >= STUDIO} == {}
    assert sum(cost.values()) < ALL


DEMO_BOARDS = ("StickHub", "RoyalBlue54L-Feather", "complex_hierarchy", "multichannel_mixer")


@pytest.mark.slow
@pytest.mark.parametrize("name", DEMO_BOARDS)
async def test_typical_answers_are_within_budget(name: str, tmp_path: Path) -> None:
    found = next(DEMOS.rglob(f"{name}.kicad_pcb"), None)
    path = write_board(tmp_path) if found is None else Path(shutil.copy(found, tmp_path))
    async with Client(build_server([tmp_path])) as client:
        desk, cost = Desktop(client), dict[str, int]()

        async def counted(said_of: str, tool: str, **arguments: object) -> None:
            result = await desk.call(tool, **arguments)
            assert not result.is_error, said(result)
            cost[said_of] = tokens(said(result))

        await counted("open", "board_open", path=path.name)
        parts = (await desk.ok("board_find", limit=100))["parts"]
        large, *rest = (part["ref"] for part in sorted(parts, key=lambda part: -part["pads"]))
        three, many = [large, *rest[len(rest) // 2 :][:2]], [part["ref"] for part in parts if not part["locked"]]
        move = {"action": "move_by", "refs": many, "dx": 0.5, "allow_overlap": True}
        await counted("compass", "board_look")
        await counted("three parts", "board_look", refs=three)
        await counted("two large ones", "board_look", refs=[large, rest[0]])
        await counted("find", "board_find")
        await counted("nets", "board_nets")
        await counted("pins", "board_nets", names=[large])
        await counted("dry run", "board_act", actions=[move], dry_run=True)
        await counted("act", "board_act", actions=[move] * 8)
        await counted("check", "board_check")
        await counted("inherited", "board_check", inherited=True)
        await counted("undo", "board_undo")
        await counted("save", "board_save", out="out.kicad_pcb")
    assert {answer: spent for answer, spent in cost.items() if spent >= ANSWER} == {}
