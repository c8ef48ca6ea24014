"""Which pieces an entry has for given counts and angles: slots filled, optional parts left out, hands turned."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from redraft.offline.lexicon.format import Part, Repeat
from redraft.offline.lexicon.marks import Piece
from redraft.offline.lexicon.shapes import about, bounds_of
from redraft.offline.lexicon.words import normal, singulars
from redraft.spatial.layout import Bounds, Matrix

__all__ = ["assemble", "match_noun"]

FULL = 0.84
"""How much of its cell an instance may take; the rest is the gap."""


def match_noun(noun: str, parts: Sequence[Part]) -> str | None:
    """The label of the parts that a noun, singular or plural, means; None when there are none."""
    for candidate in singulars(normal(noun)):
        for part in parts:
            if candidate in part.nouns:
                return part.noun
    return None


def assemble(
    parts: Sequence[Part], axis: float, counts: Mapping[str, int], angles: Mapping[str, float], seed: int
) -> list[Piece]:
    """The pieces in painting order. Raises ValueError for a count or an angle that cannot be honoured."""
    wanted = {_label(noun, parts, "count"): number for noun, number in counts.items()}
    turned = {_label(noun, parts, "angle"): degrees for noun, degrees in angles.items()}
    gone = _left_out(parts, wanted)
    pieces: list[Piece] = []
    for part in parts:
        if part.name in gone:
            continue
        piece = part.piece(axis)
        if part.repeat:
            pieces.extend(_instances(piece, part.repeat, wanted.get(part.noun, part.repeat.count), seed))
        elif part.pivot:
            pieces.append(piece.mapped(about(part.pivot, turned.get(part.noun, part.angle))))
        else:
            pieces.append(piece)
    return pieces


def _label(noun: str, parts: Sequence[Part], what: str) -> str:
    usable = [p for p in parts if p.pivot] if what == "angle" else [p for p in parts if p.parent is not None]
    label = match_noun(noun, usable)
    if label is None:
        known = ", ".join(sorted({p.noun for p in usable})) or "none"
        raise ValueError(f"no part {noun!r} can be given {what}; there is {known}")
    return label


def _left_out(parts: Sequence[Part], wanted: Mapping[str, int]) -> set[str]:
    """Names of the parts that are asked away, with what is part of them."""
    gone: set[str] = set()
    for label, number in wanted.items():
        fixed = [p for p in parts if p.noun == label and not p.repeat]
        slots = [p for p in parts if p.noun == label and p.repeat]
        if number < 0 or (
            fixed and not slots and number not in ({0, len(fixed)} if fixed[0].optional else {len(fixed)})
        ):
            allowed = f"0 or {len(fixed)}" if fixed and fixed[0].optional else f"{len(fixed)}" if fixed else "0 or more"
            raise ValueError(f"{number} of {label!r} cannot be drawn; it can be {allowed}")
        if number == 0:
            gone.update(p.name for p in fixed)
    for part in sorted(parts, key=lambda p: len(p.name)) * 2:  # twice: grandchildren too
        if part.parent in gone:
            gone.add(part.name)
    return gone


def _instances(piece: Piece, repeat: Repeat, number: int, seed: int) -> list[Piece]:
    names = [piece.name] if number == 1 else [f"{piece.name}_{i + 1}" for i in range(number)]
    if repeat.ring:
        step = 360 / number if repeat.arc == 360 else repeat.arc / max(number - 1, 1)
        first = repeat.start if repeat.arc == 360 else -step * (number - 1) / 2
        return [piece.mapped(about(repeat.ring, first + step * i), name) for i, name in enumerate(names)]
    places = _places(piece, repeat, number, random.Random(f"{seed} {piece.name}"))  # noqa: S311
    return [piece.mapped(matrix, name) for matrix, name in zip(places, names, strict=True)]


def _places(piece: Piece, repeat: Repeat, number: int, rng: random.Random) -> list[Matrix]:
    """Where the instances go: a matrix for each."""
    x0, y0, x1, y1 = bounds_of([m.shape for m in piece.marks])
    w, h = x1 - x0, y1 - y0
    crowded = bool(repeat.crowd) and number > 4 * repeat.columns * len(repeat.regions)
    regions = repeat.crowd if crowded else repeat.regions
    most = 0 if crowded else repeat.columns
    shares = [number // len(regions) + (i < number % len(regions)) for i in range(len(regions))]
    grids = [_grid(region, _columns(n, most, repeat), w, h, repeat) for region, n in zip(regions, shares, strict=True)]
    scale = min([1.0, *(grid[1] for grid in grids)])
    sy = 1.0 if repeat.squeeze else scale
    matrices: list[Matrix] = []
    for region, n, (columns, _) in zip(regions, shares, grids, strict=True):
        for cx, cy, dy in _cells(region, n, columns, w * scale, h * sy, repeat):
            y = cy + dy * rng.uniform(-0.8, 0.8) if repeat.scatter else cy
            matrices.append((scale, 0.0, 0.0, sy, cx - scale * (x0 + x1) / 2, y - sy * (y0 + y1) / 2))
    return matrices


def _columns(number: int, most: int, repeat: Repeat) -> list[tuple[int, int]]:
    """The grids, columns by rows, in which `number` things may stand: one row only for what stands or hangs."""
    if repeat.squeeze or repeat.align != "center":
        return [(number, 1)]
    return [(columns, -(-number // columns)) for columns in range(1, min(number, most or number) + 1)]


def _grid(region: Bounds, choices: Sequence[tuple[int, int]], w: float, h: float, repeat: Repeat) -> tuple[int, float]:
    """The number of columns that lets things of w × h be largest in the region, and the scale it allows."""
    width, height = region[2] - region[0], region[3] - region[1]
    best = (1, float("inf"))
    for columns, rows in choices:
        if columns == 0:
            continue
        across = FULL * width / columns / w
        down = (1.0 if rows == 1 else FULL) * height / rows / h
        scale = across if repeat.squeeze else min(across, down)
        if best[1] == float("inf") or scale > best[1] + 1e-9:
            best = (columns, scale)
    return best


def _cells(
    region: Bounds, number: int, columns: int, w: float, h: float, repeat: Repeat
) -> list[tuple[float, float, float]]:
    """Centres of the instances, row by row, an incomplete row centred; and how far each may move up or down."""
    x0, y0, x1, y1 = region
    rows = -(-number // columns)
    cell_h = (y1 - y0) / max(rows, 1)
    found: list[tuple[float, float, float]] = []
    for i in range(number):
        row, column = divmod(i, columns)
        in_row = min(columns, number - row * columns)
        cell_w = (x1 - x0) / (in_row if rows == 1 else columns)
        x = (x0 + x1) / 2 + (column - (in_row - 1) / 2) * cell_w
        if repeat.edges and rows == 1 and in_row > 1:
            x = x0 + w / 2 + column * (x1 - x0 - w) / (in_row - 1)
        top = y0 + row * cell_h
        y = {"center": top + cell_h / 2, "top": top + h / 2, "bottom": top + cell_h - h / 2}[repeat.align]
        found.append((x, y, max(0.0, (cell_h - h) / 2)))
    return found
