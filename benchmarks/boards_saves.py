"""Single moves by redraft, saved, and judged by KiCad: does it open, is all else as it was, what is new by its rules.

A move puts a random part (seeded) somewhere near where it was, turned or flipped for some. `damage` is anything that
pcbnew reads otherwise but the moved part's place, and any new violation of a kind that moving cannot cause.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from redraft.errors import RedraftError
from redraft.layout import Move
from redraft.studios.board.board import Board
from redraft.studios.board.drc import DrcResult, can_be_moved_into, compare, drc

__all__ = ["Saves", "saves_of"]

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
