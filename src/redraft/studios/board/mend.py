"""Repair by the solver: parts that were moved into others go to the nearest place where they meet nothing."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.errors import BriefError, InfeasibleError
from redraft.result import Report
from redraft.spatial.actions import Legalise
from redraft.spatial.solver.legalize import Solution
from redraft.spatial.workspace import Workspace
from redraft.studios.board.execute import held
from redraft.studios.board.placement import Placement, layout_of

__all__ = ["mend"]

IN_THE_WAY = frozenset({"board.overlap", "board.clearance", "board.edge", "board.off", "board.keepout"})
"""What a shift can fix. A stated number is never given up for it."""


def mend(artifact: Placement, base: Placement | None, report: Report) -> Solution:
    """Moves of the parts that this run has moved; the parts that lay there before stay.

    Where copper is too near, all rooms are kept as far apart as the copper has to be, if there is room for that.
    """
    moved = {name for name in artifact.poses if base is None or artifact.poses[name] != base.poses.get(name)}
    moved -= held(artifact)
    refs = sorted({s for issue in report.issues if issue.code in IN_THE_WAY for s in issue.subjects if s in moved})
    if not refs:
        return Solution(note="nothing that a shift could mend")
    copper = max((i.numbers.get("expected", 0.0) for i in report.issues if i.code == "board.clearance"), default=0.0)
    found = _legalised(artifact, refs, copper)
    return _legalised(artifact, refs, 0.0) if copper and found.unsolved else found


def _legalised(artifact: Placement, refs: Sequence[str], clearance: float) -> Solution:
    workspace = Workspace(layout_of(artifact))
    try:
        outcome = workspace.do(Legalise(refs=tuple(refs), clearance=clearance))
    except (InfeasibleError, BriefError) as error:
        return Solution(note=str(error), unsolved=(str(error),))
    return Solution(moves=workspace.moves, note=outcome.note or outcome.action)
