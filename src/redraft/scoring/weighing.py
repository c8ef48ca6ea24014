"""What recent prompts take off each card: repeated words, and where it is wanted a repeated composition. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from redraft.scoring.cards import IdeaCard
from redraft.scoring.composition import Facets, cooled_down, facets_of, overused, repetition
from redraft.scoring.novelty import Motif, penalty, recent_motifs, summary
from redraft.scoring.settings import NoveltySettings

__all__ = ["Weighed", "weighed"]


@dataclass(frozen=True)
class Weighed:
    """What a selection takes, and what a judge is told."""

    penalties: Mapping[str, float] = field(default_factory=dict[str, float])
    """Points by card id, 0 to `max_penalty`."""
    barred: frozenset[str] = frozenset()
    """Cards on cooldown."""
    motifs: tuple[Motif, ...] = ()
    composition: tuple[str, ...] = ()
    """What recent compositions have in common."""

    summary: str = ""
    """For a judge: what is overused, in a few lines."""


def weighed(
    cards: Sequence[IdeaCard], prompts: Sequence[str], asked: Sequence[str], settings: NoveltySettings
) -> Weighed:
    """Weigh cards against `prompts`, the recent ones with the newest last; words of `asked` never count.

    With `settings.composition` the points for words and those for the composition are added, `max_penalty` at most.
    """
    recent, most = recent_motifs(prompts, asked), settings.max_penalty
    points = {card.id: penalty(card, recent, most) for card in cards}
    usual: tuple[str, ...] = ()
    barred: set[str] = set()
    if settings.composition or settings.cooldown:
        facets = [facets_of(prompt) for prompt in prompts]
        own = {card.id: _facets(card) for card in cards}
        if settings.composition:
            usual = overused(facets)
            points = {id_: min(most, lost + most * repetition(own[id_], facets)) for id_, lost in points.items()}
        barred = {id_ for id_, seen in own.items() if not cooled_down(seen, facets, settings.cooldown)}
    told = "\n".join(filter(None, (summary(recent), *usual)))
    return Weighed(points, frozenset(barred), recent.motifs, usual, told)


def _facets(card: IdeaCard) -> Facets:
    entries = (entry for entries in card.options.values() for entry in entries)
    return facets_of(". ".join((card.hook, card.narrative, *entries)))
