"""The nearest legal placement of n random rectangles: how far things move, what is proven, and what it takes.

    python benchmarks/solver.py [--sizes 10,20,40,100,400] [--fill 0.4] [--effort 2] [--runs 2]

Rectangles of sides 0.5 to 1.5 of the mean are thrown at random on the unit canvas, of which they cover `fill` in all;
about as many overlap as on a first draft of a crowded drawing. `legalize` shifts them, as little as possible in all,
until none overlap. Stated for each n: the sum of absolute moves, the bound that no placement can be below, whether
the two are equal (proven), deterministic seconds (the limit is on these, not on the clock), seconds of the clock,
and whether every run gave the same answer to the last digit. The result is checked by shapely, not by the solver.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import combinations

from shapely.geometry import box

from redraft.layout.items import Item, Layout, Solution
from redraft.studios.board.solve.legalize import EFFORT, legalize


def crowd(count: int, fill: float, seed: int) -> Layout:
    """So many rectangles at random places."""
    rng = random.Random(seed)
    side = (fill / count) ** 0.5
    items: list[Item] = []
    for index in range(count):
        w, h = side * rng.uniform(0.5, 1.5), side * rng.uniform(0.5, 1.5)
        x, y = rng.uniform(0, 1 - w), rng.uniform(0, 1 - h)
        items.append(Item(f"r{index:03}", "rectangle", box(x, y, x + w, y + h)))
    return Layout(tuple(items))


def overlaps(layout: Layout) -> int:
    """Pairs that share more than two quanta of width, by shapely."""
    shapes = [item.shape.buffer(-1e-6, join_style="mitre") for item in layout]
    return sum(a.intersects(b) for a, b in combinations(shapes, 2))


def measure(layout: Layout, effort: float) -> tuple[Solution, float]:
    start = time.perf_counter()
    solution = legalize(layout, effort=effort, seed=1)
    return solution, time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10,20,40,100,400")
    parser.add_argument("--fill", type=float, default=0.4)
    parser.add_argument("--effort", type=float, default=EFFORT)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    failed = 0
    print("   n  overlaps  moved     bound     proven  left  det. s   clock s  same")
    for count in (int(n) for n in args.sizes.split(",")):
        layout = crowd(count, args.fill, args.seed)
        found = [measure(layout, args.effort) for _ in range(args.runs)]
        solution, seconds = found[0][0], min(s for _, s in found)
        same = all(other == solution for other, _ in found)
        left = overlaps(layout.moved(solution.moves))
        assert solution.moves, f"nothing of {count} overlapping parts was moved"
        failed += bool(left) + (not same)
        print(
            f"{count:4}  {overlaps(layout):8}  {solution.moved:.6f}  {solution.bound:.6f}  {solution.proven!s:6}  "
            f"{left:4}  {solution.effort:6.2f}  {seconds:8.2f}  {same}"
        )
    print(f"nothing overlaps, and every run is the same: {'reached' if not failed else 'MISSED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
