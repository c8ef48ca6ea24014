"""The inputs that requests of every studio share: requirements, questions, findings, and a reply that failed.

The inputs here belong to the shared templates in `studios/prompts/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import JsonValue

from redraft.replies import MAX_REPLY
from redraft.requirements import Dimension, Edge, Limit, Relation, Spot
from redraft.result import Issue, Picture, Report, Verdict
from redraft.scoring.cards import IdeaCard
from redraft.studios.requests import CritiqueRequest

__all__ = [
    "AFTER",
    "MARKED",
    "asked_of",
    "bounded",
    "captions",
    "critique_inputs",
    "critique_text",
    "findings_of",
    "idea_of",
    "shape_of",
    "stated_of",
    "stating",
]

SHOWN = 10_000
"""Characters of a reply that is too long, which no model could take back whole."""
MOST = 12
"""Rules of thumb that a critic is shown without being asked about them."""
MARKED = "marked.png"
"""Name of the picture that shows where the open issues are."""
AFTER = "after-{id}.png"
"""Name of the picture that shows how a prepared fix would look."""
_AFTER = re.compile(AFTER.format(id="(?P<id>.+)").replace(".png", r"\.png"))


def asked_of(report: Report | None, pictures: Sequence[Picture] = (), raw: Sequence[JsonValue] = ()) -> list[JsonValue]:
    """The issues that wait for an answer, broken requirements first, for `_questions.md.j2`.

    `after` is the name of the picture among those shown that has the prepared fix; empty without one. `raw` are the
    statements as they were made, so that one can be corrected.
    """
    shown = {picture.name for picture in pictures}
    stated = {m.id: m for m in report.requirements} if report else {}
    as_made = {entry.get("id"): entry for entry in raw if isinstance(entry, dict)}
    found: list[JsonValue] = []
    for issue in sorted(report.questions if report else (), key=lambda issue: issue.basis != "requirement"):
        if issue.id:
            measured, after = stated.get(issue.requirement), AFTER.format(id=issue.id)
            found.append(
                _issue(issue)
                | {
                    "id": issue.id,
                    "basis": issue.basis,
                    "statement": _as_json(as_made.get(issue.requirement)),
                    "quote": measured.quote if measured else issue.phrase,
                    "fix": issue.fix,
                    "after": after if after in shown else "",
                }
            )
    return found


def _as_json(statement: JsonValue) -> str:
    return json.dumps(statement, ensure_ascii=False) if statement else ""


def stated_of(report: Report | None) -> dict[str, JsonValue]:
    """The requirements with their outcomes, for `_stated.md.j2`: `requirements`, `set_aside` and `unmeasured`."""
    if report is None:
        return {"requirements": [], "set_aside": [], "unmeasured": []}
    return {
        "requirements": [
            m.model_dump(include={"id", "words", "quote", "outcome", "found", "changed"}) for m in report.requirements
        ],
        "set_aside": [*report.set_aside],
        "unmeasured": [*report.unchecked],
    }


def findings_of(report: Report | None, *, unasked: bool = False) -> list[JsonValue]:
    """Everything measured that is not a question, for `_findings.md.j2`: errors first, then what stands besides.

    What was ruled minor or intended, or left unanswered, is not said again. `unasked`: with rules of thumb that were
    not pressing enough to be asked about.
    """
    if report is None:
        return []
    order = {"error": 0, "warning": 1, "hint": 2}
    upheld = [i for i in report.issues if i.status == "upheld" and i.severity in order]
    more = [i for i in report.issues if i.status == "unasked"][:MOST] if unasked else []
    return [_issue(issue) for issue in sorted((*upheld, *more), key=lambda issue: order[issue.severity])]


def _issue(issue: Issue) -> dict[str, JsonValue]:
    return {
        "code": issue.code,
        "severity": issue.severity,
        "subjects": [*issue.subjects],
        "expected": issue.numbers.get("expected"),
        "message": issue.message,
        "hint": issue.fix or issue.hint,
        "numbers": ", ".join(f"{name} {value:.4g}" for name, value in issue.numbers.items()),
        "reason": issue.ruling.reason if issue.ruling else "",
        "thumb": issue.status == "unasked",
        "final": issue.final,
    }


def captions(pictures: Sequence[Picture], what: str) -> list[JsonValue]:
    """What each picture shows, in order, for `_pictures.md.j2`; `what` is said of those that are plain."""
    return [f"{picture.name}: {_caption(picture.name, what)}" for picture in pictures]


def _caption(name: str, what: str) -> str:
    if name == MARKED:
        return "the same, with each question marked by its id"
    if after := _AFTER.fullmatch(name):
        return f"how it would look with the prepared fix of {after['id']}"
    version, dash, _ = name.partition("-")
    return f"version {version}" if dash and version in ("A", "B") else what


def critique_inputs(request: CritiqueRequest[Any], what: str) -> dict[str, JsonValue]:
    """What every critique request says, for `_pictures`, `_stated`, `_findings`, `_questions`, `_answer_critique`.

    `what` says what a plain picture shows: `the current drawing`.
    """
    return {
        "instruction": request.brief.instruction,
        "stated": stated_of(request.report),
        "findings": findings_of(request.report, unasked=True),
        "questions": asked_of(request.report, request.pictures, request.requirements),
        "pictures": captions(request.pictures, what),
        "compares": request.compares,
        "letter": request.letter,
        "last": request.last,
        "may_look": request.may_look,
    }


def stating(medium: Literal["drawing", "scene"], *, wanted: bool = True) -> dict[str, JsonValue]:
    """How to state requirements, for `_requirements.md.j2`; where they are not `wanted` it says nothing."""
    if not wanted:
        return {"kinds": [], "choices": {}, "unit": ""}
    from redraft.requirements.kinds import KINDS

    without = {"z", "depth"} if medium == "drawing" else set[str]()
    return {
        "kinds": [
            {
                "kind": kind,
                "says": spec.says,
                "may": [name for name in spec.may if name not in spec.example and name not in without],
                "quote": spec.example.get("quote"),
                "example": _example(spec.example),
            }
            for kind, spec in KINDS.items()
        ],
        "choices": {name: [v for v in values if v not in without] for name, values in _CHOICES.items()},
        "unit": "in shares of the canvas" if medium == "drawing" else "in meters",
    }


def _example(statement: Mapping[str, JsonValue]) -> str:
    shown = {k: v for k, v in statement.items() if k not in ("kind", "quote")}
    return json.dumps(shown, ensure_ascii=False)


_CHOICES: dict[str, tuple[str, ...]] = {
    "relation": get_args(Relation),
    "dimension": get_args(Dimension),
    "edge": get_args(Edge),
    "spot": get_args(Spot),
    "limit": get_args(Limit),
    "order": ("increasing", "decreasing"),
}


def critique_text(verdict: Verdict | None) -> str:
    """What a critic has said; empty when none did."""
    if verdict is None or verdict.by == "none":
        return ""
    return "\n".join([verdict.summary, *(f"- [{d.weight}] {d.text}" for d in verdict.differences)]).strip()


def idea_of(card: IdeaCard | None) -> JsonValue:
    """The chosen idea, for the shared template `chosen_idea.md.j2`; None without one."""
    return None if card is None else card.model_dump(mode="json")


def shape_of(size: tuple[int, int]) -> str:
    """`a square`, or `1536 × 864 pixels, wider than high`."""
    width, height = size
    if width == height:
        return "a square"
    return f"{width} × {height} pixels, {'wider than high' if width > height else 'higher than wide'}"


def bounded(reply: str) -> str:
    """The whole reply; of one that is too long to be read, as much as shows what it is."""
    if len(reply) <= MAX_REPLY:
        return reply
    return f"{reply[:SHOWN]}\n[… {len(reply) - SHOWN:,} more characters, not shown]"
