"""Blocks from the leaves down: a bowl with what is in it is one block, which then stands on the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from redraft.offline.scene.holding import Holding
from redraft.offline.scene.nesting import nested
from redraft.offline.scene.placing import Region, around, arranged
from redraft.offline.scene.shapes import bounds, points_of, rotation
from redraft.offline.scene.solids import Top
from redraft.offline.scene.stood import Stack, Stood, cloud
from redraft.offline.scene.wanted import Wish, Wishes, size_of

__all__ = ["Build", "seen"]

LONG = 1.9
"""From so many times as long as wide on, a thing has a direction."""
TRIES = 14
"""Steps down in size, until things have room."""
SMALLEST = 0.14
"""Below this share of the largest thing's size, others are drawn larger than life."""


class Build:
    """Builds the blocks of one scene; changes sizes where things must fit."""

    def __init__(self, asked: Wishes, holding: Holding, seed: int) -> None:
        self.things: dict[str, Wish] = asked.things
        self.asked = asked
        self.holding = holding
        self.seed = seed

    def levelled(self, ids: Sequence[str]) -> list[Stack]:
        """The blocks of the floor; what would be a speck beside the largest is made larger."""
        if not ids:
            return []
        sizes = {i: max(size_of(self.things[i])) for i in ids}
        largest = max(sizes.values())
        for i in ids:
            self.grow(i, seen(sizes[i] / largest))
        return [self.block(i) for i in ids]

    def grow(self, one: str, factor: float) -> None:
        self.things[one].size *= factor
        for other in [i for i, (_, by) in self.holding.holders.items() if by == one]:
            self.grow(other, factor)

    def block(self, one: str) -> Stack:
        """All instances of a wish; the first carries what is on, in, under and around it."""
        wish = self.things[one]
        between = [self.block(i) for i in self.holding.held_by(one, "amid")]
        first = self._loaded(one)
        plain = self._single(wish)
        stacks = [first, *([plain] * (wish.count - 1))]
        spread = max((b.box[3] - b.box[0] for b in between), default=0.0)
        places = self._rows(wish, stacks, spread)
        done = Stack(one)
        for stack, (x, y) in zip(stacks, places, strict=True):
            moved = stack.moved(x, y, 0.0)
            done.add(moved)
        for other in between:
            x0, y0, _, x1, y1, _ = other.box
            cx = (places[0][0] + places[1][0]) / 2 + (first.box[0] + first.box[3]) / 2
            moved = other.moved(cx - (x0 + x1) / 2, places[0][1] - (y0 + y1) / 2, 0.0)
            done.add(moved)
        return done

    def _single(self, wish: Wish, turn: float | None = None) -> Stack:
        stood = Stood(
            wish.noun[:1].upper() + wish.noun[1:], wish.solid, (0.0, 0.0, 0.0),
            wish.solid.turn if turn is None else turn,
            wish.size, wish.colour, wish.look, wish.id, tuple(wish.parts.items()), wish.note,
        )  # fmt: skip
        box = bounds(cloud(stood))
        stood = replace(stood, at=(0.0, 0.0, -box[2]))
        return Stack(wish.id, [bounds(cloud(stood))], [stood])

    def _loaded(self, one: str) -> Stack:
        """One instance with all that it holds."""
        wish = self.things[one]
        base = self._single(wish)
        root = base.things[0]
        done = Stack(one, list(base.boxes), list(base.things))
        for how, place in (("on", self._on), ("inside", self._inside), ("under", self._under), ("around", self._ring)):
            ids = self.holding.held_by(one, how)
            if ids:
                for stack in place(wish, root, ids):
                    done.add(stack)
        if any(how == "inside" for how, by in self.holding.holders.values() if by == one):
            done.boxes = [around(done.boxes)]
        return done

    def _on(self, wish: Wish, root: Stood, ids: list[str]) -> list[Stack]:
        """On its top, or on the board of a shelf; made smaller until there is room."""
        own = max(size_of(wish))
        for i in ids:
            self.grow(i, seen(max(size_of(self.things[i])) / own))
        board = wish.solid.board
        fits = board is not None and all(self.block(i).box[5] < (board.clear or 0) / 100 * wish.size for i in ids)
        region, z, at, room = _surface(wish, root, board if fits else wish.solid.top)
        if len(ids) == 1 and self.things[ids[0]].count == 1:
            _aligned(self.things[ids[0]], wish, root.turn)
            width = max(size_of(self.things[ids[0]])[:2])
            self.grow(ids[0], min(1.0, 1.4 * room / width))
            return [_over(self.block(ids[0]), at, z)]
        ties = [t for t in self.holding.ties if t.a in ids and set(t.b) <= set(ids)]
        for _ in range(TRIES):
            stacks = [self.block(i) for i in ids]
            found = arranged(stacks, ties, region)
            if found is not None:
                break
            for i in ids:
                self.grow(i, 0.86)
        else:
            stacks = [self.block(i) for i in ids]
            found = arranged(stacks, ties) or ({}, [])
        places, unmet = found
        self.asked.unmet += unmet
        return [s.moved(*places[s.id], z - s.box[2]) for s in stacks]

    def _inside(self, wish: Wish, root: Stood, ids: list[str]) -> list[Stack]:
        """In the hollow, resting on its floor or its sides."""
        units = [self._loaded(i) for i in ids for _ in range(self.things[i].count)]
        placed, factor = nested(wish.solid, wish.size, [u.things[0] for u in units])
        turn = rotation((0, 0, root.turn))
        if factor != 1:
            for i in ids:
                self.grow(i, factor)
            units = [self._loaded(i) for i in ids for _ in range(self.things[i].count)]
        found: list[Stack] = []
        for unit, (x, y, z) in zip(units, placed, strict=True):
            px, py, _ = turn @ np.array([x, y, 0.0])
            found.append(unit.moved(float(px), float(py), z + root.at[2]))
        return found

    def _under(self, wish: Wish, root: Stood, ids: list[str]) -> list[Stack]:
        """Beneath it."""
        del wish, root
        stacks = [self.block(i) for i in ids]
        found, _ = arranged(stacks, []) or ({}, [])
        return [_over(s, found[s.id], 0.0) for s in stacks]

    def _ring(self, wish: Wish, root: Stood, ids: list[str]) -> list[Stack]:
        """Around it, facing it: two at its sides, more all around, none straight before it."""
        del wish
        x0, y0, _, x1, y1, _ = bounds(cloud(root))
        every = [i for i in ids for _ in range(self.things[i].count)]
        found: list[Stack] = []
        for k, i in enumerate(every):
            sides = (156.0, 24.0) if len(every) == 2 else None
            degrees = sides[k] if sides is not None else 90 + 360 * (k + 0.5) / len(every)
            ux, uy = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            reach = max(size_of(self.things[i])[:2]) / 2
            to_side = ((x1 - x0) / 2 + reach) / max(abs(ux), 1e-9)
            to_front = ((y1 - y0) / 2 + reach) / max(abs(uy), 1e-9)
            apart = 1.1 * reach / math.sin(math.pi / max(2, len(every)))
            away = max(min(to_side, to_front) + 0.12 * reach, apart)
            one = self._single(self.things[i], math.degrees(math.atan2(-ux, uy)))
            found.append(one.moved((x0 + x1) / 2 + ux * away, (y0 + y1) / 2 + uy * away, 0.0))
        return found

    def _rows(self, wish: Wish, stacks: Sequence[Stack], spread: float) -> list[tuple[float, float]]:
        """Where the instances go: one row, or a grid of rows."""
        n = len(stacks)
        width = max(s.box[3] - s.box[0] for s in stacks)
        depth = max(s.box[4] - s.box[1] for s in stacks)
        columns = math.ceil(n / wish.rows) if wish.rows else n
        if not wish.rows and wish.in_row == "y":
            columns = 1
        elif not wish.rows and not wish.in_row and n > 5:
            columns = math.ceil((n * 1.7) ** 0.5)
        gap = max(0.12 * width, 0.012) if wish.solid.top is None else 0.25 * width
        step = width + max(gap, spread * 1.35)
        random = Random(f"{self.seed} {wish.id}")  # noqa: S311 - taste, not secrets
        loose = 0.0 if n == 1 or wish.in_row or wish.rows or spread or n > 5 else 0.16 * depth
        found: list[tuple[float, float]] = []
        for k in range(n):
            row, column = divmod(k, columns)
            inrow = min(columns, n - row * columns)
            x = (column - (inrow - 1) / 2) * step
            found.append((round(x, 4), round(row * depth * 1.25 + random.uniform(-loose, loose), 4)))
        return found


def seen(share: float) -> float:
    """How much larger than life a thing is drawn that is only this share of another."""
    return 1.0 if share >= SMALLEST else (share / SMALLEST) ** -0.6


def _aligned(one: Wish, holder: Wish, turn: float) -> None:
    """Turn a long thing along the long top that it is on: a train on a bridge."""
    top = holder.solid.top
    width, depth, _ = size_of(one)
    if top is None or top.size is None or min(width, depth) * LONG > max(width, depth):
        return
    if min(top.size) * LONG <= max(top.size):
        across = (width > depth) != (top.size[0] > top.size[1])
        one.solid = one.solid.model_copy(update={"turn": turn + (90.0 if across else 0.0)})


def _over(stack: Stack, at: tuple[float, float], z: float) -> Stack:
    """The block with its middle over a place, resting at a height."""
    x0, y0, _, x1, y1, _ = stack.box
    return stack.moved(at[0] - (x0 + x1) / 2, at[1] - (y0 + y1) / 2, z - stack.box[2])


def _surface(wish: Wish, root: Stood, top: Top | None) -> tuple[Region, float, tuple[float, float], float]:
    """Where things rest on a thing: whether a place is on it, its height, its middle, and its width."""
    x0, y0, _, x1, y1, z1 = bounds(points_of(wish.solid))
    back = rotation((0, 0, -root.turn))
    if top is None:
        middle, half, radius, z = ((x0 + x1) / 2, (y0 + y1) / 2), ((x1 - x0) / 2, (y1 - y0) / 2), None, z1
    else:
        middle = (top.at[0] / 100, top.at[1] / 100)
        half = (top.size[0] / 200, top.size[1] / 200) if top.size is not None else None
        radius, z = (top.radius / 100 if top.radius is not None else None), top.z / 100
    size = wish.size

    def inside(x: float, y: float) -> bool:
        px, py, _ = (back @ np.array([x - root.at[0], y - root.at[1], 0.0])) / size
        dx, dy = px - middle[0], py - middle[1]
        if radius is not None:
            return bool(math.hypot(dx, dy) <= radius)
        return half is not None and abs(dx) <= half[0] + 1e-9 and abs(dy) <= half[1] + 1e-9

    centre = rotation((0, 0, root.turn)) @ np.array([*middle, 0.0]) * size
    room = 2 * size * (radius if radius is not None else max(half) if half is not None else 0.1)
    return inside, root.at[2] + z * size, (float(centre[0]), float(centre[1])), room
