"""The requests of the scene studio: structured inputs, and the templates that put them into words.

Every request is complete in itself, and tells what was measured of the scene beside the script that made it. The
offline model answers from the same inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.result import Picture
from redraft.studios.programs import EDITABLE, holds_edits
from redraft.studios.requests import (
    CritiqueRequest,
    DraftRequest,
    EditRequest,
    FixRequest,
    RepairRequest,
    StudioRequest,
    critique_schema,
)
from redraft.studios.scene.blender import lacking
from redraft.studios.scene.execute import size_of
from redraft.studios.scene.inventory import inventory
from redraft.studios.scene.settings import SceneSettings, own
from redraft.studios.scene.spec import Scene
from redraft.studios.target import score_inputs, target_inputs
from redraft.studios.wording import (
    bounded,
    critique_inputs,
    critique_text,
    findings_of,
    idea_of,
    stated_of,
    states_anew,
    stating,
)

__all__ = ["PROMPTS", "compose"]

PROMPTS = Prompts("redraft.studios.scene")
CELLS = 300
"""Mean colors of a target that are told."""
MOST_ASSETS = 60
PRINTED = 600
"""Characters of what a script printed that are shown again."""
SHEET = (
    "at the left {render}, at the right four plain views of shapes and base colors (front, right, above, three-quarter)"
)


def compose(request: StudioRequest[Scene]) -> Block:
    """Return one step. Raises `BriefError` for a target that cannot be read."""
    asked = request.of if isinstance(request, FixRequest) else request
    system = {"draft": "system", "critique": "system_critic"}.get(asked.kind, "system_short")
    ran = isinstance(request, FixRequest) and request.failure.failure_class == "E1"
    template, inputs = str(asked.kind), _system_inputs(asked, ran=ran)
    match request:
        case FixRequest():
            template = "fix_critique" if asked.kind == "critique" else "fix_execution" if ran else "fix_format"
            inputs |= _fixed_critique(request, asked) if isinstance(asked, CritiqueRequest) else _fix(request, ran=ran)
        case RepairRequest():
            inputs |= _repair(request)
        case CritiqueRequest():
            inputs |= _critique(request)
        case EditRequest():
            inputs |= _edit(request)
        case DraftRequest():
            inputs |= _draft(request)
        case _:
            raise AssertionError(f"not a request: {request.kind}")
    step = ChatStep(
        name=request.kind,
        kind=f"scene.{request.kind}",
        prompts=PROMPTS,
        template=template,
        system=system,
        inputs=inputs,
        schema=critique_schema(asked) if isinstance(asked, CritiqueRequest) else None,
        pictures=() if template == "fix_execution" else request.pictures,
    )
    return Block(name=request.kind, nodes=(step,))


def _system_inputs(request: StudioRequest[Scene], *, ran: bool) -> dict[str, JsonValue]:
    """What the system prompt says: where the script runs, how it is looked at, and how to state requirements.

    The last is said where new ones are due, or one may have to change. `ran`: a fix of a script that raised an error.
    """
    report = request.report if isinstance(request, EditRequest | RepairRequest) else None
    due = states_anew(report)
    match request:
        case CritiqueRequest():
            return {}
        case EditRequest():
            due = due or not request.history
        case DraftRequest():
            due = True
        case _:
            pass
    settings = own(request.settings)
    width, height = size_of(settings)
    where: dict[str, JsonValue] = {
        "blender": settings.version,
        "lacks": [*lacking(settings.version)],
        "width": width,
        "height": height,
        "seconds": settings.limit,
        "assets": _assets(settings),
        **stating("scene", wanted=due and not ran and not request.strict and not request.brief.described),
    }
    return where if request.kind == "draft" else where | {"on": request.brief.on is not None}


def _assets(settings: SceneSettings) -> list[JsonValue]:
    """The files that a script may read, by path."""
    if not settings.assets:
        return []
    paths = sorted(path for path in Path(settings.assets).resolve().rglob("*") if path.is_file())
    return [str(path) for path in paths[:MOST_ASSETS]]


def _draft(request: DraftRequest[Scene]) -> Inputs:
    return {
        "instruction": request.brief.instruction,
        **target_inputs(request, own(request.settings).metric, CELLS),
        "idea": idea_of(request.idea),
        "history": request.history,
    }


def _edit(request: EditRequest[Scene]) -> Inputs:
    return {
        "instruction": request.brief.instruction,
        **target_inputs(request, own(request.settings).metric, CELLS),
        **_made(request),
        **score_inputs(request.score),
        "idea": idea_of(request.idea),
        "history": request.history,
        "critique": critique_text(request.verdict) if request.verdict and request.verdict.by == "critic" else "",
    }


def _repair(request: RepairRequest[Scene]) -> Inputs:
    return {
        "instruction": request.brief.instruction,
        **_made(request),
        "strict": request.strict,
    }


def _made(request: EditRequest[Scene] | RepairRequest[Scene]) -> dict[str, JsonValue]:
    scene = _current(request)
    return {
        "script": scene.source,
        "long": _is_long(scene),
        "things": [*inventory(scene)],
        "notes": [*scene.facts.notes, *scene.facts.removed],
        "printed": scene.printed.strip()[-PRINTED:],
        "findings": findings_of(request.report, notes=request.kind == "repair" and not request.sees),
        "stated": stated_of(request.report, request.requirements),
        "pictures": _captions(request.pictures, request),
    }


def _is_long(scene: Scene | None) -> bool:
    """Whether its script is changed by edits rather than sent again."""
    return scene is not None and scene.source.count("\n") >= EDITABLE


def _current(request: StudioRequest[Scene]) -> Scene:
    assert request.current is not None, "edits, repairs and critiques have a scene to work on"
    return request.current


def _captions(pictures: Sequence[Picture], request: StudioRequest[Scene]) -> list[JsonValue]:
    """What each picture shows, in order."""
    camera = _current(request).facts.camera is not None
    render = "the render through the scene's camera" if camera else "a view from three quarters, as there is no camera"
    looks = iter(request.looks)
    return [f"{picture.name}: {_caption(picture.name, render, looks)}" for picture in pictures]


def _caption(name: str, render: str, looks: Iterator[str]) -> str:
    version, dash, rest = name.partition("-")
    of = f"version {version}, " if dash and version in ("A", "B") else ""
    shown = {
        "sheet.png": SHEET.format(render=render),
        "beside-target.png": "the target at the left, the render at the right",
        "target.png": "the target",
    }
    said = shown.get(rest if of else name)
    return f"{of}{said}" if said else f"the look that you asked for: {next(looks, name)}"


def _fix(request: FixRequest[Scene], *, ran: bool) -> dict[str, JsonValue]:
    edits = holds_edits(request.reply)  # of a whole script that ran, the one before is of no use
    script = request.current.source if request.current is not None and (edits or not ran) else ""
    return {
        **({} if ran else target_inputs(request, own(request.settings).metric, CELLS)),
        "instruction": request.brief.instruction,
        "reply": bounded(request.reply),
        "error": request.failure.message,
        "script": script,
        "long": bool(script) and _is_long(request.current),
        "changed": [*request.changed],
        "examples": request.examples,
    }


def _fixed_critique(request: FixRequest[Scene], critique: CritiqueRequest[Scene]) -> dict[str, JsonValue]:
    return {
        "instruction": request.brief.instruction,
        "reply": bounded(request.reply),
        "error": request.failure.message,
        "may_look": critique.may_look,
        "compares": critique.compares,
    }


def _critique(request: CritiqueRequest[Scene]) -> Inputs:
    return {
        **critique_inputs(request, ""),
        "pictures": _captions(request.pictures, request),
        "change": request.brief.on is not None,
        "target": request.brief.target is not None,
        "things": [*inventory(_current(request))],
    }
