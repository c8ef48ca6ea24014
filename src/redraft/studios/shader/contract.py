"""The forms that a shader may be written in, and the whole text that the compiler gets: what is missing is added.

A fragment shader of GLSL 3.30. It gets

    uniform vec2 u_resolution;   // of the picture, in pixels
    uniform float u_time;        // seconds
    uniform vec2 u_mouse;        // in pixels, from the bottom left
    uniform float u_seed;        // a whole number from 0 to 999
    in vec2 v_uv;                // (0, 0) at the bottom left, (1, 1) at the top right
    out vec4 f_color;            // sRGB, 0 to 1; alpha is ignored

and may leave these lines and `#version 330` out. Shadertoy's `void mainImage(out vec4, in vec2)` is taken too, with
`iResolution`, `iTime`, `iTimeDelta`, `iFrame`, `iMouse` and `iDate`. There are no textures.

What is added stands before a `#line 1` and behind the last line, so that the compiler counts the lines of the shader as
it was written. The addition behind marks pixels that are not finite: with alpha 0, where all others have 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, count

from redraft.errors import FormatError
from redraft.studios.shader.glsl import Global, bare, blanked, directives, globals_of, line_of, macros, names_in
from redraft.studios.shader.refusals import refuse, refuse_size

UNIFORMS = {"u_resolution": "vec2", "u_time": "float", "u_mouse": "vec2", "u_seed": "float"}
SHADERTOY = {
    "iResolution": "vec3",
    "iTime": "float",
    "iTimeDelta": "float",
    "iFrame": "int",
    "iMouse": "vec4",
    "iDate": "vec4",
}
INPUT, OUTPUT = "v_uv", "f_color"
ALL = "u_resolution (vec2), u_time (float), u_mouse (vec2), u_seed (float)"
OLD_OUTPUT = "gl_FragColor"
PLACED = re.compile(r"\blayout\s*\(\s*((?:location|index)\s*=\s*0*[1-9]\d*)[^)]*\)\s*out\b")
DROPPED = ("version", "extension", "line")
"""Directives that are blanked: ours come first, all that is of use is in 3.30, and lines are counted from 1."""
MARKED = "redraft_bits"
"""In every text whose broken pixels are marked by alpha 0."""
ENDING = """
#undef vec4
#undef uvec3
#undef floatBitsToUint
void main() {{
    {out} = vec4(0.0, 0.0, 0.0, 1.0);
    {call};
    uvec3 redraft_bits = floatBitsToUint({out}.rgb) & 0x7fffffffu;
    {out} = redraft_bits.r < 0x7f800000u && redraft_bits.g < 0x7f800000u && redraft_bits.b < 0x7f800000u
        ? vec4({out}.rgb, 1.0) : vec4(0.0);
}}
"""
"""Infinities and NaN are detected by their bits: comparisons are optimized as if they did not exist."""


@lru_cache(maxsize=16)
def prepared(code: str) -> str:
    """The full GLSL to compile, for a shader as a model wrote it.

    Raises:
        FormatError: it is not in the contract's language, or asks for what the contract has not; the message names the
            line, and what to write instead.
    """
    refuse_size(code)
    code = _plain(code)
    text = bare(code)
    found = globals_of(text)
    defined = macros(text)
    refuse(text, found, defined)
    _check_interface(text, found)
    output = _output(text, found)
    head = "".join(f"{line}\n" for line in ("#version 330", *_missing(text, found, defined, output), "#line 1"))
    return head + _with_ending(code, text, found, output)


DECLARED = re.compile(r"\b(?:layout\s*\([^)]*\)\s*)?(uniform|in|out)\b([^;()]*);")
"""A uniform, an input or an output."""


def for_shadertoy(code: str, seed: int) -> str:
    """The shader in the form that shadertoy.com takes, for a shader that compiles here."""
    code = _plain(code)
    text = bare(code)
    found = globals_of(text)
    output, used = _output(text, found), names_in(text)
    code = _without_directives(code, text)
    for each in reversed(list(DECLARED.finditer(text))):
        kept = f"const{each[2]};" if each[1] == "uniform" and "=" in each[2] else ""
        code = code[: each.start()] + kept + code[each.end() :]
    head = {
        "u_resolution": "#define u_resolution iResolution.xy",
        "u_time": "#define u_time iTime",
        "u_mouse": "#define u_mouse iMouse.xy",
        "u_seed": f"const float u_seed = {float(seed)};",
        INPUT: f"vec2 {INPUT};",
    }
    lines = ["// For shadertoy.com.", *(line for name, line in head.items() if name in used)]
    if not any(each.role == "function" and each.name == "main" for each in found):
        return "\n".join([*lines, code.strip(), ""])
    name = _free_name(used)
    code = _renamed(code, bare(code), name)
    if output == OLD_OUTPUT:
        code, output = re.sub(rf"\b{OLD_OUTPUT}\b", OUTPUT, code), OUTPUT
    call = [f"    {INPUT} = fragCoord / iResolution.xy;"] if INPUT in used else []
    call += [f"    {name}();", f"    fragColor = vec4({output}.rgb, 1.0);"]
    ending = ["", "void mainImage(out vec4 fragColor, in vec2 fragCoord) {", *call, "}", ""]
    return "\n".join([*lines, f"vec4 {output};", code.strip(), *ending])


def _plain(code: str) -> str:
    return code.replace("\r\n", "\n").replace("\r", "\n")


def _check_interface(text: str, found: list[Global]) -> None:
    """Uniforms and inputs are those that somebody fills, with their types."""
    known = {"uniform": UNIFORMS | SHADERTOY, "in": {INPUT: "vec2"}}
    for each in found:
        if each.role == "block":
            raise FormatError(
                f"{_at(text, each)}the block `{each.name}` has no data. The uniforms are {ALL}; what else a shader "
                "needs is a constant in it."
            )
        if each.role not in known or each.name.startswith("gl_") or (each.role == "uniform" and each.given):
            continue
        right = known[each.role].get(each.name)
        if right is None:
            raise FormatError(f"{_at(text, each)}{_unknown(each)}")
        if right != each.type or each.array:
            raise FormatError(
                f"{_at(text, each)}`{each.name}` is a {right}, not {_kind(each)}. Write "
                f"`{each.role} {right} {each.name};`, or leave the line out."
            )


def _kind(each: Global) -> str:
    return f"an array of {each.type}" if each.array else f"{'an' if each.type[0] in 'aeiou' else 'a'} {each.type}"


def _unknown(each: Global) -> str:
    if each.role == "uniform":
        return (
            f"nothing fills `uniform {each.type} {each.name}`. The uniforms are {ALL}; make any other value a "
            f"constant: `const {each.type} {each.name} = …;`."
        )
    return f"nothing fills `in {each.type} {each.name}`. The only input is `in vec2 {INPUT}`, 0 to 1 from bottom left."


def _output(text: str, found: list[Global]) -> str:
    """The name of the one output: ours, or another that is declared alone, or that of older GLSL."""
    outs = [each for each in found if each.role == "out"]
    if len(outs) > 1:
        raise FormatError(f"{_at(text, outs[1])}there is one output only: `out vec4 {OUTPUT}`.")
    if outs and (outs[0].type != "vec4" or outs[0].array):
        raise FormatError(f"{_at(text, outs[0])}the output is `out vec4 {OUTPUT}`, not {_kind(outs[0])}.")
    if outs and (found_at := PLACED.search(text)):
        raise FormatError(
            f"Line {line_of(text, found_at.start())}: `{found_at.group(1)}` is not a place that is looked at; the one "
            f"output is at 0. Write `out vec4 {outs[0].name};`."
        )
    if outs and OLD_OUTPUT in names_in(text):
        raise FormatError(f"It writes to both `{OLD_OUTPUT}` and `{outs[0].name}`. Write to `{OUTPUT}` alone.")
    if outs:
        return outs[0].name
    return OLD_OUTPUT if OLD_OUTPUT in names_in(text) else OUTPUT


def _missing(text: str, found: list[Global], defined: set[str], output: str) -> Iterator[str]:
    """Declarations of what is used and not declared."""
    used = names_in(text)
    there = {each.name for each in found} | defined
    for name, kind in (UNIFORMS | SHADERTOY).items():
        if name in used and name not in there:
            yield f"uniform {kind} {name};"
    if INPUT in used and INPUT not in there:
        yield f"in vec2 {INPUT};"
    if output == OUTPUT and OUTPUT not in there:
        yield f"out vec4 {OUTPUT};"


def _with_ending(code: str, text: str, found: list[Global], output: str) -> str:
    """The shader with its `main` called by ours; as it is when its braces do not match, which the compiler will say."""
    code = _without_directives(code, text)
    if text.count("{") != text.count("}"):
        return code + "\n"
    if any(each.role == "function" and each.name == "main" for each in found):
        name = _free_name(names_in(text))
        code, call = _renamed(code, bare(code), name), f"{name}()"
    else:
        call = f"mainImage({output}, gl_FragCoord.xy)"
    return code + ENDING.format(out=output, call=call)


def _without_directives(code: str, text: str) -> str:
    for each in directives(text):
        if each.name in DROPPED:
            code = code[: each.start] + blanked(code[each.start : each.end]) + code[each.end :]
    return code


def _renamed(code: str, text: str, name: str) -> str:
    """`main` under a name of the same length, so that columns stay as they are."""
    parts, done = list[str](), 0
    for found in re.finditer(r"(?<![\w.])main(?!\w)", text):
        parts += [code[done : found.start()], name]
        done = found.end()
    return "".join(parts) + code[done:]


def in_own_words(log: str, code: str) -> str:
    """A compiler's log with `main` under the name that the shader itself gave it."""
    name = _free_name(names_in(bare(_plain(code))))
    return re.sub(rf"\b{name}\b", "main", log)


def _free_name(used: set[str]) -> str:
    return next(name for name in chain(("m_in",), (f"m{n:03d}" for n in count())) if name not in used)


def _at(text: str, each: Global) -> str:
    found = re.search(rf"\b{re.escape(each.name)}\b", text)
    return f"Line {line_of(text, found.start())}: " if found else ""
