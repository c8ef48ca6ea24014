"""SVG to pixels, by resvg with the shipped font alone: the same bytes on every machine."""

from __future__ import annotations

import resvg_py

from redraft import glyphs

__all__ = ["png"]


def png(svg: str, size: int, background: str) -> bytes:
    """Square PNG bytes of an SVG made here, `size` pixels a side; `background` as `#rrggbb`."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=size,
            height=size,
            background=background,
            skip_system_fonts=True,
            font_files=[glyphs.font_path()],
            font_family=glyphs.FAMILY,
            sans_serif_family=glyphs.FAMILY,
        )
    )
