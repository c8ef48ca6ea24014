"""A remembered change made again where the text is the same but for names and numbers.

What the fix changed, with as much of what stood around it as fits, is looked for near the error. A name of the user's
may stand for another one, always the same for the same; the language's own words, and names after a dot, stand for
themselves. A number that the fix left as it was may be any number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redraft.memory.change import Case, Span
from redraft.memory.declared import Program
from redraft.memory.tokens import Edit, Token
from redraft.memory.vocabulary import known_word

__all__ = ["again"]

CONTEXTS = (8, 4, 3)
"""How many tokens on either side of a change must be alike, the most first."""
NEAR = 2
"""Lines around the error's in which a change is made again."""


def again(case: Case) -> list[Edit] | None:
    """The edits of a remembered change at a place that is built alike; None when there is none near the error."""
    change = case.change
    if not change.spans or not change.broken.tokens:
        return None
    near = case.program.on_lines(case.line - NEAR, case.line + NEAR)
    whole = len(change.broken.tokens)
    for context in (whole, *(c for c in CONTEXTS if c < whole)):
        edits = _everywhere(case, near if context == whole else case.here, context)
        if edits:
            return edits
    return None


def _everywhere(case: Case, near: range, context: int) -> list[Edit] | None:
    """The change with so much around it, at every place near the error where it fits; all its parts, or none."""
    tokens = case.change.broken.tokens
    spans = case.change.spans
    first = max(0, spans[0].start - context)
    last = min(len(tokens), spans[-1].end + context)
    pattern = tokens[first:last]
    if not pattern or len(pattern) > 200:
        return None
    edits: list[Edit] = []
    taken = -1
    for start in near:
        if start <= taken or start + len(pattern) > len(case.program.tokens):
            continue
        if case.program.python and not _meets(case, start, start + len(pattern)):
            continue
        names = _match(case, pattern, start)
        found = None if names is None else _edits(case, spans, start - first, names)
        if found:
            edits += found
            taken = start + len(pattern) - 1
    return edits or None


def _meets(case: Case, start: int, end: int) -> bool:
    """Whether some tokens are, in part, on the error's line: an interpreter is sure of that."""
    return case.error.line is None or (start < case.here.stop and end > case.here.start)


def _match(case: Case, pattern: Sequence[Token], start: int) -> Mapping[str, str] | None:
    """What the pattern's names stand for at a place of the program; None when it is built otherwise there."""
    program, change = case.program, case.change
    names: dict[str, str] = {}
    if change.token and case.token:
        names[change.token] = case.token
    for k, token in enumerate(pattern):
        other = program.tokens[start + k]
        if token.kind != other.kind:
            return None
        if token.kind == "number":
            if token.text != other.text and token.text in change.removed_texts:
                return None
        elif token.kind != "name" or _fixed(change.broken, token, other, program.is_field(start + k)):
            if token.text != other.text:
                return None
        elif names.setdefault(token.text, other.text) != other.text:
            return None
    return names if len(set(names.values())) == len(names) or not names else None


def _fixed(broken: Program, token: Token, other: Token, field: bool) -> bool:
    """Whether a name stands for itself only."""
    python = broken.python
    return field or known_word(token.text, python=python) or known_word(other.text, python=python)


def _edits(case: Case, spans: Sequence[Span], shift: int, names: Mapping[str, str]) -> list[Edit] | None:
    """The change at a place, its names replaced; None when it brings a name that means nothing in the program."""
    program, fixed = case.program, case.change.fixed
    edits: list[Edit] = []
    for span in spans:
        new = fixed.tokens[span.start_after : span.end_after]
        texts = [names.get(t.text, t.text) if t.kind == "name" else t.text for t in new]
        if any(_stranger(case, t, text, span, k) for k, (t, text) in enumerate(zip(new, texts, strict=True))):
            return None
        text = _spaced(fixed, span, texts)
        first, last = span.start + shift, span.end + shift
        if first < last:
            start = program.tokens[first].start
            if not texts and first and program.line(first - 1) == program.line(first):
                start = program.tokens[first - 1].end
            edits.append(Edit(start, program.tokens[last - 1].end, text))
        elif first:
            end = program.tokens[first - 1].end
            edits.append(Edit(end, end, text))
        else:
            edits.append(Edit(program.tokens[0].start, program.tokens[0].start, text))
    return edits


def _stranger(case: Case, token: Token, text: str, span: Span, k: int) -> bool:
    """Whether a name that a change brings is neither known in the program nor declared by the change itself."""
    fixed, program = case.change.fixed, case.program
    index = span.start_after + k
    if token.kind != "name" or fixed.is_field(index) or program.knows(text):
        return False
    if fixed.python:
        return (
            any(t.text == token.text for t in case.change.broken.tokens) and token.text not in case.change.added_texts
        )
    return text not in fixed.own_names


def _spaced(fixed: Program, span: Span, texts: Sequence[str]) -> str:
    """Some tokens of the fixed lines with the white space that was between and before them."""
    parts: list[str] = []
    for k, text in enumerate(texts):
        index = span.start_after + k
        start = fixed.tokens[index].start
        previous = fixed.tokens[index - 1].end if index else start
        gap = fixed.code[previous:start]
        if k or span.start == span.end:
            parts.append(gap if gap.isspace() or not gap else " ")
        parts.append(text)
    return "".join(parts)
