"""Whole boards through the server: one tool, its progress, and one step to undo."""

from __future__ import annotations

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
        await client.call_tool("open", {"path": str(path)})
        refused = await client.call_tool("place_all", {})
        assert refused.is_error
        assert "all 13 components are placed" in refused.content[0].text  # type: ignore[union-attr]
        fields = {"refs": ["C1", "C2"], "anchors": [{"ref": "C1", "edge": "left", "distance": 2}], "effort": 0.001}
        done = await client.call_tool("place_all", fields, progress_callback=tell)
        assert not done.is_error, done.content
        outcome = done.structured_content["outcome"]  # type: ignore[index]
        assert {moved["ref"] for moved in outcome["moved"]} == {"C1", "C2"}
        assert outcome["wires"]["before"] != outcome["wires"]["after"]
        undone = await client.call_tool("undo", {})
        assert undone.structured_content["changed"] == 0  # type: ignore[index]
        wrong = await client.call_tool("place_all", {"anchors": [{"ref": "C1"}]})
        assert "exactly one of edge, corner, center, near, apart" in wrong.content[0].text  # type: ignore[union-attr]
    assert lines[0].startswith("placing: ")
