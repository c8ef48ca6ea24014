"""Single moves by redraft, saved, and judged: by their bytes, and by KiCad.

    python benchmarks/boards_saves.py [DIR] [--saves 1000] [--seed 1]

For each board in DIR (`.kicad_pcb`, or packed as `.kicad_pcb.gz`; default: KiCad's demos), in turns: one seeded random
shift or turn of one random component that is not locked, through `redraft.open_board`, saved to a new file. A save is
right when the file differs from the board only within the section of that footprint, and there only in what the format
has absolute: its `(at …)` lists, with its own place and the angles of its pads and texts, and the corners of rule areas
in it. The sections are found by counting parentheses, without redraft's reader. Exits 1 when a save is not right.

`saves_of` is for `boards.py`: it asks KiCad instead. Does the file open, is all else as it was, what is new by its
rules? A move puts a random part (seeded) somewhere near where it was, turned or flipped for some. `damage` is anything
that pcbnew reads otherwise but the moved part's place, and any new violation of a kind that moving cannot cause.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import redraft
from redraft.errors import RedraftError
from redraft.layout.items import Move
from redraft.studios.board.actions.registry import MoveBy, Rotate
from redraft.studios.board.board import Board
from redraft.studios.board.drc import DrcResult, can_be_moved_into, compare
from redraft.studios.board.kicad.cli import drc

REACH = 5.0
"""Millimetres of a move, at most, along each axis."""
JUDGE = Path(__file__).parent / "boards_judge.py"


@dataclass
class Saves:
    """What became of some saves."""

    saved: int = 0
    opened: int = 0
    checked: int = 0
    """By KiCad's design rule check."""
    damage: list[str] = field(default_factory=list[str])

    @property
    def sound(self) -> bool:
        return self.opened == self.saved and not self.damage

    def __add__(self, other: Saves) -> Saves:
        return Saves(
            self.saved + other.saved,
            self.opened + other.opened,
            self.checked + other.checked,
            self.damage + other.damage,
        )

    def __str__(self) -> str:
        told = f"{self.opened} of {self.saved} open in KiCad, {self.checked} checked by its rules"
        return f"{told}; damage: {'; '.join(self.damage) or 'none'}"


def saves_of(path: Path, count: int, seed: int, python: str, *, drc: bool) -> Saves:
    """Move, save and judge so many times; `python` is one that has `pcbnew`."""
    board, rng, found = Board.read(path), random.Random(f"{seed}-{path.name}"), Saves()
    if not board.names:
        return found
    with tempfile.TemporaryDirectory(prefix="saves-") as folder:
        files: dict[Path, str] = {}
        for number in range(count):
            out = Path(folder, f"{number}.kicad_pcb")
            move = random_move(board, rng)
            board.amend([move]).save(out)
            files[out] = move.item
        found.saved = len(files)
        found.damage += list(misread(path, files, python, found))
        if drc:
            found.damage += asyncio.run(violations(path, files, found))
    return found


def random_move(board: Board, rng: random.Random) -> Move:
    name = rng.choice([item.name for item in board.layout if not item.locked] or list(board.names))
    item, how = board.layout[name], rng.choice(["shift", "shift", "turn", "flip"])
    assert item.origin is not None
    dx, dy = (round(rng.uniform(-REACH, REACH), 3) for _ in range(2))
    if how == "turn":
        return Move.turn(name, rng.choice([90.0, 180.0, 270.0, 45.0]), item.origin)
    if how == "flip":
        return Move(name, (1, 0, 0, -1, dx, 2 * item.origin[1] + dy), flips=True)
    return Move.shift(name, dx, dy)


def misread(path: Path, files: dict[Path, str], python: str, found: Saves) -> Iterator[str]:
    """What pcbnew reads otherwise than before, but for the part that was moved."""
    command = [python, str(JUDGE), str(path), *map(str, files)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    answers = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
    if len(answers) != len(files):
        yield f"{path.stem}: pcbnew ended with {said.returncode}"
        return
    for name, answer in zip(files.values(), answers, strict=True):
        found.opened += "fails" not in answer
        others = set(answer.get("moved", ())) - {name.partition("#")[0]}
        if answer.get("lost") or answer.get("added") or others:
            yield f"{path.stem}, {name} moved: {answer}"


async def violations(path: Path, files: dict[Path, str], found: Saves) -> list[str]:
    """New ones of kinds that moving cannot cause."""
    try:
        before = await drc(path)
        return [wrong for out, name in files.items() for wrong in await new_ones(path, before, out, name, found)]
    except RedraftError as error:
        return [f"{path.stem}: {error}"]


async def new_ones(path: Path, before: DrcResult, out: Path, name: str, found: Saves) -> list[str]:
    after = await drc(out, like=path)
    found.checked += 1
    kinds = {violation.type for violation in compare(before, after, {name.partition("#")[0]}).new}
    return [f"{path.stem}, {name} moved: new {kind}" for kind in sorted(kinds) if not can_be_moved_into(kind)]


TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[()]', re.DOTALL)
PLACE = re.compile(rb"\(at\s[^()]*\)")
CORNER = re.compile(rb"\(xy\s[^()]*\)")


def sections(data: bytes, heads: bytes) -> list[tuple[int, int]]:
    """The spans of the lists right below the outermost one that begin with one of some words, by counting parentheses
    outside strings."""
    spans: list[tuple[int, int]] = []
    depth = start = 0
    for token in TOKEN.finditer(data):
        if token[0] == b"(":
            depth += 1
            if depth == 2:
                start = token.start()
        elif token[0] == b")":
            if depth == 2 and re.match(rb"\((" + heads + rb")\s", data[start : token.end()]):
                spans.append((start, token.end()))
            depth -= 1
    return spans


def without_places(footprint: bytes) -> bytes:
    """A footprint with all that the format has absolute blanked."""
    for start, end in reversed(sections(footprint, b"zone")):
        footprint = footprint[:start] + CORNER.sub(b"(xy)", footprint[start:end]) + footprint[end:]
    return PLACE.sub(b"(at)", footprint)


def wrong_bytes(before: bytes, after: bytes, span: tuple[int, int]) -> str:
    """What is wrong with a save after moving the footprint of a span; empty when only its places differ."""
    start, end = span
    last = len(after) - (len(before) - end)
    if before[:start] != after[:start] or before[end:] != after[last:]:
        return "bytes outside its footprint differ"
    if before == after:
        return "nothing was written"
    same = without_places(before[start:end]) == without_places(after[start:last])
    return "" if same else "more than its places differs"


def single_saves(path: Path, count: int, rng: random.Random, out: Path) -> Counter[str]:
    """Move, save, compare and take back so many times; counts what was wrong, under "" what was right."""
    session, before = redraft.open_board(path), path.read_bytes()
    free, spans, found = (
        [item.name for item in session.layout if not item.locked],
        sections(before, b"footprint|module"),
        Counter[str](),
    )
    for _ in range(count if free else 0):
        name = rng.choice(free)
        dx, dy = (round(rng.uniform(-REACH, REACH), 3) for _ in range(2))
        shift = MoveBy(refs=(name,), dx=dx, dy=dy, allow_overlap=True)
        turn = Rotate(refs=(name,), by=rng.choice([45.0, 90.0, 180.0, 270.0]), allow_overlap=True)
        session.do(rng.choice([shift, shift, turn]))
        session.save(out, overwrite=True)
        wrong = wrong_bytes(before, out.read_bytes(), spans[session.base.names[name]])
        found[f"{path.stem}, {name} moved: {wrong}" if wrong else ""] += 1
        session.undo()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("/usr/share/kicad/demos"))
    parser.add_argument("--saves", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    boards = sorted(args.folder.rglob("*.kicad_pcb*"))
    assert boards, f"{args.folder} has no .kicad_pcb"
    found = Counter[str]()
    with tempfile.TemporaryDirectory(prefix="saves-") as folder:
        for number, source in enumerate(boards):
            board = Path(folder, source.name.removesuffix(".gz"))
            board.write_bytes(gzip.decompress(source.read_bytes()) if source.suffix == ".gz" else source.read_bytes())
            count = args.saves // len(boards) + (number < args.saves % len(boards))
            rng = random.Random(f"{args.seed}-{board.name}")
            some = single_saves(board, count, rng, Path(folder, "saved.kicad_pcb"))
            print(f"{board.stem}: {some['']} of {some.total()} right", flush=True)
            found += some
    for wrong, times in sorted((wrong, times) for wrong, times in found.items() if wrong):
        print(f"{wrong} ({times} times)")
    print(f"only the moved component's places differ in {found['']} of {found.total()} saves")
    return 0 if found[""] == found.total() > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
