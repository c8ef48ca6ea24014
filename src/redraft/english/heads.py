"""Adjectives and nouns: where a phrase ends, which word is its head, and what the others say of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from redraft.english.chunks import Kind
from redraft.english.numbers import number
from redraft.english.tokens import Line
from redraft.english.words import is_adjective, is_noun, is_verb, singular, vocabulary
from redraft.offline.lexicon import find, is_part_of

__all__ = ["Head", "acts_on", "belongs", "could_be_nominal", "in_lexicon", "read_head"]

_CLOSED = ("prepositions", "pronouns", "auxiliaries", "adverbs")
_MADE = frozenset({"drawn", "shaped", "themed", "powered", "sized"})
_PARTICLES = frozenset({"out", "up", "down", "off", "over"})
_DETERMINERS = frozenset(
    {"a", "an", "the", "this", "that", "its", "his", "her", "their", "another", "each", "every", "no", "some"}
)


@dataclass(frozen=True)
class Head:
    """The noun of a phrase and its adjectives; `j` is the word after it."""

    noun: str
    j: int
    kind: Kind
    plural: bool
    known: bool
    colour: str | None
    size: float
    adjectives: tuple[str, ...]
    loose: tuple[int, ...]
    owner: str | None = None


@dataclass
class _Words:
    """What has been read of a phrase so far: adjectives, then nouns."""

    adjectives: list[int] = field(default_factory=list[int])
    nouns: list[tuple[int, int, str, bool]] = field(default_factory=list[tuple[int, int, str, bool]])
    """First and last index, the singular, and whether the vocabulary knows it."""
    plural: bool = False
    owner: str | None = None
    determined: bool = False
    """After "a" or a number a word is a noun that elsewhere would be a verb: "a row"."""


def read_head(line: Line, i: int, *, singular_wanted: bool, determined: bool) -> Head | None:
    """Adjectives and nouns from the i-th word on; None when no noun stands there."""
    words = _Words(determined=determined)
    j = i
    while j < len(line):
        k = _step(line, j, words, singular_wanted=singular_wanted)
        if k is None:
            break
        j = k
    return _named(line, words) if words.nouns else None


def _step(line: Line, j: int, words: _Words, *, singular_wanted: bool) -> int | None:
    """Take the j-th word into the phrase; None when the phrase has ended before it."""
    word = line.word(j)
    if words.plural or not (any(c.isalpha() for c in word) or word in {",", "&"}):
        return None
    if word in {"and", ",", "&"}:
        return j + 1 if _joins_adjectives(line, j, words) else None
    if _closed(line, j, words):
        return j + 1 if _is_particle(line, j, words) else None
    compound = _compound(line, j)
    if compound is not None:
        noun, end, plural = compound
        return _take(words, j, end, noun, known=True, plural=plural)
    return _open_word(line, j, words, singular_wanted=singular_wanted)


def _open_word(line: Line, j: int, words: _Words, *, singular_wanted: bool) -> int | None:
    """An adjective, a noun, or a verb, which ends the phrase."""
    if _describes(line, j, words):
        words.adjectives.append(j)
        return j + 1
    if _is_made(line, j, words):
        return j + 1
    return None if _acts(line, j, words) else _noun(line, j, words, singular_wanted=singular_wanted)


def _is_particle(line: Line, j: int, words: _Words) -> bool:
    """The "out" of "a rusted out bed frame"."""
    after_participle = bool(words.adjectives) and words.adjectives[-1] == j - 1 and not words.nouns
    return after_participle and line.word(j) in _PARTICLES and could_be_nominal(line, j + 1)


def _is_made(line: Line, j: int, words: _Words) -> bool:
    """ "a horse drawn carriage", "a bear shaped cake": what came before the participle only describes."""
    if line.word(j) not in _MADE or not words.nouns or not could_be_nominal(line, j + 1) or is_verb(line.word(j + 1)):
        return False
    words.adjectives += [k for a, b, _, _ in words.nouns for k in range(a, b)]
    words.nouns.clear()
    return True


def _closed(line: Line, j: int, words: _Words) -> bool:
    """Function words and adverbs end a phrase; "very", "light" and the like may stand before its noun."""
    v, word = vocabulary(), line.word(j)
    if word in _DETERMINERS or number(word) is not None or (v.has(word, "prepositions", "pronouns", "auxiliaries")):
        return True
    if v.has(word, "adjectives", "nouns", "colours") or (
        words.determined and not words.nouns and v.has(word, "regions")
    ):
        return False
    return v.has(word, "adverbs") or (word.endswith("ly") and len(word) > 4 and not is_noun(word))


def _joins_adjectives(line: Line, j: int, words: _Words) -> bool:
    """ "black and white dog", "a white, wired cage": no noun yet, and another adjective follows."""
    if words.nouns or not words.adjectives or words.adjectives[-1] != j - 1:
        return False
    after = line.word(j + 1)
    nothing_after = not could_be_nominal(line, j + 2)
    return (is_adjective(after) or vocabulary().has(after, "colours", "colour_modifiers")) and not (
        nothing_after or after in _DETERMINERS
    )


def could_be_nominal(line: Line, j: int) -> bool:
    """Whether the j-th word can stand inside a noun phrase."""
    word = line.word(j)
    v = vocabulary()
    if not any(c.isalpha() for c in word) or word == "'s" or word in _DETERMINERS or word in {"and", "or", "but"}:
        return False
    if number(word) is not None:
        return False
    if v.has(word, *_CLOSED) and not v.has(word, "adjectives", "colours", "nouns"):
        return False
    if is_adjective(word) or v.has(word, "colours") or is_noun(singular(word)[0]):
        return True
    return not (is_verb(word) or word.endswith("ly"))


def _compound(line: Line, j: int) -> tuple[str, int, bool] | None:
    """The longest known compound that begins at the j-th word: its singular, its end, whether it is plural."""
    v = vocabulary()
    if v.has(line.word(j), "colours") and v.has(line.word(j - 1), "colour_modifiers"):
        return None  # "a dark blue sky" has a colour of its own
    for length in range(v.longest_compound, 1, -1):
        words = [line.word(k) for k in range(j, j + length)]
        if "" in words or any(v.has(w, "prepositions", "auxiliaries") or not w[:1].isalpha() for w in words):
            continue
        last, plural = _last_of_compound(words[-1])
        name = " ".join([*words[:-1], last])
        if name in v.appositions:
            return v.appositions[name], j + length, plural
        if v.has(name, "compounds") or (length > 1 and in_lexicon(name)):
            return name, j + length, plural
    return None


def _last_of_compound(word: str) -> tuple[str, bool]:
    """Wine glasses are several, a pair of glasses is one."""
    return ("glass", True) if word == "glasses" else singular(word)


@lru_cache(maxsize=4096)
def in_lexicon(name: str) -> bool:
    """Whether a noun has an entry of its own."""
    entry = find(name) if name.replace(" ", "").replace("-", "").isalpha() else None
    return entry is not None and name in {entry.name, *entry.synonyms}


def _describes(line: Line, j: int, words: _Words) -> bool:
    """An adjective or colour before a noun: some noun must still follow."""
    if words.nouns:
        return False
    v, word = vocabulary(), line.word(j)
    if not (
        is_adjective(word)
        or v.has(word, "colours", "colour_modifiers")
        or (is_verb(word) and word.endswith(("ed", "ing")))
    ):
        return v.has(word, "adverbs") and is_adjective(line.word(j + 1))
    if is_noun(singular(word)[0]) and not v.has(word, "adjectives", "colours") and word not in v.sizes:
        return False
    following = j + 1
    if line.word(following) in {"and", ",", "&"} and _joins_adjectives(line, following, _Words(adjectives=[j])):
        return True
    if line.word(following) in _PARTICLES and word.endswith(("ed", "en")):
        following += 1
    return could_be_nominal(line, following)


def _acts(line: Line, j: int, words: _Words) -> bool:
    """A verb rather than a noun: "a cat sits", "two dogs play", "a watch", "the cat watches a bird"."""
    word = line.word(j)
    if not (words.nouns or words.determined or words.adjectives) and acts_on(line, j):
        return True
    if not is_verb(word):
        return False
    stem, plural = singular(word)
    if not words.nouns:
        return not (is_noun(stem) or (words.determined and not word.endswith("ing")))
    return not (is_noun(stem) and not plural and not _verb_goes_on(line, j + 1))


def acts_on(line: Line, j: int) -> bool:
    """Whether an -s form is a verb by what follows it: "a robot waters a flower"."""
    word = line.word(j)
    return (
        word.endswith("s")
        and len(word) > 3
        and singular(word)[1]
        and line.word(j + 1) in {"a", "an", "the", "its", "his", "her"}
    )


def _verb_goes_on(line: Line, j: int) -> bool:
    """Whether what follows is rather for a verb than for a noun: "a cat stand next to …", "two dogs rest quietly"."""
    return line.word(j) in _DETERMINERS or vocabulary().has(line.word(j), "adverbs", "prepositions")


def _noun(line: Line, j: int, words: _Words, *, singular_wanted: bool) -> int | None:
    word, v = line.word(j), vocabulary()
    if words.nouns and acts_on(line, j):
        return None
    if words.nouns and v.has(word, "colour_modifiers") and v.has(line.word(j + 1), "colours"):
        return None  # "the door dark blue"
    noun, plural = singular(word)
    known = is_noun(noun) or in_lexicon(noun)
    if words.nouns and words.nouns[-1][3] and not known and (plural or word.endswith("s")):
        return None  # "the cat pounces": an unknown -s form after a known noun is its verb
    if (
        plural
        and singular_wanted
        and known
        and not words.nouns
        and could_be_nominal(line, j + 1)
        and not is_verb(line.word(j + 1))
    ):
        words.owner = noun  # "a cats tail", "a cars side mirror"
        return j + 1
    if not known and ((words.nouns and vocabulary().has(noun, "abstract")) or _only_describes(word)):
        return None
    return _take(words, j, j + 1, noun, known=known, plural=plural)


def _only_describes(word: str) -> bool:
    """ "the roof red": a colour, a size or a listed adjective is no noun."""
    return vocabulary().has(word, "adjectives", "colours", "colour_modifiers") or word in vocabulary().sizes


def _take(words: _Words, i: int, j: int, noun: str, *, known: bool, plural: bool) -> int:
    words.nouns.append((i, j, noun, known))
    words.plural = plural
    return j


def _named(line: Line, words: _Words) -> Head:
    """Choose the noun: the last known words together; unknown words before them describe.

    An unknown word after a thing that can be drawn gives way to it: a "hot dog confection" is drawn as a hot dog.
    """
    nouns = words.nouns
    extra: tuple[int, ...] = ()
    if len(nouns) > 1 and not nouns[-1][3] and nouns[-2][3] and in_lexicon(nouns[-2][2]):
        extra, nouns = (nouns[-1][0],), nouns[:-1]
    start = len(nouns) - 1
    while start > 0 and nouns[start - 1][3] and not _only_material(nouns[start - 1][2]):
        start -= 1
    adjectives = [*words.adjectives, *(k for a, b, _, _ in nouns[:start] for k in range(a, b))]
    chosen = [n for _, _, n, _ in nouns[start:]]
    owner, chosen = _split_part(words.owner, chosen)
    name = " ".join(chosen)
    name = vocabulary().appositions.get(name, name)
    colour, size, loose = _qualities(line, adjectives)
    loose = (*loose, *extra)
    return Head(
        noun=name, j=words.nouns[-1][1], kind=_kind(name, chosen[-1]), plural=words.plural, known=nouns[-1][3],
        colour=colour, size=size,
        adjectives=tuple(line.word(k) for k in loose if k not in extra), loose=loose, owner=owner,
    )  # fmt: skip


def _only_material(noun: str) -> bool:
    return vocabulary().has(noun, "uncountable", "adjectives") and not vocabulary().has(noun, "nouns")


def _split_part(owner: str | None, nouns: list[str]) -> tuple[str | None, list[str]]:
    """ "bicycle tire" is the tire of a bicycle; "dog bed" is a bed."""
    if (
        owner is None
        and len(nouns) > 1
        and belongs(nouns[-1], nouns[-2])
        and not vocabulary().has(nouns[-2], "settings")
    ):
        return nouns[-2], nouns[-1:]
    return owner, nouns


def belongs(noun: str, whole: str) -> bool:
    """Whether a thing of this name is a part of the whole: by the lexicon where it knows the whole, else by nature."""
    v = vocabulary()
    if is_part_of(noun, whole):
        return True
    if v.has(noun, "shared_parts") and find(whole) is not None:
        return False
    return v.has(noun, "parts")


def _kind(name: str, head: str) -> Kind:
    v = vocabulary()
    if v.has(name, "compounds") and not v.has(name, "settings"):
        return "thing"
    if v.has(name, "settings") or (v.has(head, "settings") and not in_lexicon(name)):
        return "setting"
    if v.has(head, "abstract", "regions", "frames", "groups") and not (v.has(name, "nouns") or in_lexicon(name)):
        return "abstract"
    return "thing"


def _qualities(line: Line, adjectives: list[int]) -> tuple[str | None, float, tuple[int, ...]]:
    """Colour as written, linear size, and the words that say something else."""
    v = vocabulary()
    colour: str | None = None
    size = 1.0
    loose: list[int] = []
    for k in sorted(adjectives):
        word = line.word(k)
        if v.has(word, "colours"):
            before = line.word(k - 1)
            shade = f"{before} " if k - 1 in adjectives and v.has(before, "colour_modifiers") else ""
            colour = colour or shade + word
        elif word in v.sizes:
            size *= v.sizes[word]
        elif not (v.has(word, "colour_modifiers") and v.has(line.word(k + 1), "colours")):
            loose.append(k)
    return colour, size, tuple(loose)
