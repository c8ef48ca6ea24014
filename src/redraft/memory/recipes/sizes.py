"""Mends of types that do not go together: the declared type follows the value, or the value is converted."""

from __future__ import annotations

import re

from redraft.memory.change import Case, Change
from redraft.memory.declared import Declared, Function, Program
from redraft.memory.expressions import components, type_of
from redraft.memory.recipes.values import end_of, value_of
from redraft.memory.tokens import Edit
from redraft.memory.vocabulary import GLSL_TYPES

__all__ = ["converted", "declared_type", "shows_converted", "shows_declared_type"]

MOST_PLACES = 50
"""Returns of a function, or assignments to a variable, that are looked at."""


def shows_declared_type(change: Change) -> bool:
    """Whether some type in front of a name became another one, and nothing but types changed."""
    pairs = change.replaced_names
    if not pairs or not all(a in GLSL_TYPES and b in GLSL_TYPES for a, b in pairs):
        return False
    broken = change.broken
    return any(s.end < len(broken.tokens) and broken.tokens[s.end].kind == "name" for s in change.spans)


def declared_type(case: Case) -> list[Edit] | None:
    program = case.program
    value = value_of(case)
    if value is None or value.have is None or value.have == "void":
        return _odd_one(case)
    before = value.first - 1
    if program.at(before) == "return":
        function = program.function_at(before)
        fits = function is not None and not _returns(program, function, function.type)
        return [case.instead(function.typed, value.have)] if function and fits else None
    name = before - 1
    while name > 0 and (program.is_field(name) or program.at(name) in (".", "]")):
        name = program.partners.get(name, name) - 1
    if name != before - 1:
        return None  # a component of it was assigned: its own type is another matter
    known = next((d for d in program.declared if d.index == name), None) or program.find(program.at(name), name)
    if known is None or known.type.endswith("[]") or _given(program, known):
        return None
    return [case.instead(known.typed, value.have)]


def _returns(program: Program, function: Function, type_: str) -> bool:
    """Whether some return of a function has this type."""
    places = [i for i in range(*function.body) if program.at(i) == "return"][:MOST_PLACES]
    return any(type_of(program, i + 1, program.statement(i)[1]) == type_ for i in places)


def _given(program: Program, known: Declared) -> bool:
    """Whether a variable is given a value of its own type somewhere."""
    stop = min(known.until, len(program.tokens))
    places = [i for i in range(known.index, stop) if program.at(i) == known.name and program.at(i + 1) == "="]
    places = places[:MOST_PLACES]
    return any(type_of(program, i + 2, end_of(program, i + 2)) == known.type for i in places)


def _odd_one(case: Case) -> list[Edit] | None:
    """On a line whose operands do not go together: the one variable of another size gets that of the others."""
    program = case.program
    seen: dict[str, Declared] = {}
    for i in case.around:
        known = program.find(program.at(i), i) if program.tokens[i].kind == "name" else None
        size = components(known.type) if known else None
        if known and size and size > 1 and not program.is_field(i) and program.at(i + 1) not in (".", "["):
            seen[known.name] = known
    types = [d.type for d in seen.values()]
    odd = [d for d in seen.values() if types.count(d.type) == 1 and d.kind == "variable"]
    vectors = [t for t in types if not t.startswith("mat")]
    matrices = [d for d in seen.values() if re.fullmatch("mat[234]", d.type)]
    if len(matrices) == 1 and vectors and len(set(vectors)) == 1:
        right = f"mat{components(vectors[0])}"
        return [case.instead(matrices[0].typed, right)] if right != matrices[0].type else None
    if len(odd) == 1 and len(set(types)) == 2:
        other = next(t for t in types if t != odd[0].type)
        return [case.instead(odd[0].typed, other)]
    return None


def shows_converted(change: Change) -> bool:
    """Whether a value was wrapped into a constructor, with nothing but numbers beside it, or came out of one."""
    texts = change.added_texts or change.removed_texts
    if (change.added and change.removed) or not texts or texts[0] not in GLSL_TYPES:
        return False
    rest = [*(change.added or change.removed)][1:]
    return all(t.text in ("(", ")", ",") or t.kind == "number" for t in rest) and texts[1:2] == ["("]


def converted(case: Case) -> list[Edit] | None:
    """The value is wrapped into the constructor of the type that is wanted, filled up with the remembered number."""
    value = value_of(case)
    if value is None or value.want is None or value.want not in GLSL_TYPES or value.first >= value.last:
        return None
    have, want = components(value.have), components(value.want)
    if have is None or want is None or "mat" in value.want:
        return None
    numbers = [t.text for t in (*case.change.added, *case.change.removed) if t.kind == "number"]
    filled = "" if have == 1 or have >= want else f", {numbers[0] if numbers else '1.0'}" * (want - have)
    return [case.before(value.first, f"{value.want}("), case.behind(value.last - 1, f"{filled})")]
