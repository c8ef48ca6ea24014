"""Where a round or square bracket belongs that was left out: where every call then has the arguments it needs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.memory.change import Case
from redraft.memory.declared import Program
from redraft.memory.recipes.operands import HEADS, begins_operand, ends_operand, faults_with
from redraft.memory.tokens import CLOSERS, OPENERS, Edit
from redraft.memory.vocabulary import ARITIES, RESERVED

__all__ = ["close_bracket", "ends_brackets", "open_bracket"]

MOST_PLACES = 120
"""Places that are tried for one bracket."""
_WORD_AT_END = re.compile(r"(\w{1,60})([ \t]{0,40})$")


def ends_brackets(program: Program, i: int, opening: int) -> bool:
    """Whether a sign cannot stand inside of round or square brackets: a block, or the end of a statement."""
    text = program.at(i)
    if text == ":":
        return not any(
            program.at(k) == "?" and program.enclosing[k] == opening for k in range(max(opening, i - 400), i)
        )
    return text == "{" or (text == ";" and program.at(opening - 1) != "for")


def close_bracket(case: Case, open_: Sequence[int], at: int) -> Edit | None:
    """The innermost open bracket is closed behind an operand before `at`: where all calls then have what they need."""
    program, opening = case.program, open_[-1]
    sign = OPENERS[program.at(opening)]
    first = opening
    for k in range(len(open_) - 2, -1, -1):
        if program.at(open_[k]) not in ("(", "["):
            break
        first = open_[k]
    ends = (i for i in range(first, at) if ends_operand(program, i) or program.at(i) == "(")
    places = [i for i in ends if not program.is_type(program.at(i))][-MOST_PLACES:]
    best: tuple[int, int] | None = None
    for i in reversed(places):
        faults = faults_with(program, i, program.tokens[i].end, sign)
        if best is None or faults < best[0]:
            best = (faults, i)
    return case.behind(best[1], sign) if best else None


def open_bracket(case: Case, closing: int) -> Edit | None:
    """A closing bracket gets its partner before an operand of its statement, or inside of two names run together."""
    program = case.program
    sign = CLOSERS[program.at(closing)]
    if sign == "(" and program.tokens[closing - 1].kind == "name" and program.is_type(program.at(closing - 2)):
        return case.before(closing, sign)  # void main)
    for i in program.on_lines(program.line(closing), program.line(closing)):
        if program.at(i) in HEADS and program.at(i + 1) != "(" and i < closing:
            return case.before(i + 1, sign)  # for int i = 0; …)
    first, _ = program.statement(closing)
    places = [i for i in range(first, closing) if begins_operand(program, i) or program.at(i) in "(-!"][-MOST_PLACES:]
    best: tuple[int, int, int] | None = None
    for i in [*places, closing]:
        for offset in (program.tokens[i].start, _seam(program, i)):
            if offset is None:
                continue
            found = faults_with(program, i, offset, sign)
            rank = (found, 0 if program.at(i - 1) in ("*", "/", "-") else 1, offset)
            best = min(best or rank, rank)
    return _called(program, best[2], sign) if best else None


def _called(program: Program, offset: int, sign: str) -> Edit:
    """A sign put in at an offset, without the spaces before it where it begins the arguments of a call."""
    line = program.code[program.code.rfind("\n", 0, offset) + 1 : offset]
    name = _WORD_AT_END.search(line)
    if name is None or name[1] in RESERVED:
        return Edit(offset, offset, sign)
    return Edit(offset - len(name[2]), offset, sign)


def _seam(program: Program, i: int) -> int | None:
    """Where a name that means nothing is a function or type and something known behind it: `vec3uv`."""
    token = program.tokens[i]
    if token.kind != "name" or program.knows(token.text) or len(token.text) > 60:
        return None
    for k in range(len(token.text) - 1, 1, -1):
        head, rest = token.text[:k], token.text[k:]
        called = head in ARITIES or head in program.functions or program.is_type(head)
        if called and (program.knows(rest) or program.find(rest, i) or rest.isdigit()):
            return token.start + k
    return None
