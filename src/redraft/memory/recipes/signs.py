"""The fix of a sign left out: `;` at the end of a statement, a bracket, a comma, an operator.

The missing sign and its place are derived from the program at hand: brackets that do not pair, two operands side by
side, for braces the indentation. The remembered fix only shows that some sign was missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from redraft.memory.recipes.change import Case, Change
from redraft.memory.recipes.program import CLOSERS, OPENERS, Edit, Program
from redraft.memory.recipes.vocabulary import ARITIES, RESERVED

__all__ = ["missing_sign", "shows_missing_sign"]

SIGNS = frozenset(";,(){}[]*/+-=.:")


def shows_missing_sign(change: Change) -> bool:
    return not change.removed and 0 < len(change.added) <= 2 and all(t in SIGNS for t in change.added_texts)


def missing_sign(case: Case) -> list[Edit] | None:
    edit = _bracket(case) or _separator(case)
    return [edit] if edit else None


def _bracket(case: Case) -> Edit | None:
    """The first bracket without a partner gets one."""
    program = case.program
    open_: list[int] = []
    for i, token in enumerate(program.tokens):
        text = token.text
        top = program.at(open_[-1]) if open_ else ""
        if text in CLOSERS and top == CLOSERS[text]:
            open_.pop()
        elif top in ("(", "[") and (text in "}])" or ends_brackets(program, i, open_[-1])):
            return close_bracket(case, open_, i)
        elif text in (")", "]"):
            return open_bracket(case, i)
        elif text == "}":
            return open_brace(case, i)
        elif text in OPENERS:
            open_.append(i)
    return close_brace(case) if open_ else None


def _separator(case: Case) -> Edit | None:
    """Two operands side by side, nearest to the error: what belongs between them."""
    program = case.program
    window = program.on_lines(case.line - 3, case.line + 1)
    found = clashes(program, window)
    if not found:
        return None
    i = min(found, key=lambda k: (abs(program.line(k + 1) - case.line), k))
    return case.behind(i, _between(case, i))


def _between(case: Case, i: int) -> str:
    """The sign that belongs behind token i."""
    program, learnt = case.program, case.change.added_texts[0]
    inside = program.enclosing[i]
    following = program.tokens[i + 1]
    if inside >= 0 and program.at(inside) in ("(", "["):
        signs = [",", " *"] if learnt not in "*/+-" else [f" {learnt}", ","]
        if program.at(inside - 1) == "for":
            signs = [";"]
        return min(signs, key=lambda s: problems_with(program, i, program.tokens[i].end, s))
    apart = program.line(i) != program.line(i + 1) or program.at(i + 2) in ("=", "+=", "-=", "*=", "/=")
    if apart or following.text == "}" or following.text in RESERVED or program.is_type(following.text):
        return ";"
    if i and program.is_type(program.at(i - 1)):
        return " ="
    return f" {learnt}" if learnt in "*/+-" else " *"


# Braces

MOST_OF_BLOCK = 400
"""Lines of a block whose end is looked for."""


def open_brace(case: Case, closing: int) -> Edit | None:
    """A `}` too many: the last head of a function or branch before the error that has no `{` gets one."""
    program = case.program
    for i in range(closing, 0, -1):
        if program.at(i) != ")" or i not in program.partners or program.at(i + 1) in ("{", ";"):
            continue
        name = program.partners[i] - 1
        is_function = program.enclosing[name] < 0 and name > 0 and program.is_type(program.at(name - 1))
        if is_function:
            return case.behind(i, " {")
    return _open_branch(case, closing)


def _open_branch(case: Case, closing: int) -> Edit | None:
    """The first `if (…)`, `for (…)` or `else` without a block whose lines still end with a `}` below its head."""
    program = case.program
    for i in range(closing):
        head = program.at(i) == ")" and program.at(program.partners.get(i, 0) - 1) in ("if", "for", "while")
        if not (head or program.at(i) == "else") or program.at(i + 1) in ("{", ";", "if"):
            continue
        own = program.indent(program.line(program.partners.get(i, i)))
        number = next((n for n in range(program.line(i) + 1, _far(program, i)) if _ends_block(program, n, own)), None)
        if number is not None and program.line_text(number).strip().startswith("}") and program.indent(number) == own:
            return case.behind(i, " {")
    return None


def _far(program: Program, i: int) -> int:
    """The line behind the last one that a block begun at a token is looked for in."""
    return min(program.lines + 1, program.line(i) + MOST_OF_BLOCK)


def _ends_block(program: Program, number: int, indent: str) -> bool:
    """Return whether a line has a text and is indented no deeper than the head of a block."""
    return bool(program.line_text(number).strip()) and len(program.indent(number)) <= len(indent)


def close_brace(case: Case) -> Edit | None:
    """The block whose lines end, by their indentation, before its bracket closes gets its `}` there."""
    program = case.program
    for i, token in enumerate(program.tokens):
        if token.text != "{":
            continue
        opened = program.line(i)
        closed = program.partners.get(i)
        if closed is not None and program.line(closed) == opened:
            continue
        if closed is None or program.indent(program.line(closed)) != program.indent(_head(program, i)):
            found = _end_of_block(program, i, program.indent(_head(program, i)))
            if found is not None:
                return found
    end = len(program.code.rstrip())
    return Edit(end, end, "\n}")


def _head(program: Program, brace: int) -> int:
    """The line that a block's statement begins on."""
    first, _ = program.statement(max(brace - 1, 0))
    return program.line(first)


def _end_of_block(program: Program, brace: int, indent: str) -> Edit | None:
    """Before the first line behind a `{` that is indented no deeper than the block's head; None where it is a `}`."""
    before = program.line(brace)
    for number in range(program.line(brace) + 1, _far(program, brace)):
        text = program.line_text(number).strip()
        if not text or text.startswith(("//", "#")):
            continue
        if len(program.indent(number)) > len(indent) or (number == program.line(brace) + 1 and text == "{"):
            before = number
            continue
        if text.startswith("}"):
            return None if len(program.indent(number)) == len(indent) else _line_behind(program, before, indent)
        if text.startswith("else"):
            start = program.line_span(number)[0] + len(program.indent(number))
            return Edit(start, start, "} ")
        return _line_behind(program, before, indent)
    return None


def _line_behind(program: Program, number: int, indent: str) -> Edit:
    end = program.line_span(number)[1]
    return Edit(end, end, f"\n{indent}}}")


# Round and square brackets

MOST_PLACES = 120
"""Places that are tried for one bracket."""
_WORD_AT_END = re.compile(r"(\w{1,60})([ \t]{0,40})$")


def ends_brackets(program: Program, i: int, opening: int) -> bool:
    """Return whether a sign cannot stand inside of round or square brackets: a block, or the end of a statement."""
    text = program.at(i)
    if text == ":":
        return not any(
            program.at(k) == "?" and program.enclosing[k] == opening for k in range(max(opening, i - 400), i)
        )
    return text == "{" or (text == ";" and program.at(opening - 1) != "for")


def close_bracket(case: Case, open_: Sequence[int], at: int) -> Edit | None:
    """The innermost open bracket is closed behind an operand before `at`: where all calls then have what they need."""
    program, opening = case.program, open_[-1]
    sign = OPENERS[program.at(opening)]
    first = opening
    for k in range(len(open_) - 2, -1, -1):
        if program.at(open_[k]) not in ("(", "["):
            break
        first = open_[k]
    ends = (i for i in range(first, at) if ends_operand(program, i) or program.at(i) == "(")
    places = [i for i in ends if not program.is_type(program.at(i))][-MOST_PLACES:]
    best: tuple[int, int] | None = None
    for i in reversed(places):
        problems = problems_with(program, i, program.tokens[i].end, sign)
        if best is None or problems < best[0]:
            best = (problems, i)
    return case.behind(best[1], sign) if best else None


def open_bracket(case: Case, closing: int) -> Edit | None:
    """A closing bracket gets its partner before an operand of its statement, or inside of two names run together."""
    program = case.program
    sign = CLOSERS[program.at(closing)]
    if sign == "(" and program.tokens[closing - 1].kind == "name" and program.is_type(program.at(closing - 2)):
        return case.before(closing, sign)  # void main)
    for i in program.on_lines(program.line(closing), program.line(closing)):
        if program.at(i) in HEADS and program.at(i + 1) != "(" and i < closing:
            return case.before(i + 1, sign)  # for int i = 0; …)
    first, _ = program.statement(closing)
    places = [i for i in range(first, closing) if begins_operand(program, i) or program.at(i) in "(-!"][-MOST_PLACES:]
    best: tuple[int, int, int] | None = None
    for i in [*places, closing]:
        for offset in (program.tokens[i].start, _seam(program, i)):
            if offset is None:
                continue
            found = problems_with(program, i, offset, sign)
            rank = (found, 0 if program.at(i - 1) in ("*", "/", "-") else 1, offset)
            best = min(best or rank, rank)
    return _called(program, best[2], sign) if best else None


def _called(program: Program, offset: int, sign: str) -> Edit:
    """A sign put in at an offset, without the spaces before it where it begins the arguments of a call."""
    line = program.code[program.code.rfind("\n", 0, offset) + 1 : offset]
    name = _WORD_AT_END.search(line)
    if name is None or name[1] in RESERVED:
        return Edit(offset, offset, sign)
    return Edit(offset - len(name[2]), offset, sign)


def _seam(program: Program, i: int) -> int | None:
    """Where a name that means nothing is a function or type and something known behind it: `vec3uv`."""
    token = program.tokens[i]
    if token.kind != "name" or program.knows(token.text) or len(token.text) > 60:
        return None
    for k in range(len(token.text) - 1, 1, -1):
        head, rest = token.text[:k], token.text[k:]
        called = head in ARITIES or head in program.functions or program.is_type(head)
        if called and (program.knows(rest) or program.find(rest, i) or rest.isdigit()):
            return token.start + k
    return None


# Operands side by side

HEADS = ("if", "for", "while", "switch", "layout")
"""Words whose brackets hold no arguments."""
LONGEST_STATEMENT = 400
"""Tokens of a statement that is looked at."""


def problems_with(program: Program, index: int, offset: int, sign: str) -> int:
    """Count the errors of the statement around a token after inserting a sign at an offset."""
    first, last = program.statement(index)
    if last - first > LONGEST_STATEMENT:
        return 0
    start, end = program.tokens[first].start, program.tokens[last - 1].end
    text = program.code[start:offset] + sign + program.code[offset:end]
    tried = Program(text, within=(program, index))
    strangers = sum(
        t.kind == "name" and not tried.knows(t.text) and not tried.is_field(i) for i, t in enumerate(tried.tokens)
    )
    unpaired = sum(1 for i, t in enumerate(tried.tokens) if t.text in "()[]" and i not in tried.partners)
    return strangers + 5 * unpaired + 3 * len(clashes(tried, range(len(tried.tokens))))


def clashes(program: Program, where: Iterable[int]) -> list[int]:
    """Tokens with an operand's end that another operand follows without anything between."""
    return [i for i in where if i + 1 < len(program.tokens) and _clash(program, i)]


def _clash(program: Program, i: int) -> bool:
    following = program.tokens[i + 1]
    if not ends_operand(program, i) and not (program.at(i) in ("++", "--") and program.tokens[i - 1].kind == "name"):
        return program.at(i) in ("break", "continue", "discard", "return") and following.text == "}"
    if following.text == "}":
        return not _in_list(program, i)
    if program.at(i) == "]" and program.is_type(program.at(program.partners.get(i, 0) - 1)):
        return False  # float[3] name
    if not (following.kind == "number" or (following.kind == "name" and not program.is_field(i + 1))):
        return following.text == "(" and program.tokens[i].kind == "number"
    if program.at(i) == ")":
        head = program.at(program.partners.get(i, 0) - 1)
        return head not in HEADS and i in program.partners
    return _is_value(program, i) if program.is_type(program.at(i)) else not _may_be_type(program, i)


def _is_value(program: Program, i: int) -> bool:
    """Return whether a type stands where only a value can: a name behind it is then no declaration."""
    while program.at(i - 1) == "(":
        i -= 1
    return program.at(i - 1) in ("=", "return", "*", "/", "+", "-")


def _may_be_type(program: Program, i: int) -> bool:
    """Return whether a name in front of a name looks like a type that is not known: `Vec3 p = …`."""
    begins = i == 0 or program.at(i - 1) in (";", "{", "}", ")") or program.at(i - 1) in RESERVED
    return begins and program.tokens[i + 1].kind == "name" and program.at(i + 2) in ("=", ";", ",", "(", "[")


def _in_list(program: Program, i: int) -> bool:
    """Return whether a token is in a list of values in braces."""
    at = program.enclosing[i]
    return at < 0 or program.at(at) != "{" or program.at(at - 1) in ("=", ",", "(", "{")


def ends_operand(program: Program, i: int) -> bool:
    token = program.tokens[i]
    if token.kind == "name":
        return token.text in ("true", "false") or token.text not in RESERVED
    return token.kind == "number" or token.text in (")", "]")


def begins_operand(program: Program, i: int) -> bool:
    token = program.tokens[i]
    return token.kind == "number" or (token.kind == "name" and token.text not in RESERVED and not program.is_field(i))
