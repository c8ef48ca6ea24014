"""Running KiCad's own program on a copy of a board: bounded in time and output, and nothing of the user's touched."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio
from anyio.abc import Process

from redraft.errors import BoardError, InfrastructureError, MissingPartError

__all__ = ["PROGRAM", "copy_project", "found", "kicad_cli"]

PROGRAM = "kicad-cli"
KEPT_OUTPUT = 64_000
"""Bytes of what the program says that are kept; the rest is read and dropped."""
COULD_NOT_LOAD = 3
"""The exit code by which it says that it could not open the board."""


async def kicad_cli(arguments: Sequence[str], folder: Path, *, limit: float, program: str = PROGRAM) -> str:
    """Run it in a scratch folder, with a home of its own there; what it said.

    It gets a process group of its own, which is killed when this is cancelled or takes longer than `limit` seconds.

    Raises:
        MissingPartError: there is no such program. BoardError: it cannot open the board.
        InfrastructureError: it crashed, took too long, or failed otherwise.
    """
    command = [found(program), *arguments]
    environment = _environment(folder)
    try:
        with anyio.fail_after(limit):
            code, said = await _run(command, folder, environment)
    except TimeoutError as error:
        raise InfrastructureError(
            f"KiCad took longer than {limit:g} s for `{' '.join(arguments[:2])}` and was stopped. Give it more time."
        ) from error
    if code == COULD_NOT_LOAD:
        raise BoardError(f"KiCad cannot open the board: {_last_words(said)}. Open it in KiCad itself to see why.")
    if code != 0:
        raise InfrastructureError(
            f"`{program} {' '.join(arguments[:2])}` ended with {_how(code)}: {_last_words(said)}. KiCad 8 or later is "
            f"needed; `{program} version` tells which one is installed."
        )
    return said


def copy_project(board: Path, folder: Path, name: str) -> None:
    """Put what a check of a board depends on beside its copy: the project with its rules, and its libraries' table.

    `name` is the copy's stem. Tables name their libraries relative to the project; in the copy they do so to `board`.
    """
    for suffix in (".kicad_pro", ".kicad_dru"):
        source = board.with_suffix(suffix)
        if source.is_file():
            shutil.copyfile(source, folder / f"{name}{suffix}")
    table = board.parent / "fp-lib-table"
    if table.is_file():
        project = str(board.parent.resolve()).replace("\\", "/").replace('"', '\\"')
        text = table.read_bytes()
        for variable in (b"${KIPRJMOD}", b"$(KIPRJMOD)"):
            text = text.replace(variable, os.fsencode(project))
        (folder / table.name).write_bytes(text)


def found(program: str = PROGRAM) -> str:
    """The full path of KiCad's program. Raises `MissingPartError`."""
    path = shutil.which(program)
    if path is None:
        raise MissingPartError(
            f"`{program}` was not found. It comes with KiCad 9 (kicad.org/download); on Debian 12: "
            "apt-get install -t bookworm-backports kicad"
        )
    return path


def _environment(folder: Path) -> Mapping[str, str]:
    """English messages; settings, caches and windows are not the user's."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "LANGUAGE")}
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "KICAD_CONFIG_HOME")
    home = folder / "home"
    return kept | {name: str(home / name.lower()) for name in homes} | {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


async def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    process = await anyio.open_process(
        command,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    try:
        said = await _said(process)
        code = await process.wait()
    finally:
        with anyio.CancelScope(shield=True):
            _kill(process)
            await process.aclose()
    return code, said


async def _said(process: Process) -> str:
    assert process.stdout is not None
    kept = bytearray()
    async for chunk in process.stdout:
        kept += chunk[: KEPT_OUTPUT - len(kept)]
    return kept.decode(errors="replace")


def _kill(process: Process) -> None:
    """End it, and what it started."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, AttributeError):  # gone meanwhile; or no process groups on this system
            process.kill()


def _last_words(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return " / ".join(lines[-3:])[:500].rstrip(".") or "it said nothing"


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
