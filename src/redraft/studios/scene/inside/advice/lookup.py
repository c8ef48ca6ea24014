"""Advice on an exception of a script: what the running Blender has in place of what the script used.

Called right after the exception, in the process that it happened in. Nothing of the script is run again: its text is
read, the values of its names are looked at, and Blender's own description of its types and operators is searched. Hints
are for a model; patches are changes that are most likely right: they are applied and tried.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

from redraft.studios.scene.inside.advice.attributes import absent_attribute
from redraft.studios.scene.inside.advice.calls import (
    absent_operator,
    cannot_run,
    context_given,
    numbered_context,
    too_many,
    too_many_unnamed,
    unknown_keyword,
    unnamed_argument,
    wants_depsgraph,
    without_result,
)
from redraft.studios.scene.inside.advice.script import CodePatch, FailedScript, Finding
from redraft.studios.scene.inside.advice.values import (
    absent_module,
    from_nothing,
    keyed_setting,
    matrix_product,
    missing_start,
    outdated_table,
    unknown_key,
    unknown_node,
    unknown_value,
    unrendered,
    watts,
    wrong_kind,
    wrong_length,
)

MAX_HINTS = 6
MAX_HINT = 200
"""Characters of a hint."""
MAX_CODE = 200_000
"""Characters of a script that is read, and of a message that is searched."""
MAX_MESSAGE = 20_000


@dataclass(frozen=True)
class Advice:
    """Help with one error. Both are empty where nothing is known."""

    hints: tuple[str, ...] = ()
    """Lines for a model, the best first."""
    patches: tuple[CodePatch, ...] = ()
    """`line`, `before`, `after`, `why`, as `result.CodePatch` has them; the last line first."""


def advise(error: BaseException, code: str, line: int) -> Advice:
    """Return what to write in place of what failed; `line` is the script's innermost line, from 1. Never raises."""
    try:
        message = str(error)[:MAX_MESSAGE]
        rules = ((match, answer) for rule, answer in _RULES if (match := re.search(rule, message, re.DOTALL)))
        match, answer = next(rules, (None, None))
        if match is None or answer is None or len(code) > MAX_CODE:
            return Advice()
        script = FailedScript(error, code, line)
        finding = answer(script, match)
        lines = (" ".join(hint.split()) for hint in finding.hints if hint)
        hints = dict.fromkeys(each if len(each) <= MAX_HINT else f"{each[: MAX_HINT - 1]}…" for each in lines)
        edits = finding.edits and (*finding.edits, *watts(script))
        return Advice(tuple(hints)[:MAX_HINTS], script.patches(edits, finding.why))
    except Exception as wrong:  # a script that fails in an odd way must not lose its own message over this
        return _no_advice(wrong)


def advise_on_look(code: str) -> Advice:
    """Return what to change in a script that ran to its end, so that its picture shows what it set. Never raises."""
    try:
        script = FailedScript(None, code, 0)
        finding = unrendered(script)
        return Advice(finding.hints, script.patches(finding.edits, finding.why))
    except Exception as wrong:  # as above
        return _no_advice(wrong)


def _no_advice(wrong: Exception) -> Advice:
    print(f"Advice was left out: {type(wrong).__name__}: {wrong}", file=sys.stderr)  # noqa: T201
    return Advice()


_RULES: tuple[tuple[str, Callable[[FailedScript, re.Match[str]], Finding]], ...] = (
    (r"^'NoneType' object has no attribute '(\w+)'", lambda s, m: missing_start(s, m[1])),
    (r"^'Gone' object (?:is not|does not)", lambda s, m: from_nothing(s)),
    (r"^No module named '(\w+)", lambda s, m: absent_module(s, m[1])),
    (r"attribute \"(\w+)\" from \"(\w+)\" is read-only", lambda s, m: absent_attribute(s, m[2], m[1])),
    (r"depsgraph expected a Depsgraph|expected 'Depsgraph' type found", lambda s, m: wants_depsgraph(s)),
    (r"keyword \"context\" expected a string, not int", lambda s, m: numbered_context(s)),
    (r"Add-on not loaded: \"(\w+)\"", lambda s, m: without_result(s, f"there is no add-on `{m[1]}`")),
    (r"in background mode", lambda s, m: without_result(s, "it needs a window, and there is none")),
    (
        r"^'?([\w.]+)'?(?: object has no attribute|: attribute) ['\"](\w+)['\"]",
        lambda s, m: absent_attribute(s, m[1], m[2]),
    ),
    (r"^(module) '[\w.]+' has no attribute '(\w+)'", lambda s, m: absent_attribute(s, m[1], m[2])),
    (r"^(BMeshOpsModule): operator \"(\w+)\" doesn't exist", lambda s, m: absent_attribute(s, m[1], m[2])),
    (r"operator \"bpy\.ops\.([\w.]+)\" error, could not be found", lambda s, m: absent_operator(s, m[1])),
    (r"operator properties: ?: keyword \"(\w+)\" unrecognized", lambda s, m: unknown_keyword(s, m[1], "")),
    (r"^(\w+): keyword \"(\w+)\" is invalid", lambda s, m: unknown_keyword(s, m[2], m[1])),
    (
        r"^(\w+\.\w+)\(\): .*?invalid keyword arguments? ?(?:\(s\) )?\('?(\w+)'?",
        lambda s, m: unknown_keyword(s, m[2], m[1]),
    ),
    (
        r"\benum \"([^\"]+)\" not found in (\(.*\))",
        lambda s, m: unknown_value(s, m[1], re.findall(r"'((?:[^'\\]|\\.)*)'", m[2])),
    ),
    (r"^Operator bpy\.ops\.([\w.]+?)\.poll\(\) (.*)", lambda s, m: cannot_run(s, m[1], m[2])),
    (r"multiplication: not supported between '(?:Matrix|Vector|Quat)", lambda s, m: matrix_product(s)),
    (r"^unsupported operand type\(s\) for \*=?: '(?:Matrix|Quaternion|Vector)'", lambda s, m: matrix_product(s)),
    (r"bpy_struct\[key\]: key \"(.+?)\" not found", lambda s, m: keyed_setting(s, m[1])),
    (r"bpy_prop_collection\[key\]: key \"(.+?)\" not found", lambda s, m: unknown_key(s, m[1])),
    (r"^(\w+)\(\) takes at most (\d+) positional", lambda s, m: too_many_unnamed(s, m[1], int(m[2]))),
    (r"^(\w+\.\w+)\(\):? takes at most", lambda s, m: too_many(s, m[1])),
    (r"required parameter \"(\w+)\" to be a keyword argument", lambda s, m: unnamed_argument(s, m[1])),
    (r"1-2 args execution context is supported", lambda s, m: context_given(s)),
    (r"ensure_lookup_table", lambda s, m: outdated_table(s)),
    (
        r"expected a float type, not tuple|sequence expected|expected sequence|expected a sequence|item\.attr = val:$",
        lambda s, m: wrong_kind(s),
    ),
    (r"Node type (\w+) undefined", lambda s, m: unknown_node(s, m[1])),
    (
        r"sequences of dimension 0 should contain (\d+) items, not (\d+)",
        lambda s, m: wrong_length(s, int(m[1]), int(m[2])),
    ),
)
"""The message of an error, and what answers it; the first that matches is called."""
