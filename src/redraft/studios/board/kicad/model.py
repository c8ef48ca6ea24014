"""Poses, pads and footprints as a board file has them, and numbers as KiCad writes them.

Positions on the board are whole nanometers, as in KiCad; angles are degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict
from shapely.geometry.base import BaseGeometry

MM = 1_000_000
"""Nanometers in a millimeter."""

Side = Literal["front", "back"]


class Pose(BaseModel):
    """The position of a footprint in nanometers, its angle in degrees, and its side.

    The angle is KiCad's: counter-clockwise as seen from the front, y growing downwards.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    x: int
    y: int
    angle: float = 0.0
    side: Side = "front"


@dataclass(frozen=True)
class Pad:
    """One pad in its footprint's own frame (millimeters, the footprint unturned on the side it is on).

    Its shape is `core` grown by `radius`; `at` is the pad's position, which may lie off the shape's middle.
    """

    number: str
    kind: Literal["smd", "through", "hole", "connector"]
    """A `hole` has no copper (np_thru_hole)."""
    at: tuple[float, float]
    core: BaseGeometry
    radius: float
    net: str = ""
    front: bool = True
    """It has copper (or a hole) on the front of the board, and on the back."""
    back: bool = False
    drill: float = 0.0
    """Diameter in millimeters, 0 without a hole; the larger one of an oval."""
    function: str = ""
    """The name of the pin, and its electrical type, such as `power_in`; KiCad 6 and later."""
    type: str = ""
    clearance: float | None = None
    """Millimeters, where it states its own; else None, and that of its footprint or of the board's rules applies."""


@dataclass(frozen=True)
class Footprint:
    """One footprint. Geometry is in millimeters in its own frame, as for `Pad`.

    `front` and `back` are the areas that it claims on the two sides: its courtyards, to the middle of their lines.
    Where its own side has no valid one, the convex hull of body and pads takes its place. Either may be None.
    """

    index: int
    """The number of its list in the file's `Index`."""
    reference: str
    value: str
    library: str
    uuid: str
    pose: Pose
    locked: bool
    attributes: tuple[str, ...]
    """KiCad's words: smd, through_hole, board_only, exclude_from_bom, allow_missing_courtyard, dnp …"""
    pads: tuple[Pad, ...]
    front: BaseGeometry | None
    back: BaseGeometry | None
    body: BaseGeometry | None
    """The fabrication outline of its own side, holes filled in; the hull of that drawing where it is not closed."""
    copper: tuple[Pad, ...] = ()
    """Drawings on its copper layers, as pads without a number. What joins pads of several nets is left out."""
    clearance: float | None = None
    """The clearance of those of its pads that state none, in millimeters."""
    path: tuple[str, ...] = ()
    """Identifiers of the sheets that its symbol is in, from the root's child down, and last that of the symbol."""
    sheet: str = ""
    """The name of its sheet: `/power/` in KiCad 8 and later, `power` before; empty where the file does not say."""

    @cached_property
    def nets(self) -> frozenset[str]:
        return frozenset(pad.net for pad in self.pads if pad.net)


MAX_NANOMETERS = 1 << 53
"""Up to here a float holds every whole number; KiCad's own coordinates end at 2³¹."""


def nanometers(text: bytes) -> int:
    """Return a length written in millimeters as whole nanometers, exactly; finer ones rounded, halves away from zero.

    Raises:
        ValueError: it is not a number, or too large.
    """
    try:
        length = Decimal(text.decode("ascii", "replace")) * MM
    except InvalidOperation:
        raise ValueError(f"{text[:40]!r} is not a length") from None
    if not length.is_finite() or abs(length) > MAX_NANOMETERS:
        raise ValueError(f"{text[:40]!r} is not a length that a board can have")
    return int(length.to_integral_value(ROUND_HALF_UP))


def rounded_nanometers(length: float) -> int:
    """Return a length in millimeters as whole nanometers. KiCad rounds halves away from zero, so that there and back
    is the same."""
    whole = int(abs(length) * MM + 0.5)
    return whole if length >= 0 else -whole


def millimeters(nm: int) -> bytes:
    """Write a length in millimeters, with up to six decimals and without trailing zeros."""
    whole, rest = divmod(abs(nm), MM)
    text = f"{'-' if nm < 0 else ''}{whole}.{rest:06d}".rstrip("0").rstrip(".")
    return text.encode()


def degrees(angle: float) -> bytes:
    """Write an angle to ten digits, as KiCad does; never `-0`."""
    text = f"{float(f'{angle:.10g}'):.12f}".rstrip("0").rstrip(".")
    return b"0" if text == "-0" else text.encode()


def within_turn(angle: float) -> float:
    """Return the angle of the same direction in [0, 360)."""
    rest = round(angle, 9) % 360.0
    return 0.0 if rest == 360.0 else rest  # the remainder of an angle slightly below 0


def within_half_turn(angle: float) -> float:
    """Return the angle of the same direction in (−180, 180]."""
    rest = within_turn(angle)
    return rest - 360.0 if rest > 180.0 else rest


def is_number(text: bytes) -> bool:
    """Return whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
