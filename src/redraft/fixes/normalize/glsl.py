"""From a shader compiler's log to complaints. Five compilers and their kin are recognized by the form of a line.

=========================  ==========================================================================
Mesa                       ``0:5(12): error: `foo' undeclared``
glslang, ANGLE, Apple, AMD ``ERROR: 0:5: 'foo' : undeclared identifier``, with their own words after the place
shaderc                    ``a.frag:5: error: 'foo' : undeclared identifier``
NVIDIA                     ``0(5) : error C1503: undefined variable "foo"``
naga                       ``Error { kind: UnknownVariable("foo"), meta: Span { start: 9, end: 12 } }``, and as a report
=========================  ==========================================================================

Every expression is bounded, so that time grows with the length of the log and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from redraft.fixes.base import Diagnostic
from redraft.fixes.normalize.glsl_reasons import category_of

LINE_LIMIT = 2_000
"""Characters of one line that are read: types spelled out in full can be long, what matters comes first."""
LINES = 5_000
"""Lines of a log that may be a complaint, and complaints that are looked at closely: more are never fixed at once."""
EXAMINED = 200
KEPT = 100
"""Complaints of one log."""

_MESA = re.compile(
    r"\b\d{1,6}:(?P<line>\d{1,6})\(\d{1,6}\): (?P<pre>preprocessor )?(?P<kind>error|warning|note): ?(?P<text>.*)"
)
_NVIDIA = re.compile(r"\((?P<line>\d{1,6})\) ?: (?:fatal )?(?P<kind>error|warning) C\d{4}: (?P<text>.*)")
_KHRONOS = re.compile(r"\s{0,80}(?P<kind>ERROR|WARNING|NOTE): (?:.{0,300}?:)?(?P<line>-?\d{1,6}): ?(?P<text>.*)")
_UNPLACED = re.compile(r"\s{0,80}(?P<kind>ERROR): ?(?P<text>\D.*)")
_SHADERC = re.compile(r"\s{0,80}.{1,300}?:(?P<line>\d{1,6}): (?P<kind>error|warning): (?P<text>.*)")
_LINKER = re.compile(r"(?P<kind>error|warning): (?P<text>.*)")
_VALIDATION = re.compile(r"\s{1,20}= (?P<text>.*)")
_FORMS = (_MESA, _NVIDIA, _KHRONOS, _SHADERC, _UNPLACED, _LINKER, _VALIDATION)
_SEARCHED = (_MESA, _NVIDIA)
"""Programs put words of their own before these two; the others begin a line."""

_SPAN = re.compile(
    r"Error \{ kind: (?P<kind>.{1,500}?), meta: "
    r"Span \{ start: (?P<at>\d{1,9}), end: (?P<end>\d{1,9}) \} \}(?=Error|\s{0,9}$)"
)
_ARROW = re.compile(r"\s{0,20}┌─ .{0,300}?:(?P<line>\d{1,6}):\d{1,6}\s*$")
_AMD = re.compile(r"error\(#\d{1,5}\) ")
_NAMED = re.compile(r"'(?P<token>.{0,200}?)' ?: {1,4}(?P<reason>.*)")
_QUOTED = re.compile(r"[`'\"‘](?P<token>[^`'\"’]{1,120})['\"’]")
_WORD = re.compile(r"\A[A-Za-z_]\w{0,200}\Z")
_LAST_WORD = re.compile(r": @?(?P<token>[A-Za-z_]\w{0,100})\.?\s*$")
_GLOBAL = re.compile(r"global (?:variable|function|type) (?P<token>\w{1,100})")
_SPELLED = re.compile(r"(?:call to|field named) (?P<token>[A-Za-z_]\w{0,100})")
_AT_TOKEN = re.compile(r"at token \"(?P<token>[^\"]{1,100})\"")
_TYPE_ARGUMENTS = re.compile(r"(?P<token>[A-Za-z_]\w{0,100})\(")

_MILD = re.compile(r"\b(?:warning|note|info|hint)\b", re.IGNORECASE)
_NOISE = re.compile(
    r"compilation terminated|this is the previous|compilation errors?\.|no code generated|not successfully compiled|"
    r"^\.\.\. or #extension|"
    r"(?:of|wrong) type error\b|\(error[,)]|, error[,)]|^ {2,}\w",
    re.IGNORECASE,
)
"""Lines that only repeat, count or list candidates, or follow from an earlier error."""

_ROOTS = frozenset(
    (
        *("undeclared_identifier", "no_matching_function", "invalid_swizzle", "no_such_field", "constructor_arguments"),
        *("reserved_name", "malformed_literal", "not_indexable", "operator_mismatch", "syntax_error", "preprocessor"),
    )
)
"""Errors after which a compiler continues with a value of no type, or of the wrong one."""
_CONSEQUENCES = frozenset(
    (
        *("incompatible_types", "operator_mismatch", "constructor_arguments", "not_assignable", "condition_type"),
        *("no_such_field", "invalid_swizzle", "no_matching_function", "syntax_error", "not_indexable", "index_type"),
    )
)
"""Its further messages on the same line."""
_SIGNS = {"assign": "=", "constructor": "", "return": ""}
"""Words of glslang's that stand for a sign, or for nothing that the program has."""
_UNKNOWN_TYPE = re.compile(
    r"\s{0,200}(?:const\s{1,9}|uniform\s{1,9}|in\s{1,9})?(?P<type>[A-Za-z_]\w{0,100})\s{1,9}"
    r"[A-Za-z_]\w{0,100}\s{0,9}[=;,\[]"
)
"""A declaration, of which Mesa says only that the second name was not expected."""
_DIRECTIVE = re.compile(r"\s{0,200}#\s{0,9}error\b")
_DETAILED = ("undeclared_identifier", "no_matching_function", "constructor_arguments")


@dataclass(frozen=True)
class _Program:
    """The text that was compiled; empty where it is not at hand."""

    code: str

    @cached_property
    def lines(self) -> list[str]:
        return self.code.split("\n") if self.code else []

    def line(self, number: int | None) -> str:
        """A line, from 1; empty outside of the text."""
        return self.lines[number - 1][:LINE_LIMIT] if number and number <= len(self.lines) else ""

    @cached_property
    def _encoded(self) -> bytes:
        return self.code.encode("utf-8", "surrogatepass")

    def line_at(self, byte: int) -> int | None:
        """The line of a byte, from 1; None without a text."""
        return self._encoded.count(b"\n", 0, byte) + 1 if self.code else None


@dataclass(frozen=True)
class _Found:
    """A line of the log that complains, before it is known of what."""

    text: str
    line: int | None
    span: int | None = None
    preprocessor: bool = False


def glsl_diagnostics(message: str, code: str = "") -> list[Diagnostic]:
    """The first hundred complaints of a log in their order, without those that follow from another on the same line.

    `code` is the program, where it is at hand: some compilers leave out what can be read there.
    """
    program = _Program(code)
    found: list[Diagnostic] = []
    for one in islice(_complaints(message), EXAMINED):
        diagnostic = _read(one, program)
        if diagnostic and not _follows(diagnostic, found):
            found.append(diagnostic)
        if len(found) == KEPT:
            break
    return found


def bare_complaint(text: str) -> Diagnostic | None:
    """A compiler's words alone, without place: `Use of undeclared identifier 'm'`."""
    if _MILD.search(text):
        return None
    return _read(_Found(text.strip(), None), _Program(""))


def _complaints(message: str) -> Iterator[_Found]:
    """Yield the errors of a log, line by line; naga's report has the place on the next line."""
    explicit_return = "invalid return" in message
    waiting: _Found | None = None
    for line in islice(_worth_reading(message), LINES):
        arrow = _ARROW.match(line)
        if waiting and arrow:
            waiting = replace(waiting, line=int(arrow["line"]))
            continue
        if waiting:
            yield waiting
        waiting = None
        spans = [_Found(_unwrapped(m["kind"]), None, _start(m)) for m in _SPAN.finditer(line)]
        yield from spans
        one = None if spans else _of_form(line)
        if one and explicit_return and "`return` expression" in one.text:
            one = replace(one, text=one.text.replace("expression None", "expression nothing"))
        if one and one.line is None:
            waiting = one
        elif one:
            yield one
    if waiting:
        yield waiting


def _worth_reading(message: str) -> Iterator[str]:
    """The lines that could be of one of the forms."""
    if not any(sign in message for sign in ("rror", "RROR", " = ")):
        return
    for line in message.splitlines():
        if len(line) > 4 and ("rror" in line or "RROR" in line or " = " in line or "┌" in line):
            yield line[:LINE_LIMIT]


def _of_form(line: str) -> _Found | None:
    """The complaint of one line; None for a line of no form, and for warnings and notes."""
    for form in _FORMS:
        match = form.search(line) if form in _SEARCHED else form.match(line)
        if match is None:
            continue
        groups = match.groupdict()
        if str(groups.get("kind", "error")).lower() != "error":
            return None
        number = groups.get("line")
        at = int(number) if number and int(number) > 0 else None
        return _Found(_AMD.sub("", match["text"], count=1).rstrip(), at, preprocessor=bool(groups.get("pre")))
    return None


def _start(span: re.Match[str]) -> int | None:
    """Return the start of the span in bytes; naga writes 0 to 0 for an unknown one."""
    return int(span["at"]) if int(span["end"]) else None


def _unwrapped(kind: str) -> str:
    """naga's `SemanticError("Unknown function 'f'")` as its words, `UnknownVariable("foo")` as they would be said."""
    name, _, inner = kind.partition("(")
    inner = inner.removesuffix(")")
    if name == "SemanticError":
        return inner.strip('"').replace('\\"', '"')
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name) if name.startswith(("Unknown", "Variable")) else name
    return f"{spaced}: {inner}" if inner else spaced


def _read(one: _Found, program: _Program) -> Diagnostic | None:
    """The complaint as a diagnostic; None for noise, and for words of no known kind."""
    named = _NAMED.match(one.text)
    token, reason = (named["token"], named["reason"]) if named else ("", one.text)
    line = one.line if one.span is None else program.line_at(one.span)
    noise = _NOISE.search(reason) or not reason.strip()
    category = "" if noise else category_of(reason, token)
    if one.preprocessor and category not in ("error_directive", "reserved_name"):
        category = "preprocessor"
    if not category and _DIRECTIVE.match(program.line(line)):
        category = "error_directive"  # ANGLE repeats the words of an #error and nothing else
    if not category:
        return None
    category, token = _refined(category, _token(token, reason, category), one.text, program.line(line))
    detailed = category in _DETAILED and (is_universal(token) or CONSTRUCTOR.match(token + "("))
    key = f"glsl:{category}:{token.lower()}" if detailed else f"glsl:{category}"
    return Diagnostic(key, one.text.strip(), line, token)


def _token(token: str, reason: str, category: str) -> str:
    """Return the subject of the error: a name, or else a sign."""
    if category == "constructor_arguments":
        match = _QUOTED.search(reason)
        return match["token"] if match and CONSTRUCTOR.match(match["token"] + "(") else ""
    if not token and category == "incompatible_types":
        return ""  # what is quoted are the types
    if category == "not_assignable" or not token:
        for form in (_GLOBAL, _SPELLED, _AT_TOKEN, _QUOTED, _LAST_WORD):
            match = form.search(reason)
            if match:
                return _bare(match["token"])
    return _SIGNS.get(token, token)


def _bare(token: str) -> str:
    """`smoothstep` of `smoothstep(float, float)`; the last word of `out x`."""
    call = _TYPE_ARGUMENTS.match(token)
    if call:
        return call["token"]
    return token.removeprefix("out ").removeprefix("inout ").strip()


def _refined(category: str, token: str, text: str, here: str) -> tuple[str, str]:
    """Category and token with what the line of the program adds: what was called, which constructor, which type."""
    if category == "undeclared_identifier" and _WORD.match(token):
        called = is_function(token) or re.search(rf"\b{re.escape(token)}\s{{0,9}}\(", here)
        return ("no_matching_function" if called else category), token
    if category == "constructor_arguments" and not token:
        types = {match[0] for match in CONSTRUCTOR.finditer(here)}
        return category, types.pop() if len(types) == 1 else ""
    if category == "syntax_error" and "NEW_IDENTIFIER" in text:
        declared = _UNKNOWN_TYPE.match(here)
        if declared and not CONSTRUCTOR.match(declared["type"] + "("):
            return "undeclared_identifier", declared["type"]
    return category, token


def _follows(one: Diagnostic, before: list[Diagnostic]) -> bool:
    """Return whether a complaint says again what one before it on the same line has said, or only follows from it."""
    if _category(one) == "entry_point" and before:
        return True  # what did not compile has no main for the linker
    if one.line is None:
        return any(other.key == one.key and other.text == one.text for other in before)
    mates = [other for other in before if other.line == one.line]
    if any(other.key == one.key and other.token == one.token for other in mates):
        return True
    if not any(_category(other) in _ROOTS for other in mates):
        return False
    return _category(one) in _CONSEQUENCES and (_category(one) not in {_category(other) for other in mates})


def _category(one: Diagnostic) -> str:
    return one.key.split(":")[1]


# Names that mean the same in every shader: GLSL's own, old ones, and those of Shadertoy and HLSL. Only such a name may
# become the detail of a key; another name says nothing to the next reader.
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONSTRUCTOR = re.compile(
    r"\b(?:bool|u?int|float|double|[biud]?vec[234]|d?mat[234](?:x[234])?)(?=\s{0,9}(?:\[\s{0,9}\d{0,9}\s{0,9}\]\s{0,9})?\()"
)
"""A call of a scalar, vector or matrix type."""

_FUNCTIONS = _words(
    "radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 log2 sqrt "
    "inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp mix step smoothstep "
    "isnan isinf "
    "floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat fma frexp ldexp length distance dot cross normalize "
    "ftransform faceforward reflect refract matrixCompMult outerProduct transpose determinant inverse lessThan "
    "lessThanEqual greaterThan greaterThanEqual equal notEqual any all not uaddCarry usubBorrow umulExtended "
    "imulExtended bitfieldExtract bitfieldInsert bitfieldReverse bitCount findLSB findMSB dFdx dFdy fwidth dFdxFine "
    "dFdyFine fwidthFine dFdxCoarse dFdyCoarse fwidthCoarse noise1 noise2 noise3 noise4 EmitVertex EndPrimitive "
    "barrier memoryBarrier memoryBarrierAtomicCounter memoryBarrierBuffer memoryBarrierShared memoryBarrierImage "
    "groupMemoryBarrier controlBarrier controlBarrierArrive controlBarrierWait subpassLoad"
)
_FAMILIES = re.compile(
    r"(?:texture|texelFetch)(?:[123]D|Cube)?(?:Rect|Array|MS)?(?:Proj|Lod|LOD|Grad|Gather|Offsets?|Size|Samples|Query|"
    r"Levels|Buffer|Clamp|Fetch)*(?:ARB|EXT|NV|AMD|OES)?|"
    r"shadow(?:[12]D|Cube)(?:Rect)?(?:Proj|Lod|Grad)*(?:ARB|EXT)?|"
    r"interpolateAt(?:Centroid|Sample|Offset|Vertex)\w{0,9}|"
    r"(?:un)?pack(?:[SU]norm|Half|Double|U?[Ii]nt|Float)\w{1,9}|"
    r"image(?:Load|Store|Size|Samples|Atomic[A-Z]\w{1,20})|atomic(?:Counter\w{0,20}|[A-Z][a-z]{1,9}\w{0,9})|"
    r"(?:any|all)(?:Invocations?|Equal)?(?:ARB|EXT)|allInvocationsEqual\w{0,5}|subgroup[A-Z]\w{2,40}"
)
_FOREIGN_FUNCTIONS = _words(
    "lerp frac fmod saturate rsqrt atan2 mul ddx ddy tex1D tex2D tex3D texCUBE tex2Dlod tex2Dproj tex2Dbias tex2Dgrad "
    "sincos clip log10 rcp mad fabs fmin fmax powf sqrtf sinf cosf mainImage"
)
_FOREIGN = _words(
    "iTime iGlobalTime iTimeDelta iFrame iFrameRate iResolution iMouse iDate iSampleRate iChannel0 iChannel1 iChannel2 "
    "iChannel3 iChannelTime iChannelResolution fragCoord fragColor varying attribute terminateInvocation"
)
_FOREIGN_TYPES = re.compile(
    r"(?:float|half|fixed|double|int|uint|bool|min16float)[1-4](?:x[1-4])?|half|fixed|[fiu]?(?:32|16)|"
    r"vec[234][fiu]|mat[234]x[234]f|SamplerState|Texture2D|Sampler2D"
)


def is_function(name: str) -> bool:
    """Return whether a name is a function of GLSL, of any version, or one that other shading languages have."""
    return name in _FUNCTIONS or name in _FOREIGN_FUNCTIONS or _FAMILIES.fullmatch(name) is not None


def is_universal(name: str) -> bool:
    """Return whether a name is the language's, an older version's, Shadertoy's or HLSL's, and not the writer's own."""
    if not (name.isidentifier() and name.isascii()):
        return False
    foreign = name in _FOREIGN or _FOREIGN_TYPES.fullmatch(name) is not None
    return foreign or name.startswith("gl_") or is_function(name)
