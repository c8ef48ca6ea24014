"""Mends of declarations: one that is missing, one too many, one with a qualifier that forbids what is done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.memory.change import Case, Change
from redraft.memory.declared import Declared, Program
from redraft.memory.expressions import arguments, components, swizzle_set, type_of
from redraft.memory.recipes.names import candidates, nearest
from redraft.memory.tokens import Edit
from redraft.memory.vocabulary import ARITIES, QUALIFIERS

__all__ = ["added", "repeated", "shows_added", "shows_repeated", "shows_unqualified", "unqualified"]

_VERSION = re.compile(r"#version (\d{1,6})")
WRITING = frozenset(("=", "+=", "-=", "*=", "/=", "++", "--"))
REMOVABLE = frozenset(("const", "in", "uniform", "varying", "attribute"))


def shows_added(change: Change) -> bool:
    """Whether what was put in declares a name that the broken lines do not."""
    return not change.removed and _new(change) is not None


def _new(change: Change) -> Declared | None:
    before = {d.name for d in change.broken.declared}
    fresh = [d for d in change.fixed.declared if d.name not in before and d.kind == "variable"]
    named = [d for d in fresh if d.name == change.token]
    return next(iter(named or fresh), None)


def added(case: Case) -> list[Edit] | None:
    """The missing name is declared as the remembered one was, another name with the type that it is used as."""
    new, name, program = _new(case.change), case.token, case.program
    if new is None or not name or not case.all_of(name) or name in program.own_names or program.python:
        return None
    if nearest(name, candidates(case, name)) is not None:
        return None  # more likely misspelt than missing: declaring it would hide that
    places = case.all_of(name)
    if new.name != name and any(program.at(i + 1) in ("[", "(") for i in places):
        return None  # an array or a function: of what size, doing what?
    qualifiers = _qualifiers(case, new, places)
    fixed = case.change.fixed
    first, last = fixed.statement(new.index)
    if new.name == name:
        text = fixed.code[fixed.tokens[first].start : fixed.tokens[last - 1].end] + ";"
    else:
        type_ = _used_as(program, name) or new.type.removesuffix("[]")
        value = "" if {"uniform", "in", "varying"} & set(qualifiers) else f" = {type_}({_value(case, new)})"
        text = " ".join([*qualifiers, type_, name]) + value + ";"
    at = _place(case, places, top=bool(qualifiers))
    return [Edit(at[0], at[0], f"{at[1]}{text}\n")]


def _qualifiers(case: Case, new: Declared, places: Sequence[int]) -> list[str]:
    """Those of the remembered declaration; none for a name that is written to, or `const` with a value not constant."""
    program, fixed = case.program, case.change.fixed
    if any(program.at(i + 1) in WRITING or (program.at(i + 1) == "." and program.at(i + 3) in WRITING) for i in places):
        return []
    found = [fixed.at(i) for i in fixed.qualifiers(new)][::-1]
    old = _VERSION.search(program.code)
    return ["varying" if q == "in" and (old is None or int(old[1]) < 130) else q for q in found]


def _value(case: Case, new: Declared) -> str:
    """The number that the remembered declaration began with, or zero."""
    fixed = case.change.fixed
    value = fixed.tokens[new.index + 2] if fixed.at(new.index + 1) == "=" else None
    return value.text if value is not None and value.kind == "number" else "0.0"


def _place(case: Case, uses: Sequence[int], *, top: bool) -> tuple[int, str]:
    """Where a declaration goes: the start of a line, and its indentation.

    Before the function where the name is first used, when it is to be global or several functions use it; else before
    the first statement with it, outside of the blocks that not all of its uses are in.
    """
    program, use = case.program, uses[0]
    function = program.function_at(use)
    if function is None or top or any(program.function_at(i) != function for i in uses):
        use = function.typed if function else use
        first, _ = program.statement(use)
        return program.line_span(program.line(first))[0], ""
    block = program.enclosing[use]
    while block >= 0 and not (program.at(block) == "{" and uses[-1] < program.partners.get(block, len(program.tokens))):
        use, block = block, program.enclosing[block]
    first, _ = program.statement(use)
    while first and program.at(first - 1) in (")", "else"):  # the body of a branch without braces
        first, _ = program.statement(first - 1)
    if program.at(first) == "else":
        first = function.body[0] + 1
    number = program.line(first)
    return program.line_span(number)[0], program.indent(number)


def _used_as(program: Program, name: str) -> str | None:
    """The type that a name's uses ask for: by the swizzles on it, or by what it is assigned or computed with."""
    places = [i for i, t in enumerate(program.tokens) if t.text == name and not program.is_field(i)]
    sizes = [_reach(program.at(i + 2)) for i in places if program.at(i + 1) == "."]
    if any(sizes):
        return f"vec{max(2, *sizes)}"
    for i in places:
        asked = _parameter(program, i)
        if asked is not None:
            return asked
        if program.at(i + 1) == "=":
            _, last = program.statement(i)
            return type_of(program, i + 2, last)
        if program.at(i - 1) in ("=", "+=", "-=") and program.at(i + 1) == ";":
            known = program.find(program.at(i - 2), i)
            return known.type if known else None
        other = _neighbour(program, i)
        if other is not None:
            return other
    return "float"


def _parameter(program: Program, i: int) -> str | None:
    """What a function of the program, or a picture's, asks for where a name is a whole argument."""
    opening = program.enclosing[i]
    called = program.at(opening - 1) if opening > 0 and program.at(opening) == "(" else ""
    spans = arguments(program, opening) if called else []
    number = next((n for n, span in enumerate(spans) if span == (i, i + 1)), None)
    if number is None:
        return None
    if called in program.functions:
        types = program.functions[called].parameters
        return types[number] if number < len(types) else None
    if called.startswith("texture"):
        return ("sampler2D", "vec2")[number] if number < 2 else None
    others = [type_of(program, a, b) for n, (a, b) in enumerate(spans) if n != number and called in ARITIES]
    return max((t for t in others if t), key=lambda t: components(t) or 0, default=None)


def _neighbour(program: Program, i: int) -> str | None:
    """The type of what a name is added to or compared with."""
    if program.at(i + 1) in ("+", "-", "<", ">", "==") and program.tokens[i + 2 : i + 3]:
        known = program.find(program.at(i + 2), i)
        if known is not None and program.at(i + 3) not in (".", "["):
            return known.type
    if program.at(i - 1) in ("+", "-", "<", ">", "=="):
        known = program.find(program.at(i - 2), i)
        if known is not None and not program.is_field(i - 2):
            return known.type
    return None


def _reach(field: str) -> int:
    """How many components a swizzle needs its vector to have."""
    letters = swizzle_set(field)
    return 0 if not letters else 1 + max(letters.index(c) for c in field)


def shows_repeated(change: Change) -> bool:
    """Whether only a declaration, or the type in front of a name, was taken away."""
    if change.added or not change.removed:
        return False
    gone = change.removed_texts
    return change.broken.is_type(gone[0]) or (gone[0] in QUALIFIERS and gone[-1] == ";")


def repeated(case: Case) -> list[Edit] | None:
    """A declaration said twice goes; one that gives another value becomes an assignment."""
    program = case.program
    for d in program.declared:
        if d.index not in case.around or (case.token and d.name != case.token) or not _is_second(program, d):
            continue
        first, last = program.statement(d.typed)
        if program.at(last) != ";" or d.kind != "variable":
            return None
        same = any(
            program.at(o.index) == d.name and _statement(program, o) == _statement(program, d)
            for o in program.declared
            if o.index < d.index
        )
        if not same and program.at(d.index + 1) == "=" and program.at(first) == program.at(d.typed):
            return [case.without(d.typed, d.index)]
        return [_line_without(case, first, last + 1)]
    return None


def _is_second(program: Program, d: Declared) -> bool:
    others = [o for o in program.declared if o.name == d.name and o.index < d.index < o.until and o.kind != "field"]
    return any(o.until == d.until or o.kind == "parameter" for o in others)


def _statement(program: Program, d: Declared) -> list[str]:
    first, last = program.statement(d.typed)
    return [t.text for t in program.tokens[first:last]]


def _line_without(case: Case, first: int, last: int) -> Edit:
    """Some tokens go, with their line where nothing else is on it."""
    edit = case.without(first, last)
    code = case.program.code
    start = code.rfind("\n", 0, edit.start) + 1
    if code[start : edit.start].strip() or code[edit.end : edit.end + 1] not in ("\n", ""):
        return edit
    return Edit(start, min(edit.end + 1, len(code)), "")


def shows_unqualified(change: Change) -> bool:
    return not change.added and bool(change.removed) and set(change.removed_texts) <= REMOVABLE


def unqualified(case: Case) -> list[Edit] | None:
    """What is written to loses the qualifier that makes it read-only."""
    program = case.program
    name = case.token if case.all_of(case.token) else _assigned(case)
    places = [i for i in case.around if program.at(i) == name]
    if not places:
        return None
    known = program.find(name, places[0]) or next((d for d in program.declared if d.index == places[0]), None)
    if known is None:
        return None
    gone = [i for i in program.qualifiers(known) if program.at(i) in ("const", *case.change.removed_texts)]
    return [case.without(i, i + 1) for i in gone] or None


def _assigned(case: Case) -> str:
    """The first name on the line that something is assigned to."""
    program = case.program
    for i in case.here:
        if program.at(i) in WRITING:
            k = i - 1
            while k > 0 and (program.is_field(k) or program.at(k) in (".", "]")):
                k = program.partners.get(k, k) - 1
            return program.at(k)
    return ""
