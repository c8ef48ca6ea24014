"""Check in code that a summary of a profile has broad words only.

A word of a like is a *motif* (a *name*, where it is written as one) unless it is a stop word or stands in
`broad_words.yaml`, the adjectives and general nouns that fit any picture. Words are compared by what they may be forms
of, so that case, plurals, hyphens, accents and invisible letters hide nothing. Two or more words of a like in a row are
a *phrase*, whatever they are; stop words alone make none, and one word with stop words about it is that word. A dislike
may be named, whole, after an "avoid" or "no", though a like has words of it too; a color may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from redraft.errors import AbstractionError
from redraft.ideas.artists import ARTISTS, artist_spans
from redraft.ideas.profile import TasteProfile
from redraft.ideas.words import color_codes, color_spans, forms, is_stop, phrase_spans, word_list, word_lists, words

BROAD = "broad_words.yaml"
_LONGEST_JOIN = 3
"""So many words written apart are also compared as one: "light house", "candle-light"."""
_SHORTEST_JOIN = 5

_Kind = Literal["broad", "color", "motif", "name", "stop"]


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
    """Forms of neighboring words written together."""

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
    """Return whether a folded word, or what it is a form of, says nothing in particular."""
    lists = word_lists(BROAD)
    return not (forms(word).isdisjoint(lists["adjectives"]) and forms(word).isdisjoint(lists["nouns"]))


def joins(tokens: Sequence[str], at: int) -> Iterator[tuple[range, str]]:
    """Neighboring words from there on written as one, where that is not a broad word."""
    for size in range(2, _LONGEST_JOIN + 1):
        joined = "".join(tokens[at : at + size])
        if at + size <= len(tokens) and len(joined) >= _SHORTEST_JOIN and not is_broad(joined):
            yield range(at, at + size), joined


def _kinds(pieces: Sequence[tuple[str, str]]) -> list[_Kind]:
    tokens = [token for token, _ in pieces]
    colored = {at for span in color_spans(tokens) for at in span}
    broad = {at for span in phrase_spans(tokens, word_list(BROAD, "phrases")) for at in span}
    return [
        "stop"
        if is_stop(token)
        else "color"
        if at in colored
        else "broad"
        if at in broad or is_broad(token)
        else "name"
        if _named([piece for _, piece in pieces], at)
        else "motif"
        for at, token in enumerate(tokens)
    ]


def _named(pieces: Sequence[str], at: int) -> bool:
    """Return whether a word is written as a name: with a capital, and not only because a like begins with it."""
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


_MOST_NAMED = 8
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n")


@dataclass(frozen=True)
class Leak:
    """Something in a summary that must not be there."""

    kind: Literal["color", "motif", "name", "artist", "phrase"]
    """An `artist` is one that no like names."""
    term: str
    """As the summary has it, folded."""
    like: str = ""
    """The like that it comes from; empty for a color or artist of its own."""


def forbidden_terms(profile: TasteProfile) -> tuple[str, ...]:
    """Return the terms that the summary must not contain, for its prompt; color words are forbidden too, not listed.

    They are the motifs and names of the likes, one each, and broad words that stand in a row in a like.
    """
    found: dict[str, None] = {}
    seen: set[str] = set()
    for like in map(read_like, profile.liked):
        for word in like.words:
            if word.forbidden and not forms(word.text) & seen:
                found[word.shown] = None
                seen |= forms(word.text)
        found.update(dict.fromkeys(like.broad_rows()))
    return tuple(found)


def check_hints(text: str, profile: TasteProfile) -> str:
    """The summary, stripped, when nothing forbidden is in it.

    Raises:
        AbstractionError: `invalid_profile_abstraction: …`, naming each color, motif, artist or n-gram (n ≥ 2) of the
            likes, and the like that it comes from; or the summary is empty.
    """
    hints = text.strip()
    if not words(hints):
        raise AbstractionError(f"The summary of the taste has no words: it is {text[:60]!r}. Expected: a few lines.")
    if found := leaks(hints, profile):
        raise AbstractionError(_complaint(found))
    return hints


def leaks(text: str, profile: TasteProfile) -> list[Leak]:
    """All that a summary says and must not, each once: phrases, then words, then colors."""
    tokens = words(text)
    likes = [read_like(like) for like in profile.liked]
    covered = _avoided(text, profile.disliked)
    found: dict[Leak, None] = {}
    for span, leak in (*_phrases(tokens, likes), *_single(tokens, likes)):
        if not (covered.issuperset(span) if leak.kind == "phrase" else covered.intersection(span)):
            found[leak] = None
            covered.update(span)
    for span in artist_spans(text):
        if not covered.intersection(span):
            found[Leak("artist", _term(tokens, span))] = None
            covered.update(span)
    for span in color_spans(tokens):
        color = _term(tokens, span)
        found[Leak("color", color, _like_with(tokens[span.stop - 1], likes))] = None
    found.update((Leak("color", code), None) for code in color_codes(text))
    return list(found)


def _complaint(found: Sequence[Leak]) -> str:
    named = "; ".join(
        f"{leak.kind} {leak.term!r}" + (f" (of the like {leak.like!r})" if leak.like else "")
        for leak in found[:_MOST_NAMED]
    )
    more = f"; and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return (
        f"The summary of the taste shows what the generator of ideas must not see: {named}{more}. Broad "
        "adjectives, style in general terms and what to avoid are allowed; no color, and no motif, name or row of "
        "words from what is liked."
    )


def _term(tokens: Sequence[str], span: range) -> str:
    return " ".join(tokens[span.start : span.stop])


def _avoided(text: str, disliked: Sequence[str]) -> set[int]:
    """Return the words of a text that are a whole dislike, after an "avoid" or "no" in the same sentence."""
    named = [words(dislike) for dislike in disliked]
    found: set[int] = set()
    start = 0
    for sentence in _SENTENCE_END.split(text):
        tokens = words(sentence)
        behind = next((at for at, token in enumerate(tokens) if token in word_lists(BROAD)["avoiding"]), len(tokens))
        for at in range(behind, len(tokens)):
            for dislike in named:
                if dislike and _same(tokens[at : at + len(dislike)], dislike):
                    found.update(range(start + at, start + at + len(dislike)))
        start += len(tokens)
    return found


def _same(tokens: Sequence[str], others: Sequence[str]) -> bool:
    return len(tokens) == len(others) and all(forms(a) & forms(b) for a, b in zip(tokens, others, strict=True))


def _phrases(tokens: Sequence[str], likes: Sequence[Like]) -> Iterator[tuple[range, Leak]]:
    """The longest rows of words that a text shares with a like, two of them or more with content."""
    starts = _starts(likes)
    end = 0
    for at in range(len(tokens)):
        if at < end or is_stop(tokens[at]):
            continue
        places = {place for form in forms(tokens[at]) for place in starts.get(form, ())}
        rows = [(_shared(tokens, at, likes[which], start), which) for which, start in sorted(places)]
        size, which = max(rows, key=lambda row: row[0], default=(0, 0))
        if size:
            end = at + size
            span = range(at, end)
            yield span, Leak("phrase", _term(tokens, span), likes[which].text)


def _starts(likes: Sequence[Like]) -> dict[str, list[tuple[int, int]]]:
    """The words of likes by form, as starts of a row: the like and the word's index."""
    starts: dict[str, list[tuple[int, int]]] = {}
    for which, like in enumerate(likes):
        for at, word in enumerate(like.words[:-1]):
            if word.kind != "stop":
                for form in forms(word.text):
                    starts.setdefault(form, []).append((which, at))
    return starts


def _shared(tokens: Sequence[str], at: int, like: Like, start: int) -> int:
    """Count the words from there on that are the same, up to the last with content; 0 when only one has any."""
    size = content = 0
    for further, (token, word) in enumerate(zip(tokens[at:], like.words[start:], strict=False), start=1):
        if not forms(token) & forms(word.text):
            break
        if word.kind != "stop":
            size, content = further, content + 1
    return size if content > 1 else 0


def _single(tokens: Sequence[str], likes: Sequence[Like]) -> Iterator[tuple[range, Leak]]:
    """Words of the likes, then neighbors that are one when written together; and artists written apart."""
    by_form = _by_form(likes)
    for span, word in _candidates(tokens):
        known = forms(word)
        term = _term(tokens, span)
        hit = next((by_form[form] for form in sorted(known) if form in by_form), None)
        if hit is not None:
            yield span, Leak(hit[0], term, hit[1])
        elif not known.isdisjoint(word_lists(ARTISTS)["surnames"]):
            yield span, Leak("artist", term)


def _candidates(tokens: Sequence[str]) -> Iterator[tuple[range, str]]:
    allowed = {at for span in phrase_spans(tokens, word_list(BROAD, "phrases")) for at in span}
    for at, token in enumerate(tokens):
        if at not in allowed and not is_stop(token) and not is_broad(token):
            yield range(at, at + 1), token
    for at in range(len(tokens)):
        yield from joins(tokens, at)


def _by_form(likes: Sequence[Like]) -> dict[str, tuple[Literal["motif", "name"], str]]:
    """The spelling of a motif or name in the likes, by each of its forms, and the first like that has it."""
    found: dict[str, tuple[Literal["motif", "name"], str]] = {}
    for like in likes:
        for word in like.words:
            if word.forbidden:
                for form in forms(word.text):
                    found.setdefault(form, ("name" if word.kind == "name" else "motif", like.text))
        for form in sorted(like.joined):
            found.setdefault(form, ("motif", like.text))
    return found


def _like_with(color: str, likes: Sequence[Like]) -> str:
    """The first like that names the color too."""
    return next((like.text for like in likes if any(word.text == color for word in like.words)), "")
