"""Violations that KiCad's design rule check found before and after an edit: compared, and turned into issues.

Moving a part tears it off its tracks: that is not an error of the placement, and drawing tracks is not redraft's job.
Violations that say no more than this become one hint per moved part, so that a genuine collision is not lost among a
hundred loose ends. A pad on a track or via of another net is an error.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict

from redraft.layout.items import Layout
from redraft.result import Issue, Mark, Report, Severity
from redraft.studios.board.codes import CODES
from redraft.studios.board.kicad.cli import DrcItem, DrcResult, Violation

CAUSED_BY_MOVING = MappingProxyType(
    {
        "assertion_failure": "a rule of the project may ask for a position",
        "clearance": "pads of two parts, or a pad and other copper",
        "connection_width": "a pad that joined two pieces of copper is gone",
        "copper_edge_clearance": "a pad too near the board's edge",
        "copper_sliver": "between a pad and other copper",
        "courtyards_overlap": "two parts in one place",
        "creepage": "two pads too near along the surface",
        "diff_pair_gap_out_of_range": "what belongs to a pair's coupled length depends on its pads",
        "diff_pair_uncoupled_length_too_long": "likewise",
        "hole_clearance": "copper too near a hole",
        "hole_to_hole": "holes of two parts too near each other",
        "holes_co_located": "holes of two parts in one place",
        "invalid_outline": "a part whose own lines are part of the board's outline",
        "isolated_copper": "a zone's piece that only a pad connected",
        "items_not_allowed": "a part, or its pads, in a keep-out",
        "length_out_of_range": "a net's length is measured to its pads",
        "npth_inside_courtyard": "a bare hole under another part",
        "pth_inside_courtyard": "a plated hole under another part",
        "shorting_items": "a pad on copper of another net",
        "silk_edge_clearance": "a part's print over the board's edge",
        "silk_over_copper": "a part's print over pads or vias",
        "silk_overlap": "prints of two parts over each other",
        "skew_out_of_range": "a net's length is measured to its pads",
        "solder_mask_bridge": "two pads in one opening of the mask",
        "starved_thermal": "a pad that a zone reaches by too few spokes",
        "text_on_edge_cuts": "a rule of text over the outline",
        "track_dangling": "a track whose pad has left",
        "unconnected_items": "a pad has left its tracks",
        "via_dangling": "a via whose pad has left",
        "zones_intersect": "a zone that is part of a footprint",
    }
)
"""Kinds of violations that moving a part can cause, and how."""

ROUTING = frozenset(
    {
        "connection_width",
        "diff_pair_gap_out_of_range",
        "diff_pair_uncoupled_length_too_long",
        "isolated_copper",
        "length_out_of_range",
        "skew_out_of_range",
        "starved_thermal",
        "track_dangling",
        "unconnected_items",
        "via_dangling",
    }
)
"""Kinds which only say that tracks and zones must be drawn anew after a part was moved."""

WITHOUT_PARTS = frozenset({"assertion_failure", "copper_sliver", "invalid_outline", "zones_intersect"})
"""Kinds that moving a part can cause although KiCad then names no part."""


def can_be_moved_into(kind: str) -> bool:
    """Return whether moving parts can cause a violation of this kind; False for kinds that redraft does not know."""
    return kind in CAUSED_BY_MOVING


MEASURED = re.compile(r"([\d.]+) mm; actual (-?[\d.]+) mm")
NET = re.compile(r"\[(.*)\]")
IN_BRACKETS = re.compile(r" ?\[.*\]")
FOOTPRINT = re.compile(r"^Footprint (?!text )(.+)$")
OF_PART = re.compile(r" of (.+?)(?: on [^ ]+(?: and .+)?| \(.+\))?$")
NOTICEABLE = 0.001
"""Millimeters by which a distance that was too small must shrink to count as worse."""

Pair = tuple[Violation, Violation]
Key = Callable[[Violation], Hashable]


class Comparison(BaseModel):
    """Violations of a board before and after an edit, unconnected items among them."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    new: tuple[Violation, ...] = ()
    gone: tuple[Violation, ...] = ()
    kept: tuple[Pair, ...] = ()
    """Before and after."""

    @property
    def worse(self) -> tuple[Pair, ...]:
        """Violations that stayed between the same things while the distance that KiCad measured shrank further."""
        pairs: list[Pair] = []
        for before, after in self.kept:
            was, now = measured(before), measured(after)
            if was is None or now is None or _identity(before) != _identity(after):
                continue
            if now[1] < was[1] - NOTICEABLE and now[0] >= was[0] - NOTICEABLE:
                pairs.append((before, after))
        return tuple(pairs)


def compare(before: DrcResult, after: DrcResult, moved: Collection[str] | None = None) -> Comparison:
    """Compare what KiCad found before and after an edit; `moved` are the parts that it moved, if that is known."""
    kept, gone, new = _matched(before.violations, after.violations, _identity)
    # Of what lies still, KiCad names one offender or another from run to run (the first that it meets of each via).
    still, gone, new = _matched(gone, new, lambda v: v.type if lies_still(v, moved) else (v.type, id(v)))
    same, broken, missing = _matched(before.unconnected, after.unconnected, _identity)
    # Of a net in pieces, KiCad names the shortest links, which change with every part that moves: what counts is
    # into how many pieces the net falls.
    others, repaired, missing = _matched(broken, missing, nets_of)
    return Comparison(new=(*new, *missing), gone=(*gone, *repaired), kept=(*kept, *still, *same, *others))


def measured(violation: Violation) -> tuple[float, float] | None:
    """Return the required distance and the actual one, in mm, where KiCad says them."""
    match = MEASURED.search(violation.description)
    return (float(match[1]), float(match[2])) if match else None


def nets_of(violation: Violation) -> tuple[str, ...]:
    """Return the nets of the things concerned, sorted; things without a net are left out."""
    names = {match[1] for item in violation.items if (match := NET.search(item.description))}
    return tuple(sorted(names - {"<no net>"}))


def references(violation: Violation) -> tuple[str, ...]:
    """Return the parts that a violation is about, in order of their names."""
    parts = (reference_of(item.description) for item in violation.items)
    return tuple(sorted({part for part in parts if part}))


def reference_of(description: str) -> str | None:
    """Return the part that KiCad's description of a thing names: C1 in `Pad 1 [GND] of C1 on F.Cu`."""
    bare = IN_BRACKETS.sub("", description, count=1)
    match = FOOTPRINT.search(bare) or OF_PART.search(bare)
    return match[1] if match else None


def _identity(violation: Violation) -> Hashable:
    return violation.type, tuple(sorted(item.uuid or item.description for item in violation.items))


def lies_still(violation: Violation, moved: Collection[str] | None) -> bool:
    """Return whether no moved part (no part at all, if they are not known) has to do with it, nor loose tracks."""
    if violation.type in ROUTING or violation.type in WITHOUT_PARTS:
        return False
    return not any(moved is None or part in moved for part in references(violation))


def _matched(
    before: Iterable[Violation], after: Iterable[Violation], key: Key
) -> tuple[list[Pair], list[Violation], list[Violation]]:
    """Compare as multisets; return pairs with one key, those only before, and those only after, each in its order."""
    waiting: defaultdict[Hashable, list[Violation]] = defaultdict(list)
    for violation in before:
        waiting[key(violation)].append(violation)
    kept: list[Pair] = []
    new: list[Violation] = []
    for violation in after:
        same = waiting[key(violation)]
        if same:
            kept.append((same.pop(0), violation))
        else:
            new.append(violation)
    return kept, [violation for rest in waiting.values() for violation in rest], new


Nets = Mapping[str, AbstractSet[str]]
"""The nets of each moved part."""
Group = tuple[str, tuple[str, ...]]
"""The kind of violations, and the parts that they are about."""

COPPER = re.compile(r"(?:Track|Arc|Via|Blind/Buried Via|Micro ?[Vv]ia|Zone|Teardrop)\b")
"""How KiCad's descriptions of what is drawn between parts begin."""
DRAWN = re.compile(r"(?:Track|Arc|Via|Blind/Buried Via|Micro ?[Vv]ia)\b")
"""The beginnings of descriptions of copper that KiCad does not fill anew."""
VIEWED = re.compile(
    rf"{COPPER.pattern}|(?:Rule Area|Keepout|Pad|PTH pad|NPTH pad|Footprint(?! text))\b|.* on Edge\.Cuts$"
)
"""KiCad's descriptions of things that the compass, the microscope or its picture show."""
NUMBERED = re.compile(r"#\d+$")
"""What a layout adds to distinguish parts of one reference."""
MAX_MARKS = 20
"""Places of one issue that pictures show."""


def as_issues(comparison: Comparison, layout: Layout | None = None, moved: Collection[str] = ()) -> tuple[Issue, ...]:
    """Return what an edit made worse: errors and warnings as KiCad weighs them, then hints about routing.

    `moved` are the names, in the layout after the edit, of the parts that it moved. A violation that concerns none of
    them is a hint: of several offenders KiCad names now one, now another. If they are not known, everything counts.
    """
    # The nets of moved parts, by their references as KiCad knows them.
    parts: dict[str, set[str]] = {}
    for name in sorted(moved):
        ports = layout[name].ports if layout is not None and name in layout else ()
        parts.setdefault(NUMBERED.sub("", name), set()).update(port.net for port in ports if port.net)

    torn: dict[str, list[Violation]] = {}
    genuine: dict[Group, list[Violation]] = {}
    for violation in comparison.new:
        part = _torn_from(violation, parts)
        if part is not None:
            torn.setdefault(part, []).append(violation)
        else:
            genuine.setdefault((violation.type, references(violation)), []).append(violation)

    issues = [_issue(group, parts) for group in genuine.values()]
    for before, after in comparison.worse:
        was = measured(before)
        if was is not None and _torn_from(after, parts) is None:
            issue = _issue([after], parts)
            message = f"{issue.message} It was {was[1]:.4f} mm before."
            issues.append(issue.model_copy(update={"message": message, "numbers": issue.numbers | {"before": was[1]}}))
    return (*issues, *(_redo(part, torn[part]) for part in sorted(torn)))


def as_report(
    comparison: Comparison, layout: Layout | None = None, moved: Collection[str] = (), *, unrouted: bool = False
) -> Report:
    """Return what an edit made worse as a report, in which the violations that the board had before are inherited.

    `unrouted`: both boards were checked without their tracks, so that routing says nothing.
    """
    inherited: dict[Group, list[Violation]] = {}
    for _, after in comparison.kept:
        inherited.setdefault((after.type, references(after)), []).append(after)
    issues = as_issues(comparison, layout, moved)
    if unrouted:
        issues = tuple(issue for issue in issues if issue.code != "routing.redo")
    return Report(issues=issues, inherited=tuple(map(_issue, inherited.values())))


def _torn_from(violation: Violation, moved: Nets) -> str | None:
    """Return the moved part whose routing must be redone, if a violation says no more; "" if that part is unclear."""
    if not moved:
        return None
    ours = [name for name in references(violation) if name in moved]
    if violation.type in ROUTING:
        nets = nets_of(violation)
        return ours[0] if ours else next((part for part in sorted(moved) if not moved[part].isdisjoint(nets)), "")
    if violation.type in {"shorting_items", "clearance"} and any(DRAWN.match(i.description) for i in violation.items):
        return None  # a short is an error; the way out is to remove the tracks, or another place
    copper = any(COPPER.match(item.description) and not reference_of(item.description) for item in violation.items)
    return ours[0] if ours and copper else None


def _redo(part: str, violations: Sequence[Violation]) -> Issue:
    counts = Counter(violation.type for violation in violations)
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    who = f"{part} has" if part else "Parts have"
    return CODES.finding(
        "routing.redo",
        f"{who} left the tracks ({listed}); redraft does not route.",
        (part,) if part else (),
        numbers={kind: float(count) for kind, count in sorted(counts.items())},
        hint=f"route {part or 'them'} again in KiCad, and refill the zones",
        marks=_marks(violations),
    )


def _issue(violations: Sequence[Violation], moved: Nets | None = None) -> Issue:
    """Return violations of one kind between the same parts as one issue, however many lines and pads are concerned."""
    distances = [measured(violation) for violation in violations]
    tightest = min(range(len(violations)), key=lambda i: (distances[i] or (0.0, 0.0))[1])
    first, distance = violations[tightest], distances[tightest]
    parts = references(first)
    more = f" ({len(violations)} places)" if len(violations) > 1 else ""
    concerned = " and ".join(map(_description, first.items))
    excluded = " It is excluded in KiCad." if all(violation.excluded for violation in violations) else ""

    # The gravest severity counts; a violation that the user has excluded in KiCad is a hint.
    severities: set[Severity] = {"note" if violation.excluded else violation.severity for violation in violations}
    severity: Severity = "error" if "error" in severities else "warning" if "warning" in severities else "note"
    numbers = {} if distance is None else {"expected": distance[0], "actual": distance[1]}
    return Issue(
        code=f"drc.{first.type}",
        severity="note" if moved and lies_still(first, moved) else severity,
        message=(f"{first.description}: {concerned}{more}." if concerned else f"{first.description}{more}.") + excluded,
        subjects=parts,
        numbers=numbers | {"count": float(len(violations))},
        hint=_hint(first, sorted(parts, key=lambda part: part not in (moved or ()))),
        marks=_marks(violations),
    )


def _description(item: DrcItem) -> str:
    """Return KiCad's description of a thing, with its place if only KiCad shows it, such as a text."""
    if VIEWED.match(item.description):
        return item.description
    x, y = item.at
    return f"{item.description} (at {x:g}, {y:g}; no view shows it)"


def _hint(violation: Violation, parts: Sequence[str]) -> str:
    """Advise to move the first of the parts, which this edit moved if it moved any."""
    if not parts:
        return ""
    distance = measured(violation)
    away = "" if distance is None else f"{max(distance[0] - distance[1], 0.0):.4f} mm "
    if "edge" in violation.type:
        return f"move {parts[0]} {away}away from the board's edge"
    if len(parts) == 1:
        return f"move {parts[0]} {away}away"
    return f"move {parts[0]} {away}away from {parts[1]}"


def _marks(violations: Iterable[Violation]) -> tuple[Mark, ...]:
    places = sorted({(item.at, violation.type) for violation in violations for item in violation.items})
    return tuple(Mark(kind="point", at=(x, y, x, y), text=kind) for (x, y), kind in places[:MAX_MARKS])
