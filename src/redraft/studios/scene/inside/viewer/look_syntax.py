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
LONGEST = 2_000


class LookError(ValueError):
    """A look that cannot be parsed, or that names an unknown object."""


@dataclass(frozen=True)
class Look:
    """One picture that is asked for."""

    view: str = ""
    """One of `VIEWS`; empty where none was said: see `seen_from`."""
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
    """Raises `LookError` for what is not understood, naming what is allowed."""
    if len(text) > LONGEST:
        raise LookError(f"A look of {len(text):,} characters; at most {LONGEST:,} are read.")
    look, said = Look(), set[str]()
    for part in _split(text, "|"):
        word, _, rest = part.strip().partition(" ")
        look = _with(look, word.lower().replace("_", "-"), rest.strip(), said, text)
    if not said:
        raise LookError(f"An empty look: {text!r}. Allowed are: {ALLOWED}.")
    return _checked(look, text)


def _with(look: Look, word: str, rest: str, said: set[str], text: str) -> Look:
    key = "view" if word in VIEWS else word
    if key in said and key not in {"hide", "only"}:
        raise LookError(f"{word!r} in {text!r} comes second: one look has one {key}.")
    said.add(key)
    if key == "view":
        seen = replace(look, view=word)
        return _with(seen, *_word_and_rest(rest), said, text) if rest else seen
    if not rest and word in {"at", "zoom", "turn", "hide", "only", "section"}:
        raise LookError(f"{word!r} in {text!r} says nothing more. Allowed are: {ALLOWED}.")
    match word:
        case "at":
            return replace(look, at=_name(rest))
        case "zoom" | "turn":
            low, high = (0.1, 20) if word == "zoom" else (-360, 360)
            return replace(look, **{word: _number(rest, text, low, high)})
        case "hide" | "only":
            names = tuple(_name(part) for part in _split(rest, ",") if part.strip())
            return replace(look, **{word: (*getattr(look, word), *names)})
        case "section":
            return replace(look, section=_section(rest, text))
        case "lit" if not rest:
            return replace(look, lit=True)
        case _:
            raise LookError(f"{word!r} in {text!r} is not part of a look. Allowed are: {ALLOWED}.")


def _word_and_rest(text: str) -> tuple[str, str]:
    word, _, rest = text.partition(" ")
    return word.lower(), rest.strip()


def _split(text: str, mark: str) -> list[str]:
    """Parts between marks, but for marks within double quotes."""
    return re.findall(rf'(?:"[^"]*"|[^{re.escape(mark)}"]|")+', text)


def _name(text: str) -> str:
    name = text.strip()
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == '"' else name


def _number(text: str, whole: str, low: float, high: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise LookError(f"{text!r} in {whole!r} is not a number from {low:g} to {high:g}.")
    return number


def _section(text: str, whole: str) -> tuple[Axis, float]:
    axis, _, value = text.replace("=", " ").partition(" ")
    if axis.lower() not in SIDES:
        raise LookError(f"{text!r} in {whole!r} is not a section: an axis and a place, such as `section x 0.2`.")
    return cast("Axis", axis.lower()), _number(value.strip().removesuffix("m").strip(), whole, -1e6, 1e6)


def _checked(look: Look, text: str) -> Look:
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


def with_names(look: Look, names: Iterable[str]) -> Look:
    """The look with names as the scene has them. Raises `LookError` for what is not in it, with the nearest names."""
    known = sorted(names)
    return replace(
        look,
        at=name_among(look.at, known) if look.at else "",
        hide=tuple(name_among(name, known) for name in look.hide),
        only=tuple(name_among(name, known) for name in look.only),
    )


def name_among(name: str, known: Sequence[str]) -> str:
    """A name as it is written in the scene; upper and lower case may differ where that leaves only one."""
    if name in known:
        return name
    alike = [each for each in known if each.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    folded = {each.casefold(): each for each in known}
    near = [folded[each] for each in difflib.get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.5)]
    there = f"Nearest: {', '.join(near)}." if near else f"There are: {', '.join(known[:12]) or 'none'}."
    raise LookError(f"There is no object {name!r}. {there}")
