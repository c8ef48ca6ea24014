"""What a shader of the contract may expect, and what models forget: constants, helpers, names of other dialects.

Each rule takes the program and one complaint, and gives what it did and the program after it, or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from redraft.memory.declared import Program
from redraft.memory.diagnostic import Diagnostic
from redraft.memory.tokens import Edit, edited
from redraft.memory.vocabulary import CONTRACT, LEGACY, RESERVED

__all__ = ["CONSTANTS", "HELPERS", "RULES"]

Done = tuple[str, str] | None
Rule = Callable[[str, Diagnostic, str], Done]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONSTANTS: Mapping[str, str] = {
    "PI": "3.14159265",
    "pi": "3.14159265",
    "M_PI": "3.14159265",
    "TAU": "6.28318531",
    "TWO_PI": "6.28318531",
    "TWOPI": "6.28318531",
    "PI2": "6.28318531",
    "HALF_PI": "1.57079633",
    "E": "2.71828183",
    "PHI": "1.61803399",
    "GOLDEN_RATIO": "1.61803399",
    "SQRT2": "1.41421356",
    "EPSILON": "0.0001",
    "EPS": "0.0001",
}
"""Names of constants that are used as if the language had them."""

_HASH = "fract(sin(dot({0}, vec2(127.1, 311.7))) * 43758.5453)"
_TURN = "float c = cos(a);\n    float s = sin(a);\n    return mat2(c, -s, s, c);"
_NOISE = """\
    vec2 i = floor(p);
    vec2 w = fract(p);
    w = w * w * (3.0 - 2.0 * w);
    vec4 n = vec4(i, i + 1.0);
    vec4 r = fract(sin(vec4(dot(n.xy, k), dot(n.zy, k), dot(n.xw, k), dot(n.zw, k))) * 43758.5453);
    return mix(mix(r.x, r.y, w.x), mix(r.z, r.w, w.x), w.y);"""


def _noise(name: str) -> str:
    return f"float {name}(vec2 p) {{\n    const vec2 k = vec2(127.1, 311.7);\n{_NOISE}\n}}"


def _octaves(name: str) -> str:
    inner = _noise(f"{name}_octave")
    body = f"sum += part * {name}_octave(p);\n        p = 2.03 * p + 17.0;\n        part *= 0.5;"
    loop = f"for (int i = 0; i < 5; i++) {{\n        {body}\n    }}"
    start = "float sum = 0.0;\n    float part = 0.5;"
    return f"{inner}\n\nfloat {name}(vec2 p) {{\n    {start}\n    {loop}\n    return sum;\n}}"


HELPERS: Mapping[str, str] = {
    **{
        name: f"float {name}(vec2 p) {{\n    return {_HASH.format('p')};\n}}"
        for name in ("hash", "hash21", "rand", "random")
    },
    **{name: _noise(name) for name in ("noise", "vnoise", "valueNoise", "snoise")},
    **{name: _octaves(name) for name in ("fbm", "turbulence")},
    **{
        name: f"mat2 {name}(float a) {{\n    {_TURN}\n}}"
        for name in ("rot", "rotate", "rot2", "rot2D", "rotate2d", "rotate2D", "rotation")
    },
    "hsv2rgb": "vec3 hsv2rgb(vec3 c) {\n    vec3 k = abs(mod(c.x * 6.0 + vec3(0.0, 4.0, 2.0), 6.0) - 3.0) - 1.0;\n"
    "    return c.z * mix(vec3(1.0), clamp(k, 0.0, 1.0), c.y);\n}",
    "saturate": "#define saturate(x) clamp(x, 0.0, 1.0)",
    "mul": "#define mul(a, b) ((a) * (b))",
    "sdCircle": "float sdCircle(vec2 p, float r) {\n    return length(p) - r;\n}",
    "sdSphere": "float sdSphere(vec3 p, float r) {\n    return length(p) - r;\n}",
    "sdBox": "float sdBox(vec2 p, vec2 b) {\n    vec2 d = abs(p) - b;\n"
    "    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);\n}",
    "map": "float map(float x, float a, float b, float c, float d) {\n    return c + (x - a) * (d - c) / (b - a);\n}",
}
"""Functions that are called as if everybody had them, with the form that is called most."""

ARGUMENTS = {"sdCircle": 2, "sdSphere": 2, "sdBox": 2, "mul": 2, "map": 5}


def _constant(code: str, found: Diagnostic, category: str) -> Done:
    name = found.token
    if category != "undeclared_identifier" or name not in CONSTANTS:
        return None
    line = f"const float {name} = {CONSTANTS[name]};"
    return f"the constant {name} was declared", _at_top(code, line)


def _helper(code: str, found: Diagnostic, category: str) -> Done:
    """A well-known function that is called and not there; only where it is called with as many arguments."""
    name = found.token
    if category not in ("no_matching_function", "undeclared_identifier") or name not in HELPERS:
        return None
    program = Program(code)
    if name in program.functions:
        return None
    if any(_arguments(program, i) != ARGUMENTS.get(name, 1) for i in _places(program, name)):
        return None
    return f"the function {name}, which is called and was not there, was written", _at_top(
        code, HELPERS[name], gap=True
    )


def _arguments(program: Program, index: int) -> int:
    """How many arguments a call at a token has; 0 where it is none."""
    close = program.partners.get(index + 1, -1)
    if program.at(index + 1) != "(" or close < 0:
        return 0
    return 1 + sum(program.at(k) == "," and program.enclosing[k] == index + 1 for k in range(index + 2, close))


def _dialect(code: str, found: Diagnostic, category: str) -> Done:
    """Names of older GLSL, Shadertoy and HLSL; those that the contract gives need no declaration."""
    program = Program(code)
    words = [found.token, *(t.text for t in program.tokens)] if category == "syntax_error" else [found.token]
    name = next((w for w in words if w in LEGACY and _foreign(program, w, category)), "")
    if not name or category not in ("undeclared_identifier", "no_matching_function", "syntax_error"):
        return None
    right = "".join(LEGACY[name]) if name != "fragCoord" else "gl_FragCoord.xy"
    if right not in CONTRACT and name not in ("fragCoord",) and right in program.own_names:
        return None
    return f"{name} became {right}", _renamed(program, name, right)


def _foreign(program: Program, name: str, category: str) -> bool:
    """Whether a name is another dialect's and not the program's; in a syntax error it must be a type or qualifier."""
    return name not in program.own_names and (category != "syntax_error" or LEGACY[name][0] in _KINDS)


_KINDS = _words("float vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 mat2 mat3 mat4 in")


def _prototype(code: str, found: Diagnostic, category: str) -> Done:
    """A function that is called above the place where it is written."""
    program = Program(code)
    function = program.functions.get(found.token)
    if category not in ("no_matching_function", "undeclared_identifier") or function is None:
        return None
    if not found.line or program.line(function.index) <= found.line:
        return None
    start = program.tokens[function.typed].start
    head = " ".join(code[start : program.tokens[function.body[0]].start].split())
    return f"{function.name} was declared before its first use", _at_top(code, f"{head};")


def _reserved(code: str, found: Diagnostic, category: str) -> Done:
    """A word that the language keeps for itself, used as a name."""
    if category not in ("reserved_name", "syntax_error"):
        return None
    program = Program(code)
    on_line = [program.at(i) for i in program.on_lines(found.line or 1, found.line or 1)]
    names = [found.token, *on_line] if category == "reserved_name" else on_line
    name = next((n for n in names if n in KEPT and _is_named(program, n)), "")
    if not name:
        return None
    return f"the reserved word {name} is now named {name}_value", _renamed(program, name, f"{name}_value")


KEPT = _words(
    "active asm cast class common enum extern external filter fixed goto half inline input interface long namespace "
    "noinline output partition public resource sample sampler shared short sizeof static superp template this typedef "
    "union unsigned using volatile patch"
)


def _is_named(program: Program, name: str) -> bool:
    """Whether a word stands where a variable is declared or used."""
    return any(
        program.is_type(program.at(i - 1)) or program.at(i + 1) in ("=", ";", ",") for i in _places(program, name)
    )


def _read_only(code: str, found: Diagnostic, category: str) -> Done:
    """An input or uniform that a function writes to: the function gets a copy of its own."""
    if category != "not_assignable":
        return None
    program = Program(code)
    given = {"v_uv": "vec2", "u_resolution": "vec2", "u_time": "float", "u_mouse": "vec2", "u_seed": "float"}
    line = found.line or 1
    for i in program.on_lines(line, line):
        name, function = program.at(i), program.function_at(i)
        if name in given and function is not None and not program.is_field(i):
            own = f"own_{name[2:]}"
            within = [k for k in _places(program, name) if function.body[0] < k < function.body[1]]
            edits = [Edit(program.tokens[k].start, program.tokens[k].end, own) for k in within]
            opened = program.tokens[function.body[0]].end
            edits.append(Edit(opened, opened, f" {given[name]} {own} = {name};"))
            return f"{name} cannot be written to: {own} is a copy of it", edited(code, edits) or code
    return None


def _remainder(code: str, found: Diagnostic, category: str) -> Done:
    """`a % b` of floats is `mod(a, b)`."""
    if "%" not in found.text + found.token:
        return None
    program = Program(code)
    for i in program.on_lines(found.line or 1, found.line or 1):
        if program.at(i) == "%" and category in ("operator_mismatch", "unsupported_feature"):
            first, last = _operand_before(program, i), _operand_behind(program, i)
            edits = [
                Edit(program.tokens[first].start, program.tokens[first].start, "mod("),
                Edit(program.tokens[i - 1].end, program.tokens[i + 1].start, ", "),
                Edit(program.tokens[last].end, program.tokens[last].end, ")"),
            ]
            return "the remainder of floats is taken by mod", edited(code, edits) or code
    return None


def _operand_before(program: Program, i: int) -> int:
    """The first token of the operand that ends before a sign."""
    k = i - 1
    while True:
        if program.at(k) in (")", "]"):
            k = program.partners.get(k, k)
            if program.tokens[k - 1].kind == "name" and program.at(k - 1) not in RESERVED:
                k -= 1
            else:
                return k
        elif program.at(k - 1) == ".":
            k -= 2
        else:
            return k


def _operand_behind(program: Program, i: int) -> int:
    """The last token of the operand that begins behind a sign."""
    k = i + 1
    if program.at(k) == "-":
        k += 1
    if program.at(k) == "(":
        k = program.partners.get(k, k)
    while program.at(k + 1) in ("(", "[", "."):
        k = k + 2 if program.at(k + 1) == "." else program.partners.get(k + 1, k + 1)
    return k


def _condition(code: str, found: Diagnostic, category: str) -> Done:
    """A number as a condition is compared with nought."""
    if category != "condition_type":
        return None
    program = Program(code)
    for i in program.on_lines(found.line or 1, found.line or 1):
        close = program.partners.get(i + 1, -1)
        if program.at(i) in ("if", "while") and program.at(i + 1) == "(" and close > 0:
            start, end = program.tokens[i + 1].end, program.tokens[close].start
            edits = [Edit(start, start, "("), Edit(end, end, ") != 0.0")]
            return "a number is no condition: it is compared with nought", edited(code, edits) or code
    return None


def _suffix(code: str, found: Diagnostic, category: str) -> Done:
    """`1.0f` where only `1.0` is known, and `double` where only `float` is."""
    program = Program(code)
    line = [program.at(i) for i in program.on_lines(found.line or 1, found.line or 1)]
    here = category == "syntax_error" and any(
        re.fullmatch(r"d(?:ouble|vec[234]|mat[234])|[\d.]+(?:lf|LF)", t) for t in line
    )
    if not here and not re.search(r"suffix|double|floating-point|fp64", found.text):
        return None
    edits: list[Edit] = []
    for token in program.tokens:
        bare = re.sub(r"(?:lf|LF|[fF])\Z", "", token.text)
        if token.kind == "number" and bare != token.text and not bare.lower().startswith("0x"):
            edits.append(Edit(token.start, token.end, bare if "." in bare or "e" in bare else f"{bare}.0"))
        elif re.fullmatch(r"double|dvec[234]|dmat[234]", token.text):
            edits.append(
                Edit(token.start, token.end, token.text.removeprefix("d") if token.text != "double" else "float")
            )
    text = edited(code, edits)
    return ("numbers were written without a suffix, double as float", text) if text and text != code else None


def _version(code: str, found: Diagnostic, category: str) -> Done:
    """The first line says which GLSL it is; nothing goes before it."""
    if category not in ("preprocessor", "unsupported_feature", "syntax_error") or "version" not in found.text.lower():
        return None
    rest = [line for line in code.splitlines() if not re.match(r"\s*#\s*version\b", line)]
    return "the version line is #version 330, and the first", "\n".join(["#version 330", *rest]) + "\n"


def _at_top(code: str, text: str, *, gap: bool = False) -> str:
    """With some lines put before the first function or constant of a program, behind its directives."""
    lines = code.split("\n")
    program = Program(code)
    heads = [program.line(f.typed) for f in program.functions.values()]
    heads += [
        program.line(d.typed) for d in program.declared if program.enclosing[d.index] < 0 and _begins(program, d.typed)
    ]
    at = min(heads, default=1) - 1
    while at and lines[at - 1].lstrip().startswith("//"):
        at -= 1
    return "\n".join([*lines[:at], *text.split("\n"), *([""] if gap else []), *lines[at:]])


def _begins(program: Program, typed: int) -> bool:
    """Whether a declaration has a value: those of uniforms and inputs have none, and may stay above."""
    first, last = program.statement(typed)
    return any(program.at(i) == "=" for i in range(first, last))


def _places(program: Program, name: str) -> Sequence[int]:
    return [i for i, t in enumerate(program.tokens) if t.text == name and not program.is_field(i)]


def _renamed(program: Program, name: str, right: str) -> str:
    edits = [Edit(program.tokens[i].start, program.tokens[i].end, right) for i in _places(program, name)]
    return edited(program.code, edits) or program.code


RULES: Sequence[Rule] = (
    _version,
    _suffix,
    _constant,
    _prototype,
    _dialect,
    _helper,
    _reserved,
    _read_only,
    _remainder,
    _condition,
)
"""In the order in which they are tried, before any lesson."""
