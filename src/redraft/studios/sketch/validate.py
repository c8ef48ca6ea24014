"""The deterministic report: what the brief asks for, read as constraints, and the rules over the painted shapes."""

from __future__ import annotations

from redraft.brief import Brief
from redraft.result import Report
from redraft.spatial.rules import SemanticValidator
from redraft.studios.sketch.asked import reading_of
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.memory import nouns_of
from redraft.studios.sketch.spec import Drawing

__all__ = ["check"]

_FREE = frozenset(
    {
        "bounds.outside",
        "overlap.clash",
        "overlap.objects",
        "ratio.objects",
        "size.large",
        "size.small",
        "spacing.near_miss",
    }
)
"""Not asked of a picture that is described: from its viewpoint things cover each other, a crow may be a speck,
and a rail may be cut off by the edge."""


def check(artifact: Drawing, base: Drawing | None, brief: Brief) -> Report:
    """Issues that are new, and those that the base already had.

    Raises:
        ContradictionError: the brief's words exclude each other.
    """
    before = layout_of(base) if base is not None and base.strokes else None
    report = SemanticValidator().validate(layout_of(artifact), reading_of(brief, nouns_of(base)), base=before)
    if not brief.described:
        return report
    return report.model_copy(update={"issues": tuple(issue for issue in report.issues if issue.code not in _FREE)})
