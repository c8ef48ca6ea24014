"""Constraints in plain sentences, one each, for prompts and pages."""

from __future__ import annotations

from redraft.spatial.lexicon.words import plural
from redraft.spatial.reading import (
    Align,
    Angle,
    Compare,
    Constraint,
    Count,
    EqualSpacing,
    Grid,
    Measure,
    Place,
    Progression,
    Reading,
    Relate,
    Selector,
    Size,
)  # fmt: skip

__all__ = ["describe"]

_RELATIONS = {
    "left_of": "left of", "right_of": "right of", "above": "above", "below": "below", "beside": "beside",
    "inside": "inside",
    "on": "on", "between": "between", "in_front_of": "in front of", "behind": "behind", "near": "near",
    "far": "far from",
}  # fmt: skip
_DEGREES = {
    "touching": ", touching",
    "near": ", close",
    "plain": "",
    "far": ", far",
    "much_further": ", at a gap of about 0.3",
}
_NTH = {
    1: "first",
    2: "second",
    3: "third",
    4: "fourth",
    5: "fifth",
    6: "sixth",
    7: "seventh",
    8: "eighth",
    9: "ninth",
    10: "tenth",
    -1: "last",
}


def describe(reading: Reading) -> list[str]:
    """One sentence for each constraint that is certain, and one for each colour asked for."""
    facts = [_sentence(reading, c) for c in reading.constraints if c.certain]
    colours = [f"{_all(reading, Selector(m.id))} is {m.colour}" for m in reading.mentions if m.colour and m.count != 0]
    return facts + colours


def _sentence(reading: Reading, fact: Constraint) -> str:
    match fact:
        case Count():
            sentence = _count(reading, fact)
        case Relate():
            sentence = _relate(reading, fact)
        case Compare():
            sentence = _compare(reading, fact)
        case Size():
            sentence = _size(reading, fact)
        case Place():
            sentence = _place(reading, fact)
        case Angle():
            sentence = _angle(reading, fact)
        case _:
            sentence = _arrangement(reading, fact)
    return sentence


def _angle(reading: Reading, fact: Angle) -> str:
    where = "clockwise from straight up, seen from the centre of its whole"
    return f"{_all(reading, fact.selector)} points {fact.degrees:g}° {where}"


def _arrangement(reading: Reading, fact: Align | EqualSpacing | Grid | Progression) -> str:
    match fact:
        case Align(selectors=selectors, axis=axis):
            names = " and ".join(_some(reading, s) for s in selectors)
            return f"{names} stand in a {'row' if axis == 'x' else 'column'}"
        case EqualSpacing(axis=axis, gap=gap):
            way = "from left to right" if axis == "x" else "from top to bottom"
            return f"the gaps between {_some(reading, fact.selector)} are equal, {way}{_gap(gap)}"
        case Grid(rows=rows, columns=columns, gap=gap):
            return f"{_some(reading, fact.selector)} form a grid of {rows} rows and {columns} columns{_gap(gap)}"
        case Progression(dimension=dimension, increasing=increasing):
            way = "increases" if increasing else "decreases"
            return f"from one of {_some(reading, fact.selector)} to the next the {dimension} {way}"


def _count(reading: Reading, fact: Count) -> str:
    mention = reading.mention(fact.mention)
    noun = mention.noun if fact.number == 1 else plural(mention.noun)
    much = "at least" if fact.at_least else "exactly"
    where = f" in each {reading.mention(mention.whole).noun}" if mention.whole is not None else ""
    return f"{much} {fact.number} {noun}{where}" if fact.number else f"no {plural(mention.noun)}{where}"


def _relate(reading: Reading, fact: Relate) -> str:
    objects = " and ".join(_one(reading, o) for o in fact.objects)
    if fact.relation == "between" and len(fact.objects) == 1:
        objects = f"two {plural(reading.mention(fact.objects[0].mention).noun)}"
    gap = f", {_length(fact.distance)} away" if fact.distance is not None else ""
    return f"{_all(reading, fact.subjects)} is {_RELATIONS[fact.relation]} {objects}{_DEGREES[fact.degree]}{gap}"


def _compare(reading: Reading, fact: Compare) -> str:
    what = "size" if fact.dimension == "size" else fact.dimension
    bound = ("more than " if fact.factor >= 1 else "less than ") if fact.at_least else ""
    factor = "" if fact.at_least else f"{fact.factor:g} times "
    return f"the {what} of {_one(reading, fact.subjects)} is {bound}{factor}that of {_one(reading, fact.reference)}"


def _size(reading: Reading, fact: Size) -> str:
    sizes = [f"{_length(m)} {way}" for m, way in ((fact.width, "wide"), (fact.height, "high")) if m is not None]
    return f"{_all(reading, fact.selector)} is {' and '.join(sizes)}"


def _place(reading: Reading, fact: Place) -> str:
    where = f"the {fact.spot.replace('_', ' ')}"
    whole = _one(reading, fact.within) if fact.within is not None else "the canvas"
    if fact.side is not None:
        where = f"{where} of the {fact.side} side"
    who = f"the group of {_some(reading, fact.selector)}" if fact.group else _all(reading, fact.selector)
    return f"{who} is at {where} of {whole}"


def _length(measure: Measure) -> str:
    return f"{measure.value:g}" + ("" if measure.unit == "canvas" else f" {measure.unit}")


def _gap(gap: Measure | None) -> str:
    return f", each {_length(gap)}" if gap is not None else ""


def _all(reading: Reading, selector: Selector) -> str:
    """ "the house", "every flower", "the fourth column"."""
    mention = reading.mention(selector.mention)
    if selector.ordinals:
        return _one(reading, selector)
    return f"the {mention.noun}" if mention.count == 1 else f"every {mention.noun}"


def _one(reading: Reading, selector: Selector) -> str:
    mention = reading.mention(selector.mention)
    if selector.others:
        return f"the other {plural(mention.noun)}"
    if selector.ordinals:
        return f"the {' and '.join(_NTH.get(n, f'{n}th') for n in selector.ordinals)} {mention.noun}"
    return f"the {mention.noun}" if mention.count == 1 else f"the {plural(mention.noun)}"


def _some(reading: Reading, selector: Selector) -> str:
    mention = reading.mention(selector.mention)
    return f"the {plural(mention.noun)}" if mention.count != 1 else f"the {mention.noun}"
