"""Whether a layout keeps what an instruction asked for, measured anew on its shapes and pads.

A distance that is off by up to half of what was said is a warning, by more an error; a relation that does not hold
is an error. Nothing here uses the code that carries actions out, or a mistake there would excuse itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from shapely import STRtree
from shapely.geometry.base import BaseGeometry

from redraft.result import Issue, Severity
from redraft.spatial.layout import Bounds, Item, Layout
from redraft.studios.board.measuring import distance_of, edge_gap, middle_of, shape_of, side_gaps
from redraft.studios.board.wishes import Wish, WishKind, describe

__all__ = ["INTENT_CODES", "check_intent", "describe", "holds"]

TOLERANCE = 1e-3
"""Lengths may be off by so much, in the layout's unit: a micrometre on a board."""
TURN = 1e-3
"""Angles, in degrees."""

INTENT_CODES: dict[str, str] = {
    "intent.distance": "a distance that the instruction states is not kept",
    "intent.side": "a part is not on the side of another one that the instruction says",
    "intent.near": "a part is farther from another one than the instruction says",
    "intent.between": "a part is not between the two that the instruction says",
    "intent.position": "a part is not where the instruction puts it",
    "intent.align": "parts that should be in line are not",
    "intent.spacing": "gaps that should be equal, or of a width, are not",
    "intent.order": "parts do not follow one another as the instruction says",
    "intent.edge": "a part is not at the edge of the board that the instruction says",
    "intent.side_of_board": "a part is on the wrong side of the board",
    "intent.rotation": "a part is not turned as the instruction says",
    "intent.locked": "a part was to stay and did not",
    "intent.overlap": "parts overlap, or are closer than the instruction allows",
}

Issues = Iterator[Issue]


def check_intent(wishes: Iterable[Wish], layout: Layout, base: Layout) -> tuple[Issue, ...]:
    """What of the certain wishes does not hold. `base` is the layout before, for what is told by comparison."""
    return tuple(issue for wish in wishes if wish.certain for issue in _CHECKS[wish.relation](wish, layout, base))


def holds(wish: Wish, layout: Layout) -> bool:
    """Whether a wish holds already, with nothing moved."""
    return not any(True for _ in _CHECKS[wish.relation](wish, layout, layout))


def _issue(
    code: str, wish: Wish, message: str, refs: Iterable[str], mend: str, severity: Severity = "error", **numbers: float
) -> Issue:
    return Issue(
        code=code,
        severity=severity,
        message=message,
        subjects=tuple(refs),
        numbers={name: round(value, 6) for name, value in numbers.items()},
        mend=mend,
        phrase=wish.phrase,
    )


def _graded(found: float, wanted: float) -> Severity | None:
    """How bad it is that a length is what it is; None when it is right."""
    off = abs(found - wanted)
    if off <= TOLERANCE:
        return None
    return "warning" if off <= wanted / 2 else "error"


def _place(wish: Wish, ref: str) -> str:
    gap = f", clearance={wish.value:g}" if wish.value is not None else ""
    return f'place_relative(ref="{ref}", target="{wish.target}", side="{wish.side}"{gap}, measure="{wish.measure}")'


def _box(layout: Layout, target: str, wish: Wish) -> Bounds:
    x0, y0, x1, y1 = shape_of(layout, target, wish.measure).bounds
    return (x0, y0, x1, y1)


def _side(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    side = wish.side or "right"
    for ref in wish.refs:
        mine = _nearest_pad(layout, ref, wish) if wish.measure == "pad" else _box(layout, ref, wish)
        along, across = side_gaps(mine, _box(layout, wish.target, wish), side)
        if along < -TOLERANCE or across > max(along, 0.0) + TOLERANCE:
            message = (
                f"{ref} should be on the {side} of {wish.target}, and is {along:.3f} beyond it that way "
                f"and {max(across, 0.0):.3f} past it across"
            )
            yield _issue(
                "intent.side", wish, message, (ref, wish.target), _place(wish, ref), along=along, across=across
            )
        elif wish.value is not None:
            yield from _off(wish, layout, ref)


def _nearest_pad(layout: Layout, ref: str, wish: Wish) -> Bounds:
    """The box of the pad that is nearest to the target; of the part, where it has none."""
    goal, ports = shape_of(layout, wish.target, "pad"), layout[ref].ports
    shapes = [port.shape for port in ports] or [layout.whole(ref)]
    x0, y0, x1, y1 = min(shapes, key=goal.distance).bounds
    return (x0, y0, x1, y1)


def _distance(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    for ref in wish.refs:
        yield from _off(wish, layout, ref)


def _off(wish: Wish, layout: Layout, ref: str) -> Issues:
    wanted, found = wish.value or 0.0, distance_of(layout, ref, wish.target, wish.measure)
    severity = _graded(found, wanted)
    if severity is not None:
        message = (
            f"{ref} is {found:.4f} from {wish.target} ({wish.measure} to {wish.measure}); {wanted:g} was asked for"
        )
        mend = _place(wish, ref) if wish.side else f"move {ref} so that it is {wanted:g} from {wish.target}"
        yield _issue("intent.distance", wish, message, (ref, wish.target), mend, severity, found=found, expected=wanted)


def _near(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    most = wish.value or 0.0
    for ref in wish.refs:
        found = distance_of(layout, ref, wish.target, wish.measure)
        if found > most + TOLERANCE:
            message = f"{ref} is {found:.4f} from {wish.target}; at most {most:g} was asked for"
            mend = f'cluster_around(refs=["{ref}"], target="{wish.target}")'
            severity: Severity = "warning" if found <= 1.5 * most else "error"
            yield _issue("intent.near", wish, message, (ref, wish.target), mend, severity, found=found, expected=most)


def _between(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    (ax, ay), (bx, by) = middle_of(layout, wish.target), middle_of(layout, wish.other)
    length = ((bx - ax) ** 2 + (by - ay) ** 2) or 1.0
    for ref in wish.refs:
        x, y = middle_of(layout, ref)
        share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
        aside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
        if not 0.0 < share < 1.0 or aside > 0.5:
            message = f"{ref} at ({x:.3f}, {y:.3f}) is not between {wish.target} and {wish.other}"
            mend = f"move {ref} to about ({(ax + bx) / 2:.3f}, {(ay + by) / 2:.3f})"
            yield _issue("intent.between", wish, message, (ref, wish.target, wish.other), mend, share=share)


def _at(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    for ref in wish.refs:
        yield from _position(wish, layout, ref, wish.point or (0.0, 0.0))


def _shift(wish: Wish, layout: Layout, base: Layout) -> Issues:
    dx, dy = wish.point or (0.0, 0.0)
    for ref in wish.refs:
        x, y = middle_of(base, ref)
        yield from _position(wish, layout, ref, (x + dx, y + dy))


def _swap(wish: Wish, layout: Layout, base: Layout) -> Issues:
    for ref, other in (wish.refs, wish.refs[::-1]):
        yield from _position(wish, layout, ref, middle_of(base, other))


def _position(wish: Wish, layout: Layout, ref: str, goal: tuple[float, float]) -> Issues:
    (x, y), (gx, gy) = middle_of(layout, ref), goal
    if max(abs(x - gx), abs(y - gy)) > TOLERANCE:
        message = f"the middle of {ref} is at ({x:.4f}, {y:.4f}) instead of ({gx:.4f}, {gy:.4f})"
        mend = f'place_component(ref="{ref}", x={gx:g}, y={gy:g})'
        yield _issue("intent.position", wish, message, (ref,), mend, x=x, y=y, expected_x=gx, expected_y=gy)


def _align(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    axes = [wish.axis] if wish.axis else ["x", "y"]
    spreads = {axis: _spread(wish, layout, axis) for axis in axes}
    axis = min(spreads, key=lambda a: spreads[a])
    if spreads[axis] > TOLERANCE:
        what = "row" if axis == "x" else "column"
        message = f"{', '.join(wish.refs)} are out of line by {spreads[axis]:.4f}; a {what} was asked for"
        mend = f'align(refs={list(wish.refs)}, axis="{axis}", edge="{wish.along}")'
        yield _issue("intent.align", wish, message, wish.refs, mend, off=spreads[axis])


def _spread(wish: Wish, layout: Layout, axis: str) -> float:
    """How far the lines that should be one lie apart."""
    k = 1 if axis == "x" else 0
    boxes = [layout.bounds(ref) for ref in wish.refs]
    lines = {
        "start": [b[k] for b in boxes],
        "end": [b[k + 2] for b in boxes],
        "center": [(b[k] + b[k + 2]) / 2 for b in boxes],
    }[wish.along]
    return max(lines) - min(lines)


def _spacing(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    axis = wish.axis or _longer(wish, layout)
    k = 0 if axis == "x" else 1
    order = sorted(wish.refs, key=lambda ref: layout.bounds(ref)[k] + layout.bounds(ref)[k + 2])
    yield from _gaps(wish, layout, order, k)


def _gaps(wish: Wish, layout: Layout, order: list[str], k: int) -> Issues:
    """The gaps between each and the next: as wide as was said, else equal."""
    gaps = [(a, b, layout.bounds(b)[k] - layout.bounds(a)[k + 2]) for a, b in pairwise(order)]
    wanted = wish.value if wish.value is not None else sum(g for _, _, g in gaps) / max(len(gaps), 1)
    for a, b, gap in gaps:
        severity = _graded(gap, wanted)
        if severity is not None:
            message = f"the gap from {a} to {b} is {gap:.4f}; {wanted:.4g} was asked for"
            if wish.value is None:
                message = f"the gap from {a} to {b} is {gap:.4f}, and the gaps' mean {wanted:.4f}: they are not equal"
            spacing = "null" if wish.value is None else f"{wish.value:g}"
            mend = f'distribute(refs={list(wish.refs)}, spacing={spacing}, axis="{"xy"[k]}")'
            yield _issue("intent.spacing", wish, message, (a, b), mend, severity, found=gap, expected=wanted)


def _longer(wish: Wish, layout: Layout) -> str:
    """The axis along which the middles spread further."""
    middles = [middle_of(layout, ref) for ref in wish.refs]
    across, down = ([m[k] for m in middles] for k in (0, 1))
    return "x" if max(across) - min(across) >= max(down) - min(down) else "y"


def _stack(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    side = wish.side or "bottom"
    for a, b in pairwise(wish.refs):
        along, _ = side_gaps(layout.bounds(b), layout.bounds(a), side)
        mend = f"stack(refs={list(wish.refs)}, …)"
        if along < -TOLERANCE:
            message = f"{b} should follow {a} on its {side} side, and reaches {-along:.4f} into it or before it"
            yield _issue("intent.order", wish, message, (a, b), mend, along=along)
        elif wish.value is not None and (severity := _graded(along, wish.value)) is not None:
            message = f"the gap from {a} to {b} is {along:.4f}; {wish.value:g} was asked for"
            yield _issue("intent.spacing", wish, message, (a, b), mend, severity, found=along, expected=wish.value)


def _edge(wish: Wish, layout: Layout, base: Layout) -> Issues:
    side, wanted = wish.side or "bottom", wish.value or 0.0
    for ref in wish.refs:
        gap = edge_gap(layout, ref, side)
        limit = _kept_gap(wish, base, ref, side)
        mend = f'move_to_edge(ref="{ref}", edge="{side}", clearance={wanted:g}, center={str(wish.centred).lower()})'
        wrong = abs(gap - wanted) > TOLERANCE if wish.value else gap > limit + TOLERANCE
        if wrong:
            severity: Severity = "warning" if wanted and abs(gap - wanted) <= wanted / 2 else "error"
            where = f"{gap:.4f} from the {side} edge" if gap < 1e6 else f"at no {side} edge"
            message = f"{ref} is {where}; {f'{wanted:g} was' if wanted else 'on it was'} asked for"
            numbers = {"found": gap, "expected": wanted} if gap < 1e6 else {"expected": wanted}
            yield _issue("intent.edge", wish, message, (ref,), mend, severity, **numbers)
        elif wish.centred:
            yield from _off_centre(wish, layout, ref, mend)


def _kept_gap(wish: Wish, base: Layout, ref: str, side: str) -> float:
    """How far from the edge still counts as on it: for what was there before, as far as it was, within a grid step."""
    assert side in {"left", "right", "top", "bottom"}
    before = edge_gap(base, ref, wish.side or "bottom") if wish.kept else 0.0
    return max(before, 0.0) if before <= base.frame.grid else 0.0


def _off_centre(wish: Wish, layout: Layout, ref: str, mend: str) -> Issues:
    assert layout.area is not None
    x0, y0, x1, y1 = layout.area.bounds
    k = 0 if wish.side in {"top", "bottom"} else 1
    off = middle_of(layout, ref)[k] - ((x0 + x1) / 2, (y0 + y1) / 2)[k]
    if abs(off) > TOLERANCE:
        message = f"{ref} is {abs(off):.4f} off the middle of the {wish.side} edge"
        yield _issue("intent.edge", wish, message, (ref,), mend, off=off)


def _layer(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    for ref in wish.refs:
        if layout[ref].layer != wish.layer:
            message = f"{ref} is on the {'front' if layout[ref].layer else 'back'}; the other side was asked for"
            yield _issue("intent.side_of_board", wish, message, (ref,), f'flip(refs=["{ref}"])')


def _rotation(wish: Wish, layout: Layout, base: Layout) -> Issues:
    for ref in wish.refs:
        goal = (wish.value or 0.0) + (base[ref].rotation if wish.relative else 0.0)
        off = (layout[ref].rotation - goal + 180.0) % 360.0 - 180.0
        if abs(off) > TURN:
            message = f"{ref} is turned to {layout[ref].rotation:g}°; {goal % 360.0:g}° was asked for"
            mend = f'rotate(refs=["{ref}"], to={goal % 360.0:g})'
            yield _issue("intent.rotation", wish, message, (ref,), mend, found=layout[ref].rotation, expected=goal)


def _locked(wish: Wish, layout: Layout, base: Layout) -> Issues:
    for ref in wish.refs:
        now, before = layout[ref], base[ref]
        moved = max(abs(a - b) for a, b in zip(layout.bounds(ref), base.bounds(ref), strict=True))
        if moved > layout.frame.quantum or now.layer != before.layer or abs(now.rotation - before.rotation) > TURN:
            message = f"{ref} was to stay where it was, and moved by {moved:.4f}"
            x, y = middle_of(base, ref)
            mend = f'place_component(ref="{ref}", x={x:g}, y={y:g}, rotation={before.rotation:g})'
            yield _issue("intent.locked", wish, message, (ref,), mend, moved=moved)


def _clear(wish: Wish, layout: Layout, _base: Layout) -> Issues:
    """No two on one layer overlap: of those named with any, else of all. Touching is no overlap."""
    least, named = wish.value or 0.0, set(wish.refs)
    for a, b in _neighbours(layout, max(least - TOLERANCE, 0.0)):
        if a.layer != b.layer or (named and not named & {a.name, b.name}):
            continue
        here, there = layout.whole(a.name), layout.whole(b.name)
        gap = float(here.distance(there))
        if gap > 0.0 or _overlap(here, there):
            message = f"{a.name} and {b.name} " + (f"are only {gap:.4f} apart" if gap else "overlap")
            mend = f'legalise(refs=["{a.name}", "{b.name}"], clearance={least:g})'
            yield _issue("intent.overlap", wish, message, (a.name, b.name), mend, found=gap, expected=least)


def _neighbours(layout: Layout, reach: float) -> list[tuple[Item, Item]]:
    """Pairs of items that are no farther apart than `reach`, each once."""
    items = [item for item in layout.roots if not layout.whole(item.name).is_empty]
    shapes = [layout.whole(item.name) for item in items]
    found = STRtree(shapes).query(shapes, predicate="dwithin", distance=reach).T
    pairs: list[tuple[int, int]] = sorted((int(i), int(j)) for i, j in found if i < j)
    return [(items[i], items[j]) for i, j in pairs]


def _overlap(a: BaseGeometry, b: BaseGeometry) -> bool:
    shared = a.intersection(b)
    if shared.is_empty:
        return False
    x0, y0, x1, y1 = shared.bounds
    return min(x1 - x0, y1 - y0) > TOLERANCE


_CHECKS: dict[WishKind, Callable[[Wish, Layout, Layout], Issues]] = {
    "side": _side, "distance": _distance, "near": _near, "between": _between, "at": _at, "shift": _shift,
    "swap": _swap, "align": _align, "spacing": _spacing, "stack": _stack, "edge": _edge, "layer": _layer,
    "rotation": _rotation, "locked": _locked, "clear": _clear,
}  # fmt: skip
