"""The pads of a part that are worth showing: pin 1, those that face a neighbor, those on shared nets, the corners."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from redraft.layout.items import Bounds, Item, Port

_FIRST = ("1", "A1", "P1", "A", "K", "G", "+")
"""Names of the first pin, the surest first."""
MAX_SHARED_NETS = 6
"""Nets shared with others that are worth a pad each."""


def first_pin(item: Item) -> Port | None:
    """Return pin 1, or what takes its place: `A1` of a ball grid, the anode or cathode of a diode."""
    if len(item.ports) < 2:
        return None
    named = {port.name.upper(): port for port in reversed(item.ports)}
    return next((named[name] for name in _FIRST if name in named), None)


def net_of(port: Port) -> str:
    """Return the net of a pad; none for an unconnected pad, which board editors put on a net of its own."""
    return "" if port.net.startswith("unconnected-") else port.net


def ranked_pads(
    item: Item, neighbours: Sequence[Bounds], nets: Mapping[str, int], wanted: Sequence[Port] = ()
) -> Iterator[Port]:
    """Yield the pads that matter, the most telling first, each once.

    Args:
        neighbours: boxes of the things around that matter, the most important first.
        nets: for each net the number of things in the window on it.
        wanted: pads that were named; they come before all others.
    """
    places = np.array([port.at for port in item.ports]).reshape(-1, 2)
    first = [item.ports.index(port) for port in wanted]
    seen: set[int] = set()
    for rank in chain(first, _candidates(item, places, neighbours, nets)):
        if rank not in seen:
            seen.add(rank)
            yield item.ports[rank]


def _candidates(
    item: Item, places: NDArray[np.float64], neighbours: Sequence[Bounds], nets: Mapping[str, int]
) -> Iterator[int]:
    named = [i for i, port in enumerate(item.ports) if port.name]
    first = first_pin(item)
    if first is not None:
        yield item.ports.index(first)
    if not named:
        return
    for box in neighbours:
        yield named[int(np.argmin(_distances(places[named], box)))]

    # One pad for each net that something else in the window is on, the rarest nets first.
    on: dict[str, list[int]] = {}
    for i in named:
        net = net_of(item.ports[i])
        if net and nets.get(net, 0) > 1:
            on.setdefault(net, []).append(i)
    for net in sorted(on, key=lambda n: (nets[n], n))[:MAX_SHARED_NETS]:
        pads = on[net]
        yield pads[int(np.argmin(_distances(places[pads], neighbours[0])))] if neighbours else pads[0]

    # The pads that reach furthest into the four corners of the part, its turn undone.
    turn = math.radians(item.rotation)
    c, s = math.cos(turn), math.sin(turn)
    upright = places[named] @ np.array([[c, s], [-s, c]])
    for corner in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
        yield named[int(np.argmax(np.round(upright @ np.array(corner), 6)))]
    if len(named) <= 8:
        yield from named


def _distances(places: NDArray[np.float64], box: Bounds) -> NDArray[np.float64]:
    """Return the squared distances of points from a box."""
    low, high = np.array(box[:2]), np.array(box[2:])
    off = np.maximum(np.maximum(low - places, places - high), 0.0)
    return (off**2).sum(axis=1)
