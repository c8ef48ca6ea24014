"""Relation words: what stands where, and what kind of object each phrase takes."""

from __future__ import annotations

import re
from typing import Literal, cast

from redraft.offline.english.chunks import Arrangement, Comparison, Degree, Placement, Relator, Side, Time
from redraft.offline.english.reading import Dimension, Measure, Relation, Spot
from redraft.offline.english.tokens import NUMBER, UNIT, Line, number, phrase, unit

_FAR = r"(?P<far>(?:much|way|a lot) (?:further|farther|more)|far(?:ther)?|further|well) "
_NEAR = (
    r"(?:(?:just|directly|immediately|right|straight|exactly|close|closely|slightly|a bit|a little|located|situated) )"
)
_DISTANCE = rf"(?P<value>{NUMBER}) ?(?P<unit>{UNIT} |(?:of the canvas|grid cells?) )?(?:away )?"
_DIRECTIONS: dict[str, Relation] = {"left": "left_of", "right": "right_of"}
_TO_THE = r"(?:to|on|at|towards?) the (?:immediate |far )?"

# (relation, words, certain); each is followed by its object.
_WITH_OBJECT: tuple[tuple[Relation, str, bool], ...] = (
    ("left_of", rf"{_TO_THE}left(?: ?hand)?(?: side)? of|left of|left from|(?:to the )?left than", True),
    ("right_of", rf"{_TO_THE}right(?: ?hand)?(?: side)? of|right of|right from|(?:to the )?right than", True),
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
    ("far", r"far (?:away )?from|(?:(?:much|way|a lot) )?(?:further|farther) (?:away )?from", True),
    ("on", r"on", True),
    ("inside", r"in", True),
)
_PATTERNS: tuple[tuple[Relation, re.Pattern[str], bool], ...] = tuple(
    (relation, phrase(rf"(?:{_FAR})?(?:{_NEAR})*(?:{_DISTANCE})?(?:{words})"), certain)
    for relation, words, certain in _WITH_OBJECT
)
_SIDED = (
    (
        "pronoun",
        rf"(?:{_FAR})?(?:{_NEAR})*(?:to|on|at) (?:its|his|her|their) (?P<side>left|right)(?: ?hand)?(?: side)?",
    ),
    (
        "implied",
        rf"(?:{_FAR})?(?:{_NEAR})*{_TO_THE}(?P<side>left|right)(?: ?hand)?(?: side)?(?! (?:side )?of)",
    ),
    (
        "implied",
        r"(?P<far>(?:much |way |a lot |far )?(?:further|farther)|far) (?:away )?(?:(?:over )?(?:to|on) the )?"
        r"(?P<side>right|left)(?! of| than)",
    ),
)
_SIDES = tuple((kind, phrase(pattern)) for kind, pattern in _SIDED)
_FURTHER = phrase(
    r"(?:much|way|a lot) (?:further|farther)(?: away)?(?! (?:from|left|right|than|up|down|on|to|in|away))"
)
_EACH_OTHER = phrase(
    r"(?:next to|beside|near|close to|alongside|by|touching|facing) (?:each other|one another|eachother)"
    r"|side by side|close together"
)


def _measure(value: str | None, words: str | None) -> Measure | None:
    """Return a length; without a unit a share of the canvas, of which a grid cell is a tenth."""
    amount, unit_words = number(value or ""), (words or "").strip()
    if amount is None:
        return None
    if unit_words.startswith("grid"):
        return Measure(amount / 10)
    return Measure(amount, "canvas" if unit_words in {"", "of the canvas"} else unit(unit_words))


def _degree(match: re.Match[str]) -> Degree:
    far = match.group("far") or ""
    if far in {"", "well"}:
        return "plain"
    return "much_further" if " " in far or far in {"further", "farther"} else "far"


def related(line: Line, i: int) -> Relator | None:
    """Return the longest relation word that begins here; its object follows."""
    best: Relator | None = None
    for relation, pattern, certain in _PATTERNS:
        matched = line.match(pattern, i)
        if matched is not None and (best is None or matched[1] > best.j):
            match, j = matched
            gap = _measure(match.group("value"), match.group("unit"))
            best = Relator(i, j, relation=relation, certain=certain, degree=_degree(match), distance=gap)
    return best


def sided(line: Line, i: int) -> Relator | None:
    """Return "to its left", "on the right", "much further right": relations whose object stands elsewhere."""
    for kind, pattern in _SIDES:
        if matched := line.match(pattern, i):
            match, j = matched
            where = "pronoun" if kind == "pronoun" else "implied"
            return Relator(i, j, relation=_DIRECTIONS[match.group("side")], object=where, degree=_degree(match))
    further = line.match(_FURTHER, i)
    return Relator(i, further[1], relation="far", object="implied", degree="much_further") if further else None


def mutual(line: Line, i: int) -> Relator | None:
    """Return "next to each other"."""
    matched = line.match(_EACH_OTHER, i)
    return Relator(i, matched[1], relation="beside", object="each other") if matched else None


_WALL_SIDES: dict[str, Side] = {
    "north": "top", "top": "top", "upper": "top", "south": "bottom", "bottom": "bottom", "lower": "bottom",
    "west": "left", "left": "left", "east": "right", "right": "right",
}  # fmt: skip
_CANVAS = r"(?: of (?:the |this )?(?:canvas|picture|image|page|photo|drawing|frame|screen|sheet|paper))"
_CENTER = r"(?:middle|cent(?:er|re))"
_WALL = phrase(rf"(?:in|at|on) the {_CENTER} of (?:the|its) (?P<side>{'|'.join(_WALL_SIDES)}) (?:wall|side|edge)")
_SPOT = phrase(
    rf"(?:(?:in|at|into|to) the (?P<v>top|upper|bottom|lower)[ -](?P<h>left|right)(?:[ -]?hand)?(?: corner| side)?"
    rf"|(?:in|at|to|into) the (?:very |exact )?{_CENTER}"
    rf"|(?:at|in|on|near|along|to) the (?P<edge>top|bottom)(?: edge| part| half)?(?! left| right| of [^c]))"
    rf"(?:{_CANVAS}|(?P<of> of))?"
    rf"|(?:at|in|on|near|along|to) the (?P<side>left|right)(?: edge| part| half| side)?{_CANVAS}"
    r"|(?:is |are )?(?:centered|centred)(?: (?:on|in) (?:the )?(?:canvas|page|picture|image))?"
)
_TIME = phrase(
    r"(?:(?:that )?(?:showing|shows|reads|reading|says|saying|set|pointing)(?: to| at)? )?(?:at )?"
    rf"(?:(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})|(?P<past>half|a quarter|{NUMBER}) past (?P<of>{NUMBER}))"
)


def placed(line: Line, i: int) -> Placement | None:
    """Return a spot: of a named wall, a corner, the middle, an edge."""
    wall = line.match(_WALL, i)
    if wall is not None:
        return Placement(i, wall[1], spot="center", within="side", side=_WALL_SIDES[wall[0].group("side")])
    matched = line.match(_SPOT, i)
    if matched is None:
        return None
    group, j = matched[0].groupdict(), matched[1]
    side = group["edge"] or group["side"] or "center"
    spot = f"{_WALL_SIDES[group['v']]}_{group['h']}" if group["v"] else _WALL_SIDES.get(side, side)
    return Placement(i, j, spot=cast("Spot", spot), within="phrase" if group["of"] else "canvas")


def timed(line: Line, i: int) -> Time | None:
    """Return a time of day: "10:10", "ten past ten"."""
    matched = line.match(_TIME, i)
    if matched is None:
        return None
    group, j = matched[0].groupdict(), matched[1]
    past = {"half": 30.0, "a quarter": 15.0}.get(group["past"] or "", number(group["past"] or ""))
    hour, minute = int(number(group["hour"] or group["of"]) or 0), int(group["minute"] or past or 0)
    return Time(i, j, hour=hour, minute=minute) if hour <= 24 and minute < 60 else None


_DIMENSIONS: dict[str, Dimension] = {
    **dict.fromkeys(("taller", "tall", "higher", "high", "shorter"), "height"),
    **dict.fromkeys(("wider", "wide", "narrower"), "width"),
}
_SMALLER = frozenset({"shorter", "narrower", "smaller"})
_LARGER = r"(?P<word>taller|higher|shorter|wider|narrower|bigger|larger|smaller)(?P<than> than)?"
_PERCENT = phrase(rf"(?:is |are )?(?:by )?(?P<percent>{NUMBER}) ?(?:%|percent|per cent) {_LARGER}")
_THAN = phrase(rf"(?:is |are )?(?:much |slightly |a bit |a little |a lot |far )?{_LARGER}")
_AS = phrase(
    r"(?:is |are )?(?:exactly )?(?P<factor>half|twice|three times) as (?P<word>tall|high|wide|big|large)(?P<than> as)"
)
_VAGUE = 5.0
"""Percent by which "taller" is taller at least."""
_FACTORS = {"half": 0.5, "twice": 2.0, "three times": 3.0}


def compared(line: Line, i: int) -> Comparison | None:
    """Return "20 % taller", "bigger than", "twice as tall as"."""
    matched = line.match(_PERCENT, i) or line.match(_AS, i) or line.match(_THAN, i)
    if matched is None:
        return None
    group, j = matched[0].groupdict(), matched[1]
    word, sign = group["word"], -1 if group["word"] in _SMALLER else 1
    percent, factor = number(group.get("percent") or ""), _FACTORS.get(group.get("factor") or "")
    vague = percent is None and factor is None
    # Not before a noun: "a smaller dog" describes, "the second one taller" compares.
    if vague and not group["than"] and line.word(j) not in {"", ",", ".", ";", "and", "but", ")"}:
        return None
    return Comparison(
        i, j, dimension=_DIMENSIONS.get(word, "size"), at_least=vague,
        factor=factor if factor is not None else 1 + sign * (percent if percent is not None else _VAGUE) / 100,
        reference="phrase" if group["than"] else "others",
    )  # fmt: skip


Arranged = Literal["row", "column", "even"]
_ARRANGED: dict[Arranged, str] = {
    "row": r"(?:all )?(?:standing |arranged |placed |lined up |aligned )?in (?:a|one) "
    r"(?:single |straight |horizontal )?(?:row|line)|lined up|aligned horizontally",
    "column": r"(?:arranged |placed |stacked |aligned )?in (?:a|one) (?:single |straight |vertical )?(?:column|stack)"
    r"|aligned vertically|stacked(?: vertically)?",
    "even": r"(?:are |is )?(?:equally|evenly) (?:spaced|distributed|apart)(?: apart)?|spaced (?:equally|evenly)"
    r"|(?:at|with) equal (?:distances?|spacing|gaps?)",
}
_ARRANGEMENTS: list[tuple[Arranged, re.Pattern[str]]] = [(kind, phrase(words)) for kind, words in _ARRANGED.items()]
_GAP = phrase(
    rf"(?:spaced )?(?P<value>{NUMBER}) ?(?P<unit>{UNIT} |of the canvas |grid cells? )?apart(?: from each other)?"
)


def arranged(line: Line, i: int) -> Arrangement | None:
    """Return "in a row", "stacked", "equally spaced"."""
    for kind, pattern in _ARRANGEMENTS:
        if matched := line.match(pattern, i):
            return Arrangement(i, matched[1], kind=kind)
    return None


def gapped(line: Line, i: int) -> Arrangement | None:
    """Return "0.02 apart"."""
    matched = line.match(_GAP, i)
    if matched is None:
        return None
    match, j = matched
    return Arrangement(i, j, kind="gap", gap=_measure(match.group("value"), match.group("unit")))
