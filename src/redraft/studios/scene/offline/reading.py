"""The content of a scene, read from a brief and its edits: things with their solids, ties between them, setting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from redraft.offline.english import grammar
from redraft.offline.english.edits import Add, Edit, Recolour, Remove, Resize, is_edit, read_edits
from redraft.offline.english.reading import Mention, Reading, Relate
from redraft.offline.english.words import singular
from redraft.offline.lexicon import hex_of
from redraft.studios.scene.offline.solids import Solid, block, find, settings

SEVERAL = 3
"""How many of a kind there are where the words leave it open."""
MOST = 100
"""Of one kind."""
RESTS = {"on", "inside"}
_DEFINITE = re.compile(r"(?:the|it|its|this|that)\b", re.IGNORECASE)
_WITH = re.compile(r"^\s*with\b[^.;]*$", re.IGNORECASE)


@dataclass
class Thing:
    """Some things of one kind."""

    id: str
    noun: str
    solid: Solid
    count: int = 1
    size: float = 1.0

    @property
    def extent(self) -> tuple[float, float, float]:
        """Width, depth and height of one of them, in meters."""
        wide, deep, high = (length * self.size for length in self.solid.size)
        return (wide, deep, high)


@dataclass(frozen=True)
class Tie:
    """A relation between two things, by id."""

    relation: str
    a: str
    b: str
    degree: str = "plain"
    phrase: str = ""


@dataclass
class Content:
    """All that is asked for."""

    things: dict[str, Thing] = field(default_factory=dict[str, Thing])
    ties: list[Tie] = field(default_factory=list[Tie])
    holders: dict[str, str] = field(default_factory=dict[str, str])
    """What *with* alone puts on something: "a table *with* a lamp"."""
    light: str = ""
    ground: str = ""
    unread: list[str] = field(default_factory=list[str])
    lost: list[str] = field(default_factory=list[str])
    """Relations that the places do not keep."""


def read(brief: str, edits: Sequence[str] = ()) -> Content:
    """Read a brief, and the edits of it.

    Raises:
        ContradictionError: the words exclude each other.
    """
    found = Content()
    _take(found, grammar.read(_set(found, brief)))
    for text in edits:
        bare = _set(found, text)
        if re.sub(r"make it|turn it into|[\W_]", "", bare, flags=re.IGNORECASE):
            for edit in read_edits(bare, _nouns(found)) if is_edit(bare) else (Add(bare),):
                _edit(found, edit)
    if not found.things and not edits:
        solid = block(brief)
        found.things["words"] = Thing("words", solid.name, solid)
    return found


@cache
def _words(kind: str) -> dict[str, str]:
    """The light or ground that each word asks for."""
    return {word: name for name, entry in settings()[kind].items() for word in entry["words"]}


def _set(found: Content, text: str) -> str:
    """Note light and ground, and return the text without its words of light, for the grammar of things."""
    light = "|".join(_words("lights"))
    phrase = re.compile(
        rf"(?:,\s*|\b(?:in|at|by|under|during) (?:an? |the )?)?\b(?:(?:soft|warm|bright|early|late|clear|at) )*"
        rf"\b(?P<word>{light})(?: light| time)?\b(?! \w)",
        re.IGNORECASE,
    )  # fmt: skip
    for match in phrase.finditer(text):
        found.light = _words("lights")[match["word"].lower()]
    place = rf"\b(?:in|on|at|by|across) (?:an? |the )?(?:\w+ )?(?P<word>{'|'.join(_words('grounds'))})\b"
    for match in re.finditer(place, text, re.IGNORECASE):
        found.ground = _words("grounds")[match["word"].lower()]
    return phrase.sub("", text)


def _nouns(found: Content) -> tuple[str, ...]:
    return tuple(dict.fromkeys(thing.noun for thing in found.things.values()))


def _take(found: Content, reading: Reading) -> None:
    """Add the things and ties of a reading."""
    known: dict[str, str] = {}
    for mention in reading.mentions:
        if mention.whole is None and mention.count != 0 and mention.noun not in _words("grounds"):
            known[mention.id] = _there(found, mention) or _add(found, mention)
    for mention in reading.mentions:
        owner = known.get(mention.whole or "")
        if owner is not None:
            known.setdefault(mention.id, owner)  # under the bumper of a car is under the car
            _describe_part(found, found.things[owner], mention)
    _with(found, reading, known)
    for fact in reading.constraints:
        if isinstance(fact, Relate):
            found.ties += _ties(found, fact, known)
    phrases = {tie.phrase for tie in found.ties}
    found.unread += [
        words for words in reading.unchecked if words not in phrases and not set(words.split()) & {*_words("grounds")}
    ]


def _there(found: Content, mention: Mention) -> str | None:
    """The thing that a definite phrase means, if there is one already."""
    same = (thing.id for thing in found.things.values() if _same(thing.noun, mention.noun))
    return next(same, None) if _DEFINITE.match(mention.phrase) else None


def _same(a: str, b: str) -> bool:
    """Whether one noun may stand for the other: "table" for "wooden table"."""
    return a == b or a.endswith(f" {b}") or b.endswith(f" {a}")


def _add(found: Content, mention: Mention) -> str:
    name = mention.id
    while name in found.things:
        name += "_new"
    solid = find(mention.noun) or block(mention.noun)
    words = (mention.colour, *mention.adjectives, *mention.noun.split()[:-1])  # a golden crown, a wooden table
    color = next((word for word in words if word and hex_of(word)), None)
    one = re.match(r"an? ", mention.phrase, re.IGNORECASE)  # "a pair of scissors" is one of them
    count = mention.count if mention.count is not None else 1 if one else SEVERAL
    if count > MOST:
        found.unread.append(mention.phrase)
    solid = solid.repainted(color) if color else solid
    found.things[name] = Thing(name, mention.noun, solid, min(count, MOST), mention.size)
    return name


def _describe_part(found: Content, owner: Thing, mention: Mention) -> None:
    """Paint a part as the words say; a part that the solid does not have stays unread."""
    if not owner.solid.has(mention.noun):
        found.unread.append(mention.phrase)
    elif mention.colour is not None and hex_of(mention.colour):
        owner.solid = owner.solid.repainted(mention.colour, mention.noun)


def _with(found: Content, reading: Reading, known: dict[str, str]) -> None:
    """Note what *with* puts on furniture: not on a car "with a cat in the background"."""
    mentions = [m for m in reading.mentions if m.whole is None and m.id in known]
    for k, owner in enumerate(mentions):
        holder = found.things[known[owner.id]]
        for other in mentions[k + 1 :]:
            between = reading.text[owner.span[1] : other.span[0]]
            indoors = holder.solid.ground in {"studio", "floor"}
            if indoors and _WITH.match(between) and _smaller(found.things[known[other.id]], holder):
                found.holders.setdefault(known[other.id], holder.id)


def _smaller(a: Thing, b: Thing) -> bool:
    return max(a.extent[:2]) < max(b.extent[:2])


def _ties(found: Content, fact: Relate, known: dict[str, str]) -> list[Tie]:
    """The relation as ties, but for those only guessed that do not fit: a table is not in a bowl."""
    a, others = known.get(fact.subjects.mention), [known[o.mention] for o in fact.objects if o.mention in known]
    if a is None or a in others:
        return []
    names = [str(fact.relation)] * len(others)
    if fact.phrase.lower() in {"around", "round", "surrounding"}:
        found.lost += [f"{fact.phrase} the {found.things[b].noun}" for b in others]  # they stand in a row beside it
    elif fact.relation == "between":
        names = ["right_of", "left_of"]
    return [
        Tie(name, a, b, fact.degree, fact.phrase)
        for name, b in zip(names, others, strict=False)
        if name not in RESTS or fact.certain or _smaller(found.things[a], found.things[b])
    ]


def _edit(found: Content, edit: Edit) -> None:
    if isinstance(edit, Add):
        _take(found, grammar.read(edit.text, present=_nouns(found)))
        return
    things = [t for t in found.things.values() if _same(t.noun, singular(edit.noun)[0])]
    things = things or [t for t in found.things.values() if t.solid.name == getattr(find(edit.noun), "name", None)]
    if isinstance(edit, Recolour) and not things:
        things = [t for t in found.things.values() if t.solid.has(edit.noun) and _same(edit.whole or t.noun, t.noun)]
        for thing in things:
            thing.solid = thing.solid.repainted(edit.colour, edit.noun)
    if not things:
        found.unread.append(f"there is no {edit.noun} to change")
    for thing in things:
        match edit:
            case Recolour():
                if not thing.solid.has(edit.noun) or _same(thing.noun, edit.noun):
                    thing.solid = thing.solid.repainted(edit.colour)
            case Resize():
                thing.size = min(50.0, max(0.02, thing.size * edit.factor))
            case Remove():
                _remove(found, thing, edit.number)
            case _:
                found.unread.append(f"moving the {edit.noun}")


def _remove(found: Content, thing: Thing, number: int | None) -> None:
    """Take some or all away; what rested on them comes down to the ground."""
    left = 0 if number is None else thing.count - number
    if left > 0:
        thing.count = left
        return
    del found.things[thing.id]
    found.ties = [t for t in found.ties if thing.id not in (t.a, t.b)]
    found.holders = {a: b for a, b in found.holders.items() if thing.id not in (a, b)}
