"""Arguments of actions, checked: names of items and pads, directions, alignments, lengths in whole quanta."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Literal

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Bounds, Layout, Move, Port
from redraft.studios.board.solve.constraints import ROUNDING, Axis


def known(layout: Layout, refs: Iterable[str]) -> tuple[str, ...]:
    """Return the names, each once.

    Raises:
        BriefError: one is not in the layout, or paints nothing; names that are close are given.
    """
    unique = tuple(dict.fromkeys(refs))
    for ref in unique:
        if ref not in layout:
            block = next((block for block in layout.blocks if block.strip("/") == ref.strip("/")), None)
            if block is not None:
                many = len(layout.blocks[block])
                raise BriefError(
                    f"{ref!r} is a block of {many} components: move_block and copy_block take it as a whole"
                )
            names = [item.name for item in layout]
            close = get_close_matches(ref, names, n=3) or get_close_matches(ref, names, n=3, cutoff=0.5)
            has = f"the layout has {shortlist(names, 8) or 'no items'}"
            near = f"did you mean {', '.join(close)}?" if close else has
            raise BriefError(f"There is no item {ref!r}; {near}", subjects=(ref,))
        if layout.whole(ref).is_empty:
            raise BriefError(
                f"Item {ref!r} has no shape of its own and no parts with one: its position cannot be measured"
            )
    return unique


def expanded(layout: Layout, refs: Iterable[str]) -> tuple[str, ...]:
    """Return components by name, and those of the sheets and groups that are named.

    A block answers to its name in any case, and to the last part of it: `power` is `/psu/power/`.

    Raises:
        BriefError: a name is neither; close ones are given.
    """
    names: dict[str, None] = {}
    for ref in refs:
        if ref in layout.rows:
            names[ref] = None
        elif members := block_of(layout, ref):
            names |= dict.fromkeys(name for name in members if name in layout.rows)
        elif layout.blocks and ref not in layout:
            close = get_close_matches(ref, [*layout.rows, *layout.blocks], n=3, cutoff=0.5)
            near = f"did you mean {', '.join(close)}?" if close else f"its blocks are {shortlist([*layout.blocks], 8)}"
            raise BriefError(f"There is no component, sheet or group {ref!r}; {near}", subjects=(ref,))
        else:
            names |= dict.fromkeys(known(layout, (ref,)))
    return tuple(names)


def block_of(layout: Layout, name: str) -> tuple[str, ...]:
    """Return the components of the block that is meant; empty for none, and where several fit."""
    block = named_block(layout, name)
    return () if block is None else layout.blocks[block]


def named_block(layout: Layout, name: str) -> str | None:
    """Return the name of the block that is meant: as the file has it, else by its last words (`power`: `/psu/power/`).

    None where no block fits, or several do.
    """
    if name in layout.blocks:
        return name
    for key in (_path, last_word):
        blocks = [block for block in layout.blocks if key(block) == key(name)]
        if len(blocks) == 1 and key(name):
            return blocks[0]
    return None


def last_word(name: str) -> str:
    """Return the last part of a block's name, folded: `power` for `/PSU/Power/`."""
    return _path(name).rpartition("/")[2]


def _path(name: str) -> str:
    """Return a name without what is not a letter or digit; "channel 1" is `CH1` too."""
    return re.sub(r"[^\w/]", "", name.casefold().replace("_", "")).replace("channel", "ch").strip("/")


def target_of(layout: Layout, name: str) -> tuple[str, tuple[Port, ...]]:
    """Return the item that a target names, or the pads of one, as in `U1.4`; an item of that exact name comes first.

    Raises:
        BriefError: unknown item or pad; then its pads are named.
    """
    item, pad = _split(layout, name)
    if not pad:
        return known(layout, (name,))[0], ()
    pads = layout[item].ports_named(pad)
    if not pads:
        names = list(dict.fromkeys(port.name for port in layout[item].ports if port.name))
        has = f"its pads are {shortlist(names)}" if names else "it has no pads"
        raise BriefError(f"{item} has no pad {pad!r}; {has}", subjects=(name,))
    return item, pads


def _split(layout: Layout, name: str) -> tuple[str, str]:
    """Split a dotted name into item and pad, which is empty without one. Items' names may have dots themselves."""
    pieces = name.split(".")
    for cut in range(len(pieces) - 1, 0, -1):
        item = ".".join(pieces[:cut])
        if name not in layout and item in layout:
            return item, ".".join(pieces[cut:])
    if name not in layout and len(pieces) > 1 and all(pieces):
        known(layout, (pieces[0],))  # says which items are close to what stands before the dot
    return name, ""


def shortlist(names: Sequence[str], limit: int = 24) -> str:
    """Return `C1, C2`, or at most so many names and the number of the rest: `C1, C2 and 7 more`."""
    return ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")


def locked_in(layout: Layout, ref: str) -> tuple[str, ...]:
    """Return the locked items among an item and its parts: these move together, so one locked part holds the whole."""
    return tuple(item.name for item in layout.family(ref) if item.locked)


def movable(layout: Layout, refs: Iterable[str], action: str) -> None:
    """Check that an action may move these.

    Raises:
        InfeasibleError: one is locked, or has a locked part.
        BriefError: one is part of another, so that both cannot be placed apart.
    """
    names = tuple(refs)
    for ref in names:
        if held := locked_in(layout, ref):
            words = tuple(f"{name} is locked" for name in held)
            raise InfeasibleError(
                f"{action} would move {ref}, but {'; '.join(words)}: unlock it first, or move the others to it",
                (*words, f"{action} moves {ref}"),
            )
    for ref in names:
        parts = {item.name for item in layout.family(ref)[1:]}
        if inner := [name for name in names if name in parts]:
            raise BriefError(f"{inner[0]} is part of {ref} and moves with it; {action} cannot place both")


Side = Literal["left", "right", "above", "below", "top", "bottom"]
Direction = Literal["left", "right", "up", "down"]
Alignment = Literal["center", "start", "end"]
"""Alignment across the direction: centers, or the lower (left, top on paper) or higher edges, in line."""

_WAYS: dict[str, tuple[Axis, bool]] = {
    "left": (0, False),
    "right": (0, True),
    "above": (1, True),
    "top": (1, True),
    "up": (1, True),
    "below": (1, False),
    "bottom": (1, False),
    "down": (1, False),
}
"""The axis of each word, and whether it is the positive direction where *above* is positive."""


def whole(layout: Layout, value: float) -> float:
    """Return a length as the nearest whole number of quanta."""
    return round(value / layout.frame.quantum) * layout.frame.quantum


def outward(layout: Layout, value: float, sign: int) -> float:
    """Return a shift in whole quanta, never beyond: a gap that it leaves is at most one quantum larger."""
    steps = math.floor(sign * value / layout.frame.quantum + ROUNDING)
    return sign * steps * layout.frame.quantum


def vector(axis: Axis, step: float, across: float) -> tuple[float, float]:
    """Return a shift along an axis and across it as x and y."""
    return (step, across) if axis == 0 else (across, step)


def line(box: Bounds, axis: Axis, edge: Alignment) -> float:
    """Return the coordinate of a box that an alignment brings in line."""
    match edge:
        case "center":
            return (box[axis] + box[axis + 2]) / 2
        case "start":
            return box[axis]
        case "end":
            return box[axis + 2]


def way(layout: Layout, word: str) -> tuple[Axis, bool]:
    """Return the axis of a direction, and whether it is the positive direction. Raises `BriefError` for other words."""
    if word not in _WAYS:
        raise BriefError(f"{word!r} is not a direction; one of {', '.join(sorted(_WAYS))} is")
    axis, positive = _WAYS[word]
    return (axis, positive if axis == 0 else positive == (layout.frame.up[1] > 0))


def axis_of(axis: str) -> Axis:
    """Return the axis of `x` or `y`. Raises `BriefError` for other words."""
    if axis not in {"x", "y"}:
        raise BriefError(f"{axis!r} is not an axis; 'x' (in a row) or 'y' (in a column) is")
    return 0 if axis == "x" else 1


def finite(name: str, value: float) -> None:
    """Check that an argument is a finite number. Raises `BriefError`."""
    if not math.isfinite(value):
        raise BriefError(f"{name} must be a finite number, found {value}")


def shifts(layout: Layout, steps: Sequence[tuple[str, tuple[float, float]]], reason: str) -> tuple[Move, ...]:
    """Return steps in whole quanta as moves, without those that move nothing."""
    quantum = layout.frame.quantum
    rounded = [(name, round(dx / quantum) * quantum, round(dy / quantum) * quantum) for name, (dx, dy) in steps]
    return tuple(Move.shift(name, dx, dy, reason) for name, dx, dy in rounded if dx or dy)


def needed(
    layout: Layout, steps: Sequence[tuple[str, tuple[float, float]]], action: str
) -> list[tuple[str, tuple[float, float]]]:
    """Return the steps that move something by half a quantum or more; their items must be free to move."""
    half = layout.frame.quantum / 2
    needed = [(name, step) for name, step in steps if max(abs(step[0]), abs(step[1])) >= half]
    movable(layout, [name for name, _ in needed], action)
    return needed
