"""MCP tools of the scene studio: those of every studio that drafts; an export can be sent into the open Blender."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import anyio.to_thread

from redraft.errors import SendError
from redraft.mcp.drafts import DraftTools


class SceneTools(DraftTools):
    """The tools of the scene studio."""

    contract_inputs: ClassVar[Mapping[str, Any]] = {"blender": ""}  # its version is not known before it runs
    export_options: ClassVar[Mapping[str, Any]] = {"send": (bool, False)}

    async def exported(self, files: Mapping[str, Path], name: str, **options: Any) -> tuple[str, list[str]]:
        """Place the scene into the open Blender, if asked to; the files are written all the same."""
        from redraft.studios.scene.send import send

        if not options["send"]:
            return "", []
        try:
            sent = await anyio.to_thread.run_sync(send, files, name[:60])
        except SendError as error:
            return "", [f"not sent: {error}"]
        return sent.line(), sent.notes()
