"""Likeness of pictures at a glance: the places of colors and the directions of edges. For counting, not for judging.

It compares what one sees of a thumbnail across the room: palette, layout, the large forms. Two pictures of one thing
from another side are different to it, and a cat and a dog in the same pose are nearly the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from redraft.errors import BriefError
from redraft.metrics.base import Pixels
from redraft.metrics.target import decoded

SIDE = 64
"""Pixels of the square that every picture is brought to; its shape is lost."""
CELLS = 8
"""A side, for colors and for edges."""
DIRECTIONS = 8
"""Of edges, over half a turn: light to dark is as dark to light."""
COLOR_HALF = 20.0
"""The difference of a cell in CIELAB (ΔE 1976) at which its colors count as half alike."""
EDGE_HALF = 0.3
"""The same for edges: the distance of two unit vectors, 0 to √2."""
FLAT = 2.0
"""Gray levels a pixel of edge that every direction is given: what is weaker than that is noise, not form."""

Floats = NDArray[np.float64]


def likeness_of_pictures(pictures: Sequence[bytes]) -> Floats:
    """Pictures × pictures, 0 to 1: the mean of how alike their colors are (itself the mean over the cells) and how
    alike their edges are.

    Each is 2^−(distance / half)², a Gaussian, so that the matrix has no negative eigenvalue.

    Raises:
        ValueError: one of them is not a picture, or smaller than 8 pixels a side; with its number.
    """
    seen = [_seen(raw, f"{n} of {len(pictures)}") for n, raw in enumerate(pictures, 1)]
    if not seen:
        return np.zeros((0, 0))
    cells = np.stack([_colors(pixels) for pixels in seen], axis=1)
    colors = np.mean([_near(cell, COLOR_HALF) for cell in cells], axis=0)
    edges = _near(np.stack([_edges(pixels) for pixels in seen]), EDGE_HALF)
    return (colors + edges) / 2


def _seen(raw: bytes, which: str) -> Pixels:
    """The picture as a small square of sRGB, transparent parts on white."""
    if not raw:
        raise ValueError(f"Picture {which} is empty (0 bytes).")
    try:
        pixels = decoded(raw, Path(f"picture {which}"), 4 * SIDE).pixels
    except BriefError as error:
        raise ValueError(f"Picture {which} {str(error).removeprefix(f'The target picture {which} ')}") from error
    return np.asarray(Image.fromarray(pixels).resize((SIDE, SIDE), Image.Resampling.BOX))


def _colors(pixels: Pixels) -> Floats:
    """CIELAB of the mean light of each cell: cells × 3."""
    cells = _linear(pixels).reshape(CELLS, SIDE // CELLS, CELLS, SIDE // CELLS, 3).mean(axis=(1, 3))
    return _lab(cells).reshape(-1, 3)


def _linear(pixels: Pixels) -> Floats:
    """sRGB to linear light (IEC 61966-2-1)."""
    values = pixels.astype(np.float64) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _lab(linear: Floats) -> Floats:
    """Linear sRGB to CIELAB under D65 (CIE 15:2004)."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    relative: Floats = linear @ (to_xyz / to_xyz.sum(axis=1, keepdims=True)).T
    bent: Floats = np.where(relative > (6 / 29) ** 3, relative ** (1 / 3), relative / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = bent[..., 0], bent[..., 1], bent[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _edges(pixels: Pixels) -> Floats:
    """The strength of edges of each direction in each cell, as one row of length 1."""
    down, across = _strongest(_soft(pixels.astype(np.float64)))
    turn = (np.arctan2(down, across) % np.pi) / np.pi * DIRECTIONS
    away = np.abs(turn[..., None] - np.arange(DIRECTIONS))
    shares = np.maximum(0.0, 1 - np.minimum(away, DIRECTIONS - away))  # an edge between two directions is of both
    strength = np.hypot(down, across)[..., None] * shares
    size = SIDE // CELLS
    cells = strength.reshape(CELLS, size, CELLS, size, DIRECTIONS).mean(axis=(1, 3)) + FLAT / DIRECTIONS
    strong = np.sqrt(cells).ravel()  # a few hard edges are not all of a picture
    return strong / np.linalg.norm(strong)


def _soft(values: Floats) -> Floats:
    """Each pixel with its neighbors (1, 2, 1 both ways): steps of a slanting line are not edges of their own."""
    wide = np.pad(values, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows = wide[:-2] + 2 * wide[1:-1] + wide[2:]
    return (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 16


def _strongest(values: Floats) -> tuple[Floats, Floats]:
    """Of each pixel the slope down and across in the channel that changes most: red on blue is an edge, though both are
    as bright."""
    down: Floats = np.gradient(values, axis=0)
    across: Floats = np.gradient(values, axis=1)
    most = np.hypot(down, across).argmax(axis=2)[..., None]
    return np.take_along_axis(down, most, axis=2)[..., 0], np.take_along_axis(across, most, axis=2)[..., 0]


def _near(rows: Floats, half: float) -> Floats:
    """2^−(distance / half)² for each pair."""
    squares = (rows * rows).sum(axis=1)
    apart = np.maximum(squares[:, None] + squares[None] - 2 * rows @ rows.T, 0.0)
    np.fill_diagonal(apart, 0.0)
    return np.exp2(-apart / half**2)
