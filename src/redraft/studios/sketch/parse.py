"""A model's reply as a draft or a patch; anything else is E2, with a message that says how to fix it.

Statements, mismatches and lists of changes are read leniently: a faulty one never costs a drawing. Messages name the
stroke or part (index, kind, part), the field, the value found, and the values allowed.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import ErrorDetails, to_jsonable_python

from redraft.errors import FormatError
from redraft.layout.requirements import mismatches_in
from redraft.models.replies import Json, json_in
from redraft.studios.requests import Kind
from redraft.studios.sketch import spec, strokes
from redraft.studios.sketch.patch import Change, Patch, PatchError, Resize, Restyle, Shift, apply, permitted
from redraft.studios.sketch.rules.geometry import SIDES, words_of
from redraft.studios.sketch.spec import MAX_PARTS, MAX_STROKES, Draft, Drawing, Part
from redraft.studios.sketch.strokes import HIGH, LOW

MAX_SHOWN = 8
"""Errors that are listed: a model that gets two hundred reads none."""

_STROKES: dict[str, type[BaseModel]] = {
    "line": strokes.Line,
    "polyline": strokes.Polyline,
    "path": strokes.Path,
    "rect": strokes.Rect,
    "ellipse": strokes.Ellipse,
    "arc": strokes.Arc,
    "text": strokes.Text,
}
_ENTRIES: dict[str, type[BaseModel]] = {"plan": spec.Part, "restyle": Restyle, "move": Shift, "scale": Resize}


def describe(model: type[BaseModel], error: ValidationError, found: Any) -> str:
    """Return a headline and one line for each of the first errors."""
    details = [d for d in error.errors(include_url=False) if not _consequence(d)]
    lines = list(dict.fromkeys(_line(model, d, found) for d in details))
    shown = lines[:MAX_SHOWN]
    if len(lines) == 1:
        return f"The JSON is not a drawing. {shown[0]}"
    more = [f"… and {len(lines) - MAX_SHOWN} more of the kind."] if len(lines) > MAX_SHOWN else []
    return "\n".join([f"The JSON is not a drawing: {len(lines)} errors.", *shown, *more])


def _consequence(detail: ErrorDetails) -> bool:
    """A list whose entries are faulty counts as too short as well; that says nothing new."""
    entries: Any = detail["input"]
    return detail["type"] == "too_short" and len(entries) >= detail.get("ctx", {})["min_length"]


def _line(model: type[BaseModel], detail: ErrorDetails, found: Any) -> str:
    place = [p for p in detail["loc"] if p not in _STROKES]  # the tag of the union is not in the JSON
    where, field, owner = _where(model, place, found)
    said = _said(detail, field, owner)
    return f"{where}: {said}" if where else said


def _where(model: type[BaseModel], place: list[int | str], found: Any) -> tuple[str, str, type[BaseModel] | None]:
    """The entry in words (`strokes[3] (rect, part 'roof')`), the field within it, and the entry's model."""
    entry, owner, rest = "", model, place
    if len(place) >= 2 and isinstance(place[1], int):
        item = _get(found, place[:2])
        entry, rest = f"{place[0]}[{place[1]}]", place[2:]
        chosen = _STROKES.get(str(_get(item, ["kind"]))) if place[0] == "strokes" else _ENTRIES.get(str(place[0]))
        names = [_get(item, [k]) for k in ("kind", "part", "name")]
        entry += _called(*(n if isinstance(n, str) else None for n in names))
        return _join(entry, rest), _field(rest), chosen
    return _join(entry, rest), _field(rest), owner


def _called(kind: str | None, part: str | None, name: str | None) -> str:
    words = [kind[:20] if kind else "", f"part {part[:64]!r}" if part else "", f"{name[:64]!r}" if name else ""]
    said = ", ".join(w for w in words if w)
    return f" ({said})" if said else ""


def _join(entry: str, rest: list[int | str]) -> str:
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in rest).lstrip(".")
    return f"{entry}, field {path}" if entry and path else entry or path


def _field(rest: list[int | str]) -> str:
    return str(rest[-1]) if rest else ""


def _get(found: Any, place: list[int | str]) -> Any:
    for step in place:
        try:
            found = found[step]
        except (KeyError, IndexError, TypeError):  # the error may be that the place is missing
            return None
    return found


def _said(detail: ErrorDetails, field: str, owner: type[BaseModel] | None) -> str:
    kind, context, value = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "missing":
        return f"it is missing; {_fields(owner)}"
    if kind == "extra_forbidden":
        return f"there is no such field (found {_shown(value)}); {_near(field, owner)}{_fields(owner)}"
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        tag = repr(context.get("tag", "none"))[:40]
        return f"its kind is {tag}; allowed are {', '.join(_STROKES)}"
    if kind == "value_error":
        return detail["msg"].removeprefix("Value error, ")
    if kind in ("less_than_equal", "greater_than_equal", "less_than", "greater_than"):
        allowed = _range(field, owner, context)
    else:
        words = _ALLOWED.get(kind)
        allowed = words(context) if words else detail["msg"][:1].lower() + detail["msg"][1:]
    return f"found {_shown(value)}; {allowed}"


def _range(field: str, owner: type[BaseModel] | None, context: dict[str, Any]) -> str:
    """Both ends of what a number may be, where the field says so; the end that was broken otherwise."""
    if field.isdigit():  # within a list of points
        return f"allowed is {LOW:g} to {HIGH:g}"
    limits = {k: getattr(m, k) for m in _metadata(owner, field) for k in ("ge", "gt", "le", "lt") if hasattr(m, k)}
    limits = limits or context
    words = {"ge": "from {:g}", "gt": "above {:g}", "le": "to {:g}", "lt": "below {:g}"}
    return "allowed is " + " ".join(words[k].format(v) for k, v in sorted(limits.items()) if k in words)


def _metadata(owner: type[BaseModel] | None, field: str) -> list[Any]:
    known = owner.model_fields if owner else {}
    return known[field].metadata if field in known else []


def _fields(owner: type[BaseModel] | None) -> str:
    if owner is None:
        return "see the schema for its fields"
    needed = [n for n, f in owner.model_fields.items() if f.is_required()]
    others = [n for n, f in owner.model_fields.items() if not f.is_required()]
    return f"needed are {', '.join(needed) or 'none'}; allowed too {', '.join(others) or 'none'}"


def _near(field: str, owner: type[BaseModel] | None) -> str:
    usual = {"color": "stroke", "colour": "stroke", "stroke_width": "width", "strokeWidth": "width"}
    usual |= {"width": "w", "height": "h", "font_size": "size", "radius": "r"}
    known = list(owner.model_fields) if owner else []
    guess = usual.get(field)
    if guess not in known:
        guess = next(iter(difflib.get_close_matches(field[:40], known, n=1)), None)
    return f"perhaps {guess} is meant; " if guess else ""


def _shown(value: Any) -> str:
    """A value as found, with its type when that is what is wrong."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return f"the text {value[:60]!r}" + ("…" if len(value) > 60 else "")
        case dict():
            return "an object"
        case list():
            return f"a list of {len(value)}"  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return f"{value!r:.40}"


_NUMBER: Callable[[dict[str, Any]], str] = lambda _: "allowed is a number, without quotes"  # noqa: E731
_ALLOWED: dict[str, Callable[[dict[str, Any]], str]] = {
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": lambda _: "allowed is a finite number",
    "int_type": lambda _: "allowed is a whole number, without quotes",
    "int_from_float": lambda _: "allowed is a whole number",
    "string_type": lambda _: "allowed is a text in double quotes",
    "bool_type": lambda _: "allowed is true or false",
    "tuple_type": lambda _: "allowed is a list in square brackets",
    "list_type": lambda _: "allowed is a list in square brackets",
    # The text was valid JSON before it came here; only half of a surrogate pair (\\ud800) is stricter there.
    "json_invalid": lambda _: "a text in it holds half of a surrogate pair; write the character itself",
    "dict_type": lambda _: "allowed is an object in curly brackets",
    "model_type": lambda _: "allowed is an object in curly brackets",
    "model_attributes_type": lambda _: "allowed is an object in curly brackets",
    "too_short": lambda c: f"allowed are {c['min_length']} or more entries",
    "too_long": lambda c: f"allowed are {c['max_length']} entries or fewer",
    "string_too_short": lambda c: f"allowed are {c['min_length']} or more characters",
    "string_too_long": lambda c: f"allowed are {c['max_length']} characters or fewer",
    "string_pattern_mismatch": lambda _: "allowed are letters, digits, _ and -, beginning with a letter",
    "literal_error": lambda c: f"allowed is {c['expected']}",
}


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


def drawing_from(strokes: object) -> Drawing:
    """A drawing from data: a list of strokes, or an object with `strokes` and perhaps `plan`, as `drawing.json` has.

    Without a plan each part that the strokes name is a thing by itself, labeled with its name without numbers and
    sides. A `Drawing` is returned as it is.

    Raises:
        FormatError: it is something else; the message names the stroke or part, the field and the value.
    """
    if isinstance(strokes, Drawing):
        return strokes
    try:
        data: object = to_jsonable_python(strokes)
    except ValueError as error:  # pydantic_core's own error is one
        raise FormatError(f"The strokes are not plain data. {error}.") from error
    if not isinstance(data, list | dict):
        expected = "a list of strokes, or an object with plan and strokes"
        raise FormatError(f"The drawing is {_shown(data)}; expected is {expected}.")
    found: Json = {"strokes": data} if isinstance(data, list) else cast("Json", data)
    found = {name: value for name, value in found.items() if name not in ("version", "parts")}  # they are derived
    entries = cast("list[object]", found["strokes"]) if isinstance(found.get("strokes"), list) else []
    names = dict.fromkeys(part for entry in entries if isinstance(part := _get(entry, ["part"]), str))
    return _validated(Drawing, {"plan": [{"name": name, "label": _noun(name)} for name in names], **found})


def _noun(name: str) -> str:
    return " ".join(word for word in words_of(name) if not word.isdigit() and word not in SIDES) or name


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
    "mismatches": mismatches_in,
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
