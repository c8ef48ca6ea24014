"""The planner itself: sizes from large to small until every relation has a place; then names and layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from redraft.english.reading import Mention, Place, Reading, Size
from redraft.errors import InfeasibleError
from redraft.layout import Bounds, Layout
from redraft.offline.lexicon import Entry, find, hex_of, unknown
from redraft.offline.planner.bodies import UNITS, Block, Body, Link, bodies_of, links_of, spots_of
from redraft.offline.planner.placement import Placement, place
from redraft.offline.planner.things import Thing, fit_sizes, in_canvas, metre, things_of

__all__ = ["Draft", "PlacedObject", "PlacedScene", "opening_box", "paint", "plan", "root_box", "wall_of"]


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
    things = _all_things(reading, existing)
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


def _all_things(reading: Reading, existing: Layout | None) -> dict[str, Thing]:
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


OPENING = 0.2
"""Of a wall, for an opening without a stated width."""
THICKNESS = 0.04
"""Of a wall, as a share of the room's shorter side."""


def root_box(entry: Entry | None, box: Bounds) -> Bounds:
    """What the root part of a thing in `box` covers, when it is a rectangle: the floor that the walls stand on."""
    strokes = entry.realise(box, prefix="root", label="root")[1] if entry is not None else []
    floor = next((s for s in strokes if s["part"] == "root" and s["kind"] == "rect"), None)
    if floor is None:
        return box
    x, y, w, h = (float(str(floor[k])) for k in ("x", "y", "w", "h"))
    return (x, y, x + w, y + h)


def wall_of(room: Bounds) -> float:
    """How thick the walls of a room are drawn."""
    return THICKNESS * min(room[2] - room[0], room[3] - room[1])


def opening_box(room: Bounds, where: Place, size: Size | None, metre: float, index: int, count: int) -> Bounds:
    """The box of one opening and of the quarter circle its leaf sweeps into the room. `metre` is a metre's share of
    the canvas; several on one side share it evenly."""
    x0, y0, x1, y1 = room
    low, high = (y0, y1) if where.side in {"left", "right"} else (x0, x1)
    stated = size.width if size is not None else None
    length = in_canvas(stated, metre) if stated is not None else OPENING * (high - low)
    middle = _middle_of(where.spot, low, high, length) if count == 1 else low + (high - low) * (index + 1) / (count + 1)
    a, b = middle - length / 2, middle + length / 2
    match where.side:
        case "left":
            return (x0, a, x0 + length, b)
        case "right":
            return (x1 - length, a, x1, b)
        case "top":
            return (a, y0, b, y0 + length)
        case _:
            return (a, y1 - length, b, y1)


def _middle_of(spot: str, low: float, high: float, length: float) -> float:
    """The middle of the opening: at the wall's middle, or near the end that is named."""
    if spot in {"left", "top", "top_left"}:
        return low + length
    if spot in {"right", "bottom", "bottom_right"}:
        return high - length
    return (low + high) / 2


Draft = dict[str, object]

SWING_PEN = 0.004
SWING_OUTLINE = "#3d3a45"


def paint(scene: PlacedScene, *, seed: int) -> tuple[list[Draft], list[Draft]]:
    """Plan parts and strokes of everything in the scene, in painting order."""
    random = Random(seed)  # noqa: S311 - taste, not secrets
    plan: list[Draft] = []
    strokes: list[Draft] = []
    for thing in scene.objects:
        parts, marks = _opening(thing) if thing.opening else _realised(thing, random.randrange(2**31))
        if thing.parent is not None:
            parts = [{**parts[0], "parent": thing.parent}, *parts[1:]]
        names = _fresh(parts, {str(p["name"]) for p in plan} | {o.name for o in scene.objects if o is not thing})
        plan += [
            {**p, "name": names[str(p["name"])], "parent": names.get(str(p["parent"]), p["parent"])} for p in parts
        ]
        strokes += [{**mark, "part": names[str(mark["part"])], "layer": thing.layer} for mark in marks]
    return plan, strokes


def _fresh(parts: list[Draft], taken: set[str]) -> dict[str, str]:
    """New names for parts whose names are taken: the plate of a cake beside a "cake plate"."""
    found: dict[str, str] = {}
    for part in parts:
        name = str(part["name"])
        found[name] = name
        while found[name] in taken:
            found[name] += "_part"
        taken.add(found[name])
    return found


def _realised(thing: PlacedObject, seed: int) -> tuple[list[Draft], list[Draft]]:
    entry = find(thing.noun)
    colour = thing.colour if thing.colour is not None and hex_of(thing.colour) is not None else None
    if entry is None:
        return unknown(thing.noun, thing.box, thing.name, colour)
    tints = {noun: tint for noun, tint in thing.part_colours.items() if hex_of(tint) is not None}
    return entry.realise(
        thing.box, prefix=thing.name, label=thing.noun, colour=colour, counts=thing.counts, angles=thing.angles,
        part_colours=tints, seed=seed,
    )  # fmt: skip


def _opening(thing: PlacedObject) -> tuple[list[Draft], list[Draft]]:
    """A gap in the wall with the quarter circle that its leaf sweeps, as floor plans have it."""
    fill = (hex_of(thing.colour) if thing.colour else None) or "#fffdf7"
    swing: Draft = {
        "part": thing.name, "kind": "path", "d": _swing(thing.box, thing.side), "fill": fill, "stroke": SWING_OUTLINE,
        "width": SWING_PEN,
    }  # fmt: skip
    gap: Draft = {
        "part": thing.name,
        "kind": "rect",
        **_wall_gap(thing.box, thing.side, thing.wall),
        "fill": fill,
        "stroke": "none",
        "width": 0.0,
    }
    return [{"name": thing.name, "label": thing.noun, "parent": None}], [swing, gap]


def _wall_gap(box: Bounds, side: str, wall: float) -> Draft:
    """The rectangle in the wall."""
    x0, y0, x1, y1 = box
    deep = {
        "top": (x0, y0, x1, y0 + wall),
        "bottom": (x0, y1 - wall, x1, y1),
        "left": (x0, y0, x0 + wall, y1),
        "right": (x1 - wall, y0, x1, y1),
    }
    a, b, c, d = deep[side]
    return {"x": round(a, 6), "y": round(b, 6), "w": round(c - a, 6), "h": round(d - b, 6)}


def _swing(box: Bounds, side: str) -> str:
    """From the hinge along the open leaf, and back along the arc to the other jamb; inside the box by half a pen."""
    h = SWING_PEN / 2
    x0, y0, x1, y1 = box[0] + h, box[1] + h, box[2] - h, box[3] - h
    hinge, leaf, jamb, sweep = {
        "bottom": ((x0, y1), (x0, y1 - (x1 - x0)), (x1, y1), 1),
        "top": ((x0, y0), (x0, y0 + (x1 - x0)), (x1, y0), 0),
        "left": ((x0, y0), (x0 + (y1 - y0), y0), (x0, y1), 1),
        "right": ((x1, y0), (x1 - (y1 - y0), y0), (x1, y1), 0),
    }[side]
    radius = max(abs(jamb[0] - hinge[0]), abs(jamb[1] - hinge[1]))
    points = [f"{x:.6f} {y:.6f}" for x, y in (hinge, leaf, jamb)]
    return f"M {points[0]} L {points[1]} A {radius:.6f} {radius:.6f} 0 0 {sweep} {points[2]} Z"


@dataclass(frozen=True)
class PlacedObject:
    """One thing to draw in `box` (x0, y0, x1, y1, canvas units)."""

    name: str
    """The part's name in the drawing, unique in the scene and in what was there before."""
    noun: str
    """What it is looked up by."""
    box: Bounds
    layer: int = 0
    colour: str | None = None
    counts: dict[str, int] = field(default_factory=dict[str, int])
    """How many of a part, by the part's noun."""
    angles: dict[str, float] = field(default_factory=dict[str, float])
    """Degrees clockwise from up of its hands, by noun."""
    part_colours: dict[str, str] = field(default_factory=dict[str, str])
    parent: str | None = None
    opening: bool = False
    """A door or window in plan: a gap in the wall of its parent, on its `side`."""
    side: str = "bottom"
    wall: float = 0.0
    """Thickness of that wall."""


@dataclass(frozen=True)
class PlacedScene:
    """Everything new in a drawing, in painting order."""

    objects: tuple[PlacedObject, ...]
    unmet: tuple[str, ...] = ()
    """Phrases of the brief that this plan does not keep, each in the words of the brief."""
