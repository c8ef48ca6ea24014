"""Two texts as the drawing grammar reads them, compared: whether one says all that the other asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from redraft.english.reading import Constraint, Mention, Reading, Selector
from redraft.offline.ideas.request import reading_of

__all__ = ["fact_of", "relations_of", "says_all"]


def says_all(text: str, asked: str) -> bool:
    """Whether a text reads as all that another asks for: things, numbers, colours, and how they stand to each other."""
    whole, brief = reading_of(text), reading_of(asked)
    if whole is None or brief is None:
        return False
    left = [fact_of(whole, m) for m in whole.mentions]
    told = list(relations_of(whole))
    for fact in (fact_of(brief, m) for m in brief.mentions):
        if fact not in left:
            return False
        left.remove(fact)
    return all(relation in told for relation in relations_of(brief))


def fact_of(reading: Reading, mention: Mention) -> tuple[str, str, str, str]:
    whole = reading.mention(mention.whole).noun if mention.whole is not None else ""
    return (mention.noun, str(mention.count), mention.colour or "", whole)


def relations_of(reading: Reading) -> Iterator[tuple[str, ...]]:
    """Everything that is stated beside numbers, by nouns instead of references."""
    for fact in reading.constraints:
        if type(fact).__name__ != "Count":
            yield (type(fact).__name__, *_nouns(reading, fact))


def _nouns(reading: Reading, fact: Constraint) -> Iterator[str]:
    for value in cast("Mapping[str, object]", vars(fact)).values():
        parts = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        for part in parts:
            yield reading.mention(part.mention).noun + str(part.ordinals) if isinstance(part, Selector) else str(part)
