"""The requests of the scene studio: structured inputs, and the templates that put them into words.

Every request is complete in itself, and tells what was measured of the scene beside the script that made it. The
offline model answers from the same inputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.result import Picture
from redraft.studios.base import Facts, Kind, critique_schema
from redraft.studios.programs import EDITABLE, holds_edits
from redraft.studios.scene.execute import size_of
from redraft.studios.scene.inventory import inventory
from redraft.studios.scene.render import CLOSE
from redraft.studios.scene.spec import Scene, SceneSettings, own
from redraft.studios.target import score_inputs, target_inputs
from redraft.studios.wording import (
    asked_of,
    bounded,
    critique_inputs,
    critique_text,
    findings_of,
    idea_of,
    stated_of,
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
_CLOSE = re.compile(re.escape(CLOSE).replace(r"\{id\}", "(?P<id>.+)"))


def compose(kind: Kind, facts: Facts[Scene]) -> Block:
    """One step. Raises `BriefError` for a target that cannot be read."""
    of = facts.of if kind == "fix" else kind
    system = {"draft": "system", "critique": "system_critic"}.get(of, "system_short")
    template, inputs = of, _system_inputs(of, facts)
    if kind == "fix":
        assert facts.failure is not None, "a fix has a failure"
        ran = facts.failure.failure_class == "E1"
        template = "fix_critique" if of == "critique" else "fix_execution" if ran else "fix_format"
        inputs |= _fixed_critique(facts) if of == "critique" else _fix(facts, ran=ran)
    else:
        inputs |= {"draft": _draft, "edit": _edit, "repair": _repair, "critique": _critique}[of](facts)
    step = ChatStep(
        name=kind,
        kind=f"scene.{kind}",
        prompts=PROMPTS,
        template=template,
        system=system,
        inputs=inputs,
        schema=critique_schema(facts) if of == "critique" else None,
        pictures=() if template == "fix_execution" else facts.pictures,
    )
    return Block(name=kind, nodes=(step,))


def _system_inputs(of: Kind, facts: Facts[Scene]) -> dict[str, JsonValue]:
    """What the system prompt tells: where the script runs, how it is looked at, and how to state requirements.

    How to state them is told where new ones are due, or one may have to change.
    """
    if of == "critique":
        return {}
    settings, report = own(facts.settings), facts.report
    width, height = size_of(settings)
    faulty = report is not None and (report.set_aside or any(i.basis == "requirement" for i in report.questions))
    ran = facts.failure is not None and facts.failure.failure_class == "E1"
    due = of == "draft" or (of == "edit" and not facts.history) or bool(faulty)
    where: dict[str, JsonValue] = {
        "blender": settings.version,
        "width": width,
        "height": height,
        "seconds": settings.limit,
        "assets": _assets(settings),
        **stating("scene", wanted=due and not ran and not facts.strict and not facts.brief.described),
    }
    return where if of == "draft" else where | {"on": facts.base is not None}


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
        **_made(facts),
        **score_inputs(facts.score),
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique_text(facts.verdict) if facts.verdict and facts.verdict.by == "critic" else "",
    }


def _repair(facts: Facts[Scene]) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        **_made(facts),
        "questions": asked_of(facts.report, facts.pictures),
    }


def _made(facts: Facts[Scene]) -> dict[str, JsonValue]:
    scene = _current(facts)
    return {
        "script": scene.source,
        "long": _is_long(scene),
        "things": [*inventory(scene)],
        "notes": [*scene.facts.notes],
        "printed": scene.printed.strip()[-PRINTED:],
        "moved": facts.moved,
        "findings": findings_of(facts.report),
        "stated": stated_of(facts.report),
        "pictures": _captions(facts.pictures, facts),
    }


def _is_long(scene: Scene | None) -> bool:
    """Whether its script is changed by edits rather than sent again."""
    return scene is not None and scene.source.count("\n") >= EDITABLE


def _current(facts: Facts[Scene]) -> Scene:
    assert facts.current is not None, "edits, repairs and critiques have a scene to work on"
    return facts.current


def _captions(pictures: Sequence[Picture], facts: Facts[Scene]) -> list[JsonValue]:
    """What each picture shows, in order."""
    camera = _current(facts).facts.camera is not None
    render = "the render through the scene's camera" if camera else "a view from three quarters, as there is no camera"
    looks = iter(facts.looks)
    return [f"{picture.name}: {_caption(picture.name, render, looks)}" for picture in pictures]


def _caption(name: str, render: str, looks: Iterator[str]) -> str:
    if close := _CLOSE.fullmatch(name):
        return f"a close look at what {close['id']} is about"
    version, dash, rest = name.partition("-")
    of = f"version {version}, " if dash and version in ("A", "B") else ""
    shown = {
        "sheet.png": SHEET.format(render=render),
        "beside-target.png": "the target at the left, the render at the right",
        "target.png": "the target",
    }
    said = shown.get(rest if of else name)
    return f"{of}{said}" if said else f"the look that you asked for: {next(looks, name)}"


def _fix(facts: Facts[Scene], *, ran: bool) -> dict[str, JsonValue]:
    assert facts.failure is not None, "a fix has a failure"
    edits = holds_edits(facts.reply)  # of a whole script that ran, the one before is of no use
    script = facts.current.source if facts.current is not None and (edits or not ran) else ""
    return {
        **({} if ran else target_inputs(facts, own(facts.settings).metric, CELLS)),
        "instruction": facts.brief.instruction,
        "reply": bounded(facts.reply),
        "error": facts.failure.message,
        "script": script,
        "long": bool(script) and _is_long(facts.current),
        "moved": facts.moved,
        "examples": facts.examples,
    }


def _fixed_critique(facts: Facts[Scene]) -> dict[str, JsonValue]:
    assert facts.failure is not None, "a fix has a failure"
    return {
        "instruction": facts.brief.instruction,
        "reply": bounded(facts.reply),
        "error": facts.failure.message,
        "may_look": facts.may_look,
        "compares": facts.compares,
    }


def _critique(facts: Facts[Scene]) -> Inputs:
    return {
        **critique_inputs(facts, ""),
        "pictures": _captions(facts.pictures, facts),
        "change": facts.brief.on is not None,
        "target": facts.brief.target is not None,
        "things": [*inventory(_current(facts))],
    }
