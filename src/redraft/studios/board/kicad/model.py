"""Poses, pads and footprints as a board file has them, and numbers as KiCad writes them.

Lengths are whole nanometers, as in KiCad; angles are degrees."""

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
    """Where a footprint lies: its position in nanometers, its angle in degrees, its side.

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
    """`hole`: without copper (np_thru_hole)."""
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
    """Its own, in millimeters; None where that of its footprint, or else the rules of the board, apply."""


@dataclass(frozen=True)
class Footprint:
    """One footprint, read when first asked for. Geometry is in millimeters in its own frame, as `Pad` says.

    `front` and `back` are the rooms that it claims on the two sides: its courtyards, to the middle of their lines. On
    its own side, where there is none or a broken one, it is the convex hull of body and pads. Either may be None.
    """

    index: int
    """Which list of the file it is, in `Index`."""
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
    """What is drawn on its copper layers, as pads without a number. What joins pads of several nets is left out."""
    clearance: float | None = None
    """Of its pads that state none, in millimeters."""
    path: tuple[str, ...] = ()
    """Identifiers of the sheets that its symbol is in, from the root's child down, and then of the symbol."""
    sheet: str = ""
    """The name of its sheet: `/power/` in KiCad 8 and later, `power` before; empty where the file does not say."""

    @cached_property
    def nets(self) -> frozenset[str]:
        return frozenset(pad.net for pad in self.pads if pad.net)


FAR = 1 << 53
"""Nanometers; KiCad's own coordinates end at 2³¹."""


def nanometres(text: bytes) -> int:
    """Whole nanometers of a length in millimeters, exactly; what is finer is rounded, halves away from zero.

    Raises:
        ValueError: no number.
    """
    try:
        length = Decimal(text.decode("ascii", "replace")) * MM
    except InvalidOperation:
        raise ValueError(f"{text[:40]!r} is not a length") from None
    if not length.is_finite() or abs(length) > FAR:
        raise ValueError(f"{text[:40]!r} is not a length that a board can have")
    return int(length.to_integral_value(ROUND_HALF_UP))


def millimetres(nm: int) -> bytes:
    """The length in millimeters, up to six decimals, without trailing zeros."""
    whole, rest = divmod(abs(nm), MM)
    text = f"{'-' if nm < 0 else ''}{whole}.{rest:06d}".rstrip("0").rstrip(".")
    return text.encode()


def degrees(angle: float) -> bytes:
    """The angle to ten digits, as KiCad writes it; never `-0`."""
    text = f"{float(f'{angle:.10g}'):.12f}".rstrip("0").rstrip(".")
    return b"0" if text == "-0" else text.encode()


def within_turn(angle: float) -> float:
    """The same direction in [0, 360)."""
    rest = round(angle, 9) % 360.0
    return 0.0 if rest == 360.0 else rest  # of what is a hair below 0


def within_half_turn(angle: float) -> float:
    """The same direction in (−180, 180]."""
    rest = within_turn(angle)
    return rest - 360.0 if rest > 180.0 else rest


def is_number(text: bytes) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
