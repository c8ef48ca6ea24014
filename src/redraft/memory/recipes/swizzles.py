"""Mends by fields of vectors: ones that the vector has, and of the length that goes together with what is around."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.memory.change import Case, Change
from redraft.memory.declared import Program
from redraft.memory.expressions import SWIZZLES, components, swizzle_set, type_of
from redraft.memory.recipes.values import Value, end_of, is_simple, target_of, value_of
from redraft.memory.tokens import Edit

__all__ = ["shows_swizzle", "swizzle"]

MOST_TRIES = 400
"""Lengths of swizzles that are tried for one error."""
MOST_TOKENS = 150
"""Of a value that is searched for what makes it fit."""


def shows_swizzle(change: Change) -> bool:
    """Whether only fields, with their dots, were put in, taken away or replaced."""
    texts = [*change.added_texts, *change.removed_texts]
    return bool(texts) and all(t == "." or swizzle_set(t) for t in texts) and any(t != "." for t in texts)


def swizzle(case: Case) -> list[Edit] | None:
    return _valid_fields(case) or _searched(case) or _cut(case)


def _valid_fields(case: Case) -> list[Edit] | None:
    """Fields that their vector does not have become ones that it has."""
    program = case.program
    edits: list[Edit] = []
    for i in case.around:
        if not program.is_field(i) or program.at(i + 1) == "(" or i < 2:
            continue
        size = components(_base_type(program, i - 2))
        if size is None and program.at(i) == case.token:
            size = 4
        if size is None or size > 4:
            continue
        right = _fitting(program.at(i), size, cut=_cuts(case.change))
        if right != program.at(i):
            edits.append(case.instead(i, right) if right else case.without(i - 1, i + 1))
    return edits or None


def _searched(case: Case) -> list[Edit] | None:
    """The one field, or vector without one, that makes a value's operands go together once it has another length."""
    program, tries = case.program, 0
    for first, last, want in _values(case):
        if last - first > MOST_TOKENS or type_of(program, first, last) == want:
            continue
        for i in range(first, last):
            for text in _lengths(program, i, case.change):
                tries += 1
                if tries > MOST_TRIES:
                    return None
                if _type_with(program, first, last, i, text) == want:
                    return [case.instead(i, text)]
    return None


def _values(case: Case) -> Iterator[tuple[int, int, str]]:
    """Values on the line whose type is known to be wanted: assigned, returned, asked for by a condition."""
    program = case.program
    for i in case.around:
        if program.at(i) == "return":
            function = program.function_at(i)
            if function is not None:
                yield i + 1, program.statement(i)[1], function.type
        elif program.at(i) == "=":
            want = target_of(program, i)
            if want is not None:
                yield i + 1, end_of(program, i + 1), want
        elif program.at(i) == "if" and i + 1 in program.partners:
            yield i + 2, program.partners[i + 1], "bool"


def _lengths(program: Program, i: int, change: Change) -> list[str]:
    """A token with fields of other lengths."""
    text = program.at(i)
    if program.is_field(i):
        letters = swizzle_set(text)
        more = [(text + "".join(c for c in letters if c not in text))[:n] for n in range(1, 5)] if letters else []
        return sorted((m for m in more if m != text), key=lambda m: abs(len(m) - len(text)))
    if program.tokens[i].kind != "name" or program.at(i + 1) in (".", "(", "["):
        return []
    known = program.find(text, i)
    size = components(known.type) if known else None
    if known is None or size is None or not 2 <= size <= 4 or "mat" in known.type:
        return []
    letters = next((s for s in SWIZZLES for t in change.added_texts if t != "." and set(t) <= set(s)), "xyzw")
    return [f"{text}.{letters[:n]}" for n in range(size - 1, 0, -1)]


def _type_with(program: Program, first: int, last: int, i: int, text: str) -> str | None:
    """The type of an expression with another text in the place of one token."""
    start, end, token = program.tokens[first].start, program.tokens[last - 1].end, program.tokens[i]
    tried = Program(program.code[start : token.start] + text + program.code[token.end : end], within=(program, i))
    return type_of(tried, 0, len(tried.tokens))


def _base_type(program: Program, last: int) -> str | None:
    """The type of the operand that ends with a token."""
    first = last
    if program.at(first) in (")", "]"):
        first = program.partners.get(first, first)
        if first and program.tokens[first - 1].kind == "name":
            first -= 1
    while first > 1 and program.is_field(first):
        first -= 2
        if program.at(first) in (")", "]"):
            return None
    return type_of(program, first, last + 1)


def _cuts(change: Change) -> bool:
    """Whether the remembered fix made a swizzle shorter."""
    return sum(map(len, change.added_texts)) < sum(map(len, change.removed_texts))


def _fitting(field: str, size: int, *, cut: bool) -> str:
    """A swizzle with the letters that a vector of a size has; empty for a scalar."""
    if size == 1:
        return ""
    letters = max(SWIZZLES, key=lambda s: sum(c in s for c in field))
    places = [next((s.index(c) for s in SWIZZLES if c in s), size - 1) for c in field[:4]]
    if cut:
        places = [p for p in places if p < size] or [0]
    return "".join(letters[min(p, size - 1)] for p in places)


def _cut(case: Case) -> list[Edit] | None:
    """A value with too many components gets a swizzle; one that has a swizzle of the wrong length another."""
    value = value_of(case)
    have, want = (components(value.have), components(value.want)) if value else (None, None)
    if value is None or have is None or want is None or have == want or "mat" in f"{value.have}{value.want}":
        return None
    program, last = case.program, value.last - 1
    if program.is_field(last) and is_simple(program, value.first, value.last):
        return _relong(case, last, want)
    if have < want:
        return None
    letters = next((s for s in SWIZZLES for t in case.change.added_texts if t != "." and set(t) <= set(s)), "xyzw")
    return _appended(case, value, f".{letters[:want]}")


def _relong(case: Case, field: int, want: int) -> list[Edit] | None:
    """A swizzle at the end of a value in the length that is wanted."""
    program = case.program
    old = program.at(field)
    letters = swizzle_set(old)
    if not letters:
        return None
    new = old[:want] if len(old) >= want else (old + "".join(c for c in letters if c not in old))[:want]
    size = components(_base_type(program, field - 2))
    if size is not None and any(letters.index(c) >= size for c in new):
        return None
    return [case.instead(field, new)]


def _appended(case: Case, value: Value, text: str) -> list[Edit]:
    if is_simple(case.program, value.first, value.last):
        return [case.behind(value.last - 1, text)]
    return [case.before(value.first, "("), case.behind(value.last - 1, f"){text}")]
