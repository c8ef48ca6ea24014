"""A drawing as pixels, by resvg with the shipped font alone: the same bytes on every machine."""

from __future__ import annotations

import resvg_py

from redraft.studios.sketch import glyphs

__all__ = ["DELIVERED", "STANDARD", "png"]

STANDARD = 512
DELIVERED = 1024


def png(svg: str, size: int = STANDARD) -> bytes:
    """Square PNG bytes of an SVG made here, `size` pixels a side, on white."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=size,
            height=size,
            background="#ffffff",
            skip_system_fonts=True,
            font_files=[glyphs.font_path()],
            font_family=glyphs.FAMILY,
            sans_serif_family=glyphs.FAMILY,
        )
    )
