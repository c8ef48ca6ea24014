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
from redraft.layout.items import Item, Layout
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
        """What a mention is bound to; nothing when it is not bound."""
        return self.bound.get(mention, Bound())

    def certain(self, *selectors: Selector) -> bool:
        """Whether each is bound to something, and by more than a guess."""
        return all(self.certain_of(s.mention) for s in selectors)

    def certain_of(self, mention: str) -> bool:
        """Whether one mention is bound to something, and by more than a guess."""
        bound = self.of(mention)
        return bound.certain and bool(bound.items)

    def items(self, selector: Selector) -> tuple[Item, ...]:
        """The selected items, in reading order; within each instance of the whole where there are several."""
        groups = [names for _, names in self.groups(selector.mention)]
        return tuple(self.layout[name] for names in groups for name in _chosen(names, selector))

    def groups(self, mention: str) -> tuple[tuple[str | None, tuple[str, ...]], ...]:
        """The items by instance of the mention's whole: one group, of None, for a mention without a whole."""
        names = self.of(mention).items
        owners = self._owners(mention)
        if owners is None:
            return ((None, names),)
        found: dict[str, list[str]] = {owner: [] for owner in owners}
        for name in names:
            owner = next((a for a in _ancestors(self.layout, name) if a in found), None)
            if owner is None:
                return ((None, names),)
            found[owner].append(name)
        return tuple((owner, tuple(parts)) for owner, parts in found.items())

    def _owners(self, mention: str) -> tuple[str, ...] | None:
        whole = self.reading.mention(mention).whole
        return None if whole is None else self.of(whole).items or None

    @cached_property
    def left_over(self) -> tuple[str, ...]:
        """Top-level things, no backdrops, of which no part is bound: what was not found by its noun may be one."""
        claimed = {self.layout.root_of(n).name for b in self.bound.values() if b.certain for n in b.items}
        painted = [i for i in self.layout.roots if not self.layout.whole(i.name).is_empty]
        return tuple(i.name for i in painted if i.name not in claimed and not is_backdrop(self.layout, i))


def _chosen(names: tuple[str, ...], selector: Selector) -> list[str]:
    if not selector.ordinals:
        return list(names)
    picked = {n - 1 if n > 0 else len(names) + n for n in selector.ordinals}
    return [name for index, name in enumerate(names) if (index in picked) != selector.others]


def _ancestors(layout: Layout, name: str) -> Iterable[str]:
    parent: str | None = name
    while parent is not None:
        yield parent
        parent = layout[parent].parent


def reading_order(layout: Layout, names: Iterable[str]) -> tuple[str, ...]:
    """Left to right; top to bottom for a column; row by row for a full grid."""
    boxes = {name: layout.bounds(name) for name in names if not layout.whole(name).is_empty}
    if not boxes:
        return tuple(names)
    rows = _bands(boxes, 1)
    columns = _bands(boxes, 0)
    if len(rows) > 1 and (len(columns) == 1 or len(rows) * len(columns) == len(boxes)):
        return tuple(name for band in rows for name in sorted(band, key=lambda n: (_centre(boxes[n], 0), n)))
    return tuple(name for band in columns for name in sorted(band, key=lambda n: (_centre(boxes[n], 1), n)))


def _centre(box: tuple[float, float, float, float], axis: int) -> float:
    return (box[axis] + box[axis + 2]) / 2


def _bands(boxes: Mapping[str, tuple[float, float, float, float]], axis: int) -> list[list[str]]:
    """Groups of things whose centers lie within the extent of the group's first, along an axis, in order."""
    bands: list[list[str]] = []
    for name in sorted(boxes, key=lambda n: (_centre(boxes[n], axis), n)):
        first = boxes[bands[-1][0]] if bands else None
        if first is not None and _centre(boxes[name], axis) < first[axis + 2]:
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
    binder = _Binder(reading, layout)
    for mentions in _families(reading):
        binder.bind_alike(mentions)
    binder.guess()
    return Binding(reading, layout, {m.id: binder.bound[m.id] for m in reading.mentions})


def _families(reading: Reading) -> list[list[Mention]]:
    """Mentions of one noun in one whole, wholes before their parts, longer nouns before shorter ones."""
    found: dict[tuple[str, str | None], list[Mention]] = {}
    for mention in sorted(reading.mentions, key=lambda m: (_depth(reading, m), -len(m.noun.split()))):
        found.setdefault((mention.noun, mention.whole), []).append(mention)
    return list(found.values())


def _depth(reading: Reading, mention: Mention) -> int:
    seen: set[str] = set()
    whole = mention.whole
    while whole is not None and whole not in seen:
        seen.add(whole)
        whole = reading.mention(whole).whole
    return len(seen)


class _Binder:
    """The work of `bind`: what is claimed so far."""

    def __init__(self, reading: Reading, layout: Layout) -> None:
        self.reading, self.layout = reading, layout
        self.bound: dict[str, Bound] = {}
        self.claimed: set[str] = set()
        inked = [i.name for i in layout if not i.shape.is_empty] if reading.mentions else []
        # Only what paints something, or has parts that do, is there.
        self.painted = {name for leaf in inked for name in _ancestors(layout, leaf)}
        self.painting = [i for i in layout if i.name in self.painted]

    def bind_alike(self, mentions: Sequence[Mention]) -> None:
        first = mentions[0]
        names = self._candidates(first, sum(m.count or 2 for m in mentions))
        lumped = len(names) == 1 and is_plural_of(self.layout[names[0]].label, first.noun)
        shares = [names] if len(mentions) == 1 else _Split(self.reading, self.layout, mentions, names).shares()
        for mention, share in zip(mentions, shares, strict=True):
            self.bound[mention.id] = Bound(reading_order(self.layout, share), lumped=lumped)
            self.claimed.update(share)

    def _candidates(self, mention: Mention, wanted: int) -> tuple[str, ...]:
        scope = self._scope(mention)
        tiers: dict[int, list[str]] = {}
        for item in scope:
            if item.name not in self.claimed:
                tier = min(match_label(item.label, mention.noun), match_name(item.name, mention.noun))
                chief = tier in {2, 5} and item.parent is not None and mention.whole is None
                tiers.setdefault(NONE if chief else tier, []).append(item.name)
        tiers.pop(NONE, None)
        strict = [name for tier in (0, 1) for name in tiers.get(tier, [])]
        names = strict or (tiers[min(tiers)] if tiers else [])
        if len(strict) < wanted:  # a "tree" beside a "tree trunk" with its crown: both are trees
            names = names + [n for t in (2, 3, 5) for n in tiers.get(t, []) if strict and self.layout[n].parent is None]
        return self._outermost(mention, self._ungrouped(mention, names), wanted)

    def _scope(self, mention: Mention) -> Sequence[Item]:
        owners = self.bound[mention.whole].items if mention.whole in self.bound else ()
        if not owners:
            return self.painting
        return [i for o in owners for i in self.layout.family(o)[1:] if i.name in self.painted]

    def _ungrouped(self, mention: Mention, names: Sequence[str]) -> list[str]:
        """A group drawn under one heading ("flowers", with a part for each) stands for its parts."""
        found: list[str] = []
        for name in names:
            parts = [p.name for p in self.layout.children(name) if match_label(p.label, mention.noun) < NONE]
            group = bool(parts) and (
                self.layout[name].shape.is_empty or is_plural_of(self.layout[name].label, mention.noun)
            )
            found.extend(parts if group else [name])
        return list(dict.fromkeys(found))

    def _outermost(self, mention: Mention, names: list[str], wanted: int) -> tuple[str, ...]:
        """Top-level things when there are enough of them, else all that are not part of another one found."""
        among = set(names)
        outer = [n for n in names if among.isdisjoint(list(_ancestors(self.layout, n))[1:])]
        tops = [n for n in outer if self.layout[n].parent is None]
        return tuple(tops if mention.whole is None and len(tops) >= wanted else outer)

    def guess(self) -> None:
        """One mention that nothing is labeled as, and as many things left over: probably these."""
        missing = [m for m in self.reading.mentions if not self.bound[m.id].items and m.whole is None]
        left = (
            [i.name for i in self.layout.roots if i.name in self.painted and self._is_free(i)]
            if len(missing) == 1
            else []
        )
        if left and len(left) == (missing[0].count or len(left)):
            self.bound[missing[0].id] = Bound(reading_order(self.layout, left), certain=False)

    def _is_free(self, item: Item) -> bool:
        return item.name not in self.claimed and not is_backdrop(self.layout, item)


class _Split:
    """Like things shared out among several mentions of one noun ("a red ball and a blue ball")."""

    def __init__(self, reading: Reading, layout: Layout, mentions: Sequence[Mention], names: Sequence[str]) -> None:
        self.reading, self.layout, self.mentions = reading, layout, mentions
        self.names = reading_order(layout, names)

    def shares(self) -> list[tuple[str, ...]]:
        orders = permutations(self.names) if len(self.names) <= MAX_PERMUTED else iter([self.names])
        return max((self._dealt(order) for order in orders), key=self._worth)

    def _dealt(self, order: Sequence[str]) -> list[tuple[str, ...]]:
        shares: list[tuple[str, ...]] = []
        start = 0
        for index, mention in enumerate(self.mentions):
            last = index == len(self.mentions) - 1
            end = len(order) if last else start + (mention.count or 2)
            shares.append(tuple(order[start:end]))
            start = end
        return shares

    def _worth(self, shares: list[tuple[str, ...]]) -> tuple[int, int]:
        where = {m.id: share for m, share in zip(self.mentions, shares, strict=True)}
        return self._fitting(where), self._related(where)

    def _fitting(self, where: Mapping[str, Sequence[str]]) -> int:
        """How many things have the color, adjective and order of size that their mention says."""
        sizes = {m.id: [self._extent(n) for n in where[m.id]] for m in self.mentions}
        fits = 0
        for mention in self.mentions:
            words = {*mention.adjectives, *(mention.colour or "").split()}
            for name in where[mention.id]:
                item = self.layout[name]
                fits += bool(words & set(f"{item.label} {item.name.replace('_', ' ')}".lower().split()))
                fits += mention.colour is not None and paints(self.layout, name, mention.colour)
            for other in self.mentions:
                if mention.size > other.size:
                    fits += all(a > b for a in sizes[mention.id] for b in sizes[other.id])
        return fits

    def _extent(self, name: str) -> float:
        x0, y0, x1, y1 = self.layout.bounds(name)
        return (x1 - x0) * (y1 - y0)

    def _related(self, where: Mapping[str, Sequence[str]]) -> int:
        relations = [c for c in self.reading.constraints if isinstance(c, Relate) and len(c.objects) == 1]
        return sum(self._keeps(c, where) for c in relations)

    def _keeps(self, relation: Relate, where: Mapping[str, Sequence[str]]) -> bool:
        subjects = where.get(relation.subjects.mention) or self._others(relation.subjects.mention)
        objects = where.get(relation.objects[0].mention) or self._others(relation.objects[0].mention)
        pairs = [(self.layout.bounds(s), self.layout.bounds(o)) for s in subjects for o in objects]
        axis, sign = _DIRECTIONS.get(relation.relation, (0, 0))
        return bool(pairs) and all(sign * (_centre(s, axis) - _centre(o, axis)) > 0 for s, o in pairs)

    def _others(self, mention: str) -> tuple[str, ...]:
        noun = self.reading.mention(mention).noun
        return tuple(i.name for i in self.layout.roots if match_label(i.label, noun) < NONE)


_DIRECTIONS = {"left_of": (0, -1), "right_of": (0, 1), "above": (1, -1), "below": (1, 1)}


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
    """Equal but for number, hyphens and case."""
    return not _forms(_clean(one)).isdisjoint(_forms(_clean(other)))


def is_plural_of(label: str, noun: str) -> bool:
    """Whether a label names several of a noun: "flowers" for "flower"."""
    return same_noun(label, noun) and len(_clean(label)) > len(_clean(noun))


def _ends_with(label: str, noun: str) -> bool:
    words, size = label.split(), len(noun.split())
    return len(words) >= size and same_noun(" ".join(words[-size:]), noun)


def _starts_with_chief(label: str, noun: str) -> bool:
    words, size = label.split(), len(noun.split())
    return len(words) > size and same_noun(" ".join(words[:size]), noun) and set(words[size:]) <= CHIEF


@lru_cache(maxsize=65536)
def match_label(label: str, noun: str) -> Match:
    """0 equal, 1 ends with the noun, 2 its chief part ("house wall"), 3 a synonym, 4 only the noun's head ("tree")."""
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
    """5 when a part's name says it where its label does not: `tree_trunk`, `house_left`, `owl_1_body`."""
    words = [w for w in _clean(name).split() if not w.isdigit() and w not in _SIDES]
    noun, joined = _clean(noun), " ".join(words)
    return 5 if words and noun and (_ends_with(joined, noun) or _starts_with_chief(joined, noun)) else NONE
