"""How long the validator takes for 10, 100, 1,000 and 10,000 parts, and whether that grows like n log n.

    python benchmarks/rules_speed.py

The layouts are towns: houses of ten parts each (wall, roof, door with knob, windows with crosses, chimney) on streets,
in a frame that grows with them; one house in twenty has a loose window, so that there is something to report. Then
2,000 parts in heaps: discs of one kind on each other, discs of seven kinds, discs side by side that reach into each
other, a grid of tiles that overlap, and texts on each other. Exits 1 when 10,000 parts of a town, or 2,000 in a heap,
take a second or more. Time is the processor's: the validator uses one thread and waits for nothing, so on an idle
machine that is what the clock shows.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from functools import partial

from shapely.geometry import LineString, Point, Polygon, box

from redraft.layout.items import Frame, Item, Layout
from redraft.result import Report
from redraft.studios.sketch.rules import SemanticValidator

SIZES = (10, 100, 1_000, 10_000)
HEAP = 2_000
AIM = 1.0
REPEATS = 3


def house(index: int, columns: int) -> list[Item]:
    """Ten parts, about 0.6 wide and 0.7 tall, in a cell of one unit."""
    x, y, name = float(index % columns), float(index // columns), f"house_{index}"
    loose = 0.3 if index % 20 == 7 else 0.0
    panes = [(0.24, "left"), (0.58, "right")]
    parts = [
        Item(name, "house", box(x + 0.2, y + 0.5, x + 0.8, y + 0.9)),
        Item(f"roof_{index}", "roof", Polygon([(x + 0.16, y + 0.5), (x + 0.5, y + 0.25), (x + 0.84, y + 0.5)]), name),
        Item(f"chimney_{index}", "chimney", box(x + 0.64, y + 0.24, x + 0.7, y + 0.42), name),
        Item(f"door_{index}", "door", box(x + 0.44, y + 0.68, x + 0.56, y + 0.9), name),
        Item(f"knob_{index}", "knob", Point(x + 0.54, y + 0.8).buffer(0.01), f"door_{index}"),
        Item(f"step_{index}", "step", box(x + 0.42, y + 0.9, x + 0.58, y + 0.92), name),
    ]
    for left, side in panes:
        dy = -loose if side == "left" else 0.0
        pane = box(x + left, y + 0.58 + dy, x + left + 0.16, y + 0.72 + dy)
        cross = LineString([(x + left + 0.08, y + 0.58 + dy), (x + left + 0.08, y + 0.72 + dy)]).buffer(0.005)
        parts.append(Item(f"window_{index}_{side}", "window", pane, name))
        parts.append(Item(f"cross_{index}_{side}", "cross", cross, f"window_{index}_{side}", is_line=True))
    return parts


def town(parts: int) -> Layout:
    """A layout of so many parts, in tens."""
    houses = max(1, parts // 10)
    columns = math.ceil(math.sqrt(houses))
    items = [part for index in range(houses) for part in house(index, columns)]
    return Layout(tuple(items), Frame(bounds=(0.0, 0.0, float(columns), float(math.ceil(houses / columns)))))


def stacked(parts: int, kinds: int = 1, shift: float = 1e-5) -> Layout:
    """Discs on each other, each shifted a little."""
    discs = (Point(0.4 + shift * i, 0.5).buffer(0.2) for i in range(parts))
    return Layout(
        tuple(Item(f"thing{chr(97 + i % kinds)}_{i}", f"thing {i % kinds}", disc) for i, disc in enumerate(discs))
    )


def tiles(parts: int) -> Layout:
    """A grid of squares, each of which reaches into its neighbors."""
    columns = math.ceil(math.sqrt(parts))
    side = 0.9 / columns
    corners = ((0.05 + i % columns * side, 0.05 + i // columns * side) for i in range(parts))
    return Layout(
        tuple(Item(f"tile_{i}", "tile", box(x, y, x + 1.4 * side, y + 1.4 * side)) for i, (x, y) in enumerate(corners))
    )


def labels(parts: int) -> Layout:
    """Lines of text on each other."""
    lines = [box(0.3 + 1e-5 * i, 0.5, 0.6 + 1e-5 * i, 0.55) for i in range(parts)]
    return Layout(
        tuple(Item(f"name_{i}", "name", line, texts=("name",), letters=(line,)) for i, line in enumerate(lines))
    )


HEAPS: dict[str, Callable[[int], Layout]] = {
    "discs of one kind": stacked,
    "discs of 7 kinds": partial(stacked, kinds=7),
    "discs in a row": partial(stacked, shift=1e-4),
    "tiles": tiles,
    "texts": labels,
}


def seconds(layout_of: Callable[[int], Layout], parts: int) -> tuple[float, Report]:
    """Processor time of the fastest of a few runs on a fresh layout, and the report."""
    best, report = math.inf, Report()
    for _ in range(REPEATS):
        layout, validator = layout_of(parts), SemanticValidator()
        start = time.process_time()
        report = validator.validate(layout)
        best = min(best, time.process_time() - start)
    return best, report


def main() -> int:
    seconds(town, 10)  # tables are read and modules warmed once
    found = {parts: seconds(town, parts) for parts in SIZES}
    unit = found[1_000][0] / (1_000 * math.log2(1_000))
    print(f"{'parts':>7} {'time':>11} {'issues':>7} {'to n log n':>11}")
    for parts, (time_taken, report) in found.items():
        ratio = time_taken / (unit * parts * math.log2(parts))
        print(f"{parts:>7,} {time_taken * 1000:>8.1f} ms {_number(report):>7} {ratio:>11.2f}")
    slowest = found[SIZES[-1]][0]
    assert all(_number(report) >= parts // 100 for parts, (_, report) in found.items()), "too few issues were found"
    print(f"{HEAP:,} parts in a heap:")
    for name, heap in HEAPS.items():
        time_taken, report = seconds(heap, HEAP)
        size = len(report.model_dump_json()) / 1_000
        print(f"  {name:<18} {time_taken * 1000:>8.1f} ms {len(report.issues):>4} issues listed, {size:.0f} kB")
        slowest = max(slowest, time_taken)
    print(f"aim: each under {AIM:.0f} s: {'reached' if slowest < AIM else 'MISSED'}")
    return 0 if slowest < AIM else 1


def _number(report: Report) -> int:
    """The number of issues, listed or only counted."""
    return sum(issue.count for issue in report.issues)


if __name__ == "__main__":
    sys.exit(main())
