"""Grids: so many rows and columns, with equal cells and equal gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from redraft.result import Issue
from redraft.spatial.layout import Item
from redraft.spatial.reading import Grid
from redraft.spatial.rules.alignment import uneven
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, centre, found, height, scale_words, width

__all__ = ["gridded"]


def gridded(scene: Scene, grid: Grid) -> Iterator[Issue]:
    """Each instance of the whole has its own grid; a wrong number of cells is a matter of counts."""
    for _, names in scene.binding.groups(grid.selector.mention):
        items = [scene.layout[n] for n in names]
        if len(items) == grid.rows * grid.columns:
            yield from _grid(scene, grid, items)


def _grid(scene: Scene, grid: Grid, items: Sequence[Item]) -> Iterator[Issue]:
    rows, columns = _bands(scene, items, 1), _bands(scene, items, 0)
    if (len(rows), len(columns)) != (grid.rows, grid.columns):
        yield _shape(scene, grid, items, len(rows), len(columns))
        return
    yield from _cells(scene, grid, items)
    for axis, lines in ((0, rows), (1, columns)):
        gaps = [g for line in lines for g in _gaps(scene, items, line, axis)]
        if gaps:
            yield from uneven(scene, "grid.uneven", items, axis, gaps, grid.gap, grid.phrase)


def _bands(scene: Scene, items: Sequence[Item], axis: int) -> list[list[int]]:
    """Indices of items whose centres lie within half an extent of the band's first, in order."""
    boxes = [scene.own_box(i) for i in items]
    bands: list[list[int]] = []
    for index in sorted(range(len(items)), key=lambda i: (centre(boxes[i])[axis], i)):
        first = boxes[bands[-1][0]] if bands else None
        if first is not None and centre(boxes[index])[axis] < first[axis + 2]:
            bands[-1].append(index)
        else:
            bands.append([index])
    return bands


def _gaps(scene: Scene, items: Sequence[Item], line: Sequence[int], axis: int) -> list[tuple[float, int, int]]:
    order = sorted(line, key=lambda i: (scene.own_box(items[i])[axis], i))
    boxes = {i: scene.own_box(items[i]) for i in order}
    return [(boxes[b][axis] - boxes[a][axis + 2], a, b) for a, b in pairwise(order)]


def _shape(scene: Scene, grid: Grid, items: Sequence[Item], rows: int, columns: int) -> Issue:
    return found(
        "grid.shape",
        "error",
        f"the grid has {rows} rows and {columns} columns; {grid.rows} by {grid.columns} are asked for",
        tuple(i.name for i in items),
        numbers={"rows": rows, "columns": columns, "expected_rows": grid.rows, "expected_columns": grid.columns},
        mend=f"arrange them in {grid.rows} rows of {grid.columns}",
        marks=tuple(box(scene.box(i.name)) for i in items),
        phrase=grid.phrase,
    )


def _cells(scene: Scene, grid: Grid, items: Sequence[Item]) -> Iterator[Issue]:
    boxes = [scene.own_box(i) for i in items]
    usual = median(width(b) for b in boxes), median(height(b) for b in boxes)
    for item, b in zip(items, boxes, strict=True):
        for value, want in zip((width(b), height(b)), usual, strict=True):
            if abs(value - want) > max(0.02 * want, 0.003):
                yield found(
                    "grid.uneven",
                    "error",
                    f"{item.name} measures {value:.3f} where the grid's others measure {want:.3f}",
                    (item.name,),
                    numbers={"found": value, "expected": want},
                    mend=scale_words(item.name, want / max(value, 1e-9)),
                    marks=(box(b, item.name),),
                    phrase=grid.phrase,
                )
                break
