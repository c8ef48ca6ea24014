"""Answers of the offline model to the scene studio's requests: a grammar, primitives and rules, no language model.

The instruction is read by the grammar, its things are placed as primitives, and the scene is written as a Blender
script. A script carries the words that it was made from in one comment line, so an edit builds the scene anew with its
words added. The model sees no picture; every `approach` says what it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic import JsonValue

from redraft.brief import TOWARD
from redraft.errors import ContradictionError, ModelRefusedError
from redraft.ideas.offline.chosen import narrative_of
from redraft.layout.requirements import agreed, merged
from redraft.layout.requirements.kinds import measure
from redraft.layout.requirements.reading import statements
from redraft.layout.requirements.statement import id_of
from redraft.models.base import Reply, Request
from redraft.models.offline import OFFLINE, FullAnswer, fenced
from redraft.offline.english import grammar
from redraft.offline.english.edits import Recolour, read_edits
from redraft.offline.english.stating import stated
from redraft.offline.lexicon import hex_of
from redraft.result import Measured
from redraft.studios.scene.offline.placing import Plan, plan_layout, planned
from redraft.studios.scene.offline.reading import read
from redraft.studios.scene.offline.script import script
from redraft.studios.scene.parse import as_reply
from redraft.studios.scene.spec import Change, Draft

ME = "rule-based offline model"
CHANGED = "the instruction changes it"
MAX_QUOTE = 400
"""Characters of a quote, as a reply's are cut."""
_HEADER = re.compile(r"^# scene: (\{.*\})$", re.MULTILINE)
_NAME = re.compile(r"^(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")")
Raw = list[JsonValue]


def written(brief: str, edits: Sequence[str] = ()) -> tuple[str, Plan]:
    """Return the script for a brief and the edits since, and the plan that it was written from.

    Raises:
        ContradictionError: the words exclude each other.
    """
    plan = planned(read(brief, edits))
    return script(brief, {"brief": brief, "edits": list(edits)}, plan), plan


def draft(request: Request) -> Reply:
    """Return the scene of the words; a target that comes without any is refused.

    Raises:
        ModelRefusedError: there is only a target.
    """
    text = _text(request, "instruction")
    if text == TOWARD:
        raise ModelRefusedError(
            "The offline model builds scenes from words, not toward a target. Choose a language model with --model, or "
            "say what to build."
        )
    brief = narrative_of(request) or text
    return _scene(brief, [], _requirements_of(text, written(brief)[1]) if _states(request) else [])


def edit(request: Request) -> str | Reply:
    """Return the scene built anew with the new words; unchanged where it has these words already.

    Raises:
        ModelRefusedError: another model wrote the script.
    """
    text = _text(request, "instruction")
    own = _own(_text(request, "current"))
    if own is None:
        raise ModelRefusedError(
            "The offline model edits only scripts that it wrote itself, and another model wrote this one. Choose a "
            "language model with --model."
        )
    brief, edits = own
    if {text.strip(), narrative_of(request)} & {brief.strip(), *(edit.strip() for edit in edits[-1:])}:
        return repair(request)

    # Of a run that continues another, the objects that are other ones, or elsewhere, in the scene built anew.
    all_edits = [*edits, text]
    changes: list[Change] = []
    if request.inputs.get("on"):
        before, after = written(brief, edits)[1], written(brief, all_edits)[1]
        was, now = ({thing.name: thing for thing in plan.things} for plan in (before, after))
        for match in map(_NAME.match, cast("Sequence[str]", request.inputs.get("things", ()))):
            name = "" if match is None else match[1] or match[2]
            if match and ((name == "Ground" and before.ground != after.ground) or was.get(name) != now.get(name)):
                changes.append(Change(part=name, reason=CHANGED, quote=text[:MAX_QUOTE]))
    requirements = _edited_requirements(brief, all_edits) if _states(request) else []
    return _scene(brief, all_edits, requirements, tuple(changes))


def repair(request: Request) -> str:
    """Leave the scene as it is: its solids are where the words ask for them, and it cannot correct another's."""
    return f"APPROACH: {ME}: has nothing to add to what was measured\n"


def fix(request: Request) -> str | Reply:
    """Return the scene anew: its own replies run as they are, and it cannot correct another's."""
    if "compares" in request.inputs:
        return critique(request)
    own = _own(_text(request, "reply")) or _own(_text(request, "current"))
    return _scene(*own, []) if own is not None else draft(request)


def critique(request: Request) -> str:
    """Return an answer without a judgment: the model does not see pictures."""
    verdict: dict[str, object] = {
        "satisfied": False,
        "score": 0,
        "summary": f"The {ME} cannot see pictures; not checked.",
        "differences": [],
        **({"better": "same"} if request.inputs.get("compares") else {}),
    }
    return fenced(verdict)


def _scene(brief: str, edits: Sequence[str], requirements: Raw, changes: tuple[Change, ...] = ()) -> Reply:
    """Return the scene of a brief and its edits as a reply, with the words that it does not keep."""
    code, plan = written(brief, edits)
    things = ", ".join(thing.name for thing in plan.things)
    unread = f"; not understood: {', '.join(plan.unread)[:160]}" if plan.unread else ""
    approach = " ".join(f"placed {things[:160]} in {plan.light} light{unread}".split())

    named = grammar.named_in(". ".join((brief, *edits)), plan.unread)
    blocks = () if named and brief in plan.unread else plan.placeholders  # one block, labeled with all of it
    idle = edits[-1:] if edits and replace(planned(read(brief, edits[:-1])), unread=plan.unread) == plan else ()
    stand_ins = tuple(dict.fromkeys((*blocks, *named, *idle)))

    reply = Draft(
        approach=f"{ME}: {approach}", code=code.rstrip("\n"), requirements=tuple(requirements), changes=changes
    )
    return Reply(text=as_reply(reply), model=OFFLINE, stand_ins=stand_ins)


def _requirements_of(text: str, plan: Plan, before: Plan | None = None) -> Raw:
    """Return the requirements of a text on the things of a plan; of an edit, with the plan before it."""
    layout = plan_layout(plan)
    labels = tuple(dict.fromkeys(item.label for item in layout))
    try:
        reading = grammar.read(text, present=labels)
    except ContradictionError:
        return []
    earlier = plan.things if before is None else before.things
    added = {thing.name for thing in plan.things} - {thing.name for thing in earlier}
    requirements: Raw = [
        requirement.model_dump(mode="json", exclude_defaults=True, exclude={"id"})
        for requirement in stated(reading, layout, added=added)
    ]
    for change in read_edits(text, labels):
        if isinstance(change, Recolour) and hex_of(change.colour):
            noun = change.noun
            parts: Raw = [item.name for item in layout if item.label == noun or item.label.endswith(f" {noun}")]
            if parts:
                quote = text[:MAX_QUOTE]
                requirements.append({"kind": "color", "parts": parts, "color": change.colour, "quote": quote})
    return requirements


def _edited_requirements(brief: str, edits: Sequence[str]) -> Raw:
    """Return the requirements of the last edit of a scene.

    Earlier requirements that an edit breaks are stated anew: as its color, or as the number of things that are there.
    """
    plan = written(brief)[1]
    requirements = new = [*merged((), _requirements_of(brief, plan))]
    for count, text in enumerate(edits, start=1):
        after = written(brief, edits[:count])[1]
        broken_before = {measured.id for measured in _broken(requirements, text, plan)}
        new = _requirements_of(text, after, plan)
        for measured in _broken(requirements, text, after):
            if measured.id in broken_before:
                continue
            earlier = _fields(next(entry for entry in requirements if id_of(entry) == measured.id))
            color = None
            if measured.kind == "color":
                colors = [entry for entry in new if _fields(entry)["kind"] == "color"]
                color = next((c for c in colors if {*measured.subjects} <= {*_fields(c)["parts"]}), None)
            if color is not None:
                new.remove(color)
            parts = earlier["parts"] if measured.kind == "count" else [f"{name}*" for name in measured.subjects]
            count_of_them: dict[str, Any] = {"kind": "count", "parts": parts, "number": len(measured.subjects)}
            instead = count_of_them if color is None else _fields(color)
            new.append(instead | {"id": measured.id, "quote": text[:MAX_QUOTE], "reason": CHANGED})
        requirements, plan = [*merged(requirements, new)], after
    return new


def _broken(requirements: Raw, text: str, plan: Plan) -> list[Measured]:
    layout = plan_layout(plan)
    stated_here = statements(agreed(requirements), text, layout).requirements
    return [measured for measured in measure(stated_here, layout) if measured.outcome == "broken"]


def _fields(entry: JsonValue) -> dict[str, Any]:
    return cast("dict[str, Any]", entry)


def _own(code: str) -> tuple[str, list[str]] | None:
    """Return brief and edits that the model's own script was made from; None for another model's."""
    match = _HEADER.search(code)
    header: dict[str, Any] = json.loads(match[1]) if match is not None else {}
    return (str(header["brief"]), list(header["edits"])) if "brief" in header else None


def _states(request: Request) -> bool:
    """Return whether requirements are due in the reply."""
    return bool(request.inputs.get("kinds"))


def _text(request: Request, name: str) -> str:
    return str(request.inputs.get(name, ""))


ANSWERS: Mapping[str, FullAnswer] = {
    "scene.draft": draft,
    "scene.edit": edit,
    "scene.repair": repair,
    "scene.fix": fix,
    "scene.critique": critique,
}
