"""Programs as words and signs: enough of a reading of GLSL and of Python to compare two texts and to change one.

It is no parser: any text at all can be read, in time linear in its length, and nothing here raises.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

__all__ = ["CLOSERS", "MOST_OF_STATEMENT", "OPENERS", "Edit", "Text", "Token", "edited", "outline", "words"]

Kind = Literal["name", "number", "string", "sign"]

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = {")": "(", "]": "[", "}": "{"}
MOST_OF_STATEMENT = 1_000
"""Tokens of a statement on either side of one of them."""

_NUMBER = r"(?P<number>0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:lf|LF|[fFuU]\b)?)"
_NAME = r"(?P<name>[^\W\d]\w*)"
_HASH = r"(?P<skipped>\#[^\n]*|\s+"
_GLSL = re.compile(
    _HASH
    + r"|//[^\n]*|/\*(?:.*?\*/|.*))|"
    + _NUMBER
    + "|"
    + _NAME
    + r"|(?P<sign><<=|>>=|\+\+|--|[-+*/%&|^=!<>]=|&&|\|\||\^\^|<<|>>|.)",
    re.DOTALL,
)
_STRING = r"""(?P<string>\"\"\"(?:.*?\"\"\"|.*)|'''(?:.*?'''|.*)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)"""
_PYTHON = re.compile(
    _HASH + ")|" + _STRING + "|" + _NUMBER + "|" + _NAME + r"|(?P<sign>\*\*=?|//=?|->|:=|[-+*/%&|^@=!<>]=|<<|>>|.)",
    re.DOTALL,
)


class Token(NamedTuple):
    """One word or sign. `start` and `end` are offsets into the text."""

    kind: Kind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands between two offsets of a text is replaced."""

    start: int
    end: int
    text: str


def words(text: str, *, python: bool = False) -> list[Token]:
    """The words and signs of a text, without comments, directives and white space."""
    found: list[Token] = []
    for match in (_PYTHON if python else _GLSL).finditer(text):
        kind = match.lastgroup
        if kind in ("name", "number", "string", "sign"):
            found.append(Token(kind, match.group(), match.start(), match.end()))
    return found


_OUTLINE = {"name": "n", "number": "0", "string": "s"}


def outline(text: str) -> str:
    """A text with a letter for every name, number and string: its signs, and how many words lie between them."""
    found = (_OUTLINE.get(m.lastgroup or "", m.group()) for m in _GLSL.finditer(text) if m.lastgroup != "skipped")
    return " ".join(found)


def edited(text: str, edits: Sequence[Edit]) -> str | None:
    """A text after some edits; None when two of them meet."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            return None
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


class Text:
    """A program with its tokens, the line of each, and which brackets belong together."""

    def __init__(self, code: str, *, python: bool = False) -> None:
        self.code = code
        self.python = python
        self.tokens = words(code, python=python)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer(r"\n", self.code))]

    @property
    def lines(self) -> int:
        return len(self._starts)

    def line(self, index: int) -> int:
        """The line of a token, from 1."""
        return bisect_right(self._starts, self.tokens[index].start)

    def line_span(self, number: int) -> tuple[int, int]:
        """Offsets of a line, its end before the line break; of the nearest line where there is none of this number."""
        number = min(max(number, 1), len(self._starts))
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.code)
        return start, end

    def line_text(self, number: int) -> str:
        start, end = self.line_span(number)
        return self.code[start:end]

    def indent(self, number: int) -> str:
        line = self.line_text(number)
        return line[: len(line) - len(line.lstrip())]

    def on_lines(self, first: int, last: int) -> range:
        """Indices of the tokens on these lines."""
        low, high = self.line_span(first)[0], self.line_span(last)[1]
        begin = bisect_right(self._offsets, low - 1)
        return range(begin, max(begin, bisect_right(self._offsets, high - 1)))

    @cached_property
    def _offsets(self) -> list[int]:
        return [t.start for t in self.tokens]

    @cached_property
    def partners(self) -> dict[int, int]:
        """Bracket → its partner, both ways; brackets without one are missing here."""
        found: dict[int, int] = {}
        open_: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.text in OPENERS:
                open_.append(i)
            elif token.text in CLOSERS and open_ and self.tokens[open_[-1]].text == CLOSERS[token.text]:
                found[i] = open_.pop()
                found[found[i]] = i
        return found

    @cached_property
    def enclosing(self) -> list[int]:
        """For each token the index of the innermost bracket that is open there, or −1."""
        found: list[int] = []
        open_: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.text in CLOSERS and open_:
                open_.pop()
            found.append(open_[-1] if open_ else -1)
            if token.text in OPENERS:
                open_.append(i)
        return found

    def at(self, index: int) -> str:
        """The text of a token; empty beyond either end."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def is_field(self, index: int) -> bool:
        """Whether a token is a name after a dot."""
        return index > 0 and self.tokens[index - 1].text == "."

    def statement(self, index: int) -> tuple[int, int]:
        """First token of the statement around a token, and the index after its last (its `;`, `{` or `}` excluded).

        Of one that is longer than any sane statement only the part around the token.
        """
        first = index
        while (
            index - first < MOST_OF_STATEMENT
            and first > 0
            and (self.tokens[first - 1].text not in ";{}" or self._within(first - 1, "("))
        ):
            first -= 1
        last = index
        while (
            last - index < MOST_OF_STATEMENT
            and last < len(self.tokens)
            and (self.tokens[last].text not in ";{}" or self._within(last, "("))
        ):
            last += 1
        return first, last

    def _within(self, index: int, opener: str) -> bool:
        """Whether the innermost open bracket is this one, and is closed somewhere."""
        at = self.enclosing[index]
        return at >= 0 and self.tokens[at].text == opener and at in self.partners
