"""Design rule checks by KiCad itself: what it found, each with its places and the things concerned.

Nothing is judged here: `comparing` tells what an edit made better or worse, `issues` puts it into words.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Literal

import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redraft.errors import BoardError, InfrastructureError
from redraft.studios.board.kicad_cli import PROGRAM, copy_project, kicad_cli

__all__ = ["DrcItem", "DrcResult", "Violation", "drc"]

LIMIT = 1200.0
"""Seconds. Most boards take two; one of 1,508 footprints takes five minutes on a slow machine."""
LARGEST_REPORT = 256_000_000
"""Bytes of a report that are still read."""
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
    """Its position, millimetres."""
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
    with tempfile.TemporaryDirectory(prefix="redraft-drc-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        raw = await anyio.to_thread.run_sync(_prepared, folder, board, data, like or board)
        arguments = ["pcb", "drc", "--format", "json", "--units", "mm", "--severity-all", "-o", "drc.json"]
        said = await kicad_cli([*arguments, "board.kicad_pcb"], folder, limit=limit, program=program)
        return await anyio.to_thread.run_sync(_result, folder / "drc.json", raw, said)


def _prepared(folder: Path, board: Path, data: bytes | None, like: Path) -> bytes:
    """The scratch folder filled; the board's bytes."""
    try:
        raw = board.read_bytes() if data is None else data
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
        if report.stat().st_size > LARGEST_REPORT:
            raise InfrastructureError(f"KiCad's report has more than {LARGEST_REPORT:,} bytes and was not read.")
        raw = _RawReport.model_validate_json(report.read_bytes())
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
