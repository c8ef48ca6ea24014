"""Repairs by rule: what a compiler complains of in a shader, mended without a model where that can be done.

Two shelves. The rules of `offline_fix_rules` know what a shader of the contract is given and what models forget to
write. The lessons below are one small fix for each kind of mistake; the fix memory carries each over to the program at
hand, as it does with fixes that it has learnt. What comes out is a proposal: only compiling tells whether it helps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redraft.memory.diagnostic import Diagnostic
from redraft.memory.expressions import components
from redraft.memory.fix import Fix
from redraft.memory.hunks import patched
from redraft.memory.normalize import diagnostics
from redraft.memory.recipes.values import two_types
from redraft.offline.shader.fix_calls import CALLS
from redraft.offline.shader.fix_rules import RULES

__all__ = ["LESSONS", "Lesson", "mended"]

MOST = 2_000
"""Characters of an unknown complaint that are looked at."""


@dataclass(frozen=True)
class Lesson:
    """One mistake and its mend, as they might stand in a shader."""

    said: str
    """What was done, in words."""
    category: str
    complaint: str
    broken: str
    fixed: str

    def fix(self) -> Fix:
        return Fix(
            key=f"glsl:{self.category}",
            error_msg=f"0:1(1): error: {self.complaint}",
            broken_snippet=self.broken,
            fixed_snippet=self.fixed,
            timestamp="1970-01-01T00:00:00Z",
        )


NEAR = ("a misspelt name was spelt right", "`colr' undeclared", "x = colr;", "x = color;")
SIGN = ("a missing sign was put in", "syntax error, unexpected FLOAT", "float a = 1.0", "float a = 1.0;")
MORE = (
    "a constructor got as many components as it takes",
    "too few components to construct `vec3'",
    "vec3 a = vec3(1.0, 1.0);",
    "vec3 a = vec3(1.0, 1.0, 0.0);",
)
FEWER = (
    "a constructor got as many components as it takes",
    "too many parameters in `vec2' constructor",
    "vec2 a = vec2(1.0, 1.0, 0.0);",
    "vec2 a = vec2(1.0, 1.0);",
)
CUT = (
    "a vector was cut to the length that is wanted",
    "initializer of type vec3 cannot be assigned to variable of type vec2",
    "vec2 a = b;",
    "vec2 a = b.xy;",
)
WRAP = (
    "a value was made the type that is wanted",
    "initializer of type float cannot be assigned to variable of type vec3",
    "vec3 a = b;",
    "vec3 a = vec3(b);",
)
WHOLE = (
    "a number was written as a whole one",
    "initializer of type float cannot be assigned to variable of type int",
    "int a = 1.0;",
    "int a = 1;",
)
BROKEN = (
    "a whole number was written with its point",
    "initializer of type int cannot be assigned to variable of type float",
    "float a = 1;",
    "float a = 1.0;",
)
RETYPE = (
    "a variable was declared with the type of its value",
    "initializer of type vec3 cannot be assigned to variable of type vec2",
    "vec2 a = b;",
    "vec3 a = b;",
)
FIELD = (
    "a component that its vector does not have became one that it has",
    "invalid swizzle / mask `z'",
    "a = b.z;",
    "a = b.y;",
)
TWICE = (
    "a second declaration was taken away",
    "`a' redeclared",
    "float a = 1.0;\nfloat a = 2.0;",
    "float a = 1.0;\na = 2.0;",
)
CONST = (
    "what is written to is no longer const",
    "assignment to read-only variable 'a'",
    "const float a = 1.0;",
    "float a = 1.0;",
)
RETURN = (
    "a function returns the value it made",
    "function `f' has non-void return type float, but no return statement",
    "float f() { float a = 1.0; }",
    "float f() { float a = 1.0; return a; }",
)
DECLARE = (
    "a name that nothing declares was declared, as nought",
    "`a' undeclared",
    "x = a;",
    "float a = 0.0;\nx = a;",
)

SHELF = {
    "undeclared_identifier": (NEAR, DECLARE),
    "syntax_error": (NEAR, SIGN),
    "constructor_arguments": (MORE, FEWER),
    "incompatible_types": (WHOLE, BROKEN, CUT, WRAP, RETYPE),
    "operator_mismatch": (BROKEN, CUT, RETYPE),
    "no_matching_function": (NEAR, BROKEN, CUT, WRAP),
    "invalid_swizzle": (FIELD, CUT),
    "no_such_field": (FIELD,),
    "redefinition": (TWICE,),
    "not_assignable": (CONST,),
    "constant_required": (CONST,),
    "missing_return": (RETURN,),
    "return_type": (CUT, WRAP, RETYPE, RETURN),
}
"""Which lessons may help with which kind of error, the likeliest first."""

LESSONS: tuple[Lesson, ...] = tuple(
    Lesson(said, category, complaint, broken, fixed)
    for category, lessons in SHELF.items()
    for said, complaint, broken, fixed in lessons
)


def mended(code: str, error: str) -> tuple[str, str] | None:
    """What was done, and the shader after it; None where no rule fits. One mistake a call, the first that is known.

    Args:
        error: what the compiler said, its lines counted in `code`.
    """
    for found in diagnostics(error, code) or _bare(error):
        for said, text in _proposals(code, found):
            if text != code:
                where = f" (line {found.line})" if found.line else ""
                return f"{said}{where}", text
    return None


def _bare(error: str) -> list[Diagnostic]:
    """A complaint of no known kind: its words and its line, for rules that look at the words."""
    line = re.search(r"\b0[:(](\d{1,6})\b", error)
    return [Diagnostic("", error.strip()[:MOST], int(line[1]))] if line else []


def _proposals(code: str, found: Diagnostic) -> Iterator[tuple[str, str]]:
    category = found.key.split(":")[1] if found.key.startswith("glsl:") else ""
    for rule in (*RULES, *CALLS):
        done = rule(code, found, category)
        if done is not None:
            yield done
    for lesson in _fitting(category, found):
        text = patched(code, found, lesson.fix())
        if text is not None:
            yield lesson.said, text


def _fitting(category: str, found: Diagnostic) -> list[Lesson]:
    """The lessons for an error. What is too short for where it goes is wrapped rather than cut."""
    sizes = [components(t) or 0 for t in two_types(found.text)]
    short = len(sizes) == 2 and sizes[0] < sizes[1]
    lessons = [lesson for lesson in LESSONS if lesson.category == category]
    return sorted(lessons, key=lambda lesson: lesson.said != WRAP[0]) if short else lessons
