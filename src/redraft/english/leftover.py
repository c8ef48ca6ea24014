"""The words that nothing accounts for, as phrases, in the words of the brief."""

from __future__ import annotations

from redraft.english.book import Book
from redraft.english.words import vocabulary

__all__ = ["unchecked"]

_NEUTRAL = frozenset(
    {
        "a",
        "an",
        "the",
        "and",
        "or",
        "of",
        "'s",
        "one",
        "there",
        "as",
        "also",
        "now",
        "please",
        "draw",
        "show",
        "add",
        "then",
    }
)
_CLOSED = ("prepositions", "pronouns", "auxiliaries")


def unchecked(book: Book) -> tuple[str, ...]:
    """Runs of uncovered words, cut at marks and trimmed of function words, and the words of every guess."""
    found: list[str] = []
    start: int | None = None
    for i in range(len(book.line) + 1):
        open_word = i < len(book.line) and i not in book.covered and _wordy(book.line.word(i))
        if open_word and start is None:
            start = i
        elif not open_word and start is not None:
            found.append(_trimmed(book, start, i))
            start = None
    guesses = [c.phrase for c in book.constraints if not c.certain]
    return tuple(dict.fromkeys(p for p in [*found, *guesses] if p))


def _wordy(word: str) -> bool:
    return word == '"' or any(c.isalnum() for c in word)


def _trimmed(book: Book, i: int, j: int) -> str:
    """A run without the function words at its ends; empty when nothing else is in it."""
    while i < j and _empty(book.line.word(i)):
        i += 1
    while j > i and _empty(book.line.word(j - 1)):
        j -= 1
    return book.source(i, j)


def _empty(word: str) -> bool:
    return word in _NEUTRAL or vocabulary().has(word, *_CLOSED)
