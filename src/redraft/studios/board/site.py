"""The board around its parts: where they may lie, where they may not, and the copper that windows show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Bounds, Fixture, Keepout
from redraft.studios.board.copper import Copper
from redraft.studios.board.edges import edges_of
from redraft.studios.board.kicad_file import BoardFile
from redraft.studios.board.outline import joined
from redraft.studios.board.zones import keepout_of, rule_areas_of, zone_fixture, zones_of

__all__ = ["Site", "site_of"]


@dataclass(frozen=True)
class Site:
    """What a `Layout` needs to know of a board beside its parts. Lengths are millimetres."""

    area: BaseGeometry | None
    """The board, cut-outs left out; several pieces for a panel. None: no outline, or an open one."""
    keepouts: tuple[Keepout, ...]
    """Rule areas that bar footprints, on the sides (1 front, 0 back) that they are on."""
    carried: Mapping[int, Sequence[Keepout]]
    """Those within footprints, by the footprint's place in the file; they lie where the file has the footprint."""
    fixtures: Callable[[Bounds], Sequence[Fixture]]
    """Tracks, vias and zones in a window; the first call reads them, and may raise `BoardFormatError`."""
    warnings: tuple[str, ...] = ()
    """What is wrong with the outline, in words."""


def site_of(file: BoardFile) -> Site:
    """Read the site of a board, copper and its zones left for later.

    Raises:
        BoardFormatError: a line of the outline or a rule area is damaged.
    """
    outline = joined(list(edges_of(file)))
    keepouts = [(zone.footprint, found) for zone in rule_areas_of(file) if (found := keepout_of(zone)) is not None]
    lying = tuple(keepout for owner, keepout in keepouts if owner is None)
    return Site(outline.area, lying, _by_place(file, keepouts), _Fixtures(file), outline.warnings)


def _by_place(file: BoardFile, keepouts: Iterable[tuple[int | None, Keepout]]) -> dict[int, list[Keepout]]:
    """Keep-outs of footprints, by the footprint's place in the file."""
    places = {i: place for place, i in enumerate(file.sections.get(b"footprint", ()))}
    found: dict[int, list[Keepout]] = {}
    for owner, keepout in keepouts:
        if owner in places:
            found.setdefault(places[owner], []).append(keepout)
    return found


class _Fixtures:
    """Finds what lies in a window; reads zones and copper when first asked."""

    def __init__(self, file: BoardFile) -> None:
        self._file = file

    def __call__(self, window: Bounds) -> Sequence[Fixture]:
        x0, y0, x1, y1 = window
        zones, b = self._zones
        met = (b[:, 0] <= x1) & (b[:, 2] >= x0) & (b[:, 1] <= y1) & (b[:, 3] >= y0)
        return [*(zones[i] for i in np.flatnonzero(met).tolist()), *self._copper.within(window)]

    @cached_property
    def _zones(self) -> tuple[Sequence[Fixture], NDArray[np.float64]]:
        """With their boxes, (n, 4)."""
        zones = [zone_fixture(zone) for zone in zones_of(self._file)]
        return zones, np.array([zone.shape.bounds for zone in zones]).reshape(-1, 4)

    @cached_property
    def _copper(self) -> Copper:
        return Copper.of(self._file)
