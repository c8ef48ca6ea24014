"""The validator: every heuristic over one layout, its requirements measured, defects, and the scored report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Protocol, get_args

import shapely

from redraft.errors import ConfigError
from redraft.layout.items import Layout
from redraft.layout.requirements import Requirement
from redraft.layout.requirements import kinds as measuring
from redraft.layout.requirements.space import bound
from redraft.result import Heuristics, Issue, Report, judged, limited, split
from redraft.studios.sketch.rules import attachment, gravity, overlap, sizes, spacing, style, symmetry, text
from redraft.studios.sketch.rules.geometry import CrowdedError, Scene, silhouette
from redraft.studios.sketch.rules.issues import CODES, box, finding

COVERED = 0.995
"""Share of the frame that the last painted part hides everything behind."""


def defects(layout: Layout) -> tuple[Issue, ...]:
    """Nothing is painted, a coordinate is not a number, everything is outside, or one part hides all the others."""
    return tuple(_defects(layout))


def _defects(layout: Layout) -> Iterator[Issue]:
    frame = shapely.box(*layout.frame.bounds)
    painted = [item for item in layout if not item.shape.is_empty]
    broken = [i for i in painted if not all(map(math.isfinite, i.shape.bounds))]
    for item in broken:
        yield finding("defect.number", f"{item.name} has a coordinate that is not a number", (item.name,))
    names = {item.name for item in broken}
    painted = [item for item in painted if item.name not in names]
    if not painted and not broken:
        yield finding("defect.empty", "nothing is painted", ())
    elif painted and not any(item.shape.intersects(frame) for item in painted):
        names = tuple(item.name for item in painted)
        yield finding("defect.outside", "everything is outside of the canvas", names)
    elif len(painted) > 1:
        last = max(painted, key=lambda item: item.layer)
        hides = last.style.fills and last.shape.intersection(frame).area >= COVERED * frame.area
        plain = len(last.style.fills) == 1 and not last.style.strokes and last.lowest in (None, last.layer)
        if hides and plain and silhouette(last).equals(last.shape):
            message = f"{last.name} is painted last and covers the whole canvas: nothing else can be seen"
            x0, y0, x1, y1 = layout.frame.bounds
            yield finding("defect.covered", message, (last.name,), marks=(box((x0, y0, x1, y1), last.name),))


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


def _findings(scene: Scene, rules: Iterable[Rule]) -> list[Issue]:
    """Return what the rules find, without what a requirement of the scene explains."""
    findings = [issue for rule in rules for issue in _findings_of(rule, scene)] if scene.parts else []
    settled: set[tuple[str, str]] = set()
    for read in scene.requirements:
        for category in _SETTLES.get("spacing" if read.length is not None else read.kind, ()):
            settled.update((category, name) for name in bound((*read.parts, *read.of), scene.layout))
    return [issue for issue in findings if (issue.category, *issue.subjects[:1]) not in settled]


def _findings_of(rule: Rule, scene: Scene) -> Iterator[Issue]:
    """Yield the findings of one rule, until it has found or compared so much that it stops, and says so."""
    scene.begin()
    try:
        yield from limited(rule(scene))
    except CrowdedError:
        rule_name = rule.__name__.replace("_", " ")
        message = f"not all parts were compared ({rule_name}): too many lie on each other, or near each other"
        yield finding("crowd.stopped", message, ())


class Words(Protocol):
    """A sentence that was read, such as `redraft.read` returns."""

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Phrases that nothing measures."""
        ...

    def said(self, layout: Layout) -> tuple[Sequence[Requirement], Sequence[Requirement], Sequence[Issue]]:
        """Return what it states for certain, the same with its guesses, and distances that its words usually mean."""
        ...


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
        min_spacing: float = 0.05,
        max_overlap_ratio: float = 0.1,
        *,
        rules: Iterable[Rule] = RULES,
        heuristics: Heuristics = "strict",
    ) -> None:
        _refuse_unfit("min_spacing", min_spacing, math.inf)
        _refuse_unfit("max_overlap_ratio", max_overlap_ratio, 1.0)
        if heuristics not in (modes := get_args(Heuristics)):
            raise ConfigError(f"SemanticValidator: heuristics is {heuristics!r}; it is one of {', '.join(modes)}.")
        self.min_spacing = min_spacing
        self.max_overlap_ratio = max_overlap_ratio
        self.rules = tuple(rules)
        self.heuristics: Heuristics = heuristics

    def validate(
        self,
        drawing: Strokes,
        reading: Words | str | None = None,
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
        return self.findings(drawing, reading, base=base, requirements=requirements).upheld().cut()

    def findings(
        self,
        drawing: Strokes,
        reading: Words | str | None = None,
        *,
        base: Strokes | None = None,
        requirements: Sequence[Requirement] = (),
    ) -> Report:
        """As `validate`, with every issue, for comparison with another drawing's; a broken requirement is a note."""
        layout, before = _layout_of(drawing), None if base is None else _layout_of(base)
        words: Words | None = _sketch().reading_of(reading) if isinstance(reading, str) else reading
        certain, guessed, hints = words.said(layout) if words is not None else ((), (), ())
        measured = measuring.measure((*requirements, *certain), layout)
        explained = (*requirements, *guessed)
        findings = [*measuring.issues_of(measured, layout), *defects(layout), *self._judged(layout, explained)]
        findings += hints if self.heuristics == "strict" else ()
        known = {i.key for i in self._judged(before, explained)} if before is not None else set[object]()
        issues, inherited = split(findings, lambda i: i.basis != "heuristic" or i.key not in known)
        return Report(
            issues=issues,
            inherited=inherited,
            requirements=measured,
            unchecked=words.unchecked if words is not None else (),
            heuristics=self.heuristics,
        )

    def _judged(self, layout: Layout, explained: Sequence[Requirement]) -> tuple[Issue, ...]:
        """Return the heuristics' findings; only in `strict` does a requirement explain any."""
        if self.heuristics == "off":
            return ()
        own = {"min_spacing": self.min_spacing, "max_overlap_ratio": self.max_overlap_ratio}
        limits, strict = replace(layout.frame.thresholds, **own), self.heuristics == "strict"
        scene = Scene(layout, limits, tuple(explained) if strict else (), strict)
        return judged(_findings(scene, self.rules), self.heuristics, CODES.severities)


def _layout_of(drawing: Strokes) -> Layout:
    return drawing if isinstance(drawing, Layout) else _sketch().layout_from(drawing)


def _sketch() -> Any:
    """The module that reads drawings and instructions: by its name, because studios stand above the rules."""
    return import_module("redraft.studios.sketch.check")


def _refuse_unfit(name: str, value: object, most: float) -> None:
    """Raise `ConfigError` where a limit is not a number from 0 to the most."""
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    if not 0 <= number <= most or math.isinf(number):
        least = "0 or more" if math.isinf(most) else f"from 0 to {most:g}"
        raise ConfigError(f"SemanticValidator: {name} is {value!r}; it is a number, {least}.")
