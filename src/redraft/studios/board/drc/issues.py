"""KiCad's violations in redraft's words: issues with places, parts and the smallest mend.

Moving a part tears it off its tracks: that is no fault of the placement, and drawing tracks is not redraft's job. All
that says no more than this becomes one hint per moved part, so that a genuine collision is not lost among a hundred
loose ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from redraft.result import Issue, Mark, Report, Severity
from redraft.spatial.layout import Layout
from redraft.studios.board.drc.asking import Violation
from redraft.studios.board.drc.comparing import Comparison, lies_still, measured, nets_of, reference_of, references
from redraft.studios.board.drc.kinds import ROUTING

__all__ = ["as_issues", "as_report"]

Nets = Mapping[str, Collection[str]]
_Group = tuple[str, tuple[str, ...]]
"""Kind and parts."""

COPPER = re.compile(r"(?:Track|Arc|Via|Blind/Buried Via|Micro ?[Vv]ia|Zone|Teardrop)\b")
"""How KiCad's descriptions of what is drawn between parts begin."""
NUMBERED = re.compile(r"#\d+$")
"""What a layout adds to tell parts of one reference apart."""
MOST_MARKS = 20
"""Places shown of one issue."""


def as_issues(comparison: Comparison, layout: Layout | None = None, moved: Collection[str] = ()) -> tuple[Issue, ...]:
    """What an edit made worse, in words: errors and warnings as KiCad weighs them, then hints about routing.

    `moved` are the names, in the layout after the edit, of the parts that it moved. What concerns none of them is a
    hint: of several offenders KiCad names now one, now another. Where they are not known, everything counts.
    """
    parts = _nets(layout, moved)
    torn: dict[str, list[Violation]] = {}
    genuine: dict[_Group, list[Violation]] = {}
    for violation in comparison.new:
        part = _torn_from(violation, parts)
        if part is not None:
            torn.setdefault(part, []).append(violation)
        else:
            genuine.setdefault((violation.type, references(violation)), []).append(violation)
    found = [_issue(group, parts) for group in genuine.values()]
    worse = [_worse(*pair, parts) for pair in comparison.worse if _torn_from(pair[1], parts) is None]
    return (*found, *worse, *(_redo(part, torn[part]) for part in sorted(torn)))


def as_report(comparison: Comparison, layout: Layout | None = None, moved: Collection[str] = ()) -> Report:
    """The same as a report, in which the violations that the board had before are inherited."""
    inherited: dict[_Group, list[Violation]] = {}
    for _, after in comparison.kept:
        inherited.setdefault((after.type, references(after)), []).append(after)
    return Report(issues=as_issues(comparison, layout, moved), inherited=tuple(map(_issue, inherited.values())))


def _nets(layout: Layout | None, moved: Collection[str]) -> Nets:
    """The references of moved parts, as KiCad knows them, with their nets."""
    ports = {name: layout[name].ports if layout is not None and name in layout else () for name in moved}
    found: dict[str, set[str]] = {}
    for name in sorted(ports):
        found.setdefault(NUMBERED.sub("", name), set()).update(port.net for port in ports[name] if port.net)
    return found


def _torn_from(violation: Violation, moved: Nets) -> str | None:
    """The moved part whose routing must be redone, if that is all that a violation says; "" if it cannot be told."""
    if not moved:
        return None
    ours = [name for name in references(violation) if name in moved]
    if violation.type in ROUTING:
        return ours[0] if ours else _owner(nets_of(violation), moved)
    copper = any(COPPER.match(item.description) and not reference_of(item.description) for item in violation.items)
    return ours[0] if ours and copper else None


def _owner(nets: Sequence[str], moved: Nets) -> str:
    return next((part for part in sorted(moved) if not set(moved[part]).isdisjoint(nets)), "")


def _redo(part: str, violations: Sequence[Violation]) -> Issue:
    counts = Counter(violation.type for violation in violations)
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    who = f"{part} has" if part else "Parts have"
    return Issue(
        code="routing.redo",
        severity="hint",
        message=f"{who} left the tracks ({listed}); drawing tracks is not redraft's job.",
        subjects=(part,) if part else (),
        numbers={kind: float(count) for kind, count in sorted(counts.items())},
        mend=f"route {part or 'them'} anew in KiCad, and fill the zones again",
        marks=_marks(violations),
    )


def _issue(violations: Sequence[Violation], moved: Nets | None = None) -> Issue:
    """Of one kind between the same parts: one issue, however many lines and pads are concerned."""
    first = min(violations, key=_actual)
    parts = references(first)
    more = f" ({len(violations)} places)" if len(violations) > 1 else ""
    concerned = " and ".join(item.description for item in first.items)
    return Issue(
        code=f"drc.{first.type}",
        severity="hint" if moved and lies_still(first, moved) else _severity(violations),
        message=f"{first.description}: {concerned}{more}." if concerned else f"{first.description}{more}.",
        subjects=parts,
        numbers=_numbers(first) | {"count": float(len(violations))},
        mend=_mend(first, sorted(parts, key=lambda part: part not in (moved or ()))),
        marks=_marks(violations),
    )


def _worse(before: Violation, after: Violation, moved: Nets) -> Issue:
    was = measured(before)
    assert was is not None
    issue = _issue([after], moved)
    message = f"{issue.message} It was {was[1]:.4f} mm before."
    return issue.model_copy(update={"message": message, "numbers": issue.numbers | {"before": was[1]}})


def _severity(violations: Iterable[Violation]) -> Severity:
    """The gravest; what the user has excluded in KiCad is a hint."""
    found: set[Severity] = {"hint" if violation.excluded else violation.severity for violation in violations}
    return "error" if "error" in found else "warning" if "warning" in found else "hint"


def _numbers(violation: Violation) -> dict[str, float]:
    found = measured(violation)
    return {"expected": found[0], "actual": found[1]} if found else {}


def _actual(violation: Violation) -> float:
    found = measured(violation)
    return found[1] if found else 0.0


def _mend(violation: Violation, parts: Sequence[str]) -> str:
    """The first of the parts is the one to move: one that this edit moved, where there is one."""
    if not parts:
        return ""
    found = measured(violation)
    away = f"{max(found[0] - found[1], 0.0):.4f} mm " if found else ""
    if "edge" in violation.type:
        return f"move {parts[0]} {away}away from the board's edge"
    if len(parts) == 1:
        return f"move {parts[0]} {away}away"
    return f"move {parts[0]} {away}away from {parts[1]}"


def _marks(violations: Iterable[Violation]) -> tuple[Mark, ...]:
    places = sorted({(item.at, violation.type) for violation in violations for item in violation.items})
    return tuple(Mark(kind="point", at=(x, y, x, y), text=kind) for (x, y), kind in places[:MOST_MARKS])
