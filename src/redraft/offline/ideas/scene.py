"""A scene in one sentence of the drawing grammar: what was asked for, word by word, with companions about it.

Every sentence is read back before it is used. What was asked for must read as it does alone, and the companions as
what they are; where they do not, there are fewer companions.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.offline.ideas.compared import fact_of, relations_of
from redraft.offline.ideas.request import Wanted, backdrops_of, read_nouns, reading_of, with_article
from redraft.offline.ideas.words import Layout, Palette, listed, place_of
from redraft.offline.lexicon import find
from redraft.offline.lexicon.words import plural
from redraft.scoring.words import forms, words
from redraft.spatial.reading import Mention, Reading, Relate

__all__ = ["Scene", "allowed", "scene"]

NUMBERS = ("two", "three")
TRIES = 8
MOST = 4
"""Things in a scene, beside what is behind them."""
OPPOSITE = {"left": "right", "right": "left", "above": "below", "below": "above", "beside": "left"}


@dataclass(frozen=True)
class Scene:
    """What is to be seen."""

    sentence: str
    """In the drawing grammar; what was asked for stands in it word by word."""
    companions: tuple[str, ...]
    """What was added, each a phrase: "a rock"."""


def allowed(phrase: str, avoided: Sequence[str]) -> bool:
    """Whether nothing that is to be avoided stands in a phrase."""
    own = {form for word in words(phrase) for form in forms(word)}
    return not any(own & forms(word) for entry in avoided for word in words(entry) if len(word) > 2)


def scene(wanted: Wanted, layout: Layout, palette: Palette, rng: random.Random, avoided: Sequence[str]) -> Scene:
    """The scene in a layout, in the colours of a palette."""
    if wanted.fixed:
        return Scene(wanted.instruction or "Anything.", ())
    wanted = _with_subject(wanted, rng, avoided)
    anchor = _anchor(wanted.reading)
    behind = _backdrops(wanted, palette, rng, avoided)
    for _ in range(TRIES):
        sides = [] if wanted.instruction or anchor is None else _sides(layout, rng)
        taken = _sides_taken(wanted, anchor) | set(sides[: len(wanted.things) - 1])
        puts = [spot for spot in layout.puts if spot.rpartition(" ")[2] not in taken][: MOST - len(wanted.things)]
        named = _companions(wanted, puts, anchor, rng, _out_of_place(behind, avoided))
        for clauses, backs in ((named, behind), (named[:1], behind), ([], behind), (named, [])):
            said = _Said(wanted, sides, tuple(clause for _, clause in clauses), tuple(backs), _floats(anchor))
            for sentence in (said.in_one(), said.in_two()):
                if _reads(sentence, said, exactly=not sides):
                    return Scene(sentence, tuple(noun for noun, _ in clauses))
    return Scene(_Said(wanted, [], (), (), False).in_one(), ())


def _floats(anchor: Mention | None) -> bool:
    """Whether it is of the water: a ship, a whale."""
    entry = find(anchor.noun) if anchor is not None else None
    return entry is not None and entry.rests == "floats" and place_of([entry.name]).name == "sea"


def _with_subject(wanted: Wanted, rng: random.Random, avoided: Sequence[str]) -> Wanted:
    """Something to see, where the request names nothing that can be: what its words bring."""
    if wanted.instruction or wanted.things:
        return wanted
    usual = listed("subjects") if wanted.place.name == "land" else wanted.place.home
    offered = _brought(wanted, "beside") or _brought(wanted, "above") or list(usual)
    free = [p for p in offered if allowed(p, avoided)] or list(usual)
    return replace(wanted, things=(_counted(rng.choice(free), ""),))


def _sides(layout: Layout, rng: random.Random) -> list[str]:
    """On which side of the first thing the others stand, in turn."""
    free = [where for spot in layout.puts for where in [spot.rpartition(" ")[2]] if where != "above"]
    first = rng.choice(["left", "right"])
    return list(dict.fromkeys((*free, first, "left", "right")))


def _anchor(reading: Reading) -> Mention | None:
    """What companions are placed by: the first whole thing that stands on nothing else."""
    held = {c.subjects.mention for c in reading.constraints if isinstance(c, Relate) and c.relation in {"on", "inside"}}
    wholes = [m for m in reading.mentions if m.whole is None and m.count != 0]
    drawn = [m for m in wholes if not ((entry := find(m.noun)) is not None and entry.backdrop)]
    nouns = [m.noun for m in drawn]
    single = [m for m in drawn if nouns.count(m.noun) == 1]
    return next((m for m in single if m.id not in held), next(iter(single), None))


def _sides_taken(wanted: Wanted, anchor: Mention | None) -> set[str]:
    """Where something stands already beside what companions are placed by."""
    found: set[str] = set()
    for fact in wanted.reading.constraints:
        if isinstance(fact, Relate) and anchor is not None and fact.objects:
            side, other = fact.relation.removesuffix("_of"), fact.objects[0].mention
            if anchor.id in {fact.subjects.mention, other}:
                found.add(side if other == anchor.id else OPPOSITE.get(side, side))
    return found


def _out_of_place(behind: Sequence[str], avoided: Sequence[str]) -> list[str]:
    """What is to be avoided, and what is not seen under such a sky: the sun at night, stars by day."""
    dark = any(word in f" {phrase}" for phrase in behind for word in (" dark", "navy", "purple", "black"))
    return [*avoided, *(listed("by_day" if dark else "by_night") if behind else ())]


def _companions(
    wanted: Wanted, puts: Sequence[str], anchor: Mention | None, rng: random.Random, avoided: Sequence[str]
) -> list[tuple[str, str]]:
    """What is added where the layout wants it: the phrase, and the clause that places it."""
    if anchor is None:
        return []
    taken = {_name(m.noun) for m in wanted.reading.mentions}
    found: list[tuple[str, str]] = []
    for spot in puts:
        many, _, where = spot.rpartition(" ")
        free = [p for p in _offered(wanted, where) if _name(p) not in taken and allowed(p, avoided)]
        if not free:
            continue
        # What a word of the request brings goes first, most of the time.
        own = [p for p in _brought(wanted, where) if p in free]
        phrase = rng.choice(own if own and rng.random() < 0.75 else free)
        taken.add(_name(phrase))
        said = _counted(phrase, rng.choice(NUMBERS) if many else "")
        found.append((said, f"{said} {_where(where, anchor)}"))
    return found


def _offered(wanted: Wanted, where: str) -> list[str]:
    place = wanted.place
    return [*_brought(wanted, where), *(place.above if where == "above" else place.beside)]


def _brought(wanted: Wanted, where: str) -> list[str]:
    """What the words of the request bring: dark clouds in a storm, a bell for clockwork. Indoors not all fits."""
    found = [p for theme in wanted.known for p in (theme.above if where == "above" else theme.beside)]
    place = wanted.place
    indoors = place.grounds == ("backdrop",)
    return [p for p in found if _name(p) in (*place.home, *place.beside, *place.above)] if indoors else found


def _name(phrase: str) -> str:
    """What the lexicon calls it, for two of the same not to be in one picture."""
    noun = phrase.removeprefix("two ").removeprefix("three ").removeprefix("a ").removeprefix("an ")
    entry = find(noun)
    return entry.name if entry is not None else noun


def _counted(phrase: str, number: str) -> str:
    """ "a rock", "three birds"; a phrase with a number of its own keeps it."""
    if phrase.split(maxsplit=1)[0] in {"a", "an", "two", "three", "lightning"}:
        return phrase
    if number and phrase not in {"sun", "moon"}:
        return f"{number} {plural(phrase)}"
    return with_article(phrase)


def _where(where: str, anchor: Mention) -> str:
    noun = f"the {anchor.noun if anchor.count == 1 else plural(anchor.noun)}"
    return f"above {noun}" if where == "above" else f"to the {where} of {noun}"


def _backdrops(wanted: Wanted, palette: Palette, rng: random.Random, avoided: Sequence[str]) -> list[str]:
    """A sky and a ground in the palette's colours, where the request has none of its own."""
    if not wanted.place.grounds:
        return []
    there = {_name(noun) for noun in backdrops_of(wanted.reading)}
    skies = [colour for theme in wanted.known for colour in theme.sky]
    sky = rng.choice(skies) if skies and rng.random() < 0.7 else palette.colours["sky"]
    ground = rng.choice(wanted.place.grounds)
    if sky == palette.colours.get(ground):
        sky = palette.colours["sky"]  # else nobody sees where the one ends
    own = {m.colour for m in wanted.reading.mentions if m.colour}
    found = [] if there - {"sky"} or ground == "backdrop" else [_coloured(palette.colours[ground], ground)]
    found += [] if "sky" in there or sky in own else [_coloured(sky, "backdrop" if ground == "backdrop" else "sky")]
    return [phrase for phrase in found if allowed(phrase, avoided)]


def _coloured(colour: str, noun: str) -> str:
    """ "a dark blue sea", "dark green grass"."""
    if noun in {"grass", "ground", "snow"}:
        return f"{colour} {noun}"
    return with_article(f"{colour} {noun}")


@dataclass(frozen=True)
class _Said:
    """What is put into a sentence."""

    wanted: Wanted
    sides: Sequence[str]
    """Where further things stand; empty: they are only listed."""
    clauses: tuple[str, ...]
    behind: tuple[str, ...]
    floats: bool
    """The first thing is on the sea, where there is one."""

    @property
    def sea(self) -> str:
        """What the first thing floats on; empty when it does not."""
        waters = (phrase for phrase in (*self.wanted.scenery, *self.behind) if phrase.split()[-1] in {"sea", "ocean"})
        return next(waters, "") if self.floats and not self.wanted.instruction else ""

    @property
    def more(self) -> list[str]:
        """What is added, in order."""
        return [*self.clauses, *(phrase for phrase in self.behind if phrase != self.sea)]

    def in_one(self) -> str:
        """All of it in one sentence; an instruction stays as it is."""
        if not self.wanted.instruction:
            scenery, more = self._scenery(), self.more
            k = len(self.clauses)
            return _capital(_listed([*self._things(), *more[:k], *scenery, *more[k:]])) + "."
        several = any(mark in self.wanted.instruction.rstrip(" .!") for mark in ".!?;")
        return self.in_two() if several else _after(self.wanted.instruction, _listed(self.more))

    def in_two(self) -> str:
        """What was asked for, and then what is added."""
        more = self.more
        asked = self.wanted.instruction or _listed([*self._things(), *self._scenery()])
        several = bool(more) and more[0].split()[0] in NUMBERS
        return f"{_capital(asked.rstrip(' .!'))}." + (
            f" There {'are' if several else 'is'} {_listed(more)}." * bool(more)
        )

    def _things(self) -> list[str]:
        """The things, the first in its weather, the others beside it in turn."""
        parts = list(self.wanted.things)
        weather = [f"in {t.article} {t.word}" for t in self.wanted.weather]
        anchor = _anchor(self.wanted.reading)
        if anchor is not None:
            for k, side in zip(range(1, len(parts)), self.sides, strict=False):
                if len(read_nouns(parts[k])) == 1 and read_nouns(parts[0]):
                    parts[k] = f"{parts[k]} {_where(side, anchor)}"
        on = [f"on {self.sea}"] if self.sea else []
        return [" ".join((parts[0], *on, *weather[:1], *(f"and {w}" for w in weather[1:]))), *parts[1:]]

    def _scenery(self) -> list[str]:
        return [phrase for phrase in self.wanted.scenery if phrase != self.sea]


def _after(instruction: str, more: str) -> str:
    """The instruction as it is, and what is added to it."""
    bare = _capital(instruction.rstrip(" .!"))
    return f"{bare}, {more}." if more else f"{bare}."


def _listed(parts: Sequence[str]) -> str:
    """ "a fox", "a fox and dark green grass", "a fox, a tree to the left of the fox, and dark green grass"."""
    if len(parts) == 2 and not any(word in parts[0] for word in (" of ", " above ", " on ", " in ", ",")):
        return " and ".join(parts)
    return ", ".join(parts[:-1]) + (", and " if len(parts) > 1 else "") + parts[-1] if parts else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _reads(sentence: str, said: _Said, *, exactly: bool) -> bool:
    """Whether the sentence reads as what was asked for and what was added, and nothing else."""
    whole, wanted = reading_of(sentence), said.wanted
    if whole is None:
        return False
    texts = (wanted.instruction,) if wanted.instruction else (*wanted.things, *wanted.scenery)
    pieces = [r for text in texts if (r := reading_of(text)) is not None]
    left = [fact_of(whole, m) for m in whole.mentions]
    for fact in (fact_of(piece, m) for piece in pieces for m in piece.mentions):
        if fact not in left:
            return False
        left.remove(fact)
    if len(left) != len(said.clauses) + len(said.behind) or any(fact[3] for fact in left):
        return False
    told = list(relations_of(whole))
    wants = [relation for piece in pieces for relation in relations_of(piece)]
    beside = 0 if exactly else min(len(said.sides), len(wanted.things) - 1)
    more = len(told) - len(wants) - len(said.clauses) - bool(said.sea)
    return all(relation in told for relation in wants) and more in {0, beside}
