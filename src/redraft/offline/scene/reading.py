"""From a reading of a sentence to things and ties: solids are found, guesses are chosen between, sizes compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from redraft.english.reading import Align, Compare, Grid, Mention, Reading, Relate
from redraft.offline.scene.colours import colour_of
from redraft.offline.scene.cutout import block, cutout
from redraft.offline.scene.setting import ground_of
from redraft.offline.scene.solids import Look, find
from redraft.offline.scene.wanted import Tie, Wish, Wishes, same_noun, size_of

__all__ = ["take", "there", "ties_of"]

LEFT_OPEN = 3
MOST = 100
"""Of one kind."""
MATERIALS: dict[str, tuple[str, Look]] = {
    "wooden": ("wood", "wood"), "wood": ("wood", "wood"), "glass": ("white", "glass"), "metal": ("silver", "metal"),
    "metallic": ("silver", "metal"), "golden": ("gold", "metal"), "gold": ("gold", "metal"),
    "silver": ("silver", "metal"), "steel": ("silver", "metal"), "stone": ("stone", "stone"),
    "marble": ("white", "gloss"), "brick": ("brick", "brick"), "plastic": ("", "gloss"), "leather": ("brown", "gloss"),
    "ceramic": ("", "gloss"), "copper": ("brick", "metal"), "porcelain": ("white", "gloss"), "furry": ("", "fur"),
    "fluffy": ("", "fur"), "shiny": ("", "gloss"),
}  # fmt: skip
"""What a word says of the stuff a thing is made of: its colour, where it has one, and its look."""
_LIST = re.compile(r"^\s*(?:,|and|,\s*and)\s*$", re.IGNORECASE)
_WITH = re.compile(r"^[\w\s'’-]*?\b(?:with|holding|carrying|topped with)\b(?:(?![.;,]).)*$", re.IGNORECASE | re.DOTALL)


def take(found: Wishes, reading: Reading) -> None:
    """Add a reading's things and ties."""
    known: dict[str, str] = {}
    nouns = [m.noun for m in reading.mentions]
    for mention in reading.mentions:
        if mention.whole is not None or mention.count == 0:
            continue
        known[mention.id] = there(found, mention) or _add(found, mention, nouns)
    for mention in reading.mentions:
        owner = known.get(mention.whole or "")
        if owner in found.things:
            _part(found, found.things[owner], mention)
            known.setdefault(mention.id, owner)  # under the bumper of a car is under the car
    ties = [t for c in reading.constraints if isinstance(c, Relate) for t in ties_of(found, c, known)]
    spans = {known[m.id]: m.span for m in reading.mentions if m.id in known}
    found.ties += _likely(ties, found, lambda a, b: bool(_LIST.match(reading.text[spans[a][1] : spans[b][0]])))
    found.ties += _held_with(found, reading, known)
    for fact in reading.constraints:
        _arranged(found, fact, known)
    kept = {*MATERIALS, *(t.phrase for t in found.ties), *(a for m in reading.mentions for a in m.adjectives)}
    for words in reading.unchecked:
        if words not in kept and ground_of(words) is None and not _on_land(found, reading, known, words):
            found.unmet.append(words)


def _on_land(found: Wishes, reading: Reading, known: dict[str, str], words: str) -> bool:
    """ "a castle on a hill": land that things stand on is a thing here, though the grammar takes it for a setting."""
    noun = words.rsplit(maxsplit=1)[-1]
    solid = find(noun)
    place = re.search(rf"\b(?:on|upon|atop) (?:an?|the) (?:\w+ )?{re.escape(noun)}\b", reading.text, re.IGNORECASE)
    before = [m for m in reading.mentions if place is not None and m.span[1] <= place.start() and m.id in known]
    subject = found.things.get(known[before[-1].id]) if before else None
    if solid is None or solid.top is None or subject is None:
        return False
    if noun not in found.things:
        found.things[noun] = Wish(noun, noun, solid, colour=colour_of(solid.colour) or "#808080", look=str(solid.look))
    found.ties.append(Tie("on", subject.id, (noun,), phrase="on"))
    return True


def there(found: Wishes, mention: Mention) -> str | None:
    """The thing that a definite phrase means, when it is there already."""
    if not re.match(r"(the|it|its|this|that)\b", mention.phrase, re.IGNORECASE):
        return None
    return next((w.id for w in found.things.values() if same_noun(w.noun, mention.noun)), None)


def _add(found: Wishes, mention: Mention, nouns: Sequence[str]) -> str:
    words = (*mention.adjectives, *mention.noun.split()[:-1])
    ground = ground_of(mention.noun)
    if ground is not None:
        found.grounds.append(ground)
        return f"={ground}"
    solid = find(mention.noun, mention.adjectives, nouns) or cutout(mention.noun)
    note = ""
    if solid is None:
        solid, note = (
            block(mention.noun),
            f"No solid is known for {mention.noun!r}: a block with its name stands for it.",
        )
    name = mention.id
    while name in found.things:
        name += "_new"
    colour, look = colour_of(solid.colour) or "#808080", str(solid.look)
    for word in words:
        if word in MATERIALS:
            stuff, look = MATERIALS[word]
            colour = colour_of(stuff) or colour
    if mention.colour is not None:
        colour = colour_of(mention.colour) or colour
        look = "paint" if look == "wood" and not {"wooden", "wood"} & set(words) else look
    one = re.match(r"an? ", mention.phrase, re.IGNORECASE)  # "a pair of scissors", "a staircase": one of them
    count = min(mention.count if mention.count is not None else 1 if one else LEFT_OPEN, MOST)
    found.things[name] = Wish(name, mention.noun, solid, count, mention.size, colour, look, note=note)
    if mention.count is not None and mention.count > MOST:
        found.unmet.append(mention.phrase)
    return name


def _part(found: Wishes, owner: Wish, mention: Mention) -> None:
    """What was asked of a part: its colour; a part that the solid has not becomes unmet."""
    part = owner.solid.part(mention.noun)
    colour = colour_of(mention.colour) if mention.colour is not None else None
    if part is None:
        found.unmet.append(mention.phrase)
    elif colour is not None:
        owner.parts[part.name] = colour


def ties_of(found: Wishes, fact: Relate, known: dict[str, str]) -> list[Tie]:
    a = known.get(fact.subjects.mention)
    b = tuple(known[o.mention] for o in fact.objects if o.mention in known)
    if a not in found.things or not b or a in b or not all(i in found.things for i in b):
        return []
    relation = fact.relation
    if fact.phrase.lower() in {"around", "round", "surrounding"} or "facing" in fact.phrase.lower():
        relation = "around"
    return [Tie(relation, a, b, fact.degree, fact.phrase, fact.certain)]


def _likely(ties: Sequence[Tie], found: Wishes, listed: Callable[[str, str], bool]) -> list[Tie]:
    """Of guesses with the same words the one that fits: three apples are in the bowl, the table is not.

    What is `listed` together is meant together: "a pizza, a glass and a bottle on a table".
    """
    kept: list[Tie] = []
    for tie in ties:
        rivals = [t for t in ties if (t.phrase, t.b, t.relation) == (tie.phrase, tie.b, tie.relation)]
        together = all(listed(one.a, other.a) for one, other in pairwise(rivals))
        if tie.certain or len(rivals) < 2 or (together and _fits(tie, found)):
            kept.append(tie)
            continue
        open_ = [t for t in rivals if not t.certain]
        if len(open_) < len(rivals):
            continue
        if tie.relation in {"inside", "on"}:
            best = min(open_, key=lambda t: _extent(found.things[t.a]))
        else:
            held = {t.a for t in ties if t.relation in {"inside", "on"}}
            best = next((t for t in open_ if t.a not in held), open_[0])
        if tie is best:
            kept.append(tie)
    return kept


def _fits(tie: Tie, found: Wishes) -> bool:
    return tie.relation not in {"on", "inside"} or _extent(found.things[tie.a]) < _extent(found.things[tie.b[0]])


def _extent(wish: Wish) -> float:
    return max(size_of(wish)[:2])


def _held_with(found: Wishes, reading: Reading, known: dict[str, str]) -> list[Tie]:
    """What is named after *with* is on or in what is named before it, where it fits and rests on nothing yet.

    "A bowl with apples on a table": the apples are then in the bowl, and what was read of them is meant of the bowl.
    """
    mentions = [m for m in reading.mentions if m.whole is None and known.get(m.id) in found.things]
    ties: list[Tie] = []
    for k, owner in enumerate(mentions):
        holder = found.things[known[owner.id]]
        for other in mentions[k + 1 :]:
            one = found.things[known[other.id]]
            between = reading.text[owner.span[1] : other.span[0]]
            if not _WITH.match(between) or not _takes(holder, one) or any(t.a == one.id for t in ties):
                continue
            held = next((t for t in found.ties if t.a == one.id and t.relation in {"on", "inside", "around"}), None)
            if held is not None and (holder.id in held.b or not _carried(holder, held, found)):
                continue
            if held is not None:
                found.ties[found.ties.index(held)] = replace(held, a=holder.id)
            hollow = holder.solid.inside is not None and holder.solid.board is None
            ties.append(Tie("inside" if hollow else "on", one.id, (holder.id,), phrase="with"))
    return ties


def _takes(holder: Wish, one: Wish) -> bool:
    """Whether *with* alone puts a thing on or in another: on furniture, not on a car "with a cat in the background"."""
    room = holder.solid.top is not None or holder.solid.inside is not None
    return room and holder.solid.place not in {"street", "outdoor"} and _extent(one) <= 0.9 * _extent(holder)


def _carried(holder: Wish, held: Tie, found: Wishes) -> bool:
    """Whether a tie of what is in a vessel may be meant of the vessel: it is on something larger, and is not yet."""
    placed = any(t.a == holder.id and t.relation in {"on", "inside"} for t in found.ties)
    return held.relation == "on" and not placed and _extent(holder) < 0.9 * _extent(found.things[held.b[0]])


def _arranged(found: Wishes, fact: object, known: dict[str, str]) -> None:
    if isinstance(fact, Align):
        for wish in (found.things.get(known.get(s.mention, "")) for s in fact.selectors):
            if wish is not None:
                wish.in_row = fact.axis
    elif isinstance(fact, Grid):
        wish = found.things.get(known.get(fact.selector.mention, ""))
        if wish is not None:
            wish.rows, wish.count = fact.rows, min(fact.rows * fact.columns, MOST)
    elif isinstance(fact, Compare):
        a, b = (found.things.get(known.get(s.mention, "")) for s in (fact.subjects, fact.reference))
        if a is not None and b is not None and a is not b:
            _compared(a, b, fact)


def _compared(a: Wish, b: Wish, fact: Compare) -> None:
    """Make one thing so many times another; "taller" alone is a third more."""
    sizes: list[float] = []
    for wish in (a, b):
        width, _, height = size_of(wish)
        sizes.append(height if fact.dimension == "height" else max(width, height))
    wanted = (1.35 if fact.factor > 1 else 1 / 1.35) if fact.at_least else fact.factor
    ratio = sizes[0] / sizes[1]
    if not fact.at_least or (ratio - wanted) * (wanted - 1) < 0:
        a.size *= wanted / ratio
