"""Answers to a model's looks: windows around components, nets, neighborhoods, zones, regions, free room, dry runs.

A look gets exactly the windows that it asks for, each with a budget of its own: those of the microscope under 2,000
tokens, the compass under 1,000. Windows for which there is no room are named, with a way to ask for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from redraft.brief import Brief
from redraft.errors import ExecutionError
from redraft.layout.items import Bounds, Layout
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
from redraft.text import clean, plural

PADDING = 5.0
"""Millimeters around the components concerned, as the specification has it."""
MAX_TOGETHER = 6
"""Components in one window, so that each has room for its pads."""
MAX_APART = 20.0
"""Millimeters between two components in one window."""
WINDOWS = 6
"""Windows of one look."""
MANY = 12
"""A pattern or kind of more components is answered with a list of them."""
NEARBY = 10.0
"""Millimeters around a component in which free room and pads of a net are looked for first."""
MAX_LISTED = 8
"""Findings, gaps and edges that a dry run lists; nets, half as many."""
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
    """The region that it shows, where it is not around components. With neither it has no picture."""


@dataclass(frozen=True)
class Answer:
    """The answer to a look."""

    placement: Placement
    """The board that the windows show: after a dry run the board as it would be."""
    windows: tuple[Seen, ...] = ()
    strange: tuple[str, ...] = ()
    """One sentence for each unknown name, with close ones."""
    left_out: tuple[str, ...] = ()
    """Windows that were asked for and had no room in this look."""
    trial: tuple[str, ...] = ()
    """The outcome of a dry run, in lines."""


@dataclass
class _Windows:
    """The parts of an answer, as they are collected."""

    seen: list[Seen] = field(default_factory=list[Seen])
    strange: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])

    def add(self, seen: Seen) -> None:
        if len(self.seen) < WINDOWS:
            self.seen.append(seen)
        else:
            self.left_out.append(seen.title)


def look_line(look: ActionList) -> str:
    """Return a look in one line, in which it can be asked for again."""
    entries = [entry if isinstance(entry, str) else entry.model_dump(exclude_none=True) for entry in look.inspect]
    inspect = f"inspect {json.dumps(entries, ensure_ascii=False)}" if entries else ""
    trial = f"dry run of {plural(len(look.actions), 'action')}; none was carried out" if look.dry_run else ""
    return "; ".join(filter(None, (trial, inspect)))


def look_at(look: ActionList, placement: Placement, brief: Brief, *, ripup: bool) -> Answer:
    """Return the windows that a look asks for, and the outcome of a dry run."""
    trial: tuple[str, ...] = ()
    inspect: Sequence[str | Look] = look.inspect
    if look.dry_run:
        placement, trial, moved = _dry_run(look, placement, brief, ripup=ripup)
        inspect = inspect or moved
    layout, windows = layout_of(placement), _Windows()
    names: list[str] = []
    for entry in inspect:
        if isinstance(entry, Look):
            _look(entry, layout, windows)
        elif entry.startswith(NET):
            _look(Look(net=entry[len(NET) :] or NET), layout, windows)
        elif entry == COMPASS and entry not in layout:
            windows.add(Seen("the compass", compass(layout)))
        else:
            names += _components(entry, layout, board_of(placement), windows)

    # Windows around components come first, in groups that are known only now.
    own, windows.seen = windows.seen, []
    for seen in (*_around_parts(layout, names), *own):
        windows.add(seen)
    return Answer(placement, (*windows.seen,), (*windows.strange,), (*windows.left_out,), trial)


def look_around(names: Sequence[str], placement: Placement) -> Answer:
    """Return windows around components and pads that no look asked for."""
    windows = _Windows()
    for seen in _around_parts(layout_of(placement), names):
        windows.add(seen)
    return Answer(placement, (*windows.seen,), left_out=(*windows.left_out,))


def _components(entry: str, layout: Layout, board: Board, windows: _Windows) -> tuple[str, ...]:
    """Return components and pads to show in windows; list those that are too many or not placed yet."""
    meant = sought((entry,), layout)
    windows.strange += meant.strange
    if len(meant.names) > MANY:
        windows.add(Seen(f'"{clean(entry)}", {len(meant.names)} components', listed(board, layout, meant.names)))
        return ()
    owners = {name: name if name in layout else name.rpartition(".")[0] for name in meant.names}
    off = frozenset(unplaced(layout))
    beside = [*dict.fromkeys(owner for owner in owners.values() if owner in off)]
    if len(beside) > 1:
        windows.add(Seen(f'"{clean(entry)}", {len(beside)} not placed yet', listed(board, layout, beside)))
    elif beside:
        windows.add(Seen(f"{clean(beside[0])}, not placed yet: its pins", pin_view(layout, beside[0]).text()))
    return tuple(name for name, owner in owners.items() if owner not in beside)


def _around_parts(layout: Layout, names: Sequence[str]) -> Iterator[Seen]:
    """Yield windows around components and pads, a few in each, and the pins that had no room in them."""
    parts: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        owner = name if name in layout else name.rpartition(".")[0]
        parts.setdefault(owner, []).append(name)
    remaining = [*parts]
    while remaining:
        # Components share a window if each is near one before it.
        group = [remaining.pop(0)]
        for ref in [*remaining]:
            gaps = (box_gap(layout.bounds(ref), layout.bounds(one))[0] for one in group)
            if len(group) < MAX_TOGETHER and any(gap <= MAX_APART for gap in gaps):
                group.append(ref)
                remaining.remove(ref)

        targets = tuple(name for ref in group for name in parts[ref])
        view = inspect_components(layout, targets, PADDING)
        cut = [ref for ref in group if clean(ref) in view.pins_left_out]
        pins = {ref: sides for ref, sides in view.pins.items() if ref not in view.pins_left_out}
        own = view.model_copy(update={"pins": pins, "pins_left_out": {}})
        yield Seen(", ".join(map(clean, group)), own.text(), targets)
        for ref in cut:
            yield Seen(f"all pins of {clean(ref)}", pin_view(layout, ref).text())


def _look(look: Look, layout: Layout, windows: _Windows) -> None:
    """Add the window of a look that is not a mere name."""
    for name in (look.around, look.free):
        if name is not None and name not in layout:
            windows.strange += sought((name,), layout).strange or (f"{name[:60]!r} is more than one component",)
            return
    if look.net is not None:
        _net(look.net, look, layout, windows)
    elif look.zone is not None:
        bounds = zone_named(layout, look.zone)
        if bounds is None:
            windows.strange.append(f"There is no zone {look.zone[:60]!r}; the zones are {', '.join(ZONES)}")
        else:
            windows.add(_region(layout, bounds, f"the zone {look.zone}"))
    elif look.region is not None:
        windows.add(_region(layout, look.region, f"the region {spot(look.region[:2])} to {spot(look.region[2:])}"))
    elif look.free is not None:
        windows.add(Seen(f"free room for {clean(look.free)}", _free(layout, look.free, look.around, look.radius)))
    elif look.around is not None:
        radius = look.radius or PADDING
        text = inspect_components(layout, (look.around,), radius).text()
        windows.add(Seen(f"within {radius:g} mm of {clean(look.around)}", text, (look.around,), radius))


def _region(layout: Layout, bounds: Bounds, title: str) -> Seen:
    return Seen(title, view_of(region(layout, bounds)).text(), bounds=bounds)


def _net(net: str, look: Look, layout: Layout, windows: _Windows) -> None:
    """Add the window of a net, whose name is matched without a leading slash and in any case."""
    nets = [*nets_of(layout)]
    folded = {name.casefold(): name for name in reversed(nets)}
    name = next((n for n in (net, f"/{net}") if n in nets), folded.get(net.casefold()))
    if name is None:
        bare = net.strip("*").casefold()
        close = [full for key, full in folded.items() if bare and bare in key][:4]
        close += [folded[key] for key in get_close_matches(bare, folded, n=4, cutoff=0.5)]
        names = ", ".join(map(clean, dict.fromkeys(close)))
        windows.strange.append(f"There is no net {net[:60]!r}" + (f"; close: {names}" if names else ""))
        return
    near = f" near {clean(look.around)}" if look.around else ""
    text = net_view(layout, name, look.around or "", look.radius or NEARBY).text()
    windows.add(Seen(f"the net {clean(name)}{near}", text))


def _free(layout: Layout, ref: str, around: str | None, radius: float | None) -> str:
    """Return the largest free rectangles into which a component fits on its side, as JSON."""
    item, (x0, y0, x1, y1) = layout[ref], layout.extent(ref)
    width, height = round(x1 - x0, 6), round(y1 - y0, 6)
    reach, window = (radius or NEARBY) + max(width, height), layout.frame.bounds
    if around is not None:
        a0, b0, a1, b1 = layout.bounds(around)
        window = (a0 - reach, b0 - reach, a1 + reach, b1 + reach)
    rows = _free_rows(layout, ref, around, window, (width, height))
    note = ""
    if not rows and around is not None:
        rows = _free_rows(layout, ref, around, layout.frame.bounds, (width, height))
        note = f"nothing within {radius or NEARBY:g} mm of it; these are on the rest of the board" if rows else ""
    facts: dict[str, object] = {
        "component": clean(ref),
        "size": [width, height],
        "side": layout.frame.layers.get(item.layer, ""),
        **({"around": clean(around)} if around is not None else {}),
        "free": rows,
        **({"note": note or "it fits nowhere on this side"} if note or not rows else {}),
    }
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def _free_rows(layout: Layout, ref: str, around: str | None, window: Bounds, size: tuple[float, float]) -> list[str]:
    """Return free rectangles in words: those into which it fits as it lies, then those that need a quarter turn."""
    layer, rows = layout[ref].layer, dict[Bounds, str]()
    for least, turned in ((size, ""), (size[::-1], "; it fits only turned by 90")):
        for free in free_rectangles(layout, window, layer, least=(least[0], least[1]), without=(ref,), most=5):
            far = ""
            if around is not None:
                far = f"; {spot((box_gap(layout.bounds(around), free)[0],))} from {clean(around)}"
            rows.setdefault(free, f"{free_row(layout, free, layer)}{far}{turned}")
    return [*rows.values()][:6]


def _dry_run(
    look: ActionList, placement: Placement, brief: Brief, *, ripup: bool
) -> tuple[Placement, tuple[str, ...], tuple[str, ...]]:
    """Return the board as it would be, the outcome in lines, and the components that would move."""
    acting = look.model_copy(update={"inspect": (), "dry_run": False})
    try:
        after = carried_out(acting, placement.model_copy(update={"ripup": ripup}))
    except ExecutionError as error:
        return placement, (str(error),), ()
    layout = layout_of(after)
    moved = [name for name, pose in after.poses.items() if pose != placement.poses.get(name)]
    moved += [name for name in placement.poses if name not in after.poses]

    lines = [step.removeprefix("- ") for step in after.steps[len(placement.steps) :]]
    report = check(after, None, brief)
    issues = [*report.errors, *report.warnings]
    for issue in issues[:MAX_LISTED]:
        fix = f" Fix: {issue.hint}" if issue.hint else ""
        lines.append(f"[{issue.severity.upper()}] {issue.code}: {issue.message}{fix}")
    if not issues:
        lines.append("Findings: none")
    elif len(issues) > MAX_LISTED:
        lines.append(f"and {len(issues) - MAX_LISTED} more findings")

    gaps = [f"{a} to {b} {spot((gap,))}" for (a, b), gap in clearances(layout, moved) if gap <= PADDING]
    if gaps:
        lines.append(f"Gaps (mm): {'; '.join(gaps[:MAX_LISTED])}")
    lines += _edge_lines(layout, moved)
    lines.append(_length_line(layout_of(placement), layout))
    return after, tuple(lines), tuple(moved[:MAX_TOGETHER])


def _edge_lines(layout: Layout, moved: Sequence[str]) -> Iterator[str]:
    """Yield how far the pads of moved components are from the edge of the board, and how far they have to be."""
    if layout.area is None:
        return
    edge = layout.area.boundary
    gaps = {name: min(edge.distance(port.shape) for port in layout[name].ports) for name in moved if layout[name].ports}
    near = sorted((gap, name) for name, gap in gaps.items() if gap <= PADDING)[:MAX_LISTED]
    listed = "; ".join(f"{clean(name)} {spot((gap,))}" for gap, name in near) or f"none within {PADDING:g}"
    yield f"Pads to the edge of the board (mm; the least is {layout.edge_clearance:g}): {listed}"


def _length_line(before: Layout, after: Layout) -> str:
    """Return the wire length before and after, and the nets that change most."""
    was, now = wire_lengths(before), wire_lengths(after)
    changes = {net: now[net] - was[net] for net in now if abs(now[net] - was[net]) >= 5e-4}
    most = sorted(changes, key=lambda net: (-abs(changes[net]), net))[: MAX_LISTED // 2]
    nets = ", ".join(f"{clean(net, 24)} {changes[net]:+.3f}" for net in most)
    total = f"Wire length (half-perimeter, mm): {sum(was.values()):.3f} before, {sum(now.values()):.3f} after"
    return f"{total}, {sum(changes.values()):+.3f}" + (f"; most: {nets}" if nets else "")
