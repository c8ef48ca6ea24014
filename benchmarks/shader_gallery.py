"""The sheet of shaders in the README: recorded ones of a capable model, and the offline model's, one frame of each.

Recorded drafts and fixes are given back by their place in the run and rendered anew. A fix that one recording paid for
is known to the next, as it was when they were made. Needs OpenGL through EGL.

    python benchmarks/shader_gallery.py docs     # writes docs/shaders.png
"""

from __future__ import annotations

import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from redraft import api
from redraft.config import load
from redraft.models.base import Model
from validity import HERE, RecordedModel

RECORDINGS = HERE.parent / "tests" / "data" / "recordings" / "shaders"
TILE, GAP, COLUMNS = 294, 8, 4
DRAWN = 2 * TILE
"""Pixels at which a frame is rendered; it is then reduced, against jagged edges."""
FRAMES = 12
LARGEST = 600_000
"""Bytes of the sheet."""


@dataclass(frozen=True)
class Chosen:
    """One tile: a recording's name or words for the offline model, and which of twelve frames is shown."""

    what: str
    frame: int
    loop: bool = False


RECORDED = (
    Chosen("aurora", 4),
    Chosen("koi", 2, loop=True),
    Chosen("window", 11),
    Chosen("ink", 9),
    Chosen("lava", 4),
    Chosen("lighthouse", 4, loop=True),
)
OFFLINE = (
    Chosen("a spinning spiral of candy colours", 3, loop=True),
    Chosen("mountains at sunset with mist and a few stars", 0),
)


def tile(chosen: Chosen, brief: str, model: Model | None, folder: Path) -> Image.Image:
    """One frame of a run's delivered shader."""
    reference = RECORDINGS / f"{chosen.what}-reference.glsl"
    settings = {"width": DRAWN, "height": DRAWN, "frames": FRAMES, "loop": chosen.loop, "limit": 120.0}
    values = {f"studios.shader.{name}": value for name, value in settings.items()}
    result = api.run(
        "shader",
        brief,
        config=load(None, values | {"memory": f"sqlite:{folder / 'fixes.sqlite'}", "loop.critic": False}).config,
        model=model,
        reference=reference if reference.exists() else None,
        out=folder / chosen.what.replace(" ", "-"),
    )
    path = result.files["frames"] / f"frame-{chosen.frame:03}.png"
    with Image.open(path) as picture:
        return picture.convert("RGB").resize((TILE, TILE), Image.Resampling.LANCZOS)


def sheet(tiles: list[Image.Image]) -> Image.Image:
    """Tiles in rows on white."""
    rows = -(-len(tiles) // COLUMNS)
    canvas = Image.new("RGB", (COLUMNS * (TILE + GAP) - GAP, rows * (TILE + GAP) - GAP), "#ffffff")
    for number, picture in enumerate(tiles):
        row, column = divmod(number, COLUMNS)
        canvas.paste(picture, (column * (TILE + GAP), row * (TILE + GAP)))
    return canvas


def small_png(picture: Image.Image) -> bytes:
    """PNG of at most `LARGEST` bytes: channels are rounded no more than that takes, to steps of 1, 2, 3 … of 255."""
    for step in range(1, 32):
        levels = [min(255, round(value / step) * step) for value in range(256)] * 3
        file = io.BytesIO()
        picture.point(levels).save(file, "PNG", optimize=True)
        if file.tell() <= LARGEST:
            return file.getvalue()
    raise SystemExit(f"even in steps of 31 the sheet has more than {LARGEST:,} bytes")


def main() -> int:
    out = Path(sys.argv[1]) / "shaders.png"
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tiles = list[Image.Image]()
        for chosen in RECORDED:
            model = RecordedModel(RECORDINGS / f"{chosen.what}.jsonl")
            tiles.append(tile(chosen, model.brief, model, Path(folder)))
        tiles += [tile(chosen, chosen.what, None, Path(folder)) for chosen in OFFLINE]
    out.write_bytes(small_png(sheet(tiles)))
    print(f"{out}: {out.stat().st_size // 1000} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
