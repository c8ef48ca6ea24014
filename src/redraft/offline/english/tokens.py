"""Words with their places in the text, and a line of them that patterns can be matched against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

_TOKEN = re.compile(
    r"""
    (?P<quote> "[^"\n]{0,200}" | “[^”\n]{0,200}” )
  | (?P<color> \#[0-9a-fA-F]{6}\b )
  | (?P<product> \d+[x×]\d+ \b )
  | (?P<clock> \d{1,2}:\d{2} (?!\d) )
  | (?P<other> \d+/\d+ (?!\w) | (?<![\w.,)])-\d+(?:\.\d+)? (?!\w) )
  | (?P<number> \d{1,3}(?:,\d{3})+ (?![\w,]|\.\d)
              | \d+(?:\.\d+)?(?=(?:mm|cm|m|ft|in|x|mils?|thou|[uµμn]m|deg|°|th|st|nd|rd)\b|\s*%|°)
              | \d+(?:\.\d+)? (?!\w|\.\d) | \.\d+ )
  | (?P<name> [^\W\d_]+\d+\w* )
  | (?P<word> [^\W\d_]+ (?: [-'’] [^\W\d_]+ )* | \w+ )
  | (?P<mark> [.,;:!?()%°×/&"'’] )
  | (?P<dash> — | (?<=\s)–(?=\s) )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """One word, number or mark. `word` is lower case; a quotation is one token, `"`."""

    text: str
    word: str
    start: int
    end: int


_CONTRACTIONS = frozenset({"it's", "that's", "there's"})


def tokenise(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens; what is neither word, number nor mark is dropped. Linear in the text's length.

    A possessive 's stands alone, "3x4" is three tokens, and a dash between words parts them as a comma does.
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, piece, start, end = match.lastgroup, match.group(), match.start(), match.end()
        if kind == "product":
            pieces = re.finditer(r"\d+|\D", piece)
            tokens += [Token(m.group(), m.group(), start + m.start(), start + m.end()) for m in pieces]
            continue
        word = {"quote": '"', "dash": ","}.get(kind or "", piece.lower().replace("’", "'"))
        tail = next((tail for tail in ("'s", "s'") if word.endswith(tail)), "")
        if kind == "word" and tail and len(word) > 2 and word not in _CONTRACTIONS:
            cut = len(piece) - (2 if tail == "'s" else 1)
            tokens.append(Token(piece[:cut], word[:cut], start, start + cut))
            tokens.append(Token(piece[cut:], "'s", start + cut, end))
        else:
            tokens.append(Token(piece, word, start, end))
    return tuple(tokens)


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile a pattern over the words of a line, whole words only. A space is a word break; `(?:very )?` takes one."""
    return re.compile(rf"(?:{pattern})(?=$| )")


class Line:
    """Tokens and their lower-case words joined by single spaces, so that patterns see whole words."""

    def __init__(self, text: str, tokens: tuple[Token, ...]) -> None:
        self.text = text
        self.tokens = tokens
        self.joined = " ".join(t.word for t in tokens)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return (0, *accumulate(len(token.word) + 1 for token in self.tokens))

    @cached_property
    def _index(self) -> dict[int, int]:
        return {at - 1: i for i, at in enumerate(self._starts)}

    def __len__(self) -> int:
        return len(self.tokens)

    def word(self, i: int) -> str:
        """Return the i-th word, empty beyond the ends."""
        return self.tokens[i].word if 0 <= i < len(self.tokens) else ""

    def match(self, pattern: re.Pattern[str], i: int) -> tuple[re.Match[str], int] | None:
        """Return a match that begins at the i-th word, and the index of the word after it."""
        match = pattern.match(self.joined, self._starts[i])
        if match is None or match.end() == match.start():
            return None
        end = match.end()
        while end not in self._index and end > match.start():
            end -= 1
        return match, self._index[end]

    def source(self, i: int, j: int) -> str:
        """Return the words i to j as they stand in the text."""
        return self.text[self.tokens[i].start : self.tokens[j - 1].end] if i < j else ""


_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_NUMBERS = {w: n for n, w in enumerate(_ONES)} | _TENS
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
HUGE = 1e15
"""Larger numbers are read as this one, which is more than anything that a sentence may ask for."""
NUMERAL = r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|\.\d+"
NUMBER = rf"(?:{NUMERAL}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")"
ORDINAL = (
    r"(?:\d+ ?(?:st|nd|rd|th)|last|rightmost|leftmost|" + "|".join(sorted(_ORDINALS, key=len, reverse=True)) + r")"
)
UNIT = (
    r"(?:mm|millimet(?:er|re)s?|cm|centimet(?:er|re)s?|m|met(?:er|re)s?|ft|feet|foot|inch(?:es)?"
    r"|mils?|thou|[uµμ]m|microns?|nm|nanomet(?:er|re)s?)"
)

_UNITS = {
    "millimet": "mm", "centimet": "cm", "met": "m", "f": "ft", "inch": "in", "mil": "mil", "thou": "mil",
    "um": "um", "µm": "um", "μm": "um", "micron": "um", "nanomet": "nm",
}  # fmt: skip
_MILLIMETERS = {
    "mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4, "ft": 304.8, "mil": 0.0254, "um": 0.001, "nm": 1e-6,
}  # fmt: skip


def number(word: str) -> float | None:
    """Return the value of a number in digits or words, `HUGE` at most; None for any other word."""
    if word in _NUMBERS:
        return float(_NUMBERS[word])
    if re.fullmatch(NUMERAL, word):
        return min(float(word.replace(",", "")), HUGE)
    return None


def ordinal(word: str) -> int | None:
    """Return 1 for "first", −1 for "last" and "rightmost"; None for any other word."""
    if word in {"last", "rightmost"}:
        return -1
    if word == "leftmost":
        return 1
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    digits = re.fullmatch(r"(\d+) ?(?:st|nd|rd|th)", word)
    return int(min(float(digits.group(1)), HUGE)) if digits else None


def unit(word: str) -> str:
    """Return the short form of a unit of length."""
    known = (short for long, short in _UNITS.items() if word.startswith(long) and (len(word) > 2 or word == long))
    return next(known, word)


def length_in(value: float, word: str, of: str) -> float | None:
    """Return a length in another unit ("mm", "m", …); without a unit it is in that one. None where they do not fit."""
    short = unit(word) if word else of
    if short == of:
        return value
    if short not in _MILLIMETERS or of not in _MILLIMETERS:
        return None
    return round(value * _MILLIMETERS[short] / _MILLIMETERS[of], 9)


def clock_angles(hour: int, minute: int) -> tuple[float, float]:
    """Return degrees clockwise from up of the hour hand and the minute hand: 30° an hour and 6° a minute."""
    return (hour % 12) * 30.0 + minute * 0.5, minute * 6.0
