"""Violations that KiCad's design rule check found before and after an edit: compared, and put into issues.

Moving a part tears it off its tracks: that is not an error of the placement, and drawing tracks is not redraft's job.
Everything that says no more than this becomes one hint per moved part, so that a genuine collision is not lost among a
hundred loose ends. A pad on a track or via of another net is an error."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
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
"""Kind → how moving a part brings it about."""

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
    """Whether moving parts can cause a violation of this kind; not so for kinds that redraft does not know."""
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
    """What became of a board's violations, unconnected items among them."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    new: tuple[Violation, ...] = ()
    gone: tuple[Violation, ...] = ()
    kept: tuple[Pair, ...] = ()
    """Before and after."""

    @property
    def worse(self) -> tuple[Pair, ...]:
        """Of those kept, between the same things: where the distance that KiCad measured shrank further."""
        same = (pair for pair in self.kept if _identity(pair[0]) == _identity(pair[1]))
        return tuple(pair for pair in same if _shrank(*pair))


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
    """The distance asked for and the actual one, in mm, where KiCad says them."""
    found = MEASURED.search(violation.description)
    return (float(found[1]), float(found[2])) if found else None


def nets_of(violation: Violation) -> tuple[str, ...]:
    """The nets of the things concerned, in order, without those that have none."""
    names = {found[1] for item in violation.items if (found := NET.search(item.description))}
    return tuple(sorted(names - {"<no net>"}))


def references(violation: Violation) -> tuple[str, ...]:
    """The parts that a violation speaks of, in order of their names."""
    found = (reference_of(item.description) for item in violation.items)
    return tuple(sorted({reference for reference in found if reference}))


def reference_of(description: str) -> str | None:
    """The part that KiCad's description of a thing names: C1 in `Pad 1 [GND] of C1 on F.Cu`."""
    bare = IN_BRACKETS.sub("", description, count=1)
    found = FOOTPRINT.search(bare) or OF_PART.search(bare)
    return found[1] if found else None


def _identity(violation: Violation) -> Hashable:
    return violation.type, tuple(sorted(item.uuid or item.description for item in violation.items))


def lies_still(violation: Violation, moved: Collection[str] | None) -> bool:
    """Whether no moved part (no part at all, if they are not known) has to do with it, nor loose tracks."""
    if violation.type in ROUTING or violation.type in WITHOUT_PARTS:
        return False
    return not any(moved is None or part in moved for part in references(violation))


def _matched(
    before: Iterable[Violation], after: Iterable[Violation], key: Key
) -> tuple[list[Pair], list[Violation], list[Violation]]:
    """As multisets: pairs with one key, what was only before, what is only after, each in its order."""
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


def _shrank(before: Violation, after: Violation) -> bool:
    was, now = measured(before), measured(after)
    return was is not None and now is not None and now[1] < was[1] - NOTICEABLE and now[0] >= was[0] - NOTICEABLE


Nets = Mapping[str, Collection[str]]
_Group = tuple[str, tuple[str, ...]]
"""Kind and parts."""

COPPER = re.compile(r"(?:Track|Arc|Via|Blind/Buried Via|Micro ?[Vv]ia|Zone|Teardrop)\b")
"""How KiCad's descriptions of what is drawn between parts begin."""
DRAWN = re.compile(r"(?:Track|Arc|Via|Blind/Buried Via|Micro ?[Vv]ia)\b")
"""Of these those that KiCad does not fill anew."""
VIEWED = re.compile(
    rf"{COPPER.pattern}|(?:Rule Area|Keepout|Pad|PTH pad|NPTH pad|Footprint(?! text))\b|.* on Edge\.Cuts$"
)
"""KiCad's descriptions of things that the compass, the microscope or its picture show."""
NUMBERED = re.compile(r"#\d+$")
"""What a layout adds to distinguish parts of one reference."""
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


def as_report(
    comparison: Comparison, layout: Layout | None = None, moved: Collection[str] = (), *, unrouted: bool = False
) -> Report:
    """The same as a report, in which the violations that the board had before are inherited.

    `unrouted`: both boards were checked without their tracks, so that routing says nothing.
    """
    inherited: dict[_Group, list[Violation]] = {}
    for _, after in comparison.kept:
        inherited.setdefault((after.type, references(after)), []).append(after)
    issues = as_issues(comparison, layout, moved)
    if unrouted:
        issues = tuple(issue for issue in issues if issue.code != "routing.redo")
    return Report(issues=issues, inherited=tuple(map(_issue, inherited.values())))


def _nets(layout: Layout | None, moved: Collection[str]) -> Nets:
    """The references of moved parts, as KiCad knows them, with their nets."""
    ports = {name: layout[name].ports if layout is not None and name in layout else () for name in moved}
    found: dict[str, set[str]] = {}
    for name in sorted(ports):
        found.setdefault(NUMBERED.sub("", name), set()).update(port.net for port in ports[name] if port.net)
    return found


def _torn_from(violation: Violation, moved: Nets) -> str | None:
    """The moved part whose routing must be redone, if that is all that a violation says; "" if that is unclear."""
    if not moved:
        return None
    ours = [name for name in references(violation) if name in moved]
    if violation.type in ROUTING:
        return ours[0] if ours else _owner(nets_of(violation), moved)
    if violation.type in {"shorting_items", "clearance"} and any(DRAWN.match(i.description) for i in violation.items):
        return None  # a short is an error; the way out is to remove the tracks, or another place
    copper = any(COPPER.match(item.description) and not reference_of(item.description) for item in violation.items)
    return ours[0] if ours and copper else None


def _owner(nets: Sequence[str], moved: Nets) -> str:
    return next((part for part in sorted(moved) if not set(moved[part]).isdisjoint(nets)), "")


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
    """Of one kind between the same parts: one issue, however many lines and pads are concerned."""
    first = min(violations, key=_actual)
    parts = references(first)
    more = f" ({len(violations)} places)" if len(violations) > 1 else ""
    concerned = " and ".join(map(_told, first.items))
    excluded = " It is excluded in KiCad." if all(violation.excluded for violation in violations) else ""
    return Issue(
        code=f"drc.{first.type}",
        severity="note" if moved and lies_still(first, moved) else _severity(violations),
        message=(f"{first.description}: {concerned}{more}." if concerned else f"{first.description}{more}.") + excluded,
        subjects=parts,
        numbers=_numbers(first) | {"count": float(len(violations))},
        hint=_hint(first, sorted(parts, key=lambda part: part not in (moved or ()))),
        marks=_marks(violations),
    )


def _told(item: DrcItem) -> str:
    """KiCad's description of a thing; of one that only KiCad shows, such as a text, its place as well."""
    if VIEWED.match(item.description):
        return item.description
    x, y = item.at
    return f"{item.description} (at {x:g}, {y:g}; no view shows it)"


def _worse(before: Violation, after: Violation, moved: Nets) -> Issue:
    was = measured(before)
    assert was is not None
    issue = _issue([after], moved)
    message = f"{issue.message} It was {was[1]:.4f} mm before."
    return issue.model_copy(update={"message": message, "numbers": issue.numbers | {"before": was[1]}})


def _severity(violations: Iterable[Violation]) -> Severity:
    """The gravest; what the user has excluded in KiCad is a hint."""
    found: set[Severity] = {"note" if violation.excluded else violation.severity for violation in violations}
    return "error" if "error" in found else "warning" if "warning" in found else "note"


def _numbers(violation: Violation) -> dict[str, float]:
    found = measured(violation)
    return {"expected": found[0], "actual": found[1]} if found else {}


def _actual(violation: Violation) -> float:
    found = measured(violation)
    return found[1] if found else 0.0


def _hint(violation: Violation, parts: Sequence[str]) -> str:
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
