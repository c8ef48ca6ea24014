"""Kinds of mend that are told from a remembered fix when it is looked up: what it did here, done the same way there.

A recipe is made only where a fix of the same kind of error showed it, and is code of this project: nothing of what is
remembered is executed. `shown` tells whether a change was of this kind; `mend` says what it is in the program at hand,
or None where it does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redraft.memory.change import Case, Change
from redraft.memory.recipes import asked, calls, declarations, library, names, sizes, statements, swizzles
from redraft.memory.recipes.signs import missing_sign, shows_missing_sign
from redraft.memory.tokens import Edit

__all__ = ["RECIPES", "Recipe"]


@dataclass(frozen=True)
class Recipe:
    """One kind of mend. `name` says it in words."""

    name: str
    shown: Callable[[Change], bool]
    mend: Callable[[Case], list[Edit] | None]


RECIPES: Sequence[Recipe] = (
    Recipe("a word of a library was written otherwise", library.shows_reworded, library.reworded),
    Recipe("a keyword of a call got another name and formula", library.shows_keyword, library.keyword),
    Recipe("a thing was asked otherwise", asked.shows_asked, asked.asked_otherwise),
    Recipe("a sign between operands was replaced", asked.shows_signs, asked.signs),
    Recipe("a setting was made before another", library.shows_prepared, library.prepared),
    Recipe("a sign that was left out was put in", shows_missing_sign, missing_sign),
    Recipe("a misspelt name was spelt right", names.shows_near_name, names.near_name),
    Recipe("a name of another dialect was replaced", names.shows_other_name, names.other_name),
    Recipe("a declaration was added", declarations.shows_added, declarations.added),
    Recipe("a second declaration was taken away", declarations.shows_repeated, declarations.repeated),
    Recipe("a qualifier was taken away", declarations.shows_unqualified, declarations.unqualified),
    Recipe("a declared type was changed", sizes.shows_declared_type, sizes.declared_type),
    Recipe("a number was written as another kind of number", statements.shows_numbers, statements.numbers),
    Recipe("a constructor got the components it needs", calls.shows_components, calls.components_fitted),
    Recipe("a value was converted", sizes.shows_converted, sizes.converted),
    Recipe("a swizzle was made to fit", swizzles.shows_swizzle, swizzles.swizzle),
    Recipe("a return was added", statements.shows_return, statements.returned),
    Recipe("a call was written in another way", calls.shows_call, calls.rewritten),
)
