"""KiCad's own program and its design rule check, run on a copy of the board: bounded in time and output."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import anyio
import anyio.to_thread
from anyio.abc import Process
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redraft.errors import BoardError, InfrastructureError, LimitError, MissingPartError
from redraft.files import temporary
from redraft.limits import BOARD, PROJECT, REPORT, read_file
from redraft.studios.board.kicad.file import project_files

PROGRAM = "kicad-cli"
KEPT_OUTPUT = 64_000
"""Bytes of what the program says that are kept; the rest is read and dropped."""
COULD_NOT_LOAD = 3
"""The exit code by which it says that it could not open the board."""


async def kicad_cli(arguments: Sequence[str], folder: Path, *, limit: float, program: str = PROGRAM) -> str:
    """Run it in a scratch folder, with a home of its own there; what it said.

    It gets a process group of its own, which is killed when this is cancelled or takes longer than `limit` seconds.

    Raises:
        MissingPartError: the program is missing. BoardError: it cannot open the board.
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
        raise BoardError(
            f"KiCad cannot open the board: {_last_words(said)}. Open it in KiCad itself to see the reason."
        )
    if code != 0:
        raise InfrastructureError(
            f"`{program} {' '.join(arguments[:2])}` ended with {_how(code)}: {_last_words(said)}. KiCad 8 or later is "
            f"needed; `{program} version` prints the installed one."
        )
    return said


def copy_project(board: Path, folder: Path, name: str) -> None:
    """Put what a check of a board depends on beside its copy: the project with its rules, and its libraries' table.

    `name` is the copy's stem. Tables name their libraries relative to the project; in the copy they do so to `board`.
    """
    for source in project_files(board):
        (folder / f"{name}{source.suffix}").write_bytes(read_file(source, PROJECT))
    table = board.parent / "fp-lib-table"
    if table.is_file():
        project = str(board.parent.resolve()).replace("\\", "/").replace('"', '\\"')
        text = read_file(table, PROJECT)
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
    """English messages; settings, caches and windows are not the user's, and no key is passed on."""
    needed = ("PATH", "TMPDIR", "LD_LIBRARY_PATH")
    kept = {name: value for name, value in os.environ.items() if name in needed or name.startswith("KICAD")}
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


LIMIT = 1200.0
"""Seconds. Most boards take two; one of 1,508 footprints takes five minutes on a slow machine."""
UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIMESTAMP = re.compile(rb"\(tstamp ([0-9A-Fa-f]{1,8})\)")
NIL = "00000000-0000-0000-0000-000000000000"


class _Found(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class DrcItem(_Found):
    """One thing concerned."""

    description: str
    """KiCad's words: `Pad 1 [GND] of C1 on F.Cu`."""
    at: tuple[float, float]
    """Its position, millimeters."""
    uuid: str = ""
    """As written in the board's file; empty where it has none there, for then KiCad invents another at each load."""


class Violation(_Found):
    """One thing that KiCad objects to."""

    type: str
    """KiCad's kind: `clearance`, `courtyards_overlap` …"""
    severity: Literal["error", "warning"]
    description: str
    items: tuple[DrcItem, ...] = ()
    excluded: bool = False
    """The user has said in KiCad that it is all right."""


class DrcResult(_Found):
    """All that KiCad found on a board, in an order that does not depend on KiCad's threads."""

    kicad: str
    """KiCad's version."""
    violations: tuple[Violation, ...] = ()
    unconnected: tuple[Violation, ...] = ()
    """Connections that are missing."""


async def drc(
    board: Path,
    data: bytes | None = None,
    *,
    like: Path | None = None,
    limit: float = LIMIT,
    program: str = PROGRAM,
) -> DrcResult:
    """Ask KiCad about a board, in a copy.

    Args:
        board: the file.
        data: its bytes, if not those on disk (an edit that is not saved yet).
        like: the board whose project, rules and library table count (they lie beside it); `board` by default.
        limit: seconds after which KiCad is stopped.
        program: KiCad's command line program.

    Raises:
        MissingPartError: KiCad is not installed. BoardError: the board cannot be read, or KiCad cannot open it.
        InfrastructureError: KiCad crashed or took too long.
    """
    with temporary("drc-") as folder:
        raw = await anyio.to_thread.run_sync(_prepared, folder, board, data, like or board)
        arguments = ["pcb", "drc", "--format", "json", "--units", "mm", "--severity-all", "-o", "drc.json"]
        said = await kicad_cli([*arguments, "board.kicad_pcb"], folder, limit=limit, program=program)
        return await anyio.to_thread.run_sync(_result, folder / "drc.json", raw, said)


def _prepared(folder: Path, board: Path, data: bytes | None, like: Path) -> bytes:
    """The scratch folder filled; the board's bytes."""
    try:
        raw = read_file(board, BOARD) if data is None else data
        (folder / "board.kicad_pcb").write_bytes(raw)
        copy_project(like, folder, "board")
    except OSError as error:
        raise BoardError(f"Cannot copy {board} for KiCad: {error.strerror or error}.") from error
    return raw


class _Place(_Found):
    x: float
    y: float


class _RawItem(_Found):
    description: str
    pos: _Place
    uuid: str


class _RawViolation(_Found):
    type: str
    severity: str
    description: str
    items: tuple[_RawItem, ...] = ()
    excluded: bool = False


class _RawReport(_Found):
    kicad_version: str
    violations: tuple[_RawViolation, ...]
    unconnected_items: tuple[_RawViolation, ...] = Field(default=())


def _result(report: Path, board: bytes, said: str) -> DrcResult:
    try:
        raw = _RawReport.model_validate_json(read_file(report, REPORT))
    except LimitError as error:
        raise InfrastructureError(f"KiCad's report was not read. {error}") from error
    except OSError as error:
        raise InfrastructureError(f"KiCad wrote no report; it said: {said.strip()[-500:]}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InfrastructureError(
            f"KiCad's report is not understood at {where or 'its start'}: {first['msg']}."
        ) from error
    known = _written_uuids(board)
    return DrcResult(
        kicad=raw.kicad_version,
        violations=_ordered(raw.violations, known),
        unconnected=_ordered(raw.unconnected_items, known),
    )


def _written_uuids(board: bytes) -> frozenset[str]:
    """Those that stand in the file; KiCad makes the time stamps of versions 4 and 5 into such."""
    uuids = {found.decode() for found in UUID.findall(board)}
    stamps = {f"{NIL[:24]}{found.decode().lower():0>12}" for found in TIMESTAMP.findall(board)}
    return frozenset((uuids | stamps) - {NIL})


def _ordered(raw: tuple[_RawViolation, ...], known: frozenset[str]) -> tuple[Violation, ...]:
    found = [_violation(violation, known) for violation in raw]
    return tuple(sorted(found, key=lambda v: (v.type, v.description, [(i.description, i.at, i.uuid) for i in v.items])))


def _violation(raw: _RawViolation, known: frozenset[str]) -> Violation:
    items = (
        DrcItem(description=i.description, at=(i.pos.x, i.pos.y), uuid=i.uuid if i.uuid in known else "")
        for i in raw.items
    )
    return Violation(
        type=raw.type,
        severity="error" if raw.severity == "error" else "warning",
        description=raw.description,
        items=tuple(sorted(items, key=lambda i: (i.description, i.at))),
        excluded=raw.excluded or raw.severity == "exclusion",
    )
