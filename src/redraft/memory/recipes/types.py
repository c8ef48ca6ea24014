"""Types of GLSL expressions, as far as they can be derived without a compiler, and the value that does not fit.

Where a type cannot be derived the answer is None, and a fix that needs it is not made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.memory.recipes.change import Case
from redraft.memory.recipes.program import MOST_OF_STATEMENT, Program
from redraft.memory.recipes.vocabulary import ARITIES, GLSL_TYPES

__all__ = ["Value", "arguments", "components", "end_of", "resized", "target_of", "two_types", "type_of", "value_of"]

SWIZZLES: Final = ("xyzw", "rgba", "stpq")
_SCALARS = frozenset(("float", "int", "uint", "bool", "double"))
_SIZED = re.compile(r"([biud]?vec|mat)([234])(?:x([234]))?")
_RETURNS: Final = {
    **dict.fromkeys(("length", "distance", "dot", "determinant", "noise1"), "float"),
    **dict.fromkeys(("any", "all"), "bool"),
    "cross": "vec3",
}
_TO_VEC4 = re.compile(r"texture|texelFetch|shadow[12]D|noise4|ftransform")
_LOWEST = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||", "^^"))
_DEPTH = 40
_LENGTH = 400


def components(type_: str | None) -> int | None:
    """Return the number of components of a type: 1 for float, 9 for mat3."""
    if type_ in _SCALARS:
        return 1
    match = _SIZED.fullmatch(type_ or "")
    if match is None:
        return None
    first, second = int(match[2]), match[3]
    return first if match[1] != "mat" else first * int(second or first)


def resized(type_: str, size: int) -> str:
    """The same kind of type in another size: vec3, 2 → vec2; vec3, 1 → float."""
    match = _SIZED.fullmatch(type_)
    family = match[1] if match else {"int": "ivec", "uint": "uvec", "bool": "bvec"}.get(type_, "vec")
    if size == 1:
        return {"ivec": "int", "uvec": "uint", "bvec": "bool", "dvec": "double"}.get(family, "float")
    return f"{family}{size}"


def swizzle_set(name: str) -> str:
    """Return the set of letters that a field is from, one of three; empty when it is not a swizzle."""
    return next((s for s in SWIZZLES if name and len(name) <= 4 and set(name) <= set(s)), "")


def type_of(program: Program, first: int, last: int) -> str | None:
    """The type of the expression in tokens [first, last); None where it cannot be derived."""
    if not first < last <= len(program.tokens) or last - first > _LENGTH:
        return None
    reader = _Reader(program, first, last)
    found = reader.expression(0)
    return found if reader.at == last else None


def arguments(program: Program, opening: int) -> list[tuple[int, int]]:
    """The arguments of a call as spans of tokens, by the index of its opening bracket; none for `()`, or too many."""
    close = program.partners.get(opening)
    if close is None or close == opening + 1 or close - opening > _LENGTH:
        return []
    found: list[tuple[int, int]] = []
    first = opening + 1
    for i in range(opening + 1, close):
        if program.at(i) == "," and program.enclosing[i] == opening:
            found.append((first, i))
            first = i + 1
    return [*found, (first, close)]


class _Reader:
    """A descent through one expression. `at` is the next token."""

    def __init__(self, program: Program, first: int, last: int, depth: int = 0) -> None:
        self.program = program
        self.at = first
        self.last = last
        self.depth = depth

    def peek(self) -> str:
        return self.program.at(self.at) if self.at < self.last else ""

    def expression(self, depth: int) -> str | None:
        """Operands joined by operators: comparisons give bool, all else the wider of both sides."""
        self.depth = depth
        found = self.operand(depth)
        boolean = False
        while self.peek() and self.peek() not in (",", ")", "]", ";", ":"):
            sign = self.peek()
            self.at += 1
            if sign == "?":
                return self._choice(depth)
            other = self.operand(depth)
            boolean = boolean or sign in _LOWEST
            found = _joined(found, other, sign)
        return self._choice(depth) if self.peek() == "?" else "bool" if boolean else found

    def _choice(self, depth: int) -> str | None:
        found = self.expression(depth + 1) if depth < _DEPTH else None
        if self.peek() != ":":
            return None
        self.at += 1
        other = self.expression(depth + 1) if depth < _DEPTH else None
        return found or other

    def operand(self, depth: int) -> str | None:
        while self.peek() in ("-", "+", "!", "~", "++", "--"):
            self.at += 1
        index = self.at
        if not self.peek():
            return None
        token = self.program.tokens[index]
        self.at += 1
        if token.kind == "number":
            found = _number(token.text)
        elif token.text == "(":
            found = self._inside(index, depth)
        elif token.kind != "name":
            return None
        elif self.peek() == "(":
            found = self._call(token.text, self.at, depth)
        elif token.text in ("true", "false"):
            found = "bool"
        else:
            known = self.program.find(token.text, index)
            found = known.type if known else _GIVEN.get(token.text)
        return self._postfix(found)

    def _inside(self, opening: int, depth: int) -> str | None:
        """Read the content of brackets; the next token is then the one after them."""
        close = self.program.partners.get(opening)
        if close is None or close >= self.last or depth > _DEPTH:
            self.at = self.last + 1
            return None
        inner = _Reader(self.program, opening + 1, close)
        found = inner.expression(depth + 1)
        self.at = close + 1
        return found if inner.at == close else None

    def _call(self, name: str, opening: int, depth: int) -> str | None:
        close = self.program.partners.get(opening)
        if close is None or close >= self.last or depth > _DEPTH:
            self.at = self.last + 1
            return None
        self.at = close + 1
        if name in self.program.functions:
            return self.program.functions[name].type
        if self.program.is_type(name):
            return name
        if name in _RETURNS or _TO_VEC4.match(name):
            return _RETURNS.get(name, "vec4")
        spans = arguments(self.program, opening) if name in ARITIES else []
        return _widest(name, [_Reader(self.program, a, b).expression(depth + 1) for a, b in spans])

    def _postfix(self, found: str | None) -> str | None:
        while self.peek() in (".", "[", "++", "--"):
            sign = self.peek()
            self.at += 1
            if sign == ".":
                found = _field(found, self.peek())
                self.at += 1
                if self.peek() == "(":
                    found = self._call("", self.at, 0)
            elif sign == "[":
                close = self.program.partners.get(self.at - 1)
                if close is None or close >= self.last:
                    self.at = self.last + 1
                    return None
                self.at = close + 1
                found = _element(found)
        return found


_GIVEN = {
    "u_resolution": "vec2",
    "u_time": "float",
    "u_mouse": "vec2",
    "u_seed": "float",
    "v_uv": "vec2",
    "f_color": "vec4",
    "gl_FragCoord": "vec4",
    "gl_FragColor": "vec4",
    "gl_PointCoord": "vec2",
    "gl_FrontFacing": "bool",
    "gl_Color": "vec4",
}


def _number(text: str) -> str:
    if text[-1] in "uU":
        return "uint"
    floats = not text.lower().startswith("0x") and any(c in text for c in ".eEfF")
    return "float" if floats else "int"


def _field(type_: str | None, name: str) -> str | None:
    size = components(type_)
    if type_ is None or size is None or type_.startswith("mat") or not swizzle_set(name):
        return None
    return resized(type_, len(name))


def _element(type_: str | None) -> str | None:
    if type_ is None:
        return None
    if type_.endswith("[]"):
        return type_[:-2]
    match = _SIZED.fullmatch(type_)
    if match is None:
        return None
    return f"vec{match[3] or match[2]}" if match[1] == "mat" else resized(type_, 1)


_SCALARS_AT = {
    **dict.fromkeys(("min", "max", "mod"), (1,)),
    **dict.fromkeys(("mix", "refract"), (2,)),
    "clamp": (1, 2),
    "step": (0,),
    "smoothstep": (0, 1),
}
"""Arguments of a function that may be one number where the others are vectors."""


def _widest(name: str, types: Sequence[str | None]) -> str | None:
    """Return the result type of a function over vectors of one size; None where its arguments do not match."""
    known = [t for t in types if t is not None]
    if not known or (len(known) < len(types) and all(components(t) == 1 for t in known)):
        return None
    best = max(known, key=lambda t: components(t) or 0)
    others = [(k, t) for k, t in enumerate(types) if t is not None and components(t) != components(best)]
    if any(components(t) != 1 or k not in _SCALARS_AT.get(name, ()) for k, t in others):
        return None
    return "float" if best in ("int", "uint") else best


def _joined(one: str | None, other: str | None, sign: str) -> str | None:
    """The type of `one sign other`; None where the sizes do not go together."""
    if one is None or other is None:
        return None
    if one == other:
        return one
    a, b = components(one), components(other)
    if a == 1 and b == 1:
        return "float" if "float" in (one, other) else one
    if a == 1 or b == 1:
        return other if a == 1 else one
    if sign == "*" and "mat" in one + other:
        return other if one.startswith("mat") else one
    return one if a == b else None


# The value on an error's line

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
    """Return the end of the value that begins here: at `;`, at a `,` of its level, at the bracket around it."""
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
