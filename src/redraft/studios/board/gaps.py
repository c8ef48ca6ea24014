"""Gaps between the pads of different parts, and between pads and the board's edge, in array passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

BOTH = 3
"""The layers of a hole: a bit for each of layer 0 and 1."""


@dataclass(frozen=True)
class PadGap:
    """Two pads of different parts, or one and the edge (`other` is None then), and what lies between."""

    item: Item
    port: Port
    other: Item | None
    against: Port | None
    actual: float
    """Clear distance, 0 where they meet."""
    wanted: float

    @property
    def depth(self) -> float:
        """By how much it is too small."""
        return self.wanted - self.actual


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
        rows = [(n, port, _bits(item.layer_of(port))) for n, item in enumerate(layout) for port in item.ports]
        return cls(
            layout.items,
            [port for _, port, _ in rows],
            np.array([n for n, _, _ in rows], dtype=np.int64),
            np.array([bits for _, _, bits in rows], dtype=np.int64),
            np.array([port.core for _, port, _ in rows], dtype=object),
            np.array([port.radius for _, port, _ in rows]),
        )

    @cached_property
    def boxes(self) -> Floats:
        """(n, 4), each with its radius."""
        found: Floats = shapely.bounds(self.cores)  # pyright: ignore[reportUnknownMemberType]
        return found.reshape(-1, 4) + self.radii[:, None] * np.array([-1.0, -1.0, 1.0, 1.0])

    def too_near(self, layout: Layout) -> Iterator[PadGap]:
        """Pairs of pads of different parts and nets, on a common layer, nearer than the layout's clearances allow."""
        if not self.ports:
            return
        most = max(layout.clearance_between(port, port) for port in self.ports)
        a, b = self._pairs(most)
        between: Floats = shapely.distance(self.cores[a], self.cores[b])  # pyright: ignore[reportUnknownMemberType]
        distances = between - self.radii[a] - self.radii[b]
        for n in np.flatnonzero(distances < most):
            one, two = int(a[n]), int(b[n])
            wanted = layout.clearance_between(self.ports[one], self.ports[two])
            if distances[n] < wanted:
                yield self._gap(one, two, max(float(distances[n]), 0.0), wanted)

    def near_edge(self, area: BaseGeometry, wanted: float) -> Iterator[PadGap]:
        """Pads that are nearer to the board's edge, or to a cut-out, than they may be, or lie over it."""
        if not self.ports:
            return
        edge = area.boundary
        shapely.prepare(edge)
        reach: Any = self.radii + wanted  # an array, which shapely's types do not know of
        near: NDArray[np.bool_] = shapely.dwithin(edge, self.cores, reach)
        rows: list[int] = np.flatnonzero(near).tolist()
        for n in rows:
            core: BaseGeometry = self.cores[n]
            actual = max(float(edge.distance(core)) - float(self.radii[n]), 0.0)
            if actual < wanted and self.ports[n].core.intersects(area):
                yield PadGap(self.items[int(self.owners[n])], self.ports[n], None, None, actual, wanted)

    def _pairs(self, reach: float) -> tuple[Numbers, Numbers]:
        """Pads whose boxes come so near, each pair once, of different parts and nets and on a common layer."""
        grown = self.boxes + reach / 2 * np.array([-1.0, -1.0, 1.0, 1.0])
        boxes: NDArray[np.object_] = shapely.box(grown[:, 0], grown[:, 1], grown[:, 2], grown[:, 3])
        a, b = shapely.STRtree(boxes).query(boxes, predicate=None)
        nets = self._nets()
        apart = (a < b) & (self.owners[a] != self.owners[b]) & ((self.layers[a] & self.layers[b]) != 0)
        apart &= (nets[a] != nets[b]) | (nets[a] == 0)
        return a[apart], b[apart]

    def _nets(self) -> Numbers:
        """A number for each net; 0 for none, which is different from any, itself included."""
        numbers: Mapping[str, int] = {"": 0} | {
            net: n for n, net in enumerate(sorted({port.net for port in self.ports} - {""}), 1)
        }
        return np.array([numbers[port.net] for port in self.ports], dtype=np.int64)

    def _gap(self, one: int, two: int, actual: float, wanted: float) -> PadGap:
        first, second = (self.items[int(self.owners[n])] for n in (one, two))
        return PadGap(first, self.ports[one], second, self.ports[two], actual, wanted)


def _bits(layer: int | None) -> int:
    return BOTH if layer is None else 1 << layer
