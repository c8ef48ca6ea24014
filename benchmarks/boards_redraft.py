"""One board in redraft, in a process of its own: seconds to open, load, look, act and save, and the memory of it all.

    python benchmarks/boards_redraft.py in.kicad_pcb out.kicad_pcb

Prints one line of JSON. `open` is `Board.read`: the bytes read and indexed. `load` is that and the layout: of every
footprint its name, place, room, body and pads, and the board's outline and keep-outs. `cold` is the first look at a
part, for which tracks and zones are read; `warm` the median of later looks, at parts all over the board; `action` the
median of `place_relative` with clearances and collisions told; `save` a part moved by a millimetre and the board
written. `memory` is the largest the process ever was, in MB.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redraft.layout.items import Layout

LOOKS = 40
PADDING = 5.0


def measured(path: Path, out: Path) -> dict[str, float]:
    start = time.perf_counter()
    from redraft.layout.items import Move
    from redraft.studios.board.board import Board
    from redraft.studios.board.views.microscope import inspect_components

    found = {"import": time.perf_counter() - start}
    start, used = time.perf_counter(), time.process_time()
    board = Board.read(path)
    found["open"] = time.perf_counter() - start
    layout = board.layout
    found["load"], found["cpu"] = time.perf_counter() - start, time.process_time() - used
    found["parts"] = len(layout)
    names = [item.name for item in layout.items[:: max(1, len(layout) // LOOKS)]]
    found["cold"] = seconds(lambda: inspect_components(layout, names[:1], PADDING))
    found["warm"] = median(seconds(lambda n=name: inspect_components(layout, [n], PADDING)) for name in names)
    found["action"] = actions(layout)
    found["save"] = seconds(lambda: board.amend([Move(names[0], (1, 0, 0, 1, 1.0, 0))]).save(out))
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def actions(layout: Layout) -> float:
    """The median of one kind on random parts; 0 where there are not two that can be moved."""
    from redraft.studios.board.actions.registry import PlaceRelative
    from redraft.studios.board.actions.workspace import Workspace

    workspace, rng, times = Workspace(layout), random.Random(1), list[float]()
    free = [item.name for item in layout if not item.locked]
    for _ in range(LOOKS if len(free) > 1 else 0):
        ref, target = rng.sample(free, 2)
        asked = PlaceRelative(ref=ref, target=target, clearance=0.5, allow_overlap=True)
        times.append(seconds(lambda asked=asked: workspace.copy().do(asked)))
    return median(times) if times else 0.0


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    print(json.dumps(measured(Path(sys.argv[1]), Path(sys.argv[2]))))
