"""The deterministic report on a drawing: what it was agreed to show, measured, defects, and rules of thumb."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from redraft.brief import Brief
from redraft.errors import ExecutionError
from redraft.layout import Layout
from redraft.requirements import Statements, unmeasured
from redraft.requirements.reading import statements
from redraft.result import Heuristics, Issue, Report, split
from redraft.spatial.rules import SemanticValidator
from redraft.studios.sketch.geometry import TangledError, layout_of
from redraft.studios.sketch.memory import nouns_of
from redraft.studios.sketch.parse import drawing_from
from redraft.studios.sketch.spec import Drawing

if TYPE_CHECKING:
    from redraft.english.reading import Reading

__all__ = ["Checker", "check", "layout_from", "reading_of"]

Key = tuple[str, tuple[str, ...], str]

OPEN = {"severity": "question", "status": "open"}
MOVED = 1e-6
"""Of the canvas: what is less is rounding."""


def check(artifact: Drawing, base: Drawing | None, brief: Brief, heuristics: Heuristics = "ask") -> Report:
    """Issues that are new, and those that the base already had.

    Raises:
        ContradictionError: of strict rules: the brief's words exclude each other.
    """
    checker = Checker(artifact, base, brief, heuristics)
    return checker.report(checker.layout).cut()


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
    from redraft.english.grammar import read

    return read(instruction)


@dataclass(frozen=True)
class Checker:
    """What one drawing is held to, for that drawing and for what a solver makes of it.

    Strict rules read the brief as English and measure what it says; otherwise the drawing's own statements are
    measured.
    """

    artifact: Drawing
    base: Drawing | None
    brief: Brief
    heuristics: Heuristics

    @cached_property
    def layout(self) -> Layout:
        return layout_of(self.artifact)

    @cached_property
    def before(self) -> Layout | None:
        return layout_of(self.base) if self.base is not None and self.base.strokes else None

    @cached_property
    def reading(self) -> Reading | None:
        """What the brief says, under strict rules; a description is not held to its words."""
        if self.heuristics != "strict" or self.brief.described:
            return None
        from redraft.english.grammar import read

        return read(self.brief.instruction, present=nouns_of(self.base))

    @cached_property
    def agreed(self) -> Statements:
        """The requirements that can be measured, and the others with the reason."""
        if self.heuristics == "strict":
            from redraft.english.stating import stated

            return Statements(() if self.reading is None else stated(self.reading, self.layout))
        return statements(self.artifact.requirements, self.brief.instruction, self.layout)

    def report(self, layout: Layout) -> Report:
        """The report on a layout of the drawing, with every issue."""
        measured = () if self.heuristics == "strict" else self.agreed.requirements
        report = SemanticValidator(heuristics=self.heuristics).findings(layout, self.reading, requirements=measured)
        if self.heuristics != "strict":
            issues = tuple(i.model_copy(update=OPEN) if i.basis == "requirement" else i for i in report.issues)
            set_aside, rest = self.agreed.set_aside, unmeasured(self.brief.instruction, self.agreed.requirements)
            report = report.model_copy(update={"issues": issues, "set_aside": set_aside, "unchecked": rest})
        kept, inherited = split(report.issues, lambda i: not _is_old(i, self._before))
        left_out = [Issue(code="edit.restored", severity="hint", message=note) for note in self.artifact.notes]
        issues = (*kept, *left_out)
        return report.model_copy(update={"issues": issues, "inherited": inherited})

    @cached_property
    def _before(self) -> Mapping[Key, float]:
        """The issues of the base by what it was agreed to show itself, and how bad each is."""
        if self.base is None or self.before is None:
            return {}
        same = [entry for entry in self.base.requirements if entry in self.artifact.requirements]
        old = statements(same, self.brief.instruction, self.before).requirements
        validator = SemanticValidator(heuristics=self.heuristics)
        found = validator.findings(self.before, requirements=() if self.heuristics == "strict" else old)
        return {issue.key: issue.extent for issue in found.issues}

    def solved(self) -> Callable[[Layout], Report]:
        """The report on what a solver makes of the drawing; to move a protected part is an error."""
        fixed = {
            name: self.layout[name].shape.bounds
            for name in self.artifact.protected
            if name in self.layout and not self.layout[name].shape.is_empty
        }

        def judge(layout: Layout) -> Report:
            report = self.report(layout)
            moved = [
                Issue(code="edit.protected", severity="error", message=f"{name} is protected", subjects=(name,))
                for name, old in fixed.items()
                if any(abs(a - b) > MOVED for a, b in zip(old, layout[name].shape.bounds, strict=True))
            ]
            return report.model_copy(update={"issues": (*report.issues, *moved)}) if moved else report

        return judge


def _is_old(issue: Issue, known: Mapping[Key, float]) -> bool:
    """Whether the base has the issue too; a broken requirement only where it is not worse than there."""
    if issue.key not in known:
        return False
    return issue.basis == "heuristic" or issue.extent <= known[issue.key]
