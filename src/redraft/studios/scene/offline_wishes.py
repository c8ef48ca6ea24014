"""What a brief and its edits ask for, as things and ties between them: the reading, made ready for three dimensions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from redraft.spatial import relations
from redraft.spatial.edits import Add, Edit, Recolour, Remove, Resize, Shift, is_edit, read_edits
from redraft.spatial.grammar.words import singular
from redraft.spatial.reading import Align, Compare, Grid, Mention, Reading, Relate
from redraft.studios.scene.offline_colours import colour_of
from redraft.studios.scene.offline_cutout import block, cutout
from redraft.studios.scene.offline_setting import ground_of, without_light
from redraft.studios.scene.offline_shapes import bounds, points_of
from redraft.studios.scene.offline_solids import Look, Solid, find

__all__ = ["Tie", "Wish", "Wishes", "wishes"]

LEFT_OPEN = 3
MOST = 100
"""Of one kind."""
MATERIALS: dict[str, tuple[str, Look]] = {
    "wooden": ("wood", "wood"), "wood": ("wood", "wood"), "glass": ("white", "glass"), "metal": ("silver", "metal"),
    "metallic": ("silver", "metal"), "golden": ("gold", "metal"), "gold": ("gold", "metal"), "silver": ("silver", "metal"),
    "steel": ("silver", "metal"), "stone": ("stone", "stone"), "marble": ("white", "gloss"), "brick": ("brick", "brick"),
    "plastic": ("", "gloss"), "leather": ("brown", "gloss"), "ceramic": ("", "gloss"), "copper": ("brick", "metal"),
    "porcelain": ("white", "gloss"), "furry": ("", "fur"), "fluffy": ("", "fur"), "shiny": ("", "gloss"),
}  # fmt: skip
"""What a word says of the stuff a thing is made of: its colour, where it has one, and its look."""
_WITH = re.compile(r"^[\w\s'’-]*?\b(?:with|holding|carrying|topped with)\b(?:(?![.;,]).)*$", re.IGNORECASE | re.DOTALL)
_STEP = {"left": (-1.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0), "up": (0.0, 0.0, 1.0), "down": (0.0, 0.0, -1.0)}


@dataclass
class Wish:
    """Some things of one kind."""

    id: str
    noun: str
    solid: Solid
    count: int = 1
    size: float = 1.0
    colour: str = ""
    """`#rrggbb`."""
    look: str = "paint"
    parts: dict[str, str] = field(default_factory=dict[str, str])
    """Colours asked for, by part."""
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Moved by an edit: in shares of the scene's width."""
    rows: int = 0
    """Of a grid, when the words say so."""
    in_row: str = ""
    """`x` or `y`, when the words say so."""
    note: str = ""


@dataclass(frozen=True)
class Tie:
    """Where some things are to be, relative to others."""

    relation: str
    a: str
    b: tuple[str, ...]
    degree: str = "plain"
    phrase: str = ""
    certain: bool = True


@dataclass
class Wishes:
    """All that is asked for."""

    brief: str
    things: dict[str, Wish] = field(default_factory=dict[str, Wish])
    ties: list[Tie] = field(default_factory=list[Tie])
    grounds: list[str] = field(default_factory=list[str])
    """Kinds of ground that nouns stand for, in order."""
    words: str = ""
    """All texts, in order: what light and scenery are chosen by."""
    unmet: list[str] = field(default_factory=list[str])


def wishes(brief: str, edits: Sequence[str] = ()) -> Wishes:
    """Read a brief, and what was said to it since.

    Raises:
        ContradictionError: the words exclude each other.
    """
    found = Wishes(brief, words=brief)
    _take(found, relations.read(without_light(brief)))
    for text in edits:
        found.words += f"\n{text}"
        _edit(found, text)
    return found


def _take(found: Wishes, reading: Reading) -> None:
    """Add a reading's things and ties."""
    known: dict[str, str] = {}
    for mention in reading.mentions:
        if mention.whole is not None or mention.count == 0:
            continue
        there = _there(found, mention)
        known[mention.id] = there or _add(found, mention)
    for mention in reading.mentions:
        owner = known.get(mention.whole or "")
        if owner in found.things:
            _part(found, found.things[owner], mention)
    ties = [t for c in reading.constraints if isinstance(c, Relate) for t in _ties(found, c, known)]
    found.ties += _likely(ties, found)
    found.ties += _held_with(found, reading, known)
    for fact in reading.constraints:
        _arranged(found, fact, known)
    found.unmet += [words for words in reading.unchecked if not _on_land(found, reading, known, words)]


def _on_land(found: Wishes, reading: Reading, known: dict[str, str], words: str) -> bool:
    """ "a castle on a hill": land that things stand on is a thing here, though the grammar takes it for a setting."""
    noun = words.split()[-1]
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


def _there(found: Wishes, mention: Mention) -> str | None:
    """The thing that a definite phrase means, when it is there already."""
    if not re.match(r"(the|it|its|this|that)\b", mention.phrase, re.IGNORECASE):
        return None
    return next((w.id for w in found.things.values() if _same(w.noun, mention.noun)), None)


def _same(a: str, b: str) -> bool:
    return a == b or a.endswith(f" {b}") or b.endswith(f" {a}")


def _add(found: Wishes, mention: Mention) -> str:
    words = (*mention.adjectives, *mention.noun.split()[:-1])
    ground = ground_of(mention.noun)
    if ground is not None:
        found.grounds.append(ground)
        return f"={ground}"
    solid = find(mention.noun, mention.adjectives) or cutout(mention.noun)
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


def _ties(found: Wishes, fact: Relate, known: dict[str, str]) -> list[Tie]:
    a = known.get(fact.subjects.mention)
    b = tuple(known[o.mention] for o in fact.objects if o.mention in known)
    if a not in found.things or not b or a in b:
        return []
    relation = fact.relation
    if fact.phrase.lower() in {"around", "round", "surrounding"} or "facing" in fact.phrase.lower():
        relation = "around"
    return [Tie(relation, a, b, fact.degree, fact.phrase, fact.certain)]


def _likely(ties: Sequence[Tie], found: Wishes) -> list[Tie]:
    """Of guesses with the same words the one that fits: three apples are in the bowl, the table is not."""
    kept: list[Tie] = []
    for tie in ties:
        rivals = [t for t in ties if (t.phrase, t.b, t.relation) == (tie.phrase, tie.b, tie.relation) and not t.certain]
        if tie.certain or len(rivals) < 2:
            kept.append(tie)
            continue
        if tie.relation in {"inside", "on"}:
            best = min(rivals, key=lambda t: _extent(found.things[t.a]))
        else:
            held = {t.a for t in ties if t.relation in {"inside", "on"}}
            best = next((t for t in rivals if t.a not in held), rivals[0])
        if tie is best:
            kept.append(tie)
    return kept


def _extent(wish: Wish) -> float:
    x0, y0, _, x1, y1, _ = bounds(points_of(wish.solid))
    return max(x1 - x0, y1 - y0) * wish.size


def _held_with(found: Wishes, reading: Reading, known: dict[str, str]) -> list[Tie]:
    """ "a desk with a laptop and a mug": what is named after *with*, and rests on nothing yet, is on it where it fits."""
    mentions = [m for m in reading.mentions if m.whole is None and known.get(m.id) in found.things]
    ties: list[Tie] = []
    for k, owner in enumerate(mentions):
        holder = found.things[known[owner.id]]
        if holder.solid.top is None and holder.solid.inside is None:
            continue
        for other in mentions[k + 1 :]:
            between = reading.text[owner.span[1] : other.span[0]]
            one = found.things[known[other.id]]
            placed = {t.a for t in (*found.ties, *ties) if t.relation not in {"near", "far"}} | {
                t.a for t in found.ties if t.relation == "around"
            }
            if not _WITH.match(between) or one.id in placed or _extent(one) > 0.9 * _extent(holder):
                continue
            ties.append(Tie("on" if holder.solid.top is not None else "inside", one.id, (holder.id,), phrase="with"))
    return ties


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
        x0, _, z0, x1, _, z1 = bounds(points_of(wish.solid))
        sizes.append(((z1 - z0) if fact.dimension == "height" else max(x1 - x0, z1 - z0)) * wish.size)
    wanted = (1.35 if fact.factor > 1 else 1 / 1.35) if fact.at_least else fact.factor
    ratio = sizes[0] / sizes[1]
    if not fact.at_least or (ratio - wanted) * (wanted - 1) < 0:
        a.size *= wanted / ratio


def _edit(found: Wishes, text: str) -> None:
    nouns = tuple(dict.fromkeys(w.noun for w in found.things.values()))
    bare = without_light(text)
    if not bare.strip(" ,.") or re.fullmatch(r"\W*make it\W*", bare, re.IGNORECASE):
        return
    edits = read_edits(bare, nouns) if is_edit(bare) else (Add(bare),)
    for edit in edits:
        _apply(found, edit)


def _apply(found: Wishes, edit: Edit) -> None:
    if isinstance(edit, Add):
        nouns = tuple(dict.fromkeys(w.noun for w in found.things.values()))
        _take(found, relations.read(edit.text, present=nouns))
        return
    meant = _meant(found, edit.noun, edit.whole if not isinstance(edit, Shift) else None)
    if not meant:
        found.unmet.append(f"there is no {edit.noun} to change")
    for wish, part in meant:
        match edit:
            case Recolour():
                _recoloured(wish, part, edit.colour)
            case Resize():
                wish.size = min(50.0, max(0.02, wish.size * edit.factor))
            case Remove():
                _removed(found, wish, edit.number)
            case Shift():
                _moved(found, wish, edit)


def _meant(found: Wishes, noun: str, whole: str | None) -> list[tuple[Wish, str]]:
    """The things that a noun means, each with the part of it that is meant, or none."""
    one = singular(noun)[0]
    wholes = [w for w in found.things.values() if _same(w.noun, one)]
    if not wholes:
        solid = find(noun)
        wholes = [w for w in found.things.values() if solid is not None and w.solid is solid]
    if wholes:
        return [(w, "") for w in wholes]
    owners = [w for w in found.things.values() if whole is None or _same(w.noun, whole)]
    return [(w, part.name) for w in owners if (part := w.solid.part(noun)) is not None]


def _recoloured(wish: Wish, part: str, colour: str) -> None:
    value = colour_of(colour)
    if value is not None and part:
        wish.parts[part] = value
    elif value is not None:
        wish.colour = value
        wish.look = "paint" if wish.look == "wood" else wish.look


def _removed(found: Wishes, wish: Wish, number: int | None) -> None:
    left = 0 if number is None else wish.count - number
    if left > 0:
        wish.count = left
        return
    del found.things[wish.id]
    under = next((t.b for t in found.ties if t.a == wish.id and t.relation in {"on", "inside"}), ())
    heirs = [t.a for t in found.ties if t.relation in {"on", "inside"} and t.b == (wish.id,)]
    found.ties = [t for t in found.ties if wish.id not in (t.a, *t.b)]
    found.ties += [Tie("on", heir, under) for heir in heirs if under]


def _moved(found: Wishes, wish: Wish, edit: Shift) -> None:
    if edit.way == "to":
        reading = relations.read(edit.to, present=tuple(w.noun for w in found.things.values()))
        known = {m.id: there for m in reading.mentions if (there := _there(found, replace(m, phrase=f"the {m.noun}")))}
        ties = [t for c in reading.constraints if isinstance(c, Relate) for t in _ties(found, c, known)]
        mine = [t for t in ties if t.a == wish.id]
        if mine:
            stays = {"on", "inside"} if not {t.relation for t in mine} & {"on", "inside"} else set[str]()
            found.ties = [
                t for t in found.ties if t.a != wish.id or (t.relation in stays and _beside_there(found, t, mine))
            ]
            found.ties += mine
            wish.shift = (0.0, 0.0, 0.0)
        else:
            found.unmet.append(edit.to)
        return
    x, y, z = wish.shift
    dx, dy, dz = _STEP.get(edit.way, (0.0, -1.0 if edit.way == "closer" else 1.0, 0.0))
    wish.shift = (x + dx * edit.amount, y + dy * edit.amount, z + dz * edit.amount)


def _beside_there(found: Wishes, tie: Tie, mine: Sequence[Tie]) -> bool:
    """Whether what a thing is now to be beside stands on the same as it does."""
    return any(t.a in m.b and t.b == tie.b and t.relation == tie.relation for t in found.ties for m in mine)
