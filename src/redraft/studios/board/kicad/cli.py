"""KiCad's command line program and its design rule check, run on a copy of the board: bounded in time and output.

`drc` checks a board; `kicad_cli` runs any other command.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Literal

import anyio
import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redraft.errors import BoardError, InfrastructureError, LimitError, MissingPartError
from redraft.files import temporary
from redraft.limits import BOARD, PROJECT, REPORT, read_file
from redraft.studios.board.kicad.file import project_files
from redraft.text import problems

PROGRAM = "kicad-cli"
MAX_OUTPUT = 64_000
"""Bytes of the program's output that are kept; the rest is read and dropped."""
COULD_NOT_LOAD = 3
"""The program's exit code when it could not open the board."""


async def kicad_cli(arguments: Sequence[str], folder: Path, *, limit: float, program: str = PROGRAM) -> str:
    """Run the program in a scratch folder, with a home of its own there, and return its output.

    Its process group is killed when this is cancelled or takes longer than `limit` seconds.

    Raises:
        MissingPartError: the program is missing. BoardError: it cannot open the board.
        InfrastructureError: it crashed, took too long, or failed otherwise.
    """
    command = [find_program(program), *arguments]

    # English messages; settings, caches and windows are not the user's, and no key is passed on.
    needed = ("PATH", "TMPDIR", "LD_LIBRARY_PATH")
    environment = {name: value for name, value in os.environ.items() if name in needed or name.startswith("KICAD")}
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "KICAD_CONFIG_HOME")
    environment |= {name: str(folder / "home" / name.lower()) for name in homes}
    environment |= {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
    try:
        with anyio.fail_after(limit):
            code, output = await _run(command, folder, environment)
    except TimeoutError as error:
        raise InfrastructureError(
            f"KiCad took longer than {limit:g} s for `{' '.join(arguments[:2])}` and was stopped. Give it more time."
        ) from error
    if code == COULD_NOT_LOAD:
        raise BoardError(
            f"KiCad cannot open the board: {_last_lines(output)}. Open it in KiCad itself to see the reason."
        )
    if code != 0:
        ending = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise InfrastructureError(
            f"`{program} {' '.join(arguments[:2])}` ended with {ending}: {_last_lines(output)}. KiCad 8 or later is "
            f"needed; `{program} version` prints the installed one."
        )
    return output


def copy_project(board: Path, folder: Path, name: str) -> None:
    """Put the files that a check of a board depends on beside its copy: project, custom rules and table of libraries.

    `name` is the copy's stem. Tables name their libraries relative to the project; in the copy, relative to `board`.
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


def find_program(program: str = PROGRAM) -> str:
    """Return the full path of KiCad's program. Raises `MissingPartError`."""
    path = shutil.which(program)
    if path is None:
        raise MissingPartError(
            f"`{program}` was not found. It comes with KiCad 9 (kicad.org/download); on Debian 12: "
            "apt-get install -t bookworm-backports kicad"
        )
    return path


async def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    process = await anyio.open_process(
        command,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    assert process.stdout is not None
    kept = bytearray()
    try:
        async for chunk in process.stdout:
            kept += chunk[: MAX_OUTPUT - len(kept)]
        code = await process.wait()
    finally:
        with anyio.CancelScope(shield=True):
            if process.returncode is None:
                try:
                    os.killpg(process.pid, signal.SIGKILL)  # with what it started
                except (ProcessLookupError, AttributeError):  # gone meanwhile; or no process groups on this system
                    process.kill()
            await process.aclose()
    return code, kept.decode(errors="replace")


def _last_lines(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return " / ".join(lines[-3:])[:500].rstrip(".") or "it said nothing"


LIMIT = 1200.0
"""Seconds. Most boards take two; one of 1,508 footprints takes five minutes on a slow machine."""
UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIMESTAMP = re.compile(rb"\(tstamp ([0-9A-Fa-f]{1,8})\)")
NIL = "00000000-0000-0000-0000-000000000000"


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class DrcItem(_Data):
    """One of the things that a violation concerns."""

    description: str
    """KiCad's words: `Pad 1 [GND] of C1 on F.Cu`."""
    at: tuple[float, float]
    """Its position, millimeters."""
    uuid: str = ""
    """As written in the board's file; empty where it has none there, because KiCad then invents one at each load."""


class Violation(_Data):
    """A violation of one of KiCad's rules."""

    type: str
    """KiCad's kind: `clearance`, `courtyards_overlap` …"""
    severity: Literal["error", "warning"]
    description: str
    items: tuple[DrcItem, ...] = ()
    excluded: bool = False
    """The user has excluded it in KiCad."""


class DrcResult(_Data):
    """KiCad's findings on a board, in an order that does not depend on KiCad's threads."""

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
    """Run KiCad's design rule check on a copy of a board.

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
        raw = await anyio.to_thread.run_sync(_prepare, folder, board, data, like or board)
        arguments = ["pcb", "drc", "--format", "json", "--units", "mm", "--severity-all", "-o", "drc.json"]
        output = await kicad_cli([*arguments, "board.kicad_pcb"], folder, limit=limit, program=program)
        return await anyio.to_thread.run_sync(_result, folder / "drc.json", raw, output)


def _prepare(folder: Path, board: Path, data: bytes | None, like: Path) -> bytes:
    """Fill the scratch folder and return the board's bytes."""
    try:
        raw = read_file(board, BOARD) if data is None else data
        (folder / "board.kicad_pcb").write_bytes(raw)
        copy_project(like, folder, "board")
    except OSError as error:
        raise BoardError(f"Cannot copy {board} for KiCad: {error.strerror or error}.") from error
    return raw


class _Place(_Data):
    x: float
    y: float


class _RawItem(_Data):
    description: str
    pos: _Place
    uuid: str


class _RawViolation(_Data):
    type: str
    severity: str
    description: str
    items: tuple[_RawItem, ...] = ()
    excluded: bool = False


class _RawReport(_Data):
    kicad_version: str
    violations: tuple[_RawViolation, ...]
    unconnected_items: tuple[_RawViolation, ...] = Field(default=())


def _result(report: Path, board: bytes, output: str) -> DrcResult:
    try:
        raw = _RawReport.model_validate_json(read_file(report, REPORT))
    except LimitError as error:
        raise InfrastructureError(f"KiCad's report was not read. {error}") from error
    except OSError as error:
        raise InfrastructureError(f"KiCad wrote no report; it said: {output.strip()[-500:]}") from error
    except ValidationError as error:
        raise InfrastructureError(f"KiCad's report is not understood: {problems(error, limit=1)}.") from error

    # Identifiers that stand in the file. KiCad makes the time stamps of versions 4 and 5 into such.
    uuids = {match.decode() for match in UUID.findall(board)}
    stamps = {f"{NIL[:24]}{match.decode().lower():0>12}" for match in TIMESTAMP.findall(board)}
    known = (uuids | stamps) - {NIL}
    return DrcResult(
        kicad=raw.kicad_version,
        violations=_ordered(raw.violations, known),
        unconnected=_ordered(raw.unconnected_items, known),
    )


def _ordered(raw: Sequence[_RawViolation], known: Set[str]) -> tuple[Violation, ...]:
    violations: list[Violation] = []
    for one in raw:
        items = [
            DrcItem(
                description=item.description,
                at=(item.pos.x, item.pos.y),
                uuid=item.uuid if item.uuid in known else "",
            )
            for item in one.items
        ]
        violations.append(
            Violation(
                type=one.type,
                severity="error" if one.severity == "error" else "warning",
                description=one.description,
                items=tuple(sorted(items, key=lambda item: (item.description, item.at))),
                excluded=one.excluded or one.severity == "exclusion",
            )
        )
    violations.sort(key=lambda v: (v.type, v.description, [(i.description, i.at, i.uuid) for i in v.items]))
    return tuple(violations)
