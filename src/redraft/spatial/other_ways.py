"""Other ways to what an action asked for, when it would make things collide: another side, another turn, room made.

The nearest free place keeps no distance; somebody who asked for exactly 0.5 mm is better told where that can be had.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redraft.errors import RedraftError
from redraft.spatial.actions import PlaceRelative, Side
from redraft.spatial.collisions import new_collisions
from redraft.spatial.layout import Layout

__all__ = ["other_ways"]

_SIDES: dict[Side, str] = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}
_TOLD = 2
_TURNS = (0.0, 90.0, 180.0, 270.0)


@dataclass(frozen=True)
class _Way:
    """The same distance at a side and a turn, and what would be in the way there."""

    side: Side
    words: str
    met: tuple[str, ...]


def other_ways(layout: Layout, action: PlaceRelative) -> str:
    """Where the same distance is free; else where what is in the way could give way.

    Only ways in which pads of one net face each other count, if the target's net is on the part at all.
    """
    ways = list(_ways(layout, action))
    free = list({way.side: way.words for way in reversed(ways) if not way.met}.values())[::-1][:_TOLD]
    if free:
        return f"the same distance is free {', or '.join(free)}"
    for way in sorted(ways, key=lambda way: len(way.met)):
        if all(_movable(layout, name, action) for name in way.met):
            named = ", ".join(way.met)
            return f"{way.words} {named} could give way: allow_overlap there, then legalise {named} with a clearance"
    return f"at this distance there is no room on any side of {action.target}"


def _ways(layout: Layout, action: PlaceRelative) -> Iterator[_Way]:
    """The side that was asked for first, unturned before turned."""
    sides: Sequence[Side] = (action.side, *(side for side in _SIDES if side != action.side))
    for turn in _TURNS:
        for side in sides:
            met = _met(layout, action.model_copy(update={"side": side}), turn)
            if met is not None:
                turned = f", {action.ref} rotated by {turn:g} first, with allow_overlap" if turn else ""
                yield _Way(side, f"{_SIDES[side]} {action.target} (side {side}{turned})", met)


def _met(layout: Layout, action: PlaceRelative, turn: float) -> tuple[str, ...] | None:
    """What the part would collide with; None where this is no way to what was asked."""
    from redraft.spatial.solver.relative import placed_relative
    from redraft.spatial.solver.turning import rotate

    try:
        turned = layout.moved(rotate(layout, (action.ref,), turn)) if turn else layout
        placed = placed_relative(
            turned, action.ref, action.target, action.side, action.clearance, action.align, action.measure
        )
    except RedraftError:  # on this side it cannot be done at all
        return None
    if placed.pads and placed.pads[0].net != placed.pads[1].net and _has_net(layout, action.ref, placed.pads[1].net):
        return None
    found = new_collisions(layout, turned.moved(placed.moves), (action.ref,))
    return tuple(dict.fromkeys(other for _, other in found))


def _has_net(layout: Layout, ref: str, net: str) -> bool:
    return bool(net) and any(port.net == net for port in layout[ref].ports)


def _movable(layout: Layout, name: str, action: PlaceRelative) -> bool:
    """Whether something in the way could give way without spoiling what was asked."""
    owner = action.target if action.target in layout else action.target.rpartition(".")[0]
    return name in layout and not layout[name].locked and name not in {owner, action.ref}
