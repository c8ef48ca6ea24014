"""Relation words: what stands where, and what kind of object each phrase takes."""

from __future__ import annotations

import re

from redraft.english.chunks import Arrangement, Chunk, Degree, Relator
from redraft.english.numbers import NUMBER, UNIT, number, unit
from redraft.english.tokens import Line, phrase
from redraft.spatial.reading import Measure, Relation

__all__ = ["either_side", "is_idiom", "mutual", "related", "sided"]

_ITS = r"(?:its|his|her|their)"
_FAR = r"(?P<far>(?:much|way|a lot) (?:further|farther|more)|far(?:ther)?|further|well) "
_NEAR = (
    r"(?:(?:just|directly|immediately|right|straight|exactly|close|closely|slightly|a bit|a little|located|situated) )"
)
_DISTANCE = rf"(?P<value>{NUMBER}) ?(?P<unit>{UNIT} |(?:of the canvas|grid cells?) )?(?:away )?"
_DIRECTIONS: dict[str, Relation] = {"left": "left_of", "right": "right_of"}

# (relation, words, certain); each is followed by its object.
_WITH_OBJECT: tuple[tuple[Relation, str, bool], ...] = (
    (
        "left_of",
        r"(?:to|on|at|towards?) the (?:immediate |far )?left(?: ?hand)?(?: side)? of|left of|"
        r"left from|(?:to the )?left than",
        True,
    ),
    (
        "right_of",
        r"(?:to|on|at|towards?) the (?:immediate |far )?right(?: ?hand)?(?: side)? of|right of|"
        r"right from|(?:to the )?right than",
        True,
    ),
    ("on", r"(?:up )?(?:on|at) (?:the )?(?:very )?top of|on top|atop(?: of)?|upon|onto", True),
    ("below", r"(?:from )?(?:under|underneath|beneath|below)(?: of)?", True),
    ("below", r"on the (?:bottom|underside) of", False),
    ("above", r"(?:from )?(?:above|over)(?: the top of)?", True),
    ("inside", r"(?:in|inside|within)(?: of)? (?:the )?(?:interior|inside) of|inside of|inside|within|into", True),
    ("in_front_of", r"in (?:the )?front of|before", True),
    ("behind", r"(?:from )?behind|in back of", True),
    ("between", r"in between|between", True),
    ("beside", r"next to|beside|besides|alongside(?: of)?|adjacent to|by the side of|at the side of", True),
    ("beside", r"on (?:the |one )?side of|by", False),
    ("near", r"(?:very )?(?:near(?: to)?|close to|nearby)", True),
    ("near", r"around|at(?! least| most| all)|against|opposite|facing|outside(?: of)?|across from|beyond", False),
    ("near", r"(?:leaning|leans|propped|resting) (?:up )?against|(?:leaning|leans) (?:up )?on", True),
    ("far", r"far (?:away )?from", True),
    ("on", r"on", True),
    ("inside", r"in", True),
    ("above", r"(?:to the )?north of", False),
    ("below", r"(?:to the )?south of", False),
    ("right_of", r"(?:to the )?east of", False),
    ("left_of", r"(?:to the )?west of", False),
)
_PATTERNS: tuple[tuple[Relation, re.Pattern[str], bool], ...] = tuple(
    (relation, phrase(rf"(?:{_FAR})?(?:{_NEAR})*(?:{_DISTANCE})?(?:{words})"), certain)
    for relation, words, certain in _WITH_OBJECT
)
_EITHER_SIDE = phrase(r"(?:one )?on (?:either|each|both) sides?(?P<of> of)?")
_PRONOMINAL = phrase(rf"(?:{_FAR})?(?:{_NEAR})*(?:to|on|at) {_ITS} (?P<side>left|right)(?: ?hand)?(?: side)?")
_ADVERBIAL = phrase(
    rf"(?:{_FAR})?(?:{_NEAR})*(?:to|on|at|towards?) the (?:far )?(?P<side>left|right)(?: ?hand)"
    r"?(?: side)?(?! (?:side )?of)"
)
_FURTHER = phrase(
    r"(?P<far>(?:much |way |a lot |far )?(?:further|farther)|far|further) (?:away )?(?:to the |"
    r"on the |over to the )?(?P<side>right|left)(?! of| than)"
)
_EACH_OTHER = phrase(
    r"(?:next to|beside|near|close to|alongside|by|touching|facing) (?:each other|one another|"
    r"eachother)|side by side|close together|next to each ?other"
)
_OVER_EACH_OTHER = phrase(r"(?:stacked |piled )?(?:on top of|above|over|below) (?:each other|one another|eachother)")
_NOT_SPATIAL = phrase(
    r"(?:in|with) (?:the )?(?:middle|process|act|course|midst) of(?= \w+ing)|at (?:the )"
    r"?(?:same )?time|at (?:all|once|ease|rest|night|dusk|dawn|noon|sunset|sunrise)"
    r"|in (?:order|general|particular|total|all|color|colour|shape|size|motion|flight|style|"
    r"good|bad|perfect|black and white|half|two|line with)"
    r"|on (?:fire|display|foot|his own|her own|its own|a (?:rainy|sunny|cloudy|snowy|clear|"
    r"hot|cold|dreary|bright|windy|nice) day)|by (?:hand|itself|themselves)"
)


def is_idiom(line: Line, i: int) -> int | None:
    """The end of a phrase that sounds spatial and is not: "on a rainy day", "in flight"."""
    found = line.match(_NOT_SPATIAL, i)
    return found[1] if found else None


def _distance(found: re.Match[str]) -> Measure | None:
    value = number(found.group("value") or "")
    if value is None:
        return None
    short = (found.group("unit") or "").strip()
    if short.startswith("grid"):
        return Measure(value / 10)
    return Measure(value, "canvas" if short in {"", "of the canvas"} else unit(short))


def _degree(found: re.Match[str]) -> Degree:
    far = found.group("far") or ""
    if far in {"", "well"}:
        return "plain"
    return "much_further" if " " in far or far in {"further", "farther"} else "far"


def related(line: Line, i: int) -> Chunk | None:
    """The longest relation word that begins here; its object follows."""
    best: Relator | None = None
    for relation, pattern, certain in _PATTERNS:
        found = line.match(pattern, i)
        if found is None or (best is not None and found[1] <= best.j):
            continue
        match, j = found
        best = Relator(
            i,
            j,
            relation=relation,
            certain=certain,
            degree=_degree(match),
            distance=_distance(match),
        )
    return best


def either_side(line: Line, i: int) -> Chunk | None:
    """ "two trees on either side of a house"."""
    found = line.match(_EITHER_SIDE, i)
    if found is None:
        return None
    return Relator(
        i, found[1], relation="between", object="phrase" if found[0].group("of") else "implied", reverse=True
    )


def sided(line: Line, i: int) -> Chunk | None:
    """ "to its left", "on the right", "much further right": relations whose object is said elsewhere."""
    for pattern, where in ((_PRONOMINAL, "pronoun"), (_ADVERBIAL, "implied"), (_FURTHER, "implied")):
        found = line.match(pattern, i)
        if found is not None:
            relation = _DIRECTIONS[found[0].group("side")]
            kind = "pronoun" if where == "pronoun" else "implied"
            return Relator(i, found[1], relation=relation, object=kind, degree=_degree(found[0]))
    return None


def mutual(line: Line, i: int) -> Chunk | None:
    """ "next to each other", "on top of each other"."""
    found = line.match(_OVER_EACH_OTHER, i)
    if found is not None:
        return Arrangement(i, found[1], kind="column", certain=False)
    found = line.match(_EACH_OTHER, i)
    return Relator(i, found[1], relation="beside", object="each other") if found else None
