"""The inputs that requests of every studio share: requirements, findings, pictures, and a reply that failed.

The inputs here belong to the shared templates in `studios/prompts/`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import JsonValue

from redraft.ideas.cards import IdeaCard
from redraft.layout.requirements import Dimension, Edge, Limit, Relation, Spot
from redraft.models.replies import MAX_REPLY
from redraft.result import Issue, Picture, Report, Verdict
from redraft.studios.requests import EditRequest, StudioRequest

MAX_SHOWN = 10_000
"""Characters of a reply that is too long, which no model could take back whole."""
MAX_BROKEN = 40
"""Requirements that do not hold in one request; of 200 stated, more are of no use at once."""
_MARKS = frozenset({"id", "agreed", "judged", "reason"})


def stated_of(report: Report | None, raw: Sequence[JsonValue] = ()) -> dict[str, JsonValue]:
    """Return the requirements for `_stated.md.j2`: those that do not hold, and the number of the others.

    Args:
        report: the measurements; empty lists without one.
        raw: the statements as they were made, so that one can be corrected.
    """
    if report is None:
        return {"broken": [], "hold": 0, "withdrawn": [], "set_aside": [], "unmeasured": []}
    as_made = {entry.get("id"): entry for entry in raw if isinstance(entry, dict)}
    broken = [m for m in report.requirements if m.outcome == "broken"]
    return {
        "broken": [
            {
                "id": m.id,
                "words": m.words,
                "quote": m.quote,
                "found": m.found,
                "upheld": m.upheld,
                "statement": _statement(as_made.get(m.id)),
            }
            for m in broken[:MAX_BROKEN]
        ],
        "hold": sum(m.outcome in ("met", "inexact") for m in report.requirements),
        "withdrawn": [f"{m.id} ({m.words}): {m.changed}" for m in report.requirements if m.outcome == "withdrawn"],
        "set_aside": [*report.set_aside],
        "unmeasured": [*report.unchecked] if report.requirements or report.set_aside else [],
    }


def _statement(entry: JsonValue) -> str:
    if not isinstance(entry, dict):
        return ""
    return json.dumps({name: value for name, value in entry.items() if name not in _MARKS}, ensure_ascii=False)


def states_due(request: StudioRequest[Any]) -> bool:
    """Return whether requirements are due in a reply: all of a draft, new ones of a first edit, corrected ones."""
    report: Report | None = getattr(request, "report", None)
    if request.kind == "draft" or (isinstance(request, EditRequest) and not request.history):
        return True
    return report is not None and bool(report.set_aside or any(m.outcome == "broken" for m in report.requirements))


def findings_of(report: Report | None, *, notes: bool = False) -> list[JsonValue]:
    """Return what was measured beside the requirements, for `_findings.md.j2`: errors first.

    `notes`: with those of heuristics, which may be intended; by default without quiet ones.
    """
    if report is None:
        return []
    others = [issue for issue in report.issues if not issue.requirement]
    told = [issue for issue in others if notes or not _may_be_meant(issue)]
    if report.heuristics == "default":
        told = [issue for issue in told if not (issue.quiet and _may_be_meant(issue))]
    order = {"error": 0, "warning": 1, "note": 2}
    shown = sorted(told, key=lambda issue: (_may_be_meant(issue), order[issue.severity]))
    return [
        {
            "code": issue.code,
            "severity": issue.severity,
            "subjects": [*issue.subjects],
            "expected": issue.numbers.get("expected"),
            "message": issue.message,
            "hint": issue.hint,
            "numbers": ", ".join(f"{name} {value:.4g}" for name, value in issue.numbers.items()),
            "heuristic": _may_be_meant(issue),
            "final": issue.final,
        }
        for issue in shown
    ]


def _may_be_meant(issue: Issue) -> bool:
    return issue.severity == "note" and issue.basis == "heuristic"


def captions(pictures: Sequence[Picture], what: str) -> list[JsonValue]:
    """What each picture shows, in order, for `_pictures.md.j2`; `what` is said of those that are plain."""
    return [f"{picture.name}: {_caption(picture.name, what)}" for picture in pictures]


def _caption(name: str, what: str) -> str:
    version, dash, _ = name.partition("-")
    return f"version {version}" if dash and version in ("A", "B") else what


def stating(medium: Literal["drawing", "scene"], *, wanted: bool = True) -> dict[str, JsonValue]:
    """How to state requirements, for `_requirements.md.j2`; where they are not `wanted` it says nothing."""
    if not wanted:
        return {"kinds": [], "choices": {}, "unit": ""}
    from redraft.layout.requirements.kinds import KINDS

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
    if verdict is None or verdict.by != "critic":
        return ""
    lines = (f"- [{d.weight}] {d.text}{f' ({d.where})' if d.where else ''}" for d in verdict.differences)
    return "\n".join([verdict.summary, *lines]).strip()


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
    return f"{reply[:MAX_SHOWN]}\n[… {len(reply) - MAX_SHOWN:,} more characters, not shown]"
