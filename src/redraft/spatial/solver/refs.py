"""Names of items, as callers give them: known, and free to move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from redraft.errors import BriefError, InfeasibleError
from redraft.spatial.layout import Layout, Port

__all__ = ["known", "locked_in", "movable", "shortlist", "target_of"]


def known(layout: Layout, refs: Iterable[str]) -> tuple[str, ...]:
    """The names, each once.

    Raises:
        BriefError: one is not in the layout, or paints nothing; names that are close are given.
    """
    found = tuple(dict.fromkeys(refs))
    for ref in found:
        if ref not in layout:
            names = [item.name for item in layout]
            close = get_close_matches(ref, names, n=3) or get_close_matches(ref, names, n=3, cutoff=0.5)
            near = f"did you mean {', '.join(close)}?" if close else f"the layout has {_some(layout)}"
            raise BriefError(f"There is no item {ref!r}; {near}")
        if layout.whole(ref).is_empty:
            raise BriefError(f"Item {ref!r} has no shape of its own and no parts with one: it has no place to measure")
    return found


def _some(layout: Layout) -> str:
    names = [item.name for item in layout]
    return shortlist(names, 8) if names else "no items"


def target_of(layout: Layout, name: str) -> tuple[str, tuple[Port, ...]]:
    """What a target names: an item, or the pads of one, as in `U1.4`; an item of that very name goes first.

    Raises:
        BriefError: there is no such item, or it has no such pad; then its pads are named.
    """
    item, pad = _split(layout, name)
    if not pad:
        return known(layout, (name,))[0], ()
    found = layout[item].ports_named(pad)
    if not found:
        names = list(dict.fromkeys(port.name for port in layout[item].ports if port.name))
        has = f"its pads are {shortlist(names)}" if names else "it has no pads"
        raise BriefError(f"{item} has no pad {pad!r}; {has}")
    return item, found


def _split(layout: Layout, name: str) -> tuple[str, str]:
    """Item and pad of a dotted name; the pad is empty where there is none. Items' names may have dots themselves."""
    pieces = name.split(".")
    for cut in range(len(pieces) - 1, 0, -1):
        item = ".".join(pieces[:cut])
        if name not in layout and item in layout:
            return item, ".".join(pieces[cut:])
    if name not in layout and len(pieces) > 1 and all(pieces):
        known(layout, (pieces[0],))  # says which items are close to what stands before the dot
    return name, ""


def shortlist(names: Sequence[str], most: int = 24) -> str:
    """Names in a row, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def locked_in(layout: Layout, ref: str) -> tuple[str, ...]:
    """The locked items among an item and its parts: they move together, so one locked part holds the whole."""
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
