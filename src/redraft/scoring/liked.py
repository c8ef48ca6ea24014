"""Reading a like word by word: what of it is broad, what a motif, what a name, what a colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from redraft.scoring.colour_words import colour_spans
from redraft.scoring.word_forms import forms, is_stop, phrase_spans, word_list, word_lists, words

__all__ = ["BROAD", "Like", "LikedWord", "is_broad", "joins", "read_like"]

BROAD = "broad_words.yaml"
_LONGEST_JOIN = 3
"""So many words written apart are also compared as one: "light house", "candle-light"."""
_SHORTEST_JOIN = 5

_Kind = Literal["broad", "colour", "motif", "name", "stop"]


@dataclass(frozen=True)
class LikedWord:
    """One word of a like."""

    text: str
    """Folded."""
    shown: str
    """For a person or a prompt."""
    kind: _Kind

    @property
    def forbidden(self) -> bool:
        return self.kind in {"motif", "name"}


@dataclass(frozen=True)
class Like:
    """A like and its words."""

    text: str
    words: tuple[LikedWord, ...]
    joined: frozenset[str]
    """Forms of neighbouring words written together."""

    def broad_rows(self) -> Iterator[str]:
        """Rows of broad words, two or more with content: each may be said alone, the row may not."""
        row: list[LikedWord] = []
        for word in (*self.words, None):
            if word is not None and word.kind in {"broad", "stop"}:
                row.append(word)
                continue
            content = [at for at, kept in enumerate(row) if kept.kind == "broad"]
            if len(content) > 1:
                yield " ".join(kept.shown for kept in row[content[0] : content[-1] + 1])
            row = []


@lru_cache(maxsize=2_000)
def read_like(text: str) -> Like:
    """A like, word by word."""
    pieces = [(token, piece) for piece in text.split() for token in words(piece)]
    kinds = _kinds(pieces)
    read = tuple(
        LikedWord(token, _shown(piece, token), kind) for (token, piece), kind in zip(pieces, kinds, strict=True)
    )
    joined = (
        word
        for at in range(len(read))
        for span, word in joins([word.text for word in read], at)
        if all(read[inner].kind != "stop" for inner in span)
    )
    return Like(text, read, frozenset(form for word in joined for form in forms(word)))


def is_broad(word: str) -> bool:
    """Whether a folded word, or what it is a form of, says nothing in particular."""
    lists = word_lists(BROAD)
    return not (forms(word).isdisjoint(lists["adjectives"]) and forms(word).isdisjoint(lists["nouns"]))


def joins(tokens: Sequence[str], at: int) -> Iterator[tuple[range, str]]:
    """Neighbouring words from there on written as one, where that is no broad word."""
    for size in range(2, _LONGEST_JOIN + 1):
        joined = "".join(tokens[at : at + size])
        if at + size <= len(tokens) and len(joined) >= _SHORTEST_JOIN and not is_broad(joined):
            yield range(at, at + size), joined


def _kinds(pieces: Sequence[tuple[str, str]]) -> list[_Kind]:
    tokens = [token for token, _ in pieces]
    coloured = {at for span in colour_spans(tokens) for at in span}
    broad = {at for span in phrase_spans(tokens, word_list(BROAD, "phrases")) for at in span}
    return [
        "stop"
        if is_stop(token)
        else "colour"
        if at in coloured
        else "broad"
        if at in broad or is_broad(token)
        else "name"
        if _named([piece for _, piece in pieces], at)
        else "motif"
        for at, token in enumerate(tokens)
    ]


def _named(pieces: Sequence[str], at: int) -> bool:
    """Whether a word is written as a name: with a capital, and not only because a like begins with it."""
    beside = [pieces[near] for near in (at - 1, at + 1) if 0 <= near < len(pieces)]
    return _capital(pieces[at]) and (at > 0 or not beside or any(map(_capital, beside)))


def _capital(piece: str) -> bool:
    return piece.lstrip("\"'“‘«(-")[:1].isupper()


def _shown(piece: str, token: str) -> str:
    """As it is written, where a piece is one word; else folded."""
    if len(words(piece)) > 1:
        return token
    bare = "".join(c for c in piece if c.isalnum() or c in "-'’").strip("-'’") or token
    return bare if _capital(bare) else bare.lower()
