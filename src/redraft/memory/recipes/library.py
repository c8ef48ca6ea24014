"""Mends of what a Python program asks of a library: words that it spells otherwise now, keywords, settings.

A word of a library's is a name after a dot, a keyword of a call, or a text: what a writer named himself is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from redraft.memory.change import Case, Change
from redraft.memory.declared import Program
from redraft.memory.normalize import diagnostics
from redraft.memory.tokens import CLOSERS, OPENERS, Edit, Token

__all__ = ["keyword", "prepared", "reworded", "shows_keyword", "shows_prepared", "shows_reworded", "told"]

Role = Literal["attribute", "keyword", "text"]
LITERALS = ("True", "False", "None")


def told(change: Change) -> str:
    """What the remembered error was about, be it a name or a text."""
    found = [d for d in diagnostics(change.fix.error_msg) if d.key == change.fix.key]
    return found[0].token if found else ""


def _role(program: Program, index: int) -> Role | None:
    """Of which kind a word of a library is; None for what is none."""
    token = program.tokens[index]
    if token.kind == "string":
        return "text"
    if token.kind != "name":
        return None
    if program.is_field(index):
        return "attribute"
    return "keyword" if program.at(index + 1) == "=" and program.enclosing[index] >= 0 else None


def _bare(token: Token) -> str:
    """A text without its quotation marks."""
    return token.text.strip("\"'") if token.kind == "string" else token.text


def _reach(case: Case) -> range:
    """The tokens on the error's line, and in brackets that are opened there."""
    here = case.program.on_lines(case.line, case.line)
    last = max((case.program.partners.get(i, i) for i in here if case.program.at(i) in OPENERS), default=here.stop - 1)
    return range(here.start, max(here.stop, last + 1))


# Words


def shows_reworded(change: Change) -> bool:
    """Whether words of a library's, and the one that the error was about among them, were written otherwise."""
    return bool(_words(change))


def _words(change: Change) -> dict[tuple[Role, str], str]:
    """Role and word → the word in its place; empty when anything else changed."""
    pairs: dict[tuple[Role, str], str] = {}
    for span in change.spans if change.python else ():
        if (span.end - span.start, span.end_after - span.start_after) != (1, 1):
            return {}
        role, new = _role(change.broken, span.start), change.fixed.tokens[span.start_after]
        if role is None or role != _role(change.fixed, span.start_after):
            return {}
        pairs[role, _bare(change.broken.tokens[span.start])] = _bare(new)
    return pairs if any(word == told(change) for _, word in pairs) else {}


def reworded(case: Case) -> list[Edit] | None:
    """The same words on the error's line and in its brackets; a node's type wherever the program names it, a keyword
    in every call of the same function, a key wherever the same thing is asked for it."""
    program, pairs = case.program, _words(case.change)
    whole = case.error.key.startswith("bpy:unknown_node")
    reach = _reach(case)
    functions = {_function(program, i) for i in reach if program.at(i) == case.error.token} - {""}
    things = {_asked(program, i) for i in reach if _bare(program.tokens[i]) == case.error.token} - {""}
    edits: list[Edit] = []
    for i in range(len(program.tokens)):
        role = _role(program, i)
        alike = role == "keyword" and _function(program, i) in functions
        alike = alike or (role == "text" and _asked(program, i) in things)
        if i not in reach and not whole and not alike:
            continue
        new = pairs.get((role, _bare(program.tokens[i]))) if role is not None else None
        if new is not None:
            mark = program.at(i)[-1] if role == "text" else ""
            edits.append(case.instead(i, f"{mark}{new}{mark}"))
    return edits or None


def _asked(program: Program, index: int) -> str:
    """The first name of `thing.inputs[key]`, by the token of the key; empty where it is no key."""
    at = index - 2
    if program.at(index - 1) != "[" or at < 0 or program.tokens[at].kind != "name":
        return ""
    while program.is_field(at) and at > 1 and program.tokens[at - 2].kind == "name":
        at -= 2
    return program.at(at)


# Keywords whose value is worked out otherwise


def shows_keyword(change: Change) -> bool:
    """Whether one argument of a call got another name, and its value stands in a formula now."""
    return _keyword(change) is not None


def _keyword(change: Change) -> tuple[str, str, list[str], list[str]] | None:
    """The function (empty where it is not seen), the new name, and what stands before and behind the value."""
    broken, fixed = change.broken, change.fixed
    word = told(change)
    start = next((i for i, t in enumerate(broken.tokens) if t.text == word and _role(broken, i) == "keyword"), -1)
    if not change.python or not change.spans or start < 0:
        # a hunk of a single line may have lost its brackets
        start = next((i for i, t in enumerate(broken.tokens) if t.text == word and broken.at(i + 1) == "="), -1)
    if not change.python or start < 0 or not change.spans:
        return None
    end = _end(broken, start)
    behind = len(broken.tokens) - end
    if change.spans[0].start < start or change.spans[-1].end > end or fixed.at(start + 1) != "=":
        return None
    value = [t.text for t in broken.tokens[start + 2 : end]]
    after = [t.text for t in fixed.tokens[start + 2 : len(fixed.tokens) - behind]]
    places = [k for k in range(len(after) - len(value) + 1) if after[k : k + len(value)] == value]
    if not value or len(places) != 1:
        return None
    return _function(broken, start), fixed.at(start), after[: places[0]], after[places[0] + len(value) :]


def _end(program: Program, index: int) -> int:
    """Where the argument ends that begins here."""
    level = program.enclosing[index]
    for i in range(index, len(program.tokens)):
        closes = program.at(i) in CLOSERS and program.partners.get(i, level) == level
        if (program.at(i) == "," and program.enclosing[i] == level) or closes:
            return i
    return len(program.tokens)


def _function(program: Program, index: int) -> str:
    """The name of the function whose argument begins at a token; empty where there is none."""
    return program.at(program.enclosing[index] - 1) if program.enclosing[index] > 0 else ""


def keyword(case: Case) -> list[Edit] | None:
    """The keyword that the error is about, in every call of the function, gets the same name and formula."""
    found, program = _keyword(case.change), case.program
    if found is None:
        return None
    function, name, before, behind = found
    all_of = [i for i, t in enumerate(program.tokens) if t.text == case.error.token and _role(program, i) == "keyword"]
    called = next((_function(program, i) for i in all_of if i in _reach(case)), "")
    edits: list[Edit] = []
    for i in all_of if called and function in ("", called) else []:
        if _function(program, i) == called:
            end = _end(program, i)
            value = program.code[program.tokens[i + 2].start : program.tokens[end - 1].end]
            if (before or behind) and not _single(program, i + 2, end):
                value = f"({value})"
            text = " ".join([*before, value, *behind])
            edits.append(Edit(program.tokens[i].start, program.tokens[end - 1].end, f"{name}={text}"))
    return edits or None


def _single(program: Program, first: int, last: int) -> bool:
    """Whether an expression is one operand: no sign outside of its brackets but dots."""
    level = program.enclosing[first - 1]
    outside = [i for i in range(first, last) if program.enclosing[i] == level]
    return not any(program.tokens[i].kind == "sign" and program.at(i) not in ".()[]" for i in outside)


# A setting that must be made before another


def shows_prepared(change: Change) -> bool:
    """Whether one plain setting was put before what failed."""
    return change.python and not change.broken.tokens and _plain_setting(change.fixed) is not None


def _plain_setting(program: Program) -> tuple[str, str] | None:
    """The attribute and the literal of `some.thing.attribute = literal`."""
    tokens = program.tokens
    if len(tokens) < 5 or tokens[-2].text != "=":
        return None
    path, value = tokens[:-2], tokens[-1]
    plain = value.kind in ("string", "number") or value.text in LITERALS
    return (path[-1].text, value.text) if plain and _is_path(path) else None


def _is_path(tokens: Sequence[Token]) -> bool:
    names, dots = tokens[::2], tokens[1::2]
    return len(tokens) % 2 == 1 and all(t.kind == "name" for t in names) and all(t.text == "." for t in dots)


def prepared(case: Case) -> list[Edit] | None:
    """The same setting of the thing whose setting fails, on a line before it."""
    program, setting = case.program, _plain_setting(case.change.fixed)
    here = program.on_lines(case.line, case.line)
    sign = next((i for i in here if program.at(i) == "=" and program.enclosing[i] < 0), -1)
    if setting is None or sign - here.start < 3 or not _is_path(program.tokens[here.start : sign]):
        return None
    owner = program.code[program.tokens[here.start].start : program.tokens[sign - 3].end]
    start = program.line_span(case.line)[0]
    text = f"{program.indent(case.line)}{owner}.{setting[0]} = {setting[1]}\n"
    above = program.line_text(case.line - 1) if case.line > 1 else ""
    return [Edit(start, start, text)] if above.strip() != text.strip() else None
