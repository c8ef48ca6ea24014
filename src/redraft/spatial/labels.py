"""Labels as nouns: whether a drawn thing's label or name says that it is what a sentence mentions.

Plain string work over a small table of synonyms; it knows no geometry and no sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache

from redraft.offline.lexicon.words import normal, singulars

__all__ = ["Match", "heads_in", "is_plural_of", "match_label", "match_name", "same_noun"]

Match = int
"""How surely a label names a noun: 0 says it in full, higher is weaker, `NONE` does not."""
NONE = 9

_SYNONYMS: dict[str, tuple[str, ...]] = {
    "airplane": ("plane", "aeroplane", "aircraft", "jet"),
    "automobile": ("car",),
    "backpack": ("rucksack",),
    "bicycle": ("bike",),
    "bike": ("bicycle", "motorbike", "motorcycle"),
    "boat": ("sailboat", "ship", "yacht", "rowboat", "canoe"),
    "bunny": ("rabbit",),
    "cabin": ("house", "hut"),
    "car": ("automobile", "sedan"),
    "cell phone": ("phone", "mobile phone", "smartphone", "mobile"),
    "cottage": ("house", "cabin"),
    "couch": ("sofa", "settee"),
    "cup": ("mug",),
    "dining table": ("table",),
    "donut": ("doughnut",),
    "doughnut": ("donut",),
    "fridge": ("refrigerator",),
    "hut": ("cabin", "house"),
    "kitten": ("cat",),
    "mobile phone": ("phone", "cell phone", "smartphone", "mobile"),
    "monitor": ("screen", "display"),
    "motorbike": ("motorcycle",),
    "motorcycle": ("motorbike",),
    "mug": ("cup",),
    "ocean": ("sea", "water", "waves"),
    "person": ("man", "woman", "boy", "girl", "child", "human", "kid", "figure", "stick figure", "people"),
    "pine": ("pine tree", "fir", "fir tree", "conifer"),
    "pine tree": ("pine", "fir", "fir tree", "conifer"),
    "plane": ("airplane", "aeroplane", "aircraft", "jet"),
    "plant": ("potted plant",),
    "pond": ("water", "lake"),
    "potted plant": ("plant", "houseplant"),
    "puppy": ("dog",),
    "refrigerator": ("fridge",),
    "road": ("street",),
    "rock": ("stone", "boulder"),
    "sailing boat": ("sailboat", "boat", "yacht"),
    "sailboat": ("sailing boat", "boat", "yacht"),
    "sea": ("ocean", "water", "waves"),
    "ship": ("boat",),
    "sofa": ("couch", "settee"),
    "spectacles": ("glasses", "eyeglasses"),
    "stone": ("rock",),
    "street": ("road",),
    "television": ("tv", "tv set"),
    "tv": ("television", "tv set", "television set"),
    "wave": ("sea", "ocean", "water"),
}
"""Directed: what is asked for, and the labels it may be drawn under."""

_SIDES = frozenset(
    {"left", "right", "top", "bottom", "upper", "lower", "front", "rear", "back", "middle", "center", "centre"}
)
CHIEF = frozenset(
    {
        "base",
        "body",
        "box",
        "building",
        "cabin",
        "case",
        "crown",
        "deck",
        "disc",
        "dome",
        "face",
        "frame",
        "head",
        "hull",
    }
    | {"main", "outline", "post", "seat", "shape", "shell", "silhouette", "top", "torso", "trunk", "wall", "walls"}
)
"""Words for the chief part of a thing: a top-level "house wall" is the house, a "table top" the table."""
_SPLIT = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=65536)
def _clean(text: str) -> str:
    return normal(" ".join(_SPLIT.split(text.lower())).strip())


@lru_cache(maxsize=65536)
def _forms(noun: str) -> frozenset[str]:
    return frozenset(singulars(noun))


@lru_cache(maxsize=65536)
def heads_in(label: str, words: frozenset[str]) -> bool:
    """Whether a label ends with one of these nouns, in the singular or the plural."""
    tail = _clean(label).split()
    ends = (" ".join(tail[start:]) for start in range(len(tail)))
    return any(not _forms(end).isdisjoint(words) for end in ends)


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
    others = _SYNONYMS.get(noun, ())
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
