"""Requirements: what a drawing or scene was agreed to show, stated by whoever draws it and measured by code.

One table of kinds, `KINDS`, with parameters, formula and tolerance for every studio. It knows no medium and no
language: names, patterns and numbers are bound to a `Layout`, and quotes are only compared with the brief.
"""

from __future__ import annotations

from redraft.requirements.kinds import KINDS, KindSpec, checks_of, issues_of, measure, scale_of, table, view_of
from redraft.requirements.reading import corrected, statements
from redraft.requirements.space import Check, Space, badness, bound
from redraft.requirements.statement import (
    CANVAS,
    MOST,
    Dimension,
    Edge,
    Kind,
    Limit,
    Relation,
    Requirement,
    Spot,
    Statements,
    agreed,
    merged,
    quoted,
    rulings_in,
    says,
    uncovered,
    unmeasured,
)

__all__ = [
    "CANVAS",
    "KINDS",
    "MOST",
    "Check",
    "Dimension",
    "Edge",
    "Kind",
    "KindSpec",
    "Limit",
    "Relation",
    "Requirement",
    "Space",
    "Spot",
    "Statements",
    "agreed",
    "badness",
    "bound",
    "checks_of",
    "corrected",
    "issues_of",
    "measure",
    "merged",
    "quoted",
    "rulings_in",
    "says",
    "scale_of",
    "statements",
    "table",
    "uncovered",
    "unmeasured",
    "view_of",
]
