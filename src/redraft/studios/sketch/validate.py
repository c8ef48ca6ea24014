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


def check(artifact: Drawing, base: Drawing | None, brief: Brief) -> Report:
    """Issues that are new, and those that the base already had.

    Raises:
        ContradictionError: the brief's words exclude each other.
    """
    before = layout_of(base) if base is not None and base.strokes else None
    reading = reading_of(brief.instruction, nouns_of(base))
    return SemanticValidator().validate(layout_of(artifact), reading, base=before)
