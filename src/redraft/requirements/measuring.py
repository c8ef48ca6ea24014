"""Requirements measured on a layout, and issues of those that are broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.requirements.kinds import KINDS, in_words, listed
from redraft.requirements.names import bound, named, others_of
from redraft.requirements.space import Check, Space, badness
from redraft.requirements.statement import Requirement
from redraft.result import Issue, Mark, Measured
from redraft.spatial.layout import Layout

__all__ = ["checks_of", "issues_of", "measure", "scale_of", "view_of"]


def scale_of(requirements: Sequence[Requirement], layout: Layout) -> float:
    """Units of the frame in one real unit: the ratio that most real lengths agree with, the longest if several do."""
    real = [r for r in requirements if r.unit == "real"]
    if not real or layout.frame.unit != "canvas":
        return 1.0
    lengths: list[tuple[Check, ...]] = []
    for read in real:
        lengths += zip(*(KINDS[read.kind].measure(read, space) for space in _spaces(read, layout)), strict=False)
    lengths = [c for c in lengths if c[0].expected > 0 and all(one.found > 0 for one in c)]
    lengths = sorted(lengths, key=lambda c: -c[0].expected)[:64]
    scales = [one.found / one.expected for checks in lengths for one in checks]

    def cost(scale: float) -> float:
        return sum(min([1.0, *(abs(c.found / (c.expected * scale) - 1) / 0.1 for c in checks)]) for checks in lengths)

    return min(scales, key=cost, default=1.0)


def measure(requirements: Sequence[Requirement], layout: Layout) -> tuple[Measured, ...]:
    """Each requirement measured on the layout: by whole families or by what parts paint themselves, as fits better."""
    scale = scale_of(requirements, layout)
    return tuple(_measured(read, layout, scale if read.unit == "real" else 1.0) for read in requirements)


def _spaces(read: Requirement, layout: Layout, scale: float = 1.0) -> Iterator[Space]:
    """Yield the readings of a requirement: whole families or what the parts paint themselves, with or without pens.

    A row in a scene is read along its own straight line too.
    """
    plain = Space(layout, scale=scale)
    yield plain
    if layout.frame.plan and (read.kind == "spacing" or read.edge in ("row", "column", "grid")):
        names = bound(read.parts, layout)
        for axis in (0, 1) if len(names) > 1 else ():
            yield plain.along(names, axis)
    if read.kind not in ("count", "color", "text"):
        items = [layout[n] for n in (*bound(read.parts, layout), *others_of(read, layout)) if n in layout]
        whole = any(layout.children(item.name) for item in items)
        if whole:
            yield Space(layout, own=True, scale=scale)
        if any(item.style.widths for item in items):
            yield Space(layout, own=True, bare=True, scale=scale)
        if whole and any(part.style.widths for item in items for part in layout.family(item.name)):
            yield Space(layout, bare=True, scale=scale)


def view_of(read: Requirement, layout: Layout, scale: float = 1.0) -> Space:
    """The way to look at a layout in which a requirement fits best."""
    return _best(read, layout, scale)[0]


def _best(read: Requirement, layout: Layout, scale: float) -> tuple[Space, list[Check]]:
    """The way to look in which a requirement is exact, the first of several, or else fits best; and its comparisons."""
    runs: list[tuple[Space, list[Check]]] = []
    for space in _spaces(read, layout, scale):
        checks = list(KINDS[read.kind].measure(read, space))
        if not any(map(_inexact, checks)):
            return space, checks
        runs.append((space, checks))
    return min(runs, key=lambda run: badness(run[1]))


def _inexact(check: Check) -> bool:
    return check.error > check.exact * (1 + 1e-9) + 1e-12


def checks_of(read: Requirement, layout: Layout, scale: float = 1.0) -> tuple[Check, ...]:
    """The comparisons that a requirement consists of, the worst first."""
    parts = bound(read.parts, layout)
    if not parts and read.kind != "count":
        return (Check((), 0.0, 1.0, 0.5, "none of them is visible"),)
    if read.of and not others_of(read, layout):
        return (Check(parts, 0.0, 1.0, 0.5, f"{listed(read.of)} has no shape"),)
    return tuple(sorted(_best(read, layout, scale)[1], key=lambda check: -check.deviation))


def _measured(read: Requirement, layout: Layout, scale: float) -> Measured:
    checks = checks_of(read, layout, scale)
    broken = [check for check in checks if check.deviation > 1 + 1e-9]
    inexact = [check for check in checks if _inexact(check)]
    worst = checks[0] if checks else Check((), 0.0, 0.0, 1.0, "there is nothing to compare")
    told = [check.words for check in (broken or inexact)[:3]] or [
        worst.words if len(checks) < 2 else f"all {len(checks)} comparisons hold"
    ]
    more = len(broken or inexact) - len(told)
    subjects = (*bound(read.parts, layout), *others_of(read, layout), *named(read.each, layout))
    return Measured(
        id=read.id,
        kind=read.kind,
        quote=read.quote,
        words=in_words(read),
        outcome="broken" if broken else "inexact" if inexact else "met",
        found="; ".join(told) + (f"; and {more} more" if more > 0 else ""),
        deviation=worst.deviation if broken or inexact else 0.0,
        subjects=tuple(name for name in dict.fromkeys(subjects) if name in layout),
        changed=read.reason,
        numbers={"found": worst.found, "expected": worst.expected},
        worst=tuple(dict.fromkeys(name for check in broken or inexact for name in check.names if name in layout))[:12],
    )


def issues_of(measured: Sequence[Measured], layout: Layout) -> tuple[Issue, ...]:
    """An open issue for each broken requirement: basis `requirement`, severity `question`, code `requirement.KIND`."""
    return tuple(
        Issue(
            code=f"requirement.{found.kind}",
            severity="question",
            message=f"{found.words}, {found.found}",
            subjects=found.subjects,
            numbers=found.numbers,
            marks=tuple(
                Mark(kind="box", at=layout.bounds(name), text=name)
                for name in found.worst
                if name in layout and not layout.whole(name).is_empty
            ),
            phrase=found.quote,
            basis="requirement",
            status="open",
            id=found.id,
            requirement=found.id,
        )
        for found in measured
        if found.outcome == "broken"
    )
