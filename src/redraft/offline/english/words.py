"""The vocabulary: word classes from `words.yaml`, and the endings that make forms of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, cast

from redraft.yamldata import read_yaml

_DOUBLING = frozenset(
    {"sit", "run", "cut", "set", "put", "hop", "get", "spin", "top", "wrap", "pet", "nap", "swim", "hug", "trot"}
)
_ADJECTIVE_ENDINGS = ("ful", "ous", "less", "ish", "ive", "ic", "able", "ible", "ed", "ing", "est", "like", "ern")


@dataclass(frozen=True)
class Vocabulary:
    """The lists of `words.yaml`, as sets."""

    classes: dict[str, frozenset[str]]
    irregular: dict[str, str]
    sizes: dict[str, float]
    appositions: dict[str, str]
    verb_relations: dict[str, str]
    """Lemma to the relation that the verb states."""
    verb_forms: dict[str, str]
    """Every form to its lemma."""
    longest_compound: int

    def has(self, word: str, *classes: str) -> bool:
        """Return whether a word is of one of these classes; `#cc2222` is a color."""
        return any(word in self.classes[c] for c in classes) or (word[:1] == "#" and "colours" in classes)


@cache
def vocabulary() -> Vocabulary:
    """Return the one vocabulary, read once."""
    raw = read_yaml(files("redraft.offline.english").joinpath("words.yaml").read_text("utf-8"))
    classes = {name: frozenset(map(str, cast("list[str]", v))) for name, v in raw.items() if isinstance(v, list)}
    forms = {form: verb for verb in sorted(classes["verbs"]) for form in _inflected(verb)}
    forms |= {form: form for form in sorted(classes["verb_forms"])}
    relations = cast("dict[str, list[str]]", raw["verb_relations"])
    return Vocabulary(
        classes=classes,
        irregular=cast("dict[str, str]", raw["irregular_plurals"]),
        sizes=cast("dict[str, float]", raw["sizes"]),
        appositions=cast("dict[str, str]", raw["appositions"]),
        verb_relations={verb: kind for kind, verbs in relations.items() for verb in verbs},
        verb_forms=forms,
        longest_compound=max(len(c.split()) for c in classes["compounds"]),
    )


def _inflected(verb: str) -> tuple[str, ...]:
    """Return a regular verb's forms, the base first."""
    if verb == "lie":
        return ("lie", "lies", "lying")
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    if verb in _DOUBLING:
        stem += verb[-1]
    third = verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
    past = stem + "ed"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        third, past = verb[:-1] + "ies", verb[:-1] + "ied"
    return (verb, third, stem + "ing", past)


def singular(word: str) -> tuple[str, bool]:
    """Return a noun's singular, and whether the word is a plural; unchanged when it is singular already."""
    v = vocabulary()
    if v.has(word, "pair_nouns", "singular_in_s", "uncountable"):
        return v.irregular.get(word, word), False
    if word in v.irregular:
        return v.irregular[word], v.irregular[word] != word
    if v.has(word, "nouns", "parts", "settings") or not word[1:].endswith("s"):
        return word, False
    stems = [stem for stem in _stems(word) if is_noun(stem)]
    if stems:
        return stems[0], True
    if word.endswith(("ss", "us", "is")):
        return word, False
    return next(_stems(word)), len(word) > 3


def _stems(word: str) -> Iterator[str]:
    """Yield the words that an -s form may be the plural of, the likeliest first."""
    if word.endswith("ies") and len(word) > 4:
        yield word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        yield word[:-2]
    yield word[:-1]
    if word.endswith("ves"):
        yield word[:-3] + "f"
        yield word[:-3] + "fe"
    if word.endswith("es"):
        yield word[:-2]


def is_noun(word: str) -> bool:
    """Return whether a word is a noun of the vocabulary, in the singular."""
    return vocabulary().has(
        word, "nouns", "parts", "settings", "compounds", "containers", "pair_nouns", "nouns_in_ing", "uncountable"
    )


def is_adjective(word: str) -> bool:
    """Return whether a word describes: listed, or by its ending."""
    v = vocabulary()
    if v.has(word, "adjectives") or word in v.sizes:
        return True
    return "-" in word or (word.endswith(_ADJECTIVE_ENDINGS) and len(word) > 4 and not v.has(word, "nouns_in_ing"))


def is_verb(word: str) -> bool:
    """Return whether a word is a form of a verb of the vocabulary, or an -ing form that names nothing."""
    v = vocabulary()
    if word in v.verb_forms:
        return True
    return word.endswith("ing") and len(word) > 5 and not v.has(word, "nouns_in_ing", "nouns") and not is_noun(word)


def lemma(word: str) -> str:
    """Return the base form of a verb; the word itself when it is not known."""
    return vocabulary().verb_forms.get(word, word)


def normal(noun: str) -> str:
    """Return a noun in lower case, with single spaces, hyphens and underscores as spaces, without an article."""
    words = noun.lower().replace("-", " ").replace("_", " ").replace("'", "").replace("’", "").split()
    while len(words) > 1 and words[0] in {"a", "an", "the"}:
        del words[0]
    return " ".join(words)


def singulars(noun: str) -> tuple[str, ...]:
    """Return the noun itself, and its singular where it is another word; only its last word is changed."""
    *before, last = noun.split() or [""]
    one = "glass" if before and last == "glasses" else singular(last)[0]  # alone they are for eyes
    return tuple(dict.fromkeys((noun, " ".join([*before, one]))))


def headings(noun: str) -> Iterator[str]:
    """Yield the whole noun, then its heads, the likeliest first.

    "bowls of soup" → "bowl of soup", "bowls", "soup"; "old oak tree" → "oak tree".
    """
    yield noun
    first, of, rest = noun.partition(" of ")
    if of:
        yield from (f"{one} of {rest}" for one in singulars(first))
        yield from headings(first)
        yield from headings(normal(rest))
        return
    words = noun.split()
    for start in range(1, len(words)):
        yield " ".join(words[start:])


@dataclass(frozen=True)
class Thing:
    """One entry of `things.yaml`: the names of a thing, and the nouns of its parts, singular."""

    name: str
    synonyms: frozenset[str] = frozenset()
    backdrop: bool = False
    """Spans the picture: sky, ground, sea, road."""
    parts: frozenset[str] = frozenset()


@cache
def things() -> dict[str, Thing]:
    """Return all known things by name."""
    raw: dict[str, dict[str, Any]] = read_yaml(
        files("redraft.offline.english").joinpath("things.yaml").read_text("utf-8")
    )
    return {
        name: Thing(
            name, frozenset(map(normal, entry.get("synonyms", ()))), entry.get("backdrop", False),
            frozenset(entry.get("parts", ())),
        )
        for name, entry in raw.items()
    }  # fmt: skip


@cache
def _thing_nouns() -> dict[str, Thing]:
    """Return the thing of every name and synonym; a name goes before another thing's synonym."""
    known = things().values()
    synonyms = {word.replace(" ", ""): thing for thing in known for word in thing.synonyms}
    return synonyms | {thing.name.replace(" ", ""): thing for thing in known}


def thing_of(noun: str) -> Thing | None:
    """Return the thing for a noun, singular or plural; a compound that is not known falls back to its head noun."""
    forms = (one.replace(" ", "") for heading in headings(normal(noun)) for one in singulars(heading))
    return next((_thing_nouns()[form] for form in forms if form in _thing_nouns()), None)


@lru_cache(maxsize=4096)
def is_thing(name: str) -> bool:
    """Return whether a noun is the name of a known thing, not only a compound of one."""
    thing = thing_of(name) if name.replace(" ", "").replace("-", "").isalpha() else None
    return thing is not None and name in {thing.name, *thing.synonyms}


def is_part_of(noun: str, whole: str) -> bool:
    """Return whether `noun` is a part of `whole`: a window of a house, a wheel of a car."""
    thing = thing_of(whole)
    return thing is not None and any(n in thing.parts for n in singulars(normal(noun)))
