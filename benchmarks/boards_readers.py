"""One board in one program that reads KiCad's files: seconds to load it, to move a part and save it.

    python boards_readers.py pcbnew in.kicad_pcb out.kicad_pcb

Run by `boards.py` in the Python that has the reader, in a process of its own, so it needs nothing but that. Prints one
line of JSON: the reader's version, the seconds of its import, of loading, of moving the first footprint by a millimetre
and saving, and how many footprints it saw. What goes wrong is written down under `fails`, with the step.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, NamedTuple

Loaded = tuple[int, Callable[[str], object] | None]
"""How many footprints there are, and what moves the first one and saves; None: it cannot write."""


class Reader(NamedTuple):
    """A program to compare with."""

    package: str
    """On PyPI; empty for KiCad itself."""
    module: str
    load: Callable[[Any, str], Loaded]
    """From its module and a path."""


def _pcbnew(module: Any, path: str) -> Loaded:
    board = module.LoadBoard(path)
    parts = board.GetFootprints()

    def save(out: str) -> None:
        parts[0].Move(module.VECTOR2I(1_000_000, 0))
        module.SaveBoard(out, board, True)  # True: the project beside it is left alone

    return len(parts), save


def _kiutils(module: Any, path: str) -> Loaded:
    board = module.Board.from_file(path)

    def save(out: str) -> None:
        board.footprints[0].position.X += 1.0
        board.to_file(out)

    return len(board.footprints), save


def _skip(module: Any, path: str) -> Loaded:
    board = module.PCB(path)

    def save(out: str) -> None:
        place = board.footprint[0].at
        place.value = [place.value[0] + 1.0, *place.value[1:]]
        board.write(out)

    return len(board.footprint), save


def _tools(module: Any, path: str) -> Loaded:
    board = module.PCB.load(path)

    def save(out: str) -> None:
        part = board.footprints[0]
        board.update_footprint_position(part.reference, part.position[0] + 1.0, part.position[1])
        board.save(out)

    return len(board.footprints), save


def _files(module: Any, path: str) -> Loaded:
    board = module.KicadPcb.from_file(path, module.ParseStrictness.FAILSAFE)

    def save(out: str) -> None:
        board.footprints[0].at.x += 1.0
        board.save_to_file(out)

    return len(board.footprints), save


def _monkey(module: Any, path: str) -> Loaded:
    board = module.KiCadPcb.from_file(path)

    def save(out: str) -> None:
        board.footprints[0].at_x += 1.0
        board.save(out)

    return len(board.footprints), save


def _edea(module: Any, path: str) -> Loaded:
    board = module.load_pcb(path)
    return len(board.footprints), None


def _fenolite(module: Any, path: str) -> Loaded:
    design = module.read_board(Path(path).read_text(encoding="utf-8"), file=path)
    return len(design.board.footprints), None


READERS = {
    "pcbnew": Reader("", "pcbnew", _pcbnew),
    "kiutils": Reader("kiutils", "kiutils.board", _kiutils),
    "kicad-skip": Reader("kicad-skip", "skip", _skip),
    "kicad-tools": Reader("kicad-tools", "kicad_tools.schema.pcb", _tools),
    "kicadfiles": Reader("kicadfiles", "kicadfiles", _files),
    "kicad-monkey": Reader("kicad-monkey", "kicad_monkey", _monkey),
    "edea": Reader("edea", "edea.kicad.parser", _edea),
    "fenolite": Reader("fenolite", "fenolite.backends.kicad.pcb", _fenolite),
}
"""Every reader of today's boards that was found; `pcbnew` is KiCad's own."""


def measured(name: str, path: str, out: str) -> dict[str, Any]:
    """What is printed; a failure is a result, whatever its kind."""
    reader, found, step = READERS[name], dict[str, Any](), "import"
    try:
        start = time.perf_counter()
        module = import_module(reader.module)
        found["import"] = time.perf_counter() - start
        found["version"] = metadata.version(reader.package) if reader.package else module.GetBuildVersion()
        step, start, used = "load", time.perf_counter(), time.process_time()
        found["parts"], save = reader.load(module, path)
        found["load"], found["cpu"] = time.perf_counter() - start, time.process_time() - used
        if save is not None:
            step, start = "save", time.perf_counter()
            save(out)
            found["save"] = time.perf_counter() - start
    except Exception as wrong:  # a reader of others may raise anything at all, which is what is measured here
        words = re.sub(r"\s+", " ", str(wrong))[:90]
        found["fails"] = f"{step}: {type(wrong).__name__} {words}"
    return found


if __name__ == "__main__":
    answer = measured(*sys.argv[1:4])
    print("\n" + json.dumps(answer), flush=True)
