"""The deterministic report on a scene: measured requirements, defects, and the findings of heuristics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from redraft.brief import TOWARD, Brief
from redraft.layout.requirements import Statements, unmeasured
from redraft.layout.requirements.kinds import issues_of, measure
from redraft.layout.requirements.reading import statements
from redraft.result import Heuristics, Issue, Measured, Report, judged, limited, split
from redraft.studios.scene.bodies import Space
from redraft.studios.scene.layout import layout_of
from redraft.studios.scene.rules import camera, gravity, overlap, sizes
from redraft.studios.scene.rules.edits import unlisted
from redraft.studios.scene.rules.issues import CODES, Situation
from redraft.studios.scene.spec import Scene

Rule = Callable[[Situation], Iterator[Issue]]

DEFECTS: tuple[Rule, ...] = (sizes.endless, camera.missing, camera.blind, camera.blank)
"""Rules for defects: nothing of the kind can be meant, whatever the brief says."""
HEURISTICS: tuple[Rule, ...] = (
    gravity.floating,
    gravity.sinking,
    overlap.interpenetrating,
    overlap.duplicates,
    camera.within,
    camera.unseen,
    camera.clipped,
    camera.cut,
    camera.exposed,
    sizes.pairs_differ,
    sizes.out_of_proportion,
    sizes.left_out,
    sizes.scale,
)
"""Heuristics, in the order in which a report lists their findings."""


def check(artifact: Scene, base: Scene | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
    """Return the findings that are new, those that the base already had, and the measured requirements."""
    here = _judged(artifact, brief, heuristics)
    before = {} if base is None else {i.key: i.extent for i in _judged(base, brief, heuristics).issues}
    kept, inherited = split(here.issues, lambda i: i.extent > 1.01 * before.get(i.key, -1.0))
    edits = () if base is None else tuple(unlisted(artifact, base, brief))
    return Report(
        issues=(*edits, *kept),
        inherited=inherited,
        requirements=here.measured,
        set_aside=here.stated.set_aside,
        unchecked=unmeasured(_own_words(brief), here.stated.requirements),
        heuristics=heuristics,
    )


@dataclass(frozen=True)
class _Judged:
    """One scene by its own requirements: what it states, how that measures, and all findings."""

    stated: Statements
    measured: tuple[Measured, ...]
    issues: tuple[Issue, ...]


def _judged(scene: Scene, brief: Brief, heuristics: Heuristics) -> _Judged:
    layout = layout_of(scene)
    stated = statements(scene.requirements, _own_words(brief), layout)
    measured = measure(stated.requirements, layout)
    broken = issues_of(measured, layout)
    named = frozenset(layout.root_of(name).name for m in measured for name in m.subjects if name in layout)
    findings = _findings(Situation(Space(scene.facts), scene.exposure, named), heuristics)
    if brief.target is not None:  # how a target is lit is for the metric to say
        findings = (issue for issue in findings if issue.category != "light" or issue.basis == "defect")
    return _Judged(stated, measured, (*broken, *findings))


def _own_words(brief: Brief) -> str:
    """Return the brief's own words; none where it only says to come near a target."""
    return "" if brief.instruction == TOWARD else brief.instruction


def _findings(at: Situation, heuristics: Heuristics) -> Iterator[Issue]:
    """Yield defects, and the findings of heuristics with the severities in force; of an empty scene only that."""
    nothing = list(sizes.empty(at))
    defects = nothing or [issue for rule in DEFECTS for issue in rule(at)]
    yield from defects
    if not nothing and not any(issue.code == "scene.endless" for issue in defects):
        yield from judged((issue for rule in HEURISTICS for issue in limited(rule(at))), heuristics, CODES.severities)
