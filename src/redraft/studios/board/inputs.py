"""The inputs that requests of the board studio have beside the shared ones: what the model is shown of the board.

Grounding has two modes: the compass (zones and neighbors, in words) says where everything is, in the first request of
an attempt; windows of the microscope (exact JSON, with a picture where the model sees) show the components concerned:
those that the instruction names or an issue is about. After a look they show exactly what the model asked for, and
each earlier look is a line.
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

SHOWN = 12
"""Components that a request shows without being asked; of more, the others are named."""
PICTURES = 4
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
    found: dict[str, JsonValue] = {
        "meant": {phrase: [*refs] for phrase, refs in meanings(words, layout).items()},
        "blocks": {**blocks_in(words, layout)},
        "compass": "",
        "parts": [],
        **_shown(request, _seen(request)),
    }
    match request:
        case EditRequest(looks=()):
            found["compass"] = compass(layout)
            if not mentioned(words, layout):
                found["parts"] = [*candidates(words, board_of(current), layout)]
        case RepairRequest():
            found["findings"] = findings_of(request.report)
        case FixRequest():
            found["subjects"] = [*request.failure.subjects]
        case _:
            pass
    return found


def _current(request: StudioRequest[Placement]) -> Placement:
    if request.current is None:
        raise BriefError(NO_BOARD)
    return request.current


@lru_cache(maxsize=1)
def _seen(request: StudioRequest[Placement]) -> Answer:
    """What the request shows closely: what the newest look asked for; without one, and after a reply that failed, the
    components concerned. It is kept for a second call about the same request: a dry run takes time."""
    current = _current(request)
    if request.looks and not isinstance(request, FixRequest):
        look = ActionList.model_validate_json(request.looks[-1])
        return look_at(look, current, request.brief, ripup=own(request.settings).ripup)
    layout, names = layout_of(current), concerned(request)
    if not names and not isinstance(request, FixRequest):
        nets = dict.fromkeys(token.net for token in named_text(request.brief.instruction, layout).tokens if token.net)
        look = ActionList(approach="", inspect=tuple(f"net:{net}" for net in nets))
        return look_at(look, current, request.brief, ripup=False)
    left = tuple(dict.fromkeys(name if name in layout else name.rpartition(".")[0] for name in names[SHOWN:]))
    found = look_around(names[:SHOWN], current)
    return replace(found, left_out=(*found.left_out, *left))


def _shown(request: StudioRequest[Placement], seen: Answer) -> dict[str, JsonValue]:
    """What `_windows.md.j2` and the system prompt put into words."""
    looks = [look_line(ActionList.model_validate_json(look)) for look in request.looks]
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
    current = _current(request)
    layout = layout_of(current)
    failed: tuple[str, ...] = ()
    if isinstance(request, FixRequest):
        failed = mentioned(request.failure.message, layout) or mentioned(request.reply, layout)
    report: Report | None = getattr(request.original, "report", None)
    named = [*failed, *([] if failed else _blamed(report or Report()))]
    if not named:
        named = [*mentioned(request.brief.instruction, layout), *current.poses]
    return tuple(dict.fromkeys(here for name in named if (here := _here(name, layout))))


def _blamed(report: Report) -> list[str]:
    return [subject for issue in (*report.errors, *report.warnings) for subject in issue.subjects]


def _here(name: str, layout: Layout) -> str:
    """A part or a pad of one as it is named; the part alone, where it has no such pad; nothing for neither."""
    owner, _, pad = name.rpartition(".")
    if name in layout or owner not in layout:
        return name if name in layout else ""
    return name if layout[owner].ports_named(pad) else owner


def pictures(request: StudioRequest[Placement]) -> tuple[Picture, ...]:
    """Return one picture of each window that has one, named after its place; to a critic, those of the request."""
    if critique_of(request) is not None:
        return request.pictures
    if not request.sees:
        return ()
    seen = _seen(request)
    layout, found = layout_of(seen.placement), list[Picture]()
    for number, window in enumerate(seen.windows, start=1):
        if (window.refs or window.bounds) and len(found) < PICTURES:
            found.append(Picture(name=f"window-{number}.png", png=_picture(layout, window)))
    return tuple(found)


def _picture(layout: Layout, window: Seen) -> bytes:
    from redraft.studios.board.views.microscope import get_visual_context, render_png_view

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
    from redraft.studios.board.views.window import around

    refs, bounds = tuple(placement.poses)[:SHOWN], None
    if not placed_anew(placement):
        bounds = around(layout_of(placement), refs, PADDING).bounds
    return _picture(layout_of(unmoved(placement)), Seen("", "", (), bounds=bounds))
