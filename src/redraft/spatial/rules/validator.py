"""The validator: every rule over one layout, and the report that scores them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from redraft.result import Issue, Report
from redraft.spatial.binding import bind
from redraft.spatial.layout import Layout
from redraft.spatial.reading import Reading
from redraft.spatial.rules import (
    attachment,
    bounds,
    containment,
    gravity,
    overlap,
    perspective,
    ratio,
    size,
    spacing,
    style,
    symmetry,
)
from redraft.spatial.rules.brief import asked, unchecked
from redraft.spatial.rules.scene import Scene

__all__ = ["RULES", "Rule", "SemanticValidator"]

Rule = Callable[[Scene], Iterator[Issue]]

RULES: tuple[Rule, ...] = (
    overlap.overlaps,
    overlap.duplicates,
    overlap.openings,
    spacing.near_misses,
    spacing.uneven_rows,
    ratio.object_ratios,
    ratio.part_ratios,
    ratio.odd_ones,
    symmetry.symmetry,
    symmetry.midline,
    size.sizes,
    attachment.detached,
    gravity.floating,
    gravity.order,
    gravity.feet,
    containment.sticking_out,
    bounds.outside,
    perspective.farther_is_larger,
    style.odd_pens,
    style.odd_strokes,
    asked,
)
"""What is checked, in the order of reports. `asked` is all that the brief states."""


class SemanticValidator:
    """Pure logic over a layout: errors, warnings and hints, each with numbers and the smallest mend.

    Args:
        min_spacing: least clear distance of different objects, in the frame's unit; a fifth of it is a near miss.
        max_overlap_ratio: greatest intersection over union of two different objects.
        rules: which rules, all by default.

    The other thresholds (size 0.5 % to 80 %, ratio 100×, pairs 2×) are the layout's own: `layout.frame.thresholds`.
    """

    def __init__(
        self, min_spacing: float = 0.05, max_overlap_ratio: float = 0.1, *, rules: Iterable[Rule] = RULES
    ) -> None:
        self.min_spacing = min_spacing
        self.max_overlap_ratio = max_overlap_ratio
        self.rules = tuple(rules)

    def validate(self, layout: Layout, reading: Reading | None = None, *, base: Layout | None = None) -> Report:
        """The report on a layout.

        Args:
            reading: what the brief asks for; nothing when left out.
            base: what the drawing began as; issues it had already (same code, same subjects) are inherited, and
                do not score. A base is judged without the reading, which speaks of what is to come.
        """
        scene = self._scene(layout, reading)
        issues = self._issues(scene)
        known = {_key(i) for i in self._issues(self._scene(base, None))} if base is not None else set[object]()
        return Report(
            issues=tuple(i for i in issues if _key(i) not in known),
            inherited=tuple(i for i in issues if _key(i) in known),
            unchecked=unchecked(scene),
        )

    def _scene(self, layout: Layout, reading: Reading | None) -> Scene:
        limits = replace(
            layout.frame.thresholds, min_spacing=self.min_spacing, max_overlap_ratio=self.max_overlap_ratio
        )
        return Scene(layout, bind(reading or Reading(text=""), layout), limits)

    def _issues(self, scene: Scene) -> list[Issue]:
        if not scene.parts:
            return list(asked(scene)) if asked in self.rules else []
        return [issue for rule in self.rules for issue in rule(scene)]


def _key(issue: Issue) -> tuple[str, tuple[str, ...]]:
    return issue.code, tuple(sorted(issue.subjects))
