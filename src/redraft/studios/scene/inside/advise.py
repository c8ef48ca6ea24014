"""Advice on an exception of a script: what the running Blender has in place of what was asked for.

Called right after the exception, in the process that it happened in. Nothing of the script is run again: its text is
read, the values of its names are looked at, and Blender's own description of its types and operators is searched. Hints
are for a model; mends are changes that are most likely right, made without asking anybody and tried.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

from redraft.studios.scene.inside.advise_attributes import absent_attribute
from redraft.studios.scene.inside.advise_keywords import unknown_keyword
from redraft.studios.scene.inside.advise_nodes import unknown_key, unknown_node
from redraft.studios.scene.inside.advise_nothing import nothing_there
from redraft.studios.scene.inside.advise_operators import absent_operator, cannot_run, wrong_context
from redraft.studios.scene.inside.advise_place import Finding, Mend, Place
from redraft.studios.scene.inside.advise_types import Reader
from redraft.studios.scene.inside.advise_values import matrix_product, no_sequence, unknown_value, wrong_length

__all__ = ["Advice", "advise"]

MOST_HINTS = 6
LONGEST = 200
"""Characters of a hint."""
MOST_CODE = 200_000
MOST_MESSAGE = 20_000


@dataclass(frozen=True)
class Advice:
    """What helps with one error. Both are empty where nothing is known."""

    hints: tuple[str, ...] = ()
    """Lines for a model, the best first."""
    mends: tuple[Mend, ...] = ()
    """`line`, `before`, `after`, `why`, as `result.Mend` has them; the last line first."""


def advise(error: BaseException, code: str, line: int) -> Advice:
    """What to write in place of what failed; `line` is the innermost line of the script, from 1. Never raises."""
    try:
        return _advised(error, code, line)
    except Exception as fault:  # a script that fails in an odd way must not lose its own message over this
        print(f"Advice was left out: {type(fault).__name__}: {fault}", file=sys.stderr)  # noqa: T201
        return Advice()


def _advised(error: BaseException, code: str, line: int) -> Advice:
    message = str(error)[:MOST_MESSAGE]
    found = next(((m, ask) for rule, ask in _RULES if (m := re.search(rule, message, re.DOTALL))), None)
    if found is None or len(code) > MOST_CODE:
        return Advice()
    place = Place(error, code, line)
    finding = found[1](Reader(place), found[0])
    hints = dict.fromkeys(_short(hint) for hint in finding.hints if hint)
    return Advice(tuple(hints)[:MOST_HINTS], place.mends(finding.edits, finding.why))


def _short(hint: str) -> str:
    text = " ".join(hint.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _no_attribute(reader: Reader, match: re.Match[str]) -> Finding:
    return absent_attribute(reader, match[1], match[2])


def _no_value(reader: Reader, match: re.Match[str]) -> Finding:
    try:
        allowed = ast.literal_eval(match[2])
    except (ValueError, SyntaxError):
        allowed = re.findall(r"'([^']*)'", match[2])
    return unknown_value(reader, match[1], [str(name) for name in allowed])


def _length(reader: Reader, match: re.Match[str]) -> Finding:
    return wrong_length(reader, int(match[1]), int(match[2]))


Ask = Callable[[Reader, "re.Match[str]"], Finding]

_RULES: tuple[tuple[str, Ask], ...] = (
    (r"^'NoneType' object has no attribute '(\w+)'", lambda r, m: nothing_there(r, m[1])),
    (r"^'?(\w+)'?(?: object has no attribute|: attribute) ['\"](\w+)['\"]", _no_attribute),
    (r"^(module) '[\w.]+' has no attribute '(\w+)'", _no_attribute),
    (r"^(BMeshOpsModule): operator \"(\w+)\" doesn't exist", _no_attribute),
    (r"operator \"bpy\.ops\.([\w.]+)\" error, could not be found", lambda r, m: absent_operator(r, m[1])),
    (r"operator properties: ?: keyword \"(\w+)\" unrecognized", lambda r, m: unknown_keyword(r, m[1], "")),
    (r"^(\w+): keyword \"(\w+)\" is invalid", lambda r, m: unknown_keyword(r, m[2], m[1])),
    (
        r"^(\w+\.\w+)\(\): .*?invalid keyword arguments? ?(?:\(s\) )?\('?(\w+)'?",
        lambda r, m: unknown_keyword(r, m[2], m[1]),
    ),
    (r"\benum \"([^\"]+)\" not found in (\(.*\))", _no_value),
    (r"^Operator bpy\.ops\.([\w.]+?)\.poll\(\) (.*)", lambda r, m: cannot_run(r, m[1], m[2])),
    (r"1-2 args execution context is supported", lambda r, m: wrong_context(r)),
    (r"multiplication: not supported between '(?:Matrix|Vector|Quat)", lambda r, m: matrix_product(r)),
    (r"^unsupported operand type\(s\) for \*=?: '(?:Matrix|Quaternion|Vector)'", lambda r, m: matrix_product(r)),
    (r"bpy_prop_collection\[key\]: key \"(.+?)\" not found", lambda r, m: unknown_key(r, m[1])),
    (r"Node type (\w+) undefined", lambda r, m: unknown_node(r, m[1])),
    (r"sequences of dimension 0 should contain (\d+) items, not (\d+)", _length),
    (r"item\.attr = val: sequence expected at dimension 1", lambda r, m: no_sequence(r)),
)
"""What an error says, and who knows about it; the first that fits is asked."""
