"""Requirements of a drawing or scene, stated by the model that draws it and measured by code.

The statements are here; `reading` checks them against a brief and a layout, and `kinds` measures them by one table of
kinds, `KINDS`, with parameters, formula and tolerance for every studio. Both need shapely, the statements do not. There
is no medium and no language here: names, patterns and numbers are bound to a `Layout`, quotes only compared with
the brief.
"""

from __future__ import annotations

from redraft.layout.requirements.statement import (
    CANVAS,
    MAX_REQUIREMENTS,
    Dimension,
    Edge,
    Kind,
    Limit,
    Relation,
    Requirement,
    Spot,
    Statements,
    agreed,
    answered,
    merged,
    mismatches_in,
    quoted,
    says,
    uncovered,
    unmeasured,
)

__all__ = [
    "CANVAS",
    "MAX_REQUIREMENTS",
    "Dimension",
    "Edge",
    "Kind",
    "Limit",
    "Relation",
    "Requirement",
    "Spot",
    "Statements",
    "agreed",
    "answered",
    "merged",
    "mismatches_in",
    "quoted",
    "says",
    "uncovered",
    "unmeasured",
]
