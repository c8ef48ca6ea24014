"""What the placement model moves: rigid blocks, and the links between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redraft.offline.planner.blocks import GAP, Block, block_of
from redraft.offline.planner.sizes import in_canvas
from redraft.offline.planner.things import Rests, Thing, whole_of
from redraft.spatial.labels import heads_in
from redraft.spatial.layout import Bounds
from redraft.spatial.reading import Align, Measure, Place, Reading, Relate, Relation, Selector

__all__ = ["UNITS", "Body", "Link", "Spot", "bodies_of", "links_of", "spots_of", "units"]

MANY = 6
"""So many of a kind stand closer together."""
OPEN_TOP: Bounds = (0.12, 0.0, 0.88, 0.3)
"""In the unit box of a vessel: contents stand in its mouth."""
VESSELS = frozenset(
    {"aquarium", "bag", "bath", "bathtub", "basket", "boat", "bowl", "box", "bucket", "car", "cart", "crate", "cup"}
    | {"glass", "hand", "jar", "mug", "nest", "pan", "pot", "sink", "tray", "truck", "tub", "vase", "wagon"}
)
"""Open at the top."""
UNITS = 2_000
"""Integer steps of the placement model to one canvas."""


def units(length: float) -> int:
    """A length in the model's steps."""
    return round(length * UNITS)


@dataclass(frozen=True)
class Body:
    """A rigid block: width and height in steps, and how it likes to stand."""

    id: str
    thing: str
    first: int
    """Index of its first instance within the thing."""
    block: Block
    rests: Rests
    fixed: Bounds | None = None
    surface: float = 0.0
    """Where things on it rest: 0 its top edge, 1 its bottom."""
    inside: Bounds | None = None
    """Where things in it go, in its unit box."""
    band: bool = False
    """A backdrop: a band across the canvas."""

    @property
    def width(self) -> int:
        return units(self.block.width)

    @property
    def height(self) -> int:
        return units(self.block.height)

    @property
    def feet(self) -> int:
        """Where the feet of its uppermost row are, from its top."""
        return units(min(b[3] for b in self.block.boxes))

    @property
    def grounded(self) -> bool:
        """What others stand on, or what stands."""
        return self.rests in {"ground", "lies"}

    @property
    def flat(self) -> bool:
        """Seen from above, like a plate: what is on it is within its outline."""
        return self.inside is not None and self.rests == "lies" and not self.band

    @property
    def open(self) -> bool:
        """A vessel open above."""
        return self.inside is not None and self.inside[1] < 0.15


@dataclass(frozen=True)
class Link:
    """A relation between bodies; `c` is the second object of *between*."""

    relation: str
    a: str
    b: str
    c: str | None = None
    certain: bool = True
    degree: str = "plain"
    gap: float | None = None
    upright: bool = False
    """ "on top of": straight above."""
    phrase: str = ""


@dataclass(frozen=True)
class Spot:
    """A body at a spot of the canvas, or of another body."""

    body: str
    spot: str
    within: str | None = None
    phrase: str = ""


def split_mentions(reading: Reading) -> frozenset[str]:
    """Mentions whose instances must stand apart: the two trees that something is between, "the second one"."""
    found: set[str] = set()
    for fact in reading.constraints:
        if isinstance(fact, Relate):
            found.update(s.mention for s in (fact.subjects, *fact.objects) if s.ordinals)
            if fact.relation == "between" and len(fact.objects) == 1:
                found.add(fact.objects[0].mention)
        elif isinstance(fact, Place) and fact.selector.ordinals:
            found.add(fact.selector.mention)
    return frozenset(found)


def _held(reading: Reading, relation: Relation) -> frozenset[str]:
    """Mentions that are on, or in, something."""
    return frozenset(
        c.subjects.mention for c in reading.constraints if isinstance(c, Relate) and c.relation == relation
    )


def bodies_of(things: Mapping[str, Thing], reading: Reading, scale: float) -> dict[str, Body]:
    """The bodies of all things at a scale."""
    apart, rowed = split_mentions(reading), _held(reading, "on")
    close = rowed | _held(reading, "inside")
    found: dict[str, Body] = {}
    for thing in things.values():
        if thing.fixed is not None:
            x0, y0, x1, y1 = thing.fixed
            block = Block([(0.0, 0.0, x1 - x0, y1 - y0)])
        else:
            share = 0.12 if thing.id in close else 0.4 if thing.count < MANY else 0.18
            gap = min(GAP, share * thing.width * scale)
            block = block_of(thing, reading, 1.0 if thing.backdrop else scale, gap=gap, single_row=thing.id in rowed)
        if thing.id in apart and len(block.boxes) > 1:
            for k, (x0, y0, x1, y1) in enumerate(block.boxes):
                one = Block([(0.0, 0.0, x1 - x0, y1 - y0)])
                found[f"{thing.id}#{k + 1}"] = _body(thing, f"{thing.id}#{k + 1}", k, one)
        else:
            found[thing.id] = _body(thing, thing.id, 0, block)
    return found


def _body(thing: Thing, ref: str, first: int, block: Block) -> Body:
    entry = thing.entry
    single = len(block.boxes) == 1
    return Body(
        id=ref, thing=thing.id, first=first, block=block, rests=thing.rests, fixed=thing.fixed, band=thing.backdrop,
        surface=(entry.surface or 0.0) if entry is not None and single else 0.0,
        inside=(_room(thing) if single else None),
    )  # fmt: skip


def _room(thing: Thing) -> Bounds | None:
    """Where things in it go: as the lexicon says, else out of the top of a vessel."""
    room = thing.entry.inside if thing.entry is not None else None
    return room if room is not None or not heads_in(thing.mention.noun, VESSELS) else OPEN_TOP


def _chosen(bodies: Mapping[str, Body], reading: Reading, selector: Selector) -> list[str]:
    """The bodies that a selector means; a part's are its whole's."""
    thing = whole_of(reading, selector.mention)
    refs = [b.id for b in bodies.values() if b.thing == thing]
    if not selector.ordinals or thing != selector.mention:
        return refs
    picked = {n - 1 if n > 0 else len(refs) + n for n in selector.ordinals}
    return [r for k, r in enumerate(refs) if (k in picked) != selector.others]


def links_of(bodies: Mapping[str, Body], reading: Reading, metre: float) -> list[Link]:
    """All relations between bodies."""
    found: list[Link] = []
    for fact in reading.constraints:
        if isinstance(fact, Relate):
            found += _links(bodies, reading, fact, metre)
        elif isinstance(fact, Align) and len(fact.selectors) > 1:
            found += _lined(bodies, reading, fact)
    return [link for link in found if link.a != link.b and not _is_scenic(bodies, link)]


def _is_scenic(bodies: Mapping[str, Body], link: Link) -> bool:
    """Under the sky is in front of it, and a backdrop has its place: such a relation places nothing."""
    a, b = bodies[link.a], bodies[link.b]
    if a.band:
        return link.relation in ({"below", "behind"} if a.grounded else {"above", "behind"})
    return b.band and not b.grounded and link.relation == "below"


def _links(bodies: Mapping[str, Body], reading: Reading, fact: Relate, metre: float) -> list[Link]:
    subjects = _chosen(bodies, reading, fact.subjects)
    objects = [r for s in fact.objects for r in _chosen(bodies, reading, s)]
    gap = in_canvas(fact.distance, metre) if isinstance(fact.distance, Measure) else None
    upright = "top" in fact.phrase.lower().split()
    if not objects:
        return []
    if fact.relation == "between":
        if len(objects) < 2:
            return []
        return [
            Link("between", a, objects[0], objects[1], fact.certain, fact.degree, gap, phrase=fact.phrase)
            for a in subjects
        ]
    return [
        Link(fact.relation, a, b, None, fact.certain, fact.degree, gap, upright, fact.phrase)
        for a in subjects
        for b in objects
    ]


def _lined(bodies: Mapping[str, Body], reading: Reading, fact: Align) -> list[Link]:
    """Different things in a row, in the order in which they were named."""
    refs = [r for s in fact.selectors for r in _chosen(bodies, reading, s)]
    word = "row" if fact.axis == "x" else "column"
    return [Link(word, a, b, None, fact.certain, gap=GAP, phrase=fact.phrase) for a, b in pairwise(refs)]


def spots_of(bodies: Mapping[str, Body], reading: Reading) -> list[Spot]:
    """The places asked for, of whole things."""
    found: list[Spot] = []
    for fact in reading.constraints:
        if isinstance(fact, Place) and fact.side is None and fact.certain:
            within: Sequence[str | None] = _chosen(bodies, reading, fact.within) if fact.within is not None else [None]
            found += [
                Spot(a, fact.spot, w, fact.phrase) for a in _chosen(bodies, reading, fact.selector) for w in within[:1]
            ]
    return found
