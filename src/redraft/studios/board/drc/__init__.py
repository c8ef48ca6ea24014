"""KiCad's own design rule check: ask, compare before with after, put what is worse into words."""

from redraft.studios.board.drc.asking import DrcItem, DrcResult, Violation, drc
from redraft.studios.board.drc.comparing import Comparison, compare
from redraft.studios.board.drc.issues import as_issues, as_report
from redraft.studios.board.drc.kinds import can_be_moved_into

__all__ = [
    "Comparison",
    "DrcItem",
    "DrcResult",
    "Violation",
    "as_issues",
    "as_report",
    "can_be_moved_into",
    "compare",
    "drc",
]
