"""Random numbers that depend on a run's seed and a structural path only, never on arrival order or the clock."""

from __future__ import annotations

import hashlib

__all__ = ["derive"]


def derive(seed: int, path: str) -> int:
    """A seed in [0, 2³¹) for one place in a run. Equal inputs give equal seeds on every machine."""
    digest = hashlib.sha256(f"{seed}\0{path}".encode()).digest()
    return int.from_bytes(digest[:4], "big") & 0x7FFF_FFFF
