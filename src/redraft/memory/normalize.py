"""From what a compiler or interpreter says to a key under which a fix can be found again."""

from __future__ import annotations

from collections.abc import Mapping

from redraft.memory.diagnostic import Diagnostic
from redraft.memory.glsl_reasons import GLSL_CATEGORIES
from redraft.memory.normalize_glsl import bare_complaint, glsl_diagnostics

__all__ = ["CATEGORIES", "Diagnostic", "diagnostics", "key_of"]

CATEGORIES: Mapping[str, str] = {f"glsl:{name}": meaning for name, meaning in GLSL_CATEGORIES.items()}


def diagnostics(message: str, code: str = "") -> list[Diagnostic]:
    """Every complaint of a message, in its order; empty where nothing in it is an error of a kind that is known."""
    found = glsl_diagnostics(message, code)
    if not found and "\n" not in message.strip() and len(message) < 400:
        one = bare_complaint(message)
        found = [one] if one else []
    return found


def key_of(message: str, code: str = "") -> str:
    """The key of the first complaint; empty when there is none."""
    found = diagnostics(message, code)
    return found[0].key if found else ""
