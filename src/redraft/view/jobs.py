"""Runs that were started from the page: each is a process of the command line, so that none can harm the viewer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import anyio

from redraft.errors import ConfigError
from redraft.files import remove_unused
from redraft.options import Option, choices
from redraft.record.journal import EVENTS_FILE
from redraft.studios.base import Studio

FILES = frozenset({"target", "reference", "source", "profile", "concepts_file"})
"""Options that are files, which the page uploads."""
LEFT_OUT = frozenset({"on", "to", "in_place", "force", "assets", "blender"})
"""Options that name a place on this machine: the page knows no folder but its own."""
PATIENCE = 15.0
"""Seconds in which a run has begun or says what is wrong; a slow one is shown as it starts."""
SAID = 4_000
"""Characters of an error message."""


def offered(options: Sequence[Option]) -> list[Option]:
    """Return the options that the page asks for."""
    return [option for option in options if option.name not in LEFT_OUT]


def flags_of(studio: Studio[Any, Any], options: Sequence[Option], given: Mapping[str, str]) -> list[str]:
    """Return the flags for what was filled in; what is empty or the default is left out.

    Raises:
        ConfigError: a value is not among those to choose from.
    """
    flags: list[str] = []
    for option in offered(options):
        value = given.get(option.name, "").strip()
        flag = f"--{option.name.replace('_', '-')}"
        named = choices(option.type)
        if not value or value == str(option.default) or option.name == "source":
            continue
        if named and value not in named:
            raise ConfigError(f"{option.name} is {value!r:.80}; the {studio.name} studio has {', '.join(named)}.")
        if option.type is bool:
            flags.append(flag if value == "on" else f"--no-{flag.removeprefix('--')}")
        else:
            flags.append(f"{flag}={value}")
    return flags


class Job:
    """One command, and what it says on standard error."""

    def __init__(self, words: Sequence[str], folder: Path, keys: Mapping[str, str]) -> None:
        """`keys` are environment variables that this process does not have."""
        self.folder = folder
        self._before = self._size()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed with the job
        self._process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-P", "-m", "redraft", *words],  # -P: nothing is imported from the current folder
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env={**keys, **{name: value for name, value in os.environ.items() if value or name not in keys}},
            start_new_session=True,  # Ctrl-C ends the viewer, and no run
        )

    def _size(self) -> int:
        try:
            return (self.folder / EVENTS_FILE).stat().st_size
        except OSError:
            return 0

    @property
    def running(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None

    @property
    def begun(self) -> bool:
        """True once the run has written anything."""
        return self._size() > self._before

    def error(self) -> str:
        """Return the error of a process that ended before the run began; empty otherwise."""
        if self.running or self.begun or self._process.returncode == 0:
            return ""
        self._errors.seek(0)
        said = self._errors.read(SAID).decode("utf-8", "replace").strip()
        return said.removeprefix("error: ") or f"The run ended at once, with exit code {self._process.returncode}."

    async def settled(self) -> str:
        """Wait until the run has begun, or has failed to; return its error."""
        end = time.monotonic() + PATIENCE
        while self.running and not self.begun and time.monotonic() < end:  # noqa: ASYNC110
            await anyio.sleep(0.05)  # the run's process writes a file and sends no signal
        return self.error()

    def end(self) -> None:
        """Ask the process to stop at once, as Ctrl-C does: it delivers the best so far."""
        if self.running:
            self._process.terminate()

    def close(self) -> None:
        """Let go of a job; its run goes on."""
        self._errors.close()
        if not self.running and not self._size():
            remove_unused(self.folder)
