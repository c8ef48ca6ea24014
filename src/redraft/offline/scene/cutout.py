"""Solids for words that have none: a drawing of the lexicon as stacked cut-outs, or a block with the word on it."""

from __future__ import annotations

from functools import cache

from redraft.offline.lexicon import find as find_drawing
from redraft.offline.lexicon.entry import Entry, assemble
from redraft.offline.lexicon.palette import PALETTE, resolve
from redraft.offline.lexicon.parts import Mark, Piece, extents
from redraft.offline.lexicon.shapes import IDENTITY, Ellipse, Path, Polyline, Rect
from redraft.offline.scene.solids import Part, Solid, Top

__all__ = ["block", "cutout"]

TALL = 520.0
"""Centimetres of a thing as high as the lexicon's whole canvas."""
LAYER = 1.6
"""Centimetres from one layer of a cut-out, a metre high, to the next."""
MOST_PARTS = 60


@cache
def cutout(noun: str) -> Solid | None:
    """The lexicon's drawing of a noun, each stroke a board in front of the one before; None where it knows none."""
    entry = find_drawing(noun)
    if entry is None or entry.backdrop:
        return None
    pieces = assemble(entry.all_parts, entry.axis, {}, {}, 0)
    x0, _, x1, y1 = extents(pieces, IDENTITY, 0.0)
    height = y1 - extents(pieces, IDENTITY, 0.0)[1]
    scale = TALL * entry.height / (height or 1.0)
    parts: list[Part] = []
    for piece in pieces:
        for mark in piece.marks:
            part = _board(mark, piece, entry, ((x0 + x1) / 2, y1, scale), len(parts))
            if part is not None and len(parts) < MOST_PARTS:
                parts.append(part)
    if not parts:
        return None
    return Solid(name=noun, colour=_named(entry.colour), parts=tuple(parts), turn=14.0, flies=entry.rests == "floats")


def _named(token: str) -> str:
    return PALETTE.get(token, "#8c9196")


def _board(mark: Mark, piece: Piece, entry: Entry, frame: tuple[float, float, float], layer: int) -> Part | None:
    """One stroke as a board, a line as a rod; letters are left out."""
    middle, bottom, scale = frame
    shape = mark.shape
    if not isinstance(shape, Ellipse | Rect | Path | Polyline):
        return None
    line = isinstance(shape, Polyline) or mark.thick > 0 or mark.fill == "none"
    points = (shape.path() if isinstance(shape, Ellipse | Rect) else shape).points()
    outline: list[tuple[float, float]] = []
    for x, y in points:
        at = (round((x - middle) * scale, 2), round((bottom - y) * scale, 2))
        if not outline or abs(at[0] - outline[-1][0]) + abs(at[1] - outline[-1][1]) > 0.004 * TALL * entry.height:
            outline.append(at)
    deep = LAYER * max(entry.height * TALL, 30) / 100
    main = PALETTE[piece.colour or entry.colour]
    if line:
        thick = max(mark.thick * scale / 2, 0.35 * deep)
        token = mark.fill if mark.fill != "none" else mark.stroke
        return _rod(outline, thick, (f"rod {layer + 1}", piece.noun), -deep * layer, resolve(token, main))
    outline = outline[:-1] if len(outline) > 2 and outline[0] == outline[-1] else outline
    if len(outline) < 3:
        return None
    kept = outline[:: max(1, len(outline) // 48)]
    own = piece.colour is None and mark.fill in {"main", "dark", "light"}
    return Part(
        name=f"board {layer + 1}", also=(piece.noun,), prism=tuple(kept), depth=deep * 1.5, bevel=0.1 * deep,
        at=(0.0, -deep * layer, 0.0), colour=mark.fill if own else resolve(mark.fill, main),
    )  # fmt: skip


def _rod(line: list[tuple[float, float]], thick: float, names: tuple[str, str], y: float, colour: str) -> Part | None:
    if len(line) < 2 or colour == "none":
        return None
    kept = [*line[:: max(1, len(line) // 20)], line[-1]]
    path = tuple((x, 0.0, z) for k, (x, z) in enumerate(kept) if k == 0 or (x, z) != kept[k - 1])
    if len(path) < 2:
        return None
    return Part(name=names[0], also=(names[1],), tube=path, thick=thick, at=(0.0, y, 0.0), colour=colour)


@cache
def block(noun: str) -> Solid:
    """A rounded block with the word on it, and nothing pretended."""
    word = " ".join(noun.split())[:40] or "?"
    width = max(20.0, 3.1 * len(word) + 6)
    parts = (
        Part(name="block", box=(width, 13.0, 15.0), bevel=2.5),
        Part(name="label", text=word, thick=4.5, at=(0.0, -6.5, 5.8), colour="white", look="paint"),
    )
    return Solid(name=word, colour="teal", parts=parts, top=Top(z=15.0, size=(width - 6, 8.0)))
