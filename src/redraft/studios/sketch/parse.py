"""From a model's reply to a draft or a patch; what is not one is E2, in words that say how to mend it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from redraft.errors import FormatError
from redraft.replies import Json, json_in
from redraft.studios.base import Kind
from redraft.studios.sketch.faults import describe
from redraft.studios.sketch.patch import Patch, PatchError, apply
from redraft.studios.sketch.spec import MAX_PARTS, MAX_STROKES, Draft, Drawing, Part

__all__ = ["parse"]

ModelT = TypeVar("ModelT", bound=BaseModel)

_FIELDS = frozenset({*Draft.model_fields, *Patch.model_fields} - {"approach"})


def parse(kind: Kind, text: str, base: Drawing | None) -> Draft | Patch:
    """A reply to a draft, edit or repair request.

    An edit patches `base`; on a blank canvas it is a draft. A repair keeps the plan of `base`: it is the whole drawing
    again, or a patch.

    Raises:
        FormatError: E2.
    """
    found = json_in(text, _FIELDS, "drawing")
    if kind == "edit" and base is not None and base.strokes:
        return _fitting(_validated(Patch, found), base)
    if kind == "repair" and base is not None:
        return _repair(found, base)
    return _validated(Draft, found)


def _repair(found: Json, base: Drawing) -> Draft | Patch:
    """The whole drawing with corrected coordinates, or a patch that leaves the plan alone."""
    if "plan" in found:
        return _same_plan(_validated(Draft, found), base)
    patch = _validated(Patch, found)
    if patch.remove:
        raise FormatError(
            f"The repair changes the plan: it removes {patch.remove[0]!r}. A repair corrects coordinates only."
        )
    return _fitting(patch, base)


def _validated(model: type[ModelT], found: Json) -> ModelT:
    for name, most in (("strokes", MAX_STROKES), ("plan", MAX_PARTS)):
        entries: object = found.get(name)
        if isinstance(entries, list) and (count := len(entries)) > most:  # pyright: ignore[reportUnknownArgumentType]
            raise FormatError(f"{name}: there are {count:,}; at most {most:,} are allowed. Draw it simpler.")
    try:
        return model.model_validate_json(json.dumps(found))
    except ValidationError as error:
        raise FormatError(describe(model, error, found)) from error


def _fitting(patch: Patch, base: Drawing) -> Patch:
    try:
        apply(base, patch)
    except PatchError as error:
        raise FormatError(f"The edit does not fit the drawing. {error}") from error
    return patch


def _same_plan(draft: Draft, base: Drawing) -> Draft:
    """A repair corrects coordinates: the same parts, in the base's order."""
    old, new = ({p.name: p for p in plan} for plan in (base.plan, draft.plan))
    changes = [
        *(f"part {name!r} is missing" for name in old if name not in new),
        *(f"part {name!r} is new" for name in new if name not in old),
        *(change for name in old if name in new for change in _changes(old[name], new[name])),
    ]
    if changes:
        more = f", and {len(changes) - 8} more" if len(changes) > 8 else ""
        raise FormatError(
            f"The repair changes the plan: {'; '.join(changes[:8])}{more}. A repair corrects coordinates only: "
            "send the same parts, with the same names, labels and parents, and all their strokes."
        )
    return Draft(approach=draft.approach, plan=base.plan, strokes=draft.strokes)


def _changes(old: Part, new: Part) -> Sequence[str]:
    return [
        f"part {old.name!r} has the {field} {getattr(new, field)!r}, which was {getattr(old, field)!r}"
        for field in ("label", "parent")
        if getattr(new, field) != getattr(old, field)
    ]
