"""The microscope: a window of a layout in exact numbers, for whoever carries something out there.

Everything in the window is told, not only what was named, and no window of any layout costs a model 2,000 tokens:
what matters less loses its pads, then is given by its box alone, then counted. Nothing is dropped unsaid.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from redraft.spatial.layout import Bounds, Layout
from redraft.spatial.view_maker import view_of
from redraft.spatial.views import Context, View
from redraft.spatial.window import around, checked, default_padding, region

__all__ = [
    "get_json_view",
    "get_visual_context",
    "inspect_components",
    "inspect_region",
    "render_png_view",
]


def inspect_region(layout: Layout, center_x: float, center_y: float, width: float, height: float) -> View:
    """The window of this size around a point, in the layout's unit.

    Raises:
        BriefError: it has no width or height.
    """
    half = (width / 2, height / 2)
    return view_of(region(layout, (center_x - half[0], center_y - half[1], center_x + half[0], center_y + half[1])))


def inspect_components(layout: Layout, refs: Sequence[str], padding: float | None = None) -> View:
    """The window around some parts, or pads of them ("U1.4").

    Args:
        padding: on each side, in units; 5 mm when left out (on a canvas a twentieth of it).

    Raises:
        BriefError: there is no part or pad of that name; close ones are given.
    """
    return view_of(around(layout, refs, default_padding(layout) if padding is None else padding))


def get_visual_context(layout: Layout, targets: Sequence[str], padding: float | None = None) -> Context:
    """As `inspect_components`, with its picture."""
    from redraft.spatial.picture import picture_of

    window = around(layout, targets, default_padding(layout) if padding is None else padding)
    view = view_of(window)
    return Context(view, picture_of(window, view))


def get_json_view(layout: Layout, bounds: Bounds) -> dict[str, Any]:
    """The window between two corners (x0, y0, x1, y1) as plain data, ready for JSON.

    Raises:
        BriefError: it has no width or height.
    """
    return view_of(region(layout, checked(bounds))).data()


def render_png_view(layout: Layout, bounds: Bounds) -> str:
    """The picture of the window between two corners: 512 × 512 PNG, as base64.

    Raises:
        BriefError: it has no width or height.
    """
    from redraft.spatial.picture import picture_of

    window = region(layout, checked(bounds))
    return base64.b64encode(picture_of(window, view_of(window))).decode("ascii")
