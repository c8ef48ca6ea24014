"""What a board file draws on its Edge.Cuts layer: its own lines, and those of its footprints."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from redraft.errors import BoardFormatError
from redraft.studios.board.arcs import Points
from redraft.studios.board.drawn import graphic, path
from redraft.studios.board.kicad_file import BoardFile
from redraft.studios.board.sexpr import Index
from redraft.studios.board.tree import MalformedError, Tree, angle, point, tree

__all__ = ["edges_of", "enclosing", "read_list"]

_EDGE = re.compile(rb'\(\s*layers?\s+"?Edge\.Cuts"?\s*\)')
_DRAWN = re.compile(rb"(gr|fp)_")


def edges_of(file: BoardFile) -> Iterator[Points]:
    """Everything drawn on Edge.Cuts, in the file's order, each (n, 2) in millimetres on the board.

    Raises:
        BoardFormatError: a line there lacks an end, or has one that is no number.
    """
    for layer in file.index.around(b"Edge.Cuts"):
        if _EDGE.fullmatch(file.index.text(layer)):
            yield from _drawn(file, layer)


def enclosing(index: Index, i: int) -> int | None:
    """The list that the i-th one stands in; None for the outermost."""
    shallower = (j for j in range(i - 1, -1, -1) if index.depth[j] < index.depth[i])
    return next(shallower, None)


def read_list(file: BoardFile, i: int) -> Tree:
    """The i-th list, whole."""
    return tree(file.index.text(i))


def _drawn(file: BoardFile, layer: int) -> Iterator[Points]:
    """The line that a `(layer …)` list belongs to, placed on the board; nothing where it belongs to something else."""
    line = enclosing(file.index, layer)
    if line is None or not _DRAWN.match(file.index.head(line)):
        return
    try:
        item = graphic(read_list(file, line))
        if item is not None:
            yield path(item) if file.index.depth[line] == 1 else _placed(file, line, path(item))
    except MalformedError as wrong:
        where = file.index.line(int(file.index.start[line]))
        raise BoardFormatError(f"{file.path}, line {where}, board outline: {wrong}") from None


def _placed(file: BoardFile, line: int, points: Points) -> Points:
    """From its footprint's frame to the board's: turned counter-clockwise as seen, then shifted."""
    footprint = enclosing(file.index, line)
    place = None if footprint is None else file.index.child(footprint, b"at")
    if place is None:
        return points
    at = read_list(file, place)
    turn = math.radians(angle(at, 3))
    cos, sin = math.cos(turn), math.sin(turn)
    return points @ np.array([[cos, -sin], [sin, cos]]) + np.array(point(at))
