"""The deterministic report on a scene: its requirements, measured, defects, and the findings of heuristics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from redraft.brief import TOWARD, Brief
from redraft.layout.items import Layout
from redraft.layout.requirements import Statements, unmeasured
from redraft.layout.requirements.kinds import issues_of, measure
from redraft.layout.requirements.reading import statements
from redraft.result import Heuristics, Issue, Measured, Report, judged, limited, split
from redraft.studios.scene.layout import layout_of
from redraft.studios.scene.rules import camera, gravity, overlap, sizes
from redraft.studios.scene.rules.edits import unlisted
from redraft.studios.scene.rules.issues import CODES, Situation
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Scene

Rule = Callable[[Situation], Iterator[Issue]]

DEFECTS: tuple[Rule, ...] = (sizes.endless, camera.camera, camera.blind, camera.blank)
"""What cannot be meant, whatever the brief says; of a scene in which there is nothing, only that."""
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
    """Issues that are new, those that the base already had, and what was stated, measured."""
    here = _judged(artifact, brief, heuristics)
    before = {} if base is None else {i.key: i.extent for i in _judged(base, brief, heuristics).issues}
    kept, inherited = split(here.issues, lambda i: i.extent > 1.01 * before.get(i.key, -1.0))
    edits = () if base is None else tuple(unlisted(artifact, base, brief))
    return Report(
        issues=(*edits, *kept),
        inherited=inherited,
        requirements=here.measured,
        set_aside=here.stated.set_aside,
        unchecked=unmeasured(_words(brief), here.stated.requirements),
        heuristics=heuristics,
    )


@dataclass(frozen=True)
class _Judged:
    stated: Statements
    measured: tuple[Measured, ...]
    issues: tuple[Issue, ...]


def _judged(scene: Scene, brief: Brief, heuristics: Heuristics) -> _Judged:
    """One scene, by what it states itself."""
    layout = layout_of(scene)
    stated = statements(scene.requirements, _words(brief), layout)
    measured = measure(stated.requirements, layout)
    broken = issues_of(measured, layout)
    at = Situation(Space(scene.facts), scene.exposure, named_by(measured, layout))
    found = [
        i for i in found_in(at, heuristics) if brief.target is None or i.category != "light" or i.basis == "defect"
    ]
    return _Judged(stated, measured, (*broken, *found))  # how a target is lit is for the metric to say


def _words(brief: Brief) -> str:
    """The brief's own words; none where it only says to come near a target."""
    return "" if brief.instruction == TOWARD else brief.instruction


def named_by(measured: Sequence[Measured], layout: Layout) -> frozenset[str]:
    """The top-level things that requirements speak of."""
    return frozenset(layout.root_of(name).name for m in measured for name in m.subjects if name in layout)


def found_in(at: Situation, heuristics: Heuristics) -> Iterator[Issue]:
    """Yield defects, and the findings of heuristics with the severities in force."""
    nothing = list(sizes.empty(at))
    defects = nothing or [issue for rule in DEFECTS for issue in rule(at)]
    yield from defects
    if not nothing and not any(issue.code == "scene.endless" for issue in defects):
        yield from judged((issue for rule in HEURISTICS for issue in limited(rule(at))), heuristics, CODES.severities)
