"""From a reply to a list of actions, strictly."""

from __future__ import annotations

from difflib import get_close_matches
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from redraft.errors import FormatError
from redraft.replies import json_in
from redraft.spatial.actions import ACTIONS
from redraft.studios.board.spec import ActionList, Stated, Waiver

__all__ = ["parse"]

SHOWN = 12
STATED = tuple(name for name in Stated.model_fields if name != "action")


def parse(text: str) -> ActionList:
    """A reply as a list of actions. Raises `FormatError`."""
    found = json_in(text, ActionList.model_fields, "list of actions")
    try:
        return ActionList.model_validate(found)
    except ValidationError as error:
        faults = [_said(fault) for fault in error.errors()]
        more = [f"- and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
        raise FormatError(
            "\n".join(["The list of actions does not follow its form:", *faults[:SHOWN], *more])
        ) from None


def _said(fault: ErrorDetails) -> str:
    """`- actions[1].side: … found 'rigth'`, in terms of the reply."""
    where = _path(fault["loc"])
    match fault["type"]:
        case "union_tag_invalid" | "union_tag_not_found":
            given = fault["input"]
            return f"- {where}.action: {_close(given)}one of {', '.join(ACTIONS)} is expected; found {_value(given)}"
        case "extra_forbidden":
            return f"- {where}: there is no such field{_fields(fault['loc'])}"
        case "missing":
            return f"- {where}: this field is missing"
        case _:
            return f"- {where}: {fault['msg']}; found {_value(fault['input'])}"


def _close(given: object) -> str:
    """The action that was probably meant."""
    name = cast("dict[str, object]", given).get("action") if isinstance(given, dict) else given
    close = get_close_matches(str(name), ACTIONS, n=1, cutoff=0.7)
    return f"did you mean {close[0]}? " if close else ""


def _path(loc: tuple[int | str, ...]) -> str:
    """Without the field and the tag of the union, which are no keys of the reply."""
    words = [*loc[:2], *loc[4:]] if _inside(loc) else loc
    return "".join(f"[{word}]" if isinstance(word, int) else f".{word}" for word in words).lstrip(".")


def _inside(loc: tuple[int | str, ...]) -> bool:
    """Whether a place is in an action's own fields."""
    return loc[:1] == ("actions",) and loc[2:3] == ("action",)


def _fields(loc: tuple[int | str, ...]) -> str:
    if _inside(loc):
        return f"; {loc[3]} has {', '.join((*ACTIONS[str(loc[3])].model_fields, *STATED))}"
    return f"; the fields are {', '.join((Waiver if loc[0] == 'waived' else ActionList).model_fields)}"


def _value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
