"""A reader of GLSL for what a shader declares and which of its loops never end, blind to comments and strings.

This is not a compiler: it finds directives, names, and what stands outside of functions. Whether that is valid GLSL
is for the compiler.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

HIDDEN = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|"[^"\n]*"', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)((?:\\\n|[^\n])*)", re.MULTILINE)
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\S")
PAIRS = {")": "(", "]": "[", "}": "{"}
ROLES = {"uniform": "uniform", "in": "in", "varying": "in", "attribute": "in", "out": "out"}
_INTERPOLATION = {"flat", "smooth", "noperspective", "centroid", "invariant", "precise"}
QUALIFIERS = _INTERPOLATION | {"const", "highp", "mediump", "lowp", "layout", "subroutine"}


@dataclass(frozen=True)
class Directive:
    """A line that begins with #, at `start` to `end` of the text."""

    name: str
    rest: str
    start: int
    end: int


@dataclass(frozen=True)
class Global:
    """One thing that is declared outside of functions."""

    name: str
    type: str
    role: str = ""
    """`uniform`, `in`, `out`, `function`, `block`, or nothing."""
    given: bool = False
    """It has a value."""
    array: bool = False


def bare(code: str) -> str:
    """Return the text with comments and strings as blanks; every other character stays at its place."""
    return HIDDEN.sub(lambda match: blanked(match.group()), code)


def blanked(text: str) -> str:
    """Return blanks of the same length, in lines of the same length."""
    return re.sub(r"[^\n]", " ", text)


def line_of(text: str, at: int) -> int:
    """Return the line of a character, from 1."""
    return text.count("\n", 0, at) + 1


def directives(code: str) -> list[Directive]:
    """Return the directives of a bare text, in order."""
    return [Directive(d[1], d[2].strip(), d.start(), d.end()) for d in DIRECTIVE.finditer(code)]


def names_in(code: str) -> set[str]:
    """Return every name of a bare text that is not a member of something (`a` but not `x` of `a.x`)."""
    return set(NAME.findall(code))


def macros(code: str) -> set[str]:
    """Return the names that a bare text defines for its preprocessor."""
    rests = (each.rest for each in directives(code) if each.name == "define")
    return {match.group() for rest in rests if (match := re.match(r"\w+", rest))}


def globals_of(code: str) -> list[Global]:
    """Return what a bare text declares outside of functions, and its functions."""
    plain = DIRECTIVE.sub(lambda match: blanked(match.group()), code)
    return [each for tokens in _declarations(plain) for each in _declared(tokens)]


def _declarations(plain: str) -> Iterator[list[str]]:
    """Yield each declaration of a text as tokens; of what is inside brackets only the brackets."""
    tokens, open_brackets, counts = list[str](), list[str](), Counter[str]()
    for match in TOKEN.finditer(plain):
        sign = match.group()
        if sign in PAIRS.values():
            tokens += [sign] * (not open_brackets)
            open_brackets.append(sign)
            counts[sign] += 1
            continue

        # A bracket that was forgotten inside closes with the one around it, and does not hide what comes after.
        opener = PAIRS.get(sign)
        while opener and counts[opener]:
            closed = open_brackets.pop()
            counts[closed] -= 1
            if closed == opener:
                break
        if open_brackets:
            continue

        tokens.append(sign)
        if sign == ";" or (sign == "}" and _is_function(tokens)):
            yield tokens[:-1] if sign == ";" else tokens
            tokens = []
    yield tokens  # of a text that was cut off


def _is_function(tokens: list[str]) -> bool:
    """Return whether there is a parenthesis right before the brace: `vec3 name ( ) { }`."""
    head = tokens[: tokens.index("{")] if "{" in tokens[3:] else []
    return head[-1:] == [")"] and "(" in head[1:]


def _declared(tokens: list[str]) -> Iterator[Global]:
    """Yield what one declaration declares: a function, a block, or variables."""
    role = next((ROLES[token] for token in tokens if token in ROLES), "")
    words = list(tokens)
    while words and (words[0] in QUALIFIERS or words[0] in ROLES):
        if words.pop(0) == "layout":
            del words[: words.index(")") + 1 if ")" in words else 0]
    if len(words) < 2:
        return

    if "{" in words:
        if _is_function(words):
            yield Global(words[words.index("(", 1) - 1], words[0], "function")
        elif role and words[0] == "struct":
            yield Global(words[-1], "struct", role)
        elif role:
            yield Global(words[0], "", "block")
    elif "(" not in words[:3]:  # else it is a prototype
        of_arrays = words[1] == "["  # `float[4] a, b`
        for part in " ".join(words[3:] if of_arrays else words[1:]).split(","):
            if variable := part.split():
                array = of_arrays or variable[1:2] == ["["]
                yield Global(variable[0], words[0], role, given="=" in variable, array=array)


# Loops that cannot end: those on `true` out of which nothing leads. Where a loop ends is in general for the clock to
# say; but drivers treat these in ways of their own (some hang, some leave the loop out, some stop after 65,535 turns),
# and what is then drawn has nothing to do with the shader.

LOOP_HEAD = re.compile(r"\b(for|while)\s*(?=\()")
ALWAYS = {"for": re.compile(r"[^;]*;\s*(?:true)?\s*;[^;]*"), "while": re.compile(r"\s*true\s*")}
EXITS = frozenset({"break", "return", "discard"})
BRACKET = re.compile(r"[(){}]")
DO = re.compile(r"\bdo\s*$")
MAX_HEAD_SHOWN = 80
"""Characters of a loop's head that a message quotes."""
MAX_BLANKS = 200
"""Characters between a `do` and its brace, so that the search stays linear in texts of blanks."""


@dataclass(frozen=True)
class Loop:
    """A loop that never ends: where its `for (…)` or `while (…)` begins, and that head as one line."""

    start: int
    head: str


def endless(text: str, defined: set[str]) -> Loop | None:
    """Return the first loop of a bare text that never ends. Macros (`defined`) may hide an exit: those loops pass."""
    exits = [match.start() for match in NAME.finditer(text) if match.group() in EXITS | defined]
    closers = _matching_brackets(text)
    openers = {closer: opener for opener, closer in closers.items()}
    for match in LOOP_HEAD.finditer(text):
        last = closers.get(match.end())
        if last is None or not ALWAYS[match[1]].fullmatch(text, match.end() + 1, last):
            continue
        start, end = _loop_body(text, match.start(), last + 1, closers, openers)
        if bisect_left(exits, start) == bisect_left(exits, end):
            head = " ".join(text[match.start() : min(last + 1, match.start() + MAX_HEAD_SHOWN)].split())
            return Loop(match.start(), head)
    return None


def _matching_brackets(text: str) -> dict[int, int]:
    """Return for each bracket that closes where it does; where they cross, as far as it is clear."""
    closers, waiting = dict[int, int](), list[int]()
    for match in BRACKET.finditer(text):
        opener = PAIRS.get(match.group())
        if opener is None:
            waiting.append(match.start())
        elif waiting and text[waiting[-1]] == opener:
            closers[waiting.pop()] = match.start()
    return closers


def _loop_body(text: str, start: int, end: int, closers: dict[int, int], openers: dict[int, int]) -> tuple[int, int]:
    """Return from where to where a loop's body goes, for the loop whose head goes from `start` to `end`."""
    before = start - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    opener = openers.get(before)
    if opener is not None and DO.search(text[max(0, opener - MAX_BLANKS) : opener]):
        return opener, before  # the block of the `do` before a `while`

    first = end
    while first < len(text) and text[first].isspace():
        first += 1
    if first in closers:
        return first, closers[first]
    stop = text.find(";", first)
    return first, len(text) if stop < 0 or "{" in text[first:stop] else stop
