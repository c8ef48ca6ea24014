"""The table of findings about boards, which `docs/rules.md` lists."""

from __future__ import annotations

from redraft.studios.codes import Code, Codes

CODES = Codes(
    {
        "board.overlap": Code("the courtyards of two components on one side overlap", "error", basis="defect"),
        "board.off": Code(
            "a component reaches over the edge of the board; slight: none of its pads does",
            "error",
            mild="warning",
            basis="defect",
        ),
        "board.keepout": Code("a component or pad is where none may be", "error", basis="defect"),
        "board.clearance": Code("copper of two nets is nearer than their clearance", "error", basis="defect"),
        "board.short": Code("a moved pad lies on a track or via of another net", "error", basis="defect"),
        "board.edge": Code("a pad is nearer to the edge of the board than its clearance", "error", basis="defect"),
        "board.unrouted": Code(
            "tracks and vias were not checked, because most components moved", "note", basis="defect"
        ),
        "board.tracks": Code("tracks ended at pads that have moved", "note", basis="defect"),
        "board.note": Code("something about an action that a person has to know", "note", basis="defect"),
        "brief.nothing": Code(
            "nothing was moved, and nothing states that the request is met", "error", basis="requirement"
        ),
        "brief.action": Code("what an action sets does not hold", "error", basis="requirement"),
        "brief.number": Code("a number of the brief is not set by an action, or not met", "error", basis="requirement"),
        "brief.cannot": Code(
            "the model says that words of the brief cannot be carried out", "error", basis="requirement"
        ),
        "brief.earlier": Code("what an earlier run was asked for does not hold any more", "warning", basis="defect"),
        "brief.quote": Code("an action quotes words that are not in the brief", "warning", basis="defect"),
        "brief.waived": Code(
            "the model says that a length or angle asks for no place or distance", "warning", basis="defect"
        ),
        "routing.redo": Code("components have left their tracks", "note", basis="defect"),
        "drc.prints": Code("prints and texts lie over others or over pads", "note", basis="defect"),
    }
)
"""Every finding about boards but KiCad's own (`drc.*`), which have the severity that the board's project gives them.
None is a heuristic, so the two severities are one."""
