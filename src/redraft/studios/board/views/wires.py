"""What connects components: the shortest airwire of each net, all pads of a net, pins by side, and tracks in rows.

Rows are short texts, so that a budget holds many. Positions are in the layout's unit, to a thousandth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from redraft.layout.items import Fixture, Item, Layout, Port
from redraft.studios.board.views.facts import NetView, PinView
from redraft.studios.board.views.pads import net_of
from redraft.text import clean, natural, ranges
from redraft.tokens import estimate

Floats = NDArray[np.float64]

NET = 24
"""Characters of a net's name."""
ON_EDGE = 0.05
"""A share of the extent of a component's pads: an outer pad is so near to an edge of them all."""


def spot(at: Sequence[float]) -> str:
    """Return a point to a thousandth of a unit: `103.1,48`."""
    return ",".join(f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) >= 5e-4 else "0" for value in at)


@dataclass(frozen=True)
class Airwire:
    """From a pad of a component to the nearest pad of another one on the same net, from center to center."""

    ref: str
    pad: Port
    other: str
    end: Port
    length: float
    crowd: int
    """The number of other components on the net."""

    @property
    def row(self) -> str:
        """`C1.1 +3V3 to U1.4 2.35`."""
        here, there = _pad(self.ref, self.pad), _pad(self.other, self.end)
        return f"{here} {clean(self.pad.net, NET)} to {there} {spot((self.length,))}"


def _pad(ref: str, port: Port) -> str:
    return f"{clean(ref)}.{clean(port.name, 12)}"


def airwires(layout: Layout, names: Sequence[str]) -> list[Airwire]:
    """Return for each of some components and each of its nets where that goes nearest.

    Components take turns: first the net of each that the fewest others are on, and so on.
    """
    mine: dict[str, dict[str, list[Port]]] = {name: {} for name in names}
    for name, nets in mine.items():
        for port in layout[name].ports:
            if net_of(port):
                nets.setdefault(port.net, []).append(port)

    ends: dict[str, list[tuple[str, Port]]] = {net: [] for nets in mine.values() for net in nets}
    for item in layout.items:
        for port in item.ports:
            if port.net in ends:
                ends[port.net].append((item.name, port))
    places = {net: np.array([port.at for _, port in pads]) for net, pads in ends.items()}

    ranked: list[tuple[int, int, Airwire]] = []
    for turn, (name, nets) in enumerate(mine.items()):
        wires = [w for net, ports in nets.items() if (w := _nearest(name, ports, ends[net], places[net])) is not None]
        wires.sort(key=lambda wire: (wire.crowd, -round(wire.length, 6), natural(wire.pad.name)))
        ranked += [(place, turn, wire) for place, wire in enumerate(wires)]
    return [wire for _, _, wire in sorted(ranked, key=lambda entry: entry[:2])]


def _nearest(name: str, ports: Sequence[Port], ends: Sequence[tuple[str, Port]], places: Floats) -> Airwire | None:
    """Return the shortest airwire from pads of a component to others on their net; None where there is no other."""
    others = np.flatnonzero([other != name for other, _ in ends])
    if not len(others):
        return None
    here = np.array([port.at for port in ports])
    far = np.hypot(*(here[:, None, :] - places[None, others, :]).transpose(2, 0, 1)).round(9)
    i, j = np.unravel_index(int(far.argmin()), far.shape)
    other, end = ends[int(others[j])]
    crowd = len({ends[int(k)][0] for k in others})
    return Airwire(name, ports[int(i)], other, end, float(far[i, j]), crowd)


def half_perimeter(layout: Layout, net: str) -> float:
    """Return the half-perimeter of the box around the pads of a net."""
    places = np.array([port.at for item in layout.items for port in item.ports if port.net == net])
    return float(np.ptp(places, axis=0).sum()) if len(places) else 0.0


BUDGET = 1_900
"""Tokens of the rows of a net, as `estimate` counts them: the whole view costs less than 2,000."""


def net_view(layout: Layout, net: str, around: str = "", radius: float = 0.0) -> NetView:
    """Return a net's pads with their components, pins and places, under 2,000 tokens.

    Args:
        around: only pads within `radius` units of this component's box, the nearest first; else all, by component.
        radius: the greatest distance.
    """
    pads = [(item, port) for item in layout.items for port in item.ports if port.net == net]
    near = pads
    if around:
        x0, y0, x1, y1 = layout.bounds(around)
        far = {
            id(port): float(np.hypot(max(x0 - x, x - x1, 0.0), max(y0 - y, y - y1, 0.0)))
            for _, port in pads
            for x, y in [port.at]
        }
        near = [pad for pad in pads if far[id(pad[1])] <= radius]
        near.sort(key=lambda pad: round(far[id(pad[1])], 9))
    else:
        near.sort(key=lambda pad: (natural(pad[0].name), natural(pad[1].name)))

    fixtures = layout.fixtures(layout.frame.bounds) if layout.fixtures else ()
    on_net = [fixture for fixture in fixtures if fixture.net == net]
    zones = sorted({fixture.layer for fixture in on_net if fixture.kind == "zone"})
    kinds = Counter(fixture.kind for fixture in on_net)
    view = NetView(
        net=clean(net, 48),
        pad_count=len(pads),
        half_perimeter=round(half_perimeter(layout, net), 3),
        pads=(),
        near=clean(around),
        zones=tuple(clean(layer, 40) for layer in zones[:6]),
        tracks=kinds["track"],
        vias=kinds["via"],
    )

    # As many pads as the budget allows, then as many of their components.
    spent, rows = estimate(view.text()) + 60, list[str]()
    for item, port in near:
        row = _pad_row(layout, item, port)
        spent += estimate(row) + 2
        if spent > BUDGET:
            break
        rows.append(row)
    parts = _component_rows(layout, [item for item, _ in near[: len(rows)]], BUDGET - spent)
    rest = near[len(rows) :]
    names = tuple(ranges(item.name for item, _ in rest)[:12]) if rest else ()
    ask = f'{{"net":"{clean(net, 48)}","around":"{clean(rest[0][0].name)}","radius":10}}' if rest else ""
    return view.model_copy(
        update={"pads": tuple(rows), "components": parts, "left_out": len(rest), "left_out_refs": names, "ask": ask}
    )


def _component_rows(layout: Layout, items: Sequence[Item], limit: int) -> tuple[str, ...]:
    """Return rows such as `C6 capacitor 10uF Top`: each component once, as many as fit the number of tokens."""
    rows: list[str] = []
    for item in {item.name: item for item in items}.values():
        side = clean(layout.frame.layers.get(item.layer, str(item.layer)), 16)
        words = (clean(item.name), clean(item.label, 16), clean(item.value, 20), side, "locked" * item.locked)
        row = " ".join(filter(None, words))
        limit -= estimate(row) + 2
        if limit < 0:
            break
        rows.append(row)
    return tuple(rows)


def _pad_row(layout: Layout, item: Item, port: Port) -> str:
    """Return a row such as `U1.4 VDD (power_in) 103.1,48 Bottom`."""
    layer = item.layer_of(port)
    away = layer is not None and layer != max(layout.frame.layers, default=layer)
    off = layout.area is not None and not layout.area.intersects(port.core)
    words = (
        _pad(item.name, port),
        clean(port.function, 20) if port.function not in {"", port.name} else "",
        f"({clean(port.kind, 16)})" if port.kind not in {"", "passive"} else "",
        spot(port.at),
        clean(layout.frame.layers.get(layer or 0, str(layer)), 16) if away else "",
        "not placed" if off else "",
    )
    return " ".join(filter(None, words))


# Pins


def pin_rows(item: Item) -> dict[str, list[tuple[Port, str]]]:
    """Return a component's pads by the side of it on which they lie now, each side in order, with `4 +3V3 (VDD)`.

    Sides are those of the frame: left and right from the top, top and bottom from the left; `row` for pads in one
    line, `inside` for what is not at an edge. Pads of one name and net on a side count once; pads without a net are
    left out: see `unconnected`.
    """
    if not item.ports:
        return {}
    places = np.array([port.at for port in item.ports])
    low, high = places.min(axis=0), places.max(axis=0)
    slack = np.maximum((high - low) * ON_EDGE, 1e-6)
    thin = bool((high - low).min() < 1e-3)
    off = np.stack([places - low, high - places], axis=2).reshape(-1, 4)  # from left, right, top, bottom
    near = off <= np.repeat(slack, 2)
    counts = near.sum(axis=0)

    # A corner pad belongs to the side with more pads. Rows go down each side, and for top and bottom across.
    rows: dict[str, list[tuple[Port, str]]] = {}
    order = np.lexsort((places[:, 0].round(6), places[:, 1].round(6)))
    for place in map(int, order):
        port = item.ports[place]
        if not net_of(port):
            continue
        at = [k for k in range(4) if near[place, k]]
        side = "row" if thin else SIDES[max(at, key=lambda k: (counts[k], -k))] if at else "inside"
        function = clean(port.function, 20)
        repeated = function == port.name or function.casefold() in port.net.casefold()
        function = f"({function})" if function and not repeated else ""
        row = " ".join(filter(None, (clean(port.name, 12), clean(port.net, NET), function)))
        if all(row != other for _, other in rows.get(side, [])):
            rows.setdefault(side, []).append((port, row))
    for side in ("top", "bottom"):
        rows.get(side, []).sort(key=lambda pin: round(pin[0].at[0], 6))
    return {side: rows[side] for side in (*SIDES, "row", "inside") if side in rows}


def pin_view(layout: Layout, ref: str) -> PinView:
    """Return all pads of a component with their nets, by side, under 2,000 tokens."""
    item, spent, left_out = layout[ref], 60, 0
    listed: dict[str, list[str]] = {}
    for side, pins in {**pin_rows(item), "unconnected": [(None, row) for row in unconnected(item)]}.items():
        for _, row in pins:
            spent += estimate(row) + 2
            if spent > BUDGET:
                left_out += 1
            else:
                listed.setdefault(side, []).append(row)
    ask = f"{clean(ref)}.A* or {clean(ref)}.2* shows pads by the beginning of their names" if left_out else ""
    pins = {clean(ref): {side: tuple(rows) for side, rows in listed.items()}}
    return PinView(pins=pins, left_out=left_out, ask=ask)


SIDES = ("left", "right", "top", "bottom")


def unconnected(item: Item) -> list[str]:
    """Return the names of a component's pads without a net, runs as `5-8`."""
    return ranges(clean(port.name, 12) for port in item.ports if port.name and not net_of(port))


# Tracks


def track_rows(fixtures: Sequence[Fixture], limit: int) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return tracks and vias in rows that cost at most so many tokens, and how many had no room.

    A row of tracks is a net, a layer, and a line over the points at which its segments meet: `SDA F.Cu 101.2,45 to
    103.5,45 to 103.5,48`; of vias a net and their places. The first fixtures are kept.
    """
    wires = [fixture for fixture in fixtures if fixture.kind in {"track", "via"}]
    kept = len(wires)
    while 3 * kept > limit:  # a fixture costs three tokens or more
        kept = kept * 3 // 4
    while kept:
        tracks, vias = _track_rows(wires[:kept]), _via_rows(wires[:kept])
        if sum(estimate(row) + 2 for row in (*tracks, *vias)) <= limit:
            return tracks, vias, len(wires) - kept
        kept = kept * 3 // 4
    return (), (), len(wires)


def _track_rows(wires: Sequence[Fixture]) -> tuple[str, ...]:
    lines: dict[tuple[str, str], list[list[str]]] = {}
    for wire in wires:
        if wire.kind == "track" and wire.ends:
            start, end = (spot([round(value, 2) for value in end]) for end in wire.ends)
            _chain(lines.setdefault((wire.net, wire.layer), []), start, end)
    return tuple(
        f"{clean(net, NET) or 'no net'} {clean(layer, 16)} {' to '.join(chain)}"
        for (net, layer), chains in lines.items()
        for chain in chains
    )


def _chain(chains: list[list[str]], start: str, end: str) -> None:
    """Add a segment to the chain that it continues, or begin one."""
    for a, b in ((start, end), (end, start)):
        for chain in chains:
            if chain[-1] == a:
                chain.append(b)
                return
            if chain[0] == a:
                chain.insert(0, b)
                return
    chains.append([start, end])


def _via_rows(wires: Sequence[Fixture]) -> tuple[str, ...]:
    places: dict[str, list[str]] = {}
    for wire in wires:
        if wire.kind == "via":
            x0, y0, x1, y1 = wire.shape.bounds
            places.setdefault(wire.net, []).append(spot((round((x0 + x1) / 2, 2), round((y0 + y1) / 2, 2))))
    return tuple(f"{clean(net, NET) or 'no net'} {' '.join(at)}" for net, at in places.items())


def nearest_first(
    fixtures: Sequence[Fixture], boxes: Floats, layers: Collection[str], own: Collection[str] = ()
) -> list[Fixture]:
    """Return tracks and vias by their distance to boxes (n, 4).

    Those on the layers come first (vias are on all), and those of the nets `own`, which a pad may lie on, last.
    """
    wires = [fixture for fixture in fixtures if fixture.kind in {"track", "via"}]
    if not wires:
        return []
    focus = shapely.union_all(shapely.box(boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]))
    far: Floats = shapely.distance(np.array([wire.shape for wire in wires], dtype=object), focus)  # pyright: ignore[reportUnknownMemberType]
    aside = [wire.kind != "via" and not {*layers} & {*wire.layer.split(", ")} for wire in wires]
    mine = np.array([wire.net in own for wire in wires])
    order = np.lexsort((np.arange(len(wires)), far.round(6), mine, np.array(aside)))
    return [wires[int(i)] for i in order]


def nets_of(layout: Layout) -> Iterator[str]:
    """Yield the nets of a layout, each once, in order."""
    yield from sorted({port.net for item in layout.items for port in item.ports if net_of(port)})
