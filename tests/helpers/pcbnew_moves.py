"""What pcbnew makes of a board after its own moves, and of a board that redraft wrote: the same, or where not.

As a script it runs under the Python that has pcbnew: `moves.json out`, loading a board, moving, saving. As a module it
compares what was saved.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple


class Turn(NamedTuple):
    """What pcbnew is to do with a footprint, in this order; nothing where None."""

    place: int
    """In the file's order, from 0."""
    x: int
    y: int
    flip: bool
    angle: float | None
    """The final one; None leaves it as the flip does."""


def saved_by_pcbnew(python: str, jobs: list[tuple[Path, list[Turn], Path]]) -> None:
    """For each job load the first file, move, and save as the second, all in one process."""
    asked = json.dumps([(str(source), turns, str(out)) for source, turns, out in jobs])
    done = subprocess.run([python, __file__], input=asked, capture_output=True, text=True, timeout=580, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def differences(expected: Path, found: Path, *, nanometres: int = 0) -> list[str]:
    """What differs in two boards that pcbnew saved: everything but random identifiers, order, and whole turns.

    Middles of arcs, which pcbnew computes anew, may be off by 2 nm; other lengths by as many as said.
    """
    left, right = _sections(expected), _sections(found)
    wrong: list[str] = []
    for key in left.keys() | right.keys():
        wrong += _unmatched(key, left.get(key, []), right.get(key, []), nanometres * 1e-6)
    return sorted(wrong)


_IDENTIFIER = re.compile(r'\(uuid "[^"]*"\)')
_MADE_UP = ("property Datasheet  (", "property Description  (")
"""Empty fields that KiCad adds in loading, in their standard places, where a file of an older version has none."""
Numbers = tuple[tuple[str, float], ...]


def _sections(path: Path) -> dict[str, list[Numbers]]:
    """What stands in a file: the words of each item of a footprint, or of the board, and its numbers."""
    from redraft.studios.board.kicad.sexpr import Index

    index = Index.of(path.read_bytes())
    found: dict[str, list[Numbers]] = defaultdict(list)
    for i in index.children(0):
        if index.head(i) != b"footprint":
            found["group" if index.head(i) == b"group" else _IDENTIFIER.sub("", index.text(i).decode())].append(())
            continue
        name = next(
            (index.atoms(p)[2] for p in index.children(i) if index.atoms(p)[:2] == [b"property", b"Reference"]), b""
        )
        at = index.atoms(index.by_head(i)[b"at"][0])
        for part in index.children(i):
            words, numbers = _described(index, part)
            if words.startswith(_MADE_UP) and "(hide yes)" in words:
                continue
            found[f"{name.decode()} at {at[1:3]}: {words}"].append(numbers)
    return found


def _described(index: Any, i: int) -> tuple[str, Numbers]:
    head = index.head(i).decode()
    if head in ("uuid", "members", "render_cache", "data"):
        return head, ()
    words, numbers = [head], list[tuple[str, float]]()
    for k, atom in enumerate(index.atoms(i)[1:]):
        try:
            value = float(atom)
        except ValueError:
            words.append(atom.decode())
        else:
            numbers.append(("angle" if head == "at" and k == 2 else head, value))
    if head == "at" and len(numbers) == 2:
        numbers.append(("angle", 0.0))
    if head == "pts" and {index.head(point) for point in index.children(i)} == {b"xy"}:
        return "pts", tuple(("xy", value) for point in _ring(index, i) for value in point)
    if head in ("gr_rect", "gr_bbox"):
        return _box(index, i)
    for inner in index.children(i):
        inner_words, inner_numbers = _described(index, inner)
        words.append(f"({inner_words})")
        numbers += inner_numbers
    return " ".join(words), tuple(numbers)


def _box(index: Any, i: int) -> tuple[str, Numbers]:
    """A rectangle, whichever of its corners KiCad begins with."""
    lists = index.by_head(i)
    corners = [[float(number) for number in index.atoms(lists[head][0])[1:]] for head in (b"start", b"end")]
    return index.head(i).decode(), tuple(
        ("corner", value) for axis in zip(*corners, strict=True) for value in sorted(axis)
    )


def _ring(index: Any, i: int) -> list[tuple[float, float]]:
    """A list's points, whichever of them KiCad begins with and which way round it goes."""
    points = [(float(x), float(y)) for x, y in (index.atoms(point)[1:] for point in index.children(i))]
    low = min(x for x, _ in points) + 1e-5
    starts = [k for k, (x, _) in enumerate(points) if x <= low]
    turns = [
        way[k:] + way[:k]
        for way, ks in ((points, starts), (points[::-1], [len(points) - 1 - k for k in starts]))
        for k in ks
    ]
    return min(turns, key=_coarse)


def _coarse(points: list[tuple[float, float]]) -> list[int]:
    """To 0.1 µm, off the decimals at which coordinates lie: a nanometre more or less gives the same."""
    return [math.floor((value + 3.7e-5) * 1e4) for point in points for value in point]


def _unmatched(key: str, left: list[Numbers], right: list[Numbers], tolerance: float) -> list[str]:
    rest = Counter(left)
    rest.subtract(Counter(right))
    missing = [numbers for numbers, n in rest.items() for _ in range(n)]
    more = [numbers for numbers, n in rest.items() for _ in range(-n)]
    for numbers in list(missing):
        twin = next((other for other in more if _alike(numbers, other, tolerance)), None)
        if twin is not None:
            missing.remove(numbers)
            more.remove(twin)
    return [f"{key[:300]}: pcbnew alone {numbers}" for numbers in missing] + [
        f"{key[:300]}: redraft alone {n}" for n in more
    ]


def _alike(left: Numbers, right: Numbers, tolerance: float) -> bool:
    return len(left) == len(right) and all(_close(a, b, tolerance) for a, b in zip(left, right, strict=True))


def _close(left: tuple[str, float], right: tuple[str, float], tolerance: float) -> bool:
    off = abs(left[1] - right[1])
    if left[0] == "angle":
        return min(off % 360.0, -off % 360.0) < 1e-6
    return off <= (max(tolerance, 2e-6) if left[0] == "mid" else tolerance) + 1e-9


def _move_in_pcbnew() -> None:
    import pcbnew  # pyright: ignore[reportMissingImports] # of the Python that KiCad brings

    for source, turns, out in json.load(sys.stdin):
        board = pcbnew.LoadBoard(source)
        footprints = list(board.GetFootprints())
        for place, x, y, flip, angle in turns:
            footprint = footprints[place]
            if flip:
                footprint.Flip(footprint.GetPosition(), pcbnew.FLIP_DIRECTION_TOP_BOTTOM)
            if angle is not None:
                turn = pcbnew.EDA_ANGLE(float(angle), pcbnew.DEGREES_T) - footprint.GetOrientation()
                footprint.Rotate(footprint.GetPosition(), turn)
            footprint.SetPosition(pcbnew.VECTOR2I(x, y))
        pcbnew.SaveBoard(out, board, True)


if __name__ == "__main__":
    _move_in_pcbnew()
