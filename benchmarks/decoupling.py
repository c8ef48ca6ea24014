"""Decoupling capacitors placed by `decouple`, against where people put them.

    python benchmarks/decoupling.py [board.kicad_pcb …] [--data DIR]

For each component with capacitors on the boards that come with KiCad, and in DIR (packed with gzip or not): the sum of
the distances from the capacitors' supply pads to the nearest pin of their net, pad to pad, in millimeters, as people
placed them (*human*), after `decouple` from there (*own*), and after it from 10 to 30 mm away (*thrown*). Tracks stay,
and block pads of other nets. Aims: no capacitor farther from its pin than before, and nothing over anything that it
was not over before.
"""

from __future__ import annotations

import argparse
import gzip
import math
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft.errors import RedraftError
from redraft.layout.items import Layout, Move
from redraft.studios.board.board import Board
from redraft.studios.board.place.circuit import circuit_of
from redraft.studios.board.place.decoupling import Decoupling, decouple, supply_distance
from redraft.studios.board.solve.collisions import new_collisions

DEMOS = Path("/usr/share/kicad/demos")
NM = 1.001e-6


def main() -> int:
    """Print a row for each component, the sums, and what missed an aim."""
    args = arguments()
    sums, missed, count, boards = [0.0, 0.0, 0.0], list[str](), [0, 0, 0], 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in chosen(args.paths, args.data, Path(scratch)):
            try:
                layout = Board.read(path).layout
            except RedraftError as error:
                print(f"{path.stem}: {error}")
                continue
            found = circuit_of(layout).decoupling
            boards += bool(found)
            for owner in dict.fromkeys(one.owner for one in found):
                own = [one for one in found if one.owner == owner]
                row, moved, seconds, wrong = measured(layout, owner, own)
                missed += [f"{path.stem} {owner}: {what}" for what in wrong]
                sums = [a + b for a, b in zip(sums, row, strict=True)]
                count = [a + b for a, b in zip(count, (len(own), *moved), strict=True)]
                said = "".join(f"{value:9.2f}" for value in row) + "".join(f"{value:8.1f} s" for value in seconds)
                print(f"{path.stem:28.28} {owner:6} {len(own):3}{said}", flush=True)
    print(f"{boards} boards, {count[0]} capacitors: human {sums[0]:.1f}, own {sums[1]:.1f}, thrown {sums[2]:.1f} mm")
    print(f"moved {count[1]} from where people put them, {count[2]} from where they were thrown")
    print("\n".join(missed) or "all aims met")
    return bool(missed)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, metavar="board")
    parser.add_argument("--data", type=Path, metavar="DIR", help="more boards, packed or not")
    return parser.parse_args()


def chosen(paths: Sequence[Path], data: Path | None, scratch: Path) -> Iterator[Path]:
    """The boards as files."""
    more = [] if data is None else sorted(data.glob("*.kicad_pcb*"))
    for path in [*(paths or sorted(DEMOS.rglob("*.kicad_pcb"))), *more]:
        if path.suffix == ".gz":
            unpacked = scratch / path.stem
            unpacked.write_bytes(gzip.decompress(path.read_bytes()))
            yield unpacked
        else:
            yield path


def measured(
    layout: Layout, owner: str, own: Sequence[Decoupling]
) -> tuple[tuple[float, float, float], tuple[int, int], tuple[float, float], list[str]]:
    """The three sums, how many moved in both runs, the seconds of both, and what missed an aim."""
    names, wrong = [one.capacitor for one in own], list[str]()
    far = layout.moved(list(thrown(layout, [name for name in names if not layout[name].locked])))
    ways, moved, seconds = [distances(layout, own)], list[int](), list[float]()
    for before in (layout, far):
        start = time.monotonic()
        found = decouple(before, owner, names)
        seconds.append(time.monotonic() - start)
        after = before.moved(found.moves)
        moved.append(len({move.item for move in found.moves}))
        ways.append(distances(after, own))
        was = distances(before, own)
        wrong += [f"{n} ends farther" for n, a, b in zip(names, was, ways[-1], strict=True) if b > a + NM]
        wrong += [f"{a} over {b}" for a, b in new_collisions(before, after, {move.item for move in found.moves})]
    human, near, again = map(math.fsum, ways)
    return (human, near, again), (moved[0], moved[1]), (seconds[0], seconds[1]), wrong


def distances(layout: Layout, own: Sequence[Decoupling]) -> list[float]:
    return [supply_distance(layout, one.owner, one.capacitor, one.net)[0] for one in own]


def thrown(layout: Layout, names: Sequence[str]) -> Iterator[Move]:
    """Each 10 to 30 mm away, in any direction; the same ones in every run."""
    rng = random.Random(0)
    for name in names:
        angle, reach = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(10.0, 30.0)
        dx, dy = (round(reach * part, 6) for part in (math.cos(angle), math.sin(angle)))
        yield Move.shift(name, dx, dy)


if __name__ == "__main__":
    raise SystemExit(main())
