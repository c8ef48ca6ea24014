"""Where the blocks of one floor go: beside, before, behind each other as the ties say, clear of each other.

x is the camera's right, y its depth. Blocks are placed one after the other at the best of many candidate places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from redraft.offline.scene.wanted import Tie

__all__ = ["Block", "Box", "around", "arranged"]

Box = tuple[float, float, float, float, float, float]
Region = Callable[[float, float], bool]
"""Whether a point of the plan is on the floor."""


@dataclass
class Block:
    """All of one wish, with what is on and in it, around its own origin."""

    id: str
    boxes: list[Box] = field(default_factory=list[Box])

    @property
    def box(self) -> Box:
        return around(self.boxes)


def around(boxes: Sequence[Box]) -> Box:
    """The box around boxes."""
    lows = [min(b[k] for b in boxes) for k in range(3)]
    highs = [max(b[k] for b in boxes) for k in range(3, 6)]
    return (lows[0], lows[1], lows[2], highs[0], highs[1], highs[2])


def arranged(
    blocks: Sequence[Block], ties: Sequence[Tie], region: Region | None = None
) -> tuple[dict[str, tuple[float, float]], list[str]] | None:
    """A place for each block, and the words that they do not keep; None when the floor has no room."""
    found: dict[str, tuple[float, float]] = {}
    unmet: list[str] = []
    byid = {b.id: b for b in blocks}
    for block in _order(blocks, ties):
        mine = [
            t for t in ties if (t.a == block.id and set(t.b) <= found.keys()) or (t.a in found and t.b == (block.id,))
        ]
        places = {i: _moved(byid[i].box, at) for i, at in found.items()}
        solid = [_moved(box, found[i]) for i in found for box in byid[i].boxes]
        best = _best(block, mine, places, solid, region)
        if best is None:
            if region is not None:
                return None
            unmet += [t.phrase for t in mine]
            best = _best(block, [], places, solid, None) or (0.0, 0.0)
        found[block.id] = best
    return found, unmet


def _order(blocks: Sequence[Block], ties: Sequence[Tie]) -> list[Block]:
    """The one that most is said of first, then what is tied to those before, the large before the small."""
    left = {b.id: b for b in blocks}
    size = {b.id: (b.box[3] - b.box[0]) * (b.box[4] - b.box[1]) for b in blocks}
    told = {b.id: sum(1 for t in ties if b.id in t.b) for b in blocks}
    ordered: list[Block] = []
    while left:
        done = {b.id for b in ordered}
        linked = {i for t in ties for i in (t.a, *t.b) if {t.a, *t.b} & done} & left.keys()
        turn = linked or left.keys()
        spoken = [b.id for b in blocks]
        best = max(turn, key=lambda i: (told[i], size[i], -spoken.index(i)))
        ordered.append(left.pop(best))
    return ordered


def _best(
    block: Block, ties: Sequence[Tie], places: dict[str, Box], solid: Sequence[Box], region: Region | None
) -> tuple[float, float] | None:
    """The cheapest candidate place where nothing is hit and all ties hold."""
    ranked: list[tuple[float, float, float]] = []
    seen: set[tuple[float, float]] = set()
    for x, y in _candidates(block, ties, places, region):
        at = (round(x, 4), round(y, 4))
        if at in seen:
            continue
        seen.add(at)
        box = _moved(block.box, at)
        if all(_holds(t, block.id, box, places) for t in ties):
            ranked.append((round(_cost(block, box, ties, places), 4), *at))
    for _, x, y in sorted(ranked, key=lambda r: (r[0], abs(r[1]), -r[1], r[2])):
        mine = [_moved(box, (x, y)) for box in block.boxes]
        if region is not None and not all(region(px, py) for b in mine for px in (b[0], b[3]) for py in (b[1], b[4])):
            continue
        if not any(_hits(a, b) for a in mine for b in solid):
            return (x, y)
    return None


def _candidates(
    block: Block, ties: Sequence[Tie], places: dict[str, Box], region: Region | None
) -> Iterable[tuple[float, float]]:
    x0, y0, _, x1, y1, _ = block.box
    if not places:
        yield from _around(0.0, 0.0, max(x1 - x0, y1 - y0)) if region is not None else [(0.0, 0.0)]
        return
    xs: set[float] = set()
    ys: set[float] = set()
    near = [places[i] for t in ties for i in (t.a, *t.b) if i in places] or [around(list(places.values()))]
    for p in near:
        gap = _gap(block.box, p)
        for far in (1.0, 1.6, 2.5, 4.0, 7.0, 14.0):
            xs |= {p[0] - far * gap - x1, p[3] + far * gap - x0}
            ys |= {p[1] - far * gap - y1, p[4] + far * gap - y0}
        middle = (p[0] + p[3]) / 2 - (x0 + x1) / 2
        xs |= {middle + k * (p[3] - p[0]) for k in (0, -0.25, 0.25, -0.4, 0.4)} | {
            p[3] - 0.35 * (x1 - x0) - x0,
            p[0] + 0.35 * (x1 - x0) - x1,
        }
        ys |= {(p[1] + p[4]) / 2 - (y0 + y1) / 2, p[1] - y0, p[4] - y1}
    whole = around(list(places.values()))
    gap = _gap(block.box, whole)
    xs |= {whole[0] - gap - x1, whole[3] + gap - x0}
    ys |= {whole[1] - gap - y1, whole[4] + gap - y0}
    for x in sorted(xs):
        for y in sorted(ys):
            yield x, y
    if region is not None:
        yield from _around(0.0, 0.0, max(x1 - x0, y1 - y0))


def _around(x: float, y: float, step: float) -> Iterable[tuple[float, float]]:
    """Places in rings, the nearest first."""
    yield x, y
    for ring in range(1, 9):
        for k in range(12):
            angle = math.tau * k / 12
            yield x + 0.3 * ring * step * math.cos(angle), y + 0.3 * ring * step * math.sin(angle)


def _gap(a: Box, b: Box) -> float:
    """The room between neighbours."""
    return max(0.01, 0.16 * min(max(a[3] - a[0], a[4] - a[1]), max(b[3] - b[0], b[4] - b[1])))


def _holds(tie: Tie, mine: str, box: Box, places: dict[str, Box]) -> bool:
    """Whether a tie holds with the block's box where it is."""
    a = box if tie.a == mine else places[tie.a]
    others = [box if i == mine else places[i] for i in tie.b]
    b = others[0]
    wide = min(a[3] - a[0], b[3] - b[0])
    shared = min(a[3], b[3]) - max(a[0], b[0])
    match tie.relation:
        case "left_of":
            return a[3] <= b[0] + 1e-9
        case "right_of":
            return a[0] >= b[3] - 1e-9
        case "in_front_of":
            return a[4] <= b[1] + 1e-9 and shared > 0.25 * wide
        case "behind":
            return a[1] >= b[4] - 1e-9 and shared > 0.25 * wide
        case "beside":
            return a[3] <= b[0] + 1e-9 or a[0] >= b[3] - 1e-9
        case _:
            return True


def _cost(block: Block, box: Box, ties: Sequence[Tie], places: dict[str, Box]) -> float:
    """How far from the best place by each tie; without one, from the middle of what is there."""
    total = 0.0
    for tie in ties:
        a = box if tie.a == block.id else places[tie.a]
        for i in tie.b:
            b = box if i == block.id else places[i]
            total += _strain(tie, a, b)
    whole = around(list(places.values())) if places else box
    x, y = _middle(box)
    cx, cy = _middle(whole)
    tall = box[5] - box[2] > whole[5] - whole[2]
    total += 0.12 * (abs(x - cx) + abs(y - cy))
    if not ties and places:
        total += (
            0.6 * abs(box[1] - whole[1])
            + max(0.0, whole[3] - box[0]) * 0.15
            + (0.4 * max(0.0, cy - y) if tall else 0.4 * max(0.0, y - cy))
        )
        total += 2.0 * max(0.0, min(box[3], whole[3]) - max(box[0], whole[0])) * (1.0 if y > cy and not tall else 0.4)
    return total


def _strain(tie: Tie, a: Box, b: Box) -> float:
    (ax, ay), (bx, by) = _middle(a), _middle(b)
    gap = max(b[0] - a[3], a[0] - b[3], b[1] - a[4], a[1] - b[4], 0.0)
    wanted = {"touching": 0.1, "near": 0.6, "plain": 1.0, "far": 8.0, "much_further": 12.0}[tie.degree] * _gap(a, b)
    if tie.relation == "far":
        wanted = 8.0 * _gap(a, b)
    off = abs(gap - wanted)
    match tie.relation:
        case "left_of" | "right_of" | "beside":
            return off + 1.2 * min(abs(ay - by), abs(a[1] - b[1]) + 0.05)
        case "in_front_of":
            return off + 1.0 * abs(ax - bx + 0.22 * (b[3] - b[0]))
        case "behind":
            hidden = a[5] - a[2] < 1.3 * (b[5] - b[2])
            side = abs(abs(ax - bx) - ((b[3] - b[0]) / 2 + 0.1 * (a[3] - a[0]))) if hidden else abs(ax - bx)
            return off + side
        case _:
            return off + 0.3 * abs(ay - by)


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[3]) / 2, (box[1] + box[4]) / 2


def _moved(box: Box, by: tuple[float, float]) -> Box:
    return (box[0] + by[0], box[1] + by[1], box[2], box[3] + by[0], box[4] + by[1], box[5])


def _hits(a: Box, b: Box) -> bool:
    return all(a[k] < b[k + 3] - 1e-6 and b[k] < a[k + 3] - 1e-6 for k in range(3))
