"""Numbers in words and digits, ordinals, measures, ratios, clock times."""

from __future__ import annotations

import re

__all__ = ["NUMBER", "ORDINAL", "UNIT", "clock_angles", "factor_of", "length_in", "number", "ordinal", "unit"]

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_WORDS = {w: n for n, w in enumerate(_ONES)} | _TENS
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]

NUMBER = r"(?:\d+(?:\.\d+)?|\.\d+|" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")"
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
_MILLIMETRES = {
    "mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4, "ft": 304.8, "mil": 0.0254, "um": 0.001, "nm": 1e-6,
}  # fmt: skip
_FACTORS = {"half": 0.5, "twice": 2.0, "double": 2.0, "thrice": 3.0, "triple": 3.0, "a third": 1 / 3, "a quarter": 0.25}


def number(word: str) -> float | None:
    """The value of a number in digits or words; None for any other word."""
    if word in _WORDS:
        return float(_WORDS[word])
    if re.fullmatch(r"\d+(\.\d+)?|\.\d+", word):
        return float(word)
    return None


def ordinal(word: str) -> int | None:
    """1 for "first", −1 for "last" and "rightmost"; None for any other word."""
    if word in {"last", "rightmost"}:
        return -1
    if word == "leftmost":
        return 1
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    digits = re.fullmatch(r"(\d+) ?(?:st|nd|rd|th)", word)
    return int(digits.group(1)) if digits else None


def unit(word: str) -> str:
    """The short form of a unit of length."""
    known = (short for long, short in _UNITS.items() if word.startswith(long) and (len(word) > 2 or word == long))
    return next(known, word)


def length_in(value: float, word: str, of: str) -> float | None:
    """A length in another unit ("mm", "m", …); without a unit it is in that one. None where they do not go together."""
    short = unit(word) if word else of
    if short == of:
        return value
    if short not in _MILLIMETRES or of not in _MILLIMETRES:
        return None
    return round(value * _MILLIMETRES[short] / _MILLIMETRES[of], 9)


def factor_of(words: str) -> float | None:
    """A ratio: "twice", "half", "three times", "1.5 times", "20 % " (as a share to add)."""
    if words in _FACTORS:
        return _FACTORS[words]
    times = re.fullmatch(rf"({NUMBER}) times", words)
    return number(times.group(1)) if times else None


def clock_angles(hour: int, minute: int) -> tuple[float, float]:
    """Degrees clockwise from up of the hour hand and the minute hand: 30° an hour and 6° a minute."""
    return (hour % 12) * 30.0 + minute * 0.5, minute * 6.0
