"""What the offline model answers to the scene studio's requests: a grammar, solids and rules, no language model.

It reads the instruction, places solids so that what it understood holds, and writes that as a Blender script. Its
scripts carry what was said so far in one comment line, so that an edit builds the scene anew with the new words. It
sees no picture; in every `approach` it says what it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import JsonValue

from redraft.english.grammar import read
from redraft.english.stating import stated
from redraft.errors import ContradictionError, FormatError
from redraft.models.base import Request
from redraft.models.offline import Answer
from redraft.offline.imagined import imagined
from redraft.offline.scene.foreign import amended, object_names
from redraft.offline.scene.pen import Pen
from redraft.offline.scene.plan import Plan, layout_of, planned
from redraft.offline.scene.script import script
from redraft.offline.scene.stage import staged
from redraft.offline.scene.stood import cloud
from redraft.offline.scene.target import level_of, toward
from redraft.offline.scene.wishes import wishes
from redraft.studios.scene.parse import as_reply, parse
from redraft.studios.scene.spec import Change, Draft

__all__ = ["ANSWERS", "written"]

ME = "rule-based offline model"
_HEADER = re.compile(r"^# scene: (\{.*\})$", re.MULTILINE)
_LINE = re.compile(r"\bline (\d+)\b")
_CODES = re.compile(r"`([^`]+)`")
_FINDS = re.compile(r"\bnamed\('([^']+)'\)")


def written(brief: str, edits: Sequence[str], seed: int) -> tuple[str, Plan]:
    """The script for a brief and the edits since, and what it was written from.

    Raises:
        ContradictionError: the words exclude each other.
    """
    plan = planned(wishes(brief, edits), seed)
    pen = Pen()
    stage = staged(plan.things, [cloud(one) for one in plan.things], plan.setting, pen)
    header = {"brief": brief, "edits": list(edits), "seed": seed}
    return script(brief, header, plan.things, stage, pen), plan


def _draft(request: Request) -> str:
    if grid := _target(request):
        return _said(*toward(grid, 0, _aspect(request)))
    return _anew(_asked(request), [], request.seed, _statable(request))


def _asked(request: Request) -> str:
    """The chosen idea where it keeps all that is asked for, else what is asked for."""
    return imagined(request) or _text(request, "instruction")


def _edit(request: Request) -> str:
    """A target one step finer; its own scene built anew with the new words; another's with a block at its end."""
    code, text, issues = _text(request, "script"), _text(request, "instruction"), _issues(request)
    if grid := _target(request):
        level = level_of(code)
        return _said(*toward(grid, 0 if level is None else level + 1, _aspect(request)))
    own = _own(code)
    if own is None or _again(request, own):
        found = _mended(request, code, text if own is None else "", issues)
        return found or _anew(_asked(request), [], request.seed, _statable(request))
    before = planned(wishes(own["brief"], own["edits"]), own["seed"])
    after = planned(wishes(own["brief"], [*own["edits"], text]), own["seed"])
    changes = _changes(text, _redone(_names(request), before, after)) if request.inputs.get("on") else ()
    return _anew(own["brief"], [*own["edits"], text], own["seed"], _statable(request), changes)


def _redone(names: Sequence[str], before: Plan, after: Plan) -> list[str]:
    """Objects that a scene built anew does not have as they were, scenery among them."""
    was, now = ({one.name: one for one in plan.things} for plan in (before, after))
    return [name for name in names if name not in was or now.get(name) != was[name]]


def _names(request: Request) -> list[str]:
    return object_names(cast("Sequence[str]", request.inputs.get("things", ())))


def _changes(text: str, names: Sequence[str]) -> tuple[Change, ...]:
    return tuple(Change(part=name, reason="the instruction changes it", quote=text[:400]) for name in names)


def _repair(request: Request) -> str:
    """Every prepared fix accepted; else the fixes that issues state as code; else its own scene with another seed."""
    code = _text(request, "script")
    own = _own(code)
    if accepted := [q["id"] for q in _listed(request, "questions") if q["fix"]]:
        return _accepting(accepted)
    found = _mended(request, code, "", _issues(request))
    if found is not None:
        return found
    if own is None:
        return f"APPROACH: {ME}: understands none of the issues, and leaves the script as it is\n"
    return _anew(own["brief"], own["edits"], own["seed"] + 1)


def _accepting(ids: Sequence[str]) -> str:
    rulings = [{"id": name, "ruling": "must", "accept": True, "reason": "a fix was prepared"} for name in ids]
    block = json.dumps({"rulings": rulings})
    return f"APPROACH: {ME}: accepts {len(ids)} prepared fix{'es' * (len(ids) > 1)}\n\n```json\n{block}\n```\n"


def _statable(request: Request) -> str:
    """The words to state requirements from; none where they are not wanted."""
    return _text(request, "instruction") if request.inputs.get("kinds") else ""


def _issues(request: Request) -> str:
    """All that was found, as one text."""
    return "\n".join(str(issue) for name in ("findings", "questions") for issue in _listed(request, name))


def _listed(request: Request, name: str) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", request.inputs.get(name, []))


def _fix(request: Request) -> str:
    """What Blender's hints say for the failing line; else the attempt anew."""
    if "compares" in request.inputs:
        return _critique(request)
    try:
        draft = parse(_text(request, "reply"), _text(request, "script") or None)
    except FormatError:
        return _draft(request)
    fixed = _hinted(draft.code, _text(request, "error"))
    if fixed is not None:
        return _said("replaces what Blender no longer has by what it names", fixed)
    return _anew(_text(request, "instruction"), [], request.seed + 1, _statable(request))


def _critique(request: Request) -> str:
    """It does not see, and so it cannot judge."""
    verdict: dict[str, object] = {
        "satisfied": False,
        "score": 0,
        "summary": f"The {ME} cannot see pictures; nobody looked.",
        "differences": [],
        "rulings": [],
        **({"better": "same"} if request.inputs.get("compares") else {}),
    }
    return "```json\n" + json.dumps(verdict) + "\n```\n"


def _anew(brief: str, edits: Sequence[str], seed: int, said: str = "", changes: tuple[Change, ...] = ()) -> str:
    """A scene of its own; `said` are the words that it states requirements from."""
    code, plan = written(brief, edits, seed)
    things = ", ".join(dict.fromkeys(one.name for one in plan.things)) or "nothing it knows"
    left = f"; not understood: {', '.join(plan.unmet)[:160]}" if plan.unmet else ""
    return _said(f"placed {things[:160]} in {plan.setting.light} light{left}", code, _stated(said, plan), changes)


def _stated(text: str, plan: Plan) -> tuple[JsonValue, ...]:
    """What it reads in the words, as requirements on the things that it placed."""
    layout = layout_of(plan)
    try:
        reading = read(text, present=tuple(dict.fromkeys(item.label for item in layout)))
    except ContradictionError:
        return ()
    return tuple(r.model_dump(mode="json", exclude_defaults=True) for r in stated(reading, layout))


def _mended(request: Request, code: str, text: str, issues: str) -> str | None:
    """A block at the script's end; what it names is listed."""
    names = _names(request)
    found = amended(code, text, issues, names)
    if found is None:
        return None
    added = found[1][len(code.rstrip()) :]
    words = _FINDS.findall(added)
    named = [n for n in names if repr(n) in added or any(word in n.lower() for word in words)]
    return _said(*found, changes=_changes(text, named) if request.inputs.get("on") else ())


def _own(code: str) -> dict[str, Any] | None:
    """What the header of its own script says; None for another's."""
    found = _HEADER.search(code)
    return None if found is None else cast("dict[str, Any]", json.loads(found[1]))


def _again(request: Request, own: Mapping[str, Any]) -> bool:
    """Whether the words are the ones that the scene was already built from: then the issues are what is new."""
    said = {_text(request, "instruction").strip(), _asked(request).strip()}
    return not said.isdisjoint({str(own["brief"]).strip(), *(e.strip() for e in own["edits"][-1:])})


def _hinted(code: str, error: str) -> str | None:
    """The script with the failing line changed as the first fitting hint says: "`old` …; use `new`"."""
    lines = code.splitlines()
    numbers = [int(n) for n in _LINE.findall(error) if 0 < int(n) <= len(lines)]
    for hint in error.splitlines() if numbers else ():
        codes = _CODES.findall(hint) if hint.startswith("- ") and "use `" in hint else []
        if len(codes) > 1 and codes[0] in lines[numbers[-1] - 1]:
            lines[numbers[-1] - 1] = lines[numbers[-1] - 1].replace(codes[0], codes[-1], 1)
            return "\n".join(lines)
    return None


def _target(request: Request) -> Sequence[Sequence[str]]:
    return cast("Sequence[Sequence[str]]", request.inputs.get("target", []))


def _aspect(request: Request) -> float:
    """Width over height of the picture; by the grid where the request tells no pixels."""
    width, height = request.inputs.get("width"), request.inputs.get("height")
    if isinstance(width, int) and isinstance(height, int):
        return width / height
    grid = _target(request)
    return len(grid[0]) / len(grid)


def _said(approach: str, code: str, requirements: tuple[JsonValue, ...] = (), changes: tuple[Change, ...] = ()) -> str:
    approach = f"{ME}: {' '.join(approach.split())}"
    return as_reply(Draft(approach=approach, code=code.rstrip("\n"), requirements=requirements, changes=changes))


def _text(request: Request, name: str) -> str:
    return str(request.inputs.get(name, ""))


ANSWERS: Mapping[str, Answer] = {
    "scene.draft": _draft,
    "scene.edit": _edit,
    "scene.repair": _repair,
    "scene.fix": _fix,
    "scene.critique": _critique,
}
