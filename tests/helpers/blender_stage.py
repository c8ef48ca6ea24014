"""Scripts in the real stage, at each level of protection, from plain tests: one sandbox for a whole module of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from real_parts import needs

from redraft.errors import ExecutionError, MissingPartError
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Answer, Level, Limits, Program
from redraft.sandbox.protection import protection
from redraft.studios.scene.blender import find_blender

SEED = 7
ROOM = 1 << 30
"""Bytes that Blender itself may hold, beside what a script may."""


@dataclass(frozen=True)
class Ran:
    """What came of a script: an answer, or its fault."""

    answer: Answer | None
    error: ExecutionError | None

    @property
    def message(self) -> str:
        """What a model would read; empty where it ran to its end."""
        return str(self.error) if self.error else ""

    @property
    def printed(self) -> str:
        return str(self.data["printed"])

    @property
    def notes(self) -> list[str]:
        return cast("list[str]", self.data["notes"])

    @property
    def data(self) -> dict[str, Any]:
        assert self.answer is not None, self.message
        return self.answer.data


@dataclass(frozen=True)
class Stage:
    """A stage that stays warm between scripts."""

    box: Sandbox
    portal: BlockingPortal
    program: Program

    def run(self, code: str, *, seconds: float = 20.0, memory: int = 1 << 30, seed: int = SEED) -> Ran:
        job = {"code": code, "seed": seed, "seconds": seconds, "memory": memory}
        limits = Limits(2 * seconds + 15, processes=256)

        async def ask() -> Answer:
            return await self.box.ask(self.program, cast("Any", job), limits=limits)

        try:
            return Ran(self.portal.call(ask), None)
        except ExecutionError as error:
            return Ran(None, error)


@contextmanager
def open_stage(scratch: Path, level: Level) -> Generator[Stage]:
    """A stage at a level of protection; skips the test where a part is missing."""
    needs("blender")
    if level == "bubblewrap":
        needs("bwrap")
    if level == "landlock":
        try:
            protection("landlock")
        except MissingPartError as error:
            pytest.skip(str(error))
    blender = find_blender()
    command = blender.program("redraft.studios.scene.inside.stage.server")
    program = Program("Blender", command, level=level, memory=5 << 30, binds=blender.binds, watches=True)
    with start_blocking_portal() as portal:
        box = Sandbox(scratch, workers=1)
        try:
            yield Stage(box, portal, program)
        finally:
            portal.call(box.close)
