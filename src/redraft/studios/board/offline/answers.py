"""Answers of the offline model to requests of the board studio: the actions that its grammar reads.

For a whole board it only reads that everything is to be placed; goals beside that need a language model.
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
from redraft.studios.board.spec import MAX_QUOTE, ActionList, Stated
from redraft.text import plural, shorten

ME = "rule-based offline model"
NEEDS_A_MODEL = "goals for the placement of a whole board need a language model"
_WHOLE = re.compile(
    r"(?P<all>(?:please )?(?:place (?:everything|all(?: the)?(?: unplaced)?(?: parts| components)?)(?P<again> again)?"
    r"|(?P<here>shorten (?:the )?wires)))[.!]?(?:[:;,.]\s*(?P<goals>.+))?",
    re.IGNORECASE | re.DOTALL,
)
"""Sentences about all parts, and the goals after them; the instruction of `--all` is one."""


def _edit(request: Request) -> str:
    """Answer with the actions that the grammar reads from the instruction, and the words that it does not know."""
    done = cast("dict[str, list[object]]", request.inputs["stated"])
    if request.inputs["history"] or any(done.values()):
        return _answer("has nothing to add to what was done", [], [])
    instruction = str(request.inputs["instruction"])
    text = SELECTED.sub("", instruction).strip()
    if whole := _WHOLE.fullmatch(text):
        action = PlaceAll(replace=bool(whole["again"]), start="here" if whole["here"] else "anew")
        stated = [Stated(action=action, quote=whole["all"])]
        waived = [{"quote": whole["goals"][:MAX_QUOTE], "reason": NEEDS_A_MODEL}] if whole["goals"] else []
    else:
        # Windows of the microscope, not lists or the compass.
        windows = cast("list[dict[str, str]]", request.inputs["windows"])
        blocks = cast("dict[str, str]", request.inputs["blocks"])
        stated, missed = read(instruction, Window.of(*(window["text"] for window in windows), blocks=blocks))
        waived = [{"quote": words[:MAX_QUOTE], "reason": "not understood"} for words in missed]
    if stated:
        approach = f"carries out {plural(len(stated), 'action')} as read"
        return _answer(approach, [one.as_written for one in stated], waived)
    if not waived:  # words in which nothing can be read at all are no reason for another turn
        waived = [{"quote": instruction[:MAX_QUOTE], "reason": "not understood"}]
    return _answer("has understood nothing that it could carry out", [], waived)


def _repair(request: Request) -> str:
    """Answer with nothing: what rules alone can fix, the solver has fixed before a model is asked."""
    return _answer("has nothing to add to what the solver did", [], [])


def _fix(request: Request) -> str:
    """Answer with the list without the action that could not be carried out, whose words are waived."""
    error, reply = str(request.inputs["error"]), str(request.inputs["reply"])
    fields = json_in(reply, ActionList.model_fields, "list of actions")
    actions, waived = (cast("list[dict[str, object]]", fields.get(key, [])) for key in ("actions", "waived"))
    match = re.match(r"Action (\d+)\s", error)  # `Action 2 of 5 (align): …`
    number = int(match[1]) if match else 0
    reason = _reason(error)
    rest = [a for i, a in enumerate(actions, start=1) if i != number]
    waived += [
        {"quote": a["quote"], "reason": reason}
        for i, a in enumerate(actions, start=1)
        if i == number and a.get("quote")
    ]
    return _answer(f"leaves out action {number}, which cannot be carried out", rest, waived)


def _reason(error: str) -> str:
    """Return the error without the name of a whole-board action, and without advice that words cannot follow."""
    text = (error.splitlines()[0].partition("): ")[2] or error).removeprefix("place_all: ")
    problem, _, advice = text.partition(" Nothing was moved; ")
    advice = re.sub(
        r": (?:place_component|repeat it with allow_overlap).*?(?=;|, or |$)|, or set allow_overlap$", "", advice
    )
    kept = [part for part in advice.split("; ") if part and "allow_overlap" not in part]
    return shorten("; ".join([problem.removesuffix("."), *kept]), MAX_QUOTE)


def _answer(approach: str, actions: Sequence[object], waived: Sequence[object]) -> str:
    reply = {"approach": f"{ME}: {approach}", "actions": actions, "waived": waived}
    return f"```json\n{json.dumps(reply, indent=1)}\n```"


ANSWERS: Mapping[str, Answer] = {
    "board.draft": _edit,
    "board.edit": _edit,
    "board.repair": _repair,
    "board.fix": _fix,
}
