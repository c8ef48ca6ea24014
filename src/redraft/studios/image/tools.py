"""MCP tools of the image studio: those of every studio that drafts, and the list of earlier pictures."""

from __future__ import annotations

from typing import Annotated

import anyio.to_thread
from mcp_types import CallToolResult
from pydantic import Field

from redraft.loop.run import generations_of
from redraft.mcp.drafts import DraftTools, Listed, settled
from redraft.mcp.tool import StudioTool, answer, within

MAX_TOKENS = 1_200
"""Of the list in an answer."""


class ImageTools(DraftTools):
    """The tools of the image studio."""

    def tools(self) -> list[StudioTool]:
        """Return the tools."""
        return [*super().tools(), self.make(self.image_history, Listed, "reads")]

    async def image_history(self, limit: Annotated[int, Field(ge=1, le=50)] = 5) -> CallToolResult:
        """Answer with earlier pictures, the newest first."""
        from redraft.ideas.history import read_recent

        path = generations_of(settled(self.works, self.config))
        rows = await anyio.to_thread.run_sync(read_recent, path, limit) if path.exists() else []
        lines = [f"{', '.join(row.selected_concepts)}: {row.final_image_prompt}" for row in reversed(rows)]
        return answer(Listed(entries=within(lines, MAX_TOKENS)))
