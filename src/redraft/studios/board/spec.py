"""The draft of a board: actions, each with the words of the brief that it carries out, and words that none does."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import Annotated, Self, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from redraft.errors import FormatError
from redraft.layout.items import Layout
from redraft.models.replies import json_in
from redraft.studios.board.actions.fields import Ref
from redraft.studios.board.actions.measure import Place, Reading
from redraft.studios.board.actions.registry import ACTIONS, Action

MAX_ACTIONS = 200
"""Actions in one reply; a longer list is better given, and checked, in parts."""
MAX_QUOTE = 400
"""Characters of a quote; the rest of a longer one is left out."""
MAX_ERRORS = 12
"""Errors of one reply that are listed."""

# A malformed quote must not cost its action: it counts as none.
Quote = Annotated[str, BeforeValidator(lambda value: value[:MAX_QUOTE] if isinstance(value, str) else "")]
Coordinate = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Limit = Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)]


class Stated(BaseModel):
    """One action with what it stands for. In a reply it is one object: the action's fields and these."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    action: Action
    quote: Quote = ""
    """The words of the brief that ask for it, verbatim."""
    at_least: Limit | None = None
    """The distance or gap that the words allow at least; `clearance` or `spacing` is then free."""
    at_most: Limit | None = None
    measure_only: bool = False
    """It is so already: it is measured, and not carried out."""

    @model_validator(mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, JsonValue]", value)
        if isinstance(fields.get("action"), dict | BaseModel):
            return fields
        own = {name: fields[name] for name in cls.model_fields if name != "action" and name in fields}
        return {"action": {name: field for name, field in fields.items() if name not in own}, **own}

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise ValueError(f"at_least ({self.at_least:g}) is more than at_most ({self.at_most:g})")
        return self

    @property
    def limited(self) -> bool:
        return self.at_least is not None or self.at_most is not None

    @property
    def as_written(self) -> dict[str, JsonValue]:
        """The object as a reply has it: only fields that differ from the defaults."""
        own = self.model_dump(mode="json", exclude={"action"}, exclude_defaults=True)
        return {"action": self.action.action, **self.action.model_dump(mode="json", exclude_defaults=True), **own}


class Waiver(BaseModel):
    """Words of the brief that no action carries out, and the reason."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    quote: Quote
    """The words, verbatim; of one number, where it has one."""
    reason: str = Field(min_length=1, max_length=MAX_QUOTE)
    cannot: bool = True
    """They ask for what cannot be done, and the result is not valid. Otherwise they ask for no place or distance."""


class Carried(Stated):
    """An action that was carried out, or taken as done, in a reply of this run."""

    words: str
    """What was done: `place_relative C1 0.5 mm right of U1.4 (pad, level with the pad)`."""
    reply: int
    """Which reply of the run stated it, from 0."""
    was: dict[str, Place] = Field(default_factory=dict[str, Place])
    """For comparisons: where its parts were just before, x and y of the middle, degrees, layer."""
    length: float | None = None
    """Likewise, of a whole board: of all its wires, in mm."""
    note: str = ""
    """What a person has to know of it: what found no room, what stayed, that the search was cut short."""

    def parts(self, layout: Layout) -> tuple[str, ...]:
        """Return the parts that the action is about."""
        return self.action.parts(layout, self.was)

    def moved(self, layout: Layout) -> set[str]:
        """Return the parts that the action puts somewhere."""
        return self.action.moved(layout, self.was)

    def measured(self, layout: Layout) -> Reading:
        """Measure the action on the layout as it is now."""
        return self.action.measured(layout, self)


class Waived(Waiver):
    """A waiver of a reply of this run."""

    reply: int


class Look(BaseModel):
    """Something to look at that no name says: a net, a neighborhood, a zone, a region, or free room."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    net: Ref | None = None
    """All pads of a net; with `around` only those near a component."""
    around: Ref | None = None
    """Alone: all that is so near to a component."""
    radius: Annotated[float, Field(gt=0, le=1_000, allow_inf_nan=False)] | None = None
    """Millimeters around it; 5 when left out, of free room 10."""
    zone: Ref | None = None
    """One of the nine zones of the compass: "Top-Left"."""
    region: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None = None
    """Two corners, x0, y0, x1, y1, in millimeters."""
    free: Ref | None = None
    """Free rectangles into which this component fits, on its side; near `around`, where that is given."""

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        forms = [name for name in ("net", "zone", "region", "free") if getattr(self, name) is not None]
        if len(forms) > 1 or not (forms or self.around):
            raise ValueError("a look has one of net, around, zone, region, free; net and free also take around, radius")
        if (self.around or self.radius is not None) and forms in (["zone"], ["region"]):
            raise ValueError(f"{forms[0]} takes no other field")
        if self.radius is not None and self.around is None:
            raise ValueError("radius needs around: the component")
        if self.region is not None and not (self.region[0] < self.region[2] and self.region[1] < self.region[3]):
            raise ValueError("region has the corners x0, y0, x1, y1 with x0 < x1 and y0 < y1")
        return self


Entry = Annotated[
    Annotated[Ref, Tag("name")] | Annotated[Look, Tag("look")],
    Discriminator(lambda value: "name" if isinstance(value, str) else "look"),
]
"""A component, pad, pattern, kind or net (`net:VBUS`) by its name, or another look."""


class ActionList(BaseModel):
    """What a model answers: actions in order, or what it wants to look at first."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    approach: str = Field(max_length=400)
    """One line: what is tried."""
    inspect: tuple[Entry, ...] = Field(default=(), max_length=24)
    """What to look at closely before acting; then `actions` stays empty, but for a dry run."""
    dry_run: bool = False
    """Only show what the actions would come to; `inspect` is then shown as it would be after them."""
    actions: tuple[Stated, ...] = Field(default=(), max_length=MAX_ACTIONS)
    """Carried out in order, all or none."""
    waived: tuple[Waiver, ...] = Field(default=(), max_length=MAX_ACTIONS)

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        if self.inspect and self.actions and not self.dry_run:
            raise ValueError(
                "has both inspect and actions: leave inspect out to act, or set dry_run to see what the actions come to"
            )
        if self.dry_run and not self.actions:
            raise ValueError("dry_run needs actions to try")
        return self

    @property
    def look(self) -> str:
        """The look that the reply asks for, as JSON that reads back; empty when it acts."""
        if not self.inspect and not self.dry_run:
            return ""
        own = self.model_dump(mode="json", include={"approach", "inspect", "dry_run"}, exclude_defaults=True)
        return json.dumps({**own, "actions": [action.as_written for action in self.actions]}, ensure_ascii=False)


def parse(text: str) -> ActionList:
    """Read a reply as a list of actions. Raises `FormatError`."""
    fields = json_in(text, ActionList.model_fields, "list of actions")
    try:
        return ActionList.model_validate(fields)
    except ValidationError as error:
        errors = [_error_line(detail) for detail in error.errors()]
        more = [f"- and {len(errors) - MAX_ERRORS} more"] if len(errors) > MAX_ERRORS else []
        raise FormatError(
            "\n".join(["The list of actions does not follow its form:", *errors[:MAX_ERRORS], *more])
        ) from None


def _error_line(detail: ErrorDetails) -> str:
    """Return `- actions[1].side: … found 'rigth'`, in terms of the reply."""
    # The field and the tag of a union are not keys of the reply.
    loc = detail["loc"]
    in_action = loc[:1] == ("actions",) and loc[2:3] == ("action",)
    words = [*loc[:2], *loc[4:]] if in_action else [*loc[:2], *loc[3:]] if loc[:1] == ("inspect",) else loc
    path = "".join(f"[{word}]" if isinstance(word, int) else f".{word}" for word in words).lstrip(".")
    where = path or "the reply"

    value = repr(detail["input"])
    value = value if len(value) <= 80 else f"{value[:77]}..."
    match detail["type"]:
        case "union_tag_invalid" | "union_tag_not_found":
            given: object = detail["input"]
            name = cast("dict[str, object]", given).get("action") if isinstance(given, dict) else given
            close = get_close_matches(str(name), ACTIONS, n=1, cutoff=0.7)
            hint = f"did you mean {close[0]}? " if close else ""
            return f"- {where}.action: {hint}one of {', '.join(ACTIONS)} is expected; found {value}"
        case "extra_forbidden" if in_action:
            own = [name for name in Stated.model_fields if name != "action"]
            known = ", ".join((*ACTIONS[str(loc[3])].model_fields, *own))
            return f"- {where}: unknown field; {loc[3]} has {known}"
        case "extra_forbidden":
            model = {"waived": Waiver, "inspect": Look}.get(str(loc[0]), ActionList)
            return f"- {where}: unknown field; the fields are {', '.join(model.model_fields)}"
        case "missing":
            return f"- {where}: this field is missing"
        case _:
            return f"- {where}: {detail['msg'].removeprefix('Value error, ')}; found {value}"
