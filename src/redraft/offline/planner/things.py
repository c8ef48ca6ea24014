"""From mentions to things: what is drawn by itself, how large it would like to be, and what of it was asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from redraft.offline.lexicon import Entry, find
from redraft.spatial.layout import Bounds, Layout
from redraft.spatial.reading import Angle, Mention, Place, Reading, Size

__all__ = ["Rests", "Thing", "things_of", "whole_of"]

Rests = Literal["ground", "floats", "hangs", "lies", "wall"]

UNKNOWN_HEIGHT = 0.16
UNKNOWN_ASPECT = 1.5
"""Of a labelled shape: room for a word."""
MOST_PARTS, MOST_STROKES = 480, 1_900
"""Of one drawing, with some room left."""
LEFT_OPEN = 3
"""How many "a few" are; a plural without a number."""


@dataclass
class Thing:
    """One mention that is drawn by itself: all its instances."""

    id: str
    mention: Mention
    entry: Entry | None
    count: int
    width: float
    height: float
    """Of one instance, as shares of the canvas, before all is scaled to fit."""
    fixed: Bounds | None = None
    """Where it is already, in an existing drawing."""
    counts: dict[str, int] = field(default_factory=dict[str, int])
    angles: dict[str, float] = field(default_factory=dict[str, float])
    part_colours: dict[str, str] = field(default_factory=dict[str, str])
    openings: list[tuple[Mention, Place, Size | None]] = field(default_factory=list[tuple[Mention, Place, Size | None]])
    """Doors in its walls, for a thing seen in plan."""
    extras: list[Mention] = field(default_factory=list[Mention])
    """Parts asked for that the lexicon's entry does not have."""

    @property
    def rests(self) -> Rests:
        return "ground" if self.entry is None else self.entry.rests

    @property
    def backdrop(self) -> bool:
        return self.entry is not None and self.entry.backdrop


def things_of(reading: Reading, existing: Layout | None) -> dict[str, Thing]:
    """The things of a reading by mention, in the order in which they are spoken of."""
    found: dict[str, Thing] = {}
    for mention in reading.mentions:
        if mention.whole is None and mention.count != 0:
            found[mention.id] = _thing(mention, existing)
    _bound(found)
    for mention in reading.mentions:
        owner = found.get(whole_of(reading, mention.id)) if mention.whole is not None else None
        if owner is not None:
            _give(owner, mention, reading)
    return found


def _bound(things: dict[str, Thing]) -> None:
    """Cut numbers that no drawing can hold: all things share the parts and strokes that one may have."""
    total = sum(t.count * _weight(t) for t in things.values() if t.fixed is None)
    for thing in things.values():
        if total > 1 and thing.count > 1:
            thing.count = max(1, int(thing.count / total))


def _weight(thing: Thing) -> float:
    """What one instance takes of the parts and strokes that a drawing may have, the larger share of the two."""
    if thing.entry is None:
        return max(1 / MOST_PARTS, 3 / MOST_STROKES)
    parts, strokes = thing.entry.realise((0.0, 0.0, 1.0, 1.0), prefix="x", label="x")
    return max(len(parts) / MOST_PARTS, len(strokes) / MOST_STROKES)


def whole_of(reading: Reading, ref: str) -> str:
    """The mention that a mention is, at last, a part of; itself when it is no part."""
    seen: set[str] = set()
    whole = reading.mention(ref).whole
    while whole is not None and ref not in seen:
        seen.add(ref)
        ref, whole = whole, reading.mention(whole).whole
    return ref


def _thing(mention: Mention, existing: Layout | None) -> Thing:
    entry = find(mention.noun)
    height = (entry.height if entry else UNKNOWN_HEIGHT) * mention.size
    aspect = entry.aspect if entry else UNKNOWN_ASPECT
    return Thing(
        id=mention.id, mention=mention, entry=entry, count=mention.count if mention.count is not None else LEFT_OPEN,
        width=height * aspect, height=height, fixed=_already(mention, existing),
    )  # fmt: skip


def _already(mention: Mention, existing: Layout | None) -> Bounds | None:
    """The box of what a definite phrase names in the drawing that is there."""
    if existing is None or not mention.phrase.lower().startswith(("the ", "it", "its ", "this ", "that ")):
        return None
    boxes = [existing.bounds(i.name) for i in existing.roots if _named(i.label, mention.noun)]
    if not boxes:
        return None
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _named(label: str, noun: str) -> bool:
    return label == noun or label.endswith(f" {noun}") or noun.endswith(f" {label}")


def _give(owner: Thing, part: Mention, reading: Reading) -> None:
    """Note what was asked for of a part: how many, its colour, where a hand points, where a door is."""
    place = next(
        (c for c in reading.constraints if isinstance(c, Place) and c.selector.mention == part.id and c.side), None
    )
    size = next((c for c in reading.constraints if isinstance(c, Size) and c.selector.mention == part.id), None)
    label = owner.entry.part_label(part.noun) if owner.entry is not None else None
    if place is not None:
        owner.openings.append((part, place, size))
        return
    if label is None or owner.entry is None:
        if part.count != 0:
            owner.extras.append(part)
        return
    wanted = part.count if part.count is not None else LEFT_OPEN
    if (label in owner.entry.slots and part.exact) or part.count == 0:
        owner.counts[label] = wanted
    elif part.count is not None and part.count > 1 and not _drawn(owner.entry, label, part.count):
        owner.extras.append(part)
        return
    if part.colour is not None:
        owner.part_colours[label] = part.colour
    for fact in reading.constraints:
        if isinstance(fact, Angle) and fact.selector.mention == part.id:
            owner.angles[label] = fact.degrees


def _drawn(entry: Entry, label: str, count: int) -> bool:
    """Whether the entry has so many of a part anyway: two eyes."""
    return sum(1 for p in entry.all_parts if label in p.nouns) == count
