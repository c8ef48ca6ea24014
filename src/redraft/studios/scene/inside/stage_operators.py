"""Operators that mean something else here: those that render, and the one that ends Blender.

redraft renders the scene itself, so a render in a script would only use up its time. Everything else runs as it is,
also what resets Blender or saves the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["take_over"]

LEFT_OUT = frozenset(
    (("render", "render"), ("render", "opengl"), ("render", "view_show"), ("render", "play_rendered_anim"))
)
LEFT_OUT_NOTE = "bpy.ops.{name} was left out: redraft renders the scene itself."
QUIT = ("wm", "quit_blender")
QUIT_NOTE = "bpy.ops.wm.quit_blender ended the script at that place; what it had made was kept."


class _Instead:
    """An operator that is as Blender's own but for what calling it does."""

    def __init__(self, operator: Any, name: str, notes: list[str]) -> None:
        self._operator, self._name, self._notes = operator, name, notes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._operator, name)

    def _note(self, words: str) -> None:
        if words not in self._notes:
            self._notes.append(words)


class _LeftOut(_Instead):
    def __call__(self, *context: object, **properties: object) -> set[str]:
        del context, properties
        self._note(LEFT_OUT_NOTE.format(name=self._name))
        return {"FINISHED"}


class _Quit(_Instead):
    def __call__(self, *context: object, **properties: object) -> set[str]:
        del context, properties
        self._note(QUIT_NOTE)
        raise SystemExit(0)


def take_over(notes: list[str]) -> None:
    """From now on these operators do nothing but tell of it, once, in `notes`."""
    import bpy

    module: Any = bpy.ops
    found: Callable[[str, str], Any] = module._bpy_ops_submodule__getattr__

    def find(group: str, name: str) -> Any:
        operator = found(group, name)
        if (group, name) in LEFT_OUT:
            return _LeftOut(operator, f"{group}.{name}", notes)
        return _Quit(operator, f"{group}.{name}", notes) if (group, name) == QUIT else operator

    module._bpy_ops_submodule__getattr__ = find
