"""Boards as the command line and the Python API use them outside of the loop: open, write, summarize, check.

The loop itself is `api.run("board", …)`. Everything that needs the board studio's parts is imported when it is used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio

from redraft.errors import BoardError, BriefError, ConfigError, MissingPartError
from redraft.files import write_atomic

if TYPE_CHECKING:
    from pydantic import JsonValue

    from redraft.result import Report, Result
    from redraft.studios.board.actions.workspace import Wires
    from redraft.studios.board.kicad.model import Pose
    from redraft.studios.board.live import LiveBoard
    from redraft.studios.board.session import Session


MAX_MOVED = 12
"""Lines about moved parts at the end of a run; all of them are in its `placement.json`."""
MAX_NETS = 5
"""Nets that a run names at its end."""


def opened(path: Path | None, *, live: bool) -> Session:
    """Open a file's board, or the one in KiCad as it is there now. Raises `BoardError`, `MissingPartError`."""
    if live == (path is not None):
        raise BoardError("Name a .kicad_pcb file, or --live for the board that is open in KiCad; not both.")
    from redraft.studios.board.session import Session

    return Session.open(path) if path is not None else Session(running().board)


def running() -> LiveBoard:
    """Connect to the board that is open in KiCad. Raises `BoardError` when none is, `MissingPartError`."""
    from redraft.studios.board.live import LiveBoard

    return LiveBoard.connect()


def snapshot(live: LiveBoard, folder: Path) -> Path:
    """Write the board as it is in KiCad, with its unsaved changes, to a file with its project beside it.

    Raises:
        BoardError: KiCad did not give it. RunError: it cannot be written.
    """
    from redraft.studios.board.kicad.cli import copy_project

    copy = write_atomic(folder / live.path.name, live.board.file.data)
    copy_project(live.path, folder, live.path.stem)
    return copy


def apply_live(result: Result, live: LiveBoard, *, force: bool = False) -> tuple[Result, bool]:
    """Apply in KiCad, as one step, what a run did on its snapshot; return the result and whether anything was applied.

    Raises:
        BoardChangedError: a part was moved in KiCad meanwhile. BoardError: KiCad is busy.
    """
    if "json" not in result.files or not (result.valid or force):
        return _with_reason(result), False
    live.apply({live.board.names[name]: pose for name, pose in _poses(result)})
    return result, True


@lru_cache(maxsize=4)
def _open_at(path: Path, changed: int) -> Session:
    """Open a board; one that was written anew, at another time, is read anew."""
    return opened(path, live=False)


def delivered(folder: Path) -> Session:
    """Open the board of a run, which may be looked at many times. Raises `BriefError` without one, `BoardError`."""
    path = folder / "board.kicad_pcb"
    if not path.is_file() or path.is_symlink():
        raise BriefError("This run has no board yet.")
    return _open_at(path, path.stat().st_mtime_ns)


def write_picture(path: Path, png: bytes) -> Path:
    """Write a picture, whole or not at all. Raises `ConfigError` for a name that does not end with .png, `RunError`."""
    if path.suffix.lower() != ".png":
        raise ConfigError(f"{path}: pictures are PNG; give a name that ends with .png.")
    return write_atomic(path, png)


def refuse_unwritable(board: Path, to: Path | None, *, in_place: bool) -> None:
    """Refuse, before any work, a place where its result could not be written.

    Raises:
        BoardError: the place is the board itself (without `in_place`), a folder, or its folder does not exist;
            or permission is denied, or KiCad has the file open.
        MissingPartError: the board studio's parts are not installed.
    """
    from redraft.studios.board.kicad.file import check_lock

    if in_place:
        check_lock(board.resolve())
        _check_writable(board.resolve().parent)
    if to is None or in_place:
        return
    if to.suffix != ".kicad_pcb":
        raise BoardError(f"{to}: KiCad opens boards only by the name .kicad_pcb; write {to.with_suffix('.kicad_pcb')}.")
    if to.is_dir() or not to.absolute().parent.is_dir():
        reason = "is a folder" if to.is_dir() else f"is in {to.parent}, which does not exist"
        raise BoardError(f"{to} {reason}; nothing could be written. Give the path of a file in a folder that exists.")
    if to.exists() and board.exists() and to.samefile(board):
        raise BoardError(f"{to} is the board itself; --in-place writes that, and keeps what it was as .bak.")
    check_lock(to.resolve())
    _check_writable(to.resolve().parent)


def _check_writable(folder: Path) -> None:
    if folder.is_dir() and not os.access(folder, os.W_OK):
        raise BoardError(
            f"{folder} cannot be written: permission denied; name another place (--to), or change its permissions."
        )


def write_board(result: Result, to: Path | None, *, in_place: bool = False, force: bool = False) -> Result:
    """Write a run's board to its destination, unless it is worse than the original.

    Returns the result with the file under the role `written`, or with a warning that says why nothing was written.

    Raises:
        BoardChangedError: the board was changed on disk since the run read it. BoardError: it cannot be written.
    """
    if to is None and not in_place:
        return result
    if "json" not in result.files or not (result.valid or force):
        return _with_reason(result)
    from redraft.studios.board.placement import board_of, placement_of

    placement = placement_of(result)
    try:
        written = board_of(placement).save(to, in_place=in_place)
    except BoardError as error:
        kept = f" The placed board is kept as {result.files['board']}." if "board" in result.files else ""
        raise type(error)(f"{error}{kept}") from error
    return result.model_copy(update={"files": {**result.files, "written": written}})


def moved(result: Result) -> list[str]:
    """Return the new positions of a run's parts, one line each, in millimeters as KiCad shows them."""
    from redraft.studios.board.kicad.model import degrees, millimeters

    lines: list[str] = []
    for name, pose in _poses(result):
        turned = f", turned {degrees(pose.angle).decode()}°" if pose.angle else ""
        lines.append(f"{name} to ({millimeters(pose.x).decode()}, {millimeters(pose.y).decode()}){turned}, {pose.side}")
    return lines if len(lines) <= MAX_MOVED else [*lines[: MAX_MOVED - 1], f"and {len(lines) - MAX_MOVED + 1} more"]


def _poses(result: Result) -> list[tuple[str, Pose]]:
    if "json" not in result.files:
        return []
    from redraft.studios.board.placement import placement_of

    return sorted(placement_of(result).poses.items())


class _Lengths(NamedTuple):
    """Wire lengths of a run's board in millimeters, with the length and the number of pads of the longest nets."""

    wires: Wires
    longest: Mapping[str, tuple[float, int]]
    whole: bool
    """The run placed a whole board."""


def _lengths(result: Result) -> _Lengths | None:
    if "json" not in result.files:
        return None
    from redraft.studios.board.actions.registry import PlaceAll
    from redraft.studios.board.actions.workspace import Wires
    from redraft.studios.board.placement import layout_of, placement_of, unmoved
    from redraft.studios.board.wires import members_of, pads_of, wire_lengths

    placement = placement_of(result)
    before, after = layout_of(unmoved(placement)), layout_of(placement)
    members = members_of(after)
    lengths = wire_lengths(after, members=members)
    if not lengths:
        return None
    was = sum(wire_lengths(before, members=members).values())
    pads = {net: len(pads_of(after, members, net)) for net in lengths}
    worst = sorted(lengths, key=lambda net: (-lengths[net] / pads[net], net))[:MAX_NETS]
    longest = {net: (lengths[net], pads[net]) for net in worst if lengths[net]}
    whole = any(isinstance(stated.action, PlaceAll) for stated in placement.stated)
    return _Lengths(Wires(before=was, after=sum(lengths.values())), longest, whole)


def wires(result: Result) -> list[str]:
    """Return the wire length of a run's board before and after; where a whole board was placed, with the nets that are
    longest for their number of pads."""
    lengths = _lengths(result)
    if lengths is None:
        return []
    worst = [f"  {net}: {length:,.1f} mm for {pads} pads" for net, (length, pads) in lengths.longest.items()]
    return [lengths.wires.said("mm"), *(worst if lengths.whole else [])]


def facts(result: Result) -> dict[str, JsonValue]:
    """Return `moved` and `wires` as data, for all moved components; millimeters and degrees."""
    from redraft.studios.board.kicad.model import MM

    lengths = _lengths(result)
    longest: Mapping[str, tuple[float, int]] = lengths.longest if lengths else {}
    return {
        "moved": [
            {"ref": name, "x": pose.x / MM, "y": pose.y / MM, "rotation": pose.angle, "side": pose.side}
            for name, pose in _poses(result)
        ],
        "wires": lengths and {"before": round(lengths.wires.before, 3), "after": round(lengths.wires.after, 3)},
        "longest_nets": [
            {"net": net, "length": round(length, 3), "pads": pads} for net, (length, pads) in longest.items()
        ],
    }


def _with_reason(result: Result) -> Result:
    """Return a result with a warning that says why nothing was written."""
    if "json" not in result.files:
        reason = "Nothing was written: no list of actions could be carried out. The board is unchanged."
    else:
        reason = (
            "Nothing was written: the result is worse than the original board, or does not meet the request (see "
            "above). --force writes it anyway."
        )
    return result.model_copy(update={"warnings": (*result.warnings, reason)})


def check_board(path: Path, against: Path | None = None, *, drc: str | None = None) -> Report:
    """Check a board by redraft's rules and KiCad's own; with `against`, tell new findings from earlier ones.

    Args:
        drc: `auto` (or None) runs KiCad's check where KiCad is installed; `always` or `never`.

    Raises:
        BoardError: a file cannot be read. MissingPartError: KiCad is required and not installed.
    """
    from redraft.result import Report
    from redraft.studios.board.board import Board
    from redraft.studios.board.rules import compared, placed_anew

    if drc not in {None, "auto", "always", "never"}:
        raise ConfigError(f"--drc {drc!r}: auto, always or never is expected.")
    board = Board.read(path)
    before = None if against is None else Board.read(against)
    base = None if before is None else before.layout
    own = compared(board, board.layout, base, anew=placed_anew(board.layout, base))
    if board.file.newer:
        own += Report(unchecked=(board.file.newer,))
    if drc == "never":
        return own
    from redraft.studios.board.check import asked_kicad

    try:
        return own + anyio.run(asked_kicad, path, against)
    except MissingPartError as error:
        if drc == "always":
            raise
        return own + Report(unchecked=(f"KiCad's own design rule check did not run: {error}",))
