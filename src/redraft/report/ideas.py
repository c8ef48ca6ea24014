"""The choice of an idea as plain values: the cards by rank, the roll on its scale, and the reason, in numbers.

The macros that lay it out are in `templates/ideas.html.j2`; a run's own page, the review and the comparison share them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from redraft.errors import RunFormatError
from redraft.ideas.cards import IdeaCard
from redraft.ideas.selection import NoveltyUsed, Row, Scoring, scoring_of, weights_of
from redraft.report.html import Clipped, Values, clip, figure
from redraft.text import plural

HOOK_LIMIT, NARRATIVE_LIMIT, CHOICE_LIMIT = 300, 1_500, 200
"""Characters of each on a page."""
CHOICES = 12
"""Choices of one option on a page; what goes beyond them is counted."""
MOTIFS = 12
NEAR_AN_END = 12.0
"""Percent of the scale within which words beside a mark would leave the page."""


@dataclass(frozen=True)
class CardView:
    """One card with what it was given and what it lost."""

    id: str
    rank: int
    """From 1, by adjusted score; the earlier of equals first."""
    hook: Clipped
    narrative: Clipped
    options: tuple[Values, ...]
    """Name, choices, and the number of hidden ones (`more`)."""
    avoid: tuple[str, ...]
    score: str
    penalty: str
    """Empty when nothing was taken off."""
    adjusted: str
    share: float
    """Percent of the bar that the adjusted score fills; `lost` is what the penalty took of it, beside that."""
    lost: float
    opinions: tuple[Values, ...]
    """Judge, score, and percent of the bar; one judge alone is the score."""
    chosen: bool
    in_pool: bool
    chance: str
    """Of being drawn, when the choice explored: `52 %`."""


@dataclass(frozen=True)
class RollView:
    """The roll and the exploration rate, in percent of a scale from 0 to 1."""

    explores: bool
    roll: str
    rate: str
    at: float
    band: float
    anchor: str
    """The SVG's text-anchor of the words at the mark."""
    words: str
    """The same in a sentence."""


@dataclass(frozen=True)
class IdeasView:
    """A choice among cards."""

    scoring: Scoring
    """The record of it."""
    summary: str
    """The number of cards and their judges, in a sentence."""
    reason: str
    """The choice in numbers."""
    chosen: CardView
    cards: tuple[CardView, ...]
    """By rank."""
    roll: RollView
    novelty: tuple[str, ...]
    """Sentences on what recent generations had to do with it."""
    hints: str
    """The generator's summary of the profile."""
    facts: tuple[tuple[str, str], ...]


def ideas_in(recorded: JsonValue) -> tuple[IdeasView | None, str]:
    """The view of a transcript's `blackbox_scoring`, and what is wrong with a record that cannot be shown."""
    try:
        scoring = scoring_of(recorded)
        return (None if scoring is None else ideas_view(scoring)), ""
    except RunFormatError as error:
        return None, str(error)


def ideas_view(scoring: Scoring) -> IdeasView:
    """The view of one choice. Raises `RunFormatError` when the record does not hold together."""
    _refuse_gaps(scoring)
    rows = {row.id: row for row in scoring.score_table}
    # Python's sort keeps the order of the cards among equals, as the choice does.
    ranked = sorted(scoring.cards, key=lambda card: -_number(rows[card.id].adjusted_score))
    cards = tuple(_card(card, rows[card.id], rank, scoring) for rank, card in enumerate(ranked, start=1))
    chosen = next(card for card in cards if card.chosen)
    return IdeasView(
        scoring=scoring,
        summary=_summary(scoring),
        reason=_reason(scoring, chosen),
        chosen=chosen,
        cards=cards,
        roll=_roll(scoring),
        novelty=tuple(_novelty(scoring.novelty)),
        hints=scoring.generator_profile_hints,
        facts=tuple(_facts(scoring)),
    )


def _refuse_gaps(scoring: Scoring) -> None:
    cards, rows = [card.id for card in scoring.cards], [row.id for row in scoring.score_table]
    odd = sorted((Counter(cards) - Counter(rows)) + (Counter(rows) - Counter(cards)))
    odd = odd or sorted({scoring.selected_id, *scoring.pool} - {*cards})
    if odd or len(set(cards)) != len(cards):
        raise RunFormatError(
            f"blackbox_scoring of the transcript does not hold together: cards {', '.join(cards) or 'none'}; scores of "
            f"{', '.join(rows) or 'none'}; chosen {scoring.selected_id!r}. It was changed, or cut short."
        )


def _card(card: IdeaCard, row: Row, rank: int, scoring: Scoring) -> CardView:
    share = _percent(row.adjusted_score)
    chances = _chances(scoring)
    return CardView(
        id=card.id,
        rank=rank,
        hook=clip(card.hook, HOOK_LIMIT),
        narrative=clip(card.narrative, NARRATIVE_LIMIT),
        options=tuple(_option(name, choices) for name, choices in list(card.options.items())[:CHOICES]),
        avoid=tuple(clip(word, CHOICE_LIMIT).text for word in card.avoid[:CHOICES]),
        score=points(row.score),
        penalty=_taken(row),
        adjusted=points(row.adjusted_score),
        share=share,
        lost=max(0.0, round(_percent(row.score) - share, 2)),
        opinions=tuple(_opinions(card.id, scoring)),
        chosen=card.id == scoring.selected_id,
        in_pool=card.id in scoring.pool,
        chance=f"{100 * chances[card.id]:.0f} %" if card.id in chances else "",
    )


def _taken(row: Row) -> str:
    """The penalty, rounded so that what stands on the page adds up; empty when nothing was taken."""
    if not row.penalty:
        return ""
    left = round(row.score, 1) - round(row.adjusted_score, 1)
    return points(left if row.adjusted_score > 0 else row.penalty)


def _option(name: str, choices: Sequence[str]) -> Values:
    coloured = "palette" in name.lower() or "colo" in name.lower()
    shown = [swatch(clip(choice, CHOICE_LIMIT).text, coloured=coloured) for choice in choices[:CHOICES]]
    return {"name": name, "choices": shown, "more": max(0, len(choices) - CHOICES)}


def _opinions(card: str, scoring: Scoring) -> list[Values]:
    if len(scoring.judges) < 2:
        return []
    given = ((judge, scores[card]) for judge, scores in scoring.judges.items() if card in scores)
    return [{"judge": judge, "score": score, "share": _percent(score)} for judge, score in given]


def _chances(scoring: Scoring) -> dict[str, float]:
    """Return the chance of each card of the pool, once the choice explored."""
    pool = [row for row in scoring.score_table if row.id in scoring.pool]
    if scoring.selection_mode == "exploit" or not pool:
        return {}
    return {row.id: chance for row, chance in zip(pool, weights_of(pool), strict=True)}


def _summary(scoring: Scoring) -> str:
    cards, judges = plural(len(scoring.cards), "card"), list(scoring.judges)
    if len(judges) < 2:
        return f"{cards}, scored blind by one judge in whole numbers from 0 to 100."
    how = scoring.config_snapshot.aggregate
    weights = {judge.name: judge.weight for judge in scoring.config_snapshot.judges}
    weighted = how == "mean" and len(set(weights.values())) > 1
    named = ", ".join(f"{name} (weight {figure(weights.get(name, 1.0))})" if weighted else name for name in judges)
    return f"{cards}, scored blind by {len(judges)} judges: {named}. The {how} counts."


def _reason(scoring: Scoring, chosen: CardView) -> str:
    won = f"{chosen.adjusted} points"
    if chosen.penalty:
        won += f" ({chosen.score} less {chosen.penalty} for repeating what was made lately)"
    if scoring.selection_mode == "explore":
        pool = " and ".join(filter(None, (", ".join(scoring.pool[:-1]), scoring.pool[-1]))) if scoring.pool else "none"
        chance = f", where its chance was {chosen.chance}" if chosen.chance else ""
        return f"Card {chosen.id} was drawn from the top quartile, {pool}{chance}: {won}."
    if chosen.rank > 1:
        return f"Card {chosen.id} was taken as the best: {won}. By the scores recorded it is number {chosen.rank}."
    return f"Card {chosen.id} has the best adjusted score: {won}."


def _roll(scoring: Scoring) -> RollView:
    explores = scoring.selection_mode == "explore"
    roll, rate = roll_text(scoring.exploration_roll, scoring.exploration_rate), figure(scoring.exploration_rate)
    at = along(scoring.exploration_roll)
    then = "so the top quartile was drawn from" if explores else "so the best was taken"
    below = scoring.exploration_roll < scoring.exploration_rate
    return RollView(
        explores=explores,
        roll=roll,
        rate=rate,
        at=at,
        band=along(scoring.exploration_rate),
        anchor="start" if at < NEAR_AN_END else "end" if at > 100 - NEAR_AN_END else "middle",
        words=f"The roll was {roll}, {'below' if below else 'not below'} the exploration rate of {rate}, {then}.",
    )


def roll_text(roll: float, rate: float) -> str:
    """The roll with as few decimals, at least two, as leave it on its own side of the rate."""
    for decimals in range(2, 17):
        text = f"{roll:.{decimals}f}"
        if (float(text) < rate) == (roll < rate):
            return text
    return repr(roll)


def _novelty(used: NoveltyUsed) -> list[str]:
    if not used.enabled:
        reason = used.off_because.strip().rstrip(".")
        return [f"Recent generations were not used: {reason}."] if reason else []
    said = [f"{plural(used.prompts, 'recent prompt')} looked at."]
    if used.motifs:
        words = ", ".join(f"“{motif.term}” in {motif.prompts}" for motif in used.motifs[:MOTIFS])
        more = len(used.motifs) - MOTIFS
        said.append(f"Used again and again: {words}{f', and {more:,} more' if more > 0 else ''}.")
    else:
        said.append("No word is common to many of them.")
    return said


def _facts(scoring: Scoring) -> list[tuple[str, str]]:
    asked = scoring.config_snapshot
    return [
        ("Exploration rate", figure(scoring.exploration_rate)),
        ("Seed of the roll", str(scoring.seed)),
        ("Judge’s temperature", figure(asked.judge_temperature)),
        ("Penalty at most", points(asked.novelty.max_penalty) if scoring.novelty.enabled else "none: novelty is off"),
    ]


def points(value: float) -> str:
    """At most one decimal: `81`, `74.5`."""
    return f"{value:.1f}".removesuffix(".0")


def along(value: float) -> float:
    """Return the position of a number on a scale from 0 to 1, in percent."""
    return round(100 * min(1.0, max(0.0, _number(value))), 2)


def _percent(score: float) -> float:
    return round(min(100.0, max(0.0, _number(score))), 2)


def _number(value: float) -> float:
    return value if math.isfinite(value) else 0.0


MOST = 4
"""Colors of one text."""
LONGEST = 3
"""Words that one color may take: “pale sky blue”."""

_BETWEEN = re.compile(r"[^a-z\s-]+")
"""Separators of colors in a list: “red, green” are two, “navy blue” is one."""
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True)
class Swatch:
    """A text, and the colors in it as `#rrggbb`, in its order."""

    text: str
    colours: tuple[str, ...] = ()


def swatch(text: str, *, coloured: bool = True) -> Swatch:
    """The colors of a text; none where the lexicon of colors is not installed."""
    return Swatch(text, tuple(_colours(text))) if coloured else Swatch(text)


def _colours(text: str) -> list[str]:
    try:
        from redraft.drawing.palette import hex_of
    except ImportError:  # it comes with the studios that draw
        return []
    found: list[str] = []
    for part in _BETWEEN.split(text.lower()):
        words = _WORD.findall(part)
        while words:
            taken = next((n for n in range(min(LONGEST, len(words)), 0, -1) if hex_of(" ".join(words[:n]))), 0)
            found += [colour] if (colour := hex_of(" ".join(words[:taken]))) else []
            words = words[max(1, taken) :]
    return list(dict.fromkeys(found))[:MOST]
