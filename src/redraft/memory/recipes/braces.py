"""Where a brace belongs that was left out: the indentation of the lines tells which block lacks it."""

from __future__ import annotations

from redraft.memory.change import Case
from redraft.memory.declared import Program
from redraft.memory.tokens import Edit

__all__ = ["close_brace", "open_brace"]

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
    """Whether a line has a text and is indented no deeper than the head of a block."""
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
