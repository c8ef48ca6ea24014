"""How varied a session's images are, and how much of its briefs they kept: the figures of `idea_selection.py`."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from idea_facts import FUNCTION, content_words, forms, kept, words
from idea_pool import Candidate, Session, Slot
from idea_selectors import BY_CHANCE, SELECTORS, Selector
from redraft.metrics.variety import distinct_n, vendi_of_texts
from resampling import interval

CEILING = "(by the measure itself)"


@dataclass(frozen=True)
class Figures:
    """Of one selector in one session, the mean over repeats."""

    variety: float
    content: float
    """Variety of the same words without those of grammar."""
    distinct_2: float
    facts: float
    words: float
    score: float


def without_brief(slot: Slot, text: str) -> list[str]:
    """A final prompt's words without those of its brief."""
    own = {form for word in content_words(slot.task.words) for form in forms(word)}
    return [word for word in words(text) if word not in own]


@dataclass(frozen=True)
class Lengths:
    """Words that every candidate has, without its brief's: what all are cut to."""

    all: int
    content: int
    """Without words of grammar."""


def common_lengths(sessions: Sequence[Session]) -> Lengths:
    texts = [without_brief(slot, c.text) for session in sessions for slot in session.slots for c in slot.candidates]
    return Lengths(min(map(len, texts)), min(len(with_content(text)) for text in texts))


def with_content(text: Sequence[str]) -> list[str]:
    return [word for word in text if word not in FUNCTION]


def cut(slot: Slot, candidate: Candidate, lengths: Lengths, *, content: bool = False) -> str:
    """A final prompt as it is measured."""
    text = without_brief(slot, candidate.text)
    return " ".join(with_content(text)[: lengths.content] if content else text[: lengths.all])


def run(session: Session, selector: Selector, repeat: int) -> list[Candidate]:
    """What a selector chooses in a session."""
    past: list[Candidate] = []
    for slot in session.slots:
        past.append(selector(slot, past, repeat))
    return past


def by_the_measure(session: Session, lengths: Lengths) -> list[Candidate]:
    """Greedily what adds most to the variety measured: an oracle, for the size of the room."""
    past: list[Candidate] = []
    texts: list[str] = []
    for slot in session.slots:
        options = [(vendi_of_texts([*texts, cut(slot, c, lengths)]), c) for c in slot.candidates]
        best = max(options, key=lambda option: option[0])[1]
        past.append(best)
        texts.append(cut(slot, best, lengths))
    return past


def figures(session: Session, chosen: Sequence[Candidate], lengths: Lengths) -> Figures:
    """The figures of one session's choices."""
    pairs = list(zip(session.slots, chosen, strict=True))
    texts = [cut(slot, candidate, lengths) for slot, candidate in pairs]
    stated = [(fact, c.text) for slot, c in pairs for fact in slot.task.facts]
    asked = [
        (word, words(c.text)) for slot, c in pairs if not slot.task.facts for word in content_words(slot.task.words)
    ]
    return Figures(
        variety=vendi_of_texts(texts),
        content=vendi_of_texts([cut(slot, candidate, lengths, content=True) for slot, candidate in pairs]),
        distinct_2=distinct_n(texts, 2),
        facts=statistics.fmean(kept(fact, text) for fact, text in stated),
        words=statistics.fmean(bool(forms(word) & set(text)) for word, text in asked),
        score=statistics.fmean(candidate.score for candidate in chosen),
    )


def mean(several: Sequence[Figures]) -> Figures:
    return Figures(*(statistics.fmean(getattr(one, name) for one in several) for name in Figures.__dataclass_fields__))


def measured(sessions: Sequence[Session], repeats: int, lengths: Lengths) -> dict[str, list[Figures]]:
    """Figures by selector and session."""
    found = {
        name: [
            mean([figures(s, run(s, choose, r), lengths) for r in range(repeats if name in BY_CHANCE else 1)])
            for s in sessions
        ]
        for name, choose in SELECTORS.items()
    }
    return {**found, CEILING: [figures(s, by_the_measure(s, lengths), lengths) for s in sessions]}


def compared(
    ours: Sequence[Figures], base: Sequence[Figures], name: str, draws: Sequence[list[int]], *, ratio: bool
) -> tuple[float, float, float]:
    """A figure against the base's, as a ratio or a difference, with its paired interval over sessions."""
    a, b = [getattr(one, name) for one in ours], [getattr(one, name) for one in base]

    def against(draw: Sequence[int]) -> float:
        x, y = statistics.fmean(a[i] for i in draw), statistics.fmean(b[i] for i in draw)
        return x / y if ratio else x - y

    return against(range(len(a))), *interval(against, draws)


def room(sessions: Sequence[Session]) -> str:
    """Whether the pool leaves a selector anything to lose in alignment."""
    slots = [slot for session in sessions for slot in session.slots if slot.task.facts]
    shares = [{statistics.fmean(kept(f, c.text) for f in slot.task.facts) for c in slot.candidates} for slot in slots]
    differ = sum(len(share) > 1 for share in shares) / len(shares)
    return f"in {differ:.1%} of the GenEval slots the candidates differ in alignment"
