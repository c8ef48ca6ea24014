"""Are parts where they were asked to be? Measured in the saved files, by KiCad's own geometry.

    python benchmarks/precision.py [board.kicad_pcb ...] [--boards FOLDER] [--requests 1000] [--seed 1] [--report FILE]

Without boards those of KiCad's demos that are installed are taken, and the `*.kicad_pcb.gz` of a folder. Each request
is a random `place_relative`: any side, alignment and measure, at a part or a pad, clearances of 0 to 5 mm to the
nanometre; some parts and targets are turned or flipped before. A board's requests are carried out by a workspace, the
moves written to a file, and the file opened in KiCad (`precision_kicad.py`, under a Python that has `pcbnew`).

Aims: between boxes along the axes the gap is the one asked for to 1 nm, between all other shapes to 1 µm. What KiCad
itself only knows more coarsely is counted apart: pads drawn by hand, whose polygons stray by up to 5 µm each.
Exits 1 when an aim is missed or a part is out of line. Told, and no miss: parts whose pads reach through the gaps of
the target's, so that most of the part lies at its other side.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Layout
from redraft.studios.board.actions.registry import Flip, PlaceRelative, Rotate
from redraft.studios.board.actions.workspace import Workspace
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import MM
from redraft.studios.board.solve.relative import placed_relative

DEMOS = Path("/usr/share/kicad/demos")
PYTHON = "/usr/bin/python3"
KICAD = Path(__file__).with_name("precision_kicad.py")
AIMS = {"box": 1, "straight": 1_000, "round": 1_000, "custom": 10_000}
"""Nanometres, by the coarser kind of the two outlines."""
KINDS = tuple(AIMS)


@dataclass
class Request:
    """One request, and what became of it. Lengths in nanometres."""

    action: PlaceRelative
    pad: tuple[str, float, float] | None = None
    """The target pad, where it is one."""
    refused: str = ""
    answer: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def wanted(self) -> int:
        return round(self.action.clearance * MM)

    @property
    def kind(self) -> str:
        return max(self.answer["kinds"], key=KINDS.index)

    @property
    def passes(self) -> bool:
        """Whether the two would never meet, coming along the axis: then the gap of their boxes counts."""
        return self.answer["across"] > self.wanted

    @property
    def error(self) -> int:
        """By how much the gap is not the one asked for."""
        return (self.answer["along"] if self.passes else max(self.answer["gap"], 0)) - self.wanted

    def wrong(self) -> list[str]:
        found = [f"gap off by {self.error} nm"] if abs(self.error) > AIMS[self.kind] else []
        if self.answer["align"] is not None and abs(self.answer["align"]) > AIMS[self.kind]:
            found.append(f"out of line by {self.answer['align']:g} nm")
        return found


@dataclass(frozen=True)
class Batch:
    """Requests carried out on one board, no part moved after it was placed or placed against; and the saved file."""

    source: Path
    out: Path
    requests: tuple[Request, ...]
    places: dict[str, int]

    def job(self) -> dict[str, Any]:
        """What KiCad is asked."""
        done = [request for request in self.requests if not request.refused]
        return {"board": str(self.out), "checks": [self._check(request) for request in done]}

    def _check(self, request: Request) -> dict[str, Any]:
        act = request.action
        owner = act.target if act.target in self.places else act.target.rpartition(".")[0]
        return {
            "place": self.places[act.ref],
            "other": self.places[owner],
            "pad": request.pad,
            "measure": act.measure,
            "side": act.side,
            "align": act.align,
        }


def clearance(rng: random.Random) -> float:
    return rng.choice([0.0, 0.5, 5.0]) if rng.random() < 0.1 else rng.randrange(5 * MM + 1) / MM


def angle(rng: random.Random) -> float:
    """Quarter turns, common slants, and odd ones."""
    return rng.choice([90.0, 180.0, -90.0, 30.0, 45.0, -60.0, round(rng.uniform(-180, 180), rng.randrange(4))])


def prepare(workspace: Workspace, rng: random.Random, name: str) -> None:
    """Perhaps turn or flip a part; a locked one is left."""
    if workspace.layout[name].locked:
        return
    if rng.random() < 0.4:
        workspace.do(Rotate(refs=(name,), by=angle(rng), allow_overlap=True))
    if rng.random() < 0.15:
        workspace.do(Flip(refs=(name,), allow_overlap=True))


def request(layout: Layout, rng: random.Random, ref: str, target: str) -> PlaceRelative:
    names = [port.name for port in layout[target].ports if port.name]
    if names and rng.random() < 0.3:
        target = f"{target}.{rng.choice(names)}"
    return PlaceRelative(
        ref=ref,
        target=target,
        side=rng.choice(["left", "right", "top", "bottom"]),
        clearance=clearance(rng),
        align=cast("Literal['center', 'start', 'end']", rng.choice(["center", "start", "end"])),
        measure=cast("Literal['courtyard', 'body', 'pad']", rng.choice(["courtyard", "body", "pad"])),
        allow_overlap=True,
    )


def carried_out(workspace: Workspace, act: PlaceRelative) -> Request:
    """The request, done or refused."""
    try:
        planned = placed_relative(
            workspace.layout, act.ref, act.target, act.side, act.clearance, act.align, act.measure
        )
        workspace.do(act)
    except (BriefError, InfeasibleError) as refused:
        reason = "locked" if isinstance(refused, InfeasibleError) else "no pads to measure between"
        if reason == "locked" or "no pads" in str(refused):
            return Request(act, refused=reason)
        raise
    goal = planned.pads[1] if planned.pads else None
    return Request(act, (goal.name, goal.at[0] * MM, goal.at[1] * MM) if goal else None)


def batch(board: Board, source: Path, out: Path, rng: random.Random, most: int) -> Batch:
    """At most so many requests, as many as there are parts to move, half of them left as targets."""
    workspace = Workspace(board.layout)
    names = [item.name for item in workspace.layout]
    refs = rng.sample(names, min(most, max(1, len(names) // 2)))
    settled, done = set[str](), list[Request]()
    for ref in refs:
        target = rng.choice([name for name in names if name != ref])
        if ref in settled:
            continue
        for name in (n for n in (ref, target) if n not in settled):
            prepare(workspace, rng, name)
        done.append(carried_out(workspace, request(workspace.layout, rng, ref, target)))
        settled |= {ref, target}
    board.amend(workspace.moves).save(out)
    return Batch(source, out, tuple(done), dict(board.names))


def batches(source: Path, folder: Path, count: int, seed: int) -> Iterator[Batch]:
    """As many as it takes for so many requests."""
    rng, board, number = random.Random(f"{seed} {source.name}"), Board.read(source), 0
    while count > 0 and len(board.layout) > 1:
        out = folder / f"{source.stem}-{number}.kicad_pcb"
        found = batch(board, source, out, rng, count)
        count, number = count - len(found.requests), number + 1
        yield found


def measure(jobs: Sequence[Batch], python: str = PYTHON) -> None:
    """Have KiCad measure, one process for all files."""
    asked = json.dumps([job.job() for job in jobs])
    done = subprocess.run([python, str(KICAD)], input=asked, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if done.returncode or len(lines) != len(jobs):
        raise SystemExit(f"KiCad's process ended with {done.returncode}:\n{done.stderr[-3000:]}")
    for job, line in zip(jobs, lines, strict=True):
        for found, answer in zip((r for r in job.requests if not r.refused), json.loads(line), strict=True):
            found.answer = answer


def unpacked(folder: Path, scratch: Path) -> Iterator[Path]:
    for packed in sorted(folder.glob("*.kicad_pcb.gz")):
        path = scratch / packed.name.removesuffix(".gz")
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        yield path


def shares(total: int, parts: int) -> Iterable[int]:
    """A total in nearly equal whole parts."""
    return (total * (i + 1) // parts - total * i // parts for i in range(parts))


def run(sources: Sequence[Path], scratch: Path, requests: int, seed: int, python: str = PYTHON) -> list[Batch]:
    """All requests carried out, saved and measured."""
    found: list[Batch] = []
    for source, count in zip(sources, shares(requests, len(sources)), strict=True):
        some = list(batches(source, scratch, count, seed))
        measure(some, python)
        found += some
        print(f"{source.name}: {sum(len(one.requests) for one in some)} requests", file=sys.stderr)
    return found


def told(source: Path, one: Request) -> str:
    act, a = one.action, one.answer
    words = f"{act.ref} {act.side} of {act.target}, {act.measure}, {act.align}, {one.wanted} nm"
    where = f"at {a['at']}, {' and '.join(a['kinds'])}"
    return f"  {source.name}: {words}; gap {a['gap']}, of boxes {a['along']}, across {a['across']}, {where}"


def report(found: Sequence[Batch]) -> int:
    """Print what was found; the number of requests that miss an aim."""
    every = [(job.source, one) for job in found for one in job.requests]
    refused = Counter(one.refused for _, one in every if one.refused)
    blind = [(s, one) for s, one in every if "error" in one.answer]
    done = [(s, one) for s, one in every if one.answer and "error" not in one.answer]
    assert done, "no request was measured"
    print(
        f"{len(every)} requests on {len({job.source for job in found})} boards, "
        f"{len(done)} measured in KiCad; refused: {dict(refused)}"
    )
    for kind in KINDS:
        errors = sorted(abs(one.error) for _, one in done if one.kind == kind)
        if errors:
            counts = ", ".join(f"{sum(e <= n for e in errors)} within {n} nm" for n in (0, 1, 10, 100, 1000, 10_000))
            print(f"{kind}: {len(errors)}: {counts}; worst {errors[-1]} nm")
    behind = [(s, one) for s, one in done if one.answer["ahead"] <= 0]
    print(f"{len(behind)} reach so far through their target's gaps that their middles are not on that side:")
    for source, one in behind:
        print(told(source, one))
    bad = [(s, one) for s, one in done if one.wrong()]
    for source, one in sorted(bad, key=lambda pair: -abs(pair[1].error))[:40]:
        print(f"{told(source, one)}: {'; '.join(one.wrong())}")
    for source, one in blind:
        print(f"  {source.name}: {one.action.ref} {one.action.target}: {one.answer['error']}")
    return len(bad) + len(blind)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", type=Path, metavar="board")
    parser.add_argument("--boards", type=Path)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, help="every request with its answer, as JSON")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        more = list(unpacked(args.boards, Path(scratch))) if args.boards else []
        sources = args.sources or sorted(DEMOS.glob("**/*.kicad_pcb"))
        assert [*sources, *more], f"no board in {DEMOS} (kicad-demos)"
        found = run([*sources, *more], Path(scratch), args.requests, args.seed)
    if args.report:
        rows = [
            {"board": job.source.name, **asdict(one), "action": one.action.model_dump()}
            for job in found
            for one in job.requests
        ]
        args.report.write_text(json.dumps(rows, indent=1))
    return 1 if report(found) else 0


if __name__ == "__main__":
    sys.exit(main())
