"""English nouns: spelling made uniform, plurals made singular, compounds cut down to their head."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["headings", "normal", "plural", "singulars"]

_IRREGULAR = {
    "calves": "calf",
    "children": "child",
    "deer": "deer",
    "feet": "foot",
    "geese": "goose",
    "halves": "half",
    "hooves": "hoof",
    "knives": "knife",
    "leaves": "leaf",
    "loaves": "loaf",
    "men": "man",
    "mice": "mouse",
    "oxen": "ox",
    "people": "person",
    "policemen": "policeman",
    "scarves": "scarf",
    "shelves": "shelf",
    "snowmen": "snowman",
    "teeth": "tooth",
    "wives": "wife",
    "wolves": "wolf",
    "women": "woman",
}
_SIBILANT = ("s", "x", "z", "ch", "sh")


def normal(noun: str) -> str:
    """Lower case, single spaces, hyphens and underscores as spaces, no article."""
    words = noun.lower().replace("-", " ").replace("_", " ").replace("'", "").replace("’", "").split()
    while len(words) > 1 and words[0] in {"a", "an", "the"}:
        del words[0]
    return " ".join(words)


def singulars(noun: str) -> Iterator[str]:
    """The noun itself, then what it may be the plural of, likeliest first; only its last word is changed."""
    yield noun
    *before, last = noun.split() or [""]
    stems = [_IRREGULAR[last]] if last in _IRREGULAR else list(_stems(last))
    for stem in stems:
        yield " ".join([*before, stem])


def _stems(word: str) -> Iterator[str]:
    if word.endswith("ies") and len(word) > 4:
        yield word[:-3] + "y"
    if word.endswith("es"):
        yield word[:-1]
        yield word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]


def plural(noun: str) -> str:
    """The regular plural, or the irregular one where there is one."""
    *before, last = noun.split()
    irregular = next((many for many, one in _IRREGULAR.items() if one == last), None)
    return " ".join([*before, irregular or _regular(last)])


def _regular(word: str) -> str:
    if word.endswith(_SIBILANT):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def headings(noun: str) -> Iterator[str]:
    """The whole noun, then its heads: "bowls of soup" → "bowl of soup", "bowls", "soup"; "old oak tree" → "oak tree".

    The likeliest heading comes first.
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
