"""Mends inside a statement or a body: numbers of the wrong kind, a return that is missing."""

from __future__ import annotations

from redraft.memory.change import Case, Change
from redraft.memory.declared import Function
from redraft.memory.expressions import components
from redraft.memory.recipes.values import two_types
from redraft.memory.tokens import Edit, Token

__all__ = ["numbers", "returned", "shows_numbers", "shows_return"]


def _is_int(token: Token) -> bool:
    return token.kind == "number" and token.text.isdecimal()


def _is_float(token: Token) -> bool:
    return token.kind == "number" and not token.text.lower().startswith("0x") and "." in token.text


def _pairs(change: Change) -> list[tuple[Token, Token]]:
    """Numbers that became numbers; empty when anything else changed."""
    pairs: list[tuple[Token, Token]] = []
    for s in change.spans:
        old, new = change.broken.tokens[s.start : s.end], change.fixed.tokens[s.start_after : s.end_after]
        if not (len(old) == len(new) == 1 and old[0].kind == new[0].kind == "number"):
            return []
        pairs.append((old[0], new[0]))
    return pairs


def shows_numbers(change: Change) -> bool:
    pairs = _pairs(change)
    return bool(pairs) and all(_is_int(a) != _is_int(b) for a, b in pairs)


def numbers(case: Case) -> list[Edit] | None:
    """Numbers on the line are written as the kind that the remembered ones became."""
    program = case.program
    said = [components(t) for t in two_types(case.error.text)]
    if len(said) == 2 and said[0] != said[1]:
        return None  # a matter of size
    whole = _is_int(_pairs(case.change)[0][1])
    if whole and not program.python and "int" not in case.error.text:
        return None
    edits: list[Edit] = []
    for i in case.around:
        token = program.tokens[i]
        if whole and _is_float(token) and float(token.text.rstrip("fFlL")).is_integer():
            edits.append(case.instead(i, str(int(float(token.text.rstrip("fFlL"))))))
        elif not whole and _is_int(token) and not _counts(case, i):
            edits.append(case.instead(i, f"{token.text}.0"))
    return edits or None


def _counts(case: Case, index: int) -> bool:
    """Whether a whole number belongs there: an index, a declared integer, a counting loop, an integer constructor."""
    program = case.program
    at = program.enclosing[index]
    while at >= 0 and program.at(at) != "{":
        if program.at(at) == "[" or program.at(at - 1) in ("int", "ivec2", "ivec3", "ivec4", "for", "uint"):
            return True
        at = program.enclosing[at]
    first, _ = program.statement(index)
    return any(program.at(k) in ("int", "ivec2", "ivec3", "ivec4", "uint") for k in (first, first + 1))


def shows_return(change: Change) -> bool:
    return not change.removed and change.added_texts[:1] == ["return"]


def returned(case: Case) -> list[Edit] | None:
    """The function that returns nothing returns the last value it made of its type, before its closing bracket."""
    program = case.program
    function = program.functions.get(case.token) or next(
        (f for f in program.functions.values() if program.line(f.index) <= case.line <= _last_line(case, f)), None
    )
    if function is None or function.type == "void" or function.body[1] >= len(program.tokens):
        return None
    if any(program.at(i) == "return" for i in range(*function.body)):
        return None
    close = program.tokens[function.body[1]]
    number = program.line(function.body[1])
    start = program.line_span(number)[0]
    text = f"return {_value(case, function)};"
    if program.code[start : close.start].strip():
        return [Edit(close.start, close.start, f"{text} ")]
    return [Edit(start, start, f"{_indent(case, function)}{text}\n")]


def _last_line(case: Case, function: Function) -> int:
    return case.program.line(min(function.body[1], len(case.program.tokens) - 1))


def _indent(case: Case, function: Function) -> str:
    program = case.program
    inner = program.indent(program.line(min(function.body[0] + 1, function.body[1])))
    return inner or "  "


def _value(case: Case, function: Function) -> str:
    """The last variable of the function's type that its body declares at its own level, else nought of that type."""
    program = case.program
    own = [d for d in program.declared if d.type == function.type and function.body[0] < d.index < function.body[1]]
    seen = [d for d in own if d.until == function.body[1]]
    given = [d for d in program.declared if d.type == function.type and d.until == function.body[1]]
    if seen or given:
        return (seen or given)[-1].name
    if function.type == "bool":
        return "false"
    return f"{function.type}({'0.0' if components(function.type) else ''})"
