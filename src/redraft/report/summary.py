"""Many runs in a few figures: how varied their prompts and pictures are, how often a choice explored, what comes again.

Figures of variety come from `redraft.metrics.variety`; what cannot be computed here is left out with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import MissingPartError
from redraft.report.ideas import along, roll_text
from redraft.report.made import Made
from redraft.report.pictures import inside
from redraft.report.words import figure, plural
from redraft.scoring.selection import NoveltyUsed, Scoring

__all__ = ["Figure", "RollMark", "Rolls", "Summary", "money", "pair_figures", "summary_of", "variety_figures"]

MOTIFS = 10
PICTURES = 200
"""Pictures that are compared with each other; the newest of more."""


@dataclass(frozen=True)
class Figure:
    """A number, what it is of, and what it means."""

    name: str
    value: str
    of: str
    """Beside the number: `of 12`."""
    meaning: str


@dataclass(frozen=True)
class RollMark:
    """One roll on the common scale; `anchor` is its run's."""

    at: float
    explores: bool
    anchor: str
    words: str


@dataclass(frozen=True)
class Rolls:
    """All rolls against the one rate that they had in common."""

    rate: str
    band: float
    marks: tuple[RollMark, ...]
    words: str


@dataclass(frozen=True)
class Motif:
    """A word that recent prompts use again and again; `share` in percent of them."""

    term: str
    prompts: int
    share: float


@dataclass(frozen=True)
class Summary:
    """What the page says of all runs together."""

    lead: str
    figures: tuple[Figure, ...]
    about: str
    """What the figures of variety were made from."""
    rolls: Rolls | None
    motifs: tuple[Motif, ...]
    motifs_of: int
    """Prompts that the motifs were counted in."""
    missing: tuple[str, ...]
    """What could not be computed, and why."""


def summary_of(runs: Sequence[Made]) -> Summary:
    """The summary of runs, newest first."""
    told = [made.told for made in runs if made.told]
    figures, missing = variety_figures(told)
    alike, without = _pictures_figure(runs)
    chosen = [made.ideas.scoring for made in runs if made.ideas]
    counted = next((choice.novelty for choice in chosen if choice.novelty.motifs), NoveltyUsed(enabled=False))
    return Summary(
        lead=_lead(runs, chosen),
        figures=(*figures, *alike, *_explored(chosen), *_cost(runs)),
        about=_about(runs, told),
        rolls=_rolls(runs),
        motifs=tuple(Motif(m.term, m.prompts, _share(m.prompts, counted.prompts)) for m in counted.motifs[:MOTIFS]),
        motifs_of=counted.prompts,
        missing=tuple(filter(None, (missing, without))),
    )


def _lead(runs: Sequence[Made], chosen: Sequence[Scoring]) -> str:
    pictures = sum(bool(made.pictures) for made in runs)
    ended = sum(made.status == "ended" for made in runs)
    unfinished = sum(made.status == "unfinished" for made in runs)
    parts = [plural(pictures, "picture")]
    parts += [f"{plural(ended, 'run')} ended early"] if ended else []
    parts += [f"{plural(unfinished, 'run')} {'is' if unfinished == 1 else 'are'} not finished"] if unfinished else []
    said = f"{'; '.join(parts)}."
    if not chosen:
        return f"{said} No ideas were made beforehand."
    explored = sum(choice.selection_mode == "explore" for choice in chosen)
    how = f"the best was taken {_times(len(chosen) - explored)}, the top quartile was drawn from {_times(explored)}"
    return f"{said} In {plural(len(chosen), 'run')} an idea was chosen blind: {how}."


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def variety_figures(texts: Sequence[str]) -> tuple[tuple[Figure, ...], str]:
    """How varied some texts are, and why that cannot be said where it cannot; nothing for fewer than two."""
    if len(texts) < 2:
        return (), ""
    try:
        from redraft.metrics.variety import variety_of

        found = variety_of(texts)
    except MissingPartError as error:
        return (), str(error)
    return (
        Figure("Different in effect", f"{found.vendi:.1f}", f"of {found.texts}", "Vendi score: 1 if all were alike"),
        Figure("Different words", f"{found.distinct_1:.2f}", "", "distinct-1: share of all words, less in long texts"),
        Figure("Different pairs", f"{found.distinct_2:.2f}", "", "distinct-2: the same of pairs of words"),
        Figure("Likeness", f"{found.self_bleu:.2f}", "", "self-BLEU: lower is more varied"),
        Figure("Words in each", f"{found.words:.0f}", "", "the mean; sets of other lengths do not compare"),
    ), ""


def _pictures_figure(runs: Sequence[Made]) -> tuple[tuple[Figure, ...], str]:
    pngs = [path.read_bytes() for made in runs[:PICTURES] if (path := _png_of(made))]
    if len(pngs) < 2:
        return (), ""
    value, why = _likeness(pngs)
    if value is None:
        return (), why
    meaning = "Vendi score of colours and edges" + ("; the newest alone" if len(runs) > PICTURES else "")
    return (Figure("Pictures, in effect", f"{value:.1f}", f"of {len(pngs)}", meaning),), ""


def _likeness(pngs: Sequence[bytes]) -> tuple[float | None, str]:
    try:
        from redraft.metrics.variety import vendi_of_pictures

        return vendi_of_pictures(pngs), ""
    except MissingPartError as error:
        return None, str(error)
    except ValueError as error:
        return None, f"How varied the pictures are is not known: {error}"


def _png_of(made: Made) -> Path | None:
    return next((p for n in made.pictures if n.endswith(".png") and (p := inside(made.run.folder, n))), None)


def _explored(chosen: Sequence[Scoring]) -> list[Figure]:
    if not chosen:
        return []
    explored = sum(choice.selection_mode == "explore" for choice in chosen)
    expected = sum(choice.exploration_rate for choice in chosen)
    share = f"{100 * explored / len(chosen):.0f} %"
    meaning = f"the rates let expect {figure(round(expected, 2))}"
    return [Figure("Explored", share, f"{explored} of {len(chosen)}", meaning)]


def _cost(runs: Sequence[Made]) -> list[Figure]:
    known = [made.transcript.usage.cost for made in runs]
    unknown = sum(cost is None for cost in known)
    total = sum(cost for cost in known if cost is not None)
    if unknown == len(known):
        return [Figure("Cost", "not known", "", "no run has a price for all it used")]
    beside = f"without {plural(unknown, 'run')} whose price is not known" if unknown else "model calls and pictures"
    return [Figure("Cost", money(total), "", beside)]


def money(dollars: float | None) -> str:
    """US dollars, or that the price is unknown."""
    if dollars is None:
        return "not known"
    return "nothing" if dollars == 0 else f"${dollars:.4f}" if dollars < 1 else f"${dollars:,.2f}"


def _about(runs: Sequence[Made], told: Sequence[str]) -> str:
    if len(told) < 2:
        return ""
    prompts = sum(bool(made.prompt) for made in runs)
    if prompts == len(told):
        return f"Variety is that of {prompts} final prompts."
    if not prompts:
        return f"Variety is that of the {len(told)} ideas that were chosen."
    return f"Variety is that of {prompts} final prompts and {plural(len(told) - prompts, 'chosen idea')}."


def _rolls(runs: Sequence[Made]) -> Rolls | None:
    """On one scale; None where the rates differ, or there is nothing to compare."""
    rolled = [(made.ideas.scoring, made.anchor) for made in runs if made.ideas]
    rates = {choice.exploration_rate for choice, _ in rolled}
    if len(rolled) < 2 or len(rates) > 1:
        return None
    rate = rates.pop()
    marks = tuple(_mark(choice, anchor) for choice, anchor in rolled)
    below = sum(mark.explores for mark in marks)
    words = f"{len(marks)} rolls between 0 and 1; {below} of them below the exploration rate of {figure(rate)}."
    return Rolls(figure(rate), along(rate), marks, words)


def _mark(choice: Scoring, anchor: str) -> RollMark:
    explores = choice.selection_mode == "explore"
    roll = roll_text(choice.exploration_roll, choice.exploration_rate)
    words = f"{roll}: {'explored' if explores else 'took the best'}, card {choice.selected_id}"
    return RollMark(along(choice.exploration_roll), explores, anchor, words)


def _share(part: int, whole: int) -> float:
    return round(min(100.0, 100 * part / whole), 2) if whole > 0 else 0.0


def pair_figures(first: Made, second: Made, alike: float, what: str) -> tuple[Figure, ...]:
    """How far two runs are from each other; `alike` is the share of words that their texts (`what`) have in common."""
    figures = [Figure("Words in common", f"{100 * alike:.0f} %", "", f"{what.lower()}, in the same order")]
    told = [made.told for made in (first, second) if made.told]
    if len(told) == 2:
        found, _ = variety_figures(told)
        figures += [one for one in found if one.name in ("Different in effect", "Likeness")]
    alike_pictures, _ = _pictures_figure((first, second))
    return (*figures, *alike_pictures)
