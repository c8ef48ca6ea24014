"""Rule-based answers to the requests of the scene studio: a grammar, primitives and rules, no language model.

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
from redraft.models.offline import OFFLINE, FullAnswer
from redraft.offline.english import grammar
from redraft.offline.english.edits import Recolour, read_edits
from redraft.offline.english.stating import stated
from redraft.offline.lexicon import hex_of
from redraft.result import Measured
from redraft.studios.scene.offline.placing import Plan, layout_of, planned
from redraft.studios.scene.offline.reading import read
from redraft.studios.scene.offline.script import script
from redraft.studios.scene.parse import as_reply
from redraft.studios.scene.spec import Change, Draft

__all__ = ["ANSWERS", "written"]

ME = "rule-based offline model"
_HEADER = re.compile(r"^# scene: (\{.*\})$", re.MULTILINE)
_NAMED = re.compile(r"^(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")")
CHANGED = "the instruction changes it"
Raw = list[JsonValue]


def written(brief: str, edits: Sequence[str] = ()) -> tuple[str, Plan]:
    """The script for a brief and the edits since, and the plan that it was written from.

    Raises:
        ContradictionError: the words exclude each other.
    """
    plan = planned(read(brief, edits))
    return script(brief, {"brief": brief, "edits": list(edits)}, plan), plan


def _draft(request: Request) -> Reply:
    """The scene of the words; a target that comes without any is refused.

    Raises:
        ModelRefusedError: there is only a target.
    """
    if _text(request, "instruction") == TOWARD:
        raise ModelRefusedError(
            "The offline model builds scenes from words, not toward a target. Choose a language model with --model, or "
            "say what to build."
        )
    brief = narrative_of(request) or _text(request, "instruction")
    return _scene(brief, [], _stated(_text(request, "instruction"), written(brief)[1]) if _due(request) else [])


def _edit(request: Request) -> str | Reply:
    """The scene built anew with the new words; unchanged where it has these words already.

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
        return f"APPROACH: {ME}: has nothing to add to what was measured\n"
    after = [*edits, text]
    changes = _changes(request, text, written(brief, edits)[1], written(brief, after)[1])
    return _scene(brief, after, _statements(brief, after)[1] if _due(request) else [], changes)


def _repair(request: Request) -> str:
    """The scene as it is: its solids are where the words ask for them, and it cannot correct another's."""
    return f"APPROACH: {ME}: has nothing to add to what was measured\n"


def _fix(request: Request) -> str | Reply:
    """The attempt anew: its own replies run as they are, and it cannot correct another's."""
    if "compares" in request.inputs:
        return _critique(request)
    own = _own(_text(request, "reply")) or _own(_text(request, "current"))
    return _scene(*own, []) if own is not None else _draft(request)


def _critique(request: Request) -> str:
    """It does not see, and so it cannot judge."""
    verdict: dict[str, object] = {
        "satisfied": False,
        "score": 0,
        "summary": f"The {ME} cannot see pictures; not checked.",
        "differences": [],
        **({"better": "same"} if request.inputs.get("compares") else {}),
    }
    return "```json\n" + json.dumps(verdict) + "\n```\n"


def _scene(brief: str, edits: Sequence[str], requirements: Raw, changes: tuple[Change, ...] = ()) -> Reply:
    code, plan = written(brief, edits)
    things = ", ".join(one.name for one in plan.things)
    left = f"; not understood: {', '.join(plan.unread)[:160]}" if plan.unread else ""
    named = grammar.named_in(". ".join((brief, *edits)), plan.unread)
    blocks = () if named and brief in plan.unread else plan.placeholders  # one block, labeled with all of it
    idle = edits[-1:] if edits and replace(planned(read(brief, edits[:-1])), unread=plan.unread) == plan else ()
    unmade = tuple(dict.fromkeys((*blocks, *named, *idle)))
    return _said(f"placed {things[:160]} in {plan.light} light{left}", code, tuple(requirements), changes, unmade)


def _said(
    approach: str,
    code: str,
    requirements: tuple[JsonValue, ...] = (),
    changes: tuple[Change, ...] = (),
    stand_ins: tuple[str, ...] = (),
) -> Reply:
    approach = f"{ME}: {' '.join(approach.split())}"
    draft = Draft(approach=approach, code=code.rstrip("\n"), requirements=requirements, changes=changes)
    return Reply(text=as_reply(draft), model=OFFLINE, stand_ins=stand_ins)


def _stated(text: str, plan: Plan, before: Plan | None = None) -> Raw:
    """What a text asks for, as requirements on the things of a plan; of an edit, with the plan before it."""
    layout = layout_of(plan)
    labels = tuple(dict.fromkeys(item.label for item in layout))
    try:
        reading = grammar.read(text, present=labels)
    except ContradictionError:
        return []
    found: Raw = []
    added = set[str]() if before is None else {one.name for one in plan.things} - {one.name for one in before.things}
    for requirement in stated(reading, layout, added=added):
        found.append(requirement.model_dump(mode="json", exclude_defaults=True, exclude={"id"}))
    colors = [edit for edit in read_edits(text, labels) if isinstance(edit, Recolour) and hex_of(edit.colour)]
    for edit in colors:
        parts: Raw = [item.name for item in layout if item.label == edit.noun or item.label.endswith(f" {edit.noun}")]
        if parts:
            found.append({"kind": "color", "parts": parts, "color": edit.colour, "quote": text[:400]})
    return found


def _statements(brief: str, edits: Sequence[str]) -> tuple[Raw, Raw]:
    """The requirements of a scene and its edits, all of them and those of the last edit.

    Earlier requirements that an edit breaks are stated anew, as the number of things that are there.
    """
    plan = written(brief)[1]
    found = new = [*merged((), _stated(brief, plan))]
    for k, text in enumerate(edits, start=1):
        after = written(brief, edits[:k])[1]
        old, now = ([m for m in _measured(found, text, one) if m.outcome == "broken"] for one in (plan, after))
        broken = [one for one in now if one.id not in {earlier.id for earlier in old}]
        new = _stated(text, after, plan)
        for one in broken:
            earlier = cast("dict[str, JsonValue]", next(entry for entry in found if id_of(entry) == one.id))
            color = next((entry for entry in new if one.kind == "color" and _paints(entry, one.subjects)), None)
            if color is not None:
                new.remove(color)
            parts: JsonValue = earlier["parts"] if one.kind == "count" else [f"{name}*" for name in one.subjects]
            count: JsonValue = {"kind": "count", "parts": parts, "number": len(one.subjects)}
            instead = cast("dict[str, JsonValue]", color or count)
            new.append({**instead, "id": one.id, "quote": text[:400], "reason": CHANGED})
        found, plan = [*merged(found, new)], after
    return found, new


def _paints(statement: JsonValue, names: Sequence[str]) -> bool:
    """Whether a statement gives all of some things a color."""
    fields = cast("dict[str, Any]", statement)
    return fields["kind"] == "color" and {*names} <= {*fields["parts"]}


def _measured(raw: Raw, text: str, plan: Plan) -> Sequence[Measured]:
    layout = layout_of(plan)
    return measure(statements(agreed(raw), text, layout).requirements, layout)


def _changes(request: Request, text: str, before: Plan, after: Plan) -> tuple[Change, ...]:
    """The objects of an earlier scene that are other ones, or elsewhere, in the scene built anew."""
    if not request.inputs.get("on"):
        return ()
    things = cast("Sequence[str]", request.inputs.get("things", ()))
    names = [m[1] or m[2] for m in map(_NAMED.match, things) if m is not None]
    was, now = ({one.name: one for one in plan.things} for plan in (before, after))
    changed = [n for n in names if (n == "Ground" and before.ground != after.ground) or was.get(n) != now.get(n)]
    return tuple(Change(part=name, reason=CHANGED, quote=text[:400]) for name in changed)


def _own(code: str) -> tuple[str, list[str]] | None:
    """Brief and edits that its own script was made from; None for another model's."""
    found = _HEADER.search(code)
    header: dict[str, Any] = json.loads(found[1]) if found is not None else {}
    return (str(header["brief"]), list(header["edits"])) if "brief" in header else None


def _due(request: Request) -> bool:
    """Whether requirements are to be stated."""
    return bool(request.inputs.get("kinds"))


def _text(request: Request, name: str) -> str:
    return str(request.inputs.get(name, ""))


ANSWERS: Mapping[str, FullAnswer] = {
    "scene.draft": _draft,
    "scene.edit": _edit,
    "scene.repair": _repair,
    "scene.fix": _fix,
    "scene.critique": _critique,
}
