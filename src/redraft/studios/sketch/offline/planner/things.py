"""The things of a reading: what is drawn by itself, how large it would like to be, and what of it was asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from redraft.layout.items import Bounds, Layout
from redraft.offline.english.reading import Angle, Compare, Measure, Mention, Reading, Relate, Size
from redraft.offline.lexicon import Entry, find

AT_LEAST = 1.3
"""How many times as tall "taller" is."""
UNKNOWN_HEIGHT, UNKNOWN_ASPECT = 0.16, 1.5
"""Of a labeled shape: room for a word."""
MAX_PARTS, MAX_STROKES = 480, 1_900
"""Parts and strokes of one drawing: the limits of `spec`, with some room left."""
LEFT_OPEN = 3
"""How many "a few" are; a plural without a number."""
METERS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254}
MAX_LENGTH = 0.7
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
    """Return the things of a reading by mention, in the order in which they are spoken of."""
    things: dict[str, Thing] = {}
    loads: list[float] = []  # shares of what a drawing may hold: of parts or of strokes, whichever is larger
    for mention in reading.mentions:
        if mention.whole is not None or mention.count == 0:
            continue
        entry = find(mention.noun)
        height = (entry.height if entry else UNKNOWN_HEIGHT) * mention.size
        aspect = entry.aspect if entry else UNKNOWN_ASPECT
        count = mention.count if mention.count is not None else LEFT_OPEN
        thing = Thing(mention, entry, count, height * aspect, height, _box_of_existing(mention, existing))
        things[mention.id] = thing
        if thing.fixed is None:
            pieces = entry.pieces() if entry is not None else []
            marks = sum(len(p.marks) for p in pieces) or 3
            loads.append(count * max((len(pieces) or 1) / MAX_PARTS, marks / MAX_STROKES))

    total = sum(loads)
    for thing in things.values():
        if total > 1 and thing.count > 1:  # more than a drawing can hold
            thing.count = max(1, int(thing.count / total))
        if thing.backdrop:
            thing.width, thing.count = 1.0, 1
    for mention in reading.mentions:
        owner = things.get(whole_of(reading, mention.id)) if mention.whole is not None else None
        if owner is not None:
            _give(owner, mention, reading)
    return things


def whole_of(reading: Reading, ref: str) -> str:
    """Return the mention that a mention is, at last, a part of; itself when it is not a part."""
    seen: set[str] = set()
    while (whole := reading.mention(ref).whole) is not None and ref not in seen:
        seen.add(ref)
        ref = whole
    return ref


def _box_of_existing(mention: Mention, existing: Layout | None) -> Bounds | None:
    """Return the box of what a definite phrase names in the drawing that is there."""
    if existing is None or not mention.phrase.lower().startswith(("the ", "it", "its ", "this ", "that ")):
        return None
    boxes = [
        existing.bounds(item.name)
        for item in existing.roots
        if f" {item.label}".endswith(f" {mention.noun}") or mention.noun.endswith(f" {item.label}")
    ]
    if not boxes:
        return None
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _give(owner: Thing, part: Mention, reading: Reading) -> None:
    """Note what the words say of a part: how many, its color, where a hand points."""
    entry = owner.entry
    if part.count is not None:  # more than a drawing can hold
        room = MAX_PARTS // owner.count - (len(entry.pieces()) if entry is not None else 1)
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
    """Return how much of the canvas a meter is: one scale for all real lengths of a brief."""
    sizes = [c for c in reading.constraints if isinstance(c, Size)]
    lengths = [m for c in sizes for m in (c.width, c.height) if m is not None and m.unit in METERS and m.value > 0]
    return MAX_LENGTH / max(m.value * METERS[m.unit] for m in lengths) if lengths else 1.0


def in_canvas(measure: Measure, scale: float) -> float:
    """Return a measure as a share of the canvas."""
    return measure.value * METERS[measure.unit] * scale if measure.unit in METERS else measure.value


def fit_sizes(things: Mapping[str, Thing], reading: Reading) -> bool:
    """Set the things' sizes as the reading states them, in place. Return whether a measure forbids further scaling."""
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


def factor_of(fact: Compare) -> float:
    """Return the factor of a comparison: the stated one, or the usual one of "taller" and "smaller"."""
    if not fact.at_least:
        return fact.factor
    return AT_LEAST if fact.factor > 1 else 1 / AT_LEAST


def _compare(things: Mapping[str, Thing], fact: Compare) -> None:
    """Make one thing so many times another."""
    a, b = things.get(fact.subjects.mention), things.get(fact.reference.mention)
    if a is None or b is None or a is b:
        return
    factor = factor_of(fact)
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
    """Make what is on or in another fit: the holder grows as far as it may, then the other shrinks."""
    a, b = things.get(whole_of(reading, fact.subjects.mention)), things.get(whole_of(reading, fact.objects[0].mention))
    if a is None or b is None or b.backdrop or a is b:
        return
    relations = [c for c in reading.constraints if isinstance(c, Relate)]
    inside = fact.relation == "inside" or b.rests == "lies"
    room = (b.entry.inside if b.entry is not None and inside else None) or (0.2, 0.2, 0.8, 0.8)
    # What is on a seat and next to something else sits at that end of it.
    aside = "top" not in fact.phrase.lower().split() and any(
        c.relation in {"beside", "near"} and c.subjects == fact.subjects and c.objects != fact.objects
        for c in relations
    )
    wide = (room[2] - room[0]) * FILL if inside else ASIDE if aside else FILL
    company = sum(c.relation == fact.relation and c.objects == fact.objects for c in relations)
    # In a box several rows find room, on a board only one.
    need = a.width * a.count * 1.15 * max(1.0, company**0.5 if inside else company) / (b.width * b.count * wide)
    if inside and room[1] > 0.15:  # out of an open vessel its contents may stand
        need = max(need, a.height / (b.height * (room[3] - room[1]) * FILL))
    if need > 1 and b.fixed is None:
        grow = min(need**0.5, 1.6, max(1.0, 0.6 / max(b.width, b.height)))
        b.scale(grow)
        need /= grow
    if need <= 1:
        return

    # A bowl that shrinks takes its apples along.
    holding = [c for c in relations if c.certain and c.relation in {"on", "inside"}]
    laden = [a]
    for holder in laden:  # grows while it is walked
        contents = (things.get(c.subjects.mention) for c in holding if c.objects[0].mention == holder.id)
        laden += [thing for thing in contents if thing is not None and thing not in laden]
    for thing in laden:
        thing.scale(1 / need)
