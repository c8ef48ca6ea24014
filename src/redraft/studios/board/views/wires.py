"""What connects components: the shortest airwire of each net, all pads of a net, pins by side, and tracks in rows.

Rows are short texts, so that a budget holds many. Positions are in the layout's unit, to a thousandth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from redraft.layout.items import Bounds, Fixture, Item, Layout, Point, Port
from redraft.studios.board.views.facts import NetView, PinView
from redraft.studios.board.views.pads import net_of
from redraft.text import clean, natural, ranges
from redraft.tokens import estimate

Floats = NDArray[np.float64]

NET = 24
"""Characters of a net's name."""
ON_EDGE = 0.05
"""Of the extent of a component's pads: so near to an edge of them all lies an outer pad."""


def spot(at: Sequence[float]) -> str:
    """`103.1,48`: a point to a thousandth of a unit."""
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
    """How many other components are on the net."""

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
    mine = {name: _by_net(layout[name]) for name in names}
    wanted = {net for nets in mine.values() for net in nets}
    ends: dict[str, list[tuple[str, Port]]] = {net: [] for net in wanted}
    for item in layout.items:
        for port in item.ports:
            if port.net in wanted:
                ends[port.net].append((item.name, port))
    places = {net: np.array([port.at for _, port in found]) for net, found in ends.items()}
    found: list[tuple[int, int, Airwire]] = []
    for turn, (name, nets) in enumerate(mine.items()):
        wires = [w for net, ports in nets.items() if (w := _nearest(name, ports, ends[net], places[net])) is not None]
        wires.sort(key=lambda wire: (wire.crowd, -round(wire.length, 6), natural(wire.pad.name)))
        found += [(place, turn, wire) for place, wire in enumerate(wires)]
    return [wire for _, _, wire in sorted(found, key=lambda entry: entry[:2])]


def _by_net(item: Item) -> dict[str, list[Port]]:
    found: dict[str, list[Port]] = {}
    for port in item.ports:
        if net_of(port):
            found.setdefault(port.net, []).append(port)
    return found


def _nearest(name: str, ports: Sequence[Port], ends: Sequence[tuple[str, Port]], places: Floats) -> Airwire | None:
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
"""Tokens of a net's pads, as estimated: a look at a net costs less than 2,000."""


def net_view(layout: Layout, net: str, around: str = "", radius: float = 0.0) -> NetView:
    """Return a net's pads with their components, pins and places, under 2,000 tokens.

    Args:
        around: only pads so near to the box of this component, the nearest first; without it all, by component.
        radius: how near, in units.
    """
    pads = [(item, port) for item in layout.items for port in item.ports if port.net == net]
    near = pads
    if around:
        far = {id(port): _from_box(layout.bounds(around), port.at) for _, port in pads}
        near = [pad for pad in pads if far[id(pad[1])] <= radius]
        near.sort(key=lambda pad: round(far[id(pad[1])], 9))
    else:
        near.sort(key=lambda pad: (natural(pad[0].name), natural(pad[1].name)))
    found = layout.fixtures(layout.frame.bounds) if layout.fixtures else ()
    zones = sorted({fixture.layer for fixture in found if fixture.kind == "zone" and fixture.net == net})
    on = [fixture.kind for fixture in found if fixture.net == net]
    view = NetView(
        net=clean(net, 48),
        pad_count=len(pads),
        half_perimeter=round(half_perimeter(layout, net), 3),
        pads=(),
        near=clean(around),
        zones=tuple(clean(layer, 40) for layer in zones[:6]),
        tracks=on.count("track"),
        vias=on.count("via"),
    )
    spent, rows = estimate(view.text()) + 60, list[str]()
    for item, port in near:
        row = _pad_row(layout, item, port)
        spent += estimate(row) + 2
        if spent > BUDGET:
            break
        rows.append(row)
    left = near[len(rows) :]
    parts = _component_rows(layout, [item for item, _ in near[: len(rows)]], BUDGET - spent)
    names = tuple(ranges(item.name for item, _ in left)[:12]) if left else ()
    ask = f'{{"net":"{clean(net, 48)}","around":"{clean(left[0][0].name)}","radius":10}}' if left else ""
    return view.model_copy(
        update={"pads": tuple(rows), "components": parts, "left_out": len(left), "left_out_refs": names, "ask": ask}
    )


def _component_rows(layout: Layout, items: Sequence[Item], limit: int) -> tuple[str, ...]:
    """`C6 capacitor 10uF Top`: each component once, as many as a number of tokens allows."""
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
    """`U1.4 VDD (power_in) 103.1,48 Bottom`."""
    layer = item.layer_of(port)
    away = layer is not None and layer != max(layout.frame.layers, default=layer)
    words = (
        _pad(item.name, port),
        clean(port.function, 20) if port.function not in {"", port.name} else "",
        f"({clean(port.kind, 16)})" if port.kind not in {"", "passive"} else "",
        spot(port.at),
        clean(layout.frame.layers.get(layer or 0, str(layer)), 16) if away else "",
        "not placed" if _off(layout, port) else "",
    )
    return " ".join(filter(None, words))


def _off(layout: Layout, port: Port) -> bool:
    return layout.area is not None and not layout.area.intersects(port.core)


def _from_box(box: Bounds, at: Point) -> float:
    return float(np.hypot(max(box[0] - at[0], at[0] - box[2], 0.0), max(box[1] - at[1], at[1] - box[3], 0.0)))


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
    found: dict[str, list[tuple[Port, str]]] = {}
    order = np.lexsort((places[:, 0].round(6), places[:, 1].round(6)))
    for place in map(int, order):
        port = item.ports[place]
        if not net_of(port):
            continue
        at = [k for k in range(4) if near[place, k]]
        side = "row" if thin else SIDES[max(at, key=lambda k: (counts[k], -k))] if at else "inside"
        row = " ".join(filter(None, (clean(port.name, 12), clean(port.net, NET), _function(port))))
        if all(row != other for _, other in found.get(side, [])):
            found.setdefault(side, []).append((port, row))
    for side in ("top", "bottom"):
        found.get(side, []).sort(key=lambda pin: round(pin[0].at[0], 6))
    return {side: found[side] for side in (*SIDES, "row", "inside") if side in found}


def pin_view(layout: Layout, ref: str) -> PinView:
    """Return all pads of a component with their nets, by side, under 2,000 tokens."""
    item, spent, left = layout[ref], 60, 0
    told: dict[str, list[str]] = {}
    for side, pins in {**pin_rows(item), "unconnected": [(None, row) for row in unconnected(item)]}.items():
        for _, row in pins:
            spent += estimate(row) + 2
            if spent > BUDGET:
                left += 1
            else:
                told.setdefault(side, []).append(row)
    ask = f"{clean(ref)}.A* or {clean(ref)}.2* shows pads by the beginning of their names" if left else ""
    pins = {clean(ref): {side: tuple(rows) for side, rows in told.items()}}
    return PinView(pins=pins, left_out=left, ask=ask)


SIDES = ("left", "right", "top", "bottom")


def _function(port: Port) -> str:
    said = clean(port.function, 20)
    return f"({said})" if said and said != port.name and said.casefold() not in port.net.casefold() else ""


def unconnected(item: Item) -> list[str]:
    """Return the names of a component's pads without a net, runs as `5-8`."""
    return ranges(clean(port.name, 12) for port in item.ports if port.name and not net_of(port))


# Tracks


def track_rows(found: Sequence[Fixture], limit: int) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return tracks and vias in rows that cost at most so many tokens, and how many had no room.

    A row of tracks is a net, a layer, and a line over the points at which its segments meet: `SDA F.Cu 101.2,45 to
    103.5,45 to 103.5,48`; of vias a net and their places. The first fixtures are kept.
    """
    wires = [fixture for fixture in found if fixture.kind in {"track", "via"}]
    kept = len(wires)
    while 3 * kept > limit:  # a fixture costs three tokens or more
        kept = kept * 3 // 4
    while kept:
        tracks, vias = _lines(wires[:kept]), _vias(wires[:kept])
        if sum(estimate(row) + 2 for row in (*tracks, *vias)) <= limit:
            return tracks, vias, len(wires) - kept
        kept = kept * 3 // 4
    return (), (), len(wires)


def _lines(wires: Sequence[Fixture]) -> tuple[str, ...]:
    lines: dict[tuple[str, str], list[list[str]]] = {}
    for wire in wires:
        if wire.kind == "track" and wire.ends:
            chains = lines.setdefault((wire.net, wire.layer), [])
            _chain(chains, *(spot([round(value, 2) for value in end]) for end in wire.ends))
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


def _vias(wires: Sequence[Fixture]) -> tuple[str, ...]:
    places: dict[str, list[str]] = {}
    for wire in wires:
        if wire.kind == "via":
            x0, y0, x1, y1 = wire.shape.bounds
            places.setdefault(wire.net, []).append(spot((round((x0 + x1) / 2, 2), round((y0 + y1) / 2, 2))))
    return tuple(f"{clean(net, NET) or 'no net'} {' '.join(at)}" for net, at in places.items())


def nearest_first(
    found: Sequence[Fixture], boxes: Floats, layers: Collection[str], own: Collection[str] = ()
) -> list[Fixture]:
    """Return tracks and vias by their distance to boxes (n, 4): those on the layers first, all vias being on all, and
    those of the nets `own`, which a pad may lie on, behind the others."""
    wires = [fixture for fixture in found if fixture.kind in {"track", "via"}]
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
