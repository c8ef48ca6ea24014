"""How long the validator takes for 10, 100, 1,000 and 10,000 parts, and whether that grows like n log n.

    python benchmarks/rules_speed.py

The layouts are towns: houses of ten parts each (wall, roof, door with knob, windows with crosses, chimney) on streets,
in a frame that grows with them; one house in twenty has a loose window, so that there is something to report. Exits 1
when 10,000 parts take a second or more. Time is the processor's: the validator uses one thread and waits for nothing,
so on an idle machine that is what the clock shows.
"""

from __future__ import annotations

import math
import sys
import time

from shapely.geometry import LineString, Point, Polygon, box

from redraft.layout import Frame, Item, Layout
from redraft.spatial.rules import SemanticValidator

SIZES = (10, 100, 1_000, 10_000)
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


def seconds(parts: int) -> tuple[float, int]:
    """Processor time of the fastest of a few runs on a fresh layout, and the number of issues found."""
    best, issues = math.inf, 0
    for _ in range(REPEATS):
        layout, validator = town(parts), SemanticValidator()
        start = time.process_time()
        issues = len(validator.validate(layout).issues)
        best = min(best, time.process_time() - start)
    return best, issues


def main() -> int:
    seconds(10)  # tables are read and modules warmed once
    found = {parts: seconds(parts) for parts in SIZES}
    unit = found[1_000][0] / (1_000 * math.log2(1_000))
    print(f"{'parts':>7} {'time':>11} {'issues':>7} {'to n log n':>11}")
    for parts, (time_taken, issues) in found.items():
        ratio = time_taken / (unit * parts * math.log2(parts))
        print(f"{parts:>7,} {time_taken * 1000:>8.1f} ms {issues:>7} {ratio:>11.2f}")
    reached = found[SIZES[-1]][0]
    assert all(issues >= min(parts, 2_000) // 100 for parts, (_, issues) in found.items()), "too few issues were found"
    print(f"aim: {SIZES[-1]:,} parts under {AIM:.0f} s: {'reached' if reached < AIM else 'MISSED'}")
    return 0 if reached < AIM else 1


if __name__ == "__main__":
    sys.exit(main())
