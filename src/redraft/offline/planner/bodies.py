"""Rigid blocks that the placement model moves, and the links between them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redraft.english.binding import heads_in
from redraft.english.reading import (
    Align,
    Compare,
    EqualSpacing,
    Grid,
    Measure,
    Place,
    Reading,
    Relate,
    Relation,
    Selector,
)
from redraft.layout import Bounds
from redraft.offline.planner.things import AT_LEAST, Rests, Thing, in_canvas, whole_of

__all__ = ["UNITS", "Block", "Body", "Link", "Spot", "block_of", "bodies_of", "links_of", "spots_of", "units"]


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


GAP = 0.055
"""Between two of a kind, in canvas units: just over the least spacing of the rules."""


@dataclass
class Block:
    """Instances in fixed places to each other. Boxes are relative to the block's upper left corner."""

    boxes: list[Bounds]

    @property
    def width(self) -> float:
        return max(b[2] for b in self.boxes)

    @property
    def height(self) -> float:
        return max(b[3] for b in self.boxes)


def block_of(thing: Thing, reading: Reading, scale: float, *, gap: float = GAP, single_row: bool = False) -> Block:
    """The thing's instances at a scale, arranged as the reading says; unsaid, in rows that are not too long."""
    sizes = _sizes(thing, reading, scale)
    grid = next((c for c in reading.constraints if isinstance(c, Grid) and c.selector.mention == thing.id), None)
    if grid is not None:
        return _grid_block(sizes, grid.rows, grid.columns, _stated(grid.gap, gap))
    even = next(
        (c for c in reading.constraints if isinstance(c, EqualSpacing) and c.selector.mention == thing.id), None
    )
    align = next(
        (c for c in reading.constraints if isinstance(c, Align) and thing.id in {s.mention for s in c.selectors}), None
    )
    space = _stated(even.gap if even is not None else None, gap)
    if (align is not None and align.axis == "y") or (even is not None and even.axis == "y"):
        return _column(sizes, space)
    if align is not None or even is not None or single_row or _graded(thing, reading):
        return _row(sizes, space, low=thing.rests in {"ground", "lies"})
    return _rows_block(sizes, gap, low=thing.rests in {"ground", "lies"})


def _stated(gap: Measure | None, usual: float) -> float:
    return gap.value if gap is not None and gap.unit == "canvas" else usual


def _graded(thing: Thing, reading: Reading) -> bool:
    return any(
        isinstance(c, Compare) and c.subjects.mention == thing.id and c.subjects.ordinals for c in reading.constraints
    )


def _sizes(thing: Thing, reading: Reading, scale: float) -> list[tuple[float, float]]:
    """Width and height of each instance, in reading order."""
    factors = [(1.0, 1.0)] * thing.count
    for fact in reading.constraints:
        if isinstance(fact, Compare) and fact.subjects.mention == thing.id and fact.reference.mention == thing.id:
            factors = _singled_out(thing, fact, factors)
    return [(thing.width * scale * fx, thing.height * scale * fy) for fx, fy in factors]


def _singled_out(thing: Thing, fact: Compare, factors: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """ "the fourth 20 % taller"."""
    chosen = {n - 1 if n > 0 else thing.count + n for n in fact.subjects.ordinals}
    factor = fact.factor if not fact.at_least else AT_LEAST if fact.factor > 1 else 1 / AT_LEAST
    fx, fy = _along(thing, fact.dimension, factor)
    return [(x * fx, y * fy) if k in chosen else (x, y) for k, (x, y) in enumerate(factors)]


def _along(thing: Thing, dimension: str, factor: float) -> tuple[float, float]:
    """A thing that keeps its proportions grows both ways."""
    stretches = thing.entry is None or thing.entry.stretch
    if dimension == "size" or not stretches:
        return (factor, factor)
    return (factor, 1.0) if dimension == "width" else (1.0, factor)


def _row(sizes: Sequence[tuple[float, float]], gap: float, *, low: bool) -> Block:
    """Side by side with equal gaps, on one foot line or by their middles."""
    tallest = max(h for _, h in sizes)
    boxes: list[Bounds] = []
    x = 0.0
    for w, h in sizes:
        y = tallest - h if low else (tallest - h) / 2
        boxes.append((x, y, x + w, y + h))
        x += w + gap
    return Block(boxes)


def _column(sizes: Sequence[tuple[float, float]], gap: float) -> Block:
    widest = max(w for w, _ in sizes)
    boxes: list[Bounds] = []
    y = 0.0
    for w, h in sizes:
        boxes.append(((widest - w) / 2, y, (widest + w) / 2, y + h))
        y += h + gap
    return Block(boxes)


def _grid_block(sizes: Sequence[tuple[float, float]], rows: int, columns: int, gap: float) -> Block:
    """Equal cells, as large as the largest instance; rows times columns of them."""
    w, h = max(s[0] for s in sizes), max(s[1] for s in sizes)
    places = [(c, r) for r in range(rows) for c in range(columns)][: len(sizes)]
    return Block([(c * (w + gap), r * (h + gap), c * (w + gap) + w, r * (h + gap) + h) for c, r in places])


def _rows_block(sizes: Sequence[tuple[float, float]], gap: float, *, low: bool) -> Block:
    """One row while it is short, else rows as even as can be, in a block about one and a half times as wide as high."""
    n, (w, h) = len(sizes), sizes[0]
    if n <= 3 or (n <= 5 and n * (w + gap) < 0.9):
        return _row(sizes, gap, low=low)
    columns = max(1, min(n, round(math.sqrt(1.5 * n * (h + gap) / (w + gap)))))
    rows = math.ceil(n / columns)
    shares = [n // rows + (1 if r < n % rows else 0) for r in range(rows)]
    widest = max(shares) * (w + gap) - gap
    boxes: list[Bounds] = []
    for r, share in enumerate(shares):
        left = (widest - (share * (w + gap) - gap)) / 2
        boxes += [
            (left + c * (w + gap), r * (h + gap), left + c * (w + gap) + w, r * (h + gap) + h) for c in range(share)
        ]
    return Block(boxes)
