"""The validator: every heuristic over one layout, its requirements measured, defects, and the scored report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, get_args

import shapely

from redraft.errors import ConfigError, ExecutionError
from redraft.layout.items import Layout, Thresholds
from redraft.layout.requirements import Requirement
from redraft.layout.requirements import kinds as measuring
from redraft.layout.requirements.space import bound
from redraft.result import Heuristics, Issue, Report, judged, limited, split
from redraft.studios.sketch.geometry import TangledError, layout_of
from redraft.studios.sketch.rules import attachment, gravity, overlap, sizes, spacing, style, symmetry, text
from redraft.studios.sketch.rules.geometry import CrowdedError, Scene, silhouette
from redraft.studios.sketch.rules.issues import CODES, box, finding

if TYPE_CHECKING:
    from redraft.offline.english.reading import Reading

COVERED = 0.995
"""Share of the canvas from which the part painted last hides everything behind it."""


def defects(layout: Layout) -> tuple[Issue, ...]:
    """Find what is wrong whatever the brief says.

    Nothing is painted, a coordinate is not a number, everything is outside the canvas, or one part hides all others.
    """
    frame = shapely.box(*layout.frame.bounds)
    painted = [item for item in layout if not item.shape.is_empty]
    broken = [item for item in painted if not all(map(math.isfinite, item.shape.bounds))]
    issues = [
        finding("defect.number", f"{item.name} has a coordinate that is not a number", (item.name,)) for item in broken
    ]
    measurable = [item for item in painted if item not in broken]

    if not painted:
        issues.append(finding("defect.empty", "nothing is painted", ()))
    elif measurable and not any(item.shape.intersects(frame) for item in measurable):
        names = tuple(item.name for item in measurable)
        issues.append(finding("defect.outside", "everything is outside of the canvas", names))
    elif len(measurable) > 1:
        last = max(measurable, key=lambda item: item.layer)
        hides = last.style.fills and last.shape.intersection(frame).area >= COVERED * frame.area
        # A part with several fills, a pen or holes, or one that is painted in several runs, shows something itself.
        plain = len(last.style.fills) == 1 and not last.style.strokes and last.lowest in (None, last.layer)
        if hides and plain and silhouette(last).equals(last.shape):
            message = f"{last.name} is painted last and covers the whole canvas: nothing else can be seen"
            issues.append(
                finding("defect.covered", message, (last.name,), marks=(box(layout.frame.bounds, last.name),))
            )
    return tuple(issues)


Rule = Callable[[Scene], Iterator[Issue]]

RULES: tuple[Rule, ...] = (
    text.crossed_text,
    text.text_at_edge,
    overlap.overlaps,
    overlap.duplicates,
    overlap.hidden,
    attachment.detached,
    attachment.sticking_out,
    sizes.outside,
    symmetry.symmetry,
    symmetry.midline,
    sizes.sizes,
    sizes.object_ratios,
    sizes.part_ratios,
    sizes.odd_ones,
    gravity.floating,
    gravity.farther_is_larger,
    spacing.near_misses,
    spacing.uneven_rows,
    style.odd_pens,
    style.odd_strokes,
)
"""The heuristics, in the order in which a report lists their findings."""

_SETTLES: dict[str, frozenset[str]] = {
    "size": frozenset({"size", "ratio", "perspective"}),
    "ratio": frozenset({"size", "ratio", "perspective"}),
    "proportion": frozenset({"size", "ratio", "perspective"}),
    "spacing": frozenset({"spacing"}),
    "distance": frozenset({"spacing"}),
    "symmetry": frozenset({"symmetry"}),
}
"""Kind of requirement → categories of findings about the same parts that it explains in strict validation; a stated
length explains spacing."""


class Drawn(Protocol):
    """A `Drawing` of the sketch studio."""

    @property
    def plan(self) -> Sequence[object]: ...
    @property
    def strokes(self) -> Sequence[object]: ...


Strokes = Layout | Drawn | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""A drawing: a layout, a `Drawing`, its `{"plan": …, "strokes": …}`, or the strokes alone."""


class SemanticValidator:
    """Pure logic over a drawing: findings with numbers and the smallest fix.

    Args:
        min_spacing: least clear distance of different objects that do not touch, in the frame's unit. `strict` enforces
            it; `default` reports only what is below a fifth of it: two objects look as if they were meant to touch.
        max_overlap_ratio: greatest intersection over union of two different objects, 0 to 1.
        rules: which heuristics, all by default.
        heuristics: their severities: the specification's (`strict`), those that were measured on real drafts
            (`default`), or none: they are left out (`off`). `docs/rules.md` lists both.

    The other thresholds (size 0.5 % to 80 %, ratio 100×, pairs 2×) are the layout's own: `layout.frame.thresholds`.

    Raises:
        ConfigError: a parameter is not a number, is out of range, or is an unknown mode.
    """

    def __init__(
        self,
        min_spacing: float = Thresholds.min_spacing,
        max_overlap_ratio: float = Thresholds.max_overlap_ratio,
        *,
        rules: Iterable[Rule] = RULES,
        heuristics: Heuristics = "strict",
    ) -> None:
        limits: list[tuple[str, object, float]] = [
            ("min_spacing", min_spacing, math.inf),
            ("max_overlap_ratio", max_overlap_ratio, 1.0),
        ]
        for name, value, greatest in limits:
            number = value if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
            if not 0 <= number <= greatest or math.isinf(number):
                allowed = "0 or more" if math.isinf(greatest) else f"from 0 to {greatest:g}"
                raise ConfigError(f"SemanticValidator: {name} is {value!r}; it is a number, {allowed}.")
        if heuristics not in (modes := get_args(Heuristics)):
            raise ConfigError(f"SemanticValidator: heuristics is {heuristics!r}; it is one of {', '.join(modes)}.")
        self.min_spacing = min_spacing
        self.max_overlap_ratio = max_overlap_ratio
        self.rules = tuple(rules)
        self.heuristics: Heuristics = heuristics

    def validate(
        self,
        drawing: Strokes,
        reading: Reading | str | None = None,
        *,
        base: Strokes | None = None,
        requirements: Sequence[Requirement] = (),
    ) -> Report:
        """The report on a drawing: of each code at most `redraft.result.MAX_ISSUES` issues, the others counted.

        Args:
            drawing: a layout, a `Drawing`, or data: a list of strokes, or an object with `plan` and `strokes`.
            reading: the instruction, as text or as `redraft.read` returns it. What it states for certain is measured,
                as requirements. In `strict` the distances that its words usually mean are held against the drawing
                too, and what it says explains findings: things may meet, sizes may differ.
            base: what the drawing began as; issues that it had already are inherited, and do not score.
            requirements: what else was agreed, measured as well. One that does not hold is an error.

        Raises:
            FormatError: the data is not a drawing. ExecutionError: its lines cross too often to be measured.
            ContradictionError: the words of the instruction exclude each other. BriefError: a number of it is too
                large.
        """
        layout, before = _layout_of(drawing), None if base is None else _layout_of(base)
        if reading is None:
            return self.findings(layout, base=before, requirements=requirements).upheld().cut()

        from redraft.offline.english.grammar import read
        from redraft.offline.english.stating import stated
        from redraft.studios.sketch.offline.hints import hints

        reading = read(reading) if isinstance(reading, str) else reading
        strict = self.heuristics == "strict"
        report = self.findings(
            layout,
            base=before,
            requirements=(*requirements, *stated(reading, layout)),
            guesses=stated(reading, layout, guesses=True) if strict else (),
            distances=hints(reading, layout) if strict else (),
        )
        return report.model_copy(update={"unchecked": reading.unchecked}).upheld().cut()

    def findings(
        self,
        layout: Layout,
        *,
        base: Layout | None = None,
        requirements: Sequence[Requirement] = (),
        guesses: Sequence[Requirement] = (),
        distances: Sequence[Issue] = (),
    ) -> Report:
        """Return every issue, for comparison with another drawing's; a broken requirement is a note.

        Args:
            layout: the drawing.
            base: what the drawing began as.
            requirements: what is measured.
            guesses: requirements that are not measured; in `strict` they explain findings as the others do.
            distances: further findings, of `strict` alone: distances that the words of a brief usually mean.
        """
        explained = (*requirements, *guesses)
        measured = measuring.measure(requirements, layout)
        findings = [*measuring.issues_of(measured, layout), *defects(layout), *self._judged(layout, explained)]
        findings += distances if self.heuristics == "strict" else ()
        known = set[object]() if base is None else {issue.key for issue in self._judged(base, explained)}
        issues, inherited = split(findings, lambda issue: issue.basis != "heuristic" or issue.key not in known)
        return Report(issues=issues, inherited=inherited, requirements=measured, heuristics=self.heuristics)

    def _judged(self, layout: Layout, explained: Sequence[Requirement]) -> tuple[Issue, ...]:
        """Return the heuristics' findings; only in `strict` does a requirement explain any."""
        if self.heuristics == "off":
            return ()
        own = {"min_spacing": self.min_spacing, "max_overlap_ratio": self.max_overlap_ratio}
        strict = self.heuristics == "strict"
        requirements = tuple(explained) if strict else ()
        scene = Scene(layout, replace(layout.frame.thresholds, **own), requirements, strict)

        findings: list[Issue] = []
        for rule in self.rules if scene.parts else ():
            scene.begin()
            try:
                findings.extend(limited(rule(scene)))
            except CrowdedError:
                rule_name = rule.__name__.replace("_", " ")
                message = f"not all parts were compared ({rule_name}): too many lie on each other, or near each other"
                findings.append(finding("crowd.stopped", message, ()))

        settled: set[tuple[str, str]] = set()
        for requirement in requirements:
            kind = "spacing" if requirement.length is not None else requirement.kind
            for category in _SETTLES.get(kind, ()):
                settled.update((category, name) for name in bound((*requirement.parts, *requirement.of), layout))
        unexplained = [issue for issue in findings if (issue.category, *issue.subjects[:1]) not in settled]
        return judged(unexplained, self.heuristics, CODES.severities)


def _layout_of(drawing: Strokes) -> Layout:
    """Return a drawing as a layout.

    Raises:
        FormatError: it is not a drawing. ExecutionError: its lines cross too often to be measured.
    """
    if isinstance(drawing, Layout):
        return drawing
    from redraft.studios.sketch.parse import drawing_from  # it takes the sides of names from the rules

    try:
        return layout_of(drawing_from(drawing))
    except TangledError as error:
        raise ExecutionError(str(error)) from error
