"""Gaps between the pads of different components, and between pads and the board's edge, in array passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Item, Layout, Port

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

BOTH_LAYERS = 3
"""The layers of a hole: a bit for each of layer 0 and 1."""


@dataclass(frozen=True)
class PadGap:
    """The gap between two pads of different components, or between one and the edge: `other` is None then."""

    item: Item
    port: Port
    other: Item | None
    against: Port | None
    actual: float
    """Clear distance, 0 where they meet."""
    clearance: float
    """The distance that they need."""

    @property
    def depth(self) -> float:
        """The distance that is missing."""
        return self.clearance - self.actual


@dataclass(frozen=True)
class Pads:
    """All pads of a layout, as arrays of one length."""

    items: Sequence[Item]
    ports: Sequence[Port]
    owners: Numbers
    layers: Numbers
    cores: NDArray[np.object_]
    radii: Floats

    @classmethod
    def of(cls, layout: Layout) -> Pads:
        """Return the pads of a layout."""
        rows = [(n, port, item.layer_of(port)) for n, item in enumerate(layout) for port in item.ports]
        bits = [BOTH_LAYERS if layer is None else 1 << layer for _, _, layer in rows]
        return cls(
            layout.items,
            [port for _, port, _ in rows],
            np.array([n for n, _, _ in rows], dtype=np.int64),
            np.array(bits, dtype=np.int64),
            np.array([port.core for _, port, _ in rows], dtype=object),
            np.array([port.radius for _, port, _ in rows]),
        )

    @cached_property
    def boxes(self) -> Floats:
        """The boxes of all pads, (n, 4), with their radii."""
        cores: Floats = shapely.bounds(self.cores)  # pyright: ignore[reportUnknownMemberType]
        return cores.reshape(-1, 4) + self.radii[:, None] * np.array([-1.0, -1.0, 1.0, 1.0])

    def too_near(self, layout: Layout) -> Iterator[PadGap]:
        """Yield pads of different components and nets, on a common layer, nearer than the layout's clearances allow."""
        if not self.ports:
            return
        widest = max(layout.clearance_between(port, port) for port in self.ports)

        # Pairs whose boxes come so near, each once. Net 0 is none, and differs from any, itself included.
        grown = self.boxes + widest / 2 * np.array([-1.0, -1.0, 1.0, 1.0])
        boxes: NDArray[np.object_] = shapely.box(grown[:, 0], grown[:, 1], grown[:, 2], grown[:, 3])
        a, b = shapely.STRtree(boxes).query(boxes, predicate=None)
        numbers = {net: n for n, net in enumerate(sorted({port.net for port in self.ports} | {""}))}
        nets = np.array([numbers[port.net] for port in self.ports], dtype=np.int64)
        pairs = (a < b) & (self.owners[a] != self.owners[b]) & ((self.layers[a] & self.layers[b]) != 0)
        pairs &= (nets[a] != nets[b]) | (nets[a] == 0)
        a, b = a[pairs], b[pairs]

        between: Floats = shapely.distance(self.cores[a], self.cores[b])  # pyright: ignore[reportUnknownMemberType]
        distances = between - self.radii[a] - self.radii[b]
        for n in np.flatnonzero(distances < widest):
            one, two = int(a[n]), int(b[n])
            first, second = self.ports[one], self.ports[two]
            clearance = layout.clearance_between(first, second)
            if distances[n] < clearance:
                items = [self.items[int(self.owners[row])] for row in (one, two)]
                yield PadGap(items[0], first, items[1], second, max(float(distances[n]), 0.0), clearance)

    def near_edge(self, area: BaseGeometry, clearance: float) -> Iterator[PadGap]:
        """Yield pads that are nearer to the board's edge, or to a cut-out, than they may be, or lie over it."""
        if not self.ports:
            return
        edge = area.boundary
        shapely.prepare(edge)
        reach: Any = self.radii + clearance  # an array, which shapely's types do not know of
        near: NDArray[np.bool_] = shapely.dwithin(edge, self.cores, reach)
        rows: list[int] = np.flatnonzero(near).tolist()
        for n in rows:
            core: BaseGeometry = self.cores[n]
            actual = max(float(edge.distance(core)) - float(self.radii[n]), 0.0)
            if actual < clearance and self.ports[n].core.intersects(area):
                yield PadGap(self.items[int(self.owners[n])], self.ports[n], None, None, actual, clearance)
