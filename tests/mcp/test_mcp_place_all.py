"""Whole boards through the server: one tool, its progress, and one step to undo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_board import write_board

from mcp import Client
from redraft.mcp.server import build_server

pytestmark = pytest.mark.anyio


async def test_a_board_is_placed_with_progress_and_undone_as_one_step(tmp_path: Path) -> None:
    path, lines = write_board(tmp_path), list[str]()

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        lines.append(message or "")

    async with Client(build_server([tmp_path])) as client:
        await client.call_tool("board_open", {"path": str(path)})
        refused = await client.call_tool("board_act", {"actions": [{"action": "place_all"}]})
        assert refused.is_error
        assert "all 13 components are placed" in refused.content[0].text  # type: ignore[union-attr]
        fields = {
            "action": "place_all",
            "refs": ["C1", "C2"],
            "anchors": [{"ref": "C1", "edge": "left", "distance": 2}],
            "effort": 0.001,
        }
        done = await client.call_tool("board_act", {"actions": [fields]}, progress_callback=tell)
        assert not done.is_error, done.content
        answer = done.structured_content
        assert answer is not None
        assert {line.split()[0] for line in answer["moved"]} == {"C1", "C2"}
        before, after = re.findall(r"[\d.]+", answer["wires"])[:2]
        assert float(before) != float(after)
        undone = await client.call_tool("board_undo", {})
        assert undone.structured_content["changed"] == 0  # type: ignore[index]
        wrong = await client.call_tool("board_act", {"actions": [{"action": "place_all", "anchors": [{"ref": "C1"}]}]})
        assert "exactly one of edge, corner, center, near, apart" in wrong.content[0].text  # type: ignore[union-attr]
    assert lines[0].startswith("placing: ")
