"""A remembered fix of GLSL, token by token, and the broken program that the same is done to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from redraft.memory.base import Diagnostic, Fix
from redraft.memory.recipes.program import MOST_OF_STATEMENT, Edit, Program, Token

__all__ = ["Case", "Change", "Span", "differences", "named"]

QUOTED = re.compile(r"[`'\"‘]([A-Za-z_]\w*)['\"’`]")
MOST_TOKENS = 400
"""Of a snippet; a longer one is compared as a whole."""


@dataclass(frozen=True)
class Span:
    """Tokens [start, end) of the broken lines became tokens [start_after, end_after) of the fixed ones."""

    start: int
    end: int
    start_after: int
    end_after: int


def differences(broken: Sequence[Token], fixed: Sequence[Token]) -> list[Span]:
    """Where two lists of tokens differ, as few and as small spans as difflib finds."""
    one, other = [t.text for t in broken], [t.text for t in fixed]
    if max(len(one), len(other)) > MOST_TOKENS:
        return [Span(0, len(one), 0, len(other))]
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [Span(a, b, c, d) for tag, a, b, c, d in codes if tag != "equal"]


class Change:
    """A remembered fix, read."""

    def __init__(self, fix: Fix) -> None:
        self.fix = fix
        self.broken = Program(fix.broken_snippet)
        self.fixed = Program(fix.fixed_snippet)

    @cached_property
    def spans(self) -> list[Span]:
        return differences(self.broken.tokens, self.fixed.tokens)

    @cached_property
    def removed(self) -> list[Token]:
        return [t for s in self.spans for t in self.broken.tokens[s.start : s.end]]

    @cached_property
    def added(self) -> list[Token]:
        return [t for s in self.spans for t in self.fixed.tokens[s.start_after : s.end_after]]

    @cached_property
    def removed_texts(self) -> list[str]:
        return [t.text for t in self.removed]

    @cached_property
    def added_texts(self) -> list[str]:
        return [t.text for t in self.added]

    @cached_property
    def replaced_names(self) -> set[tuple[str, str]]:
        """Where exactly one name became one other, in every span: the pairs. Empty when anything else changed too."""
        pairs: set[tuple[str, str]] = set()
        for s in self.spans:
            old, new = self.broken.tokens[s.start : s.end], self.fixed.tokens[s.start_after : s.end_after]
            if not (len(old) == len(new) == 1 and old[0].kind == new[0].kind == "name"):
                return set()
            pairs.add((old[0].text, new[0].text))
        return pairs


def named(error: Diagnostic) -> str:
    """The name that an error is about, else the first one that its text quotes."""
    match = None if error.token.isidentifier() else QUOTED.search(error.text)
    return match[1] if match else error.token if error.token.isidentifier() else ""


@dataclass(frozen=True)
class Case:
    """A broken program, what is said of it, and the change that fixed such an error before."""

    program: Program
    error: Diagnostic
    change: Change

    @property
    def line(self) -> int:
        """The line of the error; the last one where the message names none."""
        return min(max(self.error.line or self.program.lines, 1), self.program.lines)

    @cached_property
    def token(self) -> str:
        """The name that the error is about; empty where it is about none."""
        return named(self.error)

    @cached_property
    def here(self) -> range:
        """The tokens on the error's line, the first of them where it is endless."""
        found = self.program.on_lines(self.line, self.line)
        return range(found.start, min(found.stop, found.start + MOST_OF_STATEMENT))

    @cached_property
    def around(self) -> range:
        """The tokens of all statements that are, in part, on the error's line."""
        if not self.here:
            return self.here
        first, _ = self.program.statement(self.here[0])
        _, last = self.program.statement(self.here[-1])
        return range(first, max(last, self.here.stop))

    def all_of(self, name: str) -> list[int]:
        """Every place of a name in the program that is no field."""
        tokens = self.program.tokens
        return [i for i, t in enumerate(tokens) if t.text == name and not self.program.is_field(i)]

    def instead(self, index: int, text: str) -> Edit:
        token = self.program.tokens[index]
        return Edit(token.start, token.end, text)

    def behind(self, index: int, text: str) -> Edit:
        end = self.program.tokens[index].end
        return Edit(end, end, text)

    def before(self, index: int, text: str) -> Edit:
        start = self.program.tokens[index].start
        return Edit(start, start, text)

    def without(self, first: int, last: int) -> Edit:
        """Tokens [first, last) go, with the space behind them (or before, at the end of a line)."""
        code = self.program.code
        start, end = self.program.tokens[first].start, self.program.tokens[last - 1].end
        while end < len(code) and code[end] in " \t":
            end += 1
        if end < len(code) and code[end] not in "\r\n":
            return Edit(start, end, "")
        while start and code[start - 1] in " \t":
            start -= 1
        return Edit(start, self.program.tokens[last - 1].end, "")
