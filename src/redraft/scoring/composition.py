"""Novelty of composition: layout, light and medium of recent prompts, which repeated words alone do not show.

Two prompts may share no word and be the same picture again: two halves with a couple between them, at golden hour. The
terms, and the words that mean them, are in `composition.yaml`; what is negated ("no neon", "not a photograph") does not
count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import product

from pydantic import BaseModel, ConfigDict

from redraft.scoring.terms import Phrases, clauses
from redraft.spatial.yamldata import read_yaml

__all__ = ["Facets", "cooled_down", "facets_of", "overused", "repetition"]

KINDS = ("layout", "light", "medium")


class Facets(BaseModel):
    """What a text says of each, in the lexicon's own terms (`two-sided`, `backlit`, `watercolour`), sorted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    layout: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    medium: tuple[str, ...] = ()


def facets_of(text: str) -> Facets:
    """The facets that a text names."""
    rows = list(clauses(text))
    found = {kind: {name for row in rows for _, name in _lexicon()[kind].spotted(row) if name} for kind in KINDS}
    return Facets(**{kind: tuple(sorted(names)) for kind, names in found.items()})


def repetition(facets: Facets, recent: Sequence[Facets]) -> float:
    """How usual a composition is among recent ones, 0 (all of it new) to 1.

    For each term, the share of recent compositions that have it; of these the mean within layout, light and medium, and
    of those that say anything the mean. 0 when nothing is said, or nothing is recent.
    """
    if not recent:
        return 0.0
    means = [sum(_share(kind, term, recent) for term in terms) / len(terms) for kind, terms in _terms(facets) if terms]
    return sum(means) / len(means) if means else 0.0


def cooled_down(facets: Facets, recent: Sequence[Facets], cooldown: int) -> bool:
    """Whether a composition may be used again: none of the last `cooldown` (newest last in `recent`) had the same
    layout, light and medium. Facets that say nothing are never on cooldown.

    One that names several of a kind leaves a choice open, as an idea's options do, and may be used as long as one of
    its choices may.
    """
    last = recent[-cooldown:] if cooldown > 0 else ()
    if not any(terms for _, terms in _terms(facets)):
        return True
    had = {choice for used in last for choice in _choices(used)}
    return any(choice not in had for choice in _choices(facets))


def overused(recent: Sequence[Facets]) -> tuple[str, ...]:
    """For a judge: `layout “centred” in 9 of 25`, most frequent first; what stands in less than a quarter is left
    out, and what stands in one alone."""
    counts = Counter((kind, term) for used in recent for kind, terms in _terms(used) for term in terms)
    often = [(-n, KINDS.index(kind), term) for (kind, term), n in counts.items() if n > 1 and 4 * n >= len(recent)]
    return tuple(f"{KINDS[kind]} “{term}” in {-n} of {len(recent)}" for n, kind, term in sorted(often))


def _terms(facets: Facets) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (("layout", facets.layout), ("light", facets.light), ("medium", facets.medium))


def _share(kind: str, term: str, recent: Sequence[Facets]) -> float:
    return sum(term in dict(_terms(used))[kind] for used in recent) / len(recent)


def _choices(facets: Facets) -> Iterator[tuple[str, ...]]:
    """Every layout with every light and medium that a text leaves open; nothing, where it says nothing."""
    return product(*(terms or ("",) for _, terms in _terms(facets)))


@cache
def _lexicon() -> dict[str, Phrases]:
    """By kind; what only looks like a term has no name."""
    table = read_yaml(files("redraft.scoring").joinpath("composition.yaml").read_text("utf-8"))
    return {kind: Phrases.of({**table[kind], "": table["neither"]}) for kind in KINDS}
