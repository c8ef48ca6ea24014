"""Wires that are not drawn yet: the components that each net joins, the least length of its wires, and the ratsnest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from redraft.layout.items import Layout, Point

PLANE = 40
"""A net of more pads than these is taken for a plane: it is drawn as an area of copper, not as wires."""


def members_of(layout: Layout) -> dict[str, tuple[str, ...]]:
    """Return the items that have pads on each net; moving items does not change it."""
    members: dict[str, dict[str, None]] = {}
    for item in layout.items:
        for port in item.ports:
            if port.net:
                members.setdefault(port.net, {})[item.name] = None
    return {net: tuple(names) for net, names in members.items()}


def pads_of(layout: Layout, members: Mapping[str, Sequence[str]], net: str) -> list[Point]:
    """Return the places of the pads of a net."""
    return [port.at for name in members[net] for port in layout[name].ports if port.net == net]


def wire_length_of(pads: Sequence[Point]) -> float:
    """Return half the perimeter of the box around pads (HPWL), which no wiring of them is shorter than."""
    if len(pads) < 2:
        return 0.0
    xs, ys = zip(*pads, strict=True)
    return max(xs) - min(xs) + max(ys) - min(ys)


def wire_lengths(
    layout: Layout, nets: Iterable[str] | None = None, members: Mapping[str, Sequence[str]] | None = None
) -> dict[str, float]:
    """Return the half-perimeter wire length of each net of two pads or more, in the frame's unit.

    Args:
        nets: only these; all by default.
        members: the result of `members_of`, where that is known already.
    """
    members = members_of(layout) if members is None else members
    names = members if nets is None else [net for net in nets if net in members]
    pads = {net: pads_of(layout, members, net) for net in names}
    return {net: wire_length_of(points) for net, points in pads.items() if len(points) > 1}


def wire_length(layout: Layout, nets: Iterable[str] | None = None) -> float:
    """Return the half-perimeter wire length of some nets together, of all by default, in the frame's unit."""
    return math.fsum(wire_lengths(layout, nets).values())


def spanning_tree(pads: Sequence[Point]) -> list[tuple[int, int]]:
    """Return a minimum spanning tree of pads, by the straight distance (Prim 1957), as pairs of their places."""
    at = np.array(pads, dtype=np.float64).reshape(-1, 2)
    if len(at) < 2:
        return []
    far = np.hypot(*(at - at[0]).T)
    near = np.zeros(len(at), dtype=np.int64)
    far[0] = np.inf
    waiting = np.ones(len(at), dtype=np.bool_)
    waiting[0] = False
    tree: list[tuple[int, int]] = []
    while waiting.any():
        here = int(np.argmin(np.where(waiting, far, np.inf)))
        tree.append((int(near[here]), here))
        waiting[here] = False
        step = np.hypot(*(at - at[here]).T)
        closer = waiting & (step < far)
        far[closer], near[closer] = step[closer], here
    return tree
