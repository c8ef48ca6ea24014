"""What a save did to a board, by KiCad's own reading: everything but the parts that were moved must be the same.

    /usr/bin/python3 boards_judge.py before.kicad_pcb after.kicad_pcb [more.kicad_pcb …]

Run by `boards.py` in the Python that has `pcbnew`. For each board after the first it prints one line of JSON: `lost`
and `added`, both by kind of thing, are what only one of the two has; `moved` the references of the parts whose place,
angle or side is another; `fails` is there where KiCad does not open it. Lengths are compared to the nanometre.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from importlib import import_module
from typing import Any

Things = Counter[tuple[str, ...]]


def things(pcbnew: Any, path: str) -> tuple[Things, dict[str, str]]:
    """All that a board holds, each as its kind and what is drawn, and where each footprint is."""
    board = pcbnew.LoadBoard(path)
    if board is None:
        raise OSError("pcbnew does not open it")
    found: Things = Counter()
    found.update(("track", *words(t, t.GetStart(), t.GetEnd(), t.GetNetname(), t.GetLayer())) for t in board.Tracks())
    found.update(("zone", *words(z, z.GetNetname(), sorted(z.GetLayerSet().Seq()))) for z in board.Zones())
    found.update(("drawing", *words(d, d.GetLayer())) for d in board.GetDrawings())
    found.update(("net", str(name)) for name in board.GetNetsByName())
    places: dict[str, str] = {}
    for number, part in enumerate(board.GetFootprints()):
        name = f"{part.GetReference()}\t{number}"
        places[name] = " ".join(map(str, (part.GetPosition(), part.GetOrientationDegrees(), part.IsFlipped())))
        found.update(of_part(part, name))
    return found, places


def of_part(part: Any, name: str) -> Things:
    """A footprint's own, in what does not depend on where it is."""
    found: Things = Counter([("footprint", name, part.GetValue(), part.GetFPIDAsString(), str(part.GetAttributes()))])
    for pad in part.Pads():
        sizes = (pad.GetSize(), pad.GetDrillSize(), pad.GetShape(), pad.GetAttribute())
        found["pad", name, pad.GetNumber(), pad.GetNetname(), *map(str, sizes)] += 1
    found.update(("drawing of a footprint", name, item.GetClass()) for item in part.GraphicalItems())
    found.update(("field", name, field.GetName(), field.GetText()) for field in part.GetFields())
    found.update(("model", name, model.m_Filename) for model in part.Models())
    return found


def words(item: Any, *more: object) -> tuple[str, ...]:
    box = item.GetBoundingBox()
    sides = (box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom())
    return (item.GetClass(), *map(str, (*sides, *more)))


def judged(pcbnew: Any, before: tuple[Things, dict[str, str]], path: str) -> dict[str, Any]:
    try:
        after, places = things(pcbnew, path)
    except OSError as wrong:
        return {"fails": str(wrong).strip()[:90]}
    return {
        "lost": Counter(kind for kind, *_ in (before[0] - after).elements()),
        "added": Counter(kind for kind, *_ in (after - before[0]).elements()),
        "moved": sorted(name.partition("\t")[0] for name, at in places.items() if before[1].get(name) != at),
    }


def main(before: str, *after: str) -> None:
    pcbnew = import_module("pcbnew")
    known = things(pcbnew, before)
    for path in after:
        print("\n" + json.dumps(judged(pcbnew, known, path)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
