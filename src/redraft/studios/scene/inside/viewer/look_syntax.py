"""Syntax of a request for a look at a scene: `right | at Bowl | hide Apple.001 | section x 0.2`.

A look has parts separated by `|`, in any order, each at most once but for `hide` and `only`:

    camera, front, back, left, right, top, below, three-quarter     direction; three-quarter if none is given
    at NAME            close to an object, with all its parts
    zoom NUMBER        that much closer (0.1 to 20)
    turn DEGREES       from so far around, counterclockwise as seen from above (-360 to 360); not through the camera
    hide NAME, NAME    without these objects and their parts
    only NAME, NAME    with nothing but these objects and their parts
    section AXIS VALUE cut open at x, y or z of so many meters; seen from the side that is taken away
    lit                in the scene's own light, rendered; otherwise in plain colors

A name that holds `,` or `|` stands in double quotes. Only the standard library is needed here, as redraft's own side
reads this syntax as well as Blender's.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

Axis = Literal["x", "y", "z"]
VIEWS = ("camera", "front", "back", "left", "right", "top", "below", "three-quarter")
SIDES: dict[Axis, tuple[str, str]] = {"x": ("right", "left"), "y": ("front", "back"), "z": ("top", "below")}
"""The views that look straight at a section."""
ALLOWED = (
    f"{', '.join(VIEWS)}; at NAME; zoom NUMBER; turn DEGREES; hide NAME, NAME; only NAME, NAME; section x|y|z METERS; "
    "lit; separated by |"
)
MAX_LOOK = 2_000
"""Characters of a look."""


class LookError(ValueError):
    """A look that cannot be parsed, or that names an unknown object."""


@dataclass(frozen=True)
class Look:
    """A request for one picture."""

    view: str = ""
    """One of `VIEWS`; empty where none is given: see `seen_from`."""
    at: str = ""
    zoom: float = 1.0
    turn: float = 0.0
    """Degrees around the vertical, counterclockwise as seen from above."""
    hide: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    section: tuple[Axis, float] | None = None
    lit: bool = False

    @property
    def seen_from(self) -> str:
        if self.view:
            return self.view
        return SIDES[self.section[0]][0] if self.section else "three-quarter"


def parse_look(text: str) -> Look:
    """Return the look of a text. Raises `LookError` for what is not understood, naming what is allowed."""
    if len(text) > MAX_LOOK:
        raise LookError(f"A look of {len(text):,} characters; at most {MAX_LOOK:,} are read.")
    look, used = Look(), set[str]()
    for part in _split(text, "|"):
        word, _, rest = part.strip().partition(" ")
        look = _with_part(look, word.lower().replace("_", "-"), rest.strip(), used, text)
    if not used:
        raise LookError(f"An empty look: {text!r}. Allowed are: {ALLOWED}.")

    if look.turn and (look.section or look.seen_from == "camera"):
        other = "section" if look.section else "camera"
        raise LookError(f"{text!r} has both turn and {other}: a {other} has a direction of its own.")
    if look.section and look.seen_from not in SIDES[look.section[0]]:
        axis = look.section[0]
        raise LookError(
            f"{text!r} looks from {look.seen_from!r} at a section of {axis}, which is seen from "
            f"{' or '.join(repr(side) for side in SIDES[axis])}."
        )
    return look


def _with_part(look: Look, word: str, rest: str, used: set[str], text: str) -> Look:
    key = "view" if word in VIEWS else word
    if key in used and key not in {"hide", "only"}:
        raise LookError(f"{word!r} in {text!r} comes second: one look has one {key}.")
    used.add(key)
    if key == "view":
        seen = replace(look, view=word)
        word, _, more = rest.partition(" ")
        return _with_part(seen, word.lower(), more.strip(), used, text) if rest else seen
    if not rest and word in {"at", "zoom", "turn", "hide", "only", "section"}:
        raise LookError(f"{word!r} in {text!r} says nothing more. Allowed are: {ALLOWED}.")
    match word:
        case "at":
            return replace(look, at=_name(rest))
        case "zoom" | "turn":
            low, high = (0.1, 20) if word == "zoom" else (-360, 360)
            return replace(look, **{word: _bounded(rest, text, low, high)})
        case "hide" | "only":
            names = tuple(_name(part) for part in _split(rest, ",") if part.strip())
            return replace(look, **{word: (*getattr(look, word), *names)})
        case "section":
            axis, _, value = rest.replace("=", " ").partition(" ")
            if axis.lower() not in SIDES:
                raise LookError(f"{rest!r} in {text!r} is not a section: an axis and a place, such as `section x 0.2`.")
            meters = _bounded(value.strip().removesuffix("m").strip(), text, -1e6, 1e6)
            return replace(look, section=(cast("Axis", axis.lower()), meters))
        case "lit" if not rest:
            return replace(look, lit=True)
        case _:
            raise LookError(f"{word!r} in {text!r} is not part of a look. Allowed are: {ALLOWED}.")


def _split(text: str, mark: str) -> list[str]:
    """Return the parts between marks, but for marks within double quotes."""
    return re.findall(rf'(?:"[^"]*"|[^{re.escape(mark)}"]|")+', text)


def _name(text: str) -> str:
    name = text.strip()
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == '"' else name


def _bounded(text: str, whole: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise LookError(f"{text!r} in {whole!r} is not a number from {low:g} to {high:g}.")
    return value


def with_names(look: Look, names: Iterable[str]) -> Look:
    """Return the look with names as the scene has them. Raises `LookError` for others, with the nearest."""
    known = sorted(names)
    return replace(
        look,
        at=name_among(look.at, known) if look.at else "",
        hide=tuple(name_among(name, known) for name in look.hide),
        only=tuple(name_among(name, known) for name in look.only),
    )


def name_among(name: str, known: Sequence[str]) -> str:
    """Return a name as it is written in the scene; upper and lower case may differ where that leaves only one."""
    if name in known:
        return name
    alike = [each for each in known if each.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    folded = {each.casefold(): each for each in known}
    near = [folded[each] for each in difflib.get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.5)]
    there = f"Nearest: {', '.join(near)}." if near else f"There are: {', '.join(known[:12]) or 'none'}."
    raise LookError(f"There is no object {name!r}. {there}")
