"""From a model's reply to a draft or a patch; what is neither is E2, in words that say how to fix it.

Statements, rulings and lists of changes are read leniently: a faulty one never costs a drawing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, JsonValue, ValidationError

from redraft.errors import FormatError
from redraft.replies import Json, json_in
from redraft.requirements import rulings_in
from redraft.studios.base import Kind
from redraft.studios.sketch.faults import describe
from redraft.studios.sketch.patch import Change, Patch, PatchError, apply, permitted
from redraft.studios.sketch.spec import MAX_PARTS, MAX_STROKES, Draft, Drawing, Part

__all__ = ["parse"]

ModelT = TypeVar("ModelT", bound=BaseModel)

_FIELDS = frozenset({*Draft.model_fields, *Patch.model_fields} - {"approach"})
_OF_PATCHES = frozenset({*Patch.model_fields} - {*Draft.model_fields})


def parse(kind: Kind, text: str, base: Drawing | None, *, strict: bool = False) -> Draft | Patch:
    """A reply to a draft, edit or repair request.

    An edit patches `base`; on a blank canvas it is a draft. A repair is a patch, or the whole drawing again where
    nothing is protected; a `strict` one keeps the plan.

    Raises:
        FormatError: E2.
    """
    found = json_in(text, _FIELDS, "drawing")
    if base is None or not base.strokes or kind not in ("edit", "repair"):
        return _validated(Draft, found)
    if kind == "edit" or not _is_whole(found, base):
        patch = _fitting(_validated(Patch, found), base)
        if kind == "repair" and strict and (patch.remove or patch.plan):
            name = patch.remove[0] if patch.remove else patch.plan[0].name
            did = "removes" if patch.remove else "adds"
            raise FormatError(
                f"The repair changes the plan: it {did} {name!r}. A repair corrects coordinates and sizes only."
            )
        return patch
    if base.protected:
        raise FormatError(
            "The reply is a whole drawing, and this run continues an earlier one, whose parts are protected. Send only "
            "what changes: move, scale, restyle, redraw, remove, new parts in plan; list changed parts in changes."
        )
    draft = _validated(Draft, found)
    return _same_plan(draft, base) if strict else draft


def _is_whole(found: Json, base: Drawing) -> bool:
    """Whether a repair is the whole drawing: its plan has parts that are there, and it has no field of patches."""
    if "plan" not in found or _OF_PATCHES & found.keys():
        return False
    names = [part.name for part in base.plan]  # what a reply calls a name may be anything
    plan: object = found["plan"]
    entries = cast("list[object]", plan) if isinstance(plan, list) else []
    return not entries or any(cast("Json", e).get("name") in names for e in entries if isinstance(e, dict))


def _validated(model: type[ModelT], found: Json) -> ModelT:
    for name, most in (("strokes", MAX_STROKES), ("plan", MAX_PARTS)):
        entries: object = found.get(name)
        if isinstance(entries, list) and (count := len(cast("list[object]", entries))) > most:
            raise FormatError(f"{name}: there are {count:,}; at most {most:,} are allowed. Draw it simpler.")
    drawn = {name: value for name, value in found.items() if name not in _LENIENT or name not in model.model_fields}
    try:
        reply = model.model_validate_json(json.dumps(drawn))
    except ValidationError as error:
        raise FormatError(describe(model, error, found)) from error
    update = {name: read(_clean(found[name])) for name, read in _LENIENT.items() if name in found.keys() - drawn.keys()}
    return reply.model_copy(update=update)


def _clean(raw: object) -> Any:
    """Without halves of surrogate pairs, which no file can hold."""
    return json.loads(json.dumps(raw, ensure_ascii=False).encode("utf-8", "replace"))


def _entries(raw: JsonValue) -> tuple[JsonValue, ...]:
    return tuple(raw) if isinstance(raw, list) else () if raw is None else (raw,)


def _changes(raw: JsonValue) -> tuple[Change, ...]:
    """What is listed as changed, a bare name too; what is malformed is dropped, and so protects its part."""
    found: list[Change] = []
    for entry in _entries(raw)[:MAX_PARTS]:
        fields = {"part": entry} if isinstance(entry, str) else entry
        if isinstance(fields, dict) and isinstance(part := fields.get("part"), str):
            said = {name: v[:400] for name in ("reason", "quote") if isinstance(v := fields.get(name), str)}
            found.append(Change(part=part, **said))
    return tuple(found)


_LENIENT: Mapping[str, Callable[[Any], object]] = {
    "requirements": _entries,
    "rulings": rulings_in,
    "changes": _changes,
}


def _fitting(patch: Patch, base: Drawing) -> Patch:
    try:
        apply(base, permitted(base, patch)[0])
    except PatchError as error:
        raise FormatError(f"The edit does not fit the drawing. {error}") from error
    return patch


def _same_plan(draft: Draft, base: Drawing) -> Draft:
    """A repair corrects coordinates: the same parts, in the base's order."""
    old, new = ({p.name: p for p in plan} for plan in (base.plan, draft.plan))
    changes = [
        *(f"part {name!r} is missing" for name in old if name not in new),
        *(f"part {name!r} is new" for name in new if name not in old),
        *(change for name in old if name in new for change in _renamed(old[name], new[name])),
    ]
    if changes:
        more = f", and {len(changes) - 8} more" if len(changes) > 8 else ""
        raise FormatError(
            f"The repair changes the plan: {'; '.join(changes[:8])}{more}. A repair corrects coordinates only: "
            "send the same parts, with the same names, labels and parents, and all their strokes."
        )
    return draft.model_copy(update={"plan": base.plan})


def _renamed(old: Part, new: Part) -> Sequence[str]:
    return [
        f"part {old.name!r} has the {field} {getattr(new, field)!r}, which was {getattr(old, field)!r}"
        for field in ("label", "parent")
        if getattr(new, field) != getattr(old, field)
    ]
