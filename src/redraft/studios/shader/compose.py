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
from redraft.studios.base import Discovery, Facts, Kind, critique_schema
from redraft.studios.programs import EDITABLE
from redraft.studios.shader.execute import times_of
from redraft.studios.shader.parse import named_lines, whole_reply
from redraft.studios.shader.render import captions, compared
from redraft.studios.shader.spec import Shader, own
from redraft.studios.toward import score_inputs, target_inputs
from redraft.studios.wording import asked_of, bounded, critique_inputs, critique_text, findings_of, idea_of

__all__ = ["PROMPTS", "compose", "discover", "reference_of"]

PROMPTS = Prompts("redraft.studios.shader")
MAX_REFERENCE = 60_000
"""Characters of a reference; a page of notes has three thousand, a long shader thirty."""


def compose(kind: Kind, facts: Facts[Shader]) -> Block:
    """One step. Raises `BriefError` for a target that cannot be read."""
    match kind:
        case "draft":
            step = _step(kind, _draft(facts), facts, "system")
        case "edit":
            step = _step(kind, _edit(facts), facts)
        case "repair":
            step = _step(kind, _repair(facts), facts)
        case "fix":
            step = _critique(facts) if facts.of == "critique" else _fix(facts)
        case "critique":
            step = _critique(facts)
    return Block(name=kind, nodes=(step,))


def discover(facts: Facts[Shader]) -> Block:
    """What of the brief's reference to reuse, to change and to bridge. Raises `BriefError`."""
    inputs: Inputs = {
        "instruction": facts.brief.instruction,
        "reference": reference_of(facts.brief),
        "target": facts.brief.target is not None,
        "reply": bounded(facts.reply),
        "error": "" if facts.failure is None else facts.failure.message,
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
        BriefError: it cannot be read, is no UTF-8 text, is empty or too long.
    """
    path = brief.reference
    if path is None:
        return ""
    try:
        text = _text_of(path).strip()
    except OSError as error:
        why = error.strerror or error
        raise BriefError(f"The reference {path} cannot be read: {why}. Give a text file.") from error
    except UnicodeDecodeError as error:
        raise BriefError(
            f"The reference {path} is no UTF-8 text (byte {error.start}). Give a shader or notes as text; a picture to "
            "work toward is given with --target."
        ) from error
    if not text or len(text) > MAX_REFERENCE:
        found = f"{len(text):,} characters" if text else "nothing"
        raise BriefError(
            f"The reference {path} holds {found}; from 1 to {MAX_REFERENCE:,} characters are read. Give the part that "
            "matters."
        )
    return text


def _text_of(path: Path) -> str:
    with path.open("rb") as file:
        raw = file.read(4 * MAX_REFERENCE + 4)
    return raw.decode("utf-8-sig")


def _step(kind: Kind, inputs: Inputs, facts: Facts[Shader], system: str = "system_change") -> ChatStep:
    return ChatStep(
        name=kind,
        kind=f"shader.{kind}",
        prompts=PROMPTS,
        template=kind,
        system=system,
        inputs=inputs,
        pictures=facts.pictures,
    )


def _draft(facts: Facts[Shader]) -> Inputs:
    return {
        **_asked(facts),
        **target_inputs(facts, own(facts.settings).metric),
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "discovery": facts.discovery,
    }


def _edit(facts: Facts[Shader]) -> Inputs:
    return {
        **_asked(facts),
        **_made(facts),
        **target_inputs(facts, own(facts.settings).metric),
        **score_inputs(facts.score),
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique_text(facts.verdict) if facts.verdict and facts.verdict.by == "critic" else "",
        "findings": findings_of(facts.report),
        "discovery": facts.discovery,
    }


def _repair(facts: Facts[Shader]) -> Inputs:
    return {
        **_asked(facts),
        **_made(facts),
        "findings": findings_of(facts.report),
        "questions": asked_of(facts.report, facts.pictures),
    }


def _asked(facts: Facts[Shader]) -> dict[str, JsonValue]:
    """What every request for a shader tells: the words, the frames, and what each picture shows."""
    settings = own(facts.settings)
    return {
        "instruction": facts.brief.instruction,
        "width": settings.width or 512,
        "height": settings.height or 512,
        "frames": len(times_of(settings)),
        "seconds": settings.seconds,
        "seamless": settings.loop,
        "pictures": [*captions(facts.pictures)],
    }


def _made(facts: Facts[Shader]) -> dict[str, JsonValue]:
    """The shader to change, and whether it is long enough to be edited in places."""
    code = _current(facts).source
    return {"shader": code, "editable": code.count("\n") + 1 >= EDITABLE}


def _current(facts: Facts[Shader]) -> Shader:
    assert facts.current is not None, "edits, repairs and critiques have a shader to work on"
    return facts.current


def _fix(facts: Facts[Shader]) -> ChatStep:
    """The error, and the reply that has it: whole, also where it was an edit, so that lines can be counted in it."""
    failure = facts.failure
    assert failure is not None, "a fix has a failure"
    ran, there = failure.failure_class == "E1", facts.current is not None
    inputs: dict[str, JsonValue] = {
        **_asked(facts),
        "error": failure.message,
        "moved": facts.moved,
        "examples": facts.examples,
    }
    if ran:
        reply = whole_reply(facts.reply, facts.current.code if facts.current else None)
        inputs |= {"reply": bounded(reply), "lines": named_lines(failure.message, reply)}
        inputs |= {"shader": _current(facts).source if there else ""}
    else:
        inputs |= {"reply": bounded(facts.reply), **target_inputs(facts, own(facts.settings).metric)}
        inputs |= _made(facts) if there else {"shader": "", "editable": False}
    return ChatStep(
        name="fix",
        kind="shader.fix",
        prompts=PROMPTS,
        template="fix_execution" if ran else "fix_format",
        system="system_change",
        inputs=inputs,
        pictures=facts.pictures,
    )


def _critique(facts: Facts[Shader]) -> ChatStep:
    """The request for a critique; or, after a reply that was none, the same with what was wrong."""
    shader, failure = _current(facts), facts.failure
    pictures = compared(facts.pictures) if facts.compares else facts.pictures
    common = critique_inputs(facts, "")
    common.pop("stated")
    return ChatStep(
        name="critique" if failure is None else "fix",
        kind="shader.critique" if failure is None else "shader.fix",
        prompts=PROMPTS,
        template="critique",
        system="system_critic",
        inputs={
            **common,
            "pictures": [*captions(pictures)],
            "change": facts.brief.on is not None,
            "target": facts.brief.target is not None,
            "frames": len(shader.frames),
            "seconds": shader.seconds,
            "seamless": shader.loop,
            "reply": bounded(facts.reply),
            "error": "" if failure is None else failure.message,
            "took": "" if facts.compares else took(shader),
        },
        schema=critique_schema(facts),
        pictures=pictures,
    )


def took(shader: Shader) -> str:
    """How long a frame takes to render, in words; empty where it was not measured."""
    if shader.milliseconds is None:
        return ""
    return f"{shader.milliseconds:.3g} ms a frame ({shader.width} × {shader.height}, {shader.compiler})"
