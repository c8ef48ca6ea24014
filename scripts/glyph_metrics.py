# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools"]
# ///
"""Writes `src/redraft/drawing/glyphs.json`, the metrics of the shipped font: `uv run scripts/glyph_metrics.py`.

Run it again when the font changes. Five columns: advance, x0, y0, x1, y1 of the ink, in font units, y up;
one row for each code point, which are given by the steps between them, from .notdef at -1.
The font is Inter 3.19 without private code points, phonetic extensions and ancient Greek, and without kerning and
ligatures, which drawings turn off:

    pyftsubset Inter-Regular.otf --unicodes=0000-1CFF,1E00-1EFF,2000-DFFF,F900-FFFF --no-hinting --notdef-outline
        --name-IDs=* --layout-features=ccmp,locl,mark,mkmk
"""

import json
from itertools import pairwise
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1] / "src/redraft"


def main() -> None:
    font = TTFont(ROOT / "drawing/fonts/Inter-Regular.otf")
    glyphs = font.getGlyphSet()
    codes: list[int] = []
    rows: list[list[int]] = []
    for code, name in [(-1, ".notdef"), *sorted(font.getBestCmap().items())]:
        pen = BoundsPen(glyphs)
        glyphs[name].draw(pen)
        x0, y0, x1, y1 = pen.bounds or (0, 0, 0, 0)
        codes.append(code)
        rows.append([glyphs[name].width, round(x0), round(y0), round(x1), round(y1)])
    steps = [codes[0], *(after - before for before, after in pairwise(codes))]
    data = {"units_per_em": font["head"].unitsPerEm, "steps": steps, "columns": list(zip(*rows, strict=True))}
    (ROOT / "drawing/glyphs.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
