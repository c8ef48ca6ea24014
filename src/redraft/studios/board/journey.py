"""The way of a footprint from one pose to another, as pcbnew goes it: over to the other side, turned, moved."""

from __future__ import annotations

import math
from dataclasses import dataclass

from redraft.studios.board.model import Pose
from redraft.studios.board.notation import within_half_turn

__all__ = ["Journey"]

QUARTERS = {0.0: (1, 0), 90.0: (0, 1), 180.0: (-1, 0), -90.0: (0, -1)}


@dataclass(frozen=True)
class Journey:
    """From `now` to `then`. Points are whole nanometres in the board's frame, y growing downwards."""

    now: Pose
    then: Pose

    @property
    def flips(self) -> bool:
        return self.now.side != self.then.side

    @property
    def turn(self) -> float:
        """Degrees by which it turns after it was flipped, in (−180, 180]. A flip alone negates the angle."""
        flipped = -self.now.angle if self.flips else self.now.angle
        return within_half_turn(self.then.angle - flipped)

    @property
    def shifts(self) -> bool:
        """It only moves."""
        return not self.flips and not self.turn

    def point(self, x: int, y: int) -> tuple[int, int]:
        """Where a point of the footprint goes, rounded as KiCad rounds it."""
        dx, dy = x - self.now.x, y - self.now.y
        dx, dy = _turned(dx, -dy if self.flips else dy, self.turn)
        return self.then.x + dx, self.then.y + dy


def _turned(x: int, y: int, angle: float) -> tuple[int, int]:
    if angle in QUARTERS:
        cos, sin = QUARTERS[angle]
        return cos * x + sin * y, cos * y - sin * x
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return _rounded(y * sine + x * cosine), _rounded(y * cosine - x * sine)


def _rounded(value: float) -> int:
    """To the nearest whole number, halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))
