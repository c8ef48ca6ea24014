"""Issues of an elevation in the words of a scene: metres for shares of a canvas, and moves along the world's axes."""

from __future__ import annotations

import re

from redraft.result import Issue
from redraft.studios.scene.elevation import Elevation
from redraft.studios.scene.rules.codes import found, length
from redraft.studios.scene.rules.situation import Situation, steps

__all__ = ["in_space"]

_LENGTHS = frozenset({"alignment.row", "spacing.stated", "grid.uneven", "place.spot", "distance.further"})
"""Codes whose messages have lengths."""
_LENGTH = re.compile(r"\d+\.\d{3}")
_PAINTED = ((" drawn", " in the scene"), (" is painted ", " has the colour "), ("labelled", "named after"))
_MENDS = {"count.missing": "and name its object so", "count.surplus": "and delete its object"}


def in_space(at: Situation, issue: Issue) -> Issue:
    """The same issue, for whoever builds a scene."""
    view = at.front
    return found(
        issue.code,
        issue.severity,
        _message(view, issue),
        issue.subjects,
        numbers=_numbers(view, issue),
        mend=_mend(at, issue),
        phrase=issue.phrase,
    )


def _message(view: Elevation, issue: Issue) -> str:
    text = issue.message
    if issue.code in _LENGTHS:
        return _LENGTH.sub(lambda match: length(float(match[0]) * view.metres), text)
    for painted, built in _PAINTED:
        text = text.replace(painted, built)
    if issue.code == "relation.direction":
        return text + ", as the camera sees it"
    return text


def _numbers(view: Elevation, issue: Issue) -> dict[str, float]:
    if issue.code in _LENGTHS or issue.code.startswith("relation."):
        scaled = {name: value * view.metres for name, value in issue.numbers.items() if name not in {"dx", "dy"}}
        return scaled | _world(view, issue) if "dx" in issue.numbers else scaled
    return dict(issue.numbers)


def _world(view: Elevation, issue: Issue) -> dict[str, float]:
    step = view.step(issue.numbers.get("dx", 0.0), issue.numbers.get("dy", 0.0))
    return dict(zip(("dx", "dy", "dz"), step, strict=True))


def _mend(at: Situation, issue: Issue) -> str:
    """Moves in code; counts and colours in the words they had."""
    if "dx" in issue.numbers and issue.subjects and issue.subjects[0] in at.space.bodies:
        body = at.space.bodies[issue.subjects[0]]
        moved = _world(at.front, issue)
        if issue.code != "relation.depth":
            return f"move {body.name}: {steps(body, moved['dx'], moved['dy'], moved['dz'])}"
    if issue.code == "relation.depth" and len(issue.subjects) > 1:
        return f"swap the depths of {issue.subjects[0]} and {issue.subjects[1]}, or move one past the other"
    if issue.code == "colour.other":
        return issue.mend.replace("fill ", "give ").replace(" with a ", " a material whose Base Color is ")
    if issue.code in _MENDS:
        return f"{issue.mend.partition(', labelled')[0]}, {_MENDS[issue.code]}"
    return _LENGTH.sub(lambda match: length(float(match[0]) * at.front.metres), issue.mend)
