"""Relation words: what stands where, and what kind of object each phrase takes."""

from __future__ import annotations

import re
from typing import Literal, cast

from redraft.english.chunks import Arrangement, Chunk, Comparison, Degree, Placement, Relator, Side, Time
from redraft.english.reading import Dimension, Measure, Relation, Spot
from redraft.english.tokens import NUMBER, UNIT, Line, factor_of, number, phrase, unit

__all__ = [
    "arranged",
    "compared",
    "dimension_of",
    "gapped",
    "gridded",
    "is_idiom",
    "mutual",
    "placed",
    "related",
    "sided",
    "timed",
]


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
)
_PATTERNS: tuple[tuple[Relation, re.Pattern[str], bool], ...] = tuple(
    (relation, phrase(rf"(?:{_FAR})?(?:{_NEAR})*(?:{_DISTANCE})?(?:{words})"), certain)
    for relation, words, certain in _WITH_OBJECT
)
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


_WALL_SIDES: dict[str, Side] = {
    "north": "top", "top": "top", "upper": "top", "south": "bottom", "bottom": "bottom", "lower": "bottom",
    "west": "left", "left": "left", "east": "right", "right": "right", "northern": "top", "southern": "bottom",
    "western": "left", "eastern": "right",
}  # fmt: skip
_SIDE = r"(?P<side>north|south|east|west|northern|southern|eastern|western|left|right|top|bottom)"
_CANVAS = r"(?: of (?:the |this )?(?:canvas|picture|image|page|photo|drawing|frame|screen|sheet|paper))"
_CENTRE = r"(?:middle|cent(?:er|re))"
_WALL = phrase(rf"(?:in|at|on) the (?P<spot>{_CENTRE}) of (?:the|its) {_SIDE} (?:wall|side|edge)")
_CORNER = phrase(
    r"(?:in|at|into|to) the (?P<v>top|upper|bottom|lower)[ -](?P<h>left|right)(?:[ -]?hand)"
    rf"?(?: corner| part| side)?(?:{_CANVAS}|(?P<of> of))?"
)
_MIDDLE = phrase(
    rf"(?:in|at|to|into) the (?:very |exact )?{_CENTRE}(?:{_CANVAS}|(?P<of> of))?|(?:is |"
    r"are )?(?:centered|centred)(?: on| in)?(?: the (?:canvas|page|picture|image))?|in mid-?canvas"
)
_EDGE = phrase(
    rf"(?:at|in|on|near|along|to) the (?P<side>top|bottom)(?: edge| part| half)?(?:{_CANVAS}|"
    r"(?P<of> of))?(?! (?:left|right|of))"
    rf"|(?:at|in|on|near|along|to) the (?P<side2>left|right)(?: edge| part| half| side)?{_CANVAS}"
)
_SAYS = (
    r"(?:(?:that )?(?:showing|shows|reads|reading|says|saying|set|stopped|pointing)(?: to|"
    r" at)?(?: the time(?: of| as)?)? )?(?:at )?"
)
_DIGITAL = phrase(rf"{_SAYS}(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?: (?:o'clock|am|pm))?")


_PAST = phrase(
    rf"{_SAYS}(?P<part>half|(?:a )?quarter|{NUMBER})(?: minutes?)? (?P<way>past|to|after)"
    r" (?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?: o'clock)?"
)


def placed(line: Line, i: int) -> Chunk | None:
    """A spot: of a named wall, a corner, the middle, an edge."""
    return _on_side(line, i) or _in_corner(line, i) or _in_middle(line, i) or _at_edge(line, i)


def _on_side(line: Line, i: int) -> Chunk | None:
    found = line.match(_WALL, i)
    if found is None:
        return None
    return Placement(i, found[1], spot="center", within="side", side=_WALL_SIDES[found[0].group("side")])


def _in_corner(line: Line, i: int) -> Chunk | None:
    found = line.match(_CORNER, i)
    if found is None:
        return None
    spots: dict[tuple[str, str], Spot] = {
        ("top", "left"): "top_left", ("top", "right"): "top_right",
        ("bottom", "left"): "bottom_left", ("bottom", "right"): "bottom_right",
    }  # fmt: skip
    match = found[0]
    return _spot(match, i, found[1], spots[_WALL_SIDES[match.group("v")], match.group("h")])


def _in_middle(line: Line, i: int) -> Chunk | None:
    found = line.match(_MIDDLE, i)
    return None if found is None else _spot(found[0], i, found[1], "center")


def _at_edge(line: Line, i: int) -> Chunk | None:
    found = line.match(_EDGE, i)
    if found is None:
        return None
    return _spot(found[0], i, found[1], _WALL_SIDES[found[0].group("side") or found[0].group("side2")])


def _spot(match: re.Match[str], i: int, j: int, spot: Spot) -> Placement:
    return Placement(i, j, spot=spot, within="phrase" if match.groupdict().get("of") else "canvas")


def timed(line: Line, i: int) -> Chunk | None:
    """A time of day: "10:10", "ten past ten", "half past three"."""
    digits, words = line.match(_DIGITAL, i), line.match(_PAST, i)
    if digits is not None:
        hour, minute, j = int(digits[0].group("hour")), int(digits[0].group("minute")), digits[1]
    elif words is not None:
        part, hour, j = words[0].group("part"), int(number(words[0].group("hour")) or 0), words[1]
        minute = 30 if part == "half" else 15 if "quarter" in part else int(number(part) or 0)
        if words[0].group("way") == "to":
            hour, minute = (hour - 1) % 24, 60 - minute
    else:
        return None
    return Time(i, j, hour=hour, minute=minute) if hour <= 24 and 0 <= minute < 60 else None


Reference = Literal["phrase", "others"]

_DIMENSIONS: dict[str, Dimension] = {
    **dict.fromkeys(("tall", "high", "short", "low", "height"), "height"),
    **dict.fromkeys(("wide", "narrow", "long", "broad", "width", "length"), "width"),
}
_COMPARATIVE = r"(?P<comparative>taller|higher|shorter|lower|wider|narrower|longer|broader|bigger|larger|smaller)"
_PERCENT = phrase(rf"(?:is |are )?(?:by )?(?P<percent>{NUMBER}) ?(?:%|percent|per cent) {_COMPARATIVE}(?P<than> than)?")
_AS = phrase(
    rf"(?:is |are )?(?:exactly )?(?P<factor>half|twice|double|thrice|{NUMBER} times|a third|"
    r"a quarter)? ?as (?P<adjective>tall|high|wide|big|large|long|broad|small) as|(?:is |"
    rf"are )?(?:exactly )?(?P<factor2>half|twice|double|thrice|{NUMBER} times|a third|a quarter)"
    r"(?: of)? the (?P<noun>height|width|size|length) of|(?:of |is |are )?the same (?P<same>height|"
    r"width|size|length) as"
)
_THAN = phrase(rf"(?:is |are )?(?:much |slightly |a bit |a little |a lot |far )?{_COMPARATIVE}(?P<than> than)?")


def compared(line: Line, i: int) -> Chunk | None:
    found = line.match(_PERCENT, i)
    if found is not None:
        share = (number(found[0].group("percent")) or 0.0) / 100
        word = found[0].group("comparative")
        factor = 1 - share if word in _SMALLER else 1 + share
        return Comparison(
            i, found[1], dimension=dimension_of(word), factor=factor, reference=_reference(found[0].group("than"))
        )
    if (found := line.match(_AS, i)) is not None:
        return _ratio(found[0], i, found[1], "phrase")
    found = line.match(_THAN, i)
    if found is None or (not found[0].group("than") and not _stands_alone(line, found[1])):
        return None
    word = found[0].group("comparative")
    return Comparison(
        i,
        found[1],
        dimension=dimension_of(word),
        factor=0.95 if word in _SMALLER else 1.05,
        at_least=True,
        reference=_reference(found[0].group("than")),
    )


_SMALLER = frozenset({"shorter", "lower", "narrower", "smaller"})


def dimension_of(word: str) -> Dimension:
    """What an adjective, its comparative or its superlative is about: "wider" is width, "smaller" size."""
    stems = (word, word.removesuffix("er"), word.removesuffix("r"), word.removesuffix("est"), word.removesuffix("st"))
    found: list[Dimension] = [_DIMENSIONS[s] for s in stems if s in _DIMENSIONS]
    return found[0] if found else "size"


def _stands_alone(line: Line, j: int) -> bool:
    """Not before a noun: "a smaller dog" describes, "the second one taller" compares."""
    return line.word(j) in {"", ",", ".", ";", "and", "but", ")"}


def _reference(than: str | None) -> Reference:
    return "phrase" if than else "others"


def _ratio(match: re.Match[str], i: int, j: int, reference: Reference) -> Comparison | None:
    group = match.groupdict()
    words = group.get("factor") or group.get("factor2") or ""
    factor = factor_of(words.strip()) if words else 1.0
    noun = group.get("adjective") or group.get("noun") or group.get("same") or "size"
    if factor is None:
        return None
    return Comparison(i, j, dimension=_DIMENSIONS.get(noun, "size"), factor=factor, reference=reference)


_ROW = phrase(
    r"(?:all )?(?:standing |arranged |placed |lined up |aligned )?(?:in|as|into) (?:a|one)"
    r" (?:single |straight |horizontal |neat |long )*(?:row|line)"
    r"|lined up|aligned horizontally|horizontally aligned|side by side in a row|in a horizontal (?:row|line)"
)
_COLUMN = phrase(
    r"(?:arranged |placed |stacked |aligned )?(?:in|as|into) (?:a|one) (?:single |straight )"
    r"*(?:column|stack|vertical (?:row|line|column))|aligned vertically|vertically aligned|"
    r"stacked(?: vertically)?"
)
_EVEN = phrase(
    r"(?:are |is )?(?:equally|evenly|uniformly|regularly) (?:spaced|distributed|apart)(?: out)"
    r"?(?: apart)?(?: horizontally)?|spaced (?:equally|evenly)(?: apart)?"
    r"|(?:at|with) (?:equal|even|the same|regular) (?:distances?|spac(?:es?|ing)|gaps?|"
    r"intervals?)(?: between them| apart)?|equidistant(?: from each other)?|equal spacing"
)
_GAP = phrase(
    rf"(?:(?:equally |evenly )?spaced )?(?P<value>{NUMBER}) ?(?P<unit>{UNIT} |of the canvas |"
    rf"grid cells? )?(?:apart|gaps?|spacing)(?: from each other)?|with (?:a )?gaps? of (?P<value2>{NUMBER})"
    rf"(?: ?(?P<unit2>{UNIT}))?"
)
_GRID = phrase(
    rf"(?:in |as |into |on )?(?:a|an|the) (?P<rows>{NUMBER}) ?(?:by|x|×) ?(?P<columns>{NUMBER})"
    r" (?:grid|matrix|array|arrangement|pattern)(?! of)"
)


def arranged(line: Line, i: int) -> Chunk | None:
    for pattern, kind in ((_ROW, "row"), (_COLUMN, "column"), (_EVEN, "even")):
        found = line.match(pattern, i)
        if found is not None:
            return Arrangement(i, found[1], kind=cast("Literal['row', 'column', 'even']", kind))
    return None


def gapped(line: Line, i: int) -> Chunk | None:
    found = line.match(_GAP, i)
    if found is None:
        return None
    group = found[0].groupdict()
    value = number(group["value"] or group["value2"] or "")
    short = (group["unit"] or group["unit2"] or "").strip()
    if value is None:
        return None
    gap = (
        Measure(value / 10)
        if short.startswith("grid")
        else Measure(value, "canvas" if short in {"", "of the canvas"} else unit(short))
    )
    return Arrangement(i, found[1], kind="gap", gap=gap)


def gridded(line: Line, i: int) -> Chunk | None:
    """Rows first, as matrices are named: a 3 by 4 grid has 3 rows and 4 columns."""
    found = line.match(_GRID, i)
    if found is None:
        return None
    rows, columns = number(found[0].group("rows")), number(found[0].group("columns"))
    if rows is None or columns is None or rows != int(rows) or columns != int(columns):
        return None
    return Arrangement(i, found[1], kind="grid", rows=int(rows), columns=int(columns))
