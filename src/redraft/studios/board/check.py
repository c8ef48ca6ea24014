"""The report on a placement: its actions and the brief's numbers, redraft's own rules, then KiCad's own check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from redraft.brief import Brief
from redraft.layout.items import Layout
from redraft.result import Heuristics, Issue, Report
from redraft.studios.board import rules as checks
from redraft.studios.board.actions.plans import written
from redraft.studios.board.actions.registry import PlaceAll
from redraft.studios.board.board import Board
from redraft.studios.board.codes import CODES
from redraft.studios.board.drc import DrcResult, as_report, compare
from redraft.studios.board.kicad.cli import drc
from redraft.studios.board.kicad.model import Pose
from redraft.studios.board.placement import Placement, board_of, layout_of, placed_anew, unmoved
from redraft.studios.board.rules import compared
from redraft.studios.board.solve.free_places import middle, nearest_free
from redraft.studios.board.words.coverage import cover


def check(artifact: Placement, base: Placement | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
    """Measure the actions and the brief's numbers, and apply redraft's own rules.

    What the board had before is inherited and does not score.
    """
    before = base or unmoved(artifact)
    board, layout, layout_before = board_of(artifact), layout_of(artifact), layout_of(before)
    ruled = compared(board, layout, layout_before, anew=placed_anew(artifact))
    covered = cover(artifact, layout, layout_before, brief.instruction)
    wrong = any(issue.severity == "error" for issue in covered.issues)
    idle = artifact.poses == before.poses and not covered.measured and not wrong

    # A person has to read what found no room, what stayed, and that a search was cut short.
    notes = dict.fromkeys(stated.note for stated in artifact.stated if stated.note)
    issues = [*covered.issues, *((IDLE,) if idle else ())]
    issues += [CODES.finding("board.note", f"{note[0].upper()}{note[1:]}") for note in notes]
    issues += [_with_free_places(issue, artifact, layout, layout_before) for issue in ruled.issues]
    issues += _torn(artifact)

    # The last reply gave up where it only waived words: as impossible, or where nothing was done at all.
    last = max((waiver.reply for waiver in artifact.waived), default=-1)
    only_waived = last >= 0 and all(stated.reply < last for stated in artifact.stated)
    impossible = any(waiver.cannot for waiver in artifact.waived if waiver.reply == last)
    return Report(
        issues=tuple(issues),
        given_up=only_waived and (idle or impossible),
        inherited=ruled.inherited,
        requirements=covered.measured,
        set_aside=covered.set_aside,
        unchecked=(*covered.uncovered, *ruled.unchecked, *filter(None, (board.file.newer,))),
        heuristics=heuristics,
    )


def _with_free_places(issue: Issue, artifact: Placement, layout: Layout, before: Layout) -> Issue:
    """Return a collision of one part with tracks or vias, with places free of components and copper in its hint."""
    if issue.code not in {"board.short", "board.clearance"} or len(issue.subjects) != 1:
        return issue
    (ref,) = issue.subjects
    actions = [stated.action for stated in artifact.stated if ref in stated.action.names]
    way = actions[-1].alternatives(layout) if actions and ref not in actions[-1].references else ""
    if not way and (place := nearest_free(before, layout, ref)) is not None and place != middle(layout.bounds(ref)):
        way = f"the nearest place free of tracks has its middle at ({written(place[0])}, {written(place[1])})"
    return issue.model_copy(update={"hint": "; or ".join(filter(None, (way, issue.hint)))})


def _torn(artifact: Placement) -> Iterator[Issue]:
    """Yield one hint for all tracks that become invalid, where a whole board was placed."""
    if not any(isinstance(stated.action, PlaceAll) for stated in artifact.stated):
        return
    board = board_of(artifact)
    count = board.torn
    if count and not artifact.ripup:
        listed = ", ".join(f"{net or 'no net'} {number}" for net, number in [*count.items()][:MAX_NETS_NAMED])
        more = f" and {len(count) - MAX_NETS_NAMED} more nets" if len(count) > MAX_NETS_NAMED else ""
        yield CODES.finding(
            "board.tracks",
            f"{sum(count.values())} tracks of {len(count)} nets ended at pads that have moved, and are invalid "
            f"now: {listed}{more}",
            hint="remove them with --ripup, or in KiCad, and route these nets again",
        )


MAX_NETS_NAMED = 8
"""Nets that the hint about invalid tracks names."""

IDLE = CODES.finding(
    "brief.nothing",
    "nothing was moved, and no action states that the request is already met",
    hint="carry out the request, state it by an action with measure_only, or waive it with the reason",
)
"""The error for changing nothing: that does not meet a request that was not understood."""


async def audit(artifact: Placement, base: Placement | None) -> Report:
    """Return what KiCad's own check finds that it did not find before.

    Where placed components were placed anew, tracks and vias are left out of both checks.

    Raises:
        MissingPartError: KiCad is missing. InfrastructureError: it did not answer.
    """
    board, original = board_of(artifact), board_of(base or unmoved(artifact))
    bare = placed_anew(artifact)
    before = await _checked(original, frozenset(original.poses.items()), bare)
    after = await _checked(board, frozenset(board.poses.items()), bare)
    moved = tuple(artifact.poses)
    report = as_report(compare(before, after, moved), board.layout, moved, unrouted=bare)
    printed = [issue for issue in report.issues if _is_about_prints(issue)]
    if not printed or not any(isinstance(stated.action, PlaceAll) for stated in artifact.stated):
        return report

    # Prints and texts are arranged after a whole board was placed: one hint for all of them.
    kinds = Counter(issue.code.removeprefix("drc.") for issue in printed)
    hint = CODES.finding(
        "drc.prints",
        "prints and texts lie over others or over pads, as they do until they are arranged: "
        + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())),
        subjects=tuple(dict.fromkeys(part for issue in printed for part in issue.subjects)),
        hint="arrange references and texts in KiCad once the placement is settled",
    )
    rest = (issue for issue in report.issues if issue not in printed)
    return report.model_copy(update={"issues": (*rest, hint)})


PRINTED = frozenset({"drc.silk_overlap", "drc.silk_over_copper", "drc.silk_edge_clearance", "drc.text_on_edge_cuts"})
"""Findings about what is printed on a board."""
ON_PADS = frozenset({"drc.clearance", "drc.hole_clearance", "drc.solder_mask_bridge"})
"""Findings that are about prints if one of the two things is a text."""


def _is_about_prints(issue: Issue) -> bool:
    """Return whether a finding is about prints and texts alone."""
    about_text = re.search(r"\b(?:PCB [Tt]ext|[Rr]eference field|[Vv]alue field|[Tt]ext)\b", issue.message)
    return issue.code in PRINTED or (issue.code in ON_PADS and about_text is not None)


async def _checked(board: Board, poses: frozenset[tuple[int, Pose]], bare: bool) -> DrcResult:
    """Run KiCad's check once for each board: all turns of a run compare with the same beginning."""
    key = (board.file.digest, poses, board.ripped, bare)
    if key not in _results:
        while len(_results) >= MAX_RESULTS_KEPT:
            del _results[next(iter(_results))]
        path = board.file.path
        _results[key] = await drc(path, board.unrouted() if bare else board.rewritten(), like=path)
    return _results[key]


_results: dict[tuple[str, frozenset[tuple[int, Pose]], frozenset[int], bool], DrcResult] = {}
MAX_RESULTS_KEPT = 4
"""Results of KiCad's check that are remembered."""


async def asked_kicad(path: Path, against: Path | None) -> Report:
    """Return what KiCad's own check finds on a board; with `against`, what is new and what that board had too.

    Raises:
        MissingPartError, InfrastructureError, BoardError.
    """
    board, base = Board.read(path), None if against is None else Board.read(against)
    bare = base is not None and checks.placed_anew(board.layout, base.layout)
    now = await drc(path, board.unrouted() if bare else None)
    if base is None or against is None:
        return as_report(compare(DrcResult(kicad=now.kicad), now, None), board.layout)
    before = await drc(against, base.unrouted() if bare else None, like=path)
    was = {name: base.file.footprints[index].pose for name, index in base.names.items()}
    moved = tuple(n for n, index in board.names.items() if was.get(n) != board.file.footprints[index].pose)
    return as_report(compare(before, now, moved or None), board.layout, moved, unrouted=bare)
