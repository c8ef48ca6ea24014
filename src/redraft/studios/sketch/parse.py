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
from redraft.studios.sketch.spec import MAX_PARTS, MAX_STROKES, Draft, Drawing
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


def describe(model: type[BaseModel], error: ValidationError, reply: Any) -> str:
    """Return a headline and one line for each of the first errors."""
    lines: dict[str, None] = {}
    for detail in error.errors(include_url=False):
        entries: Any = detail["input"]
        if detail["type"] == "too_short" and len(entries) >= detail.get("ctx", {})["min_length"]:
            continue  # a list whose entries are faulty counts as too short as well; that says nothing new
        where, field, owner = _locate(model, detail["loc"], reply)
        message = _message(detail, field, owner)
        lines[f"{where}: {message}" if where else message] = None
    shown = [*lines][:MAX_SHOWN]
    if len(lines) == 1:
        return f"The JSON is not a drawing. {shown[0]}"
    more = [f"… and {len(lines) - MAX_SHOWN} more of the kind."] if len(lines) > MAX_SHOWN else []
    return "\n".join([f"The JSON is not a drawing: {len(lines)} errors.", *shown, *more])


def _locate(model: type[BaseModel], loc: tuple[int | str, ...], reply: Any) -> tuple[str, str, type[BaseModel] | None]:
    """Return the entry in words (`strokes[3] (rect, part 'roof')`), the field within it, and the entry's model."""
    rest: Sequence[int | str] = [p for p in loc if p not in _STROKES]  # the tag of the union is not in the JSON
    entry, owner = "", model
    if len(rest) >= 2 and isinstance(rest[1], int):
        (key, index), rest, item = rest[:2], rest[2:], _get(reply, rest[:2])
        chosen = _STROKES.get(str(_get(item, ["kind"]))) if key == "strokes" else _ENTRIES.get(str(key))
        kind, part, name = (v if isinstance(v := _get(item, [k]), str) else "" for k in ("kind", "part", "name"))
        words = [kind[:20], f"part {part[:64]!r}" if part else "", f"{name[:64]!r}" if name else ""]
        called = ", ".join(word for word in words if word)
        entry, owner = f"{key}[{index}]" + (f" ({called})" if called else ""), chosen
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in rest).lstrip(".")
    where = f"{entry}, field {path}" if entry and path else entry or path
    return where, str(rest[-1]) if rest else "", owner


def _get(data: Any, path: Sequence[int | str]) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):  # the error may be that the place is missing
            return None
    return data


def _message(detail: ErrorDetails, field: str, owner: type[BaseModel] | None) -> str:
    kind, context, value = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "missing":
        return f"it is missing; {_fields(owner)}"
    if kind == "extra_forbidden":
        return f"there is no such field (found {_shown(value)}); {_near_field(field, owner)}{_fields(owner)}"
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
    """Return both ends of what a number may be, where the field says so; the end that was broken otherwise."""
    if field.isdigit():  # within a list of points
        return f"allowed is {LOW:g} to {HIGH:g}"
    fields = owner.model_fields if owner else {}
    metadata = fields[field].metadata if field in fields else []
    limits = {k: getattr(m, k) for m in metadata for k in ("ge", "gt", "le", "lt") if hasattr(m, k)}
    limits = limits or context
    words = {"ge": "from {:g}", "gt": "above {:g}", "le": "to {:g}", "lt": "below {:g}"}
    return "allowed is " + " ".join(words[k].format(v) for k, v in sorted(limits.items()) if k in words)


def _fields(owner: type[BaseModel] | None) -> str:
    if owner is None:
        return "see the schema for its fields"
    needed = [n for n, f in owner.model_fields.items() if f.is_required()]
    others = [n for n, f in owner.model_fields.items() if not f.is_required()]
    return f"needed are {', '.join(needed) or 'none'}; allowed too {', '.join(others) or 'none'}"


def _near_field(field: str, owner: type[BaseModel] | None) -> str:
    """Return the field that an unknown one probably means."""
    usual = {"color": "stroke", "colour": "stroke", "stroke_width": "width", "strokeWidth": "width"}
    usual |= {"width": "w", "height": "h", "font_size": "size", "radius": "r"}
    known = list(owner.model_fields) if owner else []
    guess = usual.get(field)
    if guess not in known:
        guess = next(iter(difflib.get_close_matches(field[:40], known, n=1)), None)
    return f"perhaps {guess} is meant; " if guess else ""


def _shown(value: Any) -> str:
    """Return a value of a reply, with its type when that is what is wrong."""
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
    """Return a reply to a draft, edit or repair request.

    An edit patches `base`; on a blank canvas it is a draft. A repair is a patch, or the whole drawing again where
    nothing is protected; a `strict` one keeps the plan.

    Raises:
        FormatError: E2.
    """
    reply = json_in(text, _FIELDS, "drawing")
    if base is None or not base.strokes or kind not in ("edit", "repair"):
        return _validated(Draft, reply)
    if kind == "edit" or not _is_whole(reply, base):
        patch = _validated(Patch, reply)
        try:
            apply(base, permitted(base, patch)[0])
        except PatchError as error:
            raise FormatError(f"The edit does not fit the drawing. {error}") from error
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
    draft = _validated(Draft, reply)
    return _with_plan_of(base, draft) if strict else draft


def _is_whole(reply: Json, base: Drawing) -> bool:
    """Return whether a repair is the whole drawing: its plan has parts that are there, and it has no patch's field."""
    if "plan" not in reply or _OF_PATCHES & reply.keys():
        return False
    names = [part.name for part in base.plan]  # what a reply calls a name may be anything
    plan: object = reply["plan"]
    entries = cast("list[object]", plan) if isinstance(plan, list) else []
    return not entries or any(cast("Json", e).get("name") in names for e in entries if isinstance(e, dict))


def _with_plan_of(base: Drawing, draft: Draft) -> Draft:
    """Return a repair that corrects coordinates: the same parts, in the base's order.

    Raises:
        FormatError: it changes the plan.
    """
    old, new = ({p.name: p for p in plan} for plan in (base.plan, draft.plan))
    changes = [
        *(f"part {name!r} is missing" for name in old if name not in new),
        *(f"part {name!r} is new" for name in new if name not in old),
        *(
            f"part {name!r} has the {field} {getattr(new[name], field)!r}, which was {getattr(old[name], field)!r}"
            for name in old
            if name in new
            for field in ("label", "parent")
            if getattr(new[name], field) != getattr(old[name], field)
        ),
    ]
    if changes:
        more = f", and {len(changes) - MAX_SHOWN} more" if len(changes) > MAX_SHOWN else ""
        raise FormatError(
            f"The repair changes the plan: {'; '.join(changes[:MAX_SHOWN])}{more}. A repair corrects coordinates only: "
            "send the same parts, with the same names, labels and parents, and all their strokes."
        )
    return draft.model_copy(update={"plan": base.plan})


def drawing_from(strokes: object) -> Drawing:
    """Return a drawing from data: a list of strokes, or an object with `strokes` and perhaps `plan`.

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
    fields: Json = {"strokes": data} if isinstance(data, list) else cast("Json", data)
    fields = {name: value for name, value in fields.items() if name not in ("version", "parts")}  # they are derived

    entries = cast("list[object]", fields["strokes"]) if isinstance(fields.get("strokes"), list) else []
    names = dict.fromkeys(part for entry in entries if isinstance(part := _get(entry, ["part"]), str))
    nouns = {name: " ".join(w for w in words_of(name) if not w.isdigit() and w not in SIDES) for name in names}
    plan = [{"name": name, "label": noun or name} for name, noun in nouns.items()]
    return _validated(Drawing, {"plan": plan, **fields})


def _validated(model: type[ModelT], fields: Json) -> ModelT:
    """Return fields as a model; statements and the like, which are read leniently, are put in afterwards."""
    for name, limit in (("strokes", MAX_STROKES), ("plan", MAX_PARTS)):
        entries: object = fields.get(name)
        if isinstance(entries, list) and (count := len(cast("list[object]", entries))) > limit:
            raise FormatError(f"{name}: there are {count:,}; at most {limit:,} are allowed. Draw it simpler.")
    lenient = {name: value for name, value in fields.items() if name in _LENIENT and name in model.model_fields}
    try:
        result = model.model_validate_json(json.dumps({k: v for k, v in fields.items() if k not in lenient}))
    except ValidationError as error:
        raise FormatError(describe(model, error, fields)) from error
    update: dict[str, object] = {}
    for name, read in _LENIENT.items():
        if name in lenient:
            # Halves of surrogate pairs are replaced: no file can hold them.
            value = json.loads(json.dumps(lenient[name], ensure_ascii=False).encode("utf-8", "replace"))
            update[name] = read(value)
    return result.model_copy(update=update)


def _entries(raw: JsonValue) -> tuple[JsonValue, ...]:
    return tuple(raw) if isinstance(raw, list) else () if raw is None else (raw,)


def _changes(raw: JsonValue) -> tuple[Change, ...]:
    """Return what is listed as changed, a bare name too; what is malformed is dropped, and so protects its part."""
    changes: list[Change] = []
    for entry in _entries(raw)[:MAX_PARTS]:
        fields = {"part": entry} if isinstance(entry, str) else entry
        if isinstance(fields, dict) and isinstance(part := fields.get("part"), str):
            words = {name: v[:400] for name in ("reason", "quote") if isinstance(v := fields.get(name), str)}
            changes.append(Change(part=part, **words))
    return tuple(changes)


_LENIENT: Mapping[str, Callable[[Any], object]] = {
    "requirements": _entries,
    "mismatches": mismatches_in,
    "changes": _changes,
}
