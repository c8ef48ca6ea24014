"""GLSL programs as words and signs, with what they declare, read without a compiler.

It is not a parser: it reads any text, in time linear in its length, and raises nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from redraft.memory.recipes.vocabulary import GLSL_TYPES, QUALIFIERS, RESERVED, known_word

__all__ = [
    "CLOSERS", "MOST_OF_STATEMENT", "OPENERS", "Declared", "Edit", "Function", "Program", "Token", "edited", "outline",
    "words",
]  # fmt: skip

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


class Token(NamedTuple):
    """One word or sign. `start` and `end` are offsets into the text."""

    kind: Kind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the text between two offsets."""

    start: int
    end: int
    text: str


def words(text: str) -> list[Token]:
    """The words and signs of a text, without comments, directives and white space."""
    found: list[Token] = []
    for match in _GLSL.finditer(text):
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

    def __init__(self, code: str) -> None:
        self.code = code
        self.tokens = words(code)

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
        """Return whether a token is a name after a dot."""
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
        """Return whether the innermost open bracket is this one, and is closed somewhere."""
        at = self.enclosing[index]
        return at >= 0 and self.tokens[at].text == opener and at in self.partners


_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Declared:
    """One declared variable, parameter or field. `index` and `typed` are the tokens of its name and its type."""

    name: str
    type: str
    """With `[]` behind it for an array."""
    index: int
    typed: int
    kind: Literal["variable", "parameter", "field"]
    until: int
    """The token at which it is out of sight."""


@dataclass(frozen=True)
class Function:
    """A function with a body: the tokens of its name, its type and the brackets of its body; its parameters' types."""

    name: str
    type: str
    index: int
    typed: int
    body: tuple[int, int]
    parameters: tuple[str, ...]


class Program(Text):
    """A program with what it declares.

    `within` makes it a piece that stands at a token of another program, and can see what is declared there.
    """

    def __init__(self, code: str, *, within: tuple[Program, int] | None = None) -> None:
        super().__init__(code)
        self.within = within

    @cached_property
    def macros(self) -> frozenset[str]:
        outer: frozenset[str] = self.within[0].macros if self.within else frozenset()
        return outer.union(_MACRO.findall(self.code))

    @cached_property
    def structs(self) -> frozenset[str]:
        outer: frozenset[str] = self.within[0].structs if self.within else frozenset()
        return outer.union(self.at(i + 1) for i, t in enumerate(self.tokens) if t.text == "struct")

    def is_type(self, word: str) -> bool:
        return word in GLSL_TYPES or word in self.structs

    @cached_property
    def declared(self) -> list[Declared]:
        """Variables, parameters and fields in the order of the program."""
        return list(self._declarations())

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """Functions by name, the last of several of a name."""
        found: dict[str, Function] = dict(self.within[0].functions) if self.within else {}
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and self.at(i + 1) == "(" and i and self.is_type(self.at(i - 1)):
                close = self.partners.get(i + 1, -1)
                if self.at(close + 1) == "{" and close > 0:
                    end = self.partners.get(close + 1, len(self.tokens))
                    types = tuple(self.at(k) for k in range(i + 2, close) if self._is_parameter(k))
                    found[token.text] = Function(token.text, self.at(i - 1), i, i - 1, (close + 1, end), types)
        return found

    def _is_parameter(self, index: int) -> bool:
        return self.is_type(self.at(index)) and self.tokens[index + 1].kind == "name"

    def _declarations(self) -> Iterator[Declared]:
        for i in range(len(self.tokens) - 1):
            if not self.is_type(self.tokens[i].text) or self.tokens[i + 1].kind != "name" or self.at(i + 2) == "(":
                continue
            if not self.is_type(self.at(i + 1)) and self.at(i + 1) not in RESERVED:
                yield from self._group(i)

    def _group(self, typed: int) -> Iterator[Declared]:
        """`vec2 a, b = c;` declares two; a parameter stands alone."""
        inside = self.enclosing[typed]
        parameter = inside >= 0 and self.at(inside) == "(" and self.at(inside - 1) != "for"
        index = typed + 1
        while True:
            kind = "parameter" if parameter else "field" if self._in_struct(inside) else "variable"
            type_ = self.at(typed) + ("[]" if self.at(index + 1) == "[" else "")
            yield Declared(self.at(index), type_, index, typed, kind, self._until(inside, parameter))
            if parameter:
                return
            index = self._next_name(index, inside)
            if index < 0:
                return

    def _next_name(self, index: int, inside: int) -> int:
        """The next declarator behind a comma of the same level; −1 at the end of the statement."""
        for i in range(index + 1, min(len(self.tokens) - 1, index + 400)):
            if self.enclosing[i] == inside and self.at(i) == ";":
                return -1
            if self.enclosing[i] < inside:
                return -1
            if self.enclosing[i] == inside and self.at(i) == ",":
                return i + 1 if self.tokens[i + 1].kind == "name" and not self.is_type(self.at(i + 1)) else -1
        return -1

    def _in_struct(self, inside: int) -> bool:
        return inside >= 2 and self.at(inside) == "{" and self.at(inside - 2) == "struct"

    def _until(self, inside: int, parameter: bool) -> int:
        """The end of the block that a declaration belongs to; for a parameter of the body that follows."""
        if inside < 0:
            return len(self.tokens)
        close = self.partners.get(inside, len(self.tokens))
        if self.at(inside) == "(" and (parameter or self.at(inside - 1) == "for") and self.at(close + 1) == "{":
            return self.partners.get(close + 1, len(self.tokens))
        if self.at(inside) == "(" and self.at(inside - 1) == "for":
            return close + 60
        return close

    def find(self, name: str, at: int) -> Declared | None:
        """The declaration of a name that is in sight at a token, the innermost one."""
        for d in reversed(self._by_name.get(name, ())):
            if d.index <= at < d.until and d.kind != "field":
                return d
        return self.within[0].find(name, self.within[1]) if self.within else None

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[Declared]]:
        found: dict[str, list[Declared]] = {}
        for d in self.declared:
            found.setdefault(d.name, []).append(d)
        return found

    def function_at(self, index: int) -> Function | None:
        """The function whose body a token is in."""
        return next((f for f in self.functions.values() if f.body[0] <= index <= f.body[1]), None)

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Names that the program itself brings: declared ones, functions, structs, macros."""
        outer: frozenset[str] = self.within[0].own_names if self.within else frozenset()
        return outer | self.macros | self.structs | frozenset(self._by_name) | frozenset(self.functions)

    def knows(self, name: str) -> bool:
        """Return whether a name means something in this program."""
        return name in self.own_names or known_word(name)

    def qualifiers(self, declared: Declared) -> Iterator[int]:
        """The tokens of the qualifiers in front of a declaration, nearest first."""
        index = declared.typed - 1
        while index >= 0 and self.at(index) in QUALIFIERS:
            yield index
            index -= 1
