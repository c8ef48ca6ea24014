"""Finding the colours that a text names: by word, by two words together, or as a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from redraft.scoring.word_forms import folded, phrase_spans, word_list, word_lists

__all__ = ["colour_codes", "colour_spans"]

_DATA = "colour_words.yaml"
_CODE = re.compile(
    r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b"
    r"|\b0x[0-9a-f]{6}\b"
    r"|\b(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{6}\b"
    r"|\b(?:rgb|hsl|hsv|hwb|lab|lch|oklab|oklch|cmyk)a?\s*\(\s*[\d.][^()]{0,40}\)?"
)


def colour_codes(text: str) -> list[str]:
    """Colours written as numbers: `#ff8800`, `rgb(255, 136, 0)`; folded, in order."""
    return [found.group() for found in _CODE.finditer(folded(text))]


def colour_spans(tokens: Sequence[str]) -> list[range]:
    """Where the words of a text name a colour, in order. `tokens` are folded words."""
    meant_otherwise = {at for span in phrase_spans(tokens, word_list(_DATA, "idioms")) for at in span}
    together = phrase_spans(tokens, word_list(_DATA, "phrases"))
    inside = {at for span in together for at in span}
    alone = (
        range(at, at + 1)
        for at, token in enumerate(tokens)
        if at not in meant_otherwise and at not in inside and (token in _certain() or _cued(tokens, at))
    )
    return sorted((*together, *alone), key=lambda span: span.start)


@cache
def _certain() -> frozenset[str]:
    lists = word_lists(_DATA)
    return lists["css"] | lists["words"] | frozenset(form for word in lists["basic"] for form in _shades(word))


def _shades(word: str) -> Iterator[str]:
    """A basic colour and its forms: red, reds, redness, reddish; blue, bluish."""
    stem = word.removesuffix("e")
    yield from (word, f"{word}s", f"{word}ness", f"{word}ish", f"{stem}ish", f"{stem}{stem[-1]}ish")


def _cued(tokens: Sequence[str], at: int) -> bool:
    """Whether a thing stands for its colour: "sand tones", "shades of sand"."""
    lists = word_lists(_DATA)
    if tokens[at] not in lists["with_cue"]:
        return False
    before = list(tokens[max(0, at - 2) : at])
    of = len(before) == 2 and before[1] in {"of", "like"} and before[0] in lists["cues_before"]
    return of or not lists["cues_after"].isdisjoint(tokens[at + 1 : at + 2])
