"""Mends of types that do not go together: the declared type follows the value, or the value is made to fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redraft.memory.change import Case, Change
from redraft.memory.declared import Declared, Function, Program
from redraft.memory.expressions import SWIZZLES, components, resized, swizzle_set, type_of
from redraft.memory.tokens import MOST_OF_STATEMENT, Edit
from redraft.memory.vocabulary import GLSL_TYPES

__all__ = ["Value", "converted", "declared_type", "shows_converted", "shows_declared_type", "shows_swizzle", "swizzle"]
__all__ += ["two_types", "value_of"]

_PHRASE = re.compile(r"(\d)-component vector of (float|int|uint|bool)")
_WORD = re.compile(r"\b[A-Za-z]\w*\b")
MOST_PLACES = 50
"""Returns of a function, or assignments to a variable, that are looked at."""
MOST_TRIES = 400
"""Lengths of swizzles that are tried for one error."""
MOST_TOKENS = 150
"""Of a value that is searched for what makes it fit."""
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
            want, kind = _target(program, i), program.at(i)
            first, last = i + 1, _end(program, i + 1)
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


def _end(program: Program, first: int) -> int:
    """Where the value that begins here ends: at `;`, at a `,` of its level, at the bracket around it."""
    level = program.enclosing[first] if first < len(program.tokens) else -1
    for i in range(first, min(len(program.tokens), first + MOST_OF_STATEMENT)):
        if program.enclosing[i] == level and program.at(i) in (";", ","):
            return i
        if program.enclosing[i] < level or (program.at(i) in ")}" and program.partners.get(i) == level):
            return i
    return min(len(program.tokens), first + MOST_OF_STATEMENT)


def _target(program: Program, sign: int) -> str | None:
    """The type of what stands before an assignment."""
    first = sign - 1
    while first > 0 and (program.is_field(first) or program.at(first) in (".", "]")):
        first = program.partners.get(first, first) - 1
    known = next((d for d in program.declared if d.index == first), None)
    return known.type if known else type_of(program, first, sign)


# The declared type follows the value


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
    return any(type_of(program, i + 2, _end(program, i + 2)) == known.type for i in places)


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


# The value is made to fit


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
            want = _target(program, i)
            if want is not None:
                yield i + 1, _end(program, i + 1), want
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
    if program.is_field(last) and _simple(program, value.first, value.last):
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


def _simple(program: Program, first: int, last: int) -> bool:
    """Whether an expression is one operand: no operator outside of its brackets."""
    level = program.enclosing[first]
    return not any(
        program.enclosing[i] == level and program.tokens[i].kind == "sign" and program.at(i) not in ".()[]"
        for i in range(first, last)
    )


def _appended(case: Case, value: Value, text: str) -> list[Edit]:
    if _simple(case.program, value.first, value.last):
        return [case.behind(value.last - 1, text)]
    return [case.before(value.first, "("), case.behind(value.last - 1, f"){text}")]


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
