"""Fixes for tests of the fix memory."""

from __future__ import annotations

from typing import Any

from redraft.memory.base import Fix

__all__ = ["a_fix"]


def a_fix(number: int = 0, **changes: Any) -> Fix:
    """A fix; another number is another fix, learnt later."""
    fields: dict[str, Any] = {
        "key": "glsl:undeclared_identifier",
        "error_msg": f"0:5(12): error: `tone{number}' undeclared",
        "broken_snippet": f"float a = tone{number};",
        "fixed_snippet": f"float a = tune{number};",
        "timestamp": f"2026-11-20T{number // 60:02}:{number % 60:02}:00+00:00",
        "compiler": "Mesa 22.3.6",
    }
    return Fix.model_validate({**fields, **changes})
