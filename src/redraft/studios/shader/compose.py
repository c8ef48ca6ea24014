"""The requests of the shader studio: structured inputs, and the templates that put them into words.

Every request is complete in itself. A target is told to every model as a grid of mean colors; one that sees is shown
it, too. The offline model answers from the same inputs.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import JsonValue

from redraft.brief import Brief
from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.errors import BriefError
from redraft.limits import SOURCE, read_file
from redraft.result import Failure
from redraft.studios.programs import EDITABLE
from redraft.studios.requests import (
    CritiqueRequest,
    Discovery,
    DraftRequest,
    EditRequest,
    FixRequest,
    RepairRequest,
    StudioRequest,
    critique_schema,
)
from redraft.studios.shader.execute import times_of
from redraft.studios.shader.parse import named_lines, whole_reply
from redraft.studios.shader.render import captions, compared
from redraft.studios.shader.settings import own
from redraft.studios.shader.spec import Shader
from redraft.studios.target import score_inputs, target_inputs
from redraft.studios.wording import bounded, critique_inputs, critique_text, findings_of, idea_of

__all__ = ["PROMPTS", "compose", "discover", "reference_of"]

PROMPTS = Prompts("redraft.studios.shader")
MAX_REFERENCE = 60_000
"""Characters of a reference; a page of notes has three thousand, a long shader thirty."""


def compose(request: StudioRequest[Shader]) -> Block:
    """Return one step. Raises `BriefError` for a target that cannot be read."""
    match request:
        case FixRequest(of=CritiqueRequest() as critique):
            step = _critique(critique, request)
        case FixRequest():
            step = _fix(request)
        case RepairRequest():
            step = _step(request, _repair(request))
        case CritiqueRequest():
            step = _critique(request)
        case EditRequest():
            step = _step(request, _edit(request))
        case DraftRequest():
            step = _step(request, _draft(request), "system")
        case _:
            raise AssertionError(f"not a request: {request.kind}")
    return Block(name=request.kind, nodes=(step,))


def discover(brief: Brief, reply: str, failure: Failure | None) -> Block:
    """Return the request for what of the brief's reference to reuse, to change and to bridge. Raises `BriefError`."""
    inputs: Inputs = {
        "instruction": brief.instruction,
        "reference": reference_of(brief),
        "target": brief.target is not None,
        "reply": bounded(reply),
        "error": "" if failure is None else failure.message,
    }
    step = ChatStep(
        name="discover",
        kind="shader.discover",
        prompts=PROMPTS,
        template="discover",
        system="system_discover",
        inputs=inputs,
        schema=Discovery,
    )
    return Block(name="discover", nodes=(step,))


def reference_of(brief: Brief) -> str:
    """The text of the brief's reference; empty without one.

    Raises:
        BriefError: it cannot be read, is not UTF-8 text, is empty or too long.
    """
    path = brief.reference
    if path is None:
        return ""
    try:
        text = _text_of(path).strip()
    except OSError as error:
        reason = error.strerror or error
        raise BriefError(f"The reference {path} cannot be read: {reason}. Give a text file.") from error
    except UnicodeDecodeError as error:
        raise BriefError(
            f"The reference {path} is not valid UTF-8 (byte {error.start}). Give a shader or notes as text; a picture "
            "to work toward is given with --target."
        ) from error
    if not text or len(text) > MAX_REFERENCE:
        found = f"{len(text):,} characters" if text else "nothing"
        raise BriefError(
            f"The reference {path} holds {found}; from 1 to {MAX_REFERENCE:,} characters are read. Give the part that "
            "matters."
        )
    return text


def _text_of(path: Path) -> str:
    return read_file(path, SOURCE).decode("utf-8-sig")


def _step(request: StudioRequest[Shader], inputs: Inputs, system: str = "system_change") -> ChatStep:
    return ChatStep(
        name=request.kind,
        kind=f"shader.{request.kind}",
        prompts=PROMPTS,
        template=request.kind,
        system=system,
        inputs=inputs,
        pictures=request.pictures,
    )


def _draft(request: DraftRequest[Shader]) -> Inputs:
    return {
        **_asked(request),
        **target_inputs(request, own(request.settings).metric),
        "idea": idea_of(request.idea),
        "history": request.history,
        "discovery": request.discovery,
    }


def _edit(request: EditRequest[Shader]) -> Inputs:
    return {
        **_asked(request),
        **_made(request),
        **target_inputs(request, own(request.settings).metric),
        **score_inputs(request.score),
        "idea": idea_of(request.idea),
        "history": request.history,
        "critique": critique_text(request.verdict) if request.verdict and request.verdict.by == "critic" else "",
        "findings": findings_of(request.report),
        "discovery": request.discovery,
    }


def _repair(request: RepairRequest[Shader]) -> Inputs:
    return {
        **_asked(request),
        **_made(request),
        "findings": findings_of(request.report, notes=not request.sees),
    }


def _asked(request: StudioRequest[Shader]) -> dict[str, JsonValue]:
    """What every request for a shader tells: the words, the frames, and what each picture shows."""
    settings = own(request.settings)
    return {
        "instruction": request.brief.instruction,
        "width": settings.width or 512,
        "height": settings.height or 512,
        "frames": len(times_of(settings)),
        "seconds": settings.seconds,
        "seamless": settings.loop,
        "pictures": [*captions(request.pictures)],
    }


def _made(request: StudioRequest[Shader]) -> dict[str, JsonValue]:
    """The shader to change, and whether it is long enough to be edited in places."""
    code = _current(request).source
    return {"shader": code, "editable": code.count("\n") + 1 >= EDITABLE}


def _current(request: StudioRequest[Shader]) -> Shader:
    assert request.current is not None, "edits, repairs and critiques have a shader to work on"
    return request.current


def _fix(request: FixRequest[Shader]) -> ChatStep:
    """The error, and the reply that has it: whole, also where it was an edit, so that lines can be counted in it."""
    failure = request.failure
    ran, there = failure.failure_class == "E1", request.current is not None
    inputs: dict[str, JsonValue] = {
        **_asked(request),
        "error": failure.message,
        "changed": [*request.changed],
        "examples": request.examples,
    }
    if ran:
        reply = whole_reply(request.reply, request.current.code if request.current else None)
        inputs |= {"reply": bounded(reply), "lines": named_lines(failure.message, reply)}
        inputs |= {"shader": _current(request).source if there else ""}
    else:
        inputs |= {"reply": bounded(request.reply), **target_inputs(request, own(request.settings).metric)}
        inputs |= _made(request) if there else {"shader": "", "editable": False}
    return ChatStep(
        name="fix",
        kind="shader.fix",
        prompts=PROMPTS,
        template="fix_execution" if ran else "fix_format",
        system="system_change",
        inputs=inputs,
        pictures=request.pictures,
    )


def _critique(request: CritiqueRequest[Shader], fix: FixRequest[Shader] | None = None) -> ChatStep:
    """The request for a critique; or, after a reply that was none, the same with what was wrong."""
    shader = _current(request)
    pictures = compared(request.pictures) if request.compares else request.pictures
    common = critique_inputs(request, "")
    common.pop("stated")
    return ChatStep(
        name="critique" if fix is None else "fix",
        kind="shader.critique" if fix is None else "shader.fix",
        prompts=PROMPTS,
        template="critique",
        system="system_critic",
        inputs={
            **common,
            "pictures": [*captions(pictures)],
            "change": request.brief.on is not None,
            "target": request.brief.target is not None,
            "frames": len(shader.frames),
            "seconds": shader.seconds,
            "seamless": shader.loop,
            "reply": "" if fix is None else bounded(fix.reply),
            "error": "" if fix is None else fix.failure.message,
            "took": "" if request.compares else took(shader),
        },
        schema=critique_schema(request),
        pictures=pictures,
    )


def took(shader: Shader) -> str:
    """How long a frame takes to render, in words; empty where it was not measured."""
    if shader.milliseconds is None:
        return ""
    return f"{shader.milliseconds:.3g} ms a frame ({shader.width} × {shader.height}, {shader.compiler})"
