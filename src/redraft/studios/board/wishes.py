"""What an instruction wants to hold at the end, apart from how it is brought about: for telling contradictions."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from redraft.spatial.actions import Measured, Side

__all__ = ["Wish", "WishKind"]

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
    side: Side | None = None
    """Of the target or of the board; for `stack` the side to which it grows."""
    value: float | None = None
    """The distance, gap, or angle that was said; the least one for `clear`, the greatest for `near`."""
    point: tuple[float, float] | None = None
    """Where to, or by how much along each axis."""
    measure: Measured = "courtyard"
    relative: bool = False
    """The angle is counted from where the part was."""
    layer: int | None = None
    phrase: str = ""
    """The words of the instruction."""
    certain: bool = True
