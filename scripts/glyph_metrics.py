# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools"]
# ///
"""Writes `src/redraft/glyphs.json`, the metrics of the shipped font: `uv run scripts/glyph_metrics.py`.

Run it again when the font changes. For each code point: advance, x0, y0, x1, y1 of the ink, in font units, y up.
The font is Inter 3.19 without private code points and without the features that are off by default:

    pyftsubset Inter-Regular.otf --unicodes=0000-DFFF,F900-FFFF --no-hinting --notdef-outline --name-IDs=*
        --layout-features=kern,liga,rlig,clig,calt,ccmp,locl,mark,mkmk
"""

import json
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1] / "src/redraft"


def main() -> None:
    font = TTFont(ROOT / "fonts/Inter-Regular.otf")
    glyphs = font.getGlyphSet()
    table: dict[str, list[int]] = {}
    for code, name in [(-1, ".notdef"), *sorted(font.getBestCmap().items())]:
        pen = BoundsPen(glyphs)
        glyphs[name].draw(pen)
        x0, y0, x1, y1 = pen.bounds or (0, 0, 0, 0)
        table[str(code)] = [glyphs[name].width, round(x0), round(y0), round(x1), round(y1)]
    rows = ",\n".join(f'"{code}":{json.dumps(row, separators=(",", ":"))}' for code, row in table.items())
    text = f'{{"units_per_em":{font["head"].unitsPerEm},"glyphs":{{\n{rows}\n}}}}\n'
    (ROOT / "glyphs.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
