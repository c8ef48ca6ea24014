"""redraft's own checks on a board, without KiCad: overlapping components, too little clearance, components off it.

They cover what moving components can break and what takes a moment to compute: courtyards, pads, outline, keep-outs.
Tracks and vias are looked at around the pads of components that were moved. Zones, prints, masks and a project's custom
rules are left to KiCad's own check (`drc`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from redraft.layout.items import Fixture, Item, Keepout, Layout, Port
from redraft.result import Issue, Mark, Report
from redraft.studios.board.actions.registry import Action, PlaceAll
from redraft.studios.board.board import Board
from redraft.studios.board.codes import CODES
from redraft.studios.board.gaps import PadGap, Pads
from redraft.studios.board.solve.collisions import EDGE, barred, collisions, on_copper, rooms
from redraft.studios.board.solve.constraints import AXES
from redraft.studios.board.solve.contact import Outline, travel
from redraft.text import number

WORDS = {(0, -1): "left", (0, 1): "right", (1, -1): "up", (1, 1): "down"}
"""The word for an axis and a sign; y grows downwards."""

MAX_INHERITED_GROWTH = 1e-6
"""A finding that is at most this much deeper than on the original board is inherited, in millimeters."""

MIN_MOVED = 10
"""Components that have to lie elsewhere for a board to count as placed anew, where no action says so."""


def movable(a: Item, b: Item, moved: Collection[str] = ()) -> tuple[Item, Item]:
    """Return two components, first the one that rather moves: not the locked one, then the moved, then the smaller."""
    first, second = sorted((a, b), key=lambda i: (i.locked, i.name not in moved, i.shape.area, i.name))
    return first, second


def apart(name: str, mine: BaseGeometry | Port, other: BaseGeometry | Port, clearance: float = 0.0) -> str:
    """Tell the shortest way along an axis after which two shapes are so far apart; "" if there is none."""
    ways: list[tuple[float, str]] = []
    for axis in AXES:
        for sign in (-1, 1):
            shift = travel(_outline(mine), _outline(other), axis, sign, clearance)
            if shift is not None and shift * sign < 0:  # coming from afar, it would have stopped so much earlier
                ways.append((abs(shift), WORDS[axis, -sign]))
    return _move_words(name, *min(ways)) if ways else ""


def inwards(name: str, shape: BaseGeometry, area: BaseGeometry, clearance: float = 0.0) -> str:
    """Tell the way along an axis that brings a shape into an area and so far from its edge; "" if there is none.

    Exact at edges along the axes; the nearest point of others is taken for the whole edge.
    """
    room = area.buffer(-clearance) if clearance else area
    if room.is_empty:
        return ""
    outside = shape.difference(room)
    if outside.is_empty:
        return ""
    x0, y0, x1, y1 = shape.bounds
    left, top, right, bottom = room.bounds
    wide = [(left - x0, (0, 1)), (x1 - right, (0, -1)), (top - y0, (1, 1)), (y1 - bottom, (1, -1))]
    over = [(way, direction) for way, direction in wide if way > 0]
    if over:
        return " and ".join(_move_words(name if n == 0 else "", way, WORDS[d]) for n, (way, d) in enumerate(over))

    # From the outermost corner of what is outside to the room.
    worst = max((ShapelyPoint(at) for at in shapely.get_coordinates(outside)), key=room.distance)
    _, there = nearest_points(worst, room)
    dx, dy = there.x - worst.x, there.y - worst.y
    axis = 0 if abs(dx) >= abs(dy) else 1
    way = (dx, dy)[axis]
    return _move_words(name, abs(way), WORDS[axis, 1 if way > 0 else -1]) if way else ""


def _outline(shape: BaseGeometry | Port) -> Outline:
    return Outline.of_ports((shape,)) if isinstance(shape, Port) else Outline.of(shape)


def _move_words(name: str, way: float, word: str) -> str:
    """Return `move R1 0.3 mm left`, rounded up to a micrometer, so that having done it is enough."""
    distance = number(math.ceil(way * 1000 - 1e-6) / 1000, 3)
    return f"move {name} {distance} mm {word}" if name else f"{distance} mm {word}"


Key = tuple[str, str, str]
"""Code, component, and the other component, keep-out or edge; two components in the order of their names."""


@dataclass(frozen=True)
class _Finding:
    """Something that is wrong, before it is put into words, and its depth in mm."""

    code: str
    names: tuple[str, str]
    depth: float
    gap: PadGap | None = None
    track: Fixture | None = None

    @property
    def key(self) -> Key:
        first, second = self.names if self.names[1] == EDGE else sorted(self.names)
        return self.code, first, second


def check(layout: Layout, base: Layout | None = None) -> Report:
    """Check a layout. What `base` already had, no less deep, is inherited.

    It takes time in n log n of the pads; a tenth of a second or two for 1,500 components.

    Args:
        layout: in millimeters, `solid`, as `Board.layout` gives it.
        base: the same board before the edit.
    """
    moved = _moved(layout, base)
    findings = _findings(layout, moved)
    had = {key: one.depth for key, one in _findings(base, moved).items()} if base is not None and findings else {}
    pads_before = [port for name in sorted(moved) if base is not None and name in base for port in base[name].ports]
    new: list[Issue] = []
    inherited: list[Issue] = []
    for key, finding in sorted(findings.items()):
        kept = key in had and finding.depth <= had[key] + MAX_INHERITED_GROWTH
        (inherited if kept else new).append(_issue(finding, layout, moved, pads_before))
    return Report(issues=tuple(new), inherited=tuple(inherited))


def placed_anew(layout: Layout, base: Layout | None, actions: Iterable[Action] = ()) -> bool:
    """Return whether the tracks of a board no longer mean anything.

    That is so if placed components were placed anew, or most of all components were.
    """
    moved = _moved(layout, base)
    whole_board = [action for action in actions if isinstance(action, PlaceAll)]
    anew = any(action.replace or action.start == "here" for action in whole_board)
    most = len(moved) > sum(item.claims for item in layout.roots) / 2
    return bool(moved) and (anew or (most and (bool(whole_board) or len(moved) >= MIN_MOVED)))


def compared(board: Board, layout: Layout, base: Layout | None, *, anew: bool) -> Report:
    """Return `check`, without tracks and vias of a board that was placed anew, and with a hint that says so."""
    report = check(replace(layout, fixtures=None) if anew else layout, base)
    lines = board.file.sections.get(b"segment", ()) if anew else ()
    if not lines:
        return report
    unrouted = CODES.finding(
        "board.unrouted",
        "tracks and vias are left out of all checks, because most components were newly placed; the board has "
        f"{len(lines)} tracks",
        hint="in KiCad, remove tracks that no longer fit, and route the board",
    )
    return report.model_copy(update={"issues": (*report.issues, unrouted)})


def _moved(layout: Layout, base: Layout | None) -> frozenset[str]:
    """Return the components that lie elsewhere than in the base."""
    if base is None:
        return frozenset()
    return frozenset(item.name for item in layout if item.name not in base or _pose(base[item.name]) != _pose(item))


def _pose(item: Item) -> tuple[object, ...]:
    """Return the position, rotation and layer of a component."""
    return item.origin or item.shape.bounds, item.rotation, item.layer


def _findings(layout: Layout, moved: Collection[str] = ()) -> dict[Key, _Finding]:
    """Return the worst finding of each kind for each pair."""
    findings: list[_Finding] = []
    keepouts = {keepout.name for keepout in layout.barred}
    for (name, other), depth in collisions(layout, _suspects(layout)).items():
        if other != EDGE:
            findings.append(_Finding("board.keepout" if other in keepouts else "board.overlap", (name, other), depth))
        elif layout.area is None or layout.area.intersects(layout[name].shape):
            # A component that lies wholly off the board is not placed yet, which is not an error of its place.
            findings.append(_Finding("board.off", (name, other), depth))

    pads = Pads.of(layout)
    for gap in pads.too_near(layout):
        assert gap.other is not None
        findings.append(_Finding("board.clearance", (gap.item.name, gap.other.name), gap.depth, gap))
    if layout.area is not None:
        near_edge = pads.near_edge(layout.area, layout.edge_clearance)
        findings += [_Finding("board.edge", (gap.item.name, EDGE), gap.depth, gap) for gap in near_edge]

    # Pads of moved components on tracks and vias of other nets, or too near to them.
    for item in (layout[name] for name in sorted(moved) if name in layout):
        for port, track, actual, clearance in on_copper(layout, item):
            gap = PadGap(item, port, None, None, actual, clearance)
            words = f"{track.kind} of {track.net} on {track.layer}"
            findings.append(_Finding("board.short", (item.name, words), gap.depth, gap, track))

    worst: dict[Key, _Finding] = {}
    for finding in findings:
        if finding.key not in worst or finding.depth > worst[finding.key].depth:
            worst[finding.key] = finding
    return worst


def _suspects(layout: Layout) -> list[str]:
    """Return components whose boxes meet that of another one or a keep-out, or which are not all on the board.

    The others are free of collisions, and there are many of them.
    """
    if not len(layout):
        return []
    b = layout.extents
    boxes: NDArray[np.object_] = shapely.box(b[:, 0], b[:, 1], b[:, 2], b[:, 3])
    keepouts = np.array([keepout.shape.envelope for keepout in layout.barred], dtype=object)
    near = shapely.STRtree(np.concatenate([boxes, keepouts])).query(boxes, predicate="intersects")
    met = np.zeros(len(layout.roots), dtype=np.bool_)
    met[near[0][near[0] != near[1]]] = True
    if layout.area is not None:
        shapely.prepare(layout.area)
        met |= ~shapely.covers(layout.area, np.array([item.shape for item in layout.roots], dtype=object))
    return [layout.roots[i].name for i in np.flatnonzero(met)]


def _issue(finding: _Finding, layout: Layout, moved: Collection[str], pads_before: Collection[Port]) -> Issue:
    """Put a finding into words; `pads_before` are the pads of moved components, where they were."""
    name, other = finding.names
    if finding.gap is not None and finding.track is not None:
        return _on_track(finding.gap, finding.track, pads_before)
    if finding.gap is not None:
        return _too_near(finding.gap, moved)
    item = layout[name]
    if finding.code == "board.off":
        assert layout.area is not None
        return _off(item, layout.area, finding.depth)
    if finding.code == "board.keepout":
        shapes = [(k, shapely.union_all(barred(k, item))) for k in layout.barred if k.name == other]
        keepout, shape = next((k, shape) for k, shape in shapes if k.shape.intersects(shape))
        return _in_keepout(item, shape, keepout, finding.depth)
    return _overlap(item, layout[other], layout, finding.depth, moved)


def _overlap(a: Item, b: Item, layout: Layout, depth: float, moved: Collection[str]) -> Issue:
    mine, other = movable(a, b, moved)
    own, theirs = rooms(mine), rooms(other)
    met = (layer for layer in sorted(own.keys() & theirs.keys()) if own[layer].intersects(theirs[layer]))
    layer = next(met, None)
    side = f" on {layout.frame.layers.get(mine.layer, 'one layer')}" if mine.layer == other.layer else ""
    away = f"move {mine.name} away from {other.name}"
    return CODES.finding(
        "board.overlap",
        f"{a.name} and {b.name} overlap{side}, by {depth:.3f} mm the shortest way.",
        (a.name, b.name),
        numbers={"depth": round(depth, 6)},
        hint=away if layer is None else apart(mine.name, own[layer], theirs[layer]),
        marks=(_box(a.shape), _box(b.shape)),
    )


def _off(item: Item, area: BaseGeometry, depth: float) -> Issue:
    """Put into words that a component is over the edge: mild if its pads are not, as those of connectors."""
    copper = [port.shape for port in item.ports]
    slight = all(map(area.covers, copper or [item.shape]))
    what = "its courtyard only" if slight or not copper else "its pads too"
    return CODES.finding(
        "board.off",
        f"{item.name} reaches {depth:.3f} mm over the board's edge ({what}).",
        (item.name,),
        numbers={"depth": round(depth, 6)},
        hint=inwards(item.name, item.shape, area),
        marks=(_box(item.shape),),
        mild=slight,
    )


def _in_keepout(item: Item, shape: BaseGeometry, keepout: Keepout, depth: float) -> Issue:
    what, which = (f"A pad of {item.name}", "pads") if keepout.ports_only else (item.name, "parts")
    return CODES.finding(
        "board.keepout",
        f"{what} is {depth:.3f} mm within {keepout.name}, where no {which} may be.",
        (item.name,),
        numbers={"depth": round(depth, 6)},
        hint=apart(item.name, shape, keepout.shape),
        marks=(_box(shape), _box(keepout.shape)),
    )


def _too_near(gap: PadGap, moved: Collection[str]) -> Issue:
    what = _pad(gap.item, gap)
    numbers = {"expected": round(gap.clearance, 6), "actual": round(gap.actual, 6)}
    if gap.other is None or gap.against is None:
        return CODES.finding(
            "board.edge",
            f"{what} is {gap.actual:.3f} mm from the board's edge; {gap.clearance:g} mm are needed.",
            (gap.item.name,),
            numbers=numbers,
            hint=f"move {gap.item.name} {gap.depth:.3f} mm away from the edge",
            marks=(_box(gap.port.shape),),
        )
    pair = ((gap.item, gap.port), (gap.other, gap.against))
    mine, other = movable(gap.item, gap.other, moved)
    ports = {item.name: port for item, port in pair}
    nets = " and ".join(port.net or "no net" for _, port in pair)
    return CODES.finding(
        "board.clearance",
        f"{what} is {gap.actual:.3f} mm from {gap.other.name}.{gap.against.name} ({nets}); "
        f"{gap.clearance:g} mm are needed.",
        (gap.item.name, gap.other.name),
        numbers=numbers,
        hint=apart(mine.name, ports[mine.name], ports[other.name], gap.clearance),
        marks=tuple(_box(port.shape) for _, port in pair),
    )


def _on_track(gap: PadGap, track: Fixture, pads_before: Collection[Port]) -> Issue:
    """Put into words that a pad is on a track; `--ripup` is named where it removes the track.

    It does where the track ended at a pad of its net that has moved.
    """
    ends = [ShapelyPoint(end) for end in track.ends]
    ripped = any(port.net == track.net and port.shape.intersects(end) for port in pads_before for end in ends)
    ways = [
        apart(gap.item.name, gap.port, track.shape, gap.clearance) or f"place {gap.item.name} elsewhere",
        *(["run with --ripup, which removes this track: it ended at a pad that was moved"] if ripped else []),
        "write the board all the same with --force",
    ]
    short = gap.actual == 0.0
    where = f"a {track.kind} of {track.net} on {track.layer}"
    lies = f"lies on {where}" if short else f"is {gap.actual:.3f} mm from {where}; {gap.clearance:g} mm are needed"
    return CODES.finding(
        "board.short" if short else "board.clearance",
        f"{_pad(gap.item, gap)} ({gap.port.net or 'no net'}) {lies}.",
        (gap.item.name,),
        numbers={"expected": round(gap.clearance, 6), "actual": round(gap.actual, 6)},
        hint="; or ".join(ways),
        marks=(_box(gap.port.shape), _box(track.shape)),
    )


def _pad(item: Item, gap: PadGap) -> str:
    return f"Pad {item.name}.{gap.port.name}" if gap.port.name else f"A pad of {item.name}"


def _box(shape: BaseGeometry) -> Mark:
    x0, y0, x1, y1 = shape.bounds
    return Mark(kind="box", at=(x0, y0, x1, y1))
