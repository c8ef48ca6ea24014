"""Numbers in a brief that an action has to account for: lengths, angles, and those that may be either, or a count.

Digits and units are read, and the English words that make a number a limit. Digits in a name of the board ("C1",
"U1.4", "R1-R4", a net), in a value ("100 nF", "10k", "0603"), or in a list's numbering do not count, nor do numbers in
words ("half a millimeter").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from redraft.layout.items import Layout
from redraft.studios.board.words.names import NOUNS, named_text

Kind = Literal["length", "angle", "bare"]

_MILLIMETERS = {
    "mm": 1.0, "millimeters?": 1.0, "millimetres?": 1.0, "millimètres?": 1.0, "milímetros?": 1.0, "millimetri": 1.0,
    "мм": 1.0, "毫米": 1.0, "ミリ(?:メートル)?": 1.0, "밀리미터": 1.0, "cm": 10.0, "m": 1000.0, "[uµμ]m": 1e-3,
    "microns?": 1e-3, "nm": 1e-6, "mils?": 0.0254, "thou": 0.0254, "inch(?:es)?": 25.4, "zoll": 25.4, "pouces?": 25.4,
    "pulgadas?": 25.4, "pollic[ei]": 25.4, "英寸": 25.4, "インチ": 25.4, "인치": 25.4, "in": 25.4, "[\"”″]": 25.4,
}  # fmt: skip
_ANGLES = r"[°º](?! ?[CF]\b)|deg(?:ree)?s?|grad|gradi|degrés?|grados?|度|градус\w*|도"
_ELSE = r"[pnuµμmkMG]?(?:F|H|V|A|W|Ω|\u2126|Hz|s|ohms?|Ohms?|bits?|Bd|dB)|oz|°[CF]"
"""Units of values other than places: a number before one is a value."""
_JOIN = r"[ \u00a0\u202f-]?"
_UNIT = re.compile(rf"{_JOIN}(?:(?P<length>{'|'.join(_MILLIMETERS)})|(?P<angle>{_ANGLES}))(?![^\W\d_])", re.IGNORECASE)
_VALUE = re.compile(rf"[ \u00a0\u202f]?(?:{_ELSE})(?![^\W_])")
_TIMES = re.compile(r"(?<=\d)(?: ?[x×*] ?)(?=\d)")
_DIGITS = re.compile(
    r"(?<![\w.,])(?<![^\W\d_]-)(?P<sign>(?<![\w)\]])[-−])?"
    r"(?:(?P<whole>\d+ )?(?P<over>\d+)[/⁄](?P<under>[1-9]\d*)|(?P<before>\d+)?(?P<part>[¼-¾⅐-⅞])"
    r"|(?P<digits>\d+(?:[.,]\d+)*|\.\d+)(?P<power>[eE][-+]?\d{1,2})?)"
)
LIMIT_REACH = 32
"""Characters before a number in which words may make it a limit."""
_LIMIT_BEFORE = re.compile(
    r"(?:\b(?:within|inside|at (?:the )?(?:least|most)|up to|(?:more|less|closer|farther|further|nearer|greater) than"
    r"|under|(?:max|min)(?:imum|imal)?\.?(?: of)?|between|between [\d.,]+ ?\w{0,4} and|from [\d.,]+ ?\w{0,4} to)"
    r"|[<>≤≥]=?|\d ?(?:mm|mils?|in|cm)? ?(?:-|–|to))\s*$",
    re.IGNORECASE,
)
_LIMIT_AFTER = re.compile(
    r"\s*,?\s*(?:or (?:more|less|closer)\b|at (?:least|most)\b|(?:max|min)(?:imum|imal)?\b|\+|(?:-|–|to) ?\d)",
    re.IGNORECASE,
)
_SIZE_OF = re.compile(
    rf"[ \u00a0-]?(?:{'|'.join(sorted(map(re.escape, NOUNS), key=len, reverse=True))})s?\b", re.IGNORECASE
)
_LISTED = re.compile(r"[^\S\n]*\(?\d+[.)](?=\s)")


@dataclass(frozen=True)
class Number:
    """One number as written. Lengths are in millimeters, angles in degrees."""

    text: str
    start: int
    end: int
    """End of the digits, in the brief's text in NFC."""
    kind: Kind
    readings: tuple[tuple[float, ...], ...]
    """The numbers that it may mean; "10,5" may be one number or two."""
    limits: bool = False
    """English words or signs around it set a limit ("within 2 mm", "≤ 2 mm"): otherwise it is met exactly."""
    sizes: bool = False
    """It stands directly before a kind of component ("the 3 mm LED"): it may ask for no place."""

    @property
    def whole(self) -> int | None:
        """The count, or the number of a pin or part, that it may be."""
        return int(self.text) if self.kind == "bare" and re.fullmatch(r"\d{1,9}", self.text) else None


def numbers_in(brief: str, layout: Layout) -> tuple[Number, ...]:
    """Return the numbers of a brief, in its order."""
    text = unicodedata.normalize("NFC", brief)
    letters = list(text)
    for token in named_text(text, layout).tokens:
        if token.refs or token.net or token.unknown:
            letters[token.start : token.end] = "_" * (token.end - token.start)
    numbers = _numbers(text, _TIMES.sub(lambda m: " " * len(m[0]), "".join(letters)))
    return tuple(
        replace(
            number,
            limits=bool(
                _LIMIT_BEFORE.search(text[max(0, number.start - LIMIT_REACH) : number.start])
                or _LIMIT_AFTER.match(text, number.start + len(number.text))
            ),
            sizes=_SIZE_OF.match(text, number.start + len(number.text)) is not None,
        )
        for number in numbers
    )


def _numbers(text: str, blotted: str) -> Iterator[Number]:
    """Yield the numbers of a text; `blotted` is the text without the names of parts, pads and nets."""
    lines = [0, *(m.end() for m in re.finditer("\n", blotted))]
    listed = {m.end() for start in lines if (m := _LISTED.match(blotted, start))}
    for match in _DIGITS.finditer(blotted):
        start, end = match.span()
        unit, values = _UNIT.match(blotted, end), _values(match)
        glued = blotted[end : end + 1]
        numbering = end + 1 in listed or (glued == ")" and blotted.rfind("(", 0, end) <= blotted.rfind(")", 0, end))
        leading_zero = re.fullmatch(r"0\d+", match[0]) is not None
        if not values or (unit is None and (numbering or leading_zero or _VALUE.match(blotted, end))):
            continue
        if unit is None and (glued.isalpha() or glued == "_" or re.match(r"-[^\W\d_]", blotted[end:])):
            continue  # "10k", "2nd", "8-pin"
        written = text[start : unit.end() if unit else end]
        if unit is None:
            yield Number(written, start, end, "bare", values)
        elif unit["angle"]:
            yield Number(written, start, end, "angle", values)
        else:
            name = unit[0].strip(" \u00a0\u202f-")
            factor = next(f for pattern, f in _MILLIMETERS.items() if re.fullmatch(pattern, name, re.IGNORECASE))
            scaled = tuple(tuple(round(value * factor, 9) for value in reading) for reading in values)
            if name.casefold() == "in" and unit[0][0].isspace():  # after a space it may be a word as well
                yield Number(written.removesuffix(unit[0]), start, end, "bare", (*values, *scaled))
            else:
                yield Number(written, start, end, "length", scaled)


def _values(match: re.Match[str]) -> tuple[tuple[float, ...], ...]:
    """Return what digits may mean: a comma parts a fraction, thousands, or two numbers. Nothing for "1.2.3"."""
    sign = (-1.0 if match["sign"] else 1.0) * float(f"1{match['power'] or ''}")
    if match["under"]:
        return ((sign * (float(match["whole"] or 0) + float(match["over"]) / float(match["under"])),),)
    if match["part"]:
        return ((sign * (float(match["before"] or 0) + unicodedata.numeric(match["part"])),),)
    digits = match["digits"]
    pieces = re.split("[.,]", digits)
    last = max(digits.rfind("."), digits.rfind(","))
    decimal = float(f"{''.join(pieces[:-1]) or '0'}.{pieces[-1]}") if len(pieces) > 1 else float(digits)
    if len(pieces) > 2:
        whole = float("".join(pieces)) if all(len(p) == 3 for p in pieces[1:]) else None
        if digits[last] in digits[:last]:
            return () if whole is None else ((sign * whole,),)
        return ((sign * decimal,),)
    readings: list[tuple[float, ...]] = [(sign * decimal,)]
    if len(pieces) == 2 and len(pieces[1]) == 3 and pieces[0] not in {"", "0"}:
        readings.append((sign * float("".join(pieces)),))
    if "," in digits:
        readings.append((sign * float(pieces[0]), float(pieces[1])))
    return tuple(readings)
