"""redraft side by side with `pcbnew` and every other reader of KiCad's boards that was found, in one run.

    python benchmarks/boards.py [board.kicad_pcb …] [--boards DIR] [--quick] [--peers DIR] [--rounds 3] [--moves 3]

Without boards: those of KiCad's demos; `--boards DIR` adds a folder's, packed ones (`.kicad_pcb.gz`) too. `--quick`
takes three. Every measurement is a fresh process, redraft and pcbnew in turns, medians of `--rounds`; no import is
counted. What is measured is said in `boards_redraft.py` (redraft: *loaded* is the board read and all footprints known
by name, place, shape and pads; *open* the lazy part of that, read and indexed), `boards_readers.py` (the others: load,
and one footprint moved and saved; pcbnew's load also parses all copper and zones and builds the connectivity of the
nets, which redraft does not do), `boards_judge.py` (what a save did, by pcbnew's own reading), `boards_saves.py`
(random moves by redraft, saved, judged by pcbnew and KiCad's design rule check).

`--peers DIR` is a virtual environment for the other readers, made there if it is missing (pip is asked for them by
name); without it only pcbnew is compared with. Their failures are results: `fails`, with the step and the error, or
`damages`, with what pcbnew misses in the file. Needs KiCad 9. Exits 1 when an aim is missed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from boards_readers import READERS
from boards_saves import Saves, saves_of

HERE = Path(__file__).parent
DEMOS = Path("/usr/share/kicad/demos")
KICAD = "/usr/bin/python3"
"""The Python that has `pcbnew`."""
QUICK = {"pic_programmer", "StickHub", "video"}
LARGEST = "vme-wren"
FASTER, LOOK, ACTION, MEMORY = 10.0, 0.005, 0.005, 1000.0
"""The aims: how many times as fast as pcbnew on the largest board, seconds of a warm look and an action, MB."""

Found = dict[str, Any]


def main() -> int:
    args = arguments()
    missed: list[str] = []
    saved = Saves()
    with tempfile.TemporaryDirectory(prefix="boards-") as scratch:
        boards = list(chosen(args, Path(scratch)))
        assert boards, f"no board in {DEMOS} (kicad-demos)"
        print(HEAD)
        for path in boards:
            found = rounds(path, Path(scratch), args.rounds, args.limit)
            print(row(path, found), flush=True)
            missed += misses(path, found)
        if args.peers:
            compare_peers(environment(args.peers), boards, Path(scratch), args.limit)
        for path in boards if args.moves else []:
            one = saves_of(path, args.moves, args.seed, KICAD, drc=path.stat().st_size <= args.drc_largest * 1e6)
            saved += one
            print(f"saves of {path.stem}: {one}", flush=True)
    if args.moves:
        print(f"saves in all: {saved}")
        missed += [] if saved.sound else ["a save that KiCad does not open, or with damage"]
    print("aims: " + ("all reached" if not missed else "MISSED: " + "; ".join(missed)))
    return 1 if missed else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, metavar="board")
    parser.add_argument("--boards", type=Path, metavar="DIR", help="more boards, packed or not")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(sorted(QUICK))}")
    parser.add_argument("--peers", type=Path, metavar="DIR", help="the other readers' environment, made if missing")
    parser.add_argument("--rounds", type=int, default=3, help="of which the median is taken (default 3)")
    parser.add_argument("--moves", type=int, default=3, help="saves of each board (default 3; 0: none)")
    parser.add_argument(
        "--drc-largest", type=float, default=1000.0, metavar="MB", help="no rule check of larger boards"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for one reader and one board (default 600)")
    return parser.parse_args()


def chosen(args: argparse.Namespace, scratch: Path) -> Iterator[Path]:
    """The boards, the smallest first; packed ones are unpacked."""
    paths: list[Path] = args.paths or sorted(DEMOS.rglob("*.kicad_pcb"), key=lambda path: path.stat().st_size)
    yield from (path for path in paths if not args.quick or path.stem in QUICK)
    for packed in sorted(args.boards.glob("*.kicad_pcb*")) if args.boards else []:
        raw = packed.read_bytes()
        path = scratch / packed.name.removesuffix(".gz")
        path.write_bytes(gzip.decompress(raw) if packed.suffix == ".gz" else raw)
        yield path


def rounds(path: Path, scratch: Path, count: int, limit: float) -> dict[str, Found]:
    """redraft and pcbnew in turns, so that what else the machine does meets both; the medians of each number."""
    out = scratch / "out.kicad_pcb"
    found: dict[str, list[Found]] = {"redraft": [], "pcbnew": []}
    for _ in range(count):
        found["redraft"].append(asked([sys.executable, str(HERE / "boards_redraft.py"), str(path), str(out)], limit))
        found["pcbnew"].append(asked([KICAD, str(HERE / "boards_readers.py"), "pcbnew", str(path), str(out)], limit))
    return {name: middle(answers) for name, answers in found.items()}


def middle(answers: Sequence[Found]) -> Found:
    failed = [answer for answer in answers if "fails" in answer]
    if failed:
        return failed[0]
    return {k: median(a[k] for a in answers) if isinstance(v, float) else v for k, v in answers[0].items()}


def asked(command: Sequence[str], limit: float) -> Found:
    """The line of JSON that a process prints last."""
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"fails": f"not done after {limit:.0f} s"}
    lines = [line for line in said.stdout.splitlines() if line.startswith("{")]
    if said.returncode or not lines:
        return {"fails": f"ended with {said.returncode}: {said.stderr.strip()[-200:]}"}
    return json.loads(lines[-1])


HEAD = (
    f"{'board':24}    MB parts |  open  loaded   pcbnew  ratio (CPU) | look cold   warm  action ms | "
    "save  pcbnew | MB used   import redraft, pcbnew"
)


def row(path: Path, found: dict[str, Found]) -> str:
    ours, theirs = found["redraft"], found["pcbnew"]
    name, size = path.stem[:24], path.stat().st_size / 1e6
    if "fails" in ours or "fails" in theirs:
        return f"{name:24} {size:5.1f} redraft {ours.get('fails', 'ok')}; pcbnew {theirs.get('fails', 'ok')}"
    return (
        f"{name:24} {size:5.1f} {ours['parts']:5.0f} | {ours['open']:5.3f} {ours['load']:7.3f} {theirs['load']:8.3f} "
        f"{theirs['load'] / ours['load']:5.1f}× {theirs['cpu'] / ours['cpu']:4.1f}× | {1e3 * ours['cold']:9.1f} "
        f"{1e3 * ours['warm']:6.1f} {1e3 * ours['action']:10.1f} | {ours['save']:.3f} {theirs['save']:6.3f} | "
        f"{ours['memory']:7.0f}   {ours['import']:.1f}, {theirs['import']:.1f}"
    )


def misses(path: Path, found: dict[str, Found]) -> Iterator[str]:
    ours, theirs, name = found["redraft"], found["pcbnew"], path.stem
    if "fails" in ours:
        yield f"{name}: redraft {ours['fails']}"
        return
    if "fails" not in theirs:
        ratio = theirs["load"] / ours["load"]
        if ratio < (FASTER if name == LARGEST else 1.0):
            yield f"{name} loaded {ratio:.1f}× as fast as pcbnew"
    for what, aim in (("warm", LOOK), ("action", ACTION)):
        if ours[what] > aim:
            yield f"{name} {what} {1e3 * ours[what]:.1f} ms"
    if ours["memory"] > MEMORY:
        yield f"{name} {ours['memory']:.0f} MB"


def environment(folder: Path) -> str:
    """The Python of the virtual environment with the other readers."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        packages = [reader.package for reader in READERS.values() if reader.package]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return str(python)


def compare_peers(python: str, boards: Sequence[Path], scratch: Path, limit: float) -> None:
    """One line for each reader and board: seconds to load, move and save, and what became of the file."""
    for name in [name for name in READERS if name != "pcbnew"]:
        opened = sound = 0
        for path in boards:
            out = scratch / "peer.kicad_pcb"
            out.unlink(missing_ok=True)
            found = asked([python, str(HERE / "boards_readers.py"), name, str(path), str(out)], limit)
            opened, verdict = opened + ("load" in found), judged(path, out, found, limit)
            sound += verdict == "sound"
            times = " ".join(f"{step} {found[step]:.3f} s" for step in ("import", "load", "save") if step in found)
            print(f"{name} {found.get('version', '')} {path.stem}: {times} {verdict}", flush=True)
        print(f"{name}: loads {opened} of {len(boards)}, saves {sound} soundly", flush=True)


def judged(before: Path, after: Path, found: Found, limit: float) -> str:
    """What a reader's save did, in words."""
    if "fails" in found:
        return f"fails: {found['fails']}"
    if "save" not in found:
        return "has no save to compare"
    said = asked([KICAD, str(HERE / "boards_judge.py"), str(before), str(after)], limit)
    if "fails" in said:
        return f"damages: {said['fails']}"
    changed = [f"{n} {kind}s {how}" for how in ("lost", "added") for kind, n in said[how].items()]
    if len(said["moved"]) != 1:
        changed.append(f"{len(said['moved'])} parts moved")
    return f"damages: {', '.join(changed)}" if changed else "sound"


if __name__ == "__main__":
    sys.exit(main())
