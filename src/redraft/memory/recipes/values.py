"""The value on an error's line that does not fit what it is given to, with the types that it has and should have."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.memory.change import Case
from redraft.memory.declared import Program
from redraft.memory.expressions import components, resized, type_of
from redraft.memory.tokens import MOST_OF_STATEMENT
from redraft.memory.vocabulary import GLSL_TYPES

__all__ = ["Value", "end_of", "is_simple", "target_of", "two_types", "value_of"]

_PHRASE = re.compile(r"(\d)-component vector of (float|int|uint|bool)")
_WORD = re.compile(r"\b[A-Za-z]\w*\b")
ASSIGNING = frozenset(("=", "+=", "-=", "*=", "/="))


@dataclass(frozen=True)
class Value:
    """The expression in tokens [first, last) and the types it has and should have."""

    first: int
    last: int
    have: str | None
    want: str | None


def two_types(text: str) -> list[str]:
    """The types that a message names, in its order, `3-component vector of float` being vec3."""
    plain = _PHRASE.sub(lambda m: resized(m[2], int(m[1])), text)
    return [w for w in _WORD.findall(plain) if w in GLSL_TYPES]


def value_of(case: Case) -> Value | None:
    """The value on the error's line that does not fit what it is given to."""
    program, said = case.program, two_types(case.error.text)
    for i in case.around:
        if program.at(i) == "return":
            function = program.function_at(i)
            _, last = program.statement(i)
            want, kind = (function.type if function else None), "return"
            first = i + 1
        elif program.at(i) in ASSIGNING:
            want, kind = target_of(program, i), program.at(i)
            first, last = i + 1, end_of(program, i + 1)
        else:
            continue
        have = type_of(program, first, last)
        if len(said) == 2 and said[0] != said[1] and kind in ("=", "return"):
            if (have is None or have == said[0]) and (want is None or want == said[1]):
                return Value(first, last, said[0], said[1])
        elif have is not None and want is not None and _differ(have, want, kind):
            return Value(first, last, have, want)
    return None


def _differ(have: str, want: str, kind: str) -> bool:
    if have == want or ({have, want} == {"int", "float"} and want == "float"):
        return False
    return not (kind in ("*=", "/=", "+=", "-=") and (components(have) == 1 or have.startswith("mat")))


def end_of(program: Program, first: int) -> int:
    """Where the value that begins here ends: at `;`, at a `,` of its level, at the bracket around it."""
    level = program.enclosing[first] if first < len(program.tokens) else -1
    for i in range(first, min(len(program.tokens), first + MOST_OF_STATEMENT)):
        if program.enclosing[i] == level and program.at(i) in (";", ","):
            return i
        if program.enclosing[i] < level or (program.at(i) in ")}" and program.partners.get(i) == level):
            return i
    return min(len(program.tokens), first + MOST_OF_STATEMENT)


def target_of(program: Program, sign: int) -> str | None:
    """The type of what stands before an assignment."""
    first = sign - 1
    while first > 0 and (program.is_field(first) or program.at(first) in (".", "]")):
        first = program.partners.get(first, first) - 1
    known = next((d for d in program.declared if d.index == first), None)
    return known.type if known else type_of(program, first, sign)


def is_simple(program: Program, first: int, last: int) -> bool:
    """Whether an expression is one operand: no operator outside of its brackets."""
    level = program.enclosing[first]
    return not any(
        program.enclosing[i] == level and program.tokens[i].kind == "sign" and program.at(i) not in ".()[]"
        for i in range(first, last)
    )
