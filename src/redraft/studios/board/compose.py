"""The requests of the board studio: what the model is shown of the board, and the templates that put it into words.

Grounding has two modes: the compass (zones and neighbours, in words) says where everything is; the microscope (exact
JSON of a window, and its picture where the model sees) shows the parts concerned: those that the instruction names,
that the model asked to see, or that an issue is about. Every request is complete in itself.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.errors import BriefError
from redraft.result import Picture, Report
from redraft.spatial.layout import Layout
from redraft.studios.base import Facts, Kind, critique_schema
from redraft.studios.board.find import candidates, mentioned, sought
from redraft.studios.board.placement import Placement, board_of, layout_of
from redraft.studios.wording import bounded, critique_inputs, critique_text, findings_of, idea_of, stated_of

__all__ = ["PROMPTS", "compose", "concerned"]

PROMPTS = Prompts("redraft.studios.board")

PADDING = 5.0
"""Millimetres around the parts concerned, as the specification has it."""

LOOKED_AT = 12
"""Parts in one window; of more, those that were asked for last."""


def compose(kind: Kind, facts: Facts[Placement]) -> Block:
    """One step. A draft is an edit of the board as it came in. Raises `BriefError` without a board."""
    if facts.current is None:
        raise BriefError(NO_BOARD)
    critic = kind == "critique" or (kind == "fix" and facts.of == "critique")
    match kind:
        case "draft" | "edit":
            template, inputs = "edit", _edit(facts, facts.current)
        case "repair":
            template, inputs = "repair", _repair(facts, facts.current)
        case "fix":
            template, inputs = ("fix_critique" if critic else "fix"), _fix(facts, facts.current, critic=critic)
        case "critique":
            inputs = {**critique_inputs(facts, "the parts as they lie now"), "board": facts.current.source}
            template = "critique"
    step = ChatStep(
        name=kind,
        kind=f"board.{kind}",
        prompts=PROMPTS,
        template=template,
        system="system_critic" if critic else "system",
        inputs=inputs,
        schema=critique_schema(facts) if critic else None,
        pictures=facts.pictures if critic else _pictures(facts),
    )
    return Block(name=kind, nodes=(step,))


NO_BOARD = (
    'A run of the board studio needs a board to work on: redraft board place my.kicad_pcb "put C1 0.5 mm right of U1" '
    "-o out.kicad_pcb"
)


def _edit(facts: Facts[Placement], current: Placement) -> Inputs:
    from redraft.spatial.compass import compass

    layout = layout_of(current)
    named = mentioned(facts.brief.instruction, layout)
    return {
        "instruction": facts.brief.instruction,
        "compass": compass(layout),
        "parts": [] if named else [*candidates(facts.brief.instruction, board_of(current), layout)],
        "strange": [*sought(facts.looks, layout).strange],
        "view": _view(layout, concerned(facts)),
        "board": current.source,
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique_text(facts.verdict),
        "stated": stated_of(facts.report),
        "findings": findings_of(facts.report),
    }


def _repair(facts: Facts[Placement], current: Placement) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        "view": _view(layout_of(current), concerned(facts)),
        "board": current.source,
        "moved": facts.moved,
        "stated": stated_of(facts.report),
        "findings": findings_of(facts.report),
    }


def _fix(facts: Facts[Placement], current: Placement, *, critic: bool) -> Inputs:
    assert facts.failure is not None, "a fix has a failure"
    more = (
        {"compares": facts.compares}
        if critic
        else {"view": _view(layout_of(current), concerned(facts)), "examples": facts.examples}
    )
    return {
        "instruction": facts.brief.instruction,
        "reply": bounded(facts.reply),
        "error": facts.failure.message,
        **more,
    }


def concerned(facts: Facts[Placement]) -> tuple[str, ...]:
    """The parts and pads to show closely: those asked for, in trouble, spoken of in a reply that failed; else those
    that the instruction names or that were moved. Of too many the last give way."""
    assert facts.current is not None
    layout = layout_of(facts.current)
    failed = mentioned(facts.reply, layout) if facts.failure is not None else ()
    named = [*sought(facts.looks, layout).names, *_blamed(facts.report or Report()), *failed]
    if not named:
        named = [*mentioned(facts.brief.instruction, layout), *facts.current.poses]
    found = dict.fromkeys(here for name in named if (here := _here(name, layout)))
    return tuple(found)[:LOOKED_AT]


def _blamed(report: Report) -> list[str]:
    return [subject for issue in (*report.errors, *report.warnings) for subject in issue.subjects]


def _here(name: str, layout: Layout) -> str:
    """A part or a pad of one as it is named; the part alone, where it has no such pad; nothing for neither."""
    owner, _, pad = name.rpartition(".")
    if name in layout or owner not in layout:
        return name if name in layout else ""
    return name if layout[owner].ports_named(pad) else owner


def _view(layout: Layout, refs: Sequence[str]) -> str:
    """The microscope's JSON; empty where no part is concerned."""
    from redraft.spatial.microscope import inspect_components

    return inspect_components(layout, refs, PADDING).text() if refs else ""


def _pictures(facts: Facts[Placement]) -> tuple[Picture, ...]:
    if not facts.sees or facts.current is None:
        return ()
    refs = concerned(facts)
    return (picture_of(facts.current, refs),) if refs else ()


def picture_of(placement: Placement, refs: Sequence[str]) -> Picture:
    """The microscope's picture of some parts; of the whole board, when none is named."""
    from redraft.spatial.microscope import get_visual_context, render_png_view

    layout = layout_of(placement)
    if refs:
        png = get_visual_context(layout, refs[:LOOKED_AT], PADDING).png
    else:
        png = base64.b64decode(render_png_view(layout, layout.frame.bounds))
    return Picture(name="board.png", png=png)
