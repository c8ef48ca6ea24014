"""From mentions to things: what is drawn by itself, how large it would like to be, and what of it was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from redraft.english.reading import Angle, Compare, Measure, Mention, Place, Reading, Relate, Size
from redraft.layout import Bounds, Layout
from redraft.offline.lexicon import Entry, find

__all__ = ["METRES", "Rests", "Thing", "fit_sizes", "metre", "things_of", "whole_of"]


Rests = Literal["ground", "floats", "hangs", "lies", "wall"]

AT_LEAST = 1.3
"""How much taller "taller" is."""
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
    boxes = [existing.bounds(i.name) for i in existing.roots if _is_called(i.label, mention.noun)]
    if not boxes:
        return None
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _is_called(label: str, noun: str) -> bool:
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
    elif part.count is not None and part.count > 1 and not _has_many(owner.entry, label, part.count):
        owner.extras.append(part)
        return
    if part.colour is not None:
        owner.part_colours[label] = part.colour
    for fact in reading.constraints:
        if isinstance(fact, Angle) and fact.selector.mention == part.id:
            owner.angles[label] = fact.degrees


def _has_many(entry: Entry, label: str, count: int) -> bool:
    """Whether the entry has so many of a part anyway: two eyes."""
    return sum(1 for p in entry.all_parts if label in p.nouns) == count


METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254}
MOST_OF_CANVAS = 0.7
"""The longest stated length, as a share of the canvas."""
ASIDE = 0.36
"""How much of a seat one takes that sits at its end."""
FILL = 0.9
"""How much of the room in a container its contents may take."""


def metre(reading: Reading) -> float:
    """How much of the canvas a metre is: one scale for all real lengths of a brief."""
    lengths = [m for c in reading.constraints if isinstance(c, Size) for m in (c.width, c.height) if m is not None]
    lengths += [c.distance for c in reading.constraints if isinstance(c, Relate) and c.distance is not None]
    real = [m.value * METRES[m.unit] for m in lengths if m.unit in METRES and m.value > 0]
    return MOST_OF_CANVAS / max(real) if real else 1.0


def in_canvas(measure: Measure, scale: float) -> float:
    """A measure as a share of the canvas."""
    return measure.value * METRES[measure.unit] * scale if measure.unit in METRES else measure.value


def fit_sizes(things: Mapping[str, Thing], reading: Reading) -> frozenset[str]:
    """Set the things' sizes as the reading states them, in place. Returns those that may not be scaled further."""
    held = _measured(things, reading)
    for fact in reading.constraints:
        if isinstance(fact, Compare) and fact.subjects.mention != fact.reference.mention:
            _compare(things, fact)
    for fact in reading.constraints:
        if isinstance(fact, Relate) and fact.relation in {"on", "inside"}:
            _hold(things, fact, reading)
    for fact in reading.constraints:
        if isinstance(fact, Relate) and fact.relation in {"in_front_of", "behind"}:
            _overlap(things, fact)
    return held


def _measured(things: Mapping[str, Thing], reading: Reading) -> frozenset[str]:
    scale = metre(reading)
    held: set[str] = set()
    for fact in reading.constraints:
        thing = things.get(fact.selector.mention) if isinstance(fact, Size) else None
        if thing is None or not isinstance(fact, Size):
            continue
        aspect = thing.width / thing.height
        width = in_canvas(fact.width, scale) if fact.width is not None else None
        height = in_canvas(fact.height, scale) if fact.height is not None else None
        thing.width = width if width is not None else (height or thing.height) * aspect
        thing.height = height if height is not None else thing.width / aspect
        held.add(thing.id)
    return frozenset(held)


def _compare(things: Mapping[str, Thing], fact: Compare) -> None:
    """Make one thing so many times another; growing the larger keeps the other's natural size."""
    a, b = things.get(fact.subjects.mention), things.get(fact.reference.mention)
    if a is None or b is None:
        return
    bound = AT_LEAST if fact.factor > 1 else 1 / AT_LEAST
    factor = bound if fact.at_least else fact.factor
    ratio = {"height": a.height / b.height, "width": a.width / b.width}.get(fact.dimension)
    ratio = ratio if ratio is not None else (a.height * a.width / (b.height * b.width)) ** 0.5
    if fact.at_least and (ratio - factor) * (factor - 1) >= 0:
        return
    grow = factor / ratio
    stretches = a.entry is None or a.entry.stretch
    if fact.dimension == "width" and stretches:
        a.width *= grow
    elif fact.dimension == "height" and stretches:
        a.height *= grow
    else:
        a.width, a.height = a.width * grow, a.height * grow


def _scaled(thing: Thing, factor: float) -> None:
    thing.width, thing.height = thing.width * factor, thing.height * factor


def _spread(thing: Thing) -> float:
    """The width that all instances need in a row."""
    return thing.width * thing.count * 1.15


def _hold(things: Mapping[str, Thing], fact: Relate, reading: Reading) -> None:
    """What is on or in another must fit: the holder grows as far as it may, then the other shrinks."""
    a, b = things.get(whole_of(reading, fact.subjects.mention)), things.get(whole_of(reading, fact.objects[0].mention))
    if a is None or b is None or b.backdrop or a is b:
        return
    inside = fact.relation == "inside" or _is_flat(b)
    room = b.entry.inside if b.entry is not None and inside else None
    wide = (room[2] - room[0]) * FILL if room is not None else (0.6 if inside else 0.9)
    if fact.relation == "on" and _sits_aside(fact, reading):
        wide = ASIDE
    company = sum(
        1
        for c in reading.constraints
        if isinstance(c, Relate) and c.relation == fact.relation and c.objects == fact.objects
    )
    # In a box several rows find room, on a board only one.
    need = _spread(a) * max(1.0, company**0.5 if inside else company) / (b.width * b.count * wide)
    if inside and not _open(b):
        high = (room[3] - room[1]) * FILL if room is not None else 0.6
        need = max(need, a.height / (b.height * high))
    if need > 1 and b.fixed is None:
        grow = min(need**0.5, 1.6, max(1.0, 0.6 / max(b.width, b.height)))
        _scaled(b, grow)
        need /= grow
    if need > 1:
        for thing in _laden(things, a, reading):
            _scaled(thing, 1 / need)


def _laden(things: Mapping[str, Thing], thing: Thing, reading: Reading) -> list[Thing]:
    """A thing, and what is in it or on it: a bowl that shrinks takes its apples along."""
    found = [thing]
    for holder in found:
        held = (
            things.get(c.subjects.mention)
            for c in reading.constraints
            if isinstance(c, Relate) and c.certain and c.relation in {"on", "inside"}
            if holder.id in {o.mention for o in c.objects}
        )
        found += [t for t in held if t is not None and t not in found]
    return found


def _is_flat(thing: Thing) -> bool:
    """Seen from above: a plate."""
    return thing.rests == "lies" and thing.entry is not None and thing.entry.inside is not None


def _sits_aside(fact: Relate, reading: Reading) -> bool:
    """Whether what is on a seat is also next to something else: then it sits at that end of it, and needs room."""
    return "top" not in fact.phrase.lower().split() and any(
        isinstance(c, Relate)
        and c.relation in {"beside", "near"}
        and c.subjects == fact.subjects
        and c.objects != fact.objects
        for c in reading.constraints
    )


def _open(thing: Thing) -> bool:
    """A vessel out of which its contents may stand: its room reaches its upper edge."""
    room = thing.entry.inside if thing.entry is not None else None
    return room is not None and room[1] < 0.15


def _overlap(things: Mapping[str, Thing], fact: Relate) -> None:
    """What stands in front hides at most half of what is behind it."""
    first, second = things.get(fact.subjects.mention), things.get(fact.objects[0].mention)
    front, back = (first, second) if fact.relation == "in_front_of" else (second, first)
    if front is None or back is None or back.backdrop or front.backdrop or front.fixed is not None:
        return
    most = 0.75 * back.height
    if front.height > most and back.fixed is None and back.height < 0.5:
        _scaled(back, min(1.4, front.height / most))
        most = 0.75 * back.height
    if front.height > most:
        _scaled(front, most / front.height)
