"""What geometry is kept in."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

__all__ = ["Array"]

Array = NDArray[Any]
