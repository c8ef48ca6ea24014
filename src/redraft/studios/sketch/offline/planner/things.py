"""The things of a reading: what is drawn by itself, how large it would like to be, and what of it was asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from redraft.layout.items import Bounds, Layout
from redraft.offline.english.reading import Angle, Compare, Measure, Mention, Reading, Relate, Size
from redraft.offline.lexicon import Entry, find

AT_LEAST = 1.3
"""How much taller "taller" is."""
UNKNOWN_HEIGHT, UNKNOWN_ASPECT = 0.16, 1.5
"""Of a labeled shape: room for a word."""
MOST_PARTS, MOST_STROKES = 480, 1_900
"""Of one drawing, with some room left."""
LEFT_OPEN = 3
"""How many "a few" are; a plural without a number."""
METERS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254}
MOST_OF_CANVAS = 0.7
"""The longest stated length, as a share of the canvas."""
ASIDE = 0.36
"""How much of a seat one takes that sits at its end."""
FILL = 0.9
"""How much of the room in a container its contents may take."""


@dataclass
class Thing:
    """One mention that is drawn by itself: all its instances."""

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
    extras: list[Mention] = field(default_factory=list[Mention])
    """Parts asked for that the lexicon's entry does not have."""

    @property
    def id(self) -> str:
        return self.mention.id

    @property
    def rests(self) -> str:
        return "ground" if self.entry is None else self.entry.rests

    @property
    def backdrop(self) -> bool:
        return self.entry is not None and self.entry.backdrop

    def scale(self, factor: float) -> None:
        self.width, self.height = self.width * factor, self.height * factor


def things_of(reading: Reading, existing: Layout | None) -> dict[str, Thing]:
    """The things of a reading by mention, in the order in which they are spoken of."""
    found = {m.id: _thing(m, existing) for m in reading.mentions if m.whole is None and m.count != 0}
    total = sum(t.count * _weight(t) for t in found.values() if t.fixed is None)
    for thing in found.values():
        if total > 1 and thing.count > 1:  # more than a drawing can hold
            thing.count = max(1, int(thing.count / total))
        if thing.backdrop:
            thing.width, thing.count = 1.0, 1
    for mention in reading.mentions:
        owner = found.get(whole_of(reading, mention.id)) if mention.whole is not None else None
        if owner is not None:
            _give(owner, mention, reading)
    return found


def _weight(thing: Thing) -> float:
    """What one instance takes of the parts and strokes that a drawing may have, the larger share of the two."""
    pieces = thing.entry.pieces() if thing.entry is not None else []
    return max((len(pieces) or 1) / MOST_PARTS, (sum(len(p.marks) for p in pieces) or 3) / MOST_STROKES)


def whole_of(reading: Reading, ref: str) -> str:
    """The mention that a mention is, at last, a part of; itself when it is not a part."""
    seen: set[str] = set()
    while (whole := reading.mention(ref).whole) is not None and ref not in seen:
        seen.add(ref)
        ref = whole
    return ref


def _thing(mention: Mention, existing: Layout | None) -> Thing:
    entry = find(mention.noun)
    height = (entry.height if entry else UNKNOWN_HEIGHT) * mention.size
    aspect = entry.aspect if entry else UNKNOWN_ASPECT
    count = mention.count if mention.count is not None else LEFT_OPEN
    return Thing(mention, entry, count, height * aspect, height, _already(mention, existing))


def _already(mention: Mention, existing: Layout | None) -> Bounds | None:
    """The box of what a definite phrase names in the drawing that is there."""
    if existing is None or not mention.phrase.lower().startswith(("the ", "it", "its ", "this ", "that ")):
        return None
    names = [
        i.name
        for i in existing.roots
        if f" {i.label}".endswith(f" {mention.noun}") or mention.noun.endswith(f" {i.label}")
    ]
    boxes = [existing.bounds(name) for name in names]
    if not boxes:
        return None
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _give(owner: Thing, part: Mention, reading: Reading) -> None:
    """Note what was asked for of a part: how many, its color, where a hand points."""
    entry = owner.entry
    if part.count is not None:  # more than a drawing can hold
        room = MOST_PARTS // owner.count - (len(entry.pieces()) if entry is not None else 1)
        part = replace(part, count=min(part.count, max(1, room)))
    label = entry.part_label(part.noun) if entry is not None else None
    if label is None or entry is None:
        owner.extras += [part] if part.count != 0 else []
        return
    same = [p for p in entry.all_parts if label in p.nouns]
    if (label in entry.slots and part.exact) or part.count == 0:
        owner.counts[label] = part.count if part.count is not None else LEFT_OPEN
    elif label not in entry.slots and part.count is not None and part.count > 1 and len(same) != part.count:
        owner.extras.append(part)
        return
    if part.colour is not None:
        owner.part_colours[label] = part.colour
    for fact in reading.constraints:
        if isinstance(fact, Angle) and fact.selector.mention == part.id:
            owner.angles[label] = fact.degrees


def meter(reading: Reading) -> float:
    """How much of the canvas a meter is: one scale for all real lengths of a brief."""
    sizes = [c for c in reading.constraints if isinstance(c, Size)]
    lengths = [m for c in sizes for m in (c.width, c.height) if m is not None and m.unit in METERS and m.value > 0]
    return MOST_OF_CANVAS / max(m.value * METERS[m.unit] for m in lengths) if lengths else 1.0


def in_canvas(measure: Measure, scale: float) -> float:
    """A measure as a share of the canvas."""
    return measure.value * METERS[measure.unit] * scale if measure.unit in METERS else measure.value


def fit_sizes(things: Mapping[str, Thing], reading: Reading) -> bool:
    """Set the things' sizes as the reading states them, in place. Returns whether a measure forbids further scaling."""
    sizes = [c for c in reading.constraints if isinstance(c, Size) and c.selector.mention in things]
    for fact in sizes:
        thing = things[fact.selector.mention]
        aspect, scale = thing.width / thing.height, meter(reading)
        width = in_canvas(fact.width, scale) if fact.width is not None else None
        height = in_canvas(fact.height, scale) if fact.height is not None else None
        thing.width = width if width is not None else (height or thing.height) * aspect
        thing.height = height if height is not None else thing.width / aspect
    for fact in reading.constraints:
        if isinstance(fact, Compare):
            _compare(things, fact)
    for fact in reading.constraints:
        if isinstance(fact, Relate) and fact.relation in {"on", "inside"}:
            _hold(things, fact, reading)
    return bool(sizes)


def _compare(things: Mapping[str, Thing], fact: Compare) -> None:
    """Make one thing so many times another."""
    a, b = things.get(fact.subjects.mention), things.get(fact.reference.mention)
    if a is None or b is None or a is b:
        return
    factor = fact.factor if not fact.at_least else AT_LEAST if fact.factor > 1 else 1 / AT_LEAST
    tall, wide = a.height / b.height, a.width / b.width
    ratio = tall if fact.dimension == "height" else wide if fact.dimension == "width" else math.sqrt(tall * wide)
    if fact.at_least and (ratio - factor) * (factor - 1) >= 0:
        return
    grow = factor / ratio
    if fact.dimension == "size" or not (a.entry is None or a.entry.stretch):
        a.scale(grow)
    elif fact.dimension == "width":
        a.width *= grow
    else:
        a.height *= grow


def _hold(things: Mapping[str, Thing], fact: Relate, reading: Reading) -> None:
    """What is on or in another must fit: the holder grows as far as it may, then the other shrinks."""
    a, b = things.get(whole_of(reading, fact.subjects.mention)), things.get(whole_of(reading, fact.objects[0].mention))
    if a is None or b is None or b.backdrop or a is b:
        return
    inside = fact.relation == "inside" or b.rests == "lies"
    room = (b.entry.inside if b.entry is not None and inside else None) or (0.2, 0.2, 0.8, 0.8)
    wide = (room[2] - room[0]) * FILL if inside else ASIDE if _sits_aside(fact, reading) else FILL
    company = sum(
        isinstance(c, Relate) and c.relation == fact.relation and c.objects == fact.objects for c in reading.constraints
    )
    # In a box several rows find room, on a board only one.
    need = a.width * a.count * 1.15 * max(1.0, company**0.5 if inside else company) / (b.width * b.count * wide)
    if inside and room[1] > 0.15:  # out of an open vessel its contents may stand
        need = max(need, a.height / (b.height * (room[3] - room[1]) * FILL))
    if need > 1 and b.fixed is None:
        grow = min(need**0.5, 1.6, max(1.0, 0.6 / max(b.width, b.height)))
        b.scale(grow)
        need /= grow
    for thing in _laden(things, a, reading) if need > 1 else ():
        thing.scale(1 / need)


def _laden(things: Mapping[str, Thing], thing: Thing, reading: Reading) -> list[Thing]:
    """A thing, and what is in it or on it: a bowl that shrinks takes its apples along."""
    facts = [c for c in reading.constraints if isinstance(c, Relate) and c.certain and c.relation in {"on", "inside"}]
    found = [thing]
    for holder in found:
        held = (things.get(c.subjects.mention) for c in facts if c.objects[0].mention == holder.id)
        found += [t for t in held if t is not None and t not in found]
    return found


def _sits_aside(fact: Relate, reading: Reading) -> bool:
    """Whether what is on a seat is also next to something else: then it sits at that end of it, and needs room."""
    return "top" not in fact.phrase.lower().split() and any(
        isinstance(c, Relate)
        and c.relation in {"beside", "near"}
        and c.subjects == fact.subjects
        and c.objects != fact.objects
        for c in reading.constraints
    )
