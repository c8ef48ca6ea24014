"""What KiCad itself reads in a board: `pcbnew` asked in a process of its own.

Run with `/usr/bin/python3 pcbnew_facts.py board.kicad_pcb …` it prints one line of JSON for each board. Lengths are
nanometres, as in KiCad; boxes are x0, y0, x1, y1.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

PCBNEW = cache(partial(import_module, "pcbnew"))
"""KiCad's module, in KiCad's process only."""
ERROR = 20
"""Nanometres that KiCad's polygons may stray from true arcs."""


def facts(python: str, *boards: Path) -> list[dict[str, Any]]:
    """What `pcbnew` says of each board, by a Python that has it: see `board_facts`."""
    command = [python, __file__, *map(str, boards)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=380, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines() if line.startswith("{")]


def board_facts(path: str) -> dict[str, Any]:
    board = PCBNEW().LoadBoard(path)
    return {"footprints": [footprint_facts(footprint) for footprint in board.GetFootprints()]}


def footprint_facts(footprint: Any) -> dict[str, Any]:
    return {
        "uuid": footprint.m_Uuid.AsString(),
        "reference": footprint.GetReference(),
        "value": footprint.GetValue(),
        "at": [footprint.GetPosition().x, footprint.GetPosition().y],
        "angle": footprint.GetOrientationDegrees(),
        "back": footprint.IsFlipped(),
        "locked": footprint.IsLocked(),
        "pads": [pad_facts(pad) for pad in footprint.Pads()],
        "front": polygon_facts(footprint.GetCourtyard(PCBNEW().F_CrtYd)),
        "rear": polygon_facts(footprint.GetCourtyard(PCBNEW().B_CrtYd)),
        "malformed": bool(footprint.HasFlag(PCBNEW().MALFORMED_COURTYARDS)),
    }


def pad_facts(pad: Any) -> dict[str, Any]:
    front, back = pad.IsOnLayer(PCBNEW().F_Cu), pad.IsOnLayer(PCBNEW().B_Cu)
    shape = PCBNEW().SHAPE_POLY_SET()
    pad.TransformShapeToPolygon(
        shape, PCBNEW().B_Cu if back and not front else PCBNEW().F_Cu, 0, ERROR, PCBNEW().ERROR_INSIDE
    )
    return {
        "number": pad.GetNumber(),
        "at": [pad.GetPosition().x, pad.GetPosition().y],
        "net": pad.GetNetname(),
        "front": front,
        "back": back,
        "kind": pad.GetAttribute(),
        "shape": pad.GetShape(),
        "drill": max(pad.GetDrillSizeX(), pad.GetDrillSizeY()),
        **polygon_facts(shape),
    }


def polygon_facts(shape: Any) -> dict[str, Any]:
    """The box is that of the corners: KiCad's own is larger where it keeps a pen's width with a courtyard."""
    outlines = [shape.Outline(i) for i in range(shape.OutlineCount())]
    points = [outline.CPoint(i) for outline in outlines for i in range(outline.PointCount())]
    xs, ys = [point.x for point in points] or [0], [point.y for point in points] or [0]
    return {"area": shape.Area(), "box": [min(xs), min(ys), max(xs), max(ys)], "outlines": len(outlines)}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(json.dumps(board_facts(name)), flush=True)
