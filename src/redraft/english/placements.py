"""Spots of the canvas or of a thing, and the time a clock shows."""

from __future__ import annotations

import re

from redraft.english.chunks import Chunk, Placement, Side, Time
from redraft.english.numbers import NUMBER, number
from redraft.english.tokens import Line, phrase
from redraft.spatial.reading import Spot

__all__ = ["placed", "timed"]

_SIDES: dict[str, Side] = {
    "north": "top", "top": "top", "upper": "top", "south": "bottom", "bottom": "bottom", "lower": "bottom",
    "west": "left", "left": "left", "east": "right", "right": "right", "northern": "top", "southern": "bottom",
    "western": "left", "eastern": "right",
}  # fmt: skip
_SIDE = r"(?P<side>north|south|east|west|northern|southern|eastern|western|left|right|top|bottom)"
_CANVAS = r"(?: of (?:the |this )?(?:canvas|picture|image|page|photo|drawing|frame|screen|sheet|paper))"
_CENTRE = r"(?:middle|cent(?:er|re))"
_WALL = phrase(rf"(?:in|at|on) the (?P<spot>{_CENTRE}) of (?:the|its) {_SIDE} (?:wall|side|edge)")
_ON_WALL = phrase(rf"(?:in|on|along|against|at) (?:the|its) {_SIDE} (?:wall|edge)")
_CORNER = phrase(
    r"(?:in|at|into|to) the (?P<v>top|upper|bottom|lower)[ -](?P<h>left|right)(?:[ -]?hand)"
    rf"?(?: corner| part| side)?(?:{_CANVAS}|(?P<of> of))?"
)
_MIDDLE = phrase(
    rf"(?:in|at|to|into) the (?:very |exact )?{_CENTRE}(?:{_CANVAS}|(?P<of> of))?|(?:is |"
    r"are )?(?:centered|centred)(?: on| in)?(?: the (?:canvas|page|picture|image))?|in mid-?canvas"
)
_EDGE = phrase(
    rf"(?:at|in|on|near|along|to) the (?P<side>top|bottom)(?: edge| part| half)?(?:{_CANVAS}|"
    r"(?P<of> of))?(?! (?:left|right|of))"
    rf"|(?:at|in|on|near|along|to) the (?P<side2>left|right)(?: edge| part| half| side)?{_CANVAS}"
)
_HOURS = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
_SAYS = (
    r"(?:(?:that )?(?:showing|shows|reads|reading|says|saying|set|stopped|pointing)(?: to|"
    r" at)?(?: the time(?: of| as)?)? )?(?:at )?"
)
_DIGITAL = phrase(rf"{_SAYS}(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?: (?:o'clock|am|pm))?")
_PAST = phrase(
    rf"{_SAYS}(?P<part>half|(?:a )?quarter|{NUMBER})(?: minutes?)? (?P<way>past|to|after)"
    rf" (?P<hour>{_HOURS})(?: o'clock)?"
)
_SHARP = phrase(rf"{_SAYS}(?P<hour>{_HOURS}) o'clock")


def placed(line: Line, i: int) -> Chunk | None:
    """A spot: of a named wall, a corner, the middle, an edge."""
    return _on_side(line, i) or _in_corner(line, i) or _in_middle(line, i) or _at_edge(line, i)


def _on_side(line: Line, i: int) -> Chunk | None:
    found = line.match(_WALL, i)
    if found is not None:
        return Placement(i, found[1], spot="center", within="side", side=_SIDES[found[0].group("side")])
    found = line.match(_ON_WALL, i)
    if found is None:
        return None
    return Placement(i, found[1], spot="center", within="side", side=_SIDES[found[0].group("side")], certain=False)


def _in_corner(line: Line, i: int) -> Chunk | None:
    found = line.match(_CORNER, i)
    if found is None:
        return None
    spots: dict[tuple[str, str], Spot] = {
        ("top", "left"): "top_left", ("top", "right"): "top_right",
        ("bottom", "left"): "bottom_left", ("bottom", "right"): "bottom_right",
    }  # fmt: skip
    match = found[0]
    return _spot(match, i, found[1], spots[_SIDES[match.group("v")], match.group("h")])


def _in_middle(line: Line, i: int) -> Chunk | None:
    found = line.match(_MIDDLE, i)
    return None if found is None else _spot(found[0], i, found[1], "center")


def _at_edge(line: Line, i: int) -> Chunk | None:
    found = line.match(_EDGE, i)
    if found is None:
        return None
    return _spot(found[0], i, found[1], _SIDES[found[0].group("side") or found[0].group("side2")])


def _spot(match: re.Match[str], i: int, j: int, spot: Spot) -> Placement:
    return Placement(i, j, spot=spot, within="phrase" if match.groupdict().get("of") else "canvas")


def timed(line: Line, i: int) -> Chunk | None:
    """A time of day: "10:10", "ten past ten", "half past three", "six o'clock"."""
    for pattern in (_DIGITAL, _SHARP):
        found = line.match(pattern, i)
        if found is not None:
            group = found[0].groupdict()
            return _time(i, found[1], int(number(group["hour"]) or 0), int(group.get("minute") or 0))
    found = line.match(_PAST, i)
    if found is None:
        return None
    part, hour = found[0].group("part"), int(number(found[0].group("hour")) or 0)
    minutes = 30 if part == "half" else 15 if "quarter" in part else int(number(part) or 0)
    if found[0].group("way") == "to":
        hour, minutes = (hour - 1) % 24, 60 - minutes
    return _time(i, found[1], hour, minutes)


def _time(i: int, j: int, hour: int, minute: int) -> Time | None:
    return Time(i, j, hour=hour, minute=minute) if hour <= 24 and 0 <= minute < 60 else None
