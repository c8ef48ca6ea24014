"""Keys of errors: from the words of a compiler or interpreter to a key under which a fix can be found again.

The same error has the same key in the words of every compiler; `glsl.py` and `python.py` read these words. A key's
detail is always a name that is the same in every program.
"""

from __future__ import annotations

from collections.abc import Mapping

from redraft.fixes.base import Diagnostic
from redraft.fixes.normalize.glsl import bare_complaint, glsl_diagnostics
from redraft.fixes.normalize.glsl_reasons import GLSL_CATEGORIES
from redraft.fixes.normalize.python import PYTHON_CATEGORIES, python_diagnostics

__all__ = ["CATEGORIES", "Diagnostic", "diagnostics", "key_of"]

CATEGORIES: Mapping[str, str] = {
    **PYTHON_CATEGORIES,
    **{f"glsl:{name}": meaning for name, meaning in GLSL_CATEGORIES.items()},
}
"""The meaning of a key without its detail, in one line."""

MESSAGE_LIMIT = 1_000_000
"""Characters of a message that are read."""
BARE_LIMIT = 400
"""Characters of a line that may be a compiler's words without place; longer ones are prose."""


def diagnostics(message: str, code: str = "") -> list[Diagnostic]:
    """Every complaint of a message, in its order; empty where nothing in it is an error of a kind that is known.

    Left out are warnings, what only counts or repeats, and what only follows from another complaint on the same line.

    Args:
        code: the program, where it is at hand. Some compilers do not say what can be read there (which constructor has
            too few components; naga's places are bytes): with it, keys agree across all compilers.
    """
    message = message[:MESSAGE_LIMIT]
    found = glsl_diagnostics(message, code) or python_diagnostics(message)
    if found or len(message) > BARE_LIMIT or "\n" in message.strip():
        return found
    bare = bare_complaint(message)
    return [bare] if bare else []


def key_of(message: str, code: str = "") -> str:
    """The key of the first complaint; empty when there is none."""
    found = diagnostics(message, code)
    return found[0].key if found else ""
