"""What the offline model says to the board studio's requests: the actions that the relation grammar read.

It places nothing that was not asked for in words it knows, and in every `approach` it says what it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from redraft.models.base import Request
from redraft.studios.base import Answer

__all__ = ["ANSWERS"]

ME = "rule-based offline model"


def _edit(request: Request) -> str:
    """The actions that the grammar read from the instruction."""
    actions = _given(request)
    if actions:
        return _answer(f"carries out {len(actions)} action{'s' if len(actions) != 1 else ''} as read", actions)
    return _answer("has understood nothing that it could carry out", [])


def _given(request: Request) -> list[object]:
    return [json.loads(text) for text in cast("list[str]", request.inputs.get("commands", []))]


def _repair(request: Request) -> str:
    """Nothing: what rules alone can mend, the solver has mended before a model is asked."""
    return _answer("has nothing to add to what the solver did", [])


def _fix(request: Request) -> str:
    """The list without the action that could not be carried out; the report names what is then missing."""
    error, reply = str(request.inputs["error"]), str(request.inputs["reply"])
    actions = _actions(reply)
    number = _number(error)
    rest = [a for i, a in enumerate(actions, start=1) if i != number]
    return _answer(f"leaves out action {number}, which cannot be carried out", rest)


def _actions(reply: str) -> list[object]:
    from redraft.replies import json_in

    return cast("list[object]", json_in(reply, ("approach", "actions")).get("actions", []))


def _number(error: str) -> int:
    """Of `Action 2 of 5 (align): …`; 0 for any other failure."""
    words = error.split()
    return int(words[1]) if len(words) > 1 and words[0] == "Action" and words[1].isdigit() else 0


def _answer(said: str, actions: list[object]) -> str:
    return f"```json\n{json.dumps({'approach': f'{ME}: {said}', 'actions': actions}, indent=1)}\n```"


ANSWERS: Mapping[str, Answer] = {
    "board.draft": _edit,
    "board.edit": _edit,
    "board.repair": _repair,
    "board.fix": _fix,
}
