"""Mistakes put into good shaders by a seeded generator, each of a kind that people and models make.

A mutation changes the text of one shader in one place (a name in all places where it is misspelt on a line); whether
that breaks it is for the compiler to say. Its inverse is the fix that a model would have given.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

from redraft.memory.recipes.program import Edit, Program, edited
from redraft.memory.recipes.vocabulary import ARITIES, GLSL_TYPES

__all__ = ["KINDS", "mutated"]

Kind = Callable[[Program, random.Random], list[Edit] | None]

VECTORS = ("vec2", "vec3", "vec4")
MATRICES = ("mat2", "mat3", "mat4")
OLD_NAMES = {
    "f_color": ("gl_FragColour", "fragColor", "outColor"),
    "texture": ("texture2D", "tex2D"),
    "u_time": ("iTime", "time"),
    "u_resolution": ("iResolution",),
    "v_uv": ("vUv", "uv0"),
    "mix": ("lerp",),
    "fract": ("frac",),
    "mod": ("fmod",),
    "inversesqrt": ("rsqrt",),
    "dFdx": ("ddx",),
    "vec2": ("float2",),
    "vec3": ("float3",),
    "vec4": ("float4",),
    "mat2": ("float2x2",),
}


def mutated(kind: str, code: str, seed: int) -> str | None:
    """A shader with one mistake of a kind; None when there is no place for it."""
    program = Program(code)
    edits = KINDS[kind](program, random.Random(f"{seed} {kind} {len(code)} {code[:400]}"))
    if not edits:
        return None
    text = edited(code, edits)
    return None if text == code else text


def _pick(rng: random.Random, places: list[int]) -> int | None:
    return rng.choice(places) if places else None


def _gone(program: Program, index: int) -> list[Edit]:
    token = program.tokens[index]
    return [Edit(token.start, token.end, "")]


def _instead(program: Program, index: int, text: str) -> list[Edit]:
    token = program.tokens[index]
    return [Edit(token.start, token.end, text)]


def _signs(program: Program, *texts: str) -> list[int]:
    return [i for i, t in enumerate(program.tokens) if t.text in texts]


def _drop(*texts: str) -> Kind:
    def drop(program: Program, rng: random.Random) -> list[Edit] | None:
        i = _pick(rng, _signs(program, *texts))
        return None if i is None else _gone(program, i)

    return drop


def _comma(program: Program, rng: random.Random) -> list[Edit] | None:
    inside = [i for i in _signs(program, ",") if program.at(program.enclosing[i]) == "("]
    i = _pick(rng, inside)
    return None if i is None else _gone(program, i)


def _operator(program: Program, rng: random.Random) -> list[Edit] | None:
    places = [i for i in _signs(program, "*", "+", "/") if program.at(i + 1) != "=" and i]
    i = _pick(rng, places)
    return None if i is None else _gone(program, i)


def _typo(word: str, rng: random.Random) -> str:
    """One letter dropped, doubled, swapped with the next or in the other case."""
    k = rng.randrange(max(1, len(word) - 1))
    ways = [word[:k] + word[k + 1 :], word[:k] + word[k] + word[k:], word[:k] + word[k].swapcase() + word[k + 1 :]]
    if k + 1 < len(word) and word[k] != word[k + 1]:
        ways.append(word[:k] + word[k + 1] + word[k] + word[k + 2 :])
    return rng.choice([w for w in ways if w.isidentifier()] or [word + "s"])


def _misspelt(program: Program, rng: random.Random) -> list[Edit] | None:
    declared = {d.index for d in program.declared}
    names = {d.name for d in program.declared if len(d.name) > 2 and d.kind != "field"}
    uses = [i for i, t in enumerate(program.tokens) if t.text in names and i not in declared]
    i = _pick(rng, [i for i in uses if not program.is_field(i)])
    if i is None:
        return None
    wrong = _typo(program.at(i), rng)
    line = program.line(i)
    return [e for k in program.on_lines(line, line) if program.at(k) == program.at(i) and k in uses
            for e in _instead(program, k, wrong)]  # fmt: skip


def _misspelt_function(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, [i for i, t in enumerate(program.tokens) if t.text in ARITIES and program.at(i + 1) == "("])
    return None if i is None else _instead(program, i, _typo(program.at(i), rng))


def _misspelt_type(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, [i for i, t in enumerate(program.tokens) if t.text in GLSL_TYPES and t.text != "void"])
    if i is None:
        return None
    word = program.at(i)
    return _instead(program, i, rng.choice([word.capitalize(), _typo(word, rng)]))


def _undeclared(program: Program, rng: random.Random) -> list[Edit] | None:
    """The line of one declaration goes."""
    whole = [d for d in program.declared if d.kind == "variable" and _alone(program, d.index)]
    if not whole:
        return None
    number = program.line(rng.choice(whole).index)
    start, end = program.line_span(number)
    return [Edit(start, min(end + 1, len(program.code)), "")]


def _alone(program: Program, index: int) -> bool:
    """Whether the statement of a token fills exactly one line."""
    first, last = program.statement(index)
    number = program.line(index)
    text = program.line_text(number).split("//")[0].strip()
    return program.at(last) == ";" and text == program.code[program.tokens[first].start : program.tokens[last].end]


def _legacy(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, [i for i, t in enumerate(program.tokens) if t.text in OLD_NAMES and not program.is_field(i)])
    if i is None or any(program.at(q) == "out" for q in (i - 2, i - 3)):
        return None
    return _instead(program, i, rng.choice(OLD_NAMES[program.at(i)]))


def _int_for_float(program: Program, rng: random.Random) -> list[Edit] | None:
    floats = [i for i, t in enumerate(program.tokens) if re.fullmatch(r"\d+\.0*", t.text)]
    i = _pick(rng, floats)
    return None if i is None else _instead(program, i, program.at(i).split(".")[0])


def _float_for_int(program: Program, rng: random.Random) -> list[Edit] | None:
    ints = [i for i, t in enumerate(program.tokens) if t.kind == "number" and t.text.isdecimal()]
    i = _pick(rng, ints)
    return None if i is None else _instead(program, i, program.at(i) + ".0")


def _constructors(program: Program) -> list[int]:
    """Names of vector constructors with several arguments."""
    names = [i for i, t in enumerate(program.tokens) if t.text in VECTORS and program.at(i + 1) == "("]
    return [i for i in names if _commas(program, i + 1)]


def _commas(program: Program, opening: int) -> list[int]:
    close = program.partners.get(opening, opening)
    return [k for k in range(opening, close) if program.at(k) == "," and program.enclosing[k] == opening]


def _too_few(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, _constructors(program))
    if i is None:
        return None
    close = program.partners[i + 1]
    return [Edit(program.tokens[_commas(program, i + 1)[-1]].start, program.tokens[close].start, "")]


def _too_many(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, _constructors(program))
    if i is None:
        return None
    end = program.tokens[program.partners[i + 1]].start
    return [Edit(end, end, rng.choice([", 0.0", ", 1.0"]))]


def _wrong_size(program: Program, rng: random.Random) -> list[Edit] | None:
    places = [d.typed for d in program.declared if d.type in VECTORS and program.at(d.index + 1) == "="]
    i = _pick(rng, places)
    return None if i is None else _instead(program, i, rng.choice([v for v in VECTORS if v != program.at(i)]))


def _no_swizzle(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, _swizzles(program))
    return None if i is None else [Edit(program.tokens[i - 1].start, program.tokens[i].end, "")]


def _swizzles(program: Program) -> list[int]:
    return [
        i for i, t in enumerate(program.tokens)
        if program.is_field(i) and re.fullmatch("[xyzw]{1,4}|[rgba]{1,4}", t.text) and program.at(i + 1) != "("
    ]  # fmt: skip


def _wrong_swizzle(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, _swizzles(program))
    if i is None:
        return None
    old = program.at(i)
    ways = [old + old[-1], old[:-1] + ("w" if old[0] in "xyzw" else "a"), old[:-1] + "q", old[:-1] or old * 2]
    return _instead(program, i, rng.choice([w for w in ways if w != old and len(w) <= 4] or ["xyw"]))


def _made_const(program: Program, rng: random.Random) -> list[Edit] | None:
    places = [d.typed for d in program.declared if d.kind == "variable" and program.enclosing[d.typed] >= 0]
    i = _pick(rng, [i for i in places if program.at(i - 1) in (";", "{")])
    return None if i is None else [Edit(program.tokens[i].start, program.tokens[i].start, "const ")]


def _made_const_parameter(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, [d.typed for d in program.declared if d.kind == "parameter" and program.at(d.typed - 1) in "(,"])
    return None if i is None else [Edit(program.tokens[i].start, program.tokens[i].start, "const ")]


def _no_return(program: Program, rng: random.Random) -> list[Edit] | None:
    places = [i for i, t in enumerate(program.tokens) if t.text == "return" and _alone(program, i)]
    i = _pick(rng, places)
    if i is None:
        return None
    start, end = program.line_span(program.line(i))
    return [Edit(start, min(end + 1, len(program.code)), "")]


def _wrong_return(program: Program, rng: random.Random) -> list[Edit] | None:
    """A function says that it returns another type than it does."""
    types = [f.typed for f in program.functions.values() if f.type in (*VECTORS, "float")]
    i = _pick(rng, types)
    return (
        None if i is None else _instead(program, i, rng.choice([v for v in (*VECTORS, "float") if v != program.at(i)]))
    )


def _twice(program: Program, rng: random.Random) -> list[Edit] | None:
    whole = [d for d in program.declared if d.kind == "variable" and _alone(program, d.index)]
    if not whole:
        return None
    start, end = program.line_span(program.line(rng.choice(whole).index))
    return [Edit(end, end, "\n" + program.code[start:end])]


def _wrong_matrix(program: Program, rng: random.Random) -> list[Edit] | None:
    i = _pick(rng, [d.typed for d in program.declared if d.type in MATRICES])
    return None if i is None else _instead(program, i, rng.choice([m for m in MATRICES if m != program.at(i)]))


def _argument_gone(program: Program, rng: random.Random) -> list[Edit] | None:
    """The last argument of a call of the language's own functions goes."""
    names = [i for i, t in enumerate(program.tokens) if t.text in ARITIES and _commas(program, i + 1)]
    i = _pick(rng, names)
    if i is None:
        return None
    close = program.partners[i + 1]
    return [Edit(program.tokens[_commas(program, i + 1)[-1]].start, program.tokens[close].start, "")]


KINDS: Mapping[str, Kind] = {
    "dropped semicolon": _drop(";"),
    "dropped bracket": _drop("(", ")"),
    "dropped brace": _drop("{", "}"),
    "dropped comma": _comma,
    "dropped operator": _operator,
    "misspelt name": _misspelt,
    "misspelt function": _misspelt_function,
    "misspelt type": _misspelt_type,
    "missing declaration": _undeclared,
    "name of another dialect": _legacy,
    "int for float": _int_for_float,
    "float for int": _float_for_int,
    "too few components": _too_few,
    "too many components": _too_many,
    "declared in another size": _wrong_size,
    "missing swizzle": _no_swizzle,
    "wrong swizzle": _wrong_swizzle,
    "local made const": _made_const,
    "parameter made const": _made_const_parameter,
    "missing return": _no_return,
    "wrong type of return": _wrong_return,
    "declared twice": _twice,
    "matrix of another size": _wrong_matrix,
    "missing argument": _argument_gone,
}
