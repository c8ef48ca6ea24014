"""What a window has besides parts: copper that no action moves, keep-outs; and which parts are not placed yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from redraft.spatial.gaps import exact
from redraft.spatial.ref_ranges import ranges, some
from redraft.spatial.token_budget import clean, estimate
from redraft.spatial.views import Box, Fixtures, NoGo
from redraft.spatial.window import Window, unplaced_in

__all__ = ["Surroundings", "boxed", "surroundings"]

NETS = 4
KEEPOUTS = 4
UNPLACED = 50
"""Tokens for the names of parts that are not placed."""
LONGEST = 40


@dataclass(frozen=True)
class Surroundings:
    """Bounded in size, whatever the window."""

    fixtures: Fixtures | None
    keepouts: tuple[NoGo, ...]
    unplaced: tuple[str, ...]

    @property
    def cost(self) -> int:
        """Tokens, as estimated."""
        facts = [*([self.fixtures] if self.fixtures else []), *self.keepouts]
        return sum(estimate(f.text()) + 4 for f in facts) + sum(estimate(text) + 3 for text in self.unplaced)


def surroundings(window: Window) -> Surroundings:
    """All of them."""
    return Surroundings(_fixtures(window), _keepouts(window), _unplaced(window))


def _fixtures(window: Window) -> Fixtures | None:
    """Counts by kind, and of the nets with most of it."""
    found = window.layout.fixtures(window.bounds) if window.layout.fixtures else ()
    if not found:
        return None
    kinds, nets = Counter[str](), Counter[str]()
    for (kind, net), count in Counter([(fixture.kind, fixture.net) for fixture in found]).items():
        kinds[kind] += count
        nets[net] += count if net else 0
    del nets[""]
    most = sorted(nets, key=lambda net: (-nets[net], net))[:NETS]
    return Fixtures(
        kinds={clean(kind, 16): kinds[kind] for kind in sorted(kinds)[:NETS]},
        nets={clean(net, 24): nets[net] for net in most},
        more_nets=len(nets) - len(most),
    )


def _keepouts(window: Window) -> tuple[NoGo, ...]:
    frame, sight = window.layout.frame, shapely.box(*window.bounds)
    return tuple(
        NoGo(
            name=clean(keepout.name, 24),
            bbox=boxed(keepout.shape.bounds, frame.quantum),
            layers=tuple(clean(frame.layers.get(n, str(n)), 16) for n in keepout.layers or ()),
        )
        for keepout in [k for k in window.layout.barred if k.shape.intersects(sight)][:KEEPOUTS]
    )


def _unplaced(window: Window) -> tuple[str, ...]:
    off: list[int] = np.flatnonzero(unplaced_in(window.layout, window.boxes)).tolist()[:LONGEST]
    if not off:
        return ()
    return some(ranges(window.items[i].name for i in off), UNPLACED)


def boxed(box: Sequence[float], quantum: float) -> Box:
    """Four numbers as two corners, to the quantum."""
    x0, y0, x1, y1 = (exact(value, quantum) for value in box)
    return Box(min=(x0, y0), max=(x1, y1))
