"""Answers of the offline model to requests of the board studio: the actions that its grammar reads.

Of a whole board it reads that everything is to be placed; goals beside that need a language model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

from redraft.models.base import Request
from redraft.models.offline import Answer
from redraft.models.replies import json_in
from redraft.studios.board.actions.registry import PlaceAll
from redraft.studios.board.offline.grammar import SELECTED, Window, read
from redraft.studios.board.spec import LONGEST, ActionList, Stated

ME = "rule-based offline model"
NEEDS_A_MODEL = "goals for the placement of a whole board need a language model"
_WHOLE = re.compile(
    r"(?P<all>(?:please )?(?:place (?:everything|all(?: the)?(?: unplaced)?(?: parts| components)?)(?P<again> again)?"
    r"|(?P<here>shorten (?:the )?wires)))[.!]?(?:[:;,.]\s*(?P<goals>.+))?",
    re.IGNORECASE | re.DOTALL,
)
"""All parts, with the goals behind it: the instruction of `--all` is such a sentence too."""


def _edit(request: Request) -> str:
    """The actions that the grammar reads from the instruction, and what it waives; nothing once something was done."""
    done = cast("dict[str, list[object]]", request.inputs["stated"])
    if request.inputs["history"] or any(done.values()):
        return _answer("has nothing to add to what was done", [], [])
    text = SELECTED.sub("", str(request.inputs["instruction"])).strip()
    if whole := _WHOLE.fullmatch(text):
        action = PlaceAll(replace=bool(whole["again"]), start="here" if whole["here"] else "anew")
        stated = [Stated(action=action, quote=whole["all"])]
        waived = [{"quote": whole["goals"][:LONGEST], "reason": NEEDS_A_MODEL}] if whole["goals"] else []
    else:
        stated, missed = read(str(request.inputs["instruction"]), _window(request))
        waived = [{"quote": words[:LONGEST], "reason": "not understood"} for words in missed]
    if stated:
        said = f"carries out {len(stated)} action{'s' if len(stated) != 1 else ''} as read"
        return _answer(said, [one.as_written for one in stated], waived)
    if not waived:  # words in which nothing can be read at all are no reason for another turn
        waived = [{"quote": str(request.inputs["instruction"])[:LONGEST], "reason": "not understood"}]
    return _answer("has understood nothing that it could carry out", [], waived)


def _window(request: Request) -> Window:
    """What the request shows closely: windows of the microscope, of which none is a list or the compass."""
    shown = cast("list[dict[str, str]]", request.inputs["windows"])
    named = cast("dict[str, str]", request.inputs["blocks"])
    return Window.of(*(window["text"] for window in shown), blocks=named)


def _repair(request: Request) -> str:
    """Nothing: what rules alone can fix, the solver has fixed before a model is asked."""
    return _answer("has nothing to add to what the solver did", [], [])


def _fix(request: Request) -> str:
    """The list without the action that could not be carried out, whose words it waives."""
    error, reply = str(request.inputs["error"]), str(request.inputs["reply"])
    found = json_in(reply, ActionList.model_fields, "list of actions")
    actions, waived = (cast("list[dict[str, object]]", found.get(key, [])) for key in ("actions", "waived"))
    number = _number(error)
    reason = _reason(error)
    rest = [a for i, a in enumerate(actions, start=1) if i != number]
    waived += [
        {"quote": a["quote"], "reason": reason}
        for i, a in enumerate(actions, start=1)
        if i == number and a.get("quote")
    ]
    return _answer(f"leaves out action {number}, which cannot be carried out", rest, waived)


def _reason(error: str) -> str:
    """The error without the name of a whole-board action, and without advice that words cannot follow."""
    text = (error.splitlines()[0].partition("): ")[2] or error).removeprefix("place_all: ")
    what, _, ways = text.partition(" Nothing was moved; ")
    ways = re.sub(
        r": (?:place_component|repeat it with allow_overlap).*?(?=;|, or |$)|, or set allow_overlap$", "", ways
    )
    said = "; ".join([what.removesuffix("."), *(w for w in ways.split("; ") if w and "allow_overlap" not in w)])
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"


def _number(error: str) -> int:
    """Of `Action 2 of 5 (align): …`; 0 for any other failure."""
    words = error.split()
    return int(words[1]) if len(words) > 1 and words[0] == "Action" and words[1].isdigit() else 0


def _answer(said: str, actions: Sequence[object], waived: Sequence[object]) -> str:
    reply = {"approach": f"{ME}: {said}", "actions": actions, "waived": waived}
    return f"```json\n{json.dumps(reply, indent=1)}\n```"


ANSWERS: Mapping[str, Answer] = {
    "board.draft": _edit,
    "board.edit": _edit,
    "board.repair": _repair,
    "board.fix": _fix,
}
