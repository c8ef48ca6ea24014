"""What it takes to look at a board: milliseconds and tokens of compass, microscope and picture.

    python benchmarks/views.py [board.kicad_pcb …] [--looks 40] [--padding 5]

Without boards: those that come with KiCad. For each: the first look at a part (cold: what its window needs is read
then), the median of later looks at parts spread over the board (warm), the picture of such a window, the compass; and
the largest count of tokens of all of these by two real tokenizers, whichever counts more.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from redraft.layout.items import Layout
from redraft.studios.board.board import Board
from redraft.studios.board.views.compass import compass
from redraft.studios.board.views.microscope import get_visual_context, inspect_components

DEMOS = Path("/usr/share/kicad/demos")


def tokens(text: str) -> int:
    from rs_bpe import bpe  # pyright: ignore[reportUnknownVariableType]

    openai: Any = bpe.openai  # pyright: ignore[reportUnknownMemberType]
    return max(int(encoder.count(text)) for encoder in (openai.o200k_base(), openai.cl100k_base()))


def milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - start)


def row(path: Path, looks: int, padding: float) -> str:
    layout = Board.read(path).layout
    names = [item.name for item in layout.items[:: max(1, len(layout) // looks)]]
    cold = milliseconds(lambda: inspect_components(layout, names[:1], padding))
    warm = [_warm(layout, name, padding) for name in names]
    most = max(tokens(inspect_components(layout, [name], padding).text()) for name in names)
    picture = median(milliseconds(lambda n=n: get_visual_context(layout, [n], padding)) for n in names[:5])
    words = milliseconds(lambda: compass(layout))
    return (
        f"{path.stem[:30]:30} {len(layout):6} {cold:9.1f} {median(warm):9.2f} {max(warm):9.2f} {most:7} "
        f"{picture:9.0f} {words:9.0f} {tokens(compass(layout)):8}"
    )


def _warm(layout: Layout, name: str, padding: float) -> float:
    """The best of three."""
    return min(milliseconds(lambda: inspect_components(layout, [name], padding)) for _ in range(3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", type=Path)
    parser.add_argument("--looks", type=int, default=40)
    parser.add_argument("--padding", type=float, default=5.0)
    args = parser.parse_args()
    print(f"{'board':30}  parts   cold ms   warm ms   most ms  tokens   png ms  compass ms  tokens")
    boards = args.boards or sorted(DEMOS.rglob("*.kicad_pcb"))
    assert boards, f"no board in {DEMOS} (kicad-demos)"
    for path in boards:
        print(row(path, args.looks, args.padding), flush=True)


if __name__ == "__main__":
    main()
