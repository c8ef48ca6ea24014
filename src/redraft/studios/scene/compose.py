"""The requests of the scene studio: structured inputs, and the templates that put them into words.

Every request is complete in itself, and tells what was measured of the scene beside the script that made it. The
offline model answers from the same inputs.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.studios.base import CritiqueReply, Facts, Kind, SurveyReply
from redraft.studios.scene.execute import size_of
from redraft.studios.scene.inventory import inventory
from redraft.studios.scene.spec import Scene, SceneSettings, own
from redraft.studios.toward import score_inputs, target_inputs
from redraft.studios.wording import bounded, critique_text, idea_of, numbered

__all__ = ["PROMPTS", "compose"]

PROMPTS = Prompts("redraft.studios.scene")
CELLS = 300
"""Mean colours of a target that are told."""
MOST_ASSETS = 60
PRINTED = 600
"""Characters of what a script printed that are shown again."""


def compose(kind: Kind, facts: Facts[Scene]) -> Block:
    """One step. Raises `BriefError` for a target that cannot be read."""
    match kind:
        case "draft":
            step = _step(kind, _draft(facts), facts)
        case "edit":
            step = _step(kind, _edit(facts), facts)
        case "repair":
            step = _step(kind, _repair(facts), facts)
        case "fix":
            step = _fix(facts)
        case "critique":
            step = _critique(facts)
    return Block(name=kind, nodes=(step,))


def _step(kind: Kind, inputs: Inputs, facts: Facts[Scene]) -> ChatStep:
    return ChatStep(
        name=kind,
        kind=f"scene.{kind}",
        prompts=PROMPTS,
        template=kind,
        system="system",
        inputs={**_where(facts), **inputs},
        pictures=facts.pictures,
    )


def _where(facts: Facts[Scene]) -> dict[str, JsonValue]:
    """What the system prompt tells: where the script runs, and how it is looked at."""
    settings = own(facts.settings)
    width, height = size_of(settings)
    return {
        "blender": settings.version,
        "width": width,
        "height": height,
        "seconds": settings.limit,
        "assets": _assets(settings),
    }


def _assets(settings: SceneSettings) -> list[JsonValue]:
    """The files that a script may read, by path."""
    if not settings.assets:
        return []
    paths = sorted(path for path in Path(settings.assets).resolve().rglob("*") if path.is_file())
    return [str(path) for path in paths[:MOST_ASSETS]]


def _draft(facts: Facts[Scene]) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        **target_inputs(facts, own(facts.settings).metric, CELLS),
        "idea": idea_of(facts.idea),
        "history": facts.history,
    }


def _edit(facts: Facts[Scene]) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        **target_inputs(facts, own(facts.settings).metric, CELLS),
        **_made(_current(facts)),
        **score_inputs(facts.score),
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique_text(facts.verdict) if facts.verdict and facts.verdict.by == "critic" else "",
        "issues": numbered(facts.report.issues if facts.report else ()),
        "moved": facts.moved,
    }


def _repair(facts: Facts[Scene]) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        **_made(_current(facts)),
        "issues": numbered(facts.report.issues if facts.report else ()),
        "moved": facts.moved,
    }


def _made(scene: Scene) -> dict[str, JsonValue]:
    return {
        "script": scene.source,
        "things": [*inventory(scene)],
        "notes": [*scene.facts.notes],
        "printed": scene.printed.strip()[-PRINTED:],
    }


def _current(facts: Facts[Scene]) -> Scene:
    assert facts.current is not None, "edits, repairs and critiques have a scene to work on"
    return facts.current


def _fix(facts: Facts[Scene]) -> ChatStep:
    failure = facts.failure
    assert failure is not None, "a fix has a failure"
    if facts.of == "critique":
        return _fixed_critique(facts, failure.message)
    ran = failure.failure_class == "E1"
    return ChatStep(
        name="fix",
        kind="scene.fix",
        prompts=PROMPTS,
        template="fix_execution" if ran else "fix_format",
        system="system",
        inputs={
            **_where(facts),
            **({} if ran else target_inputs(facts, own(facts.settings).metric, CELLS)),
            "instruction": facts.brief.instruction,
            "reply": bounded(facts.reply),
            "error": failure.message,
            "script": "" if facts.current is None else facts.current.source,
            "moved": facts.moved,
            "examples": facts.examples,
        },
        pictures=() if ran else facts.pictures,
    )


def _fixed_critique(facts: Facts[Scene], error: str) -> ChatStep:
    return ChatStep(
        name="fix",
        kind="scene.fix",
        prompts=PROMPTS,
        template="fix_critique",
        system="system_critic",
        inputs={
            "instruction": facts.brief.instruction,
            "reply": bounded(facts.reply),
            "error": error,
            "may_look": facts.may_look,
        },
        schema=_verdict(facts),
        pictures=facts.pictures,
    )


def _critique(facts: Facts[Scene]) -> ChatStep:
    scene, looked = _current(facts), [*facts.looks]
    return ChatStep(
        name="critique",
        kind="scene.critique",
        prompts=PROMPTS,
        template="critique",
        system="system_critic",
        inputs={
            "instruction": facts.brief.instruction,
            "change": facts.brief.on is not None,
            "target": facts.brief.target is not None,
            "camera": scene.facts.camera is not None,
            "things": [*inventory(scene)],
            "looks": cast("JsonValue", looked),
            "may_look": facts.may_look,
        },
        schema=_verdict(facts),
        pictures=facts.pictures,
    )


def _verdict(facts: Facts[Scene]) -> type[CritiqueReply]:
    return SurveyReply if facts.may_look else CritiqueReply
