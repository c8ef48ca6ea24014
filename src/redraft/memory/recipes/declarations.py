"""Fixes of declarations and of their values: said twice, with a qualifier that forbids what is done, of another type or
size than the value; numbers of the wrong kind, constructors with too many or too few components.
"""

from __future__ import annotations

from collections.abc import Sequence

from redraft.memory.recipes.change import Case, Change
from redraft.memory.recipes.program import Declared, Edit, Function, Program, Token
from redraft.memory.recipes.types import arguments, components, end_of, two_types, type_of, value_of
from redraft.memory.recipes.vocabulary import GLSL_TYPES, QUALIFIERS

__all__ = [
    "components_fitted", "declared_type", "numbers", "repeated", "shows_components", "shows_declared_type",
    "shows_numbers", "shows_repeated", "shows_unqualified", "unqualified",
]  # fmt: skip

WRITING = frozenset(("=", "+=", "-=", "*=", "/=", "++", "--"))
REMOVABLE = frozenset(("const", "in", "uniform", "varying", "attribute"))


def shows_repeated(change: Change) -> bool:
    """Return whether only a declaration, or the type in front of a name, was deleted."""
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


# Types

MOST_PLACES = 50
"""Returns of a function, or assignments to a variable, that are looked at."""


def shows_declared_type(change: Change) -> bool:
    """Return whether some type in front of a name became another one, and nothing but types changed."""
    pairs = change.replaced_names
    if not pairs or not all(a in GLSL_TYPES and b in GLSL_TYPES for a, b in pairs):
        return False
    broken = change.broken
    return any(s.end < len(broken.tokens) and broken.tokens[s.end].kind == "name" for s in change.spans)


def declared_type(case: Case) -> list[Edit] | None:
    program = case.program
    value = value_of(case)
    if value is None or value.have is None or value.have == "void":
        return None
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
    """Return whether some return of a function has this type."""
    places = [i for i in range(*function.body) if program.at(i) == "return"][:MOST_PLACES]
    return any(type_of(program, i + 1, program.statement(i)[1]) == type_ for i in places)


def _given(program: Program, known: Declared) -> bool:
    """Return whether a variable is given a value of its own type somewhere."""
    stop = min(known.until, len(program.tokens))
    places = [i for i in range(known.index, stop) if program.at(i) == known.name and program.at(i + 1) == "="]
    places = places[:MOST_PLACES]
    return any(type_of(program, i + 2, end_of(program, i + 2)) == known.type for i in places)


# Numbers


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
    if whole and "int" not in case.error.text:
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


# Constructors


def shows_components(change: Change) -> bool:
    """Return whether arguments of a constructor were added or deleted."""
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
    """Where the size of an argument is unknown: one more, or one less, as the remembered fix had it."""
    if case.change.added:
        return [case.behind(given[-1][1] - 1, f", {_number(case)}")]
    return [_drop(case.program, given[-2][1], given[-1][1])] if len(given) > 1 else []


def _drop(program: Program, first: int, last: int) -> Edit:
    return Edit(program.tokens[first].start, program.tokens[last - 1].end, "")


def _number(case: Case) -> str:
    numbers = [t.text for t in case.change.added if t.kind == "number"]
    return numbers[-1] if numbers else "0.0"
