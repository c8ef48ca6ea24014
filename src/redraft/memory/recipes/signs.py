"""The mend of a sign left out: `;` at the end of a statement, a bracket, a comma, an operator.

Which sign is missing where is told from the program at hand: brackets that do not pair, two operands side by side.
That some sign was missing is what the remembered fix showed.
"""

from __future__ import annotations

from redraft.memory.change import Case, Change
from redraft.memory.recipes.braces import close_brace, open_brace
from redraft.memory.recipes.brackets import close_bracket, ends_brackets, open_bracket
from redraft.memory.recipes.operands import clashes, faults_with
from redraft.memory.tokens import CLOSERS, OPENERS, Edit
from redraft.memory.vocabulary import RESERVED

__all__ = ["missing_sign", "shows_missing_sign"]

SIGNS = frozenset(";,(){}[]*/+-=.:")


def shows_missing_sign(change: Change) -> bool:
    return not change.removed and 0 < len(change.added) <= 2 and all(t in SIGNS for t in change.added_texts)


def missing_sign(case: Case) -> list[Edit] | None:
    if case.program.python:
        return None
    edit = _bracket(case) or _separator(case)
    return [edit] if edit else None


def _bracket(case: Case) -> Edit | None:
    """The first bracket without a partner gets one."""
    program = case.program
    open_: list[int] = []
    for i, token in enumerate(program.tokens):
        text = token.text
        top = program.at(open_[-1]) if open_ else ""
        if text in CLOSERS and top == CLOSERS[text]:
            open_.pop()
        elif top in ("(", "[") and (text in "}])" or ends_brackets(program, i, open_[-1])):
            return close_bracket(case, open_, i)
        elif text in (")", "]"):
            return open_bracket(case, i)
        elif text == "}":
            return open_brace(case, i)
        elif text in OPENERS:
            open_.append(i)
    return close_brace(case) if open_ else None


def _separator(case: Case) -> Edit | None:
    """Two operands side by side, nearest to the error: what belongs between them."""
    program = case.program
    window = program.on_lines(case.line - 3, case.line + 1)
    found = clashes(program, window)
    if not found:
        return None
    i = min(found, key=lambda k: (abs(program.line(k + 1) - case.line), k))
    return case.behind(i, _between(case, i))


def _between(case: Case, i: int) -> str:
    """The sign that belongs behind token i."""
    program, learnt = case.program, case.change.added_texts[0]
    inside = program.enclosing[i]
    following = program.tokens[i + 1]
    if inside >= 0 and program.at(inside) in ("(", "["):
        signs = [",", " *"] if learnt not in "*/+-" else [f" {learnt}", ","]
        if program.at(inside - 1) == "for":
            signs = [";"]
        return min(signs, key=lambda s: faults_with(program, i, program.tokens[i].end, s))
    apart = program.line(i) != program.line(i + 1) or program.at(i + 2) in ("=", "+=", "-=", "*=", "/=")
    if apart or following.text == "}" or following.text in RESERVED or program.is_type(following.text):
        return ";"
    if i and program.is_type(program.at(i - 1)):
        return " ="
    return f" {learnt}" if learnt in "*/+-" else " *"
