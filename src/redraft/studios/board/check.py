"""The report on a placement: its actions and the brief's numbers, redraft's own rules, then KiCad's own check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
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
    """What the actions set and the brief asks for, measured; and what redraft's own rules find.

    What the board had before is inherited and does not score.
    """
    before = base or unmoved(artifact)
    layout, came_in = layout_of(artifact), layout_of(before)
    found = compared(board_of(artifact), layout, came_in, anew=placed_anew(artifact))
    covered = cover(artifact, layout, came_in, brief.instruction)
    wrong = any(issue.severity == "error" for issue in covered.issues)
    idle = artifact.poses == before.poses and not covered.measured and not wrong
    issues = tuple(_with_way(issue, artifact, layout, came_in) for issue in found.issues)
    return Report(
        issues=(*covered.issues, *((IDLE,) if idle else ()), *_notes(artifact), *issues, *_torn(artifact)),
        given_up=_given_up(artifact, idle=idle),
        inherited=found.inherited,
        requirements=covered.measured,
        set_aside=covered.set_aside,
        unchecked=(*covered.uncovered, *found.unchecked, *filter(None, (board_of(artifact).file.newer,))),
        heuristics=heuristics,
    )


def _with_way(issue: Issue, artifact: Placement, layout: Layout, before: Layout) -> Issue:
    """A collision with tracks or vias, with the places that are free of both components and copper."""
    if issue.code not in {"board.short", "board.clearance"} or len(issue.subjects) != 1:
        return issue
    (ref,) = issue.subjects
    actions = [stated.action for stated in artifact.stated if ref in stated.action.names]
    way = actions[-1].alternatives(layout) if actions and ref not in actions[-1].references else ""
    if not way and (place := nearest_free(before, layout, ref)) is not None and place != middle(layout.bounds(ref)):
        way = f"the nearest place free of tracks has its middle at ({written(place[0])}, {written(place[1])})"
    return issue.model_copy(update={"hint": "; or ".join(filter(None, (way, issue.hint)))})


def _given_up(artifact: Placement, *, idle: bool) -> bool:
    """Whether the last reply only waived words: as impossible, or where nothing was done at all."""
    last = max((said.reply for said in artifact.waived), default=-1)
    if last < 0 or any(stated.reply >= last for stated in artifact.stated):
        return False
    return idle or any(waiver.cannot for waiver in artifact.waived if waiver.reply == last)


def _notes(artifact: Placement) -> Iterator[Issue]:
    """What a person has to know of the actions: what found no room, what stayed, that a search was cut short."""
    for note in dict.fromkeys(stated.note for stated in artifact.stated if stated.note):
        yield CODES.finding("board.note", f"{note[0].upper()}{note[1:]}")


def _torn(artifact: Placement) -> Iterator[Issue]:
    """One hint for all tracks that become invalid, where a whole board was placed."""
    if not any(isinstance(stated.action, PlaceAll) for stated in artifact.stated):
        return
    board = board_of(artifact)
    count = board.torn
    if count and not artifact.ripup:
        listed = ", ".join(f"{net or 'no net'} {number}" for net, number in [*count.items()][:NETS])
        more = f" and {len(count) - NETS} more nets" if len(count) > NETS else ""
        yield CODES.finding(
            "board.tracks",
            f"{sum(count.values())} tracks of {len(count)} nets ended at pads that have moved, and are invalid "
            f"now: {listed}{more}",
            hint="remove them with --ripup, or in KiCad, and route these nets again",
        )


NETS = 8
"""Nets that are named."""

IDLE = CODES.finding(
    "brief.nothing",
    "nothing was moved, and no action states that the request is already met",
    hint="carry out the request, state it by an action with measure_only, or waive it with the reason",
)
"""A request that was not understood is not met by changing nothing."""


async def audit(artifact: Placement, base: Placement | None) -> Report:
    """What KiCad's own check finds that it did not find before. Where placed components were placed anew, tracks and
    vias are left out of both.

    Raises:
        MissingPartError: KiCad is missing. InfrastructureError: it did not answer.
    """
    board, came_in = board_of(artifact), board_of(base or unmoved(artifact))
    bare = placed_anew(artifact)
    before = await _found(came_in, frozenset(came_in.poses.items()), bare)
    after = await _found(board, frozenset(board.poses.items()), bare)
    moved = tuple(artifact.poses)
    found = as_report(compare(before, after, moved), board.layout, moved, unrouted=bare)
    if not any(isinstance(stated.action, PlaceAll) for stated in artifact.stated):
        return found
    printed = [issue for issue in found.issues if _printed(issue)]
    rest = tuple(issue for issue in found.issues if issue not in printed)
    return found.model_copy(update={"issues": (*rest, *_prints(printed))})


PRINTED = frozenset({"drc.silk_overlap", "drc.silk_over_copper", "drc.silk_edge_clearance", "drc.text_on_edge_cuts"})
"""Findings about what is printed on a board."""
ON_PADS = frozenset({"drc.clearance", "drc.hole_clearance", "drc.solder_mask_bridge"})
"""Findings that are about prints where one of the two is a text."""


def _printed(issue: Issue) -> bool:
    """Whether it is about prints and texts alone, which come after the placement."""
    about_text = re.search(r"\b(?:PCB [Tt]ext|[Rr]eference field|[Vv]alue field|[Tt]ext)\b", issue.message)
    return issue.code in PRINTED or (issue.code in ON_PADS and about_text is not None)


def _prints(issues: Sequence[Issue]) -> Iterator[Issue]:
    """One hint for all of them."""
    if issues:
        kinds = Counter(issue.code.removeprefix("drc.") for issue in issues)
        yield CODES.finding(
            "drc.prints",
            "prints and texts lie over others or over pads, as they do until they are arranged: "
            + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())),
            subjects=tuple(dict.fromkeys(part for issue in issues for part in issue.subjects)),
            hint="arrange references and texts in KiCad once the placement is settled",
        )


async def _found(board: Board, poses: frozenset[tuple[int, Pose]], bare: bool) -> DrcResult:
    """KiCad's answer about a board, which is asked for once: each turn of a run compares with the same beginning."""
    key = (board.file.digest, poses, board.ripped, bare)
    if key not in _asked:
        while len(_asked) >= KEPT:
            del _asked[next(iter(_asked))]
        path = board.file.path
        _asked[key] = await drc(path, board.unrouted() if bare else board.rewritten(), like=path)
    return _asked[key]


_asked: dict[tuple[str, frozenset[tuple[int, Pose]], frozenset[int], bool], DrcResult] = {}
KEPT = 4


async def asked_kicad(path: Path, against: Path | None) -> Report:
    """What KiCad's own check finds on a board; with `against`, what is new and what that board had too.

    Raises:
        MissingPartError, InfrastructureError, BoardError.
    """
    board, base = Board.read(path), None if against is None else Board.read(against)
    bare = base is not None and checks.placed_anew(board.layout, base.layout)
    now = await drc(path, board.unrouted() if bare else None)
    if base is None or against is None:
        return as_report(compare(DrcResult(kicad=now.kicad), now, None), board.layout)
    before = await drc(against, base.unrouted() if bare else None, like=path)
    moved = _moved(base, board)
    return as_report(compare(before, now, moved or None), board.layout, moved, unrouted=bare)


def _moved(before: Board, after: Board) -> tuple[str, ...]:
    """The parts that lie elsewhere."""
    was = {name: before.file.footprints[index].pose for name, index in before.names.items()}
    return tuple(n for n, index in after.names.items() if was.get(n) != after.file.footprints[index].pose)
