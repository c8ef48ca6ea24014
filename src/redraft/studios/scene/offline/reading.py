"""Reading of a brief and its edits into the content of a scene: things with their solids, ties, light and ground."""

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
from redraft.studios.scene.offline.solids import Solid, find_solid, placeholder, tables

SEVERAL = 3
"""Things of a kind where the words leave the number open."""
MAX_COUNT = 100
"""Things of one kind."""
RESTING = {"on", "inside"}
"""Relations of what rests on or in something."""
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
        """The width, depth and height of one of them, in meters."""
        wide, deep, high = (length * self.size for length in self.solid.size)
        return (wide, deep, high)

    def is_called(self, noun: str) -> bool:
        """Return whether a noun may mean it: "table" for "wooden table"."""
        return self.noun == noun or self.noun.endswith(f" {noun}") or noun.endswith(f" {self.noun}")

    def is_narrower(self, other: Thing) -> bool:
        """Return whether it takes less room as seen from above."""
        return max(self.extent[:2]) < max(other.extent[:2])


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
    """Everything that a scene should hold."""

    things: dict[str, Thing] = field(default_factory=dict[str, Thing])
    ties: list[Tie] = field(default_factory=list[Tie])
    holders: dict[str, str] = field(default_factory=dict[str, str])
    """The holders of things that *with* alone puts on something, by thing: "a table *with* a lamp"."""
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
    content = Content()
    _add_reading(content, grammar.read(_take_setting(content, brief)))
    for text in edits:
        bare = _take_setting(content, text)
        if re.sub(r"make it|turn it into|[\W_]", "", bare, flags=re.IGNORECASE):
            for edit in read_edits(bare, _nouns(content)) if is_edit(bare) else (Add(bare),):
                _apply(content, edit)
    if not content.things and not edits:
        solid = placeholder(brief)
        content.things["words"] = Thing("words", solid.name, solid)
    return content


@cache
def _setting_words(kind: str) -> dict[str, str]:
    """Return the light or ground by each word that asks for it."""
    return {word: name for name, entry in tables()[kind].items() for word in entry["words"]}


def _take_setting(content: Content, text: str) -> str:
    """Note light and ground, and return the text without its words of light, for the grammar of things."""
    lights, grounds = _setting_words("lights"), _setting_words("grounds")
    light = re.compile(
        rf"(?:,\s*|\b(?:in|at|by|under|during) (?:an? |the )?)?\b(?:(?:soft|warm|bright|early|late|clear|at) )*"
        rf"\b(?P<word>{'|'.join(lights)})(?: light| time)?\b(?! \w)",
        re.IGNORECASE,
    )  # fmt: skip
    for match in light.finditer(text):
        content.light = lights[match["word"].lower()]
    ground = rf"\b(?:in|on|at|by|across) (?:an? |the )?(?:\w+ )?(?P<word>{'|'.join(grounds)})\b"
    for match in re.finditer(ground, text, re.IGNORECASE):
        content.ground = grounds[match["word"].lower()]
    return light.sub("", text)


def _nouns(content: Content) -> tuple[str, ...]:
    return tuple(dict.fromkeys(thing.noun for thing in content.things.values()))


def _add_reading(content: Content, reading: Reading) -> None:
    """Add the things and ties of a reading."""
    grounds = _setting_words("grounds")
    known: dict[str, str] = {}
    for mention in reading.mentions:
        if mention.whole is None and mention.count != 0 and mention.noun not in grounds:
            # A definite phrase means the thing that is there, if there is one.
            same = (thing.id for thing in content.things.values() if thing.is_called(mention.noun))
            old = next(same, None) if _DEFINITE.match(mention.phrase) else None
            known[mention.id] = old or _add_thing(content, mention)

    for mention in reading.mentions:
        owner = known.get(mention.whole or "")
        if owner is None:
            continue
        known.setdefault(mention.id, owner)  # under the bumper of a car is under the car
        thing = content.things[owner]
        if not thing.solid.has(mention.noun):
            content.unread.append(mention.phrase)
        elif mention.colour is not None and hex_of(mention.colour):
            thing.solid = thing.solid.repainted(mention.colour, mention.noun)

    # *With* puts things on furniture: not on a car "with a cat in the background".
    mentions = [m for m in reading.mentions if m.whole is None and m.id in known]
    for index, owner in enumerate(mentions):
        holder = content.things[known[owner.id]]
        for other in mentions[index + 1 :]:
            between = reading.text[owner.span[1] : other.span[0]]
            indoors = holder.solid.ground in {"studio", "floor"}
            if indoors and _WITH.match(between) and content.things[known[other.id]].is_narrower(holder):
                content.holders.setdefault(known[other.id], holder.id)

    for fact in reading.constraints:
        if isinstance(fact, Relate):
            content.ties += _ties(content, fact, known)
    phrases = {tie.phrase for tie in content.ties}
    content.unread += [
        words for words in reading.unchecked if words not in phrases and not set(words.split()) & {*grounds}
    ]


def _add_thing(content: Content, mention: Mention) -> str:
    """Add the things that a mention names, and return their id."""
    name = mention.id
    while name in content.things:
        name += "_new"
    solid = find_solid(mention.noun) or placeholder(mention.noun)
    words = (mention.colour, *mention.adjectives, *mention.noun.split()[:-1])  # a golden crown, a wooden table
    color = next((word for word in words if word and hex_of(word)), None)
    one = re.match(r"an? ", mention.phrase, re.IGNORECASE)  # "a pair of scissors" is one of them
    count = mention.count if mention.count is not None else 1 if one else SEVERAL
    if count > MAX_COUNT:
        content.unread.append(mention.phrase)
    solid = solid.repainted(color) if color else solid
    content.things[name] = Thing(name, mention.noun, solid, min(count, MAX_COUNT), mention.size)
    return name


def _ties(content: Content, fact: Relate, known: dict[str, str]) -> list[Tie]:
    """Return a relation as ties, without those only guessed that do not fit: a table is not in a bowl."""
    a, others = known.get(fact.subjects.mention), [known[o.mention] for o in fact.objects if o.mention in known]
    if a is None or a in others:
        return []
    names = [str(fact.relation)] * len(others)
    if fact.phrase.lower() in {"around", "round", "surrounding"}:
        content.lost += [f"{fact.phrase} the {content.things[b].noun}" for b in others]  # they stand in a row beside it
    elif fact.relation == "between":
        names = ["right_of", "left_of"]
    return [
        Tie(name, a, b, fact.degree, fact.phrase)
        for name, b in zip(names, others, strict=False)
        if name not in RESTING or fact.certain or content.things[a].is_narrower(content.things[b])
    ]


def _apply(content: Content, edit: Edit) -> None:
    """Change a content as an edit says, or note that it was not understood."""
    if isinstance(edit, Add):
        _add_reading(content, grammar.read(edit.text, present=_nouns(content)))
        return

    things = [thing for thing in content.things.values() if thing.is_called(singular(edit.noun)[0])]
    if not things and (solid := find_solid(edit.noun)):
        things = [thing for thing in content.things.values() if thing.solid.name == solid.name]
    if not things and isinstance(edit, Recolour):  # the noun may be that of a part
        things = [
            thing
            for thing in content.things.values()
            if thing.solid.has(edit.noun) and (not edit.whole or thing.is_called(edit.whole))
        ]
        for thing in things:
            thing.solid = thing.solid.repainted(edit.colour, edit.noun)
    if not things:
        content.unread.append(f"there is no {edit.noun} to change")

    for thing in things:
        match edit:
            case Recolour():
                if not thing.solid.has(edit.noun) or thing.is_called(edit.noun):
                    thing.solid = thing.solid.repainted(edit.colour)
            case Resize():
                thing.size = min(50.0, max(0.02, thing.size * edit.factor))
            case Remove(number=int(number)) if number < thing.count:
                thing.count -= number
            case Remove():  # what rested on it comes down to the ground
                del content.things[thing.id]
                content.ties = [tie for tie in content.ties if thing.id not in (tie.a, tie.b)]
                content.holders = {a: b for a, b in content.holders.items() if thing.id not in (a, b)}
            case _:
                content.unread.append(f"moving the {edit.noun}")
