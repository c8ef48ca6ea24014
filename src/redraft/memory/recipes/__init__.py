"""Kinds of fixes that a remembered fix of GLSL shows, made again in another program.

A recipe is used only where a fix of the same kind of error showed it, and is code of this project: nothing of what is
remembered is executed. `shown` says whether a change is of this kind; `fix` says what it is in the program at hand, or
None where it does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from redraft.memory.recipes import declarations, names, signs
from redraft.memory.recipes.change import Case, Change
from redraft.memory.recipes.program import Edit

__all__ = ["RECIPES", "Recipe"]


class Recipe(NamedTuple):
    """One kind of fix, as a test of the remembered change and the edits in the program at hand."""

    shown: Callable[[Change], bool]
    fix: Callable[[Case], list[Edit] | None]


RECIPES: Sequence[Recipe] = (
    Recipe(signs.shows_missing_sign, signs.missing_sign),
    Recipe(names.shows_near_name, names.near_name),
    Recipe(names.shows_other_name, names.other_name),
    Recipe(declarations.shows_repeated, declarations.repeated),
    Recipe(declarations.shows_unqualified, declarations.unqualified),
    Recipe(declarations.shows_declared_type, declarations.declared_type),
    Recipe(declarations.shows_numbers, declarations.numbers),
    Recipe(declarations.shows_components, declarations.components_fitted),
)
