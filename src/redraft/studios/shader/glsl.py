"""As much of GLSL's grammar as it takes to see what a shader declares, without its comments fooling anyone.

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
QUALIFIERS = frozenset(
    {
        "const",
        "flat",
        "smooth",
        "noperspective",
        "centroid",
        "invariant",
        "precise",
        "highp",
        "mediump",
        "lowp",
        "layout",
        "subroutine",
    }
)


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
    """The text with comments and strings as blanks; every other character stays at its place."""
    return HIDDEN.sub(lambda found: blanked(found.group()), code)


def blanked(text: str) -> str:
    """Blanks of the same length, in lines of the same length."""
    return re.sub(r"[^\n]", " ", text)


def line_of(text: str, at: int) -> int:
    """The line of a character, from 1."""
    return text.count("\n", 0, at) + 1


def directives(code: str) -> list[Directive]:
    """Of a bare text, in order."""
    return [Directive(d.group(1), d.group(2).strip(), d.start(), d.end()) for d in DIRECTIVE.finditer(code)]


def names_in(code: str) -> set[str]:
    """Every name of a bare text that is not a member of something (`a` but not `x` of `a.x`)."""
    return set(NAME.findall(code))


def macros(code: str) -> set[str]:
    """The names that a bare text defines for its preprocessor."""
    rests = (each.rest for each in directives(code) if each.name == "define")
    return {found.group() for rest in rests if (found := re.match(r"\w+", rest))}


def globals_of(code: str) -> list[Global]:
    """What a bare text declares outside of functions, with its functions."""
    plain = DIRECTIVE.sub(lambda found: blanked(found.group()), code)
    return [each for piece in _pieces(plain) for each in _declared(piece)]


def _pieces(plain: str) -> Iterator[list[str]]:
    """The declarations of a text, as tokens; of what is inside brackets only the brackets."""
    piece, open_brackets, counts = list[str](), list[str](), Counter[str]()
    for found in TOKEN.finditer(plain):
        sign = found.group()
        if sign in PAIRS.values():
            piece += [sign] * (not open_brackets)
            open_brackets.append(sign)
            counts[sign] += 1
            continue
        if sign in PAIRS:
            _close(open_brackets, counts, PAIRS[sign])
        if open_brackets:
            continue
        piece.append(sign)
        if sign == ";" or (sign == "}" and _is_function(piece)):
            yield piece[:-1] if sign == ";" else piece
            piece = []
    yield piece  # of a text that was cut off


def _close(open_brackets: list[str], counts: Counter[str], opener: str) -> None:
    """Back to before the last such opener: one that was forgotten inside does not hide what comes after."""
    closed = "" if counts[opener] else opener
    while closed != opener:
        closed = open_brackets.pop()
        counts[closed] -= 1


def _is_function(piece: list[str]) -> bool:
    """`vec3 name ( ) { }`: what has a parenthesis right before its brace."""
    head = piece[: piece.index("{")] if "{" in piece[3:] else []
    return head[-1:] == [")"] and "(" in head[1:]


def _declared(piece: list[str]) -> Iterator[Global]:
    role = next((ROLES[token] for token in piece if token in ROLES), "")
    words = _without_qualifiers(piece)
    if len(words) < 2:
        return
    if "{" in words:
        yield from _with_braces(words, role)
    elif "(" in words[:3]:
        return  # a prototype
    else:
        arrays = words[1] == "["  # `float[4] a, b`
        for part in _split(words[3:] if arrays else words[1:]):
            yield Global(part[0], words[0], role, "=" in part, arrays or part[1:2] == ["["])


def _with_braces(words: list[str], role: str) -> Iterator[Global]:
    if _is_function(words):
        yield Global(words[words.index("(", 1) - 1], words[0], "function")
    elif role and words[0] == "struct":
        yield Global(words[-1], "struct", role)
    elif role:
        yield Global(words[0], "", "block")


def _without_qualifiers(piece: list[str]) -> list[str]:
    words = list(piece)
    while words and (words[0] in QUALIFIERS or words[0] in ROLES):
        taken = words.pop(0)
        if taken == "layout":
            del words[: words.index(")") + 1 if ")" in words else 0]
    return words


def _split(words: list[str]) -> Iterator[list[str]]:
    part = list[str]()
    for word in words:
        if word == ",":
            yield from [part] if part else []
            part = []
        else:
            part.append(word)
    yield from [part] if part else []


# Loops that cannot end: those on `true` out of which nothing leads. Where a loop ends is in general for the clock to
# say; but drivers treat these in ways of their own (some hang, some leave the loop out, some stop after 65,535 turns),
# and what is then drawn has nothing to do with the shader.

HEAD = re.compile(r"\b(for|while)\s*(?=\()")
ALWAYS = {"for": re.compile(r"[^;]*;\s*(?:true)?\s*;[^;]*"), "while": re.compile(r"\s*true\s*")}
WAYS_OUT = frozenset({"break", "return", "discard"})
BRACKET = re.compile(r"[(){}]")
OPENER = {")": "(", "}": "{"}
DO = re.compile(r"\bdo\s*$")
HEAD_LIMIT = 80
MOST_BLANKS = 200
"""Characters between a `do` and its brace."""


@dataclass(frozen=True)
class Loop:
    """`for (…)` or `while (…)`: where it begins, its head in words, and from where to where its body goes."""

    start: int
    head: str
    body: tuple[int, int]


def endless(text: str, defined: set[str]) -> Loop | None:
    """The first loop of a bare text that never ends. Macros (`defined`) may hide a way out: those loops pass."""
    ways_out = [found.start() for found in NAME.finditer(text) if found.group() in WAYS_OUT | defined]
    for loop in _unconditional(text):
        start, end = loop.body
        if bisect_left(ways_out, start) == bisect_left(ways_out, end):
            return loop
    return None


def _unconditional(text: str) -> Iterator[Loop]:
    pairs = _pairs(text)
    openers = {end: start for start, end in pairs.items()}
    for found in HEAD.finditer(text):
        last = pairs.get(found.end())
        if last is None or not ALWAYS[found.group(1)].fullmatch(text, found.end() + 1, last):
            continue
        head = " ".join(text[found.start() : min(last + 1, found.start() + HEAD_LIMIT)].split())
        yield Loop(found.start(), head, _body(text, found.start(), last + 1, pairs, openers))


def _body(text: str, start: int, end: int, pairs: dict[int, int], openers: dict[int, int]) -> tuple[int, int]:
    """What a loop repeats: the block or statement behind its head, or the block of the `do` before it."""
    done = _done_before(text, start, openers)
    if done is not None:
        return done
    first = _skip(text, end)
    if first in pairs:
        return first, pairs[first]
    stop = text.find(";", first)
    return first, len(text) if stop < 0 or "{" in text[first:stop] else stop


def _done_before(text: str, start: int, openers: dict[int, int]) -> tuple[int, int] | None:
    """The block before a `while`, if it is that of a `do`."""
    before = start - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    opener = openers.get(before)
    if opener is None or not DO.search(text[max(0, opener - MOST_BLANKS) : opener]):
        return None
    return opener, before


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _pairs(text: str) -> dict[int, int]:
    """Where each bracket closes that does; where they cross, as far as it is clear."""
    pairs, waiting = dict[int, int](), list[int]()
    for found in BRACKET.finditer(text):
        sign = found.group()
        if sign not in OPENER:
            waiting.append(found.start())
        elif waiting and text[waiting[-1]] == OPENER[sign]:
            pairs[waiting.pop()] = found.start()
    return pairs
