"""Blocks (the components of a sheet or a group): moved as one rigid body, and copied onto repeats of the same sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np
import shapely

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Bounds, Item, Layout, Move, Point, bounds_of, transformed
from redraft.studios.board.actions.moves import pivot
from redraft.studios.board.solve.arguments import (
    Side,
    finite,
    known,
    last_word,
    line,
    locked_in,
    named_block,
    shortlist,
    target_of,
    vector,
    way,
    whole,
)
from redraft.studios.board.solve.collisions import new_collisions
from redraft.studios.board.solve.constraints import AXES
from redraft.text import natural

if TYPE_CHECKING:
    from redraft.studios.board.actions.blocks import CopyBlock, MoveBlock

EDGE = "edge"
"""The target of `move_block` that is the board's edge."""


def members(layout: Layout, name: str) -> tuple[str, ...]:
    """Return the components of a block.

    Raises:
        BriefError: there is no such block (names that are close are given), several fit, or it has no components.
    """
    block = named_block(layout, name)
    if block is None:
        alike = [other for other in layout.blocks if last_word(other) == last_word(name)]
        if alike:
            raise BriefError(f"{name!r} may be {' or '.join(alike)}: give the whole name of the block")
        every = sorted(layout.blocks, key=natural)
        close = get_close_matches(name, every, n=3, cutoff=0.5) or get_close_matches(f"/{name.strip('/')}/", every, n=3)
        near = f"did you mean {', '.join(close)}?" if close else f"the board has {shortlist(every, 12) or 'none'}"
        raise BriefError(f"There is no block {name!r}; {near}")
    names = tuple(ref for ref in layout.blocks[block] if ref in layout and not layout.whole(ref).is_empty)
    if not names:
        raise BriefError(f"The block {block!r} has no components on the board")
    return names


def box_of(layout: Layout, names: Iterable[str]) -> Bounds:
    """Return the box around the rooms of some components."""
    boxes = np.array([layout.bounds(name) for name in names])
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return (x0, y0, x1, y1)


def target_box(layout: Layout, target: str) -> tuple[Bounds, tuple[str, ...]]:
    """Return the box of a component, of a pad or of a block, and the components that it is of.

    Raises:
        BriefError: nothing has that name.
    """
    if target not in layout and named_block(layout, target) is not None:
        names = members(layout, target)
        return box_of(layout, names), names
    owner, pads = target_of(layout, target)
    if not pads:
        return layout.bounds(owner), (owner,)
    return bounds_of(shapely.union_all([pad.shape for pad in pads])), (owner,)


def with_members(layout: Layout, refs: Iterable[str]) -> tuple[str, ...]:
    """Return the components that names stand for, each once: members of a block, the owner of a pad, or the name."""
    names: dict[str, None] = {}
    for ref in refs:
        owner = ref.rpartition(".")[0]
        if ref in layout or (owner not in layout and named_block(layout, ref) is None):
            names[ref] = None
        else:
            names.update(dict.fromkeys((owner,) if owner in layout else members(layout, ref)))
    return tuple(names)


def rigid(layout: Layout, act: MoveBlock) -> tuple[str, ...]:
    """Return the components that `move_block` moves. Raises `BriefError`."""
    if (act.block is None) == (not act.refs):
        raise BriefError("move_block takes either a block or refs" + (", found both" if act.block else ""))
    return known(layout, act.refs) if act.block is None else members(layout, act.block)


def move_block(layout: Layout, act: MoveBlock) -> tuple[Move, ...]:
    """Turn a block, flip it, and put it at a side of something, without changing anything within.

    Raises:
        BriefError: an unknown or empty block, a target within it, a corner of something else than the board.
        InfeasibleError: one of its components is locked.
    """
    names = rigid(layout, act)
    _refuse_locked(layout, names, "move_block", act.block or f"{len(names)} components")
    finite("clearance", act.clearance)
    if act.flip and len(layout.frame.layers) != 2:
        raise BriefError("move_block: flip needs a board with two sides")

    # Mirrored and turned about the middle of the block's box, as a point of whole quanta.
    x0, y0, x1, y1 = box_of(layout, names)
    x, y = whole(layout, (x0 + x1) / 2), whole(layout, (y0 + y1) / 2)
    turned: dict[str, list[Move]] = {}
    for name in names:
        mirror = Move(name, (1.0, 0.0, 0.0, -1.0, 0.0, 2.0 * y), "move_block", flips=True)
        turn = Move.turn(name, act.rotation, (x, y), "move_block")
        turned[name] = [*([mirror] if act.flip else []), *([turn] if act.rotation else [])]
    there = layout.moved([move for moves in turned.values() for move in moves])

    # At the side that is asked for, else at the nearest one where nothing is in the way.
    options = [act] if act.target is None or act.side else [act.model_copy(update={"side": side}) for side in _SIDES]
    shifts = sorted((_shift(there, names, option) for option in options), key=lambda s: (round(np.hypot(*s), 6), s))
    plans: list[tuple[Move, ...]] = []
    for dx, dy in shifts:
        shift = {name: [Move.shift(name, dx, dy, "move_block")] if dx or dy else [] for name in names}
        plans.append(tuple(move for name in names for move in (*turned[name], *shift[name])))
        if len(shifts) > 1 and not new_collisions(layout, layout.moved(plans[-1]), names):
            return plans[-1]
    return plans[0]


def _refuse_locked(layout: Layout, names: Iterable[str], action: str, block: str) -> None:
    held = [name for name in names if locked_in(layout, name)]
    if held:
        words = tuple(f"{name} is locked" for name in held)
        raise InfeasibleError(
            f"{action} would move {block}, but {shortlist(held, 12)} {'is' if len(held) == 1 else 'are'} locked: "
            "unlock them first, or leave them out with `refs`",
            (*words, f"{action} moves {block}"),
        )


_SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")


def _shift(layout: Layout, names: Sequence[str], act: MoveBlock) -> Point:
    """Return the shift of the turned block to where it is wanted, in whole quanta."""
    mine = box_of(layout, names)
    if act.target is None:
        return (0.0, 0.0)
    sides: list[Side] = [word for word in _SIDES if word in (act.side or "").split()]
    if act.target == EDGE:
        if layout.area is None:
            raise BriefError(
                "The board has no closed outline, so that it has no edge to move to; draw one on Edge.Cuts"
            )
        x0, y0, x1, y1 = layout.area.bounds
        area, shift = (x0, y0, x1, y1), [0.0, 0.0]
        for side in sides:
            axis, positive = way(layout, side)
            goal = area[axis + 2] - act.clearance if positive else area[axis] + act.clearance
            shift[axis] = goal - (mine[axis + 2] if positive else mine[axis])
        if len(sides) == 1 and act.align is not None:
            across = 1 - way(layout, sides[0])[0]
            shift[across] = line(area, AXES[across], act.align) - line(mine, AXES[across], act.align)
        return (whole(layout, shift[0]), whole(layout, shift[1]))

    if len(sides) != 1:
        raise BriefError(f'move_block: {act.side} is a corner of the board; it takes the target "edge"')
    theirs, owners = target_box(layout, act.target)
    if within := sorted(set(owners) & set(names)):
        raise BriefError(f"move_block: the target {act.target} is within the block ({shortlist(within, 3)})")
    axis, positive = way(layout, sides[0])
    goal = theirs[axis + 2] + act.clearance if positive else theirs[axis] - act.clearance
    across = AXES[1 - axis]
    align = "center" if act.align is None else act.align
    step = goal - (mine[axis] if positive else mine[axis + 2])
    level = line(theirs, across, align) - line(mine, across, align)
    return vector(axis, whole(layout, step), whole(layout, level))


def corresponding(layout: Layout, source: str, onto: str) -> dict[str, str]:
    """Return each component of a block, and its counterpart in a repeat of the same sheet.

    Counterparts have the same symbol in their sheet, where the file says it; else they agree in value, pads and nets.

    Raises:
        BriefError: the blocks are not repeats of each other, or several components could stand for one.
    """
    mine, theirs = members(layout, source), members(layout, onto)
    if shared := sorted(set(mine) & set(theirs)):
        raise BriefError(f"copy_block: {shortlist(shared, 6)} is in both {source} and {onto}")
    if len(mine) != len(theirs):
        raise BriefError(
            f"copy_block: {onto} has {len(theirs)} components and {source} has {len(mine)}: they are not repeats of "
            "one sheet"
        )
    symbols = [{layout[name].symbol: name for name in names} for names in (mine, theirs)]
    if symbols[0].keys() == symbols[1].keys() and len(symbols[0]) == len(mine) and "" not in symbols[0]:
        return {name: symbols[1][symbol] for symbol, name in symbols[0].items()}
    return _match_by_structure(layout, source, mine, onto, theirs)


def _match_by_structure(
    layout: Layout, source: str, mine: Sequence[str], onto: str, theirs: Sequence[str]
) -> dict[str, str]:
    """Match two blocks by color refinement.

    Components have one color as long as their values, pads, and nets with what these connect are alike.
    """

    def kind(item: Item) -> int:
        """Return the first color: the value and the pads of a component, wherever it lies."""
        x, y = item.ports[0].at if item.ports else (0.0, 0.0)
        pads = sorted((port.name, round(float(np.hypot(port.at[0] - x, port.at[1] - y)), 3)) for port in item.ports)
        return hash((item.label, item.value, tuple(pads), round(item.shape.area, 3)))

    colors = [{name: kind(layout[name]) for name in names} for names in (mine, theirs)]
    for _ in range(len(mine)):
        refined = [_refined(layout, of) for of in colors]
        stable = all(len(set(new.values())) == len(set(old.values())) for new, old in zip(refined, colors, strict=True))
        colors = refined
        if stable:
            break
    counts = [Counter(of.values()) for of in colors]
    if counts[0] != counts[1]:
        odd = next(name for name in mine if counts[0][colors[0][name]] != counts[1][colors[0][name]])
        raise BriefError(
            f"copy_block: {onto} has nothing that stands for {odd} of {source}: they are not repeats of one sheet"
        )

    pairs: dict[str, str] = {}
    for color, count in counts[0].items():
        ours, others = (sorted((n for n, c in of.items() if c == color), key=natural) for of in colors)
        # Of several alike on the same nets, any may stand for any.
        wiring = [
            {tuple(sorted((port.name, port.net) for port in layout[name].ports)) for name in names}
            for names in (ours, others)
        ]
        if count > 1 and not all(len(nets) == 1 for nets in wiring):
            raise BriefError(
                f"copy_block: {shortlist(others, 4)} of {onto} could each stand for {ours[0]} of {source}: the file "
                "does not say which symbols they are, and their values, pads and nets are alike"
            )
        pairs |= dict(zip(ours, others, strict=True))
    return {name: pairs[name] for name in mine}


def _refined(layout: Layout, colors: Mapping[str, int]) -> dict[str, int]:
    """Return finer colors: those of components together with those of all that their nets connect."""
    nets: dict[str, list[tuple[int, str]]] = {}
    for name, color in colors.items():
        for port in layout[name].ports:
            nets.setdefault(port.net, []).append((color, port.name))
    of_net = {net: hash(tuple(sorted(pads))) if net else 0 for net, pads in nets.items()}
    return {
        name: hash((color, tuple(sorted((port.name, of_net[port.net]) for port in layout[name].ports))))
        for name, color in colors.items()
    }


def copy_block(layout: Layout, act: CopyBlock) -> tuple[tuple[Move, ...], tuple[tuple[str, ...], ...]]:
    """Give each block the inner placement of the source; return the moves, and the components of each block.

    Raises:
        BriefError: unknown, empty or different blocks, or one whose largest component is not placed.
        InfeasibleError: a component that would move is locked.
    """
    finite("spacing", act.spacing)
    mine = members(layout, act.source)
    moves: list[Move] = []
    groups: list[tuple[str, ...]] = []
    home = box_of(layout, mine)
    distance = 0.0
    seen = {named_block(layout, act.source)}
    for onto in act.onto:
        if (block := named_block(layout, onto)) in seen:
            raise BriefError(f"copy_block: {onto} is named twice, or is the source {act.source} itself")
        seen.add(block)
        pairs = corresponding(layout, act.source, onto)
        if act.direction is None:
            path = _path_of_largest(layout, mine, pairs, onto)
        else:
            axis, positive = way(layout, act.direction)
            distance += whole(layout, home[axis + 2] - home[axis] + act.spacing) * (1 if positive else -1)
            path = [Move.shift("", *vector(axis, distance, 0.0))]
        own = [
            move
            for name in mine
            for move in moves_to(layout, pairs[name], transformed(_as_point(layout, name), path), "copy_block")
        ]
        moved = tuple(dict.fromkeys(move.item for move in own))
        _refuse_locked(layout, moved, "copy_block", onto)
        moves += own
        groups.append(moved)
    return tuple(moves), tuple(groups)


def _as_point(layout: Layout, name: str) -> Item:
    """Return a component as a point that can be moved."""
    item = layout[name]
    return Item(name, item.label, shapely.Point(), origin=pivot(layout, name), rotation=item.rotation, layer=item.layer)


def _path_of_largest(layout: Layout, mine: Sequence[str], pairs: Mapping[str, str], onto: str) -> list[Move]:
    """Return the moves that bring the source's largest component to its counterpart."""
    largest = max(mine, key=lambda name: (layout.whole(name).area, len(layout[name].ports)))
    here, there = _as_point(layout, largest), _as_point(layout, pairs[largest])
    if layout.area is not None and not layout.area.intersects(layout.whole(pairs[largest])):
        raise BriefError(
            f"copy_block: {pairs[largest]}, the largest component of {onto}, is not placed: place it first, or give a "
            "`direction` to stack the copies beside the source"
        )
    assert here.origin is not None
    assert there.origin is not None
    (x, y), (u, v) = here.origin, there.origin
    steps = [Move("", (1.0, 0.0, 0.0, -1.0, 0.0, 2.0 * y), flips=True)] if here.layer != there.layer else []
    turned = transformed(here, steps)
    return [*steps, Move.turn("", there.rotation - turned.rotation, (x, y)), Move.shift("", u - x, v - y)]


def moves_to(layout: Layout, name: str, goal: Item, reason: str) -> list[Move]:
    """Return the moves that bring a component to a position, an angle and a side; none where it is there."""
    item, (x, y) = layout[name], pivot(layout, name)
    assert goal.origin is not None
    moves: list[Move] = []
    rotation = item.rotation
    if item.layer != goal.layer:
        moves.append(Move(name, (1.0, 0.0, 0.0, -1.0, 0.0, 2.0 * y), reason, flips=True))
        rotation = -rotation
    if round(goal.rotation - rotation, 9) % 360.0:
        moves.append(Move.turn(name, goal.rotation - rotation, (x, y), reason))
    dx, dy = (whole(layout, a - b) for a, b in zip(goal.origin, (x, y), strict=True))
    return [*moves, Move.shift(name, dx, dy, reason)] if dx or dy else moves
