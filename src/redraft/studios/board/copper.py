"""Tracks and vias, for the windows that show them: found in one pass, made into shapes where somebody looks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from redraft.errors import BoardFormatError
from redraft.spatial.layout import Bounds, Fixture
from redraft.studios.board.arcs import arc_points
from redraft.studios.board.kicad_file import BoardFile
from redraft.studios.board.sexpr import text_of
from redraft.studios.board.tree import unquoted

__all__ = ["Copper", "net_names"]

FARTHEST = 1e6
"""Millimetres; KiCad itself ends at 2,147."""

_FIELD = re.compile(
    rb"\((start|mid|end|at|size|width|layers?|net)\s+((?:[^()\"]|\"(?:[^\"\\]|\\.)*+\")*+)\)", re.DOTALL
)
_WORD = re.compile(rb'"(?:[^"\\]|\\.)*+"|[^\s"]+', re.DOTALL)
_KINDS = {b"segment": "track", b"arc": "track", b"via": "via"}

Fields = dict[bytes, bytes]


@dataclass(frozen=True)
class _Run:
    """One track or via: its line (one point for a via) and how far it reaches on all sides, in millimetres."""

    kind: str
    line: tuple[tuple[float, float], ...]
    reach: float
    layer: bytes
    net: bytes

    @property
    def shape(self) -> BaseGeometry:
        core = Point(self.line[0]) if len(set(self.line)) == 1 else LineString(self.line)
        return core.buffer(self.reach) if self.reach else core


@dataclass(frozen=True)
class Copper:
    """All tracks and vias of a board, with their boxes (n, 4) in millimetres."""

    runs: Sequence[_Run]
    boxes: NDArray[np.float64]
    nets: dict[bytes, str]
    layers: dict[str, str]
    _made: dict[int, Fixture] = field(default_factory=dict[int, Fixture], compare=False, repr=False)

    @classmethod
    def of(cls, file: BoardFile) -> Copper:
        """Read them: a third of a second for thirty thousand.

        Raises:
            BoardFormatError: one has no place, no width, or something else than a number for it.
        """
        runs = [_run(file, head, i) for head in _KINDS for i in file.sections.get(head, ())]
        return cls(runs, _boxes(runs), net_names(file), dict(file.renamed_copper))

    def within(self, window: Bounds) -> list[Fixture]:
        """Those whose boxes meet a window, its edge included: segments, arcs, vias, each in the file's order."""
        x0, y0, x1, y1 = window
        b = self.boxes
        met = (b[:, 0] <= x1) & (b[:, 2] >= x0) & (b[:, 1] <= y1) & (b[:, 3] >= y0)
        return [self._fixture(i) for i in np.flatnonzero(met).tolist()]

    def _fixture(self, i: int) -> Fixture:
        if i not in self._made:
            run = self.runs[i]
            names = [text_of(unquoted(word)) for word in _WORD.findall(run.layer)]
            layer = ", ".join(self.layers.get(name, name) for name in names)
            self._made[i] = Fixture(run.kind, run.shape, layer, _net(run.net, self.nets))
        return self._made[i]


def net_names(file: BoardFile) -> dict[bytes, str]:
    """The table that numbers a board's nets: number, as written, to name."""
    rows = (file.index.atoms(i) for i in file.sections.get(b"net", ()))
    return {row[1]: text_of(row[2]) for row in rows if len(row) > 2}


def _net(words: bytes, names: dict[bytes, str]) -> str:
    """`3` by the table, `3 "GND"` and `"GND"` as they say."""
    atoms = _WORD.findall(words)
    if len(atoms) == 1 and atoms[0] in names:
        return names[atoms[0]]
    if len(atoms) == 1 and atoms[0].isdigit():
        return ""
    return text_of(unquoted(atoms[-1])) if atoms else ""


def _run(file: BoardFile, head: bytes, i: int) -> _Run:
    start, end = int(file.index.start[i]), int(file.index.end[i])
    fields: Fields = dict(reversed(_FIELD.findall(file.data, start, end)))  # of two, the first: later ones are nested
    try:
        width = _numbers(fields, b"size" if head == b"via" else b"width")[0]
        line = _line(head, fields)
    except ValueError as wrong:
        where = f"{file.path}, line {file.index.line(start)}"
        raise BoardFormatError(f"{where}: ({head.decode()} …) {wrong}") from None
    return _Run(_KINDS[head], line, abs(width) / 2, _layer(fields), fields.get(b"net", b""))


def _layer(fields: Fields) -> bytes:
    return fields.get(b"layer") or fields.get(b"layers", b"")


def _line(head: bytes, fields: Fields) -> tuple[tuple[float, float], ...]:
    if head == b"via":
        return (_point(fields, b"at"),)
    start, end = _point(fields, b"start"), _point(fields, b"end")
    if head == b"segment":
        return (start, end)
    return tuple((float(x), float(y)) for x, y in arc_points(start, _point(fields, b"mid"), end))


def _point(fields: Fields, name: bytes) -> tuple[float, float]:
    x, y, *_ = (*_numbers(fields, name), math.nan)
    if math.isnan(y):
        raise ValueError(f"should have two numbers in its ({name.decode()} x y)")
    return (x, y)


def _numbers(fields: Fields, name: bytes) -> list[float]:
    if name not in fields:
        raise ValueError(f"has no ({name.decode()} …)")
    words = fields[name].split()
    try:
        found = [float(word) for word in words]
    except ValueError:
        found = [math.nan]
    if not found or not all(abs(value) <= FARTHEST for value in found):
        given = fields[name][:40].decode("utf-8", "replace")
        raise ValueError(f"should have numbers of a board's size in ({name.decode()} …), not {given!r}")
    return found


def _boxes(runs: Sequence[_Run]) -> NDArray[np.float64]:
    if not runs:
        return np.zeros((0, 4))
    counts = np.array([len(run.line) for run in runs])
    points = np.array([point for run in runs for point in run.line])
    first = np.concatenate(([0], np.cumsum(counts)[:-1]))
    reach = np.array([run.reach for run in runs])[:, None]
    return np.hstack((np.minimum.reduceat(points, first) - reach, np.maximum.reduceat(points, first) + reach))
