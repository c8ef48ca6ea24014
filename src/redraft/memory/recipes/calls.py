"""Mends of calls: another function, other arguments, the components that a constructor needs."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.memory.change import Case, Change
from redraft.memory.declared import Program
from redraft.memory.expressions import arguments, components, type_of
from redraft.memory.recipes.values import two_types
from redraft.memory.tokens import Edit
from redraft.memory.vocabulary import GLSL_TYPES

__all__ = ["components_fitted", "rewritten", "shows_call", "shows_components"]


# Constructors


def shows_components(change: Change) -> bool:
    """Whether arguments of a constructor were added or taken away."""
    if bool(change.added) == bool(change.removed) or "," not in (*change.added_texts, *change.removed_texts):
        return False
    side = change.fixed if change.added else change.broken
    places = [s.start_after if change.added else s.start for s in change.spans]
    return all(_constructor(side, i) in GLSL_TYPES for i in places)


def _constructor(program: Program, index: int) -> str:
    opening = program.enclosing[index] if index < len(program.tokens) else -1
    return program.at(opening - 1) if opening > 0 and program.at(opening) == "(" else ""


def components_fitted(case: Case) -> list[Edit] | None:
    """Constructors on the line get what they lack, or lose what they have too much."""
    edits: list[Edit] = []
    program = case.program
    if "non-numeric" in case.error.text:
        return None  # an argument is wrong in itself
    said = {t for t in (*two_types(case.error.text), case.token) if components(t)}
    for i in case.around:
        name = program.at(i)
        if name in GLSL_TYPES and (not said or name in said) and i + 1 in program.partners and program.at(i + 1) == "(":
            edits += _fit(case, i)
    return edits or None


def _fit(case: Case, name: int) -> list[Edit]:
    program = case.program
    need, given = components(program.at(name)), arguments(program, name + 1)
    if need is None or not given or any(a == b for a, b in given):
        return []
    have = [components(type_of(program, a, b)) for a, b in given]
    if None in have:
        return _fit_unknown(case, given)
    known = [h or 0 for h in have]
    if len(known) == 1 and (known[0] == 1 or known[0] >= need):
        return []
    if sum(known) < need:
        return [case.behind(given[-1][1] - 1, f", {_number(case)}" * (need - sum(known)))]
    keep = len(known)
    while keep > 1 and sum(known[: keep - 1]) >= need:
        keep -= 1
    if keep < len(known):
        return [_drop(program, given[keep - 1][1], given[-1][1])]
    return []


def _fit_unknown(case: Case, given: Sequence[tuple[int, int]]) -> list[Edit]:
    """Where the size of an argument cannot be told: one more, or one less, as the remembered fix had it."""
    if case.change.added:
        return [case.behind(given[-1][1] - 1, f", {_number(case)}")]
    return [_drop(case.program, given[-2][1], given[-1][1])] if len(given) > 1 else []


def _drop(program: Program, first: int, last: int) -> Edit:
    return Edit(program.tokens[first].start, program.tokens[last - 1].end, "")


def _number(case: Case) -> str:
    numbers = [t.text for t in case.change.added if t.kind == "number"]
    return numbers[-1] if numbers else "0.0"


# Other calls


Hole = int
Piece = str | Hole


def shows_call(change: Change) -> bool:
    return not shows_components(change) and _pattern(change) is not None


def rewritten(case: Case) -> list[Edit] | None:
    """Calls on the line of the same function with as many arguments are written as the remembered one was."""
    pattern = _pattern(case.change)
    if pattern is None:
        return None
    name, count, pieces = pattern
    program = case.program
    if not all(program.knows(p) for p in pieces if isinstance(p, str) and p.isidentifier() and not program.python):
        return None
    edits: list[Edit] = []
    for i in case.here:
        given = arguments(program, i + 1) if program.at(i) == name and program.at(i + 1) == "(" else []
        if len(given) == count and given:
            start, end = program.tokens[i].start, program.tokens[program.partners[i + 1]].end
            edits.append(Edit(start, end, _filled(program, pieces, given)))
    return edits if edits and (case.token in ("", name) or len(edits) == 1) else None


def _filled(program: Program, pieces: Sequence[Piece], given: Sequence[tuple[int, int]]) -> str:
    parts: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append({",": ", "}.get(piece, f" {piece} " if piece in "+-*/%" else piece))
        else:
            first, last = given[piece]
            parts.append(program.code[program.tokens[first].start : program.tokens[last - 1].end])
    return "".join(parts)


def _pattern(change: Change) -> tuple[str, int, list[Piece]] | None:
    """The innermost call around all that changed: its name, how many arguments it had, and what it became."""
    if not change.spans:
        return None
    broken, fixed = change.broken, change.fixed
    first = min(s.start for s in change.spans)
    last = max(s.end for s in change.spans)
    for i in range(min(first, len(broken.tokens) - 2), -1, -1):
        if broken.tokens[i].kind != "name" or broken.at(i + 1) != "(" or i + 1 not in broken.partners:
            continue
        close = broken.partners[i + 1]
        if not (i <= first and last <= close + 1):
            continue
        behind = len(broken.tokens) - close - 1
        became = fixed.tokens[i : len(fixed.tokens) - behind]
        given = arguments(broken, i + 1)
        pieces = _with_holes(broken, given, [t.text for t in became])
        if given and pieces:
            return broken.at(i), len(given), pieces
        return None
    return None


def _with_holes(broken: Program, given: Sequence[tuple[int, int]], became: Sequence[str]) -> list[Piece] | None:
    """What a call became, with its arguments replaced by their numbers; None when an argument's parts are left over."""
    texts = sorted(((tuple(t.text for t in broken.tokens[a:b]), n) for n, (a, b) in enumerate(given)), key=_longest)
    pieces: list[Piece] = []
    i = 0
    while i < len(became):
        for text, number in texts:
            if text and tuple(became[i : i + len(text)]) == text:
                pieces.append(number)
                i += len(text)
                break
        else:
            pieces.append(became[i])
            i += 1
    used = {p for p in pieces if isinstance(p, int)}
    return pieces if used and len(pieces) <= 40 else None


def _longest(item: tuple[tuple[str, ...], int]) -> int:
    return -len(item[0])
