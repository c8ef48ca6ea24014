"""The pictures of the README: recorded drawings of a capable model, and the offline model's, each on one sheet.

python benchmarks/gallery.py docs
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

from redraft import api
from redraft.models.base import Model
from validity import HERE, RECORDINGS, RecordedModel

TILE, GAP, COLUMNS = 220, 6, 6
OFFLINE = (
    "a house with two windows and a door, a tree to its left, the sun above",
    "a snowman between two pine trees",
    "a clock showing 10:10",
    "a row of four houses, equally spaced, the second one taller",
    "six birds above a tree",
    "a red car below a bridge",
)


def picture(brief: str, model: Model | None) -> Image.Image:
    """The delivered PNG of one run."""
    with tempfile.TemporaryDirectory() as folder:
        result = api.run("sketch", brief, model=model, out=Path(folder) / "run")
        return Image.open(io.BytesIO(result.files["png"].read_bytes())).convert("RGB")


def sheet(pictures: list[Image.Image], path: Path) -> None:
    """Tiles in rows, in a palette that keeps the file small."""
    rows = -(-len(pictures) // COLUMNS)
    size = (COLUMNS * (TILE + GAP) + GAP, rows * (TILE + GAP) + GAP)
    canvas = Image.new("RGB", size, "#ffffff")
    for number, tile in enumerate(pictures):
        row, column = divmod(number, COLUMNS)
        at = (GAP + column * (TILE + GAP), GAP + row * (TILE + GAP))
        canvas.paste(tile.resize((TILE, TILE), Image.Resampling.LANCZOS), at)
    canvas.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> int:
    out = Path(sys.argv[1])
    chosen = (HERE / "data" / "gallery.txt").read_text(encoding="utf-8").split()
    models = [RecordedModel(RECORDINGS / f"{name}.jsonl") for name in chosen]
    sheet([picture(model.brief, model) for model in models], out / "gallery.png")
    sheet([picture(brief, None) for brief in OFFLINE], out / "offline.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
