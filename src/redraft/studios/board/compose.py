"""The requests of the board studio: what the model is shown of the board, and the templates that put it into words.

Grounding has two modes: the compass (zones and neighbours, in words) says where everything is; the microscope (exact
JSON of a window, and its picture where the model sees) shows the parts concerned: those that the instruction names,
that the model asked to see, or that an issue is about. Every request is complete in itself.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.errors import BriefError
from redraft.layout import Layout
from redraft.result import Picture, Report
from redraft.studios.board.find import candidates, mentioned, sought
from redraft.studios.board.names import meanings
from redraft.studios.board.placement import Placement, board_of, layout_of
from redraft.studios.requests import (
    CritiqueRequest,
    EditRequest,
    FixRequest,
    RepairRequest,
    StudioRequest,
    critique_schema,
)
from redraft.studios.wording import bounded, critique_inputs, critique_text, findings_of, idea_of, stated_of

__all__ = ["PROMPTS", "compose", "concerned"]

PROMPTS = Prompts("redraft.studios.board")

PADDING = 5.0
"""Millimetres around the parts concerned, as the specification has it."""

LOOKED_AT = 12
"""Parts in one window; of more, those that were asked for last."""


def compose(request: StudioRequest[Placement]) -> Block:
    """Return one step. A draft is an edit of the board as it came in. Raises `BriefError` without a board."""
    if request.current is None:
        raise BriefError(NO_BOARD)
    asked = request.of if isinstance(request, FixRequest) else request
    critique = asked if isinstance(asked, CritiqueRequest) else None
    match request:
        case FixRequest():
            template, inputs = ("fix" if critique is None else "fix_critique"), _fix(request, critique)
        case RepairRequest():
            template, inputs = "repair", _repair(request, request.current)
        case CritiqueRequest():
            inputs = {**critique_inputs(request, "the current placement"), "board": request.current.source}
            template = "critique"
        case EditRequest():
            template, inputs = "edit", _edit(request, request.current)
        case _:
            raise AssertionError("boards are edited, never drafted from nothing")
    step = ChatStep(
        name=request.kind,
        kind=f"board.{request.kind}",
        prompts=PROMPTS,
        template=template,
        system="system" if critique is None else "system_critic",
        inputs=inputs,
        schema=None if critique is None else critique_schema(critique),
        pictures=_pictures(request) if critique is None else request.pictures,
    )
    return Block(name=request.kind, nodes=(step,))


NO_BOARD = (
    'A run of the board studio needs a board to work on: redraft board place my.kicad_pcb "put C1 0.5 mm right of U1" '
    "-o out.kicad_pcb"
)


def _edit(request: EditRequest[Placement], current: Placement) -> Inputs:
    from redraft.spatial.views.compass import compass

    layout = layout_of(current)
    named = mentioned(request.brief.instruction, layout)
    meant = meanings(request.brief.instruction, layout)
    return {
        "meant": {words: [*refs] for words, refs in meant.items()},
        "instruction": request.brief.instruction,
        "compass": compass(layout),
        "parts": [] if named else [*candidates(request.brief.instruction, board_of(current), layout)],
        "strange": [*sought(request.looks, layout).strange],
        "view": _view(layout, concerned(request)),
        "board": current.source,
        "idea": idea_of(request.idea),
        "history": request.history,
        "critique": critique_text(request.verdict),
        "stated": stated_of(request.report),
        "findings": findings_of(request.report),
    }


def _repair(request: RepairRequest[Placement], current: Placement) -> Inputs:
    return {
        "instruction": request.brief.instruction,
        "view": _view(layout_of(current), concerned(request)),
        "board": current.source,
        "moved": request.moved,
        "stated": stated_of(request.report),
        "findings": findings_of(request.report),
    }


def _fix(request: FixRequest[Placement], critique: CritiqueRequest[Placement] | None) -> Inputs:
    assert request.current is not None
    inputs: dict[str, JsonValue] = {
        "instruction": request.brief.instruction,
        "reply": bounded(request.reply),
        "error": request.failure.message,
    }
    if critique is not None:
        return inputs | {"compares": critique.compares}
    return inputs | {"view": _view(layout_of(request.current), concerned(request)), "examples": request.examples}


def concerned(request: StudioRequest[Placement]) -> tuple[str, ...]:
    """The parts and pads to show closely: those asked for, in trouble, spoken of in a reply that failed; else those
    that the instruction names or that were moved. Of too many the last give way."""
    assert request.current is not None
    layout = layout_of(request.current)
    asked = request.of if isinstance(request, FixRequest) else request
    failed = mentioned(request.reply, layout) if isinstance(request, FixRequest) else ()
    report: Report | None = getattr(asked, "report", None)
    named = [*sought(request.looks, layout).names, *_blamed(report or Report()), *failed]
    if not named:
        named = [*mentioned(request.brief.instruction, layout), *request.current.poses]
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
    from redraft.spatial.views.microscope import inspect_components

    return inspect_components(layout, refs, PADDING).text() if refs else ""


def _pictures(request: StudioRequest[Placement]) -> tuple[Picture, ...]:
    if not request.sees or request.current is None:
        return ()
    refs = concerned(request)
    return (picture_of(request.current, refs),) if refs else ()


def picture_of(placement: Placement, refs: Sequence[str]) -> Picture:
    """The microscope's picture of some parts; of the whole board, when none is named."""
    from redraft.spatial.views.microscope import get_visual_context, render_png_view

    layout = layout_of(placement)
    if refs:
        png = get_visual_context(layout, refs[:LOOKED_AT], PADDING).png
    else:
        png = base64.b64decode(render_png_view(layout, layout.frame.bounds))
    return Picture(name="board.png", png=png)
