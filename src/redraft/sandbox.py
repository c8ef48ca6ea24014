"""Running what a model wrote: in a process of its own, with limits, and for scripts in a jail without network or files.

A program that hangs or crashes costs one attempt and one worker. Workers stay alive between jobs, so that what is slow
to start (a GL context, Blender) starts once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from pydantic import JsonValue

__all__ = ["Answer", "Limits", "Program", "Sandbox"]

Level = Literal["worker", "jail"]


@dataclass(frozen=True)
class Limits:
    """What one job may take."""

    seconds: float = 20.0
    """By the clock, from sending the job to its whole answer."""
    memory: int = 4 << 30
    """Bytes that its process may hold."""
    output: int = 256 << 20
    """Bytes of one answer."""


@dataclass(frozen=True)
class Program:
    """A worker program that reads jobs and writes answers, see `worker_protocol`."""

    name: str
    """In words, for messages: `the shader worker`."""
    command: tuple[str, ...]
    level: Level = "worker"
    memory: int = 4 << 30


@dataclass(frozen=True)
class Answer:
    """What a worker sent back: a JSON object, and bytes where the medium has pictures."""

    data: dict[str, JsonValue]
    blob: bytes = b""


class Sandbox:
    """The workers of one run; an async context manager that ends them all."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch

    async def __aenter__(self) -> Sandbox:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def ask(self, program: Program, job: Mapping[str, JsonValue], *, limits: Limits, blob: bytes = b"") -> Answer:
        """Have an idle worker of a program do a job; one is started when none is idle.

        Raises:
            ExecutionError: a limit was broken; the worker is ended.
            InfrastructureError: the worker died or its pipe broke; the next job gets a fresh one.
            MissingPartError: the program cannot be started here, with what installs it.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """End all workers at once. What they were doing is lost."""
