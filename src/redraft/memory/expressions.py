"""What type a GLSL expression has, as far as that can be told without a compiler, and which calls in it cannot be.

Everything is best effort: where a type cannot be told the answer is None, and a mend that needs it is not made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from redraft.memory.declared import Program
from redraft.memory.vocabulary import ARITIES, GLSL_TYPES

__all__ = ["arguments", "call_faults", "components", "resized", "swizzle_set", "type_of"]

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
    """How many numbers a type holds: 1 for float, 9 for mat3."""
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
    """Which of the three sets of letters a field is from; empty when it is no swizzle."""
    return next((s for s in SWIZZLES if name and len(name) <= 4 and set(name) <= set(s)), "")


def type_of(program: Program, first: int, last: int) -> str | None:
    """The type of the expression in tokens [first, last); None where it cannot be told."""
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


def call_faults(program: Program, first: int, last: int) -> int:
    """How many calls in some tokens have a wrong number of arguments, or a constructor of components."""
    faults = 0
    for i in range(first, min(last, len(program.tokens) - 1)):
        if program.at(i + 1) == "(" and program.tokens[i].kind == "name" and i + 1 in program.partners:
            faults += _wrong(program, program.at(i), arguments(program, i + 1))
    return faults


def _wrong(program: Program, name: str, given: Sequence[tuple[int, int]]) -> bool:
    if any(a == b for a, b in given):
        return True
    if name in program.functions:
        return len(given) != len(program.functions[name].parameters)
    if name in ARITIES:
        low, high = ARITIES[name]
        return not low <= len(given) <= high
    need = components(name) if name in GLSL_TYPES else None
    return need is not None and (not given or _misfit(program, need, given))


def _misfit(program: Program, need: int, given: Sequence[tuple[int, int]]) -> bool:
    """Whether these arguments cannot be the components of a constructor that needs so many."""
    have = [components(type_of(program, a, b)) for a, b in given]
    if len(have) == 1 and have[0] is not None:
        return not (have[0] == 1 or have[0] >= need)
    if any(h is None for h in have):
        return len(given) > need
    total = sum(h or 0 for h in have)
    return total < need or total - (have[-1] or 0) >= need


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
        """What is in brackets; the next token is then the one behind them."""
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
"""Which arguments of a function may be one number where the others are vectors."""


def _widest(name: str, types: Sequence[str | None]) -> str | None:
    """What a function over vectors of any one size returns; None where its arguments do not go together."""
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
