"""A contact sheet of the lexicon: every entry drawn in a cell, with its name.

python benchmarks/lexicon_sheet.py sheet.png                  # everything
python benchmarks/lexicon_sheet.py sheet.png --page 3         # twenty entries, large enough to judge
python benchmarks/lexicon_sheet.py sheet.png --names cat,dog
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from resvg_py import svg_to_bytes

from redraft.offline.lexicon import Entry, find, names

CELL = 260
"""Pixels."""
VIEW = 0.62
"""How much of the canvas a cell shows; things are drawn 0.5 of a canvas large."""


def element(stroke: Mapping[str, Any]) -> str:
    """One stroke of a draft as an SVG element."""
    paint = (
        f'fill="{stroke["fill"]}" stroke="{stroke["stroke"]}" stroke-width="{stroke["width"]}" '
        'stroke-linejoin="round" stroke-linecap="round"'
    )
    match stroke["kind"]:
        case "ellipse":
            shape = 'ellipse cx="{cx}" cy="{cy}" rx="{rx}" ry="{ry}"'.format(**stroke)
        case "rect":
            shape = 'rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}"'.format(**{"r": 0, **stroke})
        case "path":
            shape = f'path d="{stroke["d"]}"'
        case "text":
            place = 'x="{x}" y="{y}" font-size="{size}" text-anchor="middle"'.format(**stroke)
            return f'<text {place} font-family="Inter" fill="{stroke["fill"]}">{escape(stroke["text"])}</text>'
        case _:
            shape = 'polyline points="{}"'.format(" ".join(f"{x},{y}" for x, y in stroke["points"]))
    return f"<{shape} {paint}/>"


def cell(entry: Entry, left: float, top: float) -> str:
    """An entry in its cell, with its name below; `left` and `top` in pixels."""
    scale = 0.5 / max(1.0, entry.aspect)
    w, h = entry.aspect * scale, scale
    x, y = (VIEW - w) / 2, 0.03 + (0.52 - h) / 2
    _, strokes = entry.realise((x, y, x + w, y + h), prefix="thing", label=entry.name)
    drawn = "".join(element(s) for s in strokes)
    return (
        f'<rect x="{left + 3}" y="{top + 3}" width="{CELL - 6}" height="{CELL - 6}" rx="8" fill="#fbfaf7"/>'
        f'<g transform="translate({left},{top}) scale({CELL / VIEW})">{drawn}</g>'
        f'<text x="{left + CELL / 2}" y="{top + CELL - 10}" font-size="15" text-anchor="middle" '
        f'font-family="Inter" fill="#555555">{escape(entry.name)}</text>'
    )


def sheet(entries: Sequence[Entry], columns: int) -> str:
    """The sheet as SVG."""
    rows = -(-len(entries) // columns)
    cells = [cell(e, CELL * (i % columns), CELL * (i // columns)) for i, e in enumerate(entries)]
    size = f'width="{CELL * columns}" height="{CELL * rows}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect {size} fill="#ffffff"/>{"".join(cells)}</svg>'


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("png", type=Path)
    parser.add_argument("--page", type=int, help="twenty entries, from 1")
    parser.add_argument("--names", default="", help="comma-separated")
    parser.add_argument("--columns", type=int, default=5)
    options = parser.parse_args(argv)
    wanted = [n for n in options.names.split(",") if n] or list(names())
    if options.page:
        wanted = wanted[20 * (options.page - 1) : 20 * options.page]
    entries = [e for e in map(find, wanted) if e is not None]
    font = Path(__file__).parents[1] / "src/redraft/fonts/Inter-Regular.otf"
    picture = svg_to_bytes(svg_string=sheet(entries, options.columns), font_files=[str(font)], skip_system_fonts=True)
    options.png.write_bytes(bytes(picture))
    print(f"{len(entries)} entries in {options.png}")


if __name__ == "__main__":
    main()
