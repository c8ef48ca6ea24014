"""The whole scene in numbers: each thing at its exact height, clear of the others, in the order of the words.

Built from the leaves: a bowl with what is in it is one block, which then stands on the table, which stands on the floor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from redraft.studios.scene.offline_holding import Holding, held, size_of
from redraft.studios.scene.offline_nesting import nested
from redraft.studios.scene.offline_placing import Block, Box, Region, around, arranged
from redraft.studios.scene.offline_script import Stood
from redraft.studios.scene.offline_setting import Setting, setting
from redraft.studios.scene.offline_shapes import Points, bounds, points_of, rotation
from redraft.studios.scene.offline_wishes import Wish, Wishes

__all__ = ["Plan", "cloud", "planned"]

SMALLEST = 0.14
"""Below this share of the largest thing's size, others are drawn larger than life."""
SKYWARD = 0.16
"""Size of what is in the sky, as a share of the scene's."""


@dataclass(frozen=True)
class Plan:
    """Things that stand, what is around them, and what of the words was not kept."""

    things: tuple[Stood, ...]
    setting: Setting
    unmet: tuple[str, ...] = ()


@dataclass
class _Stack(Block):
    """A block with its things, around its own origin."""

    things: list[Stood] = field(default_factory=list[Stood])

    def moved(self, x: float, y: float, z: float) -> _Stack:
        boxes = [(b[0] + x, b[1] + y, b[2] + z, b[3] + x, b[4] + y, b[5] + z) for b in self.boxes]
        things = [replace(t, at=(t.at[0] + x, t.at[1] + y, t.at[2] + z)) for t in self.things]
        return _Stack(self.id, boxes, things)


def cloud(one: Stood) -> Points:
    """The points that a thing covers where it stands."""
    return points_of(one.solid) * one.size @ rotation((0, 0, one.turn)).T + np.array(one.at)


def planned(asked: Wishes, seed: int) -> Plan:
    """Place all that is asked for. Changes `asked`: stands are added, grounds taken out."""
    holding = held(asked)
    build = _Build(asked, holding, Random(seed))  # noqa: S311 - taste, not secrets
    roots = [i for i in asked.things if i not in holding.holders]
    standing = [i for i in roots if asked.things[i].solid.rests == "ground"]
    aloft = [i for i in roots if i not in standing]
    stacks = build.levelled(standing)
    found, unmet = arranged(stacks, holding.ties) or ({}, [])
    placed = {s.id: s.moved(*found[s.id], -s.box[2]) for s in stacks}
    placed = _shifted(placed, asked)
    where = _setting(asked, holding, standing or aloft)
    for one in sorted(aloft, key=lambda i: asked.things[i].solid.rests == "floats"):
        placed[one] = build.aloft(one, placed, indoor=where.ground == "floor")
    things = [t for i in asked.things if i in placed for t in placed[i].things]
    return Plan(tuple(_named(things)), where, tuple(dict.fromkeys((*asked.unmet, *unmet))))


def _setting(asked: Wishes, holding: Holding, roots: Sequence[str]) -> Setting:
    places = [asked.things[i].solid.place for i in roots]
    afloat = all(asked.things[i].solid.afloat for i in roots)
    return setting(asked.words, [*asked.grounds, *holding.stages], places, afloat=afloat)


def _shifted(placed: dict[str, _Stack], asked: Wishes) -> dict[str, _Stack]:
    """Moves that edits asked for, in shares of the scene's width."""
    if not placed:
        return placed
    whole = around([b for s in placed.values() for b in s.boxes])
    wide = whole[3] - whole[0]
    return {i: s.moved(*(v * wide for v in asked.things[i].shift)) for i, s in placed.items()}


def _named(things: Sequence[Stood]) -> list[Stood]:
    """`Apple 1`, `Apple 2`; a number only where there are several."""
    totals: dict[str, int] = {}
    for one in things:
        totals[one.name] = totals.get(one.name, 0) + 1
    counts: dict[str, int] = {}
    found: list[Stood] = []
    for one in things:
        counts[one.name] = counts.get(one.name, 0) + 1
        found.append(replace(one, name=f"{one.name} {counts[one.name]}" if totals[one.name] > 1 else one.name))
    return found


class _Build:
    """Blocks from the leaves down."""

    def __init__(self, asked: Wishes, holding: Holding, random: Random) -> None:
        self.things = asked.things
        self.asked = asked
        self.holding = holding
        self.random = random

    def levelled(self, ids: Sequence[str]) -> list[_Stack]:
        """The blocks of the floor; what would be a speck beside the largest is made larger."""
        if not ids:
            return []
        sizes = {i: max(size_of(self.things[i])) for i in ids}
        largest = max(sizes.values())
        for i in ids:
            self._grow(i, _seen(sizes[i] / largest))
        return [self.block(i) for i in ids]

    def _grow(self, one: str, factor: float) -> None:
        self.things[one].size *= factor
        for other in [i for i, (_, by) in self.holding.holders.items() if by == one]:
            self._grow(other, factor)

    def block(self, one: str) -> _Stack:
        """All instances of a wish; the first carries what is on, in, under and around it."""
        wish = self.things[one]
        between = [self.block(i) for i in self.holding.held_by(one, "amid")]
        first = self._loaded(one)
        plain = self._single(wish)
        stacks = [first, *([plain] * (wish.count - 1))]
        spread = max((b.box[3] - b.box[0] for b in between), default=0.0)
        places = self._rows(wish, stacks, spread)
        done = _Stack(one)
        for k, (stack, (x, y)) in enumerate(zip(stacks, places, strict=True)):
            turned = stack if k == 0 or wish.solid.turn == 0 else stack
            moved = turned.moved(x, y, 0.0)
            done.boxes += moved.boxes
            done.things += moved.things
        for other in between:
            x0, y0, _, x1, y1, _ = other.box
            cx = (places[0][0] + places[1][0]) / 2 + (first.box[0] + first.box[3]) / 2
            moved = other.moved(cx - (x0 + x1) / 2, places[0][1] - (y0 + y1) / 2, 0.0)
            done.boxes += moved.boxes
            done.things += moved.things
        return done

    def _single(self, wish: Wish, turn: float | None = None) -> _Stack:
        stood = Stood(
            wish.noun[:1].upper() + wish.noun[1:], wish.solid, (0.0, 0.0, 0.0),
            wish.solid.turn if turn is None else turn,
            wish.size, wish.colour, wish.look, wish.id, tuple(wish.parts.items()), wish.note,
        )  # fmt: skip
        box = bounds(cloud(stood))
        stood = replace(stood, at=(0.0, 0.0, -box[2]))
        return _Stack(wish.id, [bounds(cloud(stood))], [stood])

    def _loaded(self, one: str) -> _Stack:
        """One instance with all that it holds."""
        wish = self.things[one]
        base = self._single(wish)
        root = base.things[0]
        done = _Stack(one, list(base.boxes), list(base.things))
        for how, place in (("on", self._on), ("inside", self._inside), ("under", self._under), ("around", self._ring)):
            ids = self.holding.held_by(one, how)
            if ids:
                for stack in place(wish, root, ids):
                    done.boxes += stack.boxes
                    done.things += stack.things
        if any(how == "inside" for how, by in self.holding.holders.values() if by == one):
            done.boxes = [around(done.boxes)]
        return done

    def _on(self, wish: Wish, root: Stood, ids: list[str]) -> list[_Stack]:
        region, z, at, room = _surface(wish, root)
        own = max(size_of(wish))
        for i in ids:
            self._grow(i, _seen(max(size_of(self.things[i])) / own))
        ties = [t for t in self.holding.ties if t.a in ids and set(t.b) <= set(ids)]
        for i in ids:
            width = max(size_of(self.things[i])[:2])
            if width > 1.5 * room and self.things[i].count == 1 and len(ids) == 1:
                self._grow(i, max(0.2, 1.5 * room / width))
        for _ in range(14):
            stacks = [self.block(i) for i in ids]
            found = arranged([_shift(s, (-at[0], -at[1])) for s in stacks], ties, region) if len(ids) > 1 or self.things[ids[0]].count > 1 else None
            if found is not None or (len(ids) == 1 and self.things[ids[0]].count == 1):
                break
            for i in ids:
                self._grow(i, 0.86)
        stacks = [self.block(i) for i in ids]
        shifted = [_shift(s, (-at[0], -at[1])) for s in stacks]
        places, unmet = arranged(shifted, ties, region) or arranged(shifted, ties) or ({}, [])
        self.asked.unmet += unmet
        if len(ids) == 1 and self.things[ids[0]].count == 1:
            x0, y0, _, x1, y1, _ = stacks[0].box
            return [stacks[0].moved(at[0] - (x0 + x1) / 2, at[1] - (y0 + y1) / 2, z - stacks[0].box[2])]
        return [s.moved(*places[s.id], z - s.box[2]) for s in stacks]

    def _inside(self, wish: Wish, root: Stood, ids: list[str]) -> list[_Stack]:
        """In the hollow, resting on its floor or its sides."""
        units = [self._loaded(i) for i in ids for _ in range(self.things[i].count)]
        placed, factor = nested(wish.solid, wish.size, [u.things[0] for u in units])
        turn = rotation((0, 0, root.turn))
        if factor != 1:
            for i in ids:
                self._grow(i, factor)
            units = [self._loaded(i) for i in ids for _ in range(self.things[i].count)]
        found: list[_Stack] = []
        for unit, (x, y, z) in zip(units, placed, strict=True):
            px, py, _ = turn @ np.array([x, y, 0.0])
            found.append(unit.moved(float(px), float(py), z + root.at[2]))
        return found

    def _under(self, wish: Wish, root: Stood, ids: list[str]) -> list[_Stack]:
        found, _ = arranged([self.block(i) for i in ids], []) or ({}, [])
        return [(s := self.block(i)).moved(*_centred(s, found[i]), -s.box[2]) for i in ids]

    def _ring(self, wish: Wish, root: Stood, ids: list[str]) -> list[_Stack]:
        """Around it, facing it."""
        x0, y0, _, x1, y1, _ = bounds(cloud(root))
        cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
        every = [i for i in ids for _ in range(self.things[i].count)]
        found: list[_Stack] = []
        for k, i in enumerate(every):
            one = self.things[i]
            angle = math.radians((180 if len(every) == 2 else 90 + 180 / len(every)) + 360 * k / len(every) + (24 if len(every) == 2 else 0) * (1 if k else -1))
            ux, uy = math.cos(angle), math.sin(angle)
            reach = max(size_of(one)[:2]) / 2
            away = min(((x1 - x0) / 2 + reach) / abs(ux or 1e-9), ((y1 - y0) / 2 + reach) / abs(uy or 1e-9)) + 0.12 * reach
            apart = reach * 1.1 / math.sin(math.pi / max(2, len(every)))
            away = max(away, apart)
            single = self._single(one, math.degrees(math.atan2(-ux, uy)))
            found.append(single.moved(cx + ux * away, cy + uy * away, 0.0))
        return found

    def _rows(self, wish: Wish, stacks: Sequence[_Stack], spread: float) -> list[tuple[float, float]]:
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
        loose = 0.0 if wish.in_row or wish.rows or spread or n > 5 else 0.16 * depth
        found: list[tuple[float, float]] = []
        for k in range(n):
            row, column = divmod(k, columns)
            inrow = min(columns, n - row * columns)
            x = (column - (inrow - 1) / 2) * step
            found.append((round(x, 4), round(row * depth * 1.25 + self.random.uniform(-loose, loose), 4)))
        return found

    def aloft(self, one: str, placed: dict[str, _Stack], *, indoor: bool) -> _Stack:
        """What floats, or hangs on a wall: over, beside or behind what stands."""
        wish = self.things[one]
        boxes = [b for s in placed.values() for b in s.boxes]
        whole: Box = around(boxes) if boxes else (-1.0, -1.0, 0.0, 1.0, 1.0, 1.0)
        wide = max(whole[3] - whole[0], 1.3 * (whole[5] - whole[2]))
        if wish.solid.share and boxes:
            wish.size *= wish.solid.share * wide / max(size_of(wish))
        stack = self.block(one)
        if wish.solid.rests == "wall" and not indoor:
            return stack.moved(*_clear(stack, whole, boxes), -stack.box[2])
        x0, _, z0, x1, _, z1 = stack.box
        x, z = self._beside(one, stack, placed, whole)
        back = whole[4] + (0.02 if wish.solid.rests == "wall" else 0.25 * wide * bool(wish.solid.share))
        over = next((t for t in self.holding.floating if t.a == one and t.relation == "above"), None)
        y = back - stack.box[1]
        if over is not None:
            target = _find(placed, over.b[0])
            y = (target[1] + target[4]) / 2 if wish.solid.rests != "wall" else y
            z = max(target[5] + 0.12 * wide, 0.8 * z if wish.solid.rests == "wall" else 0.0)
        elif not wish.solid.share and wish.solid.rests != "wall" and boxes:
            y = 0.0
        del x0, x1, z1
        return stack.moved(x, y, z - z0)

    def _beside(self, one: str, stack: _Stack, placed: dict[str, _Stack], whole: Box) -> tuple[float, float]:
        """x and height by its ties; else a free slot above the rest."""
        wish = self.things[one]
        width = stack.box[3] - stack.box[0]
        middle = (stack.box[0] + stack.box[3]) / 2
        wide = whole[3] - whole[0]
        height = max(wish.solid.lift / 100 * wish.size, whole[5] * 1.08) if wish.solid.share else wish.solid.lift / 100 * wish.size
        for tie in self.holding.floating:
            if one not in (tie.a, *tie.b):
                continue
            other = tie.b[0] if tie.a == one else tie.a
            if not _has(placed, other):
                continue
            box = _find(placed, other)
            sign = {"left_of": -1, "right_of": 1}.get(tie.relation, 1 if tie.relation in {"beside", "near"} else 0)
            sign = sign if tie.a == one else -sign
            gap = 0.15 * max(width, 0.3 * wide)
            x = (box[0] + box[3]) / 2 if not sign else (box[3] + gap + width / 2 if sign > 0 else box[0] - gap - width / 2)
            level = height if wish.solid.share else max(height, (box[2] + box[5]) / 2)
            return x - middle, level
        taken = [s.box for i, s in placed.items() if self.things[i].solid.rests != "ground"]
        for slot in (-0.3, 0.32, 0.0, 0.6, -0.6, 0.9, -0.9, 1.2, -1.2):
            x = (whole[0] + whole[3]) / 2 + slot * max(wide, 2.2 * width)
            if not any(b[0] < x + width / 2 and x - width / 2 < b[3] for b in taken):
                return x - middle, height
        return whole[3] + width - middle, height


def _seen(share: float) -> float:
    """How much larger than life a thing is drawn that is only this share of another."""
    return 1.0 if share >= SMALLEST else (share / SMALLEST) ** -0.6


def _has(placed: dict[str, _Stack], one: str) -> bool:
    return any(t.group == one for s in placed.values() for t in s.things)


def _find(placed: dict[str, _Stack], one: str) -> Box:
    """The box of a thing, wherever it stands."""
    return around([bounds(cloud(t)) for s in placed.values() for t in s.things if t.group == one])


def _clear(stack: _Stack, whole: Box, boxes: Sequence[Box]) -> tuple[float, float]:
    return (whole[3] + 0.2 - stack.box[0], 0.0) if boxes else (0.0, 0.0)


def _shift(stack: _Stack, by: tuple[float, float]) -> Block:
    return Block(stack.id, [b for b in stack.boxes])


def _centred(stack: _Stack, at: tuple[float, float]) -> tuple[float, float]:
    x0, y0, _, x1, y1, _ = stack.box
    return at[0] - (x0 + x1) / 2, at[1] - (y0 + y1) / 2


def _surface(wish: Wish, root: Stood) -> tuple[Region, float, tuple[float, float], float]:
    """Where things rest on a thing: whether a place is on it, its height, its middle, and its width."""
    top = wish.solid.top
    x0, y0, z0, x1, y1, z1 = bounds(points_of(wish.solid))
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
    room = 2 * size * (radius if radius is not None else min(half) if half is not None else 0.1)
    return inside, root.at[2] + z * size, (float(centre[0]), float(centre[1])), room
