"""The inputs that requests of the board studio have beside the shared ones: what the model is shown of the board.

The model sees the board in two ways. The compass (zones and neighbors, in words) says where everything is, in the first
request of an attempt. Windows of the microscope (exact JSON, with a picture where the model sees) show the components
concerned: those that the instruction names or an issue is about. After a look they show exactly what the model asked
for, and each earlier look is a line.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from pydantic import JsonValue

from redraft.errors import BriefError
from redraft.layout.items import Layout
from redraft.result import Picture, Report
from redraft.studios.board.placement import Placement, board_of, layout_of, placed_anew, unmoved
from redraft.studios.board.settings import own
from redraft.studios.board.spec import ActionList
from redraft.studios.board.views.looks import PADDING, Answer, Seen, look_around, look_at, look_line
from redraft.studios.board.words.find import candidates, mentioned
from redraft.studios.board.words.names import blocks_in, meanings, named_text
from redraft.studios.requests import EditRequest, FixRequest, RepairRequest, StudioRequest, critique_of
from redraft.studios.wording import captions, findings_of

MAX_SHOWN = 12
"""Components that a request shows closely although the model did not ask; the others are named."""
MAX_PICTURES = 4
"""Pictures of one request."""
NO_BOARD = (
    'A run of the board studio needs a board to work on: redraft board place my.kicad_pcb "put C1 0.5 mm right of U1" '
    "-o out.kicad_pcb"
)


def inputs(request: StudioRequest[Placement]) -> dict[str, JsonValue]:
    """Return what the request shows of the board in words. Raises `BriefError` without a board."""
    if critique_of(request) is not None:
        return {"pictures": captions(request.pictures, "the current placement")}
    from redraft.studios.board.views.compass import compass

    current, words = _current(request), request.brief.instruction
    layout = layout_of(current)
    seen = _seen(request)
    looks = [look_line(ActionList.model_validate_json(look)) for look in request.looks]
    newest = looks[-1:] if not isinstance(request, FixRequest) else []
    values: dict[str, JsonValue] = {
        "meant": {phrase: [*refs] for phrase, refs in meanings(words, layout).items()},
        "blocks": {**blocks_in(words, layout)},
        "compass": "",
        "parts": [],
        "windows": [{"title": window.title, "text": window.text} for window in seen.windows],
        "newest": newest[0] if newest else "",
        "trial": [*seen.trial],
        "strange": [*seen.strange],
        "left_out": [*seen.left_out],
        "earlier": [*looks[: len(looks) - len(newest)]],
        "looks": len(request.looks) + request.looks_left,
        "looks_left": request.looks_left,
    }
    match request:
        case EditRequest(looks=()):
            values["compass"] = compass(layout)
            if not mentioned(words, layout):
                values["parts"] = [*candidates(words, board_of(current), layout)]
        case RepairRequest():
            values["findings"] = findings_of(request.report)
        case FixRequest():
            values["subjects"] = [*request.failure.subjects]
        case _:
            pass
    return values


def _current(request: StudioRequest[Placement]) -> Placement:
    if request.current is None:
        raise BriefError(NO_BOARD)
    return request.current


@lru_cache(maxsize=1)
def _seen(request: StudioRequest[Placement]) -> Answer:
    """Return what the request shows closely: what the newest look asked for, else the components concerned.

    After a reply that failed these are shown too. It is cached for a second call about the request: dry runs take time.
    """
    current = _current(request)
    if request.looks and not isinstance(request, FixRequest):
        look = ActionList.model_validate_json(request.looks[-1])
        return look_at(look, current, request.brief, ripup=own(request.settings).ripup)
    layout, names = layout_of(current), concerned(request)
    if not names and not isinstance(request, FixRequest):
        nets = dict.fromkeys(token.net for token in named_text(request.brief.instruction, layout).tokens if token.net)
        look = ActionList(approach="", inspect=tuple(f"net:{net}" for net in nets))
        return look_at(look, current, request.brief, ripup=False)
    others = tuple(dict.fromkeys(name if name in layout else name.rpartition(".")[0] for name in names[MAX_SHOWN:]))
    answer = look_around(names[:MAX_SHOWN], current)
    return replace(answer, left_out=(*answer.left_out, *others))


def concerned(request: StudioRequest[Placement]) -> tuple[str, ...]:
    """Return the components and pads to show first: those that a failure or findings are about, else those that the
    instruction names or that were moved."""
    current = _current(request)
    layout = layout_of(current)
    failed: tuple[str, ...] = ()
    if isinstance(request, FixRequest):
        failed = mentioned(request.failure.message, layout) or mentioned(request.reply, layout)
    report: Report | None = getattr(request.original, "report", None)
    report = report or Report()
    blamed = [subject for issue in (*report.errors, *report.warnings) for subject in issue.subjects]
    named = failed or blamed or [*mentioned(request.brief.instruction, layout), *current.poses]

    known: dict[str, None] = {}
    for name in named:
        owner, _, pad = name.rpartition(".")
        if name in layout or (owner in layout and layout[owner].ports_named(pad)):
            known[name] = None
        elif owner in layout:  # it has no such pad
            known[owner] = None
    return tuple(known)


def pictures(request: StudioRequest[Placement]) -> tuple[Picture, ...]:
    """Return one picture of each window that has one, named after its place; to a critic, those of the request."""
    if critique_of(request) is not None:
        return request.pictures
    if not request.sees:
        return ()
    seen = _seen(request)
    layout = layout_of(seen.placement)
    drawn = [(number, w) for number, w in enumerate(seen.windows, start=1) if w.refs or w.bounds]
    return tuple(Picture(name=f"window-{n}.png", png=_picture(layout, w)) for n, w in drawn[:MAX_PICTURES])


def _picture(layout: Layout, window: Seen) -> bytes:
    from redraft.studios.board.views.microscope import get_visual_context, render_png_view

    if window.refs:
        return get_visual_context(layout, window.refs, window.padding).png
    return base64.b64decode(render_png_view(layout, window.bounds or layout.frame.bounds))


def picture_of(placement: Placement, refs: Sequence[str]) -> Picture:
    """Return the microscope's picture of some parts; of the whole board, when none is named.

    A board that was placed anew is shown as a whole, without the tracks that it had.
    """
    layout = layout_of(placement)
    if placed_anew(placement):
        layout, refs = replace(layout, fixtures=None), ()
    return Picture(name="board.png", png=_picture(layout, Seen("", "", tuple(refs[:MAX_SHOWN]))))


def before_of(placement: Placement) -> bytes:
    """Return the window of `picture_of` all moved parts, on the board as it was read, as PNG."""
    from redraft.studios.board.views.window import around

    refs, bounds = tuple(placement.poses)[:MAX_SHOWN], None
    if not placed_anew(placement):
        bounds = around(layout_of(placement), refs, PADDING).bounds
    return _picture(layout_of(unmoved(placement)), Seen("", "", (), bounds=bounds))
