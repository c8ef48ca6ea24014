"""The planner itself: sizes from large to small until every relation has a place; then names and layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from redraft.errors import InfeasibleError
from redraft.offline.planner.blocks import Block
from redraft.offline.planner.bodies import UNITS, Body, Link, bodies_of, links_of, spots_of
from redraft.offline.planner.openings import opening_box, root_box, wall_of
from redraft.offline.planner.placement import Placement, place
from redraft.offline.planner.scene import PlacedObject, PlacedScene
from redraft.offline.planner.sizes import fit_sizes, metre
from redraft.offline.planner.things import Thing, things_of
from redraft.spatial.layout import Bounds, Layout
from redraft.spatial.reading import Mention, Place, Reading

__all__ = ["plan"]

STEP = 0.88
"""From one try to the next smaller one."""
STEPS = 25
BLOWN_UP = 2.4
"""How many times its usual size a thing is drawn at most."""
LARGEST = 0.62
"""No single thing is drawn longer than this, unless a measure says so."""
CROWDED = 0.4
"""Share of the canvas that the boxes may cover at most."""
WORTHWHILE = 0.55
"""Down to this scale sizes give way to guesses; below, guesses give way."""
BEHIND = 0.5
"""How much of the ground's height the sky leaves free: blades of grass and waves are seen against it."""
TIGHT = 0.85
"""Under this scale gaps become smaller before sizes do."""


def plan(
    reading: Reading,
    *,
    seed: int,
    existing: Layout | None = None,
    sizes: Mapping[str, tuple[float, float]] | None = None,
) -> PlacedScene:
    """Place everything that a reading mentions, so that each of its certain constraints holds.

    `existing` stays as it is: definite phrases mean its things, and what is new goes where the words say relative to
    them. `sizes` fixes width and height of mentions, by noun. Another seed gives other gaps. Guesses that cannot be
    kept are in `unmet`, and so are relations where they exclude each other at every scale.

    Raises:
        InfeasibleError: the things alone leave no place, at any scale; names the relations.
    """
    things = _things(reading, existing)
    if all(t.fixed is not None for t in things.values()):
        return PlacedScene(())
    held = fit_sizes(things, reading) | _sized(things, sizes or {})
    # A little smaller with some seeds: what fills the sheet leaves no other freedom.
    first = 1.0 if held else _largest_scale(things, reading) * Random(seed).uniform(0.9, 1.0)  # noqa: S311
    best: PlacedScene | None = None
    for scale, gap, strict in _tries(first, held=bool(held)):
        if best is not None and scale < WORTHWHILE:
            break
        found = _try(things, reading, existing, scale, gap, seed, strict=strict)
        if found is not None and not found.unmet:
            return _centred(found, things, reading, existing)
        if found is not None and (best is None or len(found.unmet) < len(best.unmet)):
            best = found
    if best is not None:
        return _centred(best, things, reading, existing)
    names = ", ".join(t.mention.phrase or t.mention.noun for t in things.values())
    raise InfeasibleError(
        f"There is no room for {names} on one canvas, at any scale ({reading.text[:80]!r}). Ask for fewer things.",
        [c.phrase for c in reading.constraints if c.phrase and c.certain],
    )


def _centred(scene: PlacedScene, things: Mapping[str, Thing], reading: Reading, existing: Layout | None) -> PlacedScene:
    """The scene in the middle of the canvas, when nothing ties it to the canvas: a backdrop, a spot, an old drawing."""
    tied = any(isinstance(c, Place) and c.within is None for c in reading.constraints)
    if tied or existing is not None or not scene.objects or any(t.backdrop for t in things.values()):
        return scene
    boxes = [o.box for o in scene.objects]
    dx = round((1 - min(b[0] for b in boxes) - max(b[2] for b in boxes)) / 2, 4)
    dy = round((1 - min(b[1] for b in boxes) - max(b[3] for b in boxes)) / 2, 4)
    moved = [replace(o, box=(o.box[0] + dx, o.box[1] + dy, o.box[2] + dx, o.box[3] + dy)) for o in scene.objects]
    return replace(scene, objects=tuple(moved))


def _tries(first: float, *, held: bool) -> Iterator[tuple[float, float, bool]]:
    """Scale, least gap, and whether all is strict: directions clear and relations kept. What looks best first."""
    for scale in (1.0,) if held else [first * STEP**k for k in range(STEPS)]:
        yield scale, 0.055, True
        if scale <= TIGHT or held:
            yield scale, 0.025, True
    for scale in (1.0,) if held else (1.0, 0.6, 0.35, 0.2, 0.1):
        yield scale, 0.012, False


def _largest_scale(things: Mapping[str, Thing], reading: Reading) -> float:
    """The scale at which the largest thing, or all of it together, is as large as looks well."""
    free = [b for b in bodies_of(things, reading, 1.0).values() if b.fixed is None and not b.band]
    longest = max((max(b[2] - b[0], b[3] - b[1]) for body in free for b in body.block.boxes), default=1.0)
    area = sum(b.block.width * b.block.height for b in free) or 1.0
    return min(BLOWN_UP, LARGEST / longest, (CROWDED / area) ** 0.5)


def _sized(things: Mapping[str, Thing], sizes: Mapping[str, tuple[float, float]]) -> frozenset[str]:
    """Set stated sizes; returns the things that have one."""
    found = [t for t in things.values() if t.mention.noun in sizes]
    for thing in found:
        thing.width, thing.height = sizes[thing.mention.noun]
    return frozenset(t.id for t in found)


def _things(reading: Reading, existing: Layout | None) -> dict[str, Thing]:
    """The things, backdrops stretched; what nothing was understood of is one labelled shape."""
    things = things_of(reading, existing)
    for thing in things.values():
        if thing.backdrop:
            thing.width, thing.count = 1.0, 1
    if not things:
        words = " ".join(reading.text.split())[:40].strip()
        mention = Mention(id="words", noun=words, phrase=words)
        return things_of(replace(reading, mentions=(mention,)), None)
    return things


def _try(
    things: Mapping[str, Thing],
    reading: Reading,
    existing: Layout | None,
    scale: float,
    gap: float,
    seed: int,
    *,
    strict: bool,
) -> PlacedScene | None:
    bodies = bodies_of(things, reading, scale)
    others = _others(existing, things)
    links = links_of(bodies, reading, metre(reading) * scale)
    _bands(bodies, links)
    if not strict:
        links = [replace(link, certain=False) for link in links]
    found = place({**bodies, **others}, links, spots_of(bodies, reading), gap=gap, seed=seed, clear=strict)
    return None if found is None else _scene(things, bodies, links, found, reading, existing, scale)


def _others(existing: Layout | None, things: Mapping[str, Thing]) -> dict[str, Body]:
    """What is already there and not spoken of: nothing may be put on it."""
    if existing is None:
        return {}
    spoken = [t.fixed for t in things.values() if t.fixed is not None]
    found: dict[str, Body] = {}
    for item in existing.roots:
        box = existing.bounds(item.name)
        if not any(_covers(s, box) for s in spoken) and not existing.whole(item.name).is_empty:
            wide = box[2] - box[0] > 0.85
            block = Block([(0.0, 0.0, box[2] - box[0], box[3] - box[1])])
            found[f"={item.name}"] = Body(
                f"={item.name}", "", 0, block, "lies" if wide else "floats", fixed=box, band=wide
            )
    return found


def _covers(outer: Bounds, inner: Bounds) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def _bands(bodies: Mapping[str, Body], links: Sequence[Link]) -> None:
    """The ground is as high as what stands on it in rows; the sky reaches down behind it, or to the lower edge."""
    low = 0.0
    for band in (b for b in bodies.values() if b.band and b.rests in {"ground", "lies"}):
        standing = [bodies[k.a] for k in links if k.b == band.id and k.relation in {"on", "inside"}]
        deep = max([band.block.height, *(1.3 * (b.height - b.feet) / UNITS + 0.05 for b in standing if not b.band)])
        band.block.boxes[0] = (0.0, 0.0, 1.0, min(deep, 0.8))
        low += band.block.height
    for body in bodies.values():
        if body.band and body.rests not in {"ground", "lies"}:
            body.block.boxes[0] = (0.0, 0.0, 1.0, 1.0 - BEHIND * min(low, 0.9))


def _scene(
    things: Mapping[str, Thing], bodies: Mapping[str, Body], links: Sequence[Link], found: Placement, reading: Reading,
    existing: Layout | None, scale: float,
) -> PlacedScene:  # fmt: skip
    layers = _layers(bodies, links)
    taken = {i.name for i in existing.items} if existing is not None else set[str]()
    objects: list[PlacedObject] = []
    for thing in things.values():
        mine = [b for b in bodies.values() if b.thing == thing.id and b.fixed is None]
        boxes = [_moved(box, found.at[b.id]) for b in mine for box in b.block.boxes]
        depths = [layers[b.id] for b in mine for _ in b.block.boxes]
        names = _names(thing.id, len(boxes), taken)
        for name, box, layer in zip(names, boxes, depths, strict=True):
            objects.append(_object(thing, name, box, layer))
            objects.extend(_details(thing, name, box, layer, reading, scale))
    ordered = sorted(enumerate(objects), key=lambda pair: (pair[1].layer, pair[0]))
    cut = [t.mention.phrase for t in things.values() if t.mention.count is not None and t.count < t.mention.count]
    return PlacedScene(tuple(o for _, o in ordered), tuple(dict.fromkeys((*found.unmet, *cut))))


def _moved(box: Bounds, by: tuple[float, float]) -> Bounds:
    return (box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1])


def _names(base: str, count: int, taken: set[str]) -> list[str]:
    """`tree`, or `tree_1`, `tree_2`; never a name that is taken."""
    names = [base] if count == 1 else [f"{base}_{k + 1}" for k in range(count)]
    while any(n in taken for n in names):
        base += "_new"
        names = [base] if count == 1 else [f"{base}_{k + 1}" for k in range(count)]
    taken.update(names)
    return names


def _layers(bodies: Mapping[str, Body], links: Sequence[Link]) -> dict[str, int]:
    """Backdrops lowest; what is on, in or in front of something is painted after it."""
    layers = {b.id: (-2 if b.rests in {"floats", "hangs", "wall"} else -1) if b.band else 0 for b in bodies.values()}
    over = [
        (k.a, k.b)
        for k in links
        if k.relation in {"on", "in_front_of"} or (k.relation == "inside" and not bodies[k.b].open)
    ]
    over += [(k.b, k.a) for k in links if k.relation == "behind" or (k.relation == "inside" and bodies[k.b].open)]
    for _ in range(len(bodies)):  # as deep as the longest chain
        for upper, lower in over:
            if not bodies[upper].band:
                layers[upper] = max(layers[upper], layers[lower] + 1) if layers[lower] < len(bodies) else layers[upper]
    return layers


def _object(thing: Thing, name: str, box: Bounds, layer: int) -> PlacedObject:
    return PlacedObject(
        name=name, noun=thing.mention.noun, box=box, layer=layer, colour=thing.mention.colour,
        counts=dict(thing.counts),
        angles=dict(thing.angles), part_colours=dict(thing.part_colours),
    )  # fmt: skip


def _details(thing: Thing, name: str, box: Bounds, layer: int, reading: Reading, scale: float) -> list[PlacedObject]:
    """Parts that the lexicon's entry does not have: openings in walls, and things attached in a row."""
    found: list[PlacedObject] = []
    room = root_box(thing.entry, box)
    for part, where, size in thing.openings:
        for k in range(part.count or 1):
            at = opening_box(
                room, where, size, metre(reading) * scale * (room[2] - room[0]) / (box[2] - box[0]), k, part.count or 1
            )
            number = f"_{k + 1}" if (part.count or 1) > 1 else ""
            found.append(
                PlacedObject(
                    f"{name}_{part.id}{number}",
                    part.noun,
                    at,
                    layer + 1,
                    part.colour,
                    parent=name,
                    opening=True,
                    side=where.side or "bottom",
                    wall=wall_of(room),
                )
            )
    total = sum(p.count or 2 for p in thing.extras)
    x0, y0, x1, y1 = box
    side = min((x1 - x0) / (total + 1), 0.3 * (y1 - y0)) if total else 0.0
    at = 0
    for part in thing.extras:
        for k in range(part.count or 2):
            at += 1
            x, y = x0 + (x1 - x0) * at / (total + 1), (y0 + y1) / 2
            number = f"_{k + 1}" if (part.count or 2) > 1 else ""
            square = (x - side * 0.4, y - side * 0.4, x + side * 0.4, y + side * 0.4)
            found.append(
                PlacedObject(f"{name}_{part.id}{number}", part.noun, square, layer + 1, part.colour, parent=name)
            )
    return found
