"""The sheet of images in the README: what was asked for, the prompt's first lines, and the prompt as it was drawn.

The prompts are those of six runs of `redraft image --scoring`, and the drawings what the sketch studio was given for
them: both by a large language model that was asked through an inbox. It wrote the drawings by programs of its own.
They run again through the sketch studio.

    python benchmarks/image_gallery.py docs     # writes docs/images.png
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from pydantic import BaseModel, TypeAdapter

from redraft import api
from redraft.config import Config
from redraft.models.scripted import ScriptedModel
from shader_gallery import small_png
from validity import HERE

DATA = HERE / "data" / "images.json.gz"
TILE, GAP, COLUMNS, CAPTION = 400, 16, 3, 98
ASKED, SAID = 23, 19
"""Pixels of the letters below a picture."""
SATISFIED = json.dumps({"satisfied": True, "score": 9, "summary": "As it was asked for.", "differences": []})


class Drawn(BaseModel):
    """One picture: what was asked for, the final prompt, and the reply in which it was drawn."""

    concepts: tuple[str, ...]
    prompt: str
    drawing: str


def read() -> list[Drawn]:
    return TypeAdapter(list[Drawn]).validate_json(gzip.decompress(DATA.read_bytes()))


def picture(drawn: Drawn) -> Image.Image:
    """The prompt as the sketch studio delivers it."""
    config = Config(studios={"sketch": {"size": 2 * TILE}})
    with tempfile.TemporaryDirectory() as folder:
        model = ScriptedModel([drawn.drawing, SATISFIED])
        result = api.run("sketch", drawn.prompt, described=True, config=config, model=model, out=Path(folder) / "run")
        with Image.open(io.BytesIO(result.files["png"].read_bytes())) as png:
            return png.convert("RGB").resize((TILE, TILE), Image.Resampling.LANCZOS)


def fitting(text: str, font: ImageFont.FreeTypeFont, lines: int) -> str:
    """As many words as so many lines hold, with an ellipsis where there are more."""
    left, found = text.split(), list[str]()
    while left and len(found) < lines:
        last = len(found) == lines - 1
        held = next(n for n in range(len(left), 0, -1) if font.getlength(_line(left, n, last=last)) <= TILE)
        found.append(_line(left, held, last=last))
        left = left[held:]
    return "\n".join(found)


def _line(words: list[str], count: int, *, last: bool) -> str:
    return " ".join(words[:count]) + (" …" if last and count < len(words) else "")


def sheet(drawn: list[Drawn]) -> Image.Image:
    """Tiles in rows on white, each with its words below."""
    rows = -(-len(drawn) // COLUMNS)
    width, height = COLUMNS * (TILE + GAP) + GAP, rows * (TILE + CAPTION + GAP) + GAP
    canvas = Image.new("RGB", (width, height), "#ffffff")
    pen = ImageDraw.Draw(canvas)
    large, small = font(ASKED), font(SAID)
    for number, each in enumerate(drawn):
        row, column = divmod(number, COLUMNS)
        x, y = GAP + column * (TILE + GAP), GAP + row * (TILE + CAPTION + GAP)
        canvas.paste(picture(each), (x, y))
        pen.text((x, y + TILE + 8), fitting(", ".join(each.concepts), large, 1), "#1b1f24", large)
        pen.text((x, y + TILE + 40), fitting(each.prompt, small, 2), "#59636e", small)
    return canvas


def font(size: int) -> ImageFont.FreeTypeFont:
    """The font that Pillow brings."""
    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont), "Pillow is built without FreeType"
    return found


def main() -> int:
    target = Path(sys.argv[1]) / "images.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(small_png(sheet(read())))
    print(f"{target}: {target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
