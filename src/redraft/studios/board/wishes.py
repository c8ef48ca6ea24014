"""What an instruction wants to hold at the end, apart from how it is brought about; and the same in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel, ConfigDict

from redraft.spatial.actions import Measured, Side

__all__ = ["Wish", "WishKind", "describe"]

WishKind = Literal[
    "side", "distance", "near", "between", "at", "shift", "swap", "align", "spacing", "stack", "edge", "layer",
    "rotation", "locked", "clear",
]  # fmt: skip


class Wish(BaseModel):
    """One thing that must hold afterwards. Lengths are in the layout's unit, angles in degrees counter-clockwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    relation: WishKind
    refs: tuple[str, ...] = ()
    """Whom it is about; for `clear` none means all."""
    target: str = ""
    """A part, or a pad ("U1.4")."""
    other: str = ""
    """The second one of `between`."""
    side: Side | None = None
    """Of the target or of the board; for `stack` the side to which it grows."""
    value: float | None = None
    """The distance, gap, or angle that was said; the least one for `clear`, the greatest for `near`."""
    point: tuple[float, float] | None = None
    """Where to, or by how much along each axis."""
    axis: Literal["x", "y"] | None = None
    """A row is along x, a column along y; either will do when left out."""
    along: Literal["center", "start", "end"] = "center"
    """What is in line: the middles, the left or upper edges, the right or lower ones."""
    measure: Measured = "courtyard"
    relative: bool = False
    """The angle is counted from where the part was."""
    centred: bool = False
    kept: bool = False
    """It held before, as nearly as it must hold after."""
    layer: int | None = None
    phrase: str = ""
    """The words of the instruction."""
    certain: bool = True


def describe(wishes: Iterable[Wish], unit: str = "mm") -> list[str]:
    """One sentence for each certain wish: what the result will be held to."""
    return [_SENTENCES[wish.relation](wish, unit) for wish in wishes if wish.certain]


_WHERE = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}
_GROWS = {"left": "to the left", "right": "to the right", "top": "upwards", "bottom": "downwards"}
_LINES = {
    "x": {"center": "in a row", "start": "in a row by their upper edges", "end": "in a row by their lower edges"},
    "y": {
        "center": "in a column",
        "start": "in a column by their left edges",
        "end": "in a column by their right edges",
    },
}


def _named(target: str) -> str:
    owner, dot, pad = target.rpartition(".")
    return f"pin {pad} of {owner}" if dot else target


def _all(wish: Wish) -> str:
    *most, last = wish.refs or ("all parts",)
    return f"{', '.join(most)} and {last}" if most else last


def _is(wish: Wish) -> str:
    return f"{_all(wish)} {'is' if len(wish.refs) == 1 else 'are'}"


def _much(wish: Wish, unit: str) -> str:
    return f"{wish.value:g} {unit} " if wish.value is not None else ""


def _between_what(wish: Wish) -> str:
    return f" ({wish.measure} to {wish.measure})" if wish.value is not None else ""


def _side(wish: Wish, unit: str) -> str:
    return f"{_is(wish)} {_much(wish, unit)}{_WHERE[wish.side or 'right']} {_named(wish.target)}{_between_what(wish)}"


def _distance(wish: Wish, unit: str) -> str:
    return f"{_is(wish)} {_much(wish, unit)}from {_named(wish.target)}{_between_what(wish)}"


def _near(wish: Wish, unit: str) -> str:
    return f"{_is(wish)} within {_much(wish, unit)}of {_named(wish.target)}{_between_what(wish)}"


def _between(wish: Wish, _unit: str) -> str:
    return f"{_is(wish)} between {wish.target} and {wish.other}"


def _at(wish: Wish, unit: str) -> str:
    x, y = wish.point or (0.0, 0.0)
    return f"the middle of {_all(wish)} is at ({x:g}, {y:g}) {unit}"


def _shift(wish: Wish, unit: str) -> str:
    dx, dy = wish.point or (0.0, 0.0)
    return f"{_all(wish)} moved by ({dx:g}, {dy:g}) {unit}, y downwards"


def _swap(wish: Wish, _unit: str) -> str:
    return f"{_all(wish)} have changed places"


def _align(wish: Wish, _unit: str) -> str:
    return f"{_all(wish)} stand {_LINES[wish.axis][wish.along] if wish.axis else 'in a row or a column'}"


def _spacing(wish: Wish, unit: str) -> str:
    way = {"x": ", from left to right", "y": ", from top to bottom", None: ""}[wish.axis]
    much = f", each {_much(wish, unit).strip()}" if wish.value is not None else ""
    return f"the gaps between {_all(wish)} are equal{much}{way}"


def _stack(wish: Wish, unit: str) -> str:
    gap = f", {_much(wish, unit)}apart" if wish.value is not None else ""
    return f"{_all(wish)} follow one another {_GROWS[wish.side or 'bottom']}{gap}"


def _edge(wish: Wish, unit: str) -> str:
    gap = f"{_much(wish, unit)}from" if wish.value else "on"
    return f"{_is(wish)} {gap} the {wish.side} edge of the board{', in its middle' if wish.centred else ''}"


def _layer(wish: Wish, _unit: str) -> str:
    return f"{_is(wish)} on the {'front' if wish.layer else 'back'}"


def _rotation(wish: Wish, _unit: str) -> str:
    value = wish.value or 0.0
    if wish.relative:
        return f"{_is(wish)} turned by {value:g}° from before (counter-clockwise is positive)"
    return f"{_is(wish)} turned to {value:g}°"


def _locked(wish: Wish, _unit: str) -> str:
    return f"{_is(wish)} where {'it was' if len(wish.refs) == 1 else 'they were'}"


def _clear(wish: Wish, unit: str) -> str:
    return f"no two of {_all(wish)} overlap" + (
        f" or are closer than {_much(wish, unit).strip()}" if wish.value else ""
    )


_SENTENCES = {
    "side": _side, "distance": _distance, "near": _near, "between": _between, "at": _at, "shift": _shift,
    "swap": _swap, "align": _align, "spacing": _spacing, "stack": _stack, "edge": _edge, "layer": _layer,
    "rotation": _rotation, "locked": _locked, "clear": _clear,
}  # fmt: skip
