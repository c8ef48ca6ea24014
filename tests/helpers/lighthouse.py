"""A lighthouse above a sea, painted in colours and places of one's choice: pictures that are told apart at a glance."""

from __future__ import annotations

from functools import cache

import resvg_py


@cache
def painted(
    sky: tuple[str, str] = ("#27364f", "#d9a05b"),
    sea: str = "#1d2b3a",
    tower: str = "#efe6d2",
    x: float = 50,
    horizon: float = 70,
    *,
    width: int = 768,
    height: int = 768,
) -> bytes:
    """A PNG; `x` of the tower and `horizon` are in percent of the picture."""
    top = horizon - 42
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<defs><linearGradient id="s" x2="0" y2="1"><stop offset="0" stop-color="{sky[0]}"/>'
        f'<stop offset="1" stop-color="{sky[1]}"/></linearGradient></defs>'
        f'<g transform="scale({width / 100} {height / 100})"><rect width="100" height="100" fill="url(#s)"/>'
        f'<path d="M{x} {top + 4} L0 {top - 14} V{top + 20}Z" fill="#fff3c4" opacity=".45"/>'
        f'<path d="M{x - 7} {horizon + 2} l4 -36 h6 l4 36Z" fill="{tower}"/>'
        f'<path d="M{x - 5.7} {horizon - 10} l.9 -8 h9.6 l.9 8Z" fill="#b5432e"/>'
        f'<rect x="{x - 3.6}" y="{top}" width="7.2" height="7" fill="#ffd97a" stroke="#33302c"/>'
        f'<path d="M{x - 5} {top} l5 -6 l5 6Z" fill="#33302c"/>'
        f'<rect y="{horizon}" width="100" height="{100 - horizon}" fill="{sea}"/>'
        f'<g fill="none" stroke="#ffffff"><path d="M0 {horizon + 8} q12 -6 25 0 t25 0 t25 0 t25 0" opacity=".35"/>'
        f'<path d="M0 {horizon + 17} q9 5 20 0 t20 0 t20 0 t20 0 t20 0" opacity=".2"/></g></g></svg>'
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height))
