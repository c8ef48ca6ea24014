"""What a GLSL program declares, read without a compiler: names with their types, functions with what they return."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from redraft.memory.tokens import Text
from redraft.memory.vocabulary import GLSL_TYPES, QUALIFIERS, RESERVED, known_word

__all__ = ["Declared", "Function", "Program"]

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
    """A program with what it declares. For Python only the names are known.

    `within` makes it a piece that stands at a token of another program, and can see what is declared there.
    """

    def __init__(self, code: str, *, python: bool = False, within: tuple[Program, int] | None = None) -> None:
        super().__init__(code, python=python)
        self.within = within

    @cached_property
    def macros(self) -> frozenset[str]:
        outer: frozenset[str] = self.within[0].macros if self.within else frozenset()
        return outer if self.python else outer.union(_MACRO.findall(self.code))

    @cached_property
    def structs(self) -> frozenset[str]:
        outer: frozenset[str] = self.within[0].structs if self.within else frozenset()
        return outer.union(self.at(i + 1) for i, t in enumerate(self.tokens) if t.text == "struct")

    def is_type(self, word: str) -> bool:
        return word in GLSL_TYPES or word in self.structs

    @cached_property
    def declared(self) -> list[Declared]:
        """Variables, parameters and fields in the order of the program."""
        return [] if self.python else list(self._declarations())

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """Functions by name, the last of several of a name."""
        found: dict[str, Function] = dict(self.within[0].functions) if self.within else {}
        for i, token in enumerate(self.tokens):
            if (
                token.kind == "name"
                and self.at(i + 1) == "("
                and i
                and self.is_type(self.at(i - 1))
                and not self.python
            ):
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
        """Names that the program itself brings: declared ones, functions, structs, macros; in Python all of them."""
        if self.python:
            return frozenset(t.text for t in self.tokens if t.kind == "name")
        outer: frozenset[str] = self.within[0].own_names if self.within else frozenset()
        return outer | self.macros | self.structs | frozenset(self._by_name) | frozenset(self.functions)

    def knows(self, name: str) -> bool:
        """Whether a name means something in this program."""
        return name in self.own_names or known_word(name, python=self.python)

    def qualifiers(self, declared: Declared) -> Iterator[int]:
        """The tokens of the qualifiers in front of a declaration, nearest first."""
        index = declared.typed - 1
        while index >= 0 and self.at(index) in QUALIFIERS:
            yield index
            index -= 1
