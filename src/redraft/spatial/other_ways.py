"""Other ways to what an action asked for, when it would make things collide: another side, another turn, room made.

The nearest free place keeps no distance; somebody who asked for exactly 0.5 mm is better told where that can be had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from redraft.errors import RedraftError
from redraft.spatial.actions import PlaceRelative, Side
from redraft.spatial.in_the_way import in_the_way
from redraft.spatial.layout import Layout
from redraft.spatial.motion import transformed

__all__ = ["other_ways"]

_SIDES: dict[Side, str] = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}
_TOLD = 2


@dataclass(frozen=True)
class _Way:
    """The same distance at a side and a turn, and what would be in the way there; of a turned part one of it."""

    side: Side
    words: str
    met: tuple[str, ...]


def other_ways(layout: Layout, action: PlaceRelative) -> str:
    """Where the same distance is free; else where what is in the way could give way. The layout is a board's.

    Only ways in which pads of one net face each other count, if the target's net is on the part at all. A part is
    turned only where no side is free without, and half way round only where its pads are measured.
    """
    unturned = _until_told(_ways(layout, action, 0.0))
    free = [way.words for way in unturned if not way.met]
    for turn in (90.0, 180.0, 270.0) if _by_pads(layout, action) else (90.0,):
        free = free or [way.words for way in _until_told(_ways(layout, action, turn)) if not way.met]
    if free:
        return f"the same distance is free {', or '.join(free)}"
    for way in sorted(unturned, key=lambda way: len(way.met)):
        if all(_movable(layout, name, action) for name in way.met):
            named = ", ".join(way.met)
            return f"{way.words} {named} could give way: allow_overlap there, then legalise {named} with a clearance"
    return f"at this distance there is no room on any side of {action.target}"


def _by_pads(layout: Layout, action: PlaceRelative) -> bool:
    return action.measure == "pad" or action.target not in layout


def _until_told(ways: Iterable[_Way]) -> list[_Way]:
    """The ways until so many are free as are told."""
    found, free = list[_Way](), 0
    for way in ways:
        found.append(way)
        free += not way.met
        if free == _TOLD:
            break
    return found


def _ways(layout: Layout, action: PlaceRelative, turn: float) -> Iterator[_Way]:
    """The side that was asked for first."""
    from redraft.spatial.solver.turning import rotate

    turned = layout.moved(rotate(layout, (action.ref,), turn)) if turn else layout
    before = f", {action.ref} rotated by {turn:g} first, with allow_overlap" if turn else ""
    sides: Sequence[Side] = (action.side, *(side for side in _SIDES if side != action.side))
    for side in sides:
        met = _met(layout, turned, action.model_copy(update={"side": side}))
        if met is not None:
            yield _Way(side, f"{_SIDES[side]} {action.target} (side {side}{before})", met)


def _met(layout: Layout, turned: Layout, action: PlaceRelative) -> tuple[str, ...] | None:
    """What the part would meet; None where this is no way to what was asked."""
    from redraft.spatial.solver.relative import placed_relative

    ref = action.ref
    try:
        placed = placed_relative(
            turned, ref, action.target, action.side, action.clearance, action.align, action.measure
        )
    except RedraftError:  # on this side it cannot be done at all
        return None
    if placed.pads and placed.pads[0].net != placed.pads[1].net and _has_net(layout, ref, placed.pads[1].net):
        return None
    dx, dy = placed.moves[0].matrix[4:] if placed.moves else (0.0, 0.0)
    x0, y0, x1, y1 = turned.extents[turned.rows[ref]].tolist()
    there = transformed(turned[ref], placed.moves)
    met = in_the_way(layout, there, (x0 + dx, y0 + dy, x1 + dx, y1 + dy))
    return tuple(dict.fromkeys(met if turned is layout else islice(met, 1)))


def _has_net(layout: Layout, ref: str, net: str) -> bool:
    return bool(net) and any(port.net == net for port in layout[ref].ports)


def _movable(layout: Layout, name: str, action: PlaceRelative) -> bool:
    """Whether something in the way could give way without spoiling what was asked."""
    owner = action.target if action.target in layout else action.target.rpartition(".")[0]
    return name in layout and not layout[name].locked and name not in {owner, action.ref}
