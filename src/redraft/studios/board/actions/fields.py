"""Types of the fields of actions. Lengths are in the layout's unit, angles in degrees, counterclockwise as seen."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

Side = Literal["left", "right", "top", "bottom"]
"""A side along the frame's axes, whichever way a part is turned."""
Corner = Annotated[
    Literal["top left", "top right", "bottom left", "bottom right"],
    BeforeValidator(lambda value: re.sub("[_-]", " ", value) if isinstance(value, str) else value),
]
"""A corner of the board; `top_left` and `top-left` are read too."""
Along = Literal["center", "start", "end"]
"""Across the direction: centers in line, or the left (upper) edges, or the right (lower) edges."""
Direction = Literal["left", "right", "up", "down"]
Measured = Literal["courtyard", "body", "pad"]
"""Between what a distance is measured: the room that parts claim, the parts themselves, or their pads."""

Ref = Annotated[str, Field(min_length=1, max_length=200)]
"""A part, a pad ("U1.4"), or a sheet or group of the board."""
Refs = Annotated[tuple[Ref, ...], Field(min_length=1, max_length=500)]
Length = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Gap = Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)]
Angle = Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)]

BESIDE: dict[Side, str] = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}
"""Sides as descriptions of actions name them."""
SIDE_OF: dict[Direction, Side] = {"left": "left", "right": "right", "up": "top", "down": "bottom"}
