"""Repairs by rule of calls and of blocks: arguments that do not go together, and what stands there once too often."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.memory.declared import Program
from redraft.memory.diagnostic import Diagnostic
from redraft.memory.expressions import arguments, components, type_of
from redraft.memory.tokens import Edit, edited
from redraft.offline.shader.fix_rules import Done, Rule

__all__ = ["CALLS"]

ALIKE = {"mix": 2, "min": 2, "max": 2, "clamp": 1, "mod": 2, "pow": 2, "dot": 2, "distance": 2, "reflect": 2, "atan": 2}
"""Built-in functions whose first so many arguments have one type; those behind may be numbers."""
FILLED = {"clamp": (2, 1, "0.0, "), "mix": (2, 2, ", 0.5"), "smoothstep": (1, 0, "0.0, 1.0, "), "pow": (1, 1, ", 2.0")}
"""Where so many arguments were given: what is put in before (or behind the last) argument of this number."""


def _filled(code: str, found: Diagnostic, category: str) -> Done:
    """A built-in function that lacks an argument gets the one that changes least."""
    if category != "no_matching_function":
        return None
    program = Program(code)
    for i in program.on_lines(found.line or 1, found.line or 1):
        name = program.at(i)
        if name in FILLED and program.at(i + 1) == "(" and i + 1 in program.partners:
            given = arguments(program, i + 1)
            count, before, text = FILLED[name]
            if len(given) == count and given[-1][1] > given[-1][0]:
                at = program.tokens[given[before][0]].start if before < count else program.tokens[given[-1][1] - 1].end
                return f"{name} got the argument that it lacked", edited(code, [Edit(at, at, text)]) or code
    return None


def _alike(code: str, found: Diagnostic, category: str) -> Done:
    """Arguments of a built-in function get the type of the first one that is a vector."""
    if category != "no_matching_function":
        return None
    program = Program(code)
    for i in program.on_lines(found.line or 1, found.line or 1):
        name = program.at(i)
        if name in ALIKE and program.at(i + 1) == "(" and i + 1 in program.partners:
            done = _made_alike(program, arguments(program, i + 1), ALIKE[name])
            if done:
                return f"the arguments of {name} were made one type", edited(code, done) or code
    return None


def _made_alike(program: Program, given: Sequence[tuple[int, int]], alike: int) -> list[Edit]:
    types = [type_of(program, a, b) for a, b in given]
    want = next((t for t in types if (components(t) or 0) > 1), None)
    if want is None or not want.startswith("vec"):
        return []
    edits: list[Edit] = []
    for k, ((a, b), have) in enumerate(zip(given, types, strict=True)):
        size = components(have)
        if size is None or have == want or (size == 1 and k >= alike):
            continue
        start, end = program.tokens[a].start, program.tokens[b - 1].end
        lacking = (components(want) or 0) - size
        rest = ", 0.0" * lacking if lacking > 0 and size > 1 else ""
        edits += [Edit(start, start, f"{want}("), Edit(end, end, f"{rest})")]
    return edits


def _twice(code: str, found: Diagnostic, category: str) -> Done:
    """A function with the same parameters written twice: the second goes."""
    program = Program(code)
    function = program.functions.get(found.token)  # the last one of its name
    if category != "redefinition" or function is None:
        return None
    heads = [i for i, t in enumerate(program.tokens) if t.text == function.name and program.is_type(program.at(i - 1))]
    if len(heads) < 2:
        return None
    start, end = program.tokens[function.typed].start, program.tokens[function.body[1]].end
    return f"the second {function.name} was taken away", edited(code, [Edit(start, end, "")]) or code


def _brace(code: str, found: Diagnostic, category: str) -> Done:
    """A closing brace too many goes."""
    program = Program(code)
    texts = [t.text for t in program.tokens]
    if category != "syntax_error" or texts.count("}") <= texts.count("{"):
        return None
    lone = [i for i, text in enumerate(texts) if text == "}" and i not in program.partners]
    near = min(lone, key=lambda i: (abs(program.line(i) - (found.line or 1)), i), default=None)
    if near is None:
        return None
    token = program.tokens[near]
    return "a closing brace too many was taken away", edited(code, [Edit(token.start, token.end, "")]) or code


def _opened(code: str, found: Diagnostic, category: str) -> Done:
    """The head of a function or branch whose opening brace was left out: nothing else stands behind it."""
    program = Program(code)
    texts = [t.text for t in program.tokens]
    here = program.on_lines(found.line or 1, found.line or 1)
    if (
        category != "syntax_error"
        or texts.count("}") <= texts.count("{")
        or not re.search("[{]|LEFT_BRACE", found.text)
        or not here
    ):
        return None
    last = here[0] - 1
    if last < 0 or texts[last] not in (")", "else"):
        return None
    end = program.tokens[last].end
    return "an opening brace was put in", edited(code, [Edit(end, end, " {")]) or code


def _head_of_loop(code: str, found: Diagnostic, category: str) -> Done:
    """`for (int i = 0, i < 4; i++)`: its parts are parted by semicolons."""
    if category not in ("syntax_error", "redefinition"):
        return None
    program = Program(code)
    for i in program.on_lines(found.line or 1, found.line or 1):
        close = program.partners.get(i + 1, -1)
        if program.at(i) != "for" or close < 0:
            continue
        inner = [k for k in range(i + 2, close) if program.enclosing[k] == i + 1]
        commas = [k for k in inner if program.at(k) == ","]
        if sum(program.at(k) == ";" for k in inner) < 2 and commas:
            token = program.tokens[commas[0]]
            return "the parts of a loop are parted by semicolons", edited(
                code, [Edit(token.start, token.end, ";")]
            ) or code
    return None


CALLS: Sequence[Rule] = (_filled, _alike, _twice, _opened, _brace, _head_of_loop)
"""In the order in which they are tried, after the other rules."""
