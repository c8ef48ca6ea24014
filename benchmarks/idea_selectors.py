"""The selectors that `idea_selection.py` compares. Each sees cards, scores and what was chosen before, and no final
prompt of a card that was not chosen."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from idea_facts import words
from idea_pool import Candidate, Slot
from redraft.ideas.novelty import Weighed, weighed
from redraft.ideas.selection import select
from redraft.ideas.settings import NoveltySettings
from redraft.record.journal import derive_seed

WINDOW = NoveltySettings().window
MOST = NoveltySettings().max_penalty

Selector = Callable[[Slot, Sequence[Candidate], int], Candidate]
"""A slot, what was chosen before (oldest first), and a number that differs from repeat to repeat."""


def by_chance(slot: Slot, past: Sequence[Candidate], repeat: int) -> Candidate:
    """Any, each as likely."""
    return random.Random(derive_seed(slot.seed, f"chance-{repeat}")).choice(slot.candidates)


def top_score(slot: Slot, past: Sequence[Candidate], repeat: int) -> Candidate:
    """The best score, the first of equals."""
    return max(slot.candidates, key=lambda candidate: candidate.score)


def mmr(weight: float) -> Selector:
    """Maximal marginal relevance (Carbonell and Goldstein, 1998): the score, less the likeness to the most alike of the
    cards chosen before; word counts, cosine."""

    def choose(slot: Slot, past: Sequence[Candidate], repeat: int) -> Candidate:
        def value(candidate: Candidate) -> float:
            alike = max((cosine(candidate.idea, other.idea) for other in past[-WINDOW:]), default=0.0)
            return weight * candidate.score / 100 - (1 - weight) * alike

        return max(slot.candidates, key=value)

    return choose


@dataclass(frozen=True)
class Redraft:
    """redraft's own choice, as `loop/ideas.py` puts it together from the settings."""

    exploration_rate: float = 0.0
    novelty: bool = False
    most: float = MOST
    """Points that a card can lose."""

    def __call__(self, slot: Slot, past: Sequence[Candidate], repeat: int) -> Candidate:
        lost = self.weighed(slot, [candidate.text for candidate in past[-WINDOW:]])
        chosen = select(
            {candidate.card.id: candidate.score for candidate in slot.candidates},
            exploration_rate=self.exploration_rate,
            rng=random.Random(derive_seed(slot.seed, f"selection-{repeat}")),
            penalties=lost.penalties,
        )
        return next(candidate for candidate in slot.candidates if candidate.card.id == chosen.selected_id)

    def weighed(self, slot: Slot, recent: Sequence[str]) -> Weighed:
        """What recent prompts take off each card."""
        if not self.novelty or not recent:
            return Weighed()
        settings = NoveltySettings(max_penalty=self.most)
        return weighed([candidate.card for candidate in slot.candidates], recent, (slot.task.words,), settings)


@cache
def _counted(text: str) -> tuple[Counter[str], float]:
    counted = Counter(words(text))
    return counted, math.sqrt(sum(count * count for count in counted.values()))


def cosine(a: str, b: str) -> float:
    """Of word counts; 0 for a text without words."""
    (one, size), (other, length) = _counted(a), _counted(b)
    return sum(count * other[word] for word, count in one.items()) / (size * length) if size and length else 0.0


TOP = "top score"
SELECTORS: dict[str, Selector] = {
    "random": by_chance,
    TOP: top_score,
    "MMR, 0.7 score": mmr(0.7),
    "MMR, 0.5 score": mmr(0.5),
    "redraft, plain": Redraft(),
    "redraft, ε 0.15": Redraft(0.15),
    "redraft, ε 0.5": Redraft(0.5),
    "redraft, novelty": Redraft(novelty=True),
    "redraft, ε 0.15, novelty": Redraft(0.15, novelty=True),
    "redraft, novelty up to 60": Redraft(0.15, novelty=True, most=60),
    "redraft, novelty up to 100": Redraft(0.15, novelty=True, most=100),
}
"""`ε 0.15, novelty` is redraft's default once scoring is on; the lines after it have that and what they say, `up to`
the points that `prompt.scoring.novelty.max_penalty` allows (20 by default)."""
DEFAULT = "redraft, ε 0.15, novelty"
BY_CHANCE = frozenset(
    {"random"} | {name for name, s in SELECTORS.items() if isinstance(s, Redraft) and s.exploration_rate}
)
"""Those that another repeat may choose otherwise."""
