"""A `Reading` bound to a `Layout`: the drawn things that the mentions of a sentence stand for.

Labels decide, then names, colors and sizes; positions only between mentions of one noun. What is bound by
elimination alone is a guess (`certain` is False), and nothing is stated of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import permutations

from redraft.layout.backdrops import is_backdrop
from redraft.layout.colors import paints
from redraft.layout.items import Bounds, Item, Layout
from redraft.offline.english.reading import Mention, Reading, Relate, Selector
from redraft.offline.english.words import is_thing, normal, singulars, thing_of

MAX_PERMUTED = 6
"""Up to so many like things, the split between mentions of one noun is the one that keeps most relations."""


@dataclass(frozen=True)
class Bound:
    """What one mention is bound to: item names, in reading order."""

    items: tuple[str, ...] = ()
    certain: bool = True
    """False: by elimination only."""
    lumped: bool = False
    """A single item drawn for several ("buttons"): how many cannot be counted in items."""


@dataclass(frozen=True)
class Binding:
    """Mentions and their items. Every mention of the reading has an entry, perhaps an empty one."""

    reading: Reading
    layout: Layout
    bound: Mapping[str, Bound] = field(default_factory=dict[str, Bound])

    def of(self, mention: str) -> Bound:
        """Return what a mention is bound to; nothing when it is not bound."""
        return self.bound.get(mention, Bound())

    def certain(self, *selectors: Selector) -> bool:
        """Return whether each is bound to something, and by more than a guess."""
        return all(self.certain_of(s.mention) for s in selectors)

    def certain_of(self, mention: str) -> bool:
        """Return whether one mention is bound to something, and by more than a guess."""
        bound = self.of(mention)
        return bound.certain and bool(bound.items)

    def items(self, selector: Selector) -> tuple[Item, ...]:
        """Return the selected items, in reading order; within each instance of the whole where there are several."""
        selected: list[Item] = []
        for _, names in self.groups(selector.mention):
            picked = {n - 1 if n > 0 else len(names) + n for n in selector.ordinals}
            for index, name in enumerate(names):
                if not selector.ordinals or (index in picked) != selector.others:
                    selected.append(self.layout[name])
        return tuple(selected)

    def groups(self, mention: str) -> tuple[tuple[str | None, tuple[str, ...]], ...]:
        """Return the items by instance of the mention's whole: one group, of None, for a mention without a whole."""
        names, whole = self.of(mention).items, self.reading.mention(mention).whole
        owners = self.of(whole).items if whole is not None else ()
        if not owners:
            return ((None, names),)
        groups: dict[str, list[str]] = {owner: [] for owner in owners}
        for name in names:
            owner = next((a for a in _lineage(self.layout, name) if a in groups), None)
            if owner is None:
                return ((None, names),)
            groups[owner].append(name)
        return tuple((owner, tuple(parts)) for owner, parts in groups.items())

    @cached_property
    def left_over(self) -> tuple[str, ...]:
        """Top-level things, no backdrops, of which no part is bound: what was not found by its noun may be one."""
        claimed = {self.layout.root_of(n).name for b in self.bound.values() if b.certain for n in b.items}
        painted = [i for i in self.layout.roots if not self.layout.whole(i.name).is_empty]
        return tuple(i.name for i in painted if i.name not in claimed and not is_backdrop(self.layout, i))


def _lineage(layout: Layout, name: str) -> Iterable[str]:
    """Yield an item and what it is a part of, up to the top."""
    parent: str | None = name
    while parent is not None:
        yield parent
        parent = layout[parent].parent


def reading_order(layout: Layout, names: Iterable[str]) -> tuple[str, ...]:
    """Sort names left to right; top to bottom for a column; row by row for a full grid."""
    boxes = {name: layout.bounds(name) for name in names if not layout.whole(name).is_empty}
    if not boxes:
        return tuple(names)
    rows = _bands(boxes, 1)
    columns = _bands(boxes, 0)
    if len(rows) > 1 and (len(columns) == 1 or len(rows) * len(columns) == len(boxes)):
        return tuple(name for band in rows for name in sorted(band, key=lambda n: (_center(boxes[n], 0), n)))
    return tuple(name for band in columns for name in sorted(band, key=lambda n: (_center(boxes[n], 1), n)))


def _center(box: Bounds, axis: int) -> float:
    return (box[axis] + box[axis + 2]) / 2


def _bands(boxes: Mapping[str, Bounds], axis: int) -> list[list[str]]:
    """Group things whose centers lie within the extent of the group's first, along an axis, in order."""
    bands: list[list[str]] = []
    for name in sorted(boxes, key=lambda n: (_center(boxes[n], axis), n)):
        first = boxes[bands[-1][0]] if bands else None
        if first is not None and _center(boxes[name], axis) < first[axis + 2]:
            bands[-1].append(name)
        else:
            bands.append([name])
    return bands


def bind(reading: Reading, layout: Layout) -> Binding:
    """Find the items that each mention of a reading names.

    A label that equals or ends with the noun counts before one that names its chief part, a synonym, or a name;
    top-level things before parts, parts of its whole where the mention has one. Two mentions of one noun are kept
    apart by color and size, then by the relations they stand in.
    """

    def depth(mention: Mention) -> int:
        wholes: set[str] = set()
        while (whole := mention.whole) is not None and whole not in wholes:
            wholes.add(whole)
            mention = reading.mention(whole)
        return len(wholes)

    # Mentions of one noun in one whole together; wholes before their parts, longer nouns before shorter ones.
    alike: dict[tuple[str, str | None], list[Mention]] = {}
    for mention in sorted(reading.mentions, key=lambda m: (depth(m), -len(m.noun.split()))):
        alike.setdefault((mention.noun, mention.whole), []).append(mention)

    binder = _Binder(reading, layout)
    for mentions in alike.values():
        binder.bind_alike(mentions)
    binder.guess()
    return Binding(reading, layout, {m.id: binder.bound[m.id] for m in reading.mentions})


class _Binder:
    """The work of `bind`: what is claimed so far."""

    def __init__(self, reading: Reading, layout: Layout) -> None:
        self.reading, self.layout = reading, layout
        self.bound: dict[str, Bound] = {}
        self.claimed: set[str] = set()
        inked = [i.name for i in layout if not i.shape.is_empty] if reading.mentions else []
        # Only what paints something, or has parts that do, is there.
        self.painted = {name for leaf in inked for name in _lineage(layout, leaf)}
        self.painting = [i for i in layout if i.name in self.painted]

    def bind_alike(self, mentions: Sequence[Mention]) -> None:
        """Bind the mentions of one noun, and claim what they are bound to."""
        first = mentions[0]
        names = self._candidates(first, sum(m.count or 2 for m in mentions))
        lumped = len(names) == 1 and is_plural_of(self.layout[names[0]].label, first.noun)
        shares = [names] if len(mentions) == 1 else _shared_out(self.reading, self.layout, mentions, names)
        for mention, share in zip(mentions, shares, strict=True):
            self.bound[mention.id] = Bound(reading_order(self.layout, share), lumped=lumped)
            self.claimed.update(share)

    def _candidates(self, mention: Mention, number: int) -> tuple[str, ...]:
        """Return the items that a noun may mean, for a number of things that it names."""
        layout, noun = self.layout, mention.noun
        owners = self.bound[mention.whole].items if mention.whole in self.bound else ()
        family = [i for o in owners for i in layout.family(o)[1:] if i.name in self.painted]
        tiers: dict[int, list[str]] = {}
        for item in family if owners else self.painting:
            if item.name not in self.claimed:
                tier = min(match_label(item.label, noun), match_name(item.name, noun))
                # The chief part of a part, or its name, does not stand for a thing by itself.
                weak = tier in {2, 5} and item.parent is not None and mention.whole is None
                tiers.setdefault(NONE if weak else tier, []).append(item.name)
        tiers.pop(NONE, None)
        strict = [name for tier in (0, 1) for name in tiers.get(tier, [])]
        names = strict or (tiers[min(tiers)] if tiers else [])
        if len(strict) < number:  # a "tree" beside a "tree trunk" with its crown: both are trees
            names = names + [n for t in (2, 3, 5) for n in tiers.get(t, []) if strict and layout[n].parent is None]

        # A group drawn under one heading ("flowers", with a part for each) stands for its parts.
        ungrouped: dict[str, None] = {}
        for name in names:
            parts = [p.name for p in layout.children(name) if match_label(p.label, noun) < NONE]
            heading = layout[name].shape.is_empty or is_plural_of(layout[name].label, noun)
            ungrouped.update(dict.fromkeys(parts if parts and heading else [name]))

        # Top-level things when there are enough of them, else all that are not part of another candidate.
        outer = [n for n in ungrouped if ungrouped.keys().isdisjoint([*_lineage(layout, n)][1:])]
        tops = [n for n in outer if layout[n].parent is None]
        return tuple(tops if mention.whole is None and len(tops) >= number else outer)

    def guess(self) -> None:
        """Bind one mention that nothing is labeled as to as many things that are left over: probably these."""
        missing = [m for m in self.reading.mentions if not self.bound[m.id].items and m.whole is None]
        if len(missing) != 1:
            return
        remaining = [
            item.name
            for item in self.layout.roots
            if item.name in self.painted and item.name not in self.claimed and not is_backdrop(self.layout, item)
        ]
        if remaining and len(remaining) == (missing[0].count or len(remaining)):
            self.bound[missing[0].id] = Bound(reading_order(self.layout, remaining), certain=False)


_DIRECTIONS = {"left_of": (0, -1), "right_of": (0, 1), "above": (1, -1), "below": (1, 1)}


def _shared_out(
    reading: Reading, layout: Layout, mentions: Sequence[Mention], names: Sequence[str]
) -> list[tuple[str, ...]]:
    """Share like things out among several mentions of one noun ("a red ball and a blue ball").

    The best share has most things with the color, adjective and order of size that their mention names, and then keeps
    most relations.
    """
    names = reading_order(layout, names)
    relations = [c for c in reading.constraints if isinstance(c, Relate) and len(c.objects) == 1]

    def dealt(order: Sequence[str]) -> list[tuple[str, ...]]:
        shares: list[tuple[str, ...]] = []
        start = 0
        for mention in mentions[:-1]:
            end = start + (mention.count or 2)
            shares.append(tuple(order[start:end]))
            start = end
        return [*shares, tuple(order[start:])]

    def fits(where: Mapping[str, Sequence[str]]) -> int:
        boxes = {m.id: [layout.bounds(name) for name in where[m.id]] for m in mentions}
        sizes = {ref: [(b[2] - b[0]) * (b[3] - b[1]) for b in bounds] for ref, bounds in boxes.items()}
        count = 0
        for mention in mentions:
            words = {*mention.adjectives, *(mention.colour or "").split()}
            for name in where[mention.id]:
                count += bool(words & set(f"{layout[name].label} {name.replace('_', ' ')}".lower().split()))
                count += mention.colour is not None and paints(layout, name, mention.colour)
            for other in mentions:
                if mention.size > other.size:
                    count += all(a > b for a in sizes[mention.id] for b in sizes[other.id])
        return count

    def keeps(relation: Relate, where: Mapping[str, Sequence[str]]) -> bool:
        axis, sign = _DIRECTIONS.get(relation.relation, (0, 0))
        boxes: list[list[Bounds]] = []
        for selector in (relation.subjects, relation.objects[0]):
            noun = reading.mention(selector.mention).noun
            others = (i.name for i in layout.roots if match_label(i.label, noun) < NONE)
            boxes.append([layout.bounds(name) for name in where.get(selector.mention) or others])
        pairs = [(subject, other) for subject in boxes[0] for other in boxes[1]]
        return bool(pairs) and all(sign * (_center(a, axis) - _center(b, axis)) > 0 for a, b in pairs)

    def worth(shares: list[tuple[str, ...]]) -> tuple[int, int]:
        where = {m.id: share for m, share in zip(mentions, shares, strict=True)}
        return fits(where), sum(keeps(relation, where) for relation in relations)

    orders = permutations(names) if len(names) <= MAX_PERMUTED else iter([names])
    return max((dealt(order) for order in orders), key=worth)


Match = int
"""How surely a label names a noun: 0 says it in full, higher is weaker, `NONE` does not."""
NONE = 9

_SIDES = frozenset({"left", "right", "top", "bottom", "upper", "lower", "front", "rear", "back", "middle", "center"})
CHIEF = frozenset({
    "base", "body", "box", "building", "cabin", "case", "crown", "deck", "disc", "dome", "face", "frame", "head",
    "hull", "main", "outline", "post", "seat", "shape", "shell", "silhouette", "top", "torso", "trunk", "wall",
    "walls",
})  # fmt: skip
"""Words for the chief part of a thing: a top-level "house wall" is the house, a "table top" the table."""
_SPLIT = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=65536)
def _clean(text: str) -> str:
    return normal(" ".join(_SPLIT.split(text.lower())).strip())


@lru_cache(maxsize=65536)
def _forms(noun: str) -> frozenset[str]:
    return frozenset(singulars(noun))


def same_noun(one: str, other: str) -> bool:
    """Return whether two nouns are equal but for number, hyphens and case."""
    return not _forms(_clean(one)).isdisjoint(_forms(_clean(other)))


def is_plural_of(label: str, noun: str) -> bool:
    """Return whether a label names several of a noun: "flowers" for "flower"."""
    return same_noun(label, noun) and len(_clean(label)) > len(_clean(noun))


def _ends_with(label: str, noun: str) -> bool:
    words, size = label.split(), len(noun.split())
    return len(words) >= size and same_noun(" ".join(words[-size:]), noun)


def _starts_with_chief(label: str, noun: str) -> bool:
    words, size = label.split(), len(noun.split())
    return len(words) > size and same_noun(" ".join(words[:size]), noun) and set(words[size:]) <= CHIEF


@lru_cache(maxsize=65536)
def match_label(label: str, noun: str) -> Match:
    """Return how surely a label names a noun.

    0 equal, 1 ends with the noun, 2 its chief part ("house wall"), 3 a synonym, 4 only the noun's head ("tree").
    """
    label, noun = _clean(label), _clean(noun)
    thing = thing_of(noun) if is_thing(noun) else None
    others = {thing.name, *thing.synonyms} if thing is not None else set[str]()
    tests = (
        lambda: same_noun(label, noun),
        lambda: _ends_with(label, noun),
        lambda: _starts_with_chief(label, noun),
        lambda: any(_ends_with(label, other) or _starts_with_chief(label, other) for other in others),
        lambda: " " in noun and same_noun(label, noun.split()[-1]),
    )
    return next((tier for tier, test in enumerate(tests) if label and noun and test()), NONE)


@lru_cache(maxsize=65536)
def match_name(name: str, noun: str) -> Match:
    """Return 5 when a part's name says it where its label does not: `tree_trunk`, `house_left`, `owl_1_body`."""
    words = [w for w in _clean(name).split() if not w.isdigit() and w not in _SIDES]
    noun, joined = _clean(noun), " ".join(words)
    return 5 if words and noun and (_ends_with(joined, noun) or _starts_with_chief(joined, noun)) else NONE
