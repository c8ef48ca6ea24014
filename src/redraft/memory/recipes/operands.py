"""What can stand beside what in GLSL: two operands without a sign between them are a mistake."""

from __future__ import annotations

from collections.abc import Iterable

from redraft.memory.declared import Program
from redraft.memory.expressions import call_faults
from redraft.memory.vocabulary import RESERVED

__all__ = ["HEADS", "begins_operand", "clashes", "ends_operand", "faults_with"]

HEADS = ("if", "for", "while", "switch", "layout")
"""Words whose brackets hold no arguments."""
LONGEST_STATEMENT = 400
"""Tokens of a statement that is looked at."""


def faults_with(program: Program, index: int, offset: int, sign: str) -> int:
    """What is wrong with the statement around a token once a sign is put in at an offset."""
    first, last = program.statement(index)
    if last - first > LONGEST_STATEMENT:
        return 0
    start, end = program.tokens[first].start, program.tokens[last - 1].end
    text = program.code[start:offset] + sign + program.code[offset:end]
    tried = Program(text, within=(program, index))
    strangers = sum(
        t.kind == "name" and not tried.knows(t.text) and not tried.is_field(i) for i, t in enumerate(tried.tokens)
    )
    unpaired = sum(1 for i, t in enumerate(tried.tokens) if t.text in "()[]" and i not in tried.partners)
    return (
        strangers
        + 5 * unpaired
        + 3 * len(clashes(tried, range(len(tried.tokens))))
        + call_faults(tried, 0, len(tried.tokens))
    )


def clashes(program: Program, where: Iterable[int]) -> list[int]:
    """Tokens with an operand's end that another operand follows without anything between."""
    return [i for i in where if i + 1 < len(program.tokens) and _clash(program, i)]


def _clash(program: Program, i: int) -> bool:
    following = program.tokens[i + 1]
    if not ends_operand(program, i) and not (program.at(i) in ("++", "--") and program.tokens[i - 1].kind == "name"):
        return program.at(i) in ("break", "continue", "discard", "return") and following.text == "}"
    if following.text == "}":
        return not _in_list(program, i)
    if program.at(i) == "]" and program.is_type(program.at(program.partners.get(i, 0) - 1)):
        return False  # float[3] name
    if not (following.kind == "number" or (following.kind == "name" and not program.is_field(i + 1))):
        return following.text == "(" and program.tokens[i].kind == "number"
    if program.at(i) == ")":
        head = program.at(program.partners.get(i, 0) - 1)
        return head not in HEADS and i in program.partners
    return _is_value(program, i) if program.is_type(program.at(i)) else not _may_be_type(program, i)


def _is_value(program: Program, i: int) -> bool:
    """Whether a type stands where only a value can: a name behind it is then no declaration."""
    while program.at(i - 1) == "(":
        i -= 1
    return program.at(i - 1) in ("=", "return", "*", "/", "+", "-")


def _may_be_type(program: Program, i: int) -> bool:
    """Whether a name in front of a name looks like a type that is not known: `Vec3 p = …`."""
    begins = i == 0 or program.at(i - 1) in (";", "{", "}", ")") or program.at(i - 1) in RESERVED
    return begins and program.tokens[i + 1].kind == "name" and program.at(i + 2) in ("=", ";", ",", "(", "[")


def _in_list(program: Program, i: int) -> bool:
    """Whether a token is in a list of values in braces."""
    at = program.enclosing[i]
    return at < 0 or program.at(at) != "{" or program.at(at - 1) in ("=", ",", "(", "{")


def ends_operand(program: Program, i: int) -> bool:
    token = program.tokens[i]
    if token.kind == "name":
        return token.text in ("true", "false") or token.text not in RESERVED
    return token.kind == "number" or token.text in (")", "]")


def begins_operand(program: Program, i: int) -> bool:
    token = program.tokens[i]
    return token.kind == "number" or (token.kind == "name" and token.text not in RESERVED and not program.is_field(i))
