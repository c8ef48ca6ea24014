"""Whole boards placed anew, compared with the human placement in one run.

    python benchmarks/placement.py [board.kicad_pcb …] [--data DIR] [--boards pic_programmer,video] [--effort 1]
                                   [--seed 0] [--peers] [--drc] [--kicad-tools PYTHON] [--pictures DIR]

Without boards: those of KiCad's demos; `--data DIR` adds a folder's, packed ones (`.kicad_pcb.gz`) too. Of each board
with an outline and at least ten movable components, duplicates counted once by content, all movable components are
moved off the board and placed again as `redraft board place --all` does, by what the board says by itself, each board
in a process of its own.

Movable is every component that has a pad with a net and claims room, but what is locked, connectors, mounting holes
and fiducials (`circuit_of`, or a word such as `conn`, `header`, `usb` in the footprint's name), and what by the human
placement sticks out over the outline or lies beside it.

Columns, each ours against the human's: *HPWL* is the half-perimeter of each net's pads, all nets; *overlaps* are pairs
that share room, at least one of them movable; *out* are movable components not wholly on the board; *peak* is the
densest cell of wire demand (RUDY, Spindler and Johannes 2007, on 32 cells along the longer side, nets of more than 40
pads left out as planes); *caps* is the median distance of decoupling capacitors (those of `circuit_of`) from the
nearest IC pad of their net; *rows* is the share of
components that lie side by side in line with one of their size. Components without room stay beside the board and count
as *out*. Seconds are those of the processor. `--peers` adds plain annealing of the same cost for the same time;
`--kicad-tools PYTHON` the placer of kicad-tools by an interpreter that has it, from the same heap, for at most three
times the time. `--drc` counts what
KiCad's DRC finds on our placement and not in three runs on the human's, of the kinds that routing cannot mend, tracks,
vias, texts and copper zones left out of both. Exits 1 when an aim is missed.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import hashlib
import io
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

import anyio
import numpy as np
from shapely import unary_union

from redraft.layout.items import Layout, Move
from redraft.studios.board.actions.registry import PlaceAll
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.cli import Violation, drc
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.spans import SpanEdits
from redraft.studios.board.place.circuit import Circuit, circuit_of
from redraft.studios.board.place.goals import goal_of
from redraft.studios.board.place.placer import place_all, wire_length
from redraft.studios.board.solve.collisions import EDGE, collisions, outside

DEMOS = Path("/usr/share/kicad/demos")
LEAST = 10
"""Movable components of a board that counts."""
MEDIAN, WORST = 1.0, 1.3
"""The aims of the HPWL ratio."""
SLACK = 1.005
"""Congestion and decoupling count as equal to the human's up to this ratio."""
CELLS, PLANE = 32, 40
APART = 10.0
"""From the board to the pile, in millimeters."""
PANEL = 640
"""Pixels of a picture of one placement."""
LIMIT = 3600.0

FIXED_WORDS = re.compile(
    r"conn|header|usb|jack|rj45|hdmi|mounting|fiducial|edge|socket_strip|sdcard|micro-?sd|db\d|dsub", re.I
)
BARE = (b"segment", b"arc", b"via", b"gr_text")
"""Belongs to the old places: texts on copper too, which label what lay beside them."""

PLACEMENT = {
    "clearance", "copper_edge_clearance", "courtyards_overlap", "hole_clearance", "hole_to_hole", "holes_co_located",
    "items_not_allowed", "npth_inside_courtyard", "pth_inside_courtyard", "shorting_items",
}  # fmt: skip
"""Kinds of violations that routing cannot mend, on a board without tracks and zones."""

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
    parser.add_argument("--drc", action="store_true", help="new violations by KiCad's DRC too")
    parser.add_argument("--kicad-tools", metavar="PYTHON", help="the placer of kicad-tools too, by this interpreter")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="pictures: the pile, ours, by hand")
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
    command += ["--drc"] if args.drc else []
    command += ["--kicad-tools", args.kicad_tools] if args.kicad_tools else []
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
    layout, found, says = board.layout, list[str](), circuit_of(board.layout)
    stays = {*says.connectors, *says.mounting_holes, *says.fiducials, *says.locked}
    assert layout.area is not None
    for item, footprint in zip(layout.items, board.file.footprints, strict=True):
        fixed = item.name in stays or not item.claims
        fixed = fixed or FIXED_WORDS.search(footprint.library.rpartition(":")[2]) is not None
        if not fixed and any(port.net for port in item.ports) and outside(item.shape, layout.area) <= 0.01:
            found.append(item.name)
    return found


def pile(layout: Layout, movable: Sequence[str]) -> Layout:
    """The movable components in rows beside the board, turned as the footprint library has them."""
    assert layout.area is not None
    turned = layout.moved([Move.turn(name, -layout[name].rotation, layout[name].origin or (0, 0)) for name in movable])
    left, y = layout.area.bounds[2] + APART, layout.area.bounds[1]
    x, low, width = left, y, math.sqrt(1.5 * sum(turned[name].shape.envelope.area for name in movable))
    moves: list[Move] = []
    for name in movable:
        x0, y0, x1, y1 = turned[name].shape.bounds
        if x > left and x + x1 - x0 > left + width:
            x, y = left, low
        moves.append(Move.shift(name, x - x0, y - y0))
        x, low = x + x1 - x0 + 1.0, max(low, y + y1 - y0 + 1.0)
    return turned.moved(moves)


def cap_distance(layout: Layout, says: Circuit, movable: Sequence[str]) -> float | None:
    """The median distance of decoupling capacitors from the nearest IC pad of their net, in millimeters."""
    places: dict[str, list[tuple[float, float]]] = {}
    for item in layout.roots:
        for port in item.ports if item.label == "IC" else ():
            places.setdefault(port.net, []).append(port.at)
    found = [
        min(math.dist(port.at, at) for port in layout[d.capacitor].ports if port.net == d.net for at in places[d.net])
        for d in says.decoupling
        if d.capacitor in movable and d.net in places
    ]
    return median(found) if found else None


def rows(layout: Layout, movable: Sequence[str]) -> float:
    """The share of components in line with another of their size, turned alike, at most 12 mm away."""
    boxes = [(layout[name].shape.bounds, layout[name].layer) for name in movable]
    found = 0
    for (x0, y0, x1, y1), layer in boxes:
        others = [b for b, side in boxes if side == layer and b != (x0, y0, x1, y1)]
        ways = [sorted((abs(b[0] - x0), abs(b[1] - y0))) for b in others if _alike(b, (x0, y0, x1, y1))]
        found += any(near < 0.02 and far < 12.0 for near, far in ways)
    return found / len(boxes)


def _alike(a: Box, b: Box) -> bool:
    return abs(a[2] - a[0] - b[2] + b[0]) < 0.01 and abs(a[3] - a[1] - b[3] + b[1]) < 0.01


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


def figures(layout: Layout, says: Circuit, movable: Sequence[str], homeless: Sequence[str] = ()) -> Found:
    items = tuple(item for item in layout.items if item.name not in homeless)
    placed = Layout(items, layout.frame, layout.area, layout.keepouts)
    met = collisions(placed, [name for name in movable if name not in homeless])
    return {
        "hpwl": wire_length(layout),
        "overlaps": sum(other in placed for _, other in met),
        "out": sum(other == EDGE for _, other in met) + len(homeless),
        "barred": sum(other not in placed and other != EDGE for _, other in met),
        "peak": peak(layout),
        "caps": cap_distance(layout, says, movable),
        "rows": rows(layout, movable),
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
    heap = pile(layout, movable)
    says = circuit_of(heap)
    began = time.process_time()
    placed = place_all(
        heap, movable, goal_of(heap, says, PlaceAll(action="place_all")), seed=args.seed, effort=args.effort
    )
    seconds = time.process_time() - began
    after = heap.moved(placed.moves)
    homeless = [name for name in placed.outside if name not in {move.item for move in placed.moves}]
    found: Found = {
        "parts": len(movable),
        "human": figures(layout, says, movable),
        "ours": figures(after, says, movable, homeless),
        "seconds": seconds,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if args.peers:
        found["annealed"] = figures(Annealing(heap, movable, args.seed).run(seconds), says, movable)
    if args.drc:
        found["drc"] = new_violations(path, bare(board), bare(placed_board(board, after, movable)))
    if args.kicad_tools:
        found["kicad-tools"] = kicad_tools(args.kicad_tools, placed_board(board, heap, movable), says, movable, seconds)
    if args.pictures:
        strip({"a pile": heap, "placed": after, "by hand": layout}, args.pictures / f"placed-{path.stem}.png")
    return found


def placed_board(board: Board, layout: Layout, movable: Sequence[str]) -> Board:
    """The board with the movable components where they lie in a layout that was moved from the board's own."""
    moves: list[Move] = []
    for name in movable:
        was, now = board.layout[name], layout[name]
        at, to = was.origin or (0.0, 0.0), now.origin or (0.0, 0.0)
        if now.layer == was.layer:
            moves.append(Move.turn(name, now.rotation - was.rotation, at))
        else:
            a, b, c, d, _, _ = Move.turn(name, now.rotation + was.rotation, (0.0, 0.0)).matrix
            moves.append(
                Move(name, (a, b, -c, -d, at[0] - a * at[0] + c * at[1], at[1] - b * at[0] + d * at[1]), flips=True)
            )
        moves.append(Move.shift(name, to[0] - at[0], to[1] - at[1]))
    return board.amend(moves)


def bare(board: Board, fixed: Sequence[str] = ()) -> bytes:
    """The board without tracks, vias, texts and copper zones, some components locked."""
    with tempfile.NamedTemporaryFile(suffix=".kicad_pcb") as scratch:
        scratch.write(board.rewritten())
        scratch.flush()
        file = BoardFile.read(Path(scratch.name))
        edits = SpanEdits(file.index, scratch.name)
        for i in (i for head in BARE for i in file.sections.get(head, ())):
            edits.drop(i)
        for i in file.sections.get(b"zone", ()):
            if b"keepout" not in file.index.by_head(i):
                edits.drop(i)
        for name, i in zip(board.names, file.sections[b"footprint"], strict=True):
            if name in fixed and b"locked" not in file.index.by_head(i):
                edits.add_after(file.index.by_head(i)[b"layer"][0], b" (locked yes)")
        return edits.result()


def new_violations(path: Path, human: bytes, ours: bytes) -> dict[str, int]:
    """Of each kind, what KiCad finds on our board and in none of three runs on the human's."""

    def kept(data: bytes) -> set[tuple[str, ...]]:
        said = anyio.run(functools.partial(drc, path, data, limit=600.0))
        return {key(violation) for violation in said.violations if violation.type in PLACEMENT}

    def key(violation: Violation) -> tuple[str, ...]:
        return (violation.type, *sorted(item.description for item in violation.items))

    known = {key for _ in range(3) for key in kept(human)}
    found: dict[str, int] = {}
    for kind, *_ in kept(ours) - known:
        found[kind] = found.get(kind, 0) + 1
    return found


def kicad_tools(python: str, heap: Board, says: Circuit, movable: Sequence[str], seconds: float) -> Found:
    """What the placer of kicad-tools makes of the same heap, with its default options, or why it makes nothing."""
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        given, out = Path(folder, "heap.kicad_pcb"), Path(folder, "out.kicad_pcb")
        given.write_bytes(bare(heap, [name for name in heap.names if name not in movable]))
        command = [python, "-m", "kicad_tools.cli", "optimize-placement", str(given), "-o", str(out), "-q"]
        command += ["--time-budget", f"{3 * seconds:.0f}"]
        try:
            said = subprocess.run(command, capture_output=True, text=True, timeout=6 * seconds + 120, check=False)
        except subprocess.TimeoutExpired:
            return {"fails": f"not done after {6 * seconds + 120:.0f} s"}
        if not out.exists():
            words = (said.stderr.strip() or said.stdout.strip()).splitlines()
            return {"fails": f"ended with {said.returncode}: {words[-1] if words else ''}"}
        return figures(Board.read(out).layout, says, movable)


def strip(layouts: dict[str, Layout], file: Path) -> None:
    """Pictures of one board side by side, with their ratsnests and captions."""
    from PIL import Image, ImageDraw, ImageFont

    from redraft.drawing import glyphs
    from redraft.studios.board.views.ratsnest import ratsnest_of

    panels: list[Image.Image] = []
    for words, layout in layouts.items():
        shapes = [item.shape for item in layout.roots if not item.shape.is_empty]
        assert layout.area is not None
        seen = unary_union([layout.area, *shapes]).bounds if words == "a pile" else layout.area.bounds
        panel = Image.open(io.BytesIO(ratsnest_of(layout, seen))).convert("RGB").resize((PANEL, PANEL))
        ImageDraw.Draw(panel).text((10, 6), words, "#ffffff", ImageFont.truetype(glyphs.font_path(), 20))
        panels.append(panel)
    sheet = Image.new("RGB", (PANEL * len(panels), PANEL))
    for n, panel in enumerate(panels):
        sheet.paste(panel, (PANEL * n, 0))
    file.parent.mkdir(parents=True, exist_ok=True)
    sheet.quantize(128).save(file, optimize=True)


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
    "caps (human) mm | rows (human) | seconds   MB | "
    "annealed HPWL overlaps | kicad-tools HPWL overlaps out | new in DRC"
)


def row(found: Found) -> str:
    if "fails" in found:
        return f"{found['board'][:24]:24} {found['fails']}"
    ours, human = found["ours"], found["human"]
    caps = "            –  " if ours["caps"] is None else f"{ours['caps']:6.2f} ({human['caps']:5.2f})"
    said = [f"{peer['hpwl'] / human['hpwl']:8.3f} {peer['overlaps']:8}" if (peer := found.get("annealed")) else ""]
    if peer := found.get("kicad-tools"):
        words = f"{peer['hpwl'] / human['hpwl']:8.3f} {peer['overlaps']:4} {peer['out']:4}" if "hpwl" in peer else ""
        said.append(words or peer["fails"])
    if "drc" in found:
        said.append(", ".join(f"{kind} {number}" for kind, number in found["drc"].items()) or "none")
    return (
        f"{found['board'][:24]:24} {found['parts']:5} | {ours['hpwl']:7.0f} {human['hpwl']:6.0f} "
        f"{ours['hpwl'] / human['hpwl']:6.3f} | {ours['overlaps']:8} {human['overlaps']:7}  {ours['out']:3} "
        f"{human['out']:7} {ours['barred']:6} | {ours['peak']:4.1f} {ours['peak'] / human['peak']:6.3f} | {caps} | "
        f"{ours['rows']:4.2f}  ({human['rows']:4.2f}) | "
        f"{found['seconds']:7.1f} {found['memory']:4.0f} | {' | '.join(said)}"
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
    for kind, number in found.get("drc", {}).items():
        yield f"{name} {number} new {kind}"
    for peer, got in ((peer, found[peer]) for peer in ("annealed", "kicad-tools") if peer in found):
        if "hpwl" in got and got["overlaps"] <= ours["overlaps"] and got["out"] == 0 and got["hpwl"] < ours["hpwl"]:
            yield f"{name} {peer} is ahead"


if __name__ == "__main__":
    sys.exit(main())
