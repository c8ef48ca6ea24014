"""The planner itself: bodies and links of a reading, sizes from large to small until every relation has a place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random

from redraft.errors import InfeasibleError
from redraft.layout.items import Bounds, Layout
from redraft.offline.english.reading import (
    Align,
    Compare,
    EqualSpacing,
    Grid,
    Measure,
    Mention,
    Place,
    Reading,
    Relate,
    Selector,
    Size,
)
from redraft.offline.lexicon import find, hex_of, unknown
from redraft.studios.sketch.memory import SCENERY
from redraft.studios.sketch.offline.planner.placement import UNITS, Body, Link, Placement, Spot, place
from redraft.studios.sketch.offline.planner.things import (
    Thing,
    factor_of,
    fit_sizes,
    in_canvas,
    meter,
    things_of,
    whole_of,
)

Draft = dict[str, object]

STEP, STEPS = 0.8, 14
"""From one try to the next smaller one."""
BLOWN_UP = 2.4
"""How many times its usual size a thing is drawn at most."""
LARGEST = 0.62
"""No single thing is drawn longer than this, unless a measure says so."""
CROWDED = 0.4
"""Share of the canvas that the boxes may cover at most."""
WORTHWHILE = 0.55
"""Down to this scale sizes give way to guesses; below, guesses give way."""
TIGHT = 0.85
"""Under this scale gaps become smaller before sizes do."""
BEHIND = 0.5
"""How much of the ground's height the sky leaves free: blades of grass and waves are seen against it."""
GAP = 0.055
"""Between two of a kind, in canvas units: just over the least spacing of the rules."""
OPENING = 0.2
"""Of a side, for a door without a stated width."""


@dataclass(frozen=True)
class PlacedObject:
    """One thing to draw in `box` (x0, y0, x1, y1, canvas units)."""

    name: str
    """The part's name in the drawing, unique in the scene and in what was there before."""
    noun: str
    box: Bounds
    layer: int = 0
    colour: str | None = None
    counts: dict[str, int] = field(default_factory=dict[str, int])
    """How many of a part, by the part's noun."""
    angles: dict[str, float] = field(default_factory=dict[str, float])
    """Degrees clockwise from up of its hands, by noun."""
    part_colours: dict[str, str] = field(default_factory=dict[str, str])
    parent: str | None = None


@dataclass(frozen=True)
class PlacedScene:
    """Everything new in a drawing, in painting order."""

    objects: tuple[PlacedObject, ...]
    unmet: tuple[str, ...] = ()
    """Phrases of the brief that this plan does not keep, each in the words of the brief."""


def plan(reading: Reading, *, seed: int, existing: Layout | None = None) -> PlacedScene:
    """Place everything that a reading mentions, so that each of its certain constraints holds.

    `existing` stays as it is: definite phrases mean its things, and what is new goes where the words say relative to
    them. Another seed gives other gaps. Guesses that cannot be kept are in `unmet`, and so are relations where they
    exclude each other at every scale.

    Raises:
        InfeasibleError: the things alone leave no place, at any scale; names the relations.
    """
    things = things_of(reading, existing)
    if not things:  # what nothing was understood of is one labeled shape
        words = " ".join(reading.text.split())[:40].strip()
        things = things_of(replace(reading, mentions=(Mention(id="words", noun=words, phrase=words),)), None)
    if all(t.fixed is not None for t in things.values()):
        return PlacedScene(())

    # Begin with the scale at which the largest thing, or all of it together, is as large as looks well; a little
    # smaller with some seeds, since what fills the sheet leaves no other freedom.
    first, held = 1.0, fit_sizes(things, reading)
    if not held:
        free = [b for b in _bodies(things, reading, 1.0).values() if b.free]
        longest = max((max(b[2] - b[0], b[3] - b[1]) for body in free for b in body.boxes), default=1.0)
        area = sum(b.width * b.height for b in free) / UNITS**2 or 1.0
        first = min(BLOWN_UP, LARGEST / longest, (CROWDED / area) ** 0.5) * Random(seed).uniform(0.9, 1.0)  # noqa: S311

    best: PlacedScene | None = None
    for scale, gap, strict in _tries(first, held=held):
        if best is not None and scale < WORTHWHILE:
            break
        scene = _try(things, reading, existing, scale, gap, seed, strict=strict)
        if scene is not None and (best is None or len(scene.unmet) < len(best.unmet)):
            best = scene
        if scene is not None and not scene.unmet:
            break
    if best is None:
        names = ", ".join(t.mention.phrase or t.mention.noun for t in things.values())
        raise InfeasibleError(
            f"There is no room for {names} on one canvas, at any scale ({reading.text[:80]!r}). Ask for fewer things.",
            [c.phrase for c in reading.constraints if c.phrase and c.certain],
        )

    # The scene stands in the middle, unless something ties it to the canvas: a backdrop, a spot, an old drawing.
    spotted = any(isinstance(c, Place) and c.within is None for c in reading.constraints)
    if spotted or existing is not None or any(t.backdrop for t in things.values()):
        return best
    boxes = [o.box for o in best.objects]
    dx = round((1 - min(b[0] for b in boxes) - max(b[2] for b in boxes)) / 2, 4)
    dy = round((1 - min(b[1] for b in boxes) - max(b[3] for b in boxes)) / 2, 4)
    return replace(best, objects=tuple(replace(o, box=_moved(o.box, (dx, dy))) for o in best.objects))


def _tries(first: float, *, held: bool) -> Iterator[tuple[float, float, bool]]:
    """Yield scale, least gap, and whether directions must be clear and relations kept. What looks best comes first."""
    for scale in (1.0,) if held else [first * STEP**k for k in range(STEPS)]:
        yield scale, GAP, True
        if scale <= TIGHT or held:
            yield scale, 0.025, True
    for scale in (1.0,) if held else (1.0, 0.6, 0.35, 0.2, 0.1):
        yield scale, 0.012, False


def _try(
    things: Mapping[str, Thing], reading: Reading, existing: Layout | None, scale: float, gap: float, seed: int, *,
    strict: bool,
) -> PlacedScene | None:  # fmt: skip
    """Place all things at one scale; None where they find no place."""
    bodies = _bodies(things, reading, scale)
    links = _links(bodies, reading, meter(reading) * scale)
    _stretch_bands(bodies, links)
    if not strict:
        links = [replace(link, certain=False) for link in links]
    spots = [
        Spot(ref, fact.spot, within)
        for fact in reading.constraints
        if isinstance(fact, Place) and fact.side is None and fact.certain
        for ref in _chosen(bodies, reading, fact.selector)
        for within in ([None] if fact.within is None else _chosen(bodies, reading, fact.within)[:1])
    ]

    # Nothing may be put on what is already there and not spoken of.
    spoken = [t.fixed for t in things.values() if t.fixed is not None]
    others: dict[str, Body] = {}
    roots = {} if existing is None else {item.name: existing.bounds(item.name) for item in existing.roots}
    for item, box in roots.items():
        x0, y0, x1, y1 = box
        covered = any(s[0] <= x0 and s[1] <= y0 and s[2] >= x1 and s[3] >= y1 for s in spoken)
        if not covered and x0 <= x1:  # an empty shape has no bounds
            wide = x1 - x0 > SCENERY
            name = f"={item}"
            others[name] = Body(name, "", [(0.0, 0.0, x1 - x0, y1 - y0)], "lies" if wide else "floats", box, band=wide)

    placement = place({**bodies, **others}, links, spots, gap=gap, seed=seed, clear=strict)
    return None if placement is None else _scene(things, bodies, links, placement, reading, existing, scale)


def _bodies(things: Mapping[str, Thing], reading: Reading, scale: float) -> dict[str, Body]:
    """Return the bodies of all things at a scale: one a thing, or one an instance where some of them are told apart."""
    apart = {
        s.mention
        for c in reading.constraints
        if isinstance(c, Relate)
        for s in (c.subjects, *c.objects)
        if s.ordinals or (c.relation == "between" and c.objects == (s,))
    }
    bodies: dict[str, Body] = {}
    for thing in things.values():
        if thing.fixed is not None:
            x0, y0, x1, y1 = thing.fixed
            boxes: list[Bounds] = [(0.0, 0.0, x1 - x0, y1 - y0)]
        else:
            boxes = _block(thing, reading, 1.0 if thing.backdrop else scale)
        if thing.id in apart and len(boxes) > 1:
            for k, (x0, y0, x1, y1) in enumerate(boxes, 1):
                bodies[f"{thing.id}#{k}"] = _body(thing, f"{thing.id}#{k}", [(0.0, 0.0, x1 - x0, y1 - y0)])
        else:
            bodies[thing.id] = _body(thing, thing.id, boxes)
    return bodies


def _body(thing: Thing, ref: str, boxes: list[Bounds]) -> Body:
    entry = thing.entry if len(boxes) == 1 else None
    surface, inside = (entry.surface or 0.0, entry.inside) if entry is not None else (0.0, None)
    return Body(ref, thing.id, boxes, thing.rests, thing.fixed, surface, inside, thing.backdrop)


def _block(thing: Thing, reading: Reading, scale: float) -> list[Bounds]:
    """Arrange the thing's instances as the reading says; unsaid, in rows that are not too long."""
    facts = reading.constraints
    held = {c.relation for c in facts if isinstance(c, Relate) and c.subjects.mention == thing.id}
    share = 0.12 if held & {"on", "inside"} else 0.4 if thing.count < 6 else 0.18
    gap = min(GAP, share * thing.width * scale)
    sizes, low = _sizes(thing, reading, scale), thing.rests in {"ground", "lies"}
    w, h = max(s[0] for s in sizes), max(s[1] for s in sizes)
    grid = next((c for c in facts if isinstance(c, Grid) and c.selector.mention == thing.id), None)
    if grid is not None:
        gap, cells = _gap_or(grid.gap, gap), [(c, r) for r in range(grid.rows) for c in range(grid.columns)]
        return [(c * (w + gap), r * (h + gap), c * (w + gap) + w, r * (h + gap) + h) for c, r in cells[: len(sizes)]]

    even = next((c for c in facts if isinstance(c, EqualSpacing) and c.selector.mention == thing.id), None)
    align = next((c for c in facts if isinstance(c, Align) and thing.id in {s.mention for s in c.selectors}), None)
    gap = _gap_or(even.gap if even is not None else None, gap)
    if "y" in {getattr(even, "axis", ""), getattr(align, "axis", "")}:
        turned = _row([(b, a) for a, b in sizes], gap, low=False)
        return [(y0, x0, y1, x1) for x0, y0, x1, y1 in turned]

    n = len(sizes)
    lined = align or even or "on" in held or any(isinstance(c, Compare) and c.subjects.ordinals for c in facts)
    if lined or n <= 3 or (n <= 5 and n * (w + gap) < 0.9):
        return _row(sizes, gap, low=low)
    rows = math.ceil(n / max(1, min(n, round(math.sqrt(1.5 * n * (h + gap) / (w + gap))))))
    shares = [n // rows + (1 if r < n % rows else 0) for r in range(rows)]
    boxes: list[Bounds] = []
    for r, number in enumerate(shares):
        indent = (shares[0] - number) * (w + gap) / 2
        boxes += [_moved(box, (indent, r * (h + gap))) for box in _row(sizes[:number], gap, low=low)]
    return boxes


def _gap_or(gap: Measure | None, usual: float) -> float:
    return gap.value if gap is not None and gap.unit == "canvas" else usual


def _sizes(thing: Thing, reading: Reading, scale: float) -> list[tuple[float, float]]:
    """Return width and height of each instance, in reading order; "the fourth 20 % taller" is told apart."""
    sizes = [(thing.width * scale, thing.height * scale)] * thing.count
    for fact in reading.constraints:
        if isinstance(fact, Compare) and fact.subjects.mention == fact.reference.mention == thing.id:
            factor = factor_of(fact)
            whole = fact.dimension == "size" or not (thing.entry is None or thing.entry.stretch)
            fx = factor if whole or fact.dimension == "width" else 1.0
            fy = factor if whole or fact.dimension == "height" else 1.0
            for n in fact.subjects.ordinals:
                if abs(n) <= thing.count:
                    k = n - 1 if n > 0 else n
                    sizes[k] = (sizes[k][0] * fx, sizes[k][1] * fy)
    return sizes


def _row(sizes: Sequence[tuple[float, float]], gap: float, *, low: bool) -> list[Bounds]:
    """Set boxes side by side with equal gaps, on one foot line or by their middles."""
    tallest = max(h for _, h in sizes)
    boxes: list[Bounds] = []
    x = 0.0
    for w, h in sizes:
        y = tallest - h if low else (tallest - h) / 2
        boxes.append((x, y, x + w, y + h))
        x += w + gap
    return boxes


def _chosen(bodies: Mapping[str, Body], reading: Reading, selector: Selector) -> list[str]:
    """Return the bodies that a selector means; a part's are its whole's."""
    thing = whole_of(reading, selector.mention)
    refs = [b.id for b in bodies.values() if b.thing == thing]
    if not selector.ordinals or thing != selector.mention:
        return refs
    picked = {n - 1 if n > 0 else len(refs) + n for n in selector.ordinals}
    return [r for k, r in enumerate(refs) if (k in picked) != selector.others]


def _links(bodies: Mapping[str, Body], reading: Reading, meter: float) -> list[Link]:
    """Return all relations between bodies, and different things in a row, in the order in which they were named."""
    links: list[Link] = []
    for fact in reading.constraints:
        if isinstance(fact, Align) and len(fact.selectors) > 1:
            refs = [r for s in fact.selectors for r in _chosen(bodies, reading, s)]
            word = "row" if fact.axis == "x" else "column"
            links += [Link(word, a, b, "", fact.certain, gap=GAP, phrase=fact.phrase) for a, b in pairwise(refs)]
        elif isinstance(fact, Relate):
            objects = [r for s in fact.objects for r in _chosen(bodies, reading, s)]
            gap = in_canvas(fact.distance, meter) if fact.distance is not None else None
            pairs = [(b, "") for b in objects]
            if fact.relation == "between":
                pairs = [(objects[0], objects[1])] if len(objects) > 1 else []
            links += [
                Link(fact.relation, a, b, c, fact.certain, fact.degree, gap, fact.phrase)
                for a in _chosen(bodies, reading, fact.subjects)
                for b, c in pairs
            ]
    return [link for link in links if link.a != link.b and not _is_scenic(bodies, link)]


def _is_scenic(bodies: Mapping[str, Body], link: Link) -> bool:
    """Return whether a relation places nothing: under the sky is in front of it, and a backdrop has its place."""
    a, b = bodies[link.a], bodies[link.b]
    if a.band:
        return link.relation in ({"below", "behind"} if a.grounded else {"above", "behind"})
    return b.band and not b.grounded and link.relation == "below"


def _stretch_bands(bodies: Mapping[str, Body], links: Sequence[Link]) -> None:
    """Make the ground as high as what stands on it in rows; the sky reaches down behind it, or to the lower edge."""
    low = 0.0
    for band in (b for b in bodies.values() if b.band and b.grounded):
        standing = [bodies[k.a] for k in links if k.b == band.id and k.relation in {"on", "inside"}]
        rows = [max(x[3] for x in b.boxes) - min(x[3] for x in b.boxes) for b in standing if not b.band]
        band.boxes = [(0.0, 0.0, 1.0, min(max([band.boxes[0][3], *(1.3 * row + 0.05 for row in rows)]), 0.8))]
        low += band.boxes[0][3]
    for body in bodies.values():
        if body.band and not body.grounded:
            body.boxes = [(0.0, 0.0, 1.0, 1.0 - BEHIND * min(low, 0.9))]


def _scene(
    things: Mapping[str, Thing], bodies: Mapping[str, Body], links: Sequence[Link], placement: Placement,
    reading: Reading, existing: Layout | None, scale: float,
) -> PlacedScene:  # fmt: skip
    """Name every instance and its parts, and put them in painting order."""
    layers = _layers(bodies, links)
    taken = {i.name for i in existing.items} if existing is not None else set[str]()
    objects: list[PlacedObject] = []
    for thing in things.values():
        own = [b for b in bodies.values() if b.thing == thing.id and b.fixed is None]
        placed = [(_moved(box, placement.at[b.id]), layers[b.id]) for b in own for box in b.boxes]
        base = thing.id
        while any(name.startswith(base) for name in taken):
            base += "_new"
        for k, (box, layer) in enumerate(placed, 1):
            name = f"{base}_{k}" if len(placed) > 1 else base
            objects.append(
                PlacedObject(
                    name, thing.mention.noun, box, layer, thing.mention.colour, thing.counts, thing.angles,
                    thing.part_colours,
                )
            )  # fmt: skip
            objects.extend(_extras(thing, objects[-1], reading, scale))
    ordered = sorted(objects, key=lambda o: o.layer)
    cut = [t.mention.phrase for t in things.values() if t.mention.count is not None and t.count < t.mention.count]
    return PlacedScene(tuple(ordered), tuple(dict.fromkeys((*placement.unmet, *cut))))


def _moved(box: Bounds, by: tuple[float, float]) -> Bounds:
    return (box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1])


def _layers(bodies: Mapping[str, Body], links: Sequence[Link]) -> dict[str, int]:
    """Return the layers: backdrops lowest; what is on, in or in front of something is painted after it."""
    layers = {b.id: 0 if not b.band else -1 if b.grounded else -2 for b in bodies.values()}
    over = [(k.a, k.b) for k in links if k.relation in {"on", "in_front_of"}]
    over += [(k.b, k.a) for k in links if k.relation == "behind"]
    over += [(k.b, k.a) if bodies[k.b].open else (k.a, k.b) for k in links if k.relation == "inside"]
    for _ in range(len(bodies)):  # as deep as the longest chain
        for upper, lower in over:
            if not bodies[upper].band and layers[lower] < len(bodies):
                layers[upper] = max(layers[upper], layers[lower] + 1)
    return layers


def _extras(thing: Thing, owner: PlacedObject, reading: Reading, scale: float) -> Iterator[PlacedObject]:
    """Yield parts that the lexicon's entry does not have, in a row across it; a door at the side that is named."""
    parts = [(p, k) for p in thing.extras for k in range(p.count or 2)]
    x0, y0, x1, y1 = owner.box
    side = 0.8 * min((x1 - x0) / (len(parts) + 1), 0.3 * (y1 - y0))
    for at, (part, k) in enumerate(parts, 1):
        x, y, w, h = x0 + (x1 - x0) * at / (len(parts) + 1), (y0 + y1) / 2, side, side
        facts = [c for c in reading.constraints if isinstance(c, Place | Size) and c.selector.mention == part.id]
        where = next((c.side for c in facts if isinstance(c, Place) and c.side), None)
        width = next((c.width for c in facts if isinstance(c, Size) and c.width is not None), None)
        if where is not None:
            upright = where in {"left", "right"}
            long = in_canvas(width, meter(reading) * scale) if width else OPENING * (y1 - y0 if upright else x1 - x0)
            w, h = (long / 6, long) if upright else (long, long / 6)
            x, y = {"left": (x0 + w / 2, y), "right": (x1 - w / 2, y), "top": ((x0 + x1) / 2, y0 + h / 2)}.get(
                where, ((x0 + x1) / 2, y1 - h / 2)
            )
        name = f"{owner.name}_{part.id}" + (f"_{k + 1}" if (part.count or 2) > 1 else "")
        box = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        yield PlacedObject(name, part.noun, box, owner.layer + 1, part.colour, parent=owner.name)


def paint(scene: PlacedScene) -> tuple[list[Draft], list[Draft]]:
    """Return plan parts and strokes of everything in the scene, in painting order."""
    plan: list[Draft] = []
    strokes: list[Draft] = []
    for thing in scene.objects:
        entry = find(thing.noun)
        colour = thing.colour if thing.colour is not None and hex_of(thing.colour) is not None else None
        if entry is None:
            parts, marks = unknown(thing.noun, thing.box, thing.name, colour)
        else:
            parts, marks = entry.realise(
                thing.box, prefix=thing.name, label=thing.noun, colour=colour, counts=thing.counts,
                angles=thing.angles, part_colours=thing.part_colours,
            )  # fmt: skip
        if thing.parent is not None:
            parts = [{**parts[0], "parent": thing.parent}, *parts[1:]]

        # Parts whose names are taken get new ones: the plate of a cake beside a "cake plate".
        taken = {str(p["name"]) for p in plan} | {o.name for o in scene.objects if o is not thing}
        names: dict[str, str] = {}
        for part in parts:
            old = new = str(part["name"])
            while new in taken:
                new += "_part"
            names[old] = new
            taken.add(new)
        plan += [
            {**p, "name": names[str(p["name"])], "parent": names.get(str(p["parent"]), p["parent"])} for p in parts
        ]
        strokes += [{**mark, "part": names[str(mark["part"])], "layer": thing.layer} for mark in marks]
    return plan, strokes
