"""The deterministic report on a drawing: its requirements, measured, defects, and the findings of heuristics."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.brief import Brief
from redraft.errors import BriefError
from redraft.layout.items import Layout
from redraft.layout.requirements import Requirement, unmeasured
from redraft.layout.requirements.reading import statements
from redraft.result import Heuristics, Issue, Report, split
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.memory import nouns_of
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.rules.issues import CODES
from redraft.studios.sketch.spec import Drawing


def check(artifact: Drawing, base: Drawing | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
    """Return the issues that are new, and those that the base already had.

    The drawing's own requirements are measured; one that does not hold is a note. Under strict rules the brief, read as
    English, says which distances its words usually mean, and explains findings.
    """
    layout, validator = layout_of(artifact), SemanticValidator(heuristics=heuristics)
    stated = statements(artifact.requirements, brief.instruction, layout)
    guesses, distances = _read_brief(brief, base, layout) if heuristics == "strict" else ((), ())
    report = validator.findings(layout, requirements=stated.requirements, guesses=guesses, distances=distances)

    # The base is measured against the requirements that both drawings state.
    before: dict[tuple[str, tuple[str, ...], str], float] = {}
    if base is not None and base.strokes:
        base_layout = layout_of(base)
        shared = [entry for entry in base.requirements if entry in artifact.requirements]
        agreed = statements(shared, brief.instruction, base_layout).requirements
        before = {issue.key: issue.extent for issue in validator.findings(base_layout, requirements=agreed).issues}

    def is_new(issue: Issue) -> bool:
        if issue.key not in before:
            return True
        # A broken requirement or a defect that is worse than it was is not inherited.
        return issue.basis != "heuristic" and issue.extent > before[issue.key]

    issues, inherited = split(report.issues, is_new)
    restored = [CODES.finding("edit.restored", note) for note in artifact.notes]
    return report.model_copy(
        update={
            "issues": (*issues, *restored),
            "inherited": inherited,
            "set_aside": stated.set_aside,
            "unchecked": unmeasured(brief.instruction, stated.requirements),
        }
    )


def _read_brief(brief: Brief, base: Drawing | None, layout: Layout) -> tuple[Sequence[Requirement], Sequence[Issue]]:
    """Return what the brief's words may explain, and the distances that they usually mean.

    The words may be read wrongly, so they state nothing that is measured. A description of an existing drawing, and
    words that contradict each other, say nothing.
    """
    if brief.described:
        return (), ()
    from redraft.offline.english.grammar import read
    from redraft.offline.english.stating import stated
    from redraft.studios.sketch.offline.hints import hints

    try:
        reading = read(brief.instruction, present=nouns_of(base))
    except BriefError:
        return (), ()
    return stated(reading, layout, guesses=True), hints(reading, layout)
