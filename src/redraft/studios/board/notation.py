"""Numbers as KiCad writes them: lengths as millimetres that are whole nanometres, angles as degrees."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from redraft.studios.board.model import MM

__all__ = ["degrees", "is_number", "millimetres", "nanometres", "within_half_turn", "within_turn"]

FAR = 1 << 53
"""Nanometres; KiCad's own coordinates end at 2³¹."""


def nanometres(text: bytes) -> int:
    """Whole nanometres of a length in millimetres, exactly; what is finer is rounded, halves away from zero.

    Raises:
        ValueError: no number.
    """
    try:
        length = Decimal(text.decode("ascii", "replace")) * MM
    except InvalidOperation:
        raise ValueError(f"{text[:40]!r} is no length") from None
    if not length.is_finite() or abs(length) > FAR:
        raise ValueError(f"{text[:40]!r} is no length that a board can have")
    return int(length.to_integral_value(ROUND_HALF_UP))


def millimetres(nm: int) -> bytes:
    """The length in millimetres, up to six decimals, without trailing zeros."""
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
