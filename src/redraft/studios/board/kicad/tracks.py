"""Tracks and vias: found in one pass, made into shapes for the windows that show them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from redraft.errors import BoardFormatError
from redraft.layout.items import Bounds, Fixture
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.graphics import Points, arc_points
from redraft.studios.board.kicad.sexpr import text_of, unquoted

FARTHEST = 1e6
"""Millimeters; KiCad itself ends at 2,147."""

_FIELD = re.compile(
    rb"\((start|mid|end|at|size|width|layers?|net)\s+((?:[^()\"]|\"(?:[^\"\\]++|\\.)*+\")*+)\)", re.DOTALL
)
_WORD = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[^\s"]+', re.DOTALL)
_KINDS = {b"segment": "track", b"arc": "track", b"via": "via"}
_NUMBERS = {
    b"segment": (b"start", b"end", b"width"),
    b"arc": (b"start", b"mid", b"end", b"width"),
    b"via": (b"at", b"size"),
}
_HALF_TURN = np.linspace(np.pi / 2, 3 * np.pi / 2, 33)

Fields = dict[bytes, bytes]
Numbers = NDArray[np.float64]


class Words(NamedTuple):
    """What a track or via is, as its file has it."""

    kind: str
    layer: bytes
    net: bytes


@dataclass(frozen=True)
class Copper:
    """All tracks and vias of a board: their lines, how far they reach on all sides, and their boxes, in millimeters."""

    words: Sequence[Words]
    ends: Numbers
    """(n, 2, 2): where each begins and ends; twice the same point for a via."""
    bent: Mapping[int, Points]
    """The lines of those that are arcs."""
    reach: Numbers
    boxes: Numbers
    """(n, 4): x0, y0, x1, y1."""
    nets: Mapping[bytes, str]
    layers: Mapping[str, str]
    _made: dict[int, Fixture] = field(default_factory=dict[int, Fixture], compare=False, repr=False)

    @classmethod
    def of(cls, file: BoardFile) -> Copper:
        """Read them: less than half a second for thirty thousand.

        Raises:
            BoardFormatError: one has no place, no width, or something else than a number for it.
        """
        segments, arcs, vias = (_read(file, head) for head in _KINDS)
        ends = np.concatenate((segments[1][:, :4], arcs[1][:, [0, 1, 4, 5]], vias[1][:, [0, 1, 0, 1]])).reshape(
            -1, 2, 2
        )
        reach = np.abs(np.concatenate((segments[1][:, -1], arcs[1][:, -1], vias[1][:, -1]))) / 2
        first = len(segments[0])
        bent = {first + i: arc_points(row[:2], row[2:4], row[4:6]) for i, row in enumerate(arcs[1].tolist())}
        boxes = _boxes(ends, bent, reach)
        return cls(
            [*segments[0], *arcs[0], *vias[0]], ends, bent, reach, boxes, net_names(file), dict(file.renamed_copper)
        )

    def ending_in(self, pads: Sequence[tuple[BaseGeometry, str]]) -> frozenset[int]:
        """Rows of the tracks that begin or end in one of these pads, each with its net."""
        if not pads or not len(self.ends):
            return frozenset()
        points = cast("NDArray[np.object_]", shapely.points(self.ends.reshape(-1, 2)))
        found = shapely.STRtree(points).query([shape for shape, _ in pads], predicate="intersects").T
        rows = ((int(point) // 2, pads[int(pad)][1]) for pad, point in found)
        return frozenset(
            row for row, net in rows if self.words[row].kind == "track" and _net(self.words[row].net, self.nets) == net
        )

    def nets_of(self, rows: Iterable[int]) -> dict[str, int]:
        """How many of these rows are on each net, the most first."""
        count = Counter(_net(self.words[row].net, self.nets) for row in rows)
        return dict(sorted(count.items(), key=lambda pair: (-pair[1], pair[0])))

    def within(self, window: Bounds, without: frozenset[int] = frozenset()) -> list[Fixture]:
        """Those whose boxes meet a window, its edge included: segments, arcs, vias, each in the file's order."""
        x0, y0, x1, y1 = window
        b = self.boxes
        met = np.flatnonzero((b[:, 0] <= x1) & (b[:, 2] >= x0) & (b[:, 1] <= y1) & (b[:, 3] >= y0)).tolist()
        self._make([i for i in met if i not in self._made])
        return [self._made[i] for i in met if i not in without]

    def _make(self, new: Sequence[int]) -> None:
        """Fixtures of these, kept for the next window."""
        shapes = _capsules(self.ends[new], self.reach[new])
        for i, straight in zip(new, shapes, strict=True):
            kind, layers, net = self.words[i]
            shape = straight if self.reach[i] > 0 and i not in self.bent else self._thin(i)
            names = [text_of(unquoted(word)) for word in _WORD.findall(layers)]
            ends = [(x, y) for x, y in self.ends[i].tolist()] if kind == "track" else ()
            where = ", ".join(self.layers.get(n, n) for n in names)
            self._made[i] = Fixture(kind, shape, where, _net(net, self.nets), tuple(ends))

    def _thin(self, i: int) -> BaseGeometry:
        """The shape of an arc, or of what has no width."""
        line = LineString(self.bent[i] if i in self.bent else self.ends[i])
        return line.buffer(float(self.reach[i])) if self.reach[i] > 0 else line


def net_names(file: BoardFile) -> dict[bytes, str]:
    """The table that numbers a board's nets: number, as written, to name."""
    rows = (file.index.atoms(i) for i in file.sections.get(b"net", ()))
    return {row[1]: text_of(row[2]) for row in rows if len(row) > 2}


def _net(words: bytes, names: Mapping[bytes, str]) -> str:
    """`3` by the table, `3 "GND"` and `"GND"` as they say."""
    atoms = _WORD.findall(words)
    if len(atoms) == 1 and atoms[0] in names:
        return names[atoms[0]]
    if len(atoms) == 1 and atoms[0].isdigit():
        return ""
    return text_of(unquoted(atoms[-1])) if atoms else ""


def _read(file: BoardFile, head: bytes) -> tuple[list[Words], Numbers]:
    """All lists of one head: their words, and the numbers of their fields, one row each."""
    lists = file.sections.get(head, ())
    spans = zip(file.index.start[lists].tolist(), file.index.end[lists].tolist(), strict=True) if lists else ()
    rows: list[Fields] = [dict(reversed(_FIELD.findall(file.data, a, b))) for a, b in spans]  # first of two: not nested
    words = [Words(_KINDS[head], row.get(b"layer") or row.get(b"layers", b""), row.get(b"net", b"")) for row in rows]
    return words, _table(file, head, lists, rows)


def _table(file: BoardFile, head: bytes, lists: Sequence[int], rows: Sequence[Fields]) -> Numbers:
    """All numbers in one go; row by row where something is wrong, to say what."""
    names = _NUMBERS[head]
    columns = 2 * len(names) - 1
    try:
        found = np.array(b" ".join(row[name] for row in rows for name in names).split(), dtype=np.bytes_)
        table = found.astype(np.float64).reshape(len(rows), columns)
        if bool((np.abs(table) <= FARTHEST).all()):
            return table
    except (KeyError, ValueError):
        pass  # reported below, with the line
    return np.array([_row(file, head, i, row) for i, row in zip(lists, rows, strict=True)]).reshape(-1, columns)


def _row(file: BoardFile, head: bytes, i: int, fields: Fields) -> list[float]:
    *points, width = _NUMBERS[head]
    try:
        return [*(value for name in points for value in _point(fields, name)), _numbers(fields, width)[0]]
    except ValueError as wrong:
        where = f"{file.path}, line {file.index.line(int(file.index.start[i]))}"
        raise BoardFormatError(f"{where}: ({head.decode()} …) {wrong}") from None


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


def _boxes(ends: Numbers, bent: Mapping[int, Points], reach: Numbers) -> Numbers:
    boxes = np.hstack((ends.min(axis=1), ends.max(axis=1)))
    for i, line in bent.items():
        boxes[i] = (*line.min(axis=0), *line.max(axis=0))
    return boxes + reach[:, None] * np.array([-1.0, -1.0, 1.0, 1.0])


def _capsules(ends: Numbers, reach: Numbers) -> list[BaseGeometry]:
    """Lines (n, 2, 2) as wide as they reach on all sides, with round ends: what a buffer is, for all at once."""
    along = ends[:, 1] - ends[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    along = np.where(length > 0, along / np.where(length > 0, length, 1.0), (1.0, 0.0))
    across = np.column_stack((-along[:, 1], along[:, 0]))
    cap = np.cos(_HALF_TURN)[None, :, None] * along[:, None] + np.sin(_HALF_TURN)[None, :, None] * across[:, None]
    cap *= reach[:, None, None]
    corners = np.concatenate((ends[:, :1] + cap, ends[:, 1:] - cap), axis=1)
    return cast("NDArray[np.object_]", shapely.polygons(corners)).tolist()
