"""The things of a scene as people count them: an object with its parts, or several that make up one thing.

Models often leave parts unparented: `Table_Top` and `Table_Leg_1` are one table when their names begin alike, the rest
names parts, and they touch. Empties that say nothing (`Furniture`) stand for their members. Ground, walls and skies are
scenery.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from redraft.spatial.grammar.words import vocabulary
from redraft.spatial.labels import same_noun
from redraft.spatial.lexicon.words import plural, singulars
from redraft.spatial.scenery import is_kind
from redraft.studios.scene.naming import common_start, is_generic, is_part_word, label_of, named, typical_size
from redraft.studios.scene.spec import Box, Contact, SceneFacts, Thing
from redraft.studios.scene.words import is_among, listed

__all__ = ["Body", "around", "bodies_of", "extent", "size_of", "volume"]

TOUCHING = 0.02
"""Parts of one thing are at most this share of the smaller one's extent apart."""
COVERS = 0.8
"""Of the plan of everything else: what is larger than that, below it, and has no name of its own is the ground."""


@dataclass(frozen=True)
class Body:
    """One thing with all its parts. Named after its chief object."""

    name: str
    label: str
    roots: tuple[str, ...]
    """The objects that move when it does; their parts follow."""
    parts: tuple[Thing, ...]
    """All that has geometry and is not hidden, the chief one first where it has some."""
    scenery: bool = False
    grouped: bool = False
    """It hangs under something that only groups: what it stands on and touches was not measured."""

    @cached_property
    def box(self) -> Box:
        return around(part.box for part in self.parts if part.box is not None)

    @property
    def centre(self) -> tuple[float, float, float]:
        a = self.box
        return ((a[0] + a[3]) / 2, (a[1] + a[4]) / 2, (a[2] + a[5]) / 2)

    @property
    def height(self) -> float:
        return self.box[5] - self.box[2]

    @property
    def pixels(self) -> float:
        """Share of the camera's picture, 0 to 1."""
        return sum(part.pixels for part in self.parts)

    @property
    def is_flat(self) -> bool:
        return self.height <= 0.02 * max(self.box[3] - self.box[0], self.box[4] - self.box[1])


def around(boxes: Iterable[Box]) -> Box:
    """The box around boxes, of which there must be one."""
    lows_and_highs = list(zip(*boxes, strict=True))
    low = [min(values) for values in lows_and_highs[:3]]
    high = [max(values) for values in lows_and_highs[3:]]
    return (low[0], low[1], low[2], high[0], high[1], high[2])


def size_of(box: Box) -> tuple[float, float, float]:
    return (box[3] - box[0], box[4] - box[1], box[5] - box[2])


def extent(box: Box) -> float:
    """The longest side."""
    return max(size_of(box))


def volume(box: Box) -> float:
    """Of the box; flat ones count as a thousandth of their length thick."""
    thin = 1e-3 * extent(box)
    x, y, z = (max(side, thin) for side in size_of(box))
    return x * y * z


def bodies_of(facts: SceneFacts) -> tuple[Body, ...]:
    """All things with visible geometry, by name."""
    things = {thing.name: thing for thing in facts.things}
    children: dict[str, list[Thing]] = {}
    tops: list[Thing] = []
    for thing in facts.things:
        if thing.parent is not None and thing.parent in things:
            children.setdefault(thing.parent, []).append(thing)
        else:
            tops.append(thing)
    roots = [root for top in tops for root in _ungrouped(top, children, grouped=False)]
    families = {root.name: (_shown(root, children), grouped) for root, grouped in roots}
    families = {name: family for name, family in families.items() if family[0]}
    made = [_body(group, families, things) for group in _joined(families, facts.contacts)]
    return tuple(sorted(_with_scenery(made), key=lambda body: body.name))


def _ungrouped(top: Thing, children: Mapping[str, Sequence[Thing]], *, grouped: bool) -> Iterator[tuple[Thing, bool]]:
    """An empty with a name that says nothing stands for its members."""
    members = children.get(top.name, ())
    if top.box is None and top.kind == "EMPTY" and len(members) > 1 and is_generic(top.name):
        for member in members:
            yield from _ungrouped(member, children, grouped=True)
    else:
        yield top, grouped


def _shown(root: Thing, children: Mapping[str, Sequence[Thing]]) -> tuple[Thing, ...]:
    family = [root]
    for thing in family:  # grows while it is walked
        family.extend(children.get(thing.name, ()))
    return tuple(thing for thing in family if thing.box is not None and not thing.hidden)


_Families = Mapping[str, tuple[tuple[Thing, ...], bool]]


def _joined(families: _Families, contacts: Iterable[Contact]) -> list[tuple[str, ...]]:
    """Top-level objects, those united that are parts of one thing."""
    whole = {name: name for name in families}
    for contact in contacts:
        if contact.a in whole and contact.b in whole and _near(families, contact) and _one(families, contact):
            kept, lost = sorted((whole[contact.a], whole[contact.b]))
            whole = {name: kept if root == lost else root for name, root in whole.items()}
    groups: dict[str, list[str]] = {}
    for name, root in whole.items():
        groups.setdefault(root, []).append(name)
    return [tuple(sorted(group)) for group in groups.values()]


def _near(families: _Families, contact: Contact) -> bool:
    boxes = [around(part.box for part in families[name][0] if part.box) for name in (contact.a, contact.b)]
    return contact.gap <= TOUCHING * min(extent(box) for box in boxes)


def _one(families: _Families, contact: Contact) -> bool:
    """Two objects that touch are parts of one thing: by their names, or in a collection that is named as a thing."""
    roots = [families[name][0][0] for name in (contact.a, contact.b)]
    return bool(_whole_of(contact.a, contact.b) or (len({r.collection for r in roots}) == 1 and _collected(roots)))


def _collected(roots: Sequence[Thing]) -> str:
    """The thing that a collection is named as, if its members here are no things of their own; else nothing."""
    label = label_of(roots[0].collection)
    labels = [label_of(root.name) for root in roots]
    same = len({root.collection for root in roots}) == 1
    known = typical_size(label) is not None and not _is_plural(label)
    alone = [one for one in labels if typical_size(one) is not None and not same_noun(one, label)]
    return label if same and known and not alone and len(set(labels)) > 1 else ""


def _is_plural(label: str) -> bool:
    return len(list(singulars(label))) > 1


def _whole_of(one: str, other: str) -> str:
    """What two objects are parts of, by their names; empty when they are not."""
    a, b = named(one).words, named(other).words
    shared = common_start((a, b))
    whole = label_of("_".join(shared)) if shared else ""
    rests = [words[len(shared) :] for words in (a, b)]
    if not whole or is_generic("_".join(shared)) or set(whole.split()) & listed("settings") or _numbered_apart(rests):
        return ""
    roles = [label_of("_".join(rest)) if any(not w.isdigit() for w in rest) else "" for rest in rests]
    known = typical_size(whole) is not None
    plain = [role for role in roles if not _is_role(role, known=known)]
    return whole if len(plain) < 2 and all(role == "" for role in plain) else ""


def _numbered_apart(rests: Sequence[Sequence[str]]) -> bool:
    """`chair 1 seat` and `chair 2 leg`."""
    return all(len(rest) > 1 and rest[0].isdigit() for rest in rests)


def _is_role(role: str, *, known: bool = False) -> bool:
    """It names a part, and no thing of its own stands in it (the base of a desk lamp is not of the desk).

    Of a thing that is known, whatever is no thing of its own is a part: a man's hips and shins.
    """
    words, v = role.split(), vocabulary()
    if not words or v.has(words[-1], "colours", "adjectives") or words[-1] in v.sizes:
        return False
    return (known or is_part_word(words[-1])) and not any(typical_size(word) for word in words)


def _body(group: tuple[str, ...], families: _Families, things: Mapping[str, Thing]) -> Body:
    parts = [part for name in group for part in families[name][0]]
    grouped = any(families[name][1] for name in group)
    words = common_start([named(name).words for name in {*group, *(part.name for part in parts)}])
    exact = [name for name in group if named(name).words == words]
    chief = min(exact or group, key=lambda name: (-volume(around(p.box for p in families[name][0] if p.box)), name))
    label = _collected([families[name][0][0] for name in group]) if len(group) > 1 else ""
    label = label or (label_of("_".join(words)) if _stands_for(words, chief) else label_of(chief))
    if things[chief].instances > 1:
        label = plural(label)
    parts.sort(key=lambda part: part.name != chief)
    return Body(chief, label, group, tuple(parts), grouped=grouped)


def _stands_for(words: tuple[str, ...], chief: str) -> bool:
    """Whether the words that all names of a thing begin with name it: `PineTree_1` does for a trunk with its leaves."""
    return (
        bool(words)
        and not is_generic("_".join(words))
        and not all(w.isdigit() for w in words)
        and (_is_role(label_of("_".join(named(chief).words[len(words) :]))) or named(chief).words == words)
    )


def _with_scenery(bodies: Sequence[Body]) -> Iterator[Body]:
    beside, within = _around_others(bodies), _around_smaller(bodies)
    for body in bodies:
        label = "surface" if body.label == "plane" and body.is_flat else body.label
        ground = _is_plain(label) and len(bodies) > 1 and _is_ground(body, beside(body))
        scenery = ground or _named_scenery(label) or _encloses(body, within(body))
        yield Body(body.name, label, body.roots, body.parts, scenery, body.grouped)


def _around_others(bodies: Sequence[Body]) -> Callable[[Body], Box]:
    """For each body the box around all others."""
    lows = [sorted(body.box[i] for body in bodies)[:2] for i in range(3)]
    highs = [sorted((body.box[i] for body in bodies), reverse=True)[:2] for i in range(3, 6)]
    ends = [*lows, *highs]

    def others(body: Body) -> Box:
        a = [pair[-1] if body.box[i] == pair[0] else pair[0] for i, pair in enumerate(ends)]
        return (a[0], a[1], a[2], a[3], a[4], a[5])

    return others


def _around_smaller(bodies: Sequence[Body]) -> Callable[[Body], Box | None]:
    """For each body the box around all that are smaller; None where none is."""
    order = sorted(bodies, key=lambda body: extent(body.box))
    sizes, boxes = [extent(body.box) for body in order], list[Box]()
    for body in order:
        boxes.append(around([*boxes[-1:], body.box]))

    def smaller(body: Body) -> Box | None:
        count = bisect_left(sizes, extent(body.box))
        return boxes[count - 1] if count else None

    return smaller


def _named_scenery(label: str) -> bool:
    return any(is_kind(label, kind) for kind in ("ground", "sky", "interior")) or is_among(label, "scenery")


def _is_plain(label: str) -> bool:
    """It has no name of its own: a primitive, or no noun that is known."""
    return label.rsplit(maxsplit=1)[-1] in listed("plain")


def _is_ground(body: Body, rest: Box) -> bool:
    """It lies below all others, is flat, and as large as all of them together."""
    shared = [min(body.box[i + 3], rest[i + 3]) - max(body.box[i], rest[i]) for i in (0, 1)]
    plan = max(rest[3] - rest[0], 1e-9) * max(rest[4] - rest[1], 1e-9)
    below = body.box[2] <= rest[2] + 0.02 * extent(rest)
    over = max(shared[0], 0.0) * max(shared[1], 0.0) / plan >= COVERS
    return below and over and body.height < 0.2 * max(body.box[3] - body.box[0], body.box[4] - body.box[1])


def _encloses(body: Body, rest: Box | None) -> bool:
    """A dome or room: everything smaller is within its box, and small beside it."""
    if rest is None or typical_size(body.label):
        return False
    box = body.box
    holds = all(box[i] <= rest[i] and box[i + 3] >= rest[i + 3] for i in range(3))
    return holds and body.height > 0.5 * extent(box) and extent(box) > 3 * extent(rest)
