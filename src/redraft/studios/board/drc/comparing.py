"""What an edit did to a board, by KiCad's own checks: violations that are new, gone, or were there before.

Things that a file gives an identity are matched by it; others (pads in files of KiCad 4 and 5) by KiCad's description,
which names net and part. Positions do not count: they shift with the parts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable

from pydantic import BaseModel, ConfigDict

from redraft.studios.board.drc.asking import DrcResult, Violation
from redraft.studios.board.drc.kinds import ROUTING, WITHOUT_PARTS

__all__ = ["Comparison", "Pair", "compare", "lies_still", "measured", "nets_of", "reference_of", "references"]

MEASURED = re.compile(r"([\d.]+) mm; actual (-?[\d.]+) mm")
NET = re.compile(r"\[(.*)\]")
IN_BRACKETS = re.compile(r" ?\[.*\]")
FOOTPRINT = re.compile(r"^Footprint (?!text )(.+)$")
OF_PART = re.compile(r" of (.+?)(?: on [^ ]+(?: and .+)?| \(.+\))?$")
NOTICEABLE = 0.001
"""Millimetres by which a distance that was too small must shrink to count as worse."""

Pair = tuple[Violation, Violation]
Key = Callable[[Violation], Hashable]


class Comparison(BaseModel):
    """What became of a board's violations, unconnected items among them."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    new: tuple[Violation, ...] = ()
    gone: tuple[Violation, ...] = ()
    kept: tuple[Pair, ...] = ()
    """Before and after."""

    @property
    def worse(self) -> tuple[Pair, ...]:
        """Of those kept, between the same things: where the distance that KiCad measured shrank further."""
        same = (pair for pair in self.kept if _identity(pair[0]) == _identity(pair[1]))
        return tuple(pair for pair in same if _shrank(*pair))


def compare(before: DrcResult, after: DrcResult, moved: Collection[str] | None = None) -> Comparison:
    """Compare what KiCad found before and after an edit; `moved` are the parts that it moved, if that is known."""
    kept, gone, new = _matched(before.violations, after.violations, _identity)
    # Of what lies still, KiCad names one offender or another from run to run (the first that it meets of each via).
    still, gone, new = _matched(gone, new, lambda v: v.type if lies_still(v, moved) else (v.type, id(v)))
    same, broken, missing = _matched(before.unconnected, after.unconnected, _identity)
    # Of a net in pieces, KiCad names the shortest links, which change with every part that moves: what counts is
    # into how many pieces the net falls.
    others, mended, missing = _matched(broken, missing, nets_of)
    return Comparison(new=(*new, *missing), gone=(*gone, *mended), kept=(*kept, *still, *same, *others))


def measured(violation: Violation) -> tuple[float, float] | None:
    """The distance asked for and the actual one, in mm, where KiCad says them."""
    found = MEASURED.search(violation.description)
    return (float(found[1]), float(found[2])) if found else None


def nets_of(violation: Violation) -> tuple[str, ...]:
    """The nets of the things concerned, in order, without those that have none."""
    names = {found[1] for item in violation.items if (found := NET.search(item.description))}
    return tuple(sorted(names - {"<no net>"}))


def references(violation: Violation) -> tuple[str, ...]:
    """The parts that a violation speaks of, in order of their names."""
    found = (reference_of(item.description) for item in violation.items)
    return tuple(sorted({reference for reference in found if reference}))


def reference_of(description: str) -> str | None:
    """The part that KiCad's description of a thing names: C1 in `Pad 1 [GND] of C1 on F.Cu`."""
    bare = IN_BRACKETS.sub("", description, count=1)
    found = FOOTPRINT.search(bare) or OF_PART.search(bare)
    return found[1] if found else None


def _identity(violation: Violation) -> Hashable:
    return violation.type, tuple(sorted(item.uuid or item.description for item in violation.items))


def lies_still(violation: Violation, moved: Collection[str] | None) -> bool:
    """Whether no moved part (no part at all, if they are not known) has to do with it, nor loose tracks."""
    if violation.type in ROUTING or violation.type in WITHOUT_PARTS:
        return False
    return not any(moved is None or part in moved for part in references(violation))


def _matched(
    before: Iterable[Violation], after: Iterable[Violation], key: Key
) -> tuple[list[Pair], list[Violation], list[Violation]]:
    """As multisets: pairs with one key, what was only before, what is only after, each in its order."""
    waiting: defaultdict[Hashable, list[Violation]] = defaultdict(list)
    for violation in before:
        waiting[key(violation)].append(violation)
    kept: list[Pair] = []
    new: list[Violation] = []
    for violation in after:
        same = waiting[key(violation)]
        if same:
            kept.append((same.pop(0), violation))
        else:
            new.append(violation)
    return kept, [violation for rest in waiting.values() for violation in rest], new


def _shrank(before: Violation, after: Violation) -> bool:
    was, now = measured(before), measured(after)
    return was is not None and now is not None and now[1] < was[1] - NOTICEABLE and now[0] >= was[0] - NOTICEABLE
