"""The forms that a shader may be written in, and the whole text that the compiler gets: what is missing is added.

A fragment shader of GLSL 3.30. It gets

    uniform vec2 u_resolution;   // of the picture, in pixels
    uniform float u_time;        // seconds
    uniform vec2 u_mouse;        // in pixels, from the bottom left
    uniform float u_seed;        // a whole number from 0 to 999
    in vec2 v_uv;                // (0, 0) at the bottom left, (1, 1) at the top right
    out vec4 f_color;            // sRGB, 0 to 1; alpha is ignored

and may leave these lines and `#version 330` out. Shadertoy's `void mainImage(out vec4, in vec2)` is taken too, with
`iResolution`, `iTime`, `iTimeDelta`, `iFrame`, `iMouse` and `iDate` (see `interface.py`). There are no textures.

What is added stands before a `#line 1` and behind the last line, so that the compiler counts the lines of the shader as
it was written. The addition behind marks pixels that are not finite: with alpha 0, where all others have 1.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, count

from redraft.errors import FormatError
from redraft.studios.shader.glsl import Global, bare, blanked, directives, globals_of, line_of, macros, names_in
from redraft.studios.shader.interface import ALL_UNIFORMS, INPUT, OUTPUT, UNIFORMS, declaration
from redraft.studios.shader.refusals import refuse, refuse_size

OLD_OUTPUT = "gl_FragColor"
BROKEN_BITS = "redraft_bits"
"""A name in every text whose broken pixels are marked by alpha 0."""

_UNIFORMS_LISTED = ", ".join(f"{name} ({uniform.type})" for name, uniform in UNIFORMS.items())
_OTHER_LOCATION = re.compile(r"\blayout\s*\(\s*((?:location|index)\s*=\s*0*[1-9]\d*)[^)]*\)\s*out\b")
_DROPPED_DIRECTIVES = ("version", "extension", "line")
"""Directives that are blanked: ours come first, all that is of use is in 3.30, and lines are counted from 1."""
_DECLARATION = re.compile(r"\b(?:layout\s*\([^)]*\)\s*)?(uniform|in|out)\b([^;()]*);")
_ENDING = """
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
    """Return the full GLSL to compile, for a shader as a model wrote it.

    Raises:
        FormatError: it is not in the contract's language, or asks for what the contract does not have; the message
            names the line, and what to write instead.
    """
    refuse_size(code)
    code = _with_line_feeds(code)
    text = bare(code)
    declared, defined, used = globals_of(text), macros(text), names_in(text)
    refuse(text, declared, defined)
    _check_inputs(text, declared)
    output = _output(text, declared)

    known = {each.name for each in declared} | defined
    missing = [name for name in (*ALL_UNIFORMS, INPUT) if name in used and name not in known]
    if output == OUTPUT and OUTPUT not in known:
        missing.append(OUTPUT)
    head = ["#version 330", *map(declaration, missing), "#line 1"]

    body = _without_directives(code, text)
    if text.count("{") != text.count("}"):
        ending = "\n"  # the compiler names the brace; an ending would only add an error of its own
    elif _has_main(declared):
        name = _free_name(used)
        body = _with_main_renamed(body, name)
        ending = _ENDING.format(out=output, call=f"{name}()")
    else:
        ending = _ENDING.format(out=output, call=f"mainImage({output}, gl_FragCoord.xy)")
    return "".join(f"{line}\n" for line in head) + body + ending


def for_shadertoy(code: str, seed: int) -> str:
    """Return the shader in the form that shadertoy.com takes, for a shader that compiles here."""
    code = _with_line_feeds(code)
    text = bare(code)
    declared, used = globals_of(text), names_in(text)
    output = _output(text, declared)

    # Declarations of the interface go, and a uniform with a value becomes a constant. From the end, as places shift.
    code = _without_directives(code, text)
    for match in reversed(list(_DECLARATION.finditer(text))):
        constant = f"const{match[2]};" if match[1] == "uniform" and "=" in match[2] else ""
        code = code[: match.start()] + constant + code[match.end() :]

    lines = ["// For shadertoy.com."]
    lines += [u.shadertoy.format(seed=float(seed)) for name, u in UNIFORMS.items() if name in used]
    lines += [f"vec2 {INPUT};"] if INPUT in used else []
    if not _has_main(declared):
        return "\n".join([*lines, code.strip(), ""])

    name = _free_name(used)
    code = _with_main_renamed(code, name)
    if output == OLD_OUTPUT:
        code, output = re.sub(rf"\b{OLD_OUTPUT}\b", OUTPUT, code), OUTPUT
    call = [f"    {INPUT} = fragCoord / iResolution.xy;"] if INPUT in used else []
    call += [f"    {name}();", f"    fragColor = vec4({output}.rgb, 1.0);"]
    ending = ["", "void mainImage(out vec4 fragColor, in vec2 fragCoord) {", *call, "}", ""]
    return "\n".join([*lines, f"vec4 {output};", code.strip(), *ending])


def with_main_restored(log: str, code: str) -> str:
    """Return a compiler's log with `main` under the name that the shader itself gave it."""
    name = _free_name(names_in(bare(_with_line_feeds(code))))
    return re.sub(rf"\b{name}\b", "main", log)


def _with_line_feeds(code: str) -> str:
    return code.replace("\r\n", "\n").replace("\r", "\n")


def _check_inputs(text: str, declared: list[Global]) -> None:
    """Check that all uniforms and inputs are among those that get values, with their types. Raises `FormatError`."""
    known = {"uniform": {name: u.type for name, u in ALL_UNIFORMS.items()}, "in": {INPUT: "vec2"}}
    for each in declared:
        if each.role == "block":
            raise FormatError(
                f"{_place_of(text, each)}the block `{each.name}` has no data. The uniforms are {_UNIFORMS_LISTED}; "
                "what else a shader needs is a constant in it."
            )
        if each.role not in known or each.name.startswith("gl_") or (each.role == "uniform" and each.given):
            continue

        right = known[each.role].get(each.name)
        if right is None and each.role == "uniform":
            raise FormatError(
                f"{_place_of(text, each)}nothing fills `uniform {each.type} {each.name}`. The uniforms are "
                f"{_UNIFORMS_LISTED}; make any other value a constant: `const {each.type} {each.name} = …;`."
            )
        if right is None:
            raise FormatError(
                f"{_place_of(text, each)}nothing fills `in {each.type} {each.name}`. The only input is "
                f"`in vec2 {INPUT}`, 0 to 1 from bottom left."
            )
        if right != each.type or each.array:
            raise FormatError(
                f"{_place_of(text, each)}`{each.name}` is a {right}, not {_type_of(each)}. Write "
                f"`{each.role} {right} {each.name};`, or leave the line out."
            )


def _output(text: str, declared: list[Global]) -> str:
    """Return the name of the one output: ours, or another that is declared alone, or that of older GLSL.

    Raises:
        FormatError: there are several outputs, or the one is not a `vec4` at location 0.
    """
    old = OLD_OUTPUT in names_in(text)
    outs = [each for each in declared if each.role == "out"]
    if not outs:
        return OLD_OUTPUT if old else OUTPUT
    if len(outs) > 1:
        raise FormatError(f"{_place_of(text, outs[1])}there is one output only: `out vec4 {OUTPUT}`.")
    out = outs[0]
    if out.type != "vec4" or out.array:
        raise FormatError(f"{_place_of(text, out)}the output is `out vec4 {OUTPUT}`, not {_type_of(out)}.")
    if match := _OTHER_LOCATION.search(text):
        raise FormatError(
            f"Line {line_of(text, match.start())}: `{match.group(1)}` is not a place that is looked at; the one "
            f"output is at 0. Write `out vec4 {out.name};`."
        )
    if old:
        raise FormatError(f"It writes to both `{OLD_OUTPUT}` and `{out.name}`. Write to `{OUTPUT}` alone.")
    return out.name


def _has_main(declared: list[Global]) -> bool:
    return any(each.role == "function" and each.name == "main" for each in declared)


def _without_directives(code: str, text: str) -> str:
    for each in directives(text):
        if each.name in _DROPPED_DIRECTIVES:
            code = code[: each.start] + blanked(code[each.start : each.end]) + code[each.end :]
    return code


def _with_main_renamed(code: str, name: str) -> str:
    """Return the code with `main` under a name of the same length, so that columns stay as they are."""
    parts, end = list[str](), 0
    for match in re.finditer(r"(?<![\w.])main(?!\w)", bare(code)):
        parts += [code[end : match.start()], name]
        end = match.end()
    return "".join(parts) + code[end:]


def _free_name(used: set[str]) -> str:
    return next(name for name in chain(("m_in",), (f"m{n:03d}" for n in count())) if name not in used)


def _type_of(each: Global) -> str:
    return f"an array of {each.type}" if each.array else f"{'an' if each.type[0] in 'aeiou' else 'a'} {each.type}"


def _place_of(text: str, each: Global) -> str:
    match = re.search(rf"\b{re.escape(each.name)}\b", text)
    return f"Line {line_of(text, match.start())}: " if match else ""
