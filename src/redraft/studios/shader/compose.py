"""The requests of the shader studio: structured inputs, and the templates that put them into words.

Every request is complete in itself. A target is told to every model as a grid of mean colours; one that sees is shown
it, too. The offline model answers from the same inputs.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import JsonValue

from redraft.brief import Brief
from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.errors import BriefError
from redraft.studios.base import CritiqueReply, Discovery, Facts, Kind
from redraft.studios.shader.execute import times_of
from redraft.studios.shader.quoting import named_lines
from redraft.studios.shader.spec import Shader, own
from redraft.studios.toward import score_inputs, target_inputs
from redraft.studios.wording import bounded, critique_text, idea_of, numbered

__all__ = ["PROMPTS", "compose", "discover", "reference_of"]

PROMPTS = Prompts("redraft.studios.shader")
MAX_REFERENCE = 60_000
"""Characters of a reference; a page of notes has three thousand, a long shader thirty."""


def compose(kind: Kind, facts: Facts[Shader]) -> Block:
    """One step. Raises `BriefError` for a target that cannot be read."""
    match kind:
        case "draft":
            step = _step(kind, "draft", _draft(facts), facts)
        case "edit":
            step = _step(kind, "edit", _edit(facts), facts)
        case "repair":
            step = _step(kind, "repair", _repair(facts), facts)
        case "fix":
            step = _fix(facts)
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


def _step(kind: Kind, template: str, inputs: Inputs, facts: Facts[Shader]) -> ChatStep:
    return ChatStep(
        name=kind,
        kind=f"shader.{kind}",
        prompts=PROMPTS,
        template=template,
        system="system",
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
        **target_inputs(facts, own(facts.settings).metric),
        "shader": _current(facts).source,
        **score_inputs(facts.score),
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique_text(facts.verdict) if facts.verdict and facts.verdict.by == "critic" else "",
        "issues": numbered(facts.report.issues if facts.report else ()),
        "discovery": facts.discovery,
    }


def _repair(facts: Facts[Shader]) -> Inputs:
    return {
        **_asked(facts),
        "shader": _current(facts).source,
        "issues": numbered(facts.report.issues if facts.report else ()),
    }


def _asked(facts: Facts[Shader]) -> dict[str, JsonValue]:
    settings = own(facts.settings)
    return {
        "instruction": facts.brief.instruction,
        "width": settings.width or 512,
        "height": settings.height or 512,
        "frames": len(times_of(settings)),
        "seconds": settings.seconds,
        "seamless": settings.loop,
    }


def _current(facts: Facts[Shader]) -> Shader:
    assert facts.current is not None, "edits, repairs and critiques have a shader to work on"
    return facts.current


def _fix(facts: Facts[Shader]) -> ChatStep:
    failure = facts.failure
    assert failure is not None, "a fix has a failure"
    critic, ran = facts.of == "critique", failure.failure_class == "E1"
    words: Inputs = {**_asked(facts), "lines": named_lines(failure.message, facts.reply)}
    return ChatStep(
        name="fix",
        kind="shader.fix",
        prompts=PROMPTS,
        template="fix_execution" if ran else "fix_format",
        system="system_critic" if critic else "system",
        inputs={
            **(words if ran else {**_asked(facts), **target_inputs(facts, own(facts.settings).metric), "of": facts.of}),
            "instruction": facts.brief.instruction,
            "reply": bounded(facts.reply),
            "error": failure.message,
            "shader": "" if critic or facts.current is None else facts.current.source,
            "moved": facts.moved,
            "examples": facts.examples,
        },
        schema=CritiqueReply if critic else None,
        pictures=() if ran else facts.pictures,
    )


def _critique(facts: Facts[Shader]) -> ChatStep:
    shader = _current(facts)
    return ChatStep(
        name="critique",
        kind="shader.critique",
        prompts=PROMPTS,
        template="critique",
        system="system_critic",
        inputs={
            "instruction": facts.brief.instruction,
            "change": facts.brief.on is not None,
            "target": facts.brief.target is not None,
            "frames": len(shader.frames),
            "seconds": shader.seconds,
            "seamless": shader.loop,
        },
        schema=CritiqueReply,
        pictures=facts.pictures,
    )
