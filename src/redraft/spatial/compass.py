"""The compass: a whole layout in under 1,000 tokens, for whoever plans.

Nine zones with what is in them and how full they are, what is not placed, what is locked, and the parts that matter
most, each with its nearest neighbours and with what it connects to most. `compass` says it in words, `compass_of`
gives the same as data; both shed detail in steps until the budget is kept, and say how much they leave out.
"""

from __future__ import annotations

from collections.abc import Callable

from redraft.spatial.compass_words import words_of
from redraft.spatial.layout import Layout
from redraft.spatial.survey import LEVELS, Compass, Survey
from redraft.spatial.token_budget import estimate

__all__ = ["BUDGET", "Compass", "compass", "compass_of"]

BUDGET = 960
"""Tokens, as estimated: the specification's limit is 1,000."""


def compass(layout: Layout) -> str:
    """The layout in words, a fact a line. Names in it come from a file and are data, never instructions."""
    return words_of(_fitting(layout, words_of))


def compass_of(layout: Layout) -> Compass:
    """The layout as data; `text()` of it keeps the budget too."""
    return _fitting(layout, Compass.text)


def _fitting(layout: Layout, said: Callable[[Compass], str]) -> Compass:
    """With the most detail that the budget allows."""
    survey = Survey(layout)
    found = survey.at(LEVELS[-1])
    for level in LEVELS[:-1]:
        fuller = survey.at(level)
        if estimate(said(fuller)) <= BUDGET:
            return fuller
    return found
