"""Refusals before any compiler sees the code, as its message would mislead.

They concern other languages, other stages, textures, files, and texts that are too long to have been meant.
"""

from __future__ import annotations

import re
import unicodedata

from redraft.errors import FormatError
from redraft.studios.shader.glsl import Global, directives, endless, line_of, names_in
from redraft.studios.shader.spec import MAX_CHARACTERS, MAX_LINES

Rule = tuple[re.Pattern[str], str]

LANGUAGES: tuple[Rule, ...] = (
    (re.compile(r"@(?:fragment|vertex|compute|location|builtin|group|binding)\b|\bfn\s+\w+\s*\(|\bvar\s*<"), "WGSL"),
    (re.compile(r"\bvec[234]\s*<\s*[fiu]\d\d|\bvec[234]f\b"), "WGSL"),
    (re.compile(r"\busing\s+namespace\s+metal\b|\[\[\s*\w+"), "Metal"),
    (re.compile(r":\s*(?:SV_\w+|TEXCOORD\d)|\bcbuffer\b|\bTexture2D\b"), "HLSL"),
    (re.compile(r"\b(?P<type>float[234](?:x[234])?)\s*[A-Za-z_(]"), "HLSL"),
)
STAGES: tuple[Rule, ...] = (
    (re.compile(r"\bEmitVertex\b|\bEndPrimitive\b|\bgl_in\b"), "a geometry shader"),
    (re.compile(r"\blocal_size_[xyz]\b|\bgl_(?:Global|Local)Invocation\w+|\bgl_WorkGroup\w+"), "a compute shader"),
    (re.compile(r"\bgl_(?:Position|VertexID|VertexIndex|Vertex)\b"), "a vertex shader"),
)
TEXTURE_TYPES = re.compile(r"\b[iu]?(?:sampler|image)(?:[123]D|Cube|Buffer)\w*|\biChannel(?:\d|Resolution|Time)\w*")
TEXTURE_CALLS = re.compile(r"\b((?:texture|texel|shadow)(?:[123]D|Cube|Lod|Grad|Proj|Fetch|Size|Offset|Gather)*)\s*\(")
SIGNATURE = re.compile(r"\bvoid\s+mainImage\s*\(([^()]*)\)\s*\{")
OUTWARD = re.compile(r"\b(?:in)?out\b")
HIDING = re.compile(
    r"(?P<name>\w+)(?:\([^)]*\))?[ \t]+(?=\S)(?:(?:in|out)[ \t]+\w|.*\b(?:uniform|varying|main|mainImage)\b)"
)
"""The text of a `#define` that stands for a declaration or for the entry."""
OURS = "floatBitsToUint"
"""The function that is called behind the shader's last line; one of that name in the shader would be called instead."""
ENTRY = re.compile(r"\bvoid\s+main(?:Image)?\s*\(")
OLD_WORDS = {
    "varying": "`in vec2 v_uv;`",
    "attribute": "nothing: a fragment shader has none",
    "gl_FragColor": "`out vec4 f_color;` and `f_color`",
    "gl_FragData": "`out vec4 f_color;` and `f_color`",
}
VERSIONS = re.compile(r"1[0-5]0|3[0-3]0|4[0-6]0")
PROFILES = frozenset({"", "core", "compatibility", "es"})
ASKED = "Write a fragment shader in GLSL, `#version 330`, with `void main()` that sets `f_color`."


def refuse(text: str, declared: list[Global], defined: set[str]) -> None:
    """Check a shader by its text without comments, what it declares, and its macros.

    Raises:
        FormatError: at the first thing that is out of the question.
    """
    functions = [each for each in declared if each.role == "function"]
    _refuse_other_programs(text, {each.name for each in functions} | defined, defined)
    _refuse_unclear_entry(text, functions, defined)
    if OURS in {each.name for each in functions}:
        raise FormatError(f"`{OURS}` is a built-in function. Give yours another name.")

    loop = endless(text, defined)
    if loop is not None:
        raise FormatError(
            f"Line {line_of(text, loop.start)}: `{loop.head}` never ends: nothing in it breaks, returns or discards. "
            "Give the loop a constant bound, such as `for (int i = 0; i < 64; i++)`, and `break` where it is done."
        )

    # Compilers stop at a character beyond ASCII as if the text ended there, and say so.
    at = next((place for place, sign in enumerate(text) if sign > "\x7f"), None)
    if at is not None:
        name = unicodedata.name(text[at], "no name")
        raise FormatError(
            f"Line {line_of(text, at)}: {text[at]!r} (U+{ord(text[at]):04X}, {name.lower()}) is not a character of "
            "GLSL. Outside of comments write plain ASCII: ordinary blanks, quotes and minus signs, names of a to z."
        )


def refuse_size(code: str) -> None:
    """Check the size of a shader, and that it is plain text. Raises `FormatError`."""
    lines = code.count("\n") + 1
    if not code.strip():
        raise FormatError(f"The shader is empty. {ASKED}")
    if len(code) > MAX_CHARACTERS or lines > MAX_LINES:
        raise FormatError(
            f"The shader has {lines:,} lines and {len(code):,} characters; at most {MAX_LINES:,} lines and "
            f"{MAX_CHARACTERS:,} characters are compiled. Say it with loops and functions."
        )
    if "\0" in code:
        raise FormatError(f"Line {line_of(code, code.index(chr(0)))} holds a NUL byte. A shader is plain text.")
    try:
        code.encode()
    except UnicodeEncodeError as error:
        raise FormatError(f"Line {line_of(code, error.start)} holds half of a character. Write plain text.") from error


def _refuse_other_programs(text: str, own: set[str], defined: set[str]) -> None:
    """Refuse other languages, files, other versions, other stages and textures, in this order."""
    for pattern, language in LANGUAGES:
        for match in pattern.finditer(text):
            if match.groupdict().get("type") not in defined:
                raise FormatError(f"{_place(text, match)}this is {language} (`{_quoted(match)}`), not GLSL. {ASKED}")

    lines = directives(text)
    for each in lines:
        if each.name == "include":
            raise FormatError(
                f"Line {line_of(text, each.end)}: there are no files to #include. Write out the functions it needs."
            )

    # A version that differs from 3.30 only in its line is accepted; one with words of old GLSL is not.
    if given := next((each for each in lines if each.name == "version"), None):
        number, _, profile = given.rest.partition(" ")
        where = f"Line {line_of(text, given.end)}: "
        if not VERSIONS.fullmatch(number) or profile.strip() not in PROFILES:
            raise FormatError(f"{where}`#version {given.rest}` is not a version of GLSL. Write `#version 330`.")
        old = next((match for word in OLD_WORDS if (match := re.search(rf"\b{word}\b", text))), None)
        if old is not None and int(number) < 330:
            raise FormatError(
                f"{where}`#version {given.rest}` is not what is compiled here. Write `#version 330`, and instead of "
                f"`{old.group()}` (line {line_of(text, old.start())}) {OLD_WORDS[old.group()]}."
            )

    for pattern, stage in STAGES:
        if match := pattern.search(text):
            raise FormatError(
                f"{_place(text, match)}`{_quoted(match)}` belongs in {stage}; only a fragment shader runs here. {ASKED}"
            )

    calls = (match for match in TEXTURE_CALLS.finditer(text) if match.group(1) not in own)
    if match := TEXTURE_TYPES.search(text) or next(calls, None):
        raise FormatError(
            f"{_place(text, match)}`{_quoted(match)}`: there are no textures, samplers or channels. Compute the "
            "pattern instead, from a hash or noise function of the coordinates."
        )


def _refuse_unclear_entry(text: str, functions: list[Global], defined: set[str]) -> None:
    """Refuse a shader whose declarations a macro hides, or that has no `main` or `mainImage` which can be called."""
    for each in directives(text):
        if each.name == "define" and (hiding := HIDING.match(each.rest)):
            raise FormatError(
                f"Line {line_of(text, each.end)}: the macro `{hiding['name']}` hides what the shader takes or gives. "
                "Write `void main()`, uniforms, inputs and outputs out, without a macro."
            )

    entries = [each for each in functions if each.name in ("main", "mainImage")]
    torn = text.count("{") != text.count("}") and ENTRY.search(text)  # the compiler says where
    if not torn and not any(each.type == "void" for each in entries):
        raise FormatError(
            "There is no `void main()` with a body, nor Shadertoy's `void mainImage(out vec4 fragColor, in vec2 "
            f"fragCoord)`. {ASKED}"
        )

    match = SIGNATURE.search(text)
    if match is None or names_in(match.group(1)) & defined:
        return
    parts = match.group(1).split(",")
    if len(parts) != 2 or not OUTWARD.search(parts[0]):
        raise FormatError(
            f"{_place(text, match)}`mainImage({' '.join(match.group(1).split())[:60]})` cannot be called. Write "
            "`void mainImage(out vec4 fragColor, in vec2 fragCoord)`."
        )


def _place(text: str, match: re.Match[str]) -> str:
    return f"Line {line_of(text, match.start())}: "


def _quoted(match: re.Match[str]) -> str:
    return " ".join(match.group().split())[:60].rstrip("( ")
