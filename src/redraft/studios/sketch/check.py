"""The deterministic report on a drawing: its requirements, measured, defects, and the findings of heuristics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redraft.brief import Brief
from redraft.errors import BriefError, ExecutionError
from redraft.layout.items import Layout
from redraft.layout.requirements import Requirement, unmeasured
from redraft.layout.requirements.reading import statements
from redraft.result import Heuristics, Issue, Report, split
from redraft.studios.sketch.geometry import TangledError, layout_of
from redraft.studios.sketch.memory import nouns_of
from redraft.studios.sketch.parse import drawing_from
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.rules.issues import CODES
from redraft.studios.sketch.spec import Drawing

if TYPE_CHECKING:
    from redraft.offline.english.reading import Reading

Key = tuple[str, tuple[str, ...], str]


def check(artifact: Drawing, base: Drawing | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
    """Return the issues that are new, and those that the base already had.

    What the drawing states itself is measured; one that does not hold is a note. Under strict rules the brief, read as
    English, says which distances its words usually mean, and explains findings.
    """
    layout, validator = layout_of(artifact), SemanticValidator(heuristics=heuristics)
    stated = statements(artifact.requirements, brief.instruction, layout)
    words = _hints(brief, base) if heuristics == "strict" else None
    report = validator.findings(layout, words, requirements=stated.requirements)

    known = _known(validator, artifact, base, brief)
    kept, inherited = split(report.issues, lambda issue: not _is_old(issue, known))
    left_out = [CODES.finding("edit.restored", note) for note in artifact.notes]
    return report.model_copy(
        update={
            "issues": (*kept, *left_out),
            "inherited": inherited,
            "set_aside": stated.set_aside,
            "unchecked": unmeasured(brief.instruction, stated.requirements),
        }
    )


@dataclass(frozen=True)
class Hints:
    """A brief as strict rules take it: it may be read wrongly, so nothing is measured by it."""

    reading: Reading
    unchecked: tuple[str, ...] = ()

    def said(self, layout: Layout) -> tuple[Sequence[Requirement], Sequence[Requirement], Sequence[Issue]]:
        """Return no statements, what explains findings, and distances that the words usually mean."""
        _, guessed, distances = self.reading.said(layout)
        return (), guessed, distances


def _hints(brief: Brief, base: Drawing | None) -> Hints | None:
    """Return what the brief's words hint at; None for a description, and for words that cannot be read."""
    if brief.described:
        return None
    from redraft.offline.english.grammar import read

    try:
        return Hints(read(brief.instruction, present=nouns_of(base)))
    except BriefError:  # as it reads them, they contradict each other
        return None


def _known(validator: SemanticValidator, artifact: Drawing, base: Drawing | None, brief: Brief) -> Mapping[Key, float]:
    """Return the issues of the base, by what both state, and how bad each is."""
    if base is None or not base.strokes:
        return {}
    before = layout_of(base)
    same = [entry for entry in base.requirements if entry in artifact.requirements]
    stated = statements(same, brief.instruction, before).requirements
    return {issue.key: issue.extent for issue in validator.findings(before, requirements=stated).issues}


def _is_old(issue: Issue, known: Mapping[Key, float]) -> bool:
    """Return whether the base has the issue too; a broken requirement or a defect only where it is not worse."""
    if issue.key not in known:
        return False
    return issue.basis == "heuristic" or issue.extent <= known[issue.key]


def layout_from(strokes: object) -> Layout:
    """The layout of a drawing as `SemanticValidator` takes it; see `parse.drawing_from`.

    Raises:
        FormatError: it is not a drawing. ExecutionError: its lines cross too often to be measured.
    """
    try:
        return layout_of(drawing_from(strokes))
    except TangledError as error:
        raise ExecutionError(str(error)) from error


def reading_of(instruction: str) -> Reading:
    """Return an instruction as `redraft.read` reads it. Raises as it does."""
    from redraft.offline.english.grammar import read

    return read(instruction)
