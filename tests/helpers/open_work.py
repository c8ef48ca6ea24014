"""An open work of no studio, for tests of what all open works have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redraft.config import Config
from redraft.loop.session import Session
from redraft.result import Picture


class Work(Session[int]):
    """A work of no studio."""

    lost = False

    @property
    def unsaved(self) -> bool:
        return self.lost

    def source(self) -> bytes:
        return b""

    async def look(self, views: Sequence[str] = ()) -> list[Picture]:
        del views
        return []

    def lend(self, folder: Path, config: Config) -> tuple[Config, dict[str, Any]]:
        del folder
        return config, {}
