"""Tracks and vias: read in one pass as arrays, and made into shapes for the windows that show them."""

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
from redraft.studios.board.kicad.sexpr import MAX_LENGTH, text_of, unquoted

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
    """The words of a track or via, as its file has them."""

    kind: str
    layer: bytes
    net: bytes


@dataclass(frozen=True)
class Copper:
    """All tracks and vias of a board: segments, then arcs, then vias, each a row; lengths in millimeters."""

    words: Sequence[Words]
    ends: Numbers
    """(n, 2, 2): the two ends of each; twice the same point for a via."""
    bent: Mapping[int, Points]
    """The lines of those that are arcs."""
    reach: Numbers
    """(n,): half the width of a track, the radius of a via."""
    boxes: Numbers
    """(n, 4): x0, y0, x1, y1."""
    nets: Mapping[bytes, str]
    layers: Mapping[str, str]
    _fixtures: dict[int, Fixture] = field(default_factory=dict[int, Fixture], compare=False, repr=False)

    @classmethod
    def of(cls, file: BoardFile) -> Copper:
        """Read the tracks and vias of a board: less than half a second for thirty thousand.

        Raises:
            BoardFormatError: one has no place or no width, or one that is not a number.
        """
        segments, arcs, vias = (_read(file, head) for head in _KINDS)
        ends = np.concatenate((segments[1][:, :4], arcs[1][:, [0, 1, 4, 5]], vias[1][:, [0, 1, 0, 1]])).reshape(
            -1, 2, 2
        )
        reach = np.abs(np.concatenate((segments[1][:, -1], arcs[1][:, -1], vias[1][:, -1]))) / 2
        first = len(segments[0])
        bent = {first + i: arc_points(row[:2], row[2:4], row[4:6]) for i, row in enumerate(arcs[1].tolist())}
        boxes = np.hstack((ends.min(axis=1), ends.max(axis=1)))
        for i, line in bent.items():
            boxes[i] = (*line.min(axis=0), *line.max(axis=0))
        boxes += reach[:, None] * np.array([-1.0, -1.0, 1.0, 1.0])
        return cls(
            [*segments[0], *arcs[0], *vias[0]], ends, bent, reach, boxes, net_names(file), dict(file.renamed_copper)
        )

    def ending_in(self, pads: Sequence[tuple[BaseGeometry, str]]) -> frozenset[int]:
        """Return the rows of the tracks that begin or end in one of these pads (shape and net) and are on its net."""
        if not pads or not len(self.ends):
            return frozenset()
        points = cast("NDArray[np.object_]", shapely.points(self.ends.reshape(-1, 2)))
        met = shapely.STRtree(points).query([shape for shape, _ in pads], predicate="intersects").T
        rows = ((int(point) // 2, pads[int(pad)][1]) for pad, point in met)
        return frozenset(
            row for row, net in rows if self.words[row].kind == "track" and _net(self.words[row].net, self.nets) == net
        )

    def nets_of(self, rows: Iterable[int]) -> dict[str, int]:
        """Return how many of these rows are on each net, the most first."""
        count = Counter(_net(self.words[row].net, self.nets) for row in rows)
        return dict(sorted(count.items(), key=lambda pair: (-pair[1], pair[0])))

    def within(self, window: Bounds, without: frozenset[int] = frozenset()) -> list[Fixture]:
        """Return the tracks and vias whose boxes meet a window, its edge included, in the order of the rows."""
        x0, y0, x1, y1 = window
        b = self.boxes
        met = np.flatnonzero((b[:, 0] <= x1) & (b[:, 2] >= x0) & (b[:, 1] <= y1) & (b[:, 3] >= y0)).tolist()

        # Shapes are made when a window first shows them, all at once, and kept.
        new = [i for i in met if i not in self._fixtures]
        for i, straight in zip(new, _capsules(self.ends[new], self.reach[new]), strict=True):
            kind, layers, net = self.words[i]
            shape = straight
            if self.reach[i] <= 0 or i in self.bent:
                line = LineString(self.bent[i] if i in self.bent else self.ends[i])
                shape = line.buffer(float(self.reach[i])) if self.reach[i] > 0 else line
            names = [text_of(unquoted(word)) for word in _WORD.findall(layers)]
            ends = [(x, y) for x, y in self.ends[i].tolist()] if kind == "track" else ()
            where = ", ".join(self.layers.get(name, name) for name in names)
            self._fixtures[i] = Fixture(kind, shape, where, _net(net, self.nets), tuple(ends))
        return [self._fixtures[i] for i in met if i not in without]


def net_names(file: BoardFile) -> dict[bytes, str]:
    """Return the table that numbers a board's nets: number, as written, to name."""
    rows = (file.index.atoms(i) for i in file.sections.get(b"net", ()))
    return {row[1]: text_of(row[2]) for row in rows if len(row) > 2}


def _net(words: bytes, names: Mapping[bytes, str]) -> str:
    """Return the name of a net: `3` by the table, `3 "GND"` and `"GND"` as written."""
    atoms = _WORD.findall(words)
    if len(atoms) == 1 and atoms[0] in names:
        return names[atoms[0]]
    if len(atoms) == 1 and atoms[0].isdigit():
        return ""
    return text_of(unquoted(atoms[-1])) if atoms else ""


def _read(file: BoardFile, head: bytes) -> tuple[list[Words], Numbers]:
    """Read all lists of one head: their words, and the numbers of their fields, a row each."""
    lists = file.sections.get(head, ())
    spans = zip(file.index.start[lists].tolist(), file.index.end[lists].tolist(), strict=True) if lists else ()
    rows: list[Fields] = [dict(reversed(_FIELD.findall(file.data, a, b))) for a, b in spans]  # first of two: not nested
    words = [Words(_KINDS[head], row.get(b"layer") or row.get(b"layers", b""), row.get(b"net", b"")) for row in rows]

    # All numbers in one go. Where something is wrong, row by row, for a message with the line.
    names = _NUMBERS[head]
    columns = 2 * len(names) - 1
    try:
        texts = np.array(b" ".join(row[name] for row in rows for name in names).split(), dtype=np.bytes_)
        table = texts.astype(np.float64).reshape(len(rows), columns)
        if bool((np.abs(table) <= MAX_LENGTH).all()):
            return words, table
    except (KeyError, ValueError):
        pass
    table = np.array([_row(file, head, i, row) for i, row in zip(lists, rows, strict=True)]).reshape(-1, columns)
    return words, table


def _row(file: BoardFile, head: bytes, i: int, fields: Fields) -> list[float]:
    """Return the numbers of one list: two of each point and the width. Raises `BoardFormatError`."""
    *points, width = _NUMBERS[head]
    row: list[float] = []
    try:
        for name in points:
            numbers = _numbers(fields, name)
            if len(numbers) < 2:
                raise ValueError(f"should have two numbers in its ({name.decode()} x y)")
            row += numbers[:2]
        return [*row, _numbers(fields, width)[0]]
    except ValueError as error:
        where = f"{file.path}, line {file.index.line(int(file.index.start[i]))}"
        raise BoardFormatError(f"{where}: ({head.decode()} …) {error}") from None


def _numbers(fields: Fields, name: bytes) -> list[float]:
    if name not in fields:
        raise ValueError(f"has no ({name.decode()} …)")
    try:
        numbers = [float(word) for word in fields[name].split()]
    except ValueError:
        numbers = [math.nan]
    if not numbers or not all(abs(value) <= MAX_LENGTH for value in numbers):
        text = fields[name][:40].decode("utf-8", "replace")
        raise ValueError(f"should have numbers of a board's size in ({name.decode()} …), not {text!r}")
    return numbers


def _capsules(ends: Numbers, reach: Numbers) -> list[BaseGeometry]:
    """Return the areas around lines (n, 2, 2), as far as they reach on all sides: what `buffer` gives, all at once."""
    along = ends[:, 1] - ends[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    along = np.where(length > 0, along / np.where(length > 0, length, 1.0), (1.0, 0.0))
    across = np.column_stack((-along[:, 1], along[:, 0]))
    cap = np.cos(_HALF_TURN)[None, :, None] * along[:, None] + np.sin(_HALF_TURN)[None, :, None] * across[:, None]
    cap *= reach[:, None, None]
    corners = np.concatenate((ends[:, :1] + cap, ends[:, 1:] - cap), axis=1)
    return cast("NDArray[np.object_]", shapely.polygons(corners)).tolist()
