"""Artists named in a text: by a list of names, and by how a name is written and what stands beside it.

`artists.yaml` has the facts. A surname that means nothing else counts wherever it stands ("monet"). Any other word
counts as a name where the text says so: behind whose manner it is ("in the style of Simon …", "by Loish"), before what
one speaks of with a name ("Hopper light", "Zorn's portraits"), behind a given name, initials or a particle ("Wes
Anderson", "J. C. Leyendecker", "van Gogh"), or with an ending ("Boschian", "Otomo-esque"). A capital proves nothing at
the start of a clause or in a line where most words have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.ideas.words import forms, is_stop, phrase_spans, word_list, word_lists, words

ARTISTS = "artists.yaml"
_BROAD = "broad_words.yaml"
_HYPHENS = re.compile(r"[-‐‑–_/.]+")
_BREAK = re.compile(r"[.!?:;,)\]]['\"”’]?$")
_START = re.compile(r"[.!?:;—–]['\"”’)]?$")
_MARKED = frozenset({"like", "style", "inspired", "esque", "ish"})
"""Behind a name, with a hyphen."""
_NEAR = 3
"""So many words a work may stand behind a possessive."""
_MOSTLY = 4
"""Words of content from which a line may be one of capitals."""


@dataclass(frozen=True)
class _Word:
    text: str
    """Folded."""
    capital: bool
    starts: bool
    """Begins a line, a sentence or what follows a colon."""
    ends: bool
    """Stands before punctuation."""
    possessive: bool
    initial: bool
    """A capital with a dot."""
    titled: bool = False
    """Most words of its clause have a capital."""


def artist_spans(text: str) -> list[range]:
    """Return the spans of `words(text)` that name an artist, in order, without overlaps."""
    read = _read(text)
    tokens = [word.text for word in read]
    listed = phrase_spans(tokens, word_list(ARTISTS, "names"))
    cued = {at for key in ("cues", "hints") for span in phrase_spans(tokens, word_list(ARTISTS, key)) for at in span}
    given = (span for span in _given(read) if span.start not in cued)
    found = [*listed, *_surnames(tokens), *given, *_cued(read), *_beside(read), *_ended(read)]
    taken: set[int] = set()
    spans: list[range] = []
    for span in sorted(found, key=lambda span: (span.start, -len(span))):
        if taken.isdisjoint(span):
            spans.append(span)
            taken.update(span)
    return spans


def _read(text: str) -> list[_Word]:
    found: list[_Word] = []
    for line in text.splitlines():
        clause: list[_Word] = []
        starts = True
        for piece in line.split():
            parts = [part for part in _HYPHENS.split(piece) if words(part)]
            tokens = words(piece)
            shown = parts if len(parts) == len(tokens) else [piece] * len(tokens)
            for at, (token, part) in enumerate(zip(tokens, shown, strict=True)):
                last = at == len(tokens) - 1
                bare = part.lstrip("\"'“‘«(-*•")
                initial = len(token) == 1 and bare[:1].isupper() and "." in piece
                clause.append(
                    _Word(
                        text=token,
                        capital=bare[:1].isupper() and not (bare.isupper() and 1 < len(bare) < 5),
                        starts=starts,
                        ends=last and not initial and _BREAK.search(piece) is not None,
                        possessive=last and re.search(r"['’]s\W*$", piece) is not None,
                        initial=initial,
                    )
                )
                starts = False
            if tokens and not clause[-1].initial and _START.search(piece):
                found += _titled(clause)
                clause, starts = [], True
            elif not tokens:
                starts = starts or piece in {"-", "–", "—", "•", "*"}
        found += _titled(clause)
    return found


def _titled(clause: Sequence[_Word]) -> list[_Word]:
    """The words of a clause, marked where most of them have a capital."""
    content = [word for word in clause if not word.starts and not is_stop(word.text)]
    titled = len(content) >= _MOSTLY and 2 * sum(word.capital for word in content) > len(content)
    return [replace(word, titled=titled) for word in clause]


def _plain(word: str) -> bool:
    """Return whether a word is no name, whatever its capital: a stop word, a broad one, a place, a style."""
    broad, lists = word_lists(_BROAD), word_lists(ARTISTS)
    known = forms(word)
    return (
        is_stop(word)
        or len(word) == 1
        or not word.isalpha()
        or not (
            known.isdisjoint(broad["adjectives"])
            and known.isdisjoint(broad["nouns"])
            and known.isdisjoint(lists["others"])
            and known.isdisjoint(lists["works"])
        )
    )


def _is(word: str, key: str) -> bool:
    return word in word_lists(ARTISTS)[key]


def _proper(word: _Word) -> bool:
    """Return whether a word can only be a name: its capital is not that of a clause or title."""
    return word.capital and not word.starts and not word.titled and not _plain(word.text)


def _surnames(tokens: Sequence[str]) -> Iterator[range]:
    for at, token in enumerate(tokens):
        if not forms(token).isdisjoint(word_lists(ARTISTS)["surnames"]):
            yield range(at, at + 1)


def _given(read: Sequence[_Word]) -> Iterator[range]:
    """A given name, initials or a particle, and a surname."""
    for at, word in enumerate(read[:-1]):
        end = at + 1
        if word.ends or word.possessive:
            continue
        if word.initial:
            while end < len(read) and read[end].initial:
                end += 1
            if end < len(read) and read[end].capital and not _plain(read[end].text):
                yield range(at, end + 1)
        elif _is(word.text, "given") or (_is(word.text, "particles") and not word.starts):
            while end < len(read) - 1 and (_is(read[end].text, "particles") or read[end].initial):
                end += 1
            surname = read[end]
            listed = _is(surname.text, "ambiguous") and _is(word.text, "given")
            written = surname.capital and not _plain(surname.text) and (word.capital or not surname.titled)
            if listed or written:
                yield range(at, end + 1 + (end + 1 < len(read) and not surname.ends and _proper(read[end + 1])))


def _cued(read: Sequence[_Word]) -> Iterator[range]:
    """A name behind words that say whose hand or manner it is, and those that an "and" or comma adds."""
    tokens = [word.text for word in read]
    sure = {span.stop: span for span in phrase_spans(tokens, word_list(ARTISTS, "cues"))}
    cues = sure | {
        span.stop: span for span in phrase_spans(tokens, word_list(ARTISTS, "hints")) if span.stop not in sure
    }
    for at, cue in sorted(cues.items()):
        if at >= len(read) or read[cue.stop - 1].ends:
            continue
        begin, end = at, _name_end(read, at, sure=at in sure)
        while end > begin:
            yield range(begin, end)
            joined = end < len(read) and read[end].text in {"and", "or", "meets"}
            begin, more = end + joined, joined or read[end - 1].ends
            end = _name_end(read, begin, sure=False) if more else begin


def _name_end(read: Sequence[_Word], at: int, *, sure: bool) -> int:
    """Return the end of the name that begins at a place; the place itself where none does."""
    end = at
    while end < len(read) and (_proper(read[end]) or (end > at and _is(read[end].text, "particles"))):
        end += 1
        if read[end - 1].ends or read[end - 1].possessive:
            break
    while end > at and _is(read[end - 1].text, "particles"):
        end -= 1
    if end > at or at >= len(read):
        return end
    following = read[at + 1] if at + 1 < len(read) else None
    if sure and _is(read[at].text, "ambiguous") and (read[at].ends or following is None or is_stop(following.text)):
        return at + 1
    unknown = following is not None and not _plain(following.text) and not read[at].ends
    return at + 2 if _is(read[at].text, "given") and unknown else at


def _beside(read: Sequence[_Word]) -> Iterator[range]:
    """Two capitalized words that are no place or style; or one next to what one speaks of with a name."""
    at = 0
    while at < len(read):
        end = at
        while end < len(read) and (_proper(read[end]) or (end == at and _opens(read, at))):
            end += 1
            if read[end - 1].ends or read[end - 1].possessive:
                break
        if end > at and _is_name(read, at, end):
            yield range(at, end)
        at = max(end, at + 1)


def _opens(read: Sequence[_Word], at: int) -> bool:
    """Return whether a capital at the start of a clause may be that of a name."""
    word = read[at]
    return word.capital and word.starts and not word.titled and not _plain(word.text)


def _is_name(read: Sequence[_Word], at: int, end: int) -> bool:
    if end - at > 1:
        return True
    word, after = read[at], read[end : end + _NEAR]
    follows = bool(after) and not word.ends and (_is(after[0].text, "works") or after[0].text in _MARKED)
    if _is(word.text, "ambiguous"):
        articled = at > 0 and read[at - 1].text in {"a", "an", "the"}
        return follows or (word.possessive if word.starts else not articled)
    if word.starts:
        return False
    return follows or (word.possessive and any(_is(near.text, "works") for near in after))


def _ended(read: Sequence[_Word]) -> Iterator[range]:
    """ "Lynchian", "boschian", "felliniesque"."""
    for at, word in enumerate(read):
        ending = next((end for end in ("esque", "ian") if word.text.endswith(end)), "")
        stem = word.text.removesuffix(ending)
        if not ending or len(stem) < 3 or _plain(word.text) or _is(word.text, "no_artist"):
            continue
        listed = _is(stem, "ambiguous") or _is(stem + "e", "ambiguous")
        if listed or ending == "esque" or _proper(word):
            yield range(at, at + 1)
