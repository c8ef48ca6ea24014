"""What a reading will be held to, as sentences for the prompt: the model should know what is checked."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.spatial.reading import (
    Align,
    Angle,
    Compare,
    Constraint,
    Count,
    EqualSpacing,
    Grid,
    Measure,
    Mention,
    Place,
    Progression,
    Reading,
    Relate,
    Relation,
    Selector,
    Size,
)

__all__ = ["promises"]

_RELATIONS: dict[Relation, str] = {
    "left_of": "to the left of",
    "right_of": "to the right of",
    "above": "above",
    "below": "below",
    "beside": "beside",
    "inside": "inside",
    "on": "on (touching, resting on)",
    "between": "between",
    "in_front_of": "in front of (painted over)",
    "behind": "behind (painted under)",
    "near": "near",
    "far": "far from",
}
_DEGREES = {
    "touching": ", touching",
    "near": ", close by",
    "plain": "",
    "far": ", far away",
    "much_further": ", at a gap of about 0.3",
}


def promises(reading: Reading) -> list[str]:
    """One sentence for each certain constraint, in the reading's order, none twice."""
    said = [_sentence(c, reading) for c in reading.constraints if c.certain]
    return list(dict.fromkeys(said))


def _sentence(constraint: Constraint, reading: Reading) -> str:
    match constraint:
        case Count():
            return _count(constraint, reading)
        case Relate():
            return _relate(constraint, reading)
        case Align() | EqualSpacing() | Grid():
            return _arranged(constraint, reading)
        case Compare() | Progression() | Size():
            return _sized(constraint, reading)
        case Place() | Angle():
            return _placed(constraint, reading)


def _count(count: Count, reading: Reading) -> str:
    mention = reading.mention(count.mention)
    number = f"at least {count.number}" if count.at_least else f"exactly {count.number}"
    whole = f" in each {reading.mention(mention.whole).noun}" if mention.whole else ""
    return f"There is {number} × {mention.noun}{whole}: one part each, with the label {_quoted(mention.noun)}."


def _relate(relate: Relate, reading: Reading) -> str:
    objects = " and ".join(_who(s, reading) for s in relate.objects)
    gap = f", at a gap of {_length(relate.distance)}" if relate.distance else _DEGREES[relate.degree]
    return f"{_who(relate.subjects, reading, start=True)}: {_RELATIONS[relate.relation]} {objects}{gap}."


def _arranged(made: Align | EqualSpacing | Grid, reading: Reading) -> str:
    match made:
        case Align():
            what = "row (same y)" if made.axis == "x" else "column (same x)"
            who = " and ".join(_who(s, reading) for s in made.selectors)
            return f"In one {what}, aligned by {made.edge}: {who}."
        case EqualSpacing():
            gap = f" of {_length(made.gap)}" if made.gap else ""
            return f"{_who(made.selector, reading, start=True)}: equal gaps{gap} from edge to edge along {made.axis}."
        case Grid():
            gap = f", gaps of {_length(made.gap)}" if made.gap else ", equal gaps"
            grid = f"{made.rows} rows and {made.columns} columns"
            return f"{_who(made.selector, reading, start=True)}: a grid of {grid}{gap}."


def _sized(made: Compare | Progression | Size, reading: Reading) -> str:
    match made:
        case Compare():
            factor = f"{'at least ' if made.at_least and made.factor >= 1 else ''}{made.factor:g}"
            limit = "at most " if made.at_least and made.factor < 1 else ""
            subject, reference = _who(made.subjects, reading, start=True), _who(made.reference, reading)
            return f"{subject}: {made.dimension} {limit}{factor} times that of {reference}."
        case Progression():
            way = "increases" if made.increasing else "decreases"
            return f"{_who(made.selector, reading, start=True)}: the {made.dimension} {way} from one to the next."
        case Size():
            sides = [f"{n} {_length(m)}" for n, m in (("width", made.width), ("height", made.height)) if m]
            return f"{_who(made.selector, reading, start=True)}: {' and '.join(sides)}; one scale for all real lengths."


def _placed(made: Place | Angle, reading: Reading) -> str:
    if isinstance(made, Angle):
        who = _who(made.selector, reading, start=True)
        return f"{who}: points {made.degrees:g} degrees clockwise from straight up, from the centre of its whole."
    spot = made.spot.replace("_", " ")
    where = "the canvas" if made.within is None else _who(made.within, reading)
    side = f"the {made.side} side of " if made.side else ""
    group = " (as a group)" if made.group else ""
    return f"{_who(made.selector, reading, start=True)}{group}: at the {spot} of {side}{where}."


def _who(selector: Selector, reading: Reading, *, start: bool = False) -> str:
    mention = reading.mention(selector.mention)
    words = _chosen(selector, mention)
    return words[:1].upper() + words[1:] if start else words


def _chosen(selector: Selector, mention: Mention) -> str:
    if not selector.ordinals:
        return f"the {mention.noun}" if mention.count == 1 else f"every {mention.noun}"
    which = _ordinals(selector.ordinals)
    return f"every {mention.noun} but {which}" if selector.others else f"{mention.noun} {which}"


def _ordinals(ordinals: Sequence[int]) -> str:
    return ", ".join("the last one" if n == -1 else f"number {n}" for n in ordinals) + " (from the left)"


def _length(measure: Measure) -> str:
    return f"{measure.value:g}" if measure.unit == "canvas" else f"{measure.value:g} {measure.unit}"


def _quoted(noun: str) -> str:
    return f'"{noun}"'
