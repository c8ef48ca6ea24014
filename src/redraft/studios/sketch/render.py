"""A drawing as pixels, on white."""

from __future__ import annotations

from redraft import glyphs

__all__ = ["DELIVERED", "STANDARD", "png"]

STANDARD = 512
DELIVERED = 1024


def png(svg: str, size: int = STANDARD) -> bytes:
    """Square PNG bytes of an SVG made here, `size` pixels a side, on white."""
    return glyphs.svg_to_png(svg, size, "#ffffff")
