"""The pictures of the tutorials and of the first page, from a folder in which the tutorials' commands were carried out.

python benchmarks/docs_pictures.py FOLDER docs
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROWS = {
    "sketch": ("flowers/drawing.png", "cloud/drawing.png", "knight/drawing.png"),
    "image": ("lighthouse/image.png", "taste/image.png", "red/image.png"),
    "scene": ("bowl/render.png", "blue/render.png"),
}
"""Pictures side by side, by the name of their tutorial."""
FONT = Path(__file__).parents[1] / "src/redraft/fonts/Inter-Regular.otf"


def opened(path: Path, width: int) -> Image.Image:
    with Image.open(path) as picture:
        whole = picture.convert("RGB")
    return whole.resize((width, round(width * whole.height / whole.width)), Image.Resampling.LANCZOS)


def row(pictures: list[Image.Image]) -> Image.Image:
    """The pictures on white, with 8 pixels between them."""
    sheet = Image.new("RGB", (sum(p.width + 8 for p in pictures) - 8, max(p.height for p in pictures)), "#ffffff")
    left = 0
    for picture in pictures:
        sheet.paste(picture, (left, 0))
        left += picture.width + 8
    return sheet


def turns(run: Path, target: Path) -> list[Image.Image]:
    """The target beside the picture of each turn, with its distance."""
    font = ImageFont.truetype(str(FONT), 17)
    frames = list[Image.Image]()
    for event in map(json.loads, (run / "events.jsonl").read_text("utf-8").splitlines()):
        if event["event"] != "verified":
            continue
        turn = event["iteration"]
        drawn = opened(run / "pictures" / f"iteration-{turn}-validate-0-plain.png", 300)
        frame = Image.new("RGB", (608, 336), "#ffffff")
        frame.paste(row([opened(target, 300), drawn]), (0, 0))
        draw = ImageDraw.Draw(frame)
        draw.text((4, 308), "the target", fill="#333333", font=font)
        draw.text((312, 308), f"turn {turn}: FLIP {event['verdict']['score']:.3f}", fill="#333333", font=font)
        frames.append(frame)
    return frames


def animation(frames: list[Image.Image], milliseconds: list[int], path: Path) -> None:
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=milliseconds, loop=0, quality=80, method=6)


def main() -> int:
    folder, docs = Path(sys.argv[1]), Path(sys.argv[2])
    runs = folder / "runs"
    for name, paths in ROWS.items():
        sheet = row([opened(runs / path, 760 // len(paths)) for path in paths])
        sheet.save(docs / "tutorials" / f"{name}.webp", quality=82, method=6)
    row([opened(runs / name / "board.png", 376) for name in ("capacitor", "placed")]).save(
        docs / "tutorials" / "board.webp", quality=82, method=6
    )
    shutil.copy(runs / "animated" / "drawing.animated.svg", docs / "tutorials" / "sketch.svg")
    aurora = [opened(path, 320) for path in sorted((runs / "aurora" / "frames").glob("*.png"))]
    animation(aurora, [330] * len(aurora), docs / "tutorials" / "shader.webp")
    found = turns(runs / "photo", folder / "photo.png")
    animation(found, [1200] * (len(found) - 1) + [3000], docs / "loop.webp")
    return 0


if __name__ == "__main__":
    sys.exit(main())
