"""Whole boards placed anew, compared with the human placement in one run.

    python benchmarks/placement.py [board.kicad_pcb …] [--data DIR] [--boards pic_programmer,video] [--effort 1]
                                   [--seed 0] [--peers] [--pictures DIR]

Without boards: those of KiCad's demos; `--data DIR` adds a folder's, packed ones (`.kicad_pcb.gz`) too. Of each board
with an outline and at least ten movable components, duplicates counted once by content, all movable components are
moved off the board and placed again by `redraft.spatial.placer.place_all`, each board in a process of its own.

Movable is every component that has a pad with a net and claims room, but what is locked, connectors and mounting holes
(by the letters of the reference, or a word such as `conn`, `header`, `usb` in the footprint's name), and what by the
human placement sticks out over the outline or lies beside it.

Columns, each ours against the human's: *HPWL* is the half-perimeter of each net's pads, all nets; *overlaps* are pairs
that share room, at least one of them movable; *out* are movable components not wholly on the board; *peak* is the
densest cell of wire demand (RUDY, Spindler and Johannes 2007, on 32 cells along the longer side, nets of more than 40
pads left out as planes); *caps* is the median distance of decoupling capacitors (one pad on a ground net, the other on
a net of an IC) from the nearest IC pad of that net. Seconds are those of the processor. `--peers` adds plain annealing
of the same cost for the same time. Exits 1 when an aim is missed.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import math
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from redraft.layout import Layout, Move
from redraft.spatial.collisions import EDGE, collisions, outside
from redraft.spatial.placer import Anchor, Goal, place_all, wire_length
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.project import rules_of

DEMOS = Path("/usr/share/kicad/demos")
LEAST = 10
"""Movable components of a board that counts."""
MEDIAN, WORST = 1.0, 1.3
"""The aims of the HPWL ratio."""
SLACK = 1.005
"""Congestion and decoupling count as equal to the human's up to this ratio."""
CELLS, PLANE = 32, 40
LIMIT = 3600.0

FIXED_NOUNS = {"connector", "mounting hole"}
FIXED_WORDS = re.compile(
    r"conn|header|usb|jack|rj45|hdmi|mounting|fiducial|edge|socket_strip|sdcard|micro-?sd|db\d|dsub", re.I
)
GROUND = re.compile(r"(^|[^a-z])[a-z]?(gnd|vss|ground|earth)([^a-z]|$)|^0v$|^/?gnd", re.I)

Found = dict[str, Any]


def main() -> int:
    args = arguments()
    if args.one:
        print(json.dumps(measured(args.one, args)))
        return 0
    rows: list[Found] = []
    with tempfile.TemporaryDirectory(prefix="placement-") as scratch:
        print(HEAD, flush=True)
        for path in chosen(args, Path(scratch)):
            found = asked(path, args)
            if "skipped" in found:
                print(f"{path.stem[:24]:24} {found['skipped']}", flush=True)
                continue
            rows.append({"board": path.stem, **found})
            print(row(rows[-1]), flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))
    ratios = [found["ours"]["hpwl"] / found["human"]["hpwl"] for found in rows if "fails" not in found]
    if ratios:
        print(
            f"{len(ratios)} boards: HPWL at {median(ratios):.3f} of the human's in the median, "
            f"{max(ratios):.3f} at most"
        )
    missed = [words for found in rows for words in misses(found)]
    if ratios and median(ratios) > MEDIAN:
        missed.append(f"median HPWL ratio {median(ratios):.3f}")
    print("aims: " + ("all reached" if not missed else "MISSED: " + "; ".join(missed)))
    return 1 if missed else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, metavar="board")
    parser.add_argument("--data", type=Path, metavar="DIR", help="more boards, packed or not")
    parser.add_argument("--boards", default="", help="only these, by the stems of their files, comma-separated")
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peers", action="store_true", help="plain annealing for the same time too")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="pictures of both placements")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def chosen(args: argparse.Namespace, scratch: Path) -> Iterator[Path]:
    """The boards, the smallest first, each content once; packed ones are unpacked."""
    paths: list[Path] = args.paths or list(DEMOS.rglob("*.kicad_pcb"))
    for packed in sorted(args.data.glob("*.kicad_pcb*")) if args.data else []:
        raw = packed.read_bytes()
        paths.append(scratch / packed.name.removesuffix(".gz"))
        paths[-1].write_bytes(gzip.decompress(raw) if packed.suffix == ".gz" else raw)
    seen, only = set[str](), str(args.boards)
    wanted = {stem for stem in only.split(",") if stem}
    for path in sorted(paths, key=lambda path: path.stat().st_size):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest not in seen and (not wanted or path.stem in wanted):
            yield path
        seen.add(digest)


def asked(path: Path, args: argparse.Namespace) -> Found:
    """The figures of one board, from a process of its own."""
    command = [sys.executable, __file__, "--one", str(path), "--effort", str(args.effort), "--seed", str(args.seed)]
    command += ["--peers"] if args.peers else []
    command += ["--pictures", str(args.pictures)] if args.pictures else []
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return {"fails": f"not done after {LIMIT:.0f} s"}
    if said.returncode:
        return {"fails": f"ended with {said.returncode}: {said.stderr.strip()[-300:]}"}
    return json.loads(said.stdout.splitlines()[-1])


def movable_of(board: Board) -> list[str]:
    """What is placed anew; the rule stands at the head of this file."""
    layout, found = board.layout, list[str]()
    assert layout.area is not None
    for item, footprint in zip(layout.items, board.file.footprints, strict=True):
        fixed = item.locked or not item.claims or item.label in FIXED_NOUNS
        fixed = fixed or FIXED_WORDS.search(footprint.library.rpartition(":")[2]) is not None
        if not fixed and any(port.net for port in item.ports) and outside(item.shape, layout.area) <= 0.01:
            found.append(item.name)
    return found


def pile(layout: Layout, movable: Sequence[str]) -> Layout:
    """The movable components in a column beside the board, turned as the footprint library has them."""
    assert layout.area is not None
    x, y = layout.area.bounds[2] + 50.0, layout.area.bounds[1]
    moves: list[Move] = []
    for name in movable:
        item = layout[name]
        at = item.origin or item.shape.bounds[:2]
        moves += [Move.turn(name, -item.rotation, at), Move.shift(name, x - at[0], y - at[1])]
    return layout.moved(moves)


def decoupling(layout: Layout) -> dict[str, tuple[str, list[str]]]:
    """Capacitor → its supply net, and the IC pads on that net as `U1.4`, in the order of the board."""
    pads: dict[str, list[str]] = {}
    for item in layout.roots:
        for port in item.ports if item.label == "IC" else ():
            if port.net and port.name:
                pads.setdefault(port.net, []).append(f"{item.name}.{port.name}")
    found: dict[str, tuple[str, list[str]]] = {}
    for item in layout.roots:
        nets = {port.net for port in item.ports if port.net}
        supplies = [net for net in sorted(nets) if not GROUND.search(net) and net in pads]
        if item.label == "capacitor" and len(nets) == 2 and len(supplies) == 1 and any(map(GROUND.search, nets)):
            found[item.name] = (supplies[0], pads[supplies[0]])
    return found


def goal_of(layout: Layout) -> Goal:
    """Each decoupling capacitor near a pin of its net, the pins in turn."""
    used: dict[str, int] = {}
    anchors: list[Anchor] = []
    for name, (net, pads) in decoupling(layout).items():
        pad = pads[used.get(net, 0) % len(pads)]
        used[net] = used.get(net, 0) + 1
        anchors.append(Anchor(name, "near", pad))
    return Goal(anchors=tuple(anchors))


def cap_distance(layout: Layout, movable: Sequence[str]) -> float | None:
    """The median distance of decoupling capacitors from the nearest IC pad of their net, in millimeters."""
    places: dict[str, list[tuple[float, float]]] = {}
    for item in layout.roots:
        for port in item.ports if item.label == "IC" else ():
            places.setdefault(port.net, []).append(port.at)
    found = [
        min(math.dist(port.at, at) for port in layout[name].ports if port.net == net for at in places[net])
        for name, (net, _) in decoupling(layout).items()
        if name in movable
    ]
    return median(found) if found else None


def peak(layout: Layout) -> float:
    """The wire demand of the densest cell, in millimeters of wire a square millimeter."""
    assert layout.area is not None
    x0, y0, x1, y1 = layout.area.bounds
    cell = max(x1 - x0, y1 - y0) / CELLS
    xs, ys = np.arange(x0, x1 + cell, cell), np.arange(y0, y1 + cell, cell)
    demand = np.zeros((len(ys) - 1, len(xs) - 1))
    pads: dict[str, list[tuple[float, float]]] = {}
    for item in layout.roots:
        for port in item.ports:
            if port.net:
                pads.setdefault(port.net, []).append(port.at)
    for places in pads.values():
        if 1 < len(places) <= PLANE:
            (a, b), (c, d) = np.min(places, axis=0).tolist(), np.max(places, axis=0).tolist()
            length = c - a + d - b
            grow = [max(0.0, cell - (c - a)) / 2, max(0.0, cell - (d - b)) / 2]
            a, b, c, d = a - grow[0], b - grow[1], c + grow[0], d + grow[1]
            ox = np.maximum(np.minimum(c, xs[1:]) - np.maximum(a, xs[:-1]), 0.0)
            oy = np.maximum(np.minimum(d, ys[1:]) - np.maximum(b, ys[:-1]), 0.0)
            demand += oy[:, None] * ox[None, :] * (length / ((c - a) * (d - b)))
    return float(demand.max()) / cell**2


def figures(layout: Layout, movable: Sequence[str]) -> Found:
    met = collisions(layout, movable)
    return {
        "hpwl": wire_length(layout),
        "overlaps": sum(other in layout for _, other in met),
        "out": sum(other == EDGE for _, other in met),
        "barred": sum(other not in layout and other != EDGE for _, other in met),
        "peak": peak(layout),
        "caps": cap_distance(layout, movable),
    }


def measured(path: Path, args: argparse.Namespace) -> Found:
    """One board: the human placement and ours, from a pile."""
    board = Board.read(path)
    layout = board.layout
    if layout.area is None:
        return {"skipped": "no outline"}
    movable = movable_of(board)
    if len(movable) < LEAST:
        return {"skipped": f"{len(movable)} movable components"}
    rules = rules_of(board.file)
    heap = pile(layout, movable)
    began = time.process_time()
    placed = place_all(
        heap,
        movable,
        goal_of(heap),
        seed=args.seed,
        effort=args.effort,
        clearance=rules.clearance,
        edge=rules.edge_clearance,
    )
    seconds = time.process_time() - began
    after = heap.moved(placed.moves)
    found: Found = {
        "parts": len(movable),
        "human": figures(layout, movable),
        "ours": figures(after, movable),
        "seconds": seconds,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if args.peers:
        found["annealed"] = figures(Annealing(heap, movable, args.seed).run(seconds), movable)
    if args.pictures:
        pictures(path, {"by hand": layout, "placed": after}, args.pictures)
    return found


def pictures(path: Path, layouts: dict[str, Layout], folder: Path) -> None:
    from redraft.spatial.views.microscope import render_png_view  # slow to import, and only wanted here

    folder.mkdir(parents=True, exist_ok=True)
    for words, layout in layouts.items():
        plain = Layout(layout.items, layout.frame, layout.area, layout.keepouts)
        png = base64.b64decode(render_png_view(plain, layout.frame.bounds))
        (folder / f"{path.stem} {words}.png").write_bytes(png)


Box = tuple[float, float, float, float]


def shared(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return w * h if w > 0 and h > 0 else 0.0


class Annealing:
    """Plain annealing: shifts, swaps and turns. The cost is wire length, and the area that boxes share or lack."""

    def __init__(self, layout: Layout, movable: Sequence[str], seed: int) -> None:
        assert layout.area is not None
        self.layout, self.rng = layout, random.Random(seed)
        self.items = [layout[name] for name in movable]
        x0, y0, x1, y1 = self.area = layout.area.bounds
        self.sizes = [(b[2] - b[0], b[3] - b[1]) for b in (item.shape.bounds for item in self.items)]
        self.middles = [((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in (item.shape.bounds for item in self.items)]
        self.fixed = [(item.shape.bounds, item.layer) for item in layout.roots if item.name not in movable]
        index = {name: n for n, name in enumerate(movable)}
        self.nets: dict[str, list[tuple[int, float, float]]] = {}
        for item in layout.roots:
            n = index.get(item.name, -1)
            cx, cy = self.middles[n] if n >= 0 else (0.0, 0.0)
            for port in item.ports if n >= 0 or layout.area.intersects(item.shape) else ():
                if port.net:
                    self.nets.setdefault(port.net, []).append((n, port.at[0] - cx, port.at[1] - cy))
        self.own = [sorted({port.net for port in item.ports if port.net}) for item in self.items]
        self.at = [(self.rng.uniform(x0, x1), self.rng.uniform(y0, y1), 0) for _ in self.items]

    def box(self, n: int) -> Box:
        x, y, turn = self.at[n]
        w, h = self.sizes[n] if turn % 2 == 0 else self.sizes[n][::-1]
        return (x - w / 2, y - h / 2, x + w / 2, y + h / 2)

    def length(self, net: str) -> float:
        xs, ys = list[float](), list[float]()
        for n, x, y in self.nets[net]:
            cx, cy, turn = self.at[n] if n >= 0 else (0.0, 0.0, 0)
            dx, dy = ((x, y), (y, -x), (-x, -y), (-y, x))[turn]
            xs.append(cx + dx)
            ys.append(cy + dy)
        return max(xs) - min(xs) + max(ys) - min(ys)

    def crowd(self, n: int) -> float:
        mine, layer = self.box(n), self.items[n].layer
        total = sum(shared(mine, b) for b, side in self.fixed if side == layer)
        others = (m for m, item in enumerate(self.items) if m != n and item.layer == layer)
        total += sum(shared(mine, self.box(m)) for m in others)
        return total + (mine[2] - mine[0]) * (mine[3] - mine[1]) - shared(mine, self.area)

    def cost(self, some: Sequence[int]) -> float:
        nets = sorted({net for m in some for net in self.own[m]})
        return sum(map(self.length, nets)) + 10.0 * sum(map(self.crowd, some))

    def move(self, some: Sequence[int], kind: float, reach: float) -> None:
        x0, y0, x1, y1 = self.area
        n, rng = some[0], self.rng
        x, y, turn = self.at[n]
        if len(some) == 2:
            other = self.at[some[1]]
            self.at[n], self.at[some[1]] = (other[0], other[1], turn), (x, y, other[2])
        elif kind < 0.5:
            self.at[n] = (x, y, rng.randrange(4))
        else:
            x, y = x + rng.uniform(-reach, reach), y + rng.uniform(-reach, reach)
            self.at[n] = (min(max(x, x0), x1), min(max(y, y0), y1), turn)

    def run(self, seconds: float) -> Layout:
        """The placement after so many seconds of the processor."""
        rng, start = self.rng, time.process_time()
        span = max(self.area[2] - self.area[0], self.area[3] - self.area[1])
        while (spent := time.process_time() - start) < seconds:
            share = spent / seconds
            kind = rng.random()
            some = [rng.randrange(len(self.items)) for _ in range(2 if kind < 0.3 else 1)]
            before, was = self.cost(some), [self.at[m] for m in some]
            self.move(some, kind, span * max(0.02, 1.0 - share))
            change = self.cost(some) - before
            if change > 0 and rng.random() >= math.exp(-change / (span * 1e-4**share)):
                for m, place in zip(some, was, strict=True):
                    self.at[m] = place
        moves: list[Move] = []
        for item, (cx, cy), (x, y, turn) in zip(self.items, self.middles, self.at, strict=True):
            moves += [Move.turn(item.name, 90.0 * turn, (cx, cy)), Move.shift(item.name, x - cx, y - cy)]
        return self.layout.moved(moves)


HEAD = (
    f"{'board':24} parts |    HPWL  human  ratio | overlaps (human)  out (human) barred | peak  ratio | "
    "caps (human) mm | seconds   MB | annealed HPWL overlaps"
)


def row(found: Found) -> str:
    if "fails" in found:
        return f"{found['board'][:24]:24} {found['fails']}"
    ours, human = found["ours"], found["human"]
    caps = "            –  " if ours["caps"] is None else f"{ours['caps']:6.2f} ({human['caps']:5.2f})"
    peer = found.get("annealed")
    said = "" if peer is None else f"{peer['hpwl'] / human['hpwl']:8.3f} {peer['overlaps']:8}"
    return (
        f"{found['board'][:24]:24} {found['parts']:5} | {ours['hpwl']:7.0f} {human['hpwl']:6.0f} "
        f"{ours['hpwl'] / human['hpwl']:6.3f} | {ours['overlaps']:8} {human['overlaps']:7}  {ours['out']:3} "
        f"{human['out']:7} {ours['barred']:6} | {ours['peak']:4.1f} {ours['peak'] / human['peak']:6.3f} | {caps} | "
        f"{found['seconds']:7.1f} {found['memory']:4.0f} | {said}"
    )


def misses(found: Found) -> Iterator[str]:
    name = found["board"]
    if "fails" in found:
        yield f"{name} {found['fails']}"
        return
    ours, human = found["ours"], found["human"]
    if ours["overlaps"]:
        yield f"{name} {ours['overlaps']} overlaps"
    if ours["out"] or ours["barred"]:
        yield f"{name} {ours['out']} outside, {ours['barred']} in keep-outs"
    if ours["hpwl"] > WORST * human["hpwl"]:
        yield f"{name} HPWL ratio {ours['hpwl'] / human['hpwl']:.3f}"
    if ours["peak"] > SLACK * human["peak"]:
        yield f"{name} peak congestion {ours['peak'] / human['peak']:.3f}"
    if ours["caps"] is not None and ours["caps"] > SLACK * human["caps"]:
        yield f"{name} capacitors at {ours['caps']:.2f} mm, by hand {human['caps']:.2f}"
    peer = found.get("annealed")
    if peer is not None and peer["overlaps"] <= ours["overlaps"] and peer["hpwl"] < ours["hpwl"]:
        yield f"{name} annealing is ahead"


if __name__ == "__main__":
    sys.exit(main())
