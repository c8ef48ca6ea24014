"""Names of items, as callers give them: known, and free to move."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from redraft.errors import BriefError, InfeasibleError
from redraft.spatial.layout import Layout

__all__ = ["known", "locked_in", "movable"]


def known(layout: Layout, refs: Iterable[str]) -> tuple[str, ...]:
    """The names, each once.

    Raises:
        BriefError: one is not in the layout, or paints nothing; names that are close are given.
    """
    found = tuple(dict.fromkeys(refs))
    for ref in found:
        if ref not in layout:
            close = get_close_matches(ref, [item.name for item in layout], n=3)
            near = f"did you mean {', '.join(close)}?" if close else f"the layout has {_some(layout)}"
            raise BriefError(f"There is no item {ref!r}; {near}")
        if layout.whole(ref).is_empty:
            raise BriefError(f"Item {ref!r} has no shape of its own and no parts with one: it has no place to measure")
    return found


def _some(layout: Layout) -> str:
    names = [item.name for item in layout]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "") if names else "no items"


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
                f"{action} would move {ref}, but {'; '.join(words)}", (*words, f"{action} moves {ref}")
            )
    for ref in names:
        parts = {item.name for item in layout.family(ref)[1:]}
        if inner := [name for name in names if name in parts]:
            raise BriefError(f"{inner[0]} is part of {ref} and moves with it; {action} cannot place both")
