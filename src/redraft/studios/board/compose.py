"""The requests of the board studio: what the model is shown of the board, and the templates that put it into words.

Grounding has two modes: the compass (zones and neighbours, in words) says where everything is; the microscope (exact
JSON of a window, and its picture where the model sees) shows the parts concerned: those that the instruction names,
that the model asked to see, or that an issue is about. Every request is complete in itself.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.errors import BriefError
from redraft.result import Issue, Picture, Report
from redraft.spatial.actions import Action, refs_of
from redraft.spatial.layout import Layout
from redraft.studios.base import CritiqueReply, Facts, Kind
from redraft.studios.board.commands import Commands, read_commands
from redraft.studios.board.intent import check_intent, describe
from redraft.studios.board.mentions import candidates, mentioned, sought
from redraft.studios.board.placement import Placement, board_of, layout_of
from redraft.studios.wording import bounded, critique_text, idea_of, numbered

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
    match kind:
        case "draft" | "edit":
            step = _step(kind, "edit", facts, _edit(facts, facts.current))
        case "repair":
            step = _step(kind, "repair", facts, _repair(facts, facts.current))
        case "fix":
            step = _fix(facts, facts.current)
        case "critique":
            step = ChatStep(
                name=kind,
                kind="board.critique",
                prompts=PROMPTS,
                template="critique",
                system="system_critic",
                inputs={"instruction": facts.brief.instruction, "board": facts.current.source},
                schema=CritiqueReply,
                pictures=facts.pictures,
            )
    return Block(name=kind, nodes=(step,))


NO_BOARD = (
    'A run of the board studio needs a board to work on: redraft board place my.kicad_pcb "put C1 0.5 mm right of U1" '
    "-o out.kicad_pcb"
)


def _step(kind: Kind, template: str, facts: Facts[Placement], inputs: Inputs) -> ChatStep:
    return ChatStep(
        name=kind,
        kind=f"board.{kind}",
        prompts=PROMPTS,
        template=template,
        system="system",
        inputs=inputs,
        pictures=_pictures(facts),
    )


def _edit(facts: Facts[Placement], current: Placement) -> Inputs:
    from redraft.spatial.compass import compass

    layout = layout_of(current)
    commands = _commands(facts)
    named = mentioned(facts.brief.instruction, layout)
    return {
        "instruction": facts.brief.instruction,
        "checks": [*_checks(commands, facts, layout)],
        "commands": [] if _begun(facts) else [_as_json(action) for action in commands.actions],
        "compass": compass(layout),
        "parts": [] if named else [*candidates(facts.brief.instruction, board_of(current), layout)],
        "strange": [*sought(facts.looks, layout).strange],
        "view": _view(layout, concerned(facts)),
        "board": current.source,
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique_text(facts.verdict),
        "issues": numbered(worst_first(facts.report)),
    }


def _begun(facts: Facts[Placement]) -> bool:
    """Whether something was done already: the instruction is then not to be carried out a second time."""
    return facts.current is not None and bool(facts.current.steps) and facts.current != facts.base


def _repair(facts: Facts[Placement], current: Placement) -> Inputs:
    layout = layout_of(current)
    return {
        "instruction": facts.brief.instruction,
        "checks": [*_checks(_commands(facts), facts, layout)],
        "view": _view(layout, concerned(facts)),
        "board": current.source,
        "moved": facts.moved,
        "issues": numbered(worst_first(facts.report)),
    }


def _fix(facts: Facts[Placement], current: Placement) -> ChatStep:
    assert facts.failure is not None, "a fix has a failure"
    critic = facts.of == "critique"
    return ChatStep(
        name="fix",
        kind="board.fix",
        prompts=PROMPTS,
        template="fix_critique" if critic else "fix",
        system="system_critic" if critic else "system",
        inputs={
            "instruction": facts.brief.instruction,
            "reply": bounded(facts.reply),
            "error": facts.failure.message,
            **({} if critic else {"view": _view(layout_of(current), concerned(facts)), "examples": facts.examples}),
        },
        schema=CritiqueReply if critic else None,
        pictures=facts.pictures if critic else _pictures(facts),
    )


def _commands(facts: Facts[Placement]) -> Commands:
    base = facts.base or facts.current
    assert base is not None
    return read_commands(facts.brief.instruction, layout_of(base))


def _checks(commands: Commands, facts: Facts[Placement], layout: Layout) -> Iterator[str]:
    """What the result will be held to, with a mark on what holds already: that is to be left as it is."""
    base = layout if facts.base is None else layout_of(facts.base)
    for wish in commands.wishes:
        now = "" if check_intent((wish,), layout, base) else " (it is so now)"
        yield from (sentence + now for sentence in describe((wish,)))


def concerned(facts: Facts[Placement]) -> tuple[str, ...]:
    """The parts and pads to show closely: those asked for, in trouble, spoken of in a reply that failed; else those
    that the instruction names or that were moved. Of too many the last give way."""
    assert facts.current is not None
    layout = layout_of(facts.current)
    failed = mentioned(facts.reply, layout) if facts.failure is not None else ()
    named = [*sought(facts.looks, layout).names, *_blamed(facts.report or Report()), *failed]
    if not named:
        spoken = mentioned(facts.brief.instruction, layout)
        named = [*spoken, *_read(_commands(facts)), *facts.current.poses]
    found = dict.fromkeys(here for name in named if (here := _here(name, layout)))
    return tuple(found)[:LOOKED_AT]


def _read(commands: Commands) -> list[str]:
    """The parts that the words speak of, as far as the grammar reads them."""
    wished = [name for wish in commands.wishes for name in (*wish.refs, wish.target, wish.other)]
    acted = [name for action in commands.actions for name in refs_of(action)]
    return [name for name in (*wished, *acted) if name]


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


def _as_json(action: Action) -> JsonValue:
    """Only what differs from the defaults: short, and as a model would write it."""
    return json.dumps(action.model_dump(mode="json", exclude_defaults=True) | {"action": action.action})


def worst_first(report: Report | None) -> tuple[Issue, ...]:
    """The issues of a report, errors before warnings before hints."""
    return () if report is None else (*report.errors, *report.warnings, *report.hints)
