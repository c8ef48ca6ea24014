"""What the sandbox runs, what it allows, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

__all__ = ["Answer", "Level", "Limits", "Program"]

Level = Literal["worker", "bubblewrap", "landlock"]
"""A process of its own, for programs of ours; or one that is also kept from files, network and other processes."""


@dataclass(frozen=True)
class Limits:
    """What one job may take."""

    seconds: float = 20.0
    """By the clock, from sending the job to its whole answer."""
    memory: int = 4 << 30
    """Bytes that its processes may hold together; never more than the program's own limit."""
    output: int = 256 << 20
    """Bytes of one answer."""
    processes: int = 64
    """How many may run at once."""
    slow: str = ""
    """What is said of a job that took too long; empty for `It ran longer than 20 s and was stopped.`"""
    heavy: str = ""
    """What to do about a job that held too much memory; empty for `Make what it holds smaller.`"""


@dataclass(frozen=True)
class Program:
    """A worker program that reads jobs and writes answers, see `worker_protocol`."""

    name: str
    """In words, for messages: `the shader worker`."""
    command: tuple[str, ...]
    level: Level = "worker"
    memory: int = 4 << 30
    """Bytes it may hold. Its address space may be `ADDRESS_ROOM` larger: what is reserved is not yet held."""
    binds: tuple[Path, ...] = ()
    """Where it is confined, what it may read besides the system's libraries, its interpreter and redraft."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that are set in its otherwise minimal environment."""
    scratch: int = 1 << 30
    """Where it is confined, bytes of the folder that is all it can write to, its home and its working folder."""
    nice: int = 0
    """How much it stands back for others, 0 to 19."""
    start: float = 60.0
    """Seconds until it must be ready for its first job."""
    jobs: int | None = None
    """How many jobs one worker does before it is ended; None for any number."""
    retire: int | None = None
    """Bytes that a worker may still hold after a job, to be kept for another; None for all that it may hold."""


@dataclass(frozen=True)
class Answer:
    """What a worker sent back: a JSON object, and bytes where the medium has pictures."""

    data: dict[str, JsonValue]
    blob: bytes = b""
