"""What a model asked to see: windows around components, nets, neighborhoods, zones, regions, free room, dry runs.

A look gets exactly the windows that it asks for, each with a budget of its own: those of the microscope under 2,000
tokens, the compass under 1,000. What has no room is named, with a way to ask for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from redraft.brief import Brief
from redraft.errors import ExecutionError
from redraft.layout.items import Bounds, Layout
from redraft.result import Issue
from redraft.studios.board.actions.workspace import clearances
from redraft.studios.board.board import Board
from redraft.studios.board.check import check
from redraft.studios.board.place.netlist import unplaced
from redraft.studios.board.placement import Placement, board_of, carried_out, layout_of
from redraft.studios.board.spec import ActionList, Look
from redraft.studios.board.views.compass import compass
from redraft.studios.board.views.free import free_rectangles
from redraft.studios.board.views.gaps import box_gap
from redraft.studios.board.views.microscope import free_row, inspect_components, view_of
from redraft.studios.board.views.window import region
from redraft.studios.board.views.wires import net_view, nets_of, pin_view, spot
from redraft.studios.board.views.zones import ZONES, zone_named
from redraft.studios.board.wires import wire_lengths
from redraft.studios.board.words.find import listed, sought
from redraft.text import clean

PADDING = 5.0
"""Millimeters around the components concerned, as the specification has it."""
TOGETHER = 6
"""Components in one window, so that each has room for its pads."""
APART = 20.0
"""Millimeters between two components, beyond which each has a window of its own."""
WINDOWS = 6
"""Windows of one look."""
MANY = 12
"""A pattern or kind of more components is answered with a list of them."""
ROOM = 10.0
"""Millimeters around a component in which free room is looked for first."""
COMPASS = "compass"
NET = "net:"


@dataclass(frozen=True)
class Seen:
    """One window."""

    title: str
    text: str
    refs: tuple[str, ...] = ()
    """The components and pads that it is around."""
    padding: float = PADDING
    bounds: Bounds | None = None
    """The region that it shows, where it is not around components. Neither: it has no picture."""


@dataclass(frozen=True)
class Answer:
    """What a look gets."""

    placement: Placement
    """What the windows show: after a dry run the board as it would be."""
    windows: tuple[Seen, ...] = ()
    strange: tuple[str, ...] = ()
    """One sentence for each name that is none, with close ones."""
    left_out: tuple[str, ...] = ()
    """What was asked for and had no room in this look."""
    trial: tuple[str, ...] = ()
    """What the actions of a dry run would come to, in lines."""


@dataclass
class _Windows:
    """Windows as they are found."""

    seen: list[Seen] = field(default_factory=list[Seen])
    strange: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])

    def add(self, seen: Seen) -> None:
        if len(self.seen) < WINDOWS:
            self.seen.append(seen)
        else:
            self.left_out.append(seen.title)


def said(look: ActionList) -> str:
    """A look in one line, as it can be asked for again."""
    entries = [entry if isinstance(entry, str) else entry.model_dump(exclude_none=True) for entry in look.inspect]
    asked = f"inspect {json.dumps(entries, ensure_ascii=False)}" if entries else ""
    count = len(look.actions)
    tried = f"dry run of {count} action{'s' * (count != 1)}; none was carried out" if look.dry_run else ""
    return "; ".join(filter(None, (tried, asked)))


def look_at(look: ActionList, placement: Placement, brief: Brief, *, ripup: bool) -> Answer:
    """Return the windows that a look asks for; of a dry run what its actions come to."""
    trial: tuple[str, ...] = ()
    inspect: Sequence[str | Look] = look.inspect
    if look.dry_run:
        placement, trial, moved = _tried(look, placement, brief, ripup=ripup)
        inspect = inspect or moved
    layout, found = layout_of(placement), _Windows()
    names: list[str] = []
    for entry in inspect:
        if isinstance(entry, Look):
            _look(entry, layout, found)
        elif entry.startswith(NET):
            _look(Look(net=entry[len(NET) :] or NET), layout, found)
        elif entry == COMPASS and entry not in layout:
            found.add(Seen("the compass", compass(layout)))
        else:
            names += _named(entry, layout, board_of(placement), found)
    own, found.seen = found.seen, []
    for seen in (*_around_parts(layout, names), *own):
        found.add(seen)
    return Answer(placement, (*found.seen,), (*found.strange,), (*found.left_out,), trial)


def look_around(names: Sequence[str], placement: Placement) -> Answer:
    """Return windows around components and pads, without being asked."""
    found = _Windows()
    for seen in _around_parts(layout_of(placement), names):
        found.add(seen)
    return Answer(placement, (*found.seen,), left_out=(*found.left_out,))


def _named(entry: str, layout: Layout, board: Board, found: _Windows) -> tuple[str, ...]:
    """Components and pads to show in windows; many at once, and those that are not placed yet, are listed."""
    meant = sought((entry,), layout)
    found.strange += meant.strange
    if len(meant.names) > MANY:
        found.add(Seen(f'"{clean(entry)}", {len(meant.names)} components', listed(board, layout, meant.names)))
        return ()
    owners = {name: name if name in layout else name.rpartition(".")[0] for name in meant.names}
    off = frozenset(unplaced(layout))
    beside = [*dict.fromkeys(owner for owner in owners.values() if owner in off)]
    if len(beside) > 1:
        found.add(Seen(f'"{clean(entry)}", {len(beside)} not placed yet', listed(board, layout, beside)))
    elif beside:
        found.add(Seen(f"{clean(beside[0])}, not placed yet: its pins", pin_view(layout, beside[0]).text()))
    return tuple(name for name, owner in owners.items() if owner not in beside)


def _around_parts(layout: Layout, names: Sequence[str]) -> Iterator[Seen]:
    """Yield windows around components and pads, a few in each, and the pins that had no room in them."""
    parts: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        owner = name if name in layout else name.rpartition(".")[0]
        parts.setdefault(owner, []).append(name)
    for group in _groups(layout, [*parts]):
        wanted = tuple(name for ref in group for name in parts[ref])
        view = inspect_components(layout, wanted, PADDING)
        cut = [ref for ref in group if clean(ref) in view.pins_left_out]
        pins = {ref: sides for ref, sides in view.pins.items() if ref not in view.pins_left_out}
        own = view.model_copy(update={"pins": pins, "pins_left_out": {}})
        yield Seen(", ".join(map(clean, group)), own.text(), wanted)
        for ref in cut:
            yield Seen(f"all pins of {clean(ref)}", pin_view(layout, ref).text())


def _groups(layout: Layout, refs: Sequence[str]) -> Iterator[list[str]]:
    """Yield components that share a window: so few, and each near one before it."""
    left = [*refs]
    while left:
        group = [left.pop(0)]
        for ref in [*left]:
            near = any(box_gap(layout.bounds(ref), layout.bounds(one))[0] <= APART for one in group)
            if near and len(group) < TOGETHER:
                group.append(ref)
                left.remove(ref)
        yield group


def _look(look: Look, layout: Layout, found: _Windows) -> None:
    for name in (look.around, look.free):
        if name is not None and name not in layout:
            found.strange += sought((name,), layout).strange or (f"{name[:60]!r} is more than one component",)
            return
    if look.net is not None:
        _net(look, layout, found)
    elif look.zone is not None:
        bounds = zone_named(layout, look.zone)
        if bounds is None:
            found.strange.append(f"There is no zone {look.zone[:60]!r}; the zones are {', '.join(ZONES)}")
        else:
            found.add(_region(layout, bounds, f"the zone {look.zone}"))
    elif look.region is not None:
        found.add(_region(layout, look.region, f"the region {spot(look.region[:2])} to {spot(look.region[2:])}"))
    elif look.free is not None:
        found.add(Seen(f"free room for {clean(look.free)}", _free(layout, look.free, look.around, look.radius)))
    elif look.around is not None:
        radius = look.radius or PADDING
        text = inspect_components(layout, (look.around,), radius).text()
        found.add(Seen(f"within {radius:g} mm of {clean(look.around)}", text, (look.around,), radius))


def _region(layout: Layout, bounds: Bounds, title: str) -> Seen:
    return Seen(title, view_of(region(layout, bounds)).text(), bounds=bounds)


def _net(look: Look, layout: Layout, found: _Windows) -> None:
    asked = look.net or ""
    nets = [*nets_of(layout)]
    folded = {net.casefold(): net for net in reversed(nets)}
    name = next((n for n in (asked, f"/{asked}") if n in nets), folded.get(asked.casefold()))
    if name is None:
        bare = asked.strip("*").casefold()
        close = [net for key, net in folded.items() if bare and bare in key][:4]
        close += [folded[key] for key in get_close_matches(bare, folded, n=4, cutoff=0.5)]
        names = ", ".join(map(clean, dict.fromkeys(close)))
        found.strange.append(f"There is no net {asked[:60]!r}" + (f"; close: {names}" if names else ""))
        return
    near = f" near {clean(look.around)}" if look.around else ""
    text = net_view(layout, name, look.around or "", look.radius or ROOM).text()
    found.add(Seen(f"the net {clean(name)}{near}", text))


def _free(layout: Layout, ref: str, around: str | None, radius: float | None) -> str:
    """The largest free rectangles into which a component fits on its side, as JSON."""
    item, (x0, y0, x1, y1) = layout[ref], layout.extent(ref)
    width, height = round(x1 - x0, 6), round(y1 - y0, 6)
    reach, window = (radius or ROOM) + max(width, height), layout.frame.bounds
    if around is not None:
        a0, b0, a1, b1 = layout.bounds(around)
        window = (a0 - reach, b0 - reach, a1 + reach, b1 + reach)
    rows = _free_rows(layout, ref, around, window, (width, height))
    note = ""
    if not rows and around is not None:
        rows = _free_rows(layout, ref, around, layout.frame.bounds, (width, height))
        note = f"nothing within {radius or ROOM:g} mm of it; these are on the rest of the board" if rows else ""
    found: dict[str, object] = {
        "component": clean(ref),
        "size": [width, height],
        "side": layout.frame.layers.get(item.layer, ""),
        **({"around": clean(around)} if around is not None else {}),
        "free": rows,
        **({"note": note or "it fits nowhere on this side"} if note or not rows else {}),
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _free_rows(layout: Layout, ref: str, around: str | None, window: Bounds, size: tuple[float, float]) -> list[str]:
    layer, rows = layout[ref].layer, dict[Bounds, str]()
    for least, turned in ((size, ""), (size[::-1], "; it fits only turned by 90")):
        for found in free_rectangles(layout, window, layer, least=(least[0], least[1]), without=(ref,), most=5):
            far = (
                "" if around is None else f"; {spot((box_gap(layout.bounds(around), found)[0],))} from {clean(around)}"
            )
            rows.setdefault(found, f"{free_row(layout, found, layer)}{far}{turned}")
    return [*rows.values()][:6]


# Dry runs

SHOWN = 8
"""Findings, gaps and nets that are told."""


def _tried(
    look: ActionList, placement: Placement, brief: Brief, *, ripup: bool
) -> tuple[Placement, tuple[str, ...], tuple[str, ...]]:
    """The board as it would be, what is to be said of it, and the components that would move."""
    acting = look.model_copy(update={"inspect": (), "dry_run": False})
    try:
        after = carried_out(acting, placement.model_copy(update={"ripup": ripup}))
    except ExecutionError as error:
        return placement, (str(error),), ()
    layout, before = layout_of(after), layout_of(placement)
    moved = tuple(name for name, pose in after.poses.items() if pose != placement.poses.get(name))
    moved += tuple(name for name in placement.poses if name not in after.poses)
    report = check(after, None, brief)
    done = [step.removeprefix("- ") for step in after.steps[len(placement.steps) :]]
    near = [(pair, gap) for pair, gap in clearances(layout, moved) if gap <= PADDING]
    gaps = [f"{a} to {b} {spot((gap,))}" for (a, b), gap in near]
    lines = [
        *done,
        *_findings(report.errors, report.warnings),
        *([f"Gaps (mm): {'; '.join(gaps[:SHOWN])}"] if gaps else []),
        *_edges(layout, moved),
        _lengths(before, layout),
    ]
    return after, tuple(lines), moved[:TOGETHER]


def _edges(layout: Layout, moved: Sequence[str]) -> Iterator[str]:
    """How far the pads of moved components are from the edge of the board, and how far they have to be."""
    if layout.area is None:
        return
    edge = layout.area.boundary
    gaps = {name: min(edge.distance(port.shape) for port in layout[name].ports) for name in moved if layout[name].ports}
    near = sorted((gap, name) for name, gap in gaps.items() if gap <= PADDING)[:SHOWN]
    listed = "; ".join(f"{clean(name)} {spot((gap,))}" for gap, name in near) or f"none within {PADDING:g}"
    yield f"Pads to the edge of the board (mm; the least is {layout.edge_clearance:g}): {listed}"


def _findings(errors: Sequence[Issue], warnings: Sequence[Issue]) -> Iterator[str]:
    if not errors and not warnings:
        yield "Findings: none"
    issues = [*errors, *warnings]
    for issue in issues[:SHOWN]:
        fix = f" Fix: {issue.hint}" if issue.hint else ""
        yield f"[{issue.severity.upper()}] {issue.code}: {issue.message}{fix}"
    if len(issues) > SHOWN:
        yield f"and {len(issues) - SHOWN} more findings"


def _lengths(before: Layout, after: Layout) -> str:
    """The wire length before and after, and the nets that change most."""
    was, now = wire_lengths(before), wire_lengths(after)
    changes = {net: now[net] - was[net] for net in now if abs(now[net] - was[net]) >= 5e-4}
    most = sorted(changes, key=lambda net: (-abs(changes[net]), net))[: SHOWN // 2]
    nets = ", ".join(f"{clean(net, 24)} {changes[net]:+.3f}" for net in most)
    total = f"Wire length (half-perimeter, mm): {sum(was.values()):.3f} before, {sum(now.values()):.3f} after"
    return f"{total}, {sum(changes.values()):+.3f}" + (f"; most: {nets}" if nets else "")
