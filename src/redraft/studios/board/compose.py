"""The requests of the board studio: what the model is shown of the board, and the templates that put it into words.

Grounding has two modes: the compass (zones and neighbors, in words) says where everything is, in the first request of
an attempt; windows of the microscope (exact JSON, with a picture where the model sees) show the components concerned:
those that the instruction names or an issue is about. After a look they show exactly what the model asked for, and
each earlier look is a line.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.errors import BriefError
from redraft.layout import Layout
from redraft.result import Picture, Report
from redraft.studios.board.find import candidates, mentioned
from redraft.studios.board.looks import PADDING, Answer, Seen, look_around, look_at, said
from redraft.studios.board.names import blocks_in, meanings, named_text
from redraft.studios.board.placement import Placement, board_of, layout_of, placed_anew, unmoved
from redraft.studios.board.settings import own
from redraft.studios.board.spec import ActionList
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

SHOWN = 12
"""Components that a request shows without being asked; of more, the others are named."""
PICTURES = 4
"""Pictures of one request."""


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
    pictures = request.pictures
    if critique is None:
        seen = _seen(request)
        inputs, pictures = {**inputs, **_shown(request, seen)}, _pictures(request, seen)
    step = ChatStep(
        name=request.kind,
        kind=f"board.{request.kind}",
        prompts=PROMPTS,
        template=template,
        system="system" if critique is None else "system_critic",
        inputs=inputs,
        schema=None if critique is None else critique_schema(critique),
        pictures=pictures,
    )
    return Block(name=request.kind, nodes=(step,))


NO_BOARD = (
    'A run of the board studio needs a board to work on: redraft board place my.kicad_pcb "put C1 0.5 mm right of U1" '
    "-o out.kicad_pcb"
)


def _edit(request: EditRequest[Placement], current: Placement) -> Inputs:
    from redraft.spatial.views.compass import compass

    layout, first = layout_of(current), not request.looks
    named = mentioned(request.brief.instruction, layout)
    return {
        "meant": _meant(request.brief.instruction, layout),
        "blocks": {**blocks_in(request.brief.instruction, layout)},
        "instruction": request.brief.instruction,
        "compass": compass(layout) if first else "",
        "parts": [*candidates(request.brief.instruction, board_of(current), layout)] if first and not named else [],
        "board": current.source,
        "idea": idea_of(request.idea),
        "history": request.history,
        "critique": critique_text(request.verdict),
        "stated": stated_of(request.report, request.requirements),
        "findings": findings_of(request.report),
    }


def _meant(instruction: str, layout: Layout) -> dict[str, JsonValue]:
    return {words: [*refs] for words, refs in meanings(instruction, layout).items()}


def _repair(request: RepairRequest[Placement], current: Placement) -> Inputs:
    return {
        "instruction": request.brief.instruction,
        "board": current.source,
        "stated": stated_of(request.report, request.requirements),
        "findings": findings_of(request.report),
    }


def _fix(request: FixRequest[Placement], critique: CritiqueRequest[Placement] | None) -> Inputs:
    inputs: dict[str, JsonValue] = {
        "instruction": request.brief.instruction,
        "reply": bounded(request.reply),
        "error": request.failure.message,
    }
    if critique is not None:
        return inputs | {"compares": critique.compares}
    assert request.current is not None
    inputs["subjects"] = [*request.failure.subjects]
    inputs["meant"] = _meant(request.brief.instruction, layout_of(request.current))
    return inputs | {"examples": request.examples}


def _seen(request: StudioRequest[Placement]) -> Answer:
    """What the request shows closely: what the newest look asked for; without one, and after a reply that failed, the
    components concerned."""
    assert request.current is not None
    if request.looks and not isinstance(request, FixRequest):
        look = ActionList.model_validate_json(request.looks[-1])
        return look_at(look, request.current, request.brief, ripup=own(request.settings).ripup)
    layout, names = layout_of(request.current), concerned(request)
    if not names and not isinstance(request, FixRequest):
        nets = dict.fromkeys(token.net for token in named_text(request.brief.instruction, layout).tokens if token.net)
        look = ActionList(approach="", inspect=tuple(f"net:{net}" for net in nets))
        return look_at(look, request.current, request.brief, ripup=False)
    left = tuple(dict.fromkeys(name if name in layout else name.rpartition(".")[0] for name in names[SHOWN:]))
    found = look_around(names[:SHOWN], request.current)
    return replace(found, left_out=(*found.left_out, *left))


def _shown(request: StudioRequest[Placement], seen: Answer) -> Inputs:
    """What `_windows.md.j2` and the system prompt put into words."""
    looks = [said(ActionList.model_validate_json(look)) for look in request.looks]
    newest = looks[-1:] if not isinstance(request, FixRequest) else []
    return {
        "windows": [{"title": window.title, "text": window.text} for window in seen.windows],
        "newest": newest[0] if newest else "",
        "trial": [*seen.trial],
        "strange": [*seen.strange],
        "left_out": [*seen.left_out],
        "earlier": [*looks[: len(looks) - len(newest)]],
        "looks": len(request.looks) + request.looks_left,
        "looks_left": request.looks_left,
    }


def concerned(request: StudioRequest[Placement]) -> tuple[str, ...]:
    """The components and pads to show without being asked: those that a failure is about, that are in trouble; else
    those that the instruction names or that were moved."""
    assert request.current is not None
    layout = layout_of(request.current)
    asked = request.of if isinstance(request, FixRequest) else request
    failed: tuple[str, ...] = ()
    if isinstance(request, FixRequest):
        failed = mentioned(request.failure.message, layout) or mentioned(request.reply, layout)
    report: Report | None = getattr(asked, "report", None)
    named = [*failed, *([] if failed else _blamed(report or Report()))]
    if not named:
        named = [*mentioned(request.brief.instruction, layout), *request.current.poses]
    return tuple(dict.fromkeys(here for name in named if (here := _here(name, layout))))


def _blamed(report: Report) -> list[str]:
    return [subject for issue in (*report.errors, *report.warnings) for subject in issue.subjects]


def _here(name: str, layout: Layout) -> str:
    """A part or a pad of one as it is named; the part alone, where it has no such pad; nothing for neither."""
    owner, _, pad = name.rpartition(".")
    if name in layout or owner not in layout:
        return name if name in layout else ""
    return name if layout[owner].ports_named(pad) else owner


def _pictures(request: StudioRequest[Placement], seen: Answer) -> tuple[Picture, ...]:
    """One of each window that has one, named after its place among the windows."""
    if not request.sees:
        return ()
    layout, found = layout_of(seen.placement), list[Picture]()
    for number, window in enumerate(seen.windows, start=1):
        if (window.refs or window.bounds) and len(found) < PICTURES:
            found.append(Picture(name=f"window-{number}.png", png=_picture(layout, window)))
    return tuple(found)


def _picture(layout: Layout, window: Seen) -> bytes:
    from redraft.spatial.views.microscope import get_visual_context, render_png_view

    if window.refs:
        return get_visual_context(layout, window.refs, window.padding).png
    return base64.b64decode(render_png_view(layout, window.bounds or layout.frame.bounds))


def picture_of(placement: Placement, refs: Sequence[str]) -> Picture:
    """The microscope's picture of some parts; of the whole board, when none is named.

    Of a board that was placed anew it is the whole one, without the tracks that it had.
    """
    layout = layout_of(placement)
    if placed_anew(placement):
        layout, refs = replace(layout, fixtures=None), ()
    return Picture(name="board.png", png=_picture(layout, Seen("", "", tuple(refs[:SHOWN]))))


def before_of(placement: Placement) -> bytes:
    """The window of `picture_of` all moved parts, on the board as it was read: PNG."""
    from redraft.spatial.views.window import around

    refs, bounds = tuple(placement.poses)[:SHOWN], None
    if not placed_anew(placement):
        bounds = around(layout_of(placement), refs, PADDING).bounds
    return _picture(layout_of(unmoved(placement)), Seen("", "", (), bounds=bounds))
