"""A board's bytes with some footprints elsewhere: only the spans of what moved are written anew.

Most of a footprint is stored in its own frame and stays as it is when that moves. Stored on the board's are the
footprint's place, the zones, dimensions and pictures in it, and the outlines of texts in fonts (`render_cache`); the
angles of its pads and texts have its own angle added. All that follows as when pcbnew itself moves (`SetPosition`),
turns (`Rotate`, which keeps texts upright) or flips (`Flip`, top to bottom) the footprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from redraft.errors import BoardError
from redraft.studios.board.flip import Mirror
from redraft.studios.board.journey import Journey
from redraft.studios.board.model import Pose
from redraft.studios.board.notation import degrees, within_half_turn, within_turn
from redraft.studios.board.script import Script
from redraft.studios.board.texts import turn_text

if TYPE_CHECKING:
    from redraft.studios.board.kicad_file import BoardFile

__all__ = ["rewritten"]

KICAD_6 = 20200000
"""Formats from here on write a footprint's angle in (−180, 180]; those before, in [0, 360)."""


def rewritten(file: BoardFile, poses: Mapping[int, Pose]) -> bytes:
    """The file with some footprints (by their place in `file.footprints`) elsewhere, all else byte for byte the same.

    Raises:
        BoardFormatError: a number that has to change is none. BoardError: a footprint cannot be flipped.
    """
    script = Script(file.index, str(file.path))
    mirror = Mirror(script, dict(file.renamed_copper))
    for place, then in sorted(poses.items()):
        footprint = file.footprints[place]
        journey = Journey(footprint.pose, then)
        try:
            _move(script, footprint.index, journey, file.version, mirror)
        except BoardError as wrong:
            raise type(wrong)(f"{wrong} (footprint {footprint.reference})") from None
    return script.result()


def _move(script: Script, i: int, journey: Journey, version: int, mirror: Mirror) -> None:
    lists = script.index.by_head(i)
    for at in lists.get(b"at", [])[:1]:
        _place(script, at, journey, version)
    for zone in lists.get(b"zone", []):
        script.map_points(zone, journey.point)
    for picture in lists.get(b"image", []):
        for at in script.below(picture, [b"at"]):
            script.map_point(at, journey.point)
    for dimension in lists.get(b"dimension", []):
        _move_dimension(script, dimension, journey)
    if b"(render_cache" in script.index.text(i):
        _move_outlines(script, i, journey)
    if not journey.shifts:
        _turn_pads(script, lists.get(b"pad", []), journey)
        for text in (*lists.get(b"property", []), *lists.get(b"fp_text", [])):
            turn_text(script, text, journey, version, mirrored=journey.flips and mirror.is_sided(text))
    if journey.flips:
        mirror.footprint(i)


def _place(script: Script, at: int, journey: Journey, version: int) -> None:
    words = script.words(at, 3)
    script.length(words[1], journey.then.x)
    script.length(words[2], journey.then.y)
    normal = within_half_turn if version >= KICAD_6 else within_turn
    if not journey.shifts:
        _write_angle(script, at, normal(journey.then.angle))


def _write_angle(script: Script, at: int, angle: float) -> None:
    """The third number of an `at`, which KiCad leaves out when it is 0."""
    words = script.words(at, 3)
    end = words[3][1] if len(words) > 3 else words[2][1]
    script.put((words[2][1], end), b" " + degrees(angle) if degrees(angle) != b"0" else b"")


def _turn_pads(script: Script, pads: list[int], journey: Journey) -> None:
    for pad in pads:
        at = script.index.child(pad, b"at")
        if at is not None:
            words = script.words(at, 3)
            angle = script.number(words[3]) if len(words) > 3 else 0.0
            _write_angle(script, at, within_turn((-angle if journey.flips else angle) + journey.turn))


def _move_dimension(script: Script, i: int, journey: Journey) -> None:
    for head in script.below(i, [b"xy"]):
        script.map_point(head, journey.point)
    for text in script.below(i, [b"gr_text"]):
        at = script.index.child(text, b"at")
        if at is None:
            continue
        script.map_point(at, journey.point)
        words = script.words(at, 3)
        if not journey.shifts and len(words) > 3:
            angle = script.number(words[3])
            script.put(words[3], degrees(within_turn((-angle if journey.flips else angle) + journey.turn)))
    if not journey.shifts:
        _turn_axis(script, i, journey)


def _turn_axis(script: Script, i: int, journey: Journey) -> None:
    """A dimension along one axis: a quarter turn puts it along the other one, on the side where KiCad puts it."""
    height, axis = script.index.child(i, b"height"), script.index.child(i, b"orientation")
    if height is None:
        return
    span = script.words(height, 2)[1]
    nm = -script.nanometres(span) if journey.flips else script.nanometres(span)
    if axis is not None:
        along = script.words(axis, 2)[1]
        upright, turn = script.text(along) == b"1", journey.turn
        if abs(turn) > 135 or (45 < turn <= 135 and upright) or (-135 <= turn < -45 and not upright):
            nm = -nm
        if 45 < abs(turn) <= 135:
            script.put(along, b"0" if upright else b"1")
    script.length(span, nm)


def _move_outlines(script: Script, i: int, journey: Journey) -> None:
    """Outlines of texts move along; those of turned ones are left out, and KiCad draws them anew from the font."""
    for cache in script.below(i, [b"render_cache"]):
        if journey.shifts:
            script.map_points(cache, journey.point)
        else:
            script.drop(cache)
