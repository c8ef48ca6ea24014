"""The sheet of scenes in the README: recorded ones of a capable model, and the offline model's.

The last script of each recording runs again, and is rendered through its camera; the offline model's runs are whole.
Needs Blender.

    python benchmarks/scene_gallery.py docs     # writes docs/scenes.png
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import anyio
from PIL import Image

from redraft import api
from redraft.config import load
from redraft.models.replay import read_recording
from redraft.record.transcript import path_order
from redraft.sandbox.pool import Sandbox
from redraft.studios.scene.execute import Wanted, run_script, survey
from redraft.studios.scene.parse import parse
from redraft.studios.scene.settings import SceneSettings
from shader_gallery import small_png
from validity import HERE

RECORDINGS = HERE.parent / "tests" / "data" / "recordings" / "scenes"
WIDTH, HEIGHT, SAMPLES = 384, 288, 24
TILE, GAP, COLUMNS = (294, 220), 8, 4
RECORDED = ("corner", "harbour", "island", "cafe", "ship", "lighthouse", "blue")
OFFLINE = ("a snowman between two pine trees",)


def last_script(path: Path) -> str:
    """The last script that a recording holds."""
    _, lines = read_recording(path)
    replies = sorted(
        (line for line in lines.values() if "/verify" not in line.path), key=lambda it: path_order(it.path)
    )
    return parse(replies[-1].text).code


async def rendered(codes: Sequence[str], folder: Path) -> list[bytes]:
    """The pictures through the scripts' own cameras."""
    settings, pictures = SceneSettings(limit=60.0), list[bytes]()
    async with Sandbox(folder) as sandbox:
        for code in codes:
            staged = await run_script(code, settings, 0, sandbox)
            # with the .glb it has the time that a render in full has
            wanted = Wanted(camera=(WIDTH, HEIGHT, SAMPLES), glb=True)
            pictures.append((await survey(staged.blend, wanted, settings, sandbox)).parts["camera"])
            print(f"{len(pictures)} of {len(codes)}", flush=True)
    return pictures


def offline(brief: str, folder: Path) -> bytes:
    """The render that a run of the offline model delivers."""
    settings = {"width": WIDTH, "height": HEIGHT, "samples": SAMPLES}
    values = {f"studios.scene.{name}": value for name, value in settings.items()}
    result = api.run("scene", brief, config=load(None, values | {"memory": "none"}).config, out=folder / "run")
    return result.files["png"].read_bytes()


def tile(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGB").resize(TILE, Image.Resampling.LANCZOS)


def sheet(tiles: list[Image.Image]) -> Image.Image:
    """Tiles in rows on white."""
    rows = -(-len(tiles) // COLUMNS)
    width, height = TILE
    canvas = Image.new("RGB", (COLUMNS * (width + GAP) - GAP, rows * (height + GAP) - GAP), "#ffffff")
    for number, picture in enumerate(tiles):
        row, column = divmod(number, COLUMNS)
        canvas.paste(picture, (column * (width + GAP), row * (height + GAP)))
    return canvas


def main() -> int:
    out = Path(sys.argv[1]) / "scenes.png"
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        codes = [last_script(RECORDINGS / f"{name}.jsonl") for name in RECORDED]
        tiles = [tile(png) for png in anyio.run(rendered, codes, Path(folder))]
    for brief in OFFLINE:
        with tempfile.TemporaryDirectory() as folder:
            tiles.append(tile(offline(brief, Path(folder))))
        print(brief, flush=True)
    out.write_bytes(small_png(sheet(tiles)))
    print(f"{out}: {out.stat().st_size // 1000} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
