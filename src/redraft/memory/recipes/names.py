"""Fixes of names: one misspelled, or one that belongs to another dialect of the language."""

from __future__ import annotations

from collections.abc import Iterable

from redraft.memory.recipes.change import Case, Change
from redraft.memory.recipes.program import Edit, Program
from redraft.memory.recipes.vocabulary import ARITIES, CONTRACT, GLSL_TYPES, LEGACY, RESERVED

__all__ = ["candidates", "distance", "near_name", "nearest", "other_name", "shows_near_name", "shows_other_name"]

LONGEST = 60
"""Letters of a name that is looked at."""
MOST_NAMES = 2_000
MOST_UNKNOWN = 6
"""Names of one line that mean nothing."""


def distance(one: str, other: str) -> float:
    """Count wrong, missing, extra and swapped letters (optimal string alignment); letter case counts half.

    `p1` and `p2` are different things, not one of them misspelled: a digit for a digit counts three.
    """
    if one == other:
        return 0.0
    if one.lower() == other.lower():
        return 0.5
    before: list[float] = []
    row = [float(j) for j in range(len(other) + 1)]
    for i, a in enumerate(one, 1):
        last, row = row, [float(i)]
        for j, b in enumerate(other, 1):
            cost = 0.0 if a == b else 0.5 if a.lower() == b.lower() else 3.0 if a.isdigit() and b.isdigit() else 1.0
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before = last
    return row[-1]


def _allowed(name: str) -> float:
    """Return the largest distance of a misspelling: one letter, in names from eight letters on two."""
    return 1.0 if len(name) < 8 else 2.0


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one name nearest to a misspelled one; None when it is far, or another is as near."""
    if not 0 < len(name) <= LONGEST:
        return None
    near = {k for k in known if abs(len(k) - len(name)) <= 2 and len(k) <= LONGEST and k != name}
    if len(near) > MOST_NAMES:
        return None
    ranked = sorted((distance(name, k), k) for k in near)
    if not ranked or ranked[0][0] > _allowed(name) or (ranked[1:2] and ranked[1][0] == ranked[0][0]):
        return None
    return ranked[0][1]


def shows_near_name(change: Change) -> bool:
    pairs = change.replaced_names
    return bool(pairs) and all(distance(a, b) <= _allowed(a) for a, b in pairs)


def near_name(case: Case) -> list[Edit] | None:
    """The name that nothing declares becomes the nearest that something does, everywhere."""
    for wrong in _unknown(case):
        right = None if wrong in LEGACY else nearest(wrong, candidates(case, wrong))
        if right is not None:
            return [case.instead(i, right) for i in case.all_of(wrong)]
    return None


def _unknown(case: Case) -> list[str]:
    """The name the error is about, else those on its line that mean nothing here."""
    program = case.program
    if case.token and case.all_of(case.token):
        return [] if program.knows(case.token) else [case.token]
    names = [program.at(i) for i in case.around if program.tokens[i].kind == "name" and not program.is_field(i)]
    return [n for n in dict.fromkeys(names) if not program.knows(n)][:MOST_UNKNOWN]


def candidates(case: Case, wrong: str) -> set[str]:
    program, places = case.program, case.all_of(wrong)
    called = all(program.at(i + 1) == "(" for i in places)
    if called:
        return {*program.functions, *ARITIES, *GLSL_TYPES, *program.structs, *program.macros}
    if all(_is_typed(program, i) for i in places):
        return {*GLSL_TYPES, *program.structs, *RESERVED}
    seen = {d.name for d in program.declared if d.kind != "field" and any(d.index <= i < d.until for i in places[:20])}
    return seen | program.macros | CONTRACT | {"gl_FragCoord", "gl_FragColor", "gl_FrontFacing"} - {"main"}


def _is_typed(program: Program, index: int) -> bool:
    """Return whether a name stands where a type does: before another name, or behind a precision."""
    before_name = index + 1 < len(program.tokens) and program.tokens[index + 1].kind == "name"
    return before_name or program.at(index - 1) in ("highp", "mediump", "lowp")


def shows_other_name(change: Change) -> bool:
    old = next((old for old, _ in change.replaced_names), "")
    return len(change.replaced_names) == 1 and (old.startswith("gl_") or not change.broken.knows(old))


def other_name(case: Case) -> list[Edit] | None:
    """The same name is replaced by the same; another one of an older dialect by what stands for it here."""
    old, new = next(iter(case.change.replaced_names))
    program = case.program
    wrong = case.token if case.all_of(case.token) else next(iter(_unknown(case)), "")
    if not wrong or (program.knows(wrong) and wrong != old):
        return None
    if wrong != old and not (old in LEGACY and wrong in LEGACY):
        return None
    for right in [*([new] if wrong == old else []), *LEGACY.get(wrong, ()), *_output(program, wrong)]:
        if program.knows(right) and _here(program, right):
            return [case.instead(i, right) for i in case.all_of(wrong)]
    return None


def _here(program: Program, name: str) -> bool:
    """Return whether a name can be used here: the contract's only where the program declares them."""
    return name not in CONTRACT or name in program.own_names


def _output(program: Program, wrong: str) -> list[str]:
    """The program's own output, where the wrong name was one."""
    if LEGACY.get(wrong) != LEGACY["gl_FragColor"]:
        return []
    return [d.name for d in program.declared if any(program.at(q) == "out" for q in program.qualifiers(d))]
