"""Inputs of the shared templates in `studios/prompts/`: requirements, findings, pictures, and a reply that failed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, get_args

from pydantic import JsonValue

from redraft.ideas.cards import IdeaCard
from redraft.layout.requirements import Dimension, Edge, Limit, Relation, Spot
from redraft.models.replies import MAX_REPLY
from redraft.result import Issue, Picture, Report, Verdict
from redraft.studios.requests import EditRequest, StudioRequest

MAX_SHOWN = 10_000
"""Characters that are quoted of a reply that is too long."""
MAX_BROKEN = 40
"""Requirements that do not hold, in one request; more cannot be fixed at once."""
_OWN_FIELDS = frozenset({"id", "agreed", "judged", "reason"})
"""Fields of a requirement that redraft adds, and no model should repeat."""


def stated_of(report: Report | None, raw: Sequence[JsonValue] = ()) -> dict[str, JsonValue]:
    """Return the requirements for `_stated.md.j2`: those that do not hold, and the number of the others.

    Args:
        report: the measurements; empty lists without one.
        raw: the statements as they were made, so that one can be corrected.
    """
    if report is None:
        return {"broken": [], "hold": 0, "withdrawn": [], "set_aside": [], "unmeasured": []}
    entries = {entry.get("id"): entry for entry in raw if isinstance(entry, dict)}
    broken = [m for m in report.requirements if m.outcome == "broken"]

    def statement(name: str) -> str:
        entry = {key: value for key, value in entries.get(name, {}).items() if key not in _OWN_FIELDS}
        return json.dumps(entry, ensure_ascii=False) if name in entries else ""

    return {
        "broken": [
            {
                "id": m.id,
                "words": m.words,
                "quote": m.quote,
                "found": m.found,
                "upheld": m.upheld,
                "statement": statement(m.id),
            }
            for m in broken[:MAX_BROKEN]
        ],
        "hold": sum(m.outcome in ("met", "inexact") for m in report.requirements),
        "withdrawn": [f"{m.id} ({m.words}): {m.changed}" for m in report.requirements if m.outcome == "withdrawn"],
        "set_aside": [*report.set_aside],
        "unmeasured": [*report.unchecked] if report.requirements or report.set_aside else [],
    }


def states_due(request: StudioRequest[Any]) -> bool:
    """Return whether requirements are due in a reply: all of a draft, new ones of a first edit, corrected ones."""
    report: Report | None = getattr(request, "report", None)
    if request.kind == "draft" or (isinstance(request, EditRequest) and not request.history):
        return True
    return report is not None and bool(report.set_aside or any(m.outcome == "broken" for m in report.requirements))


def findings_of(report: Report | None, *, notes: bool = False) -> list[JsonValue]:
    """Return the findings other than requirements, for `_findings.md.j2`: errors first.

    `notes`: with those of heuristics, which may be intended; by default without quiet ones.
    """
    if report is None:
        return []
    findings = [issue for issue in report.issues if not issue.requirement]
    findings = [issue for issue in findings if notes or not _may_be_meant(issue)]
    if report.heuristics == "default":
        findings = [issue for issue in findings if not (issue.quiet and _may_be_meant(issue))]
    order = {"error": 0, "warning": 1, "note": 2}
    findings.sort(key=lambda issue: (_may_be_meant(issue), order[issue.severity]))
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
        for issue in findings
    ]


def _may_be_meant(issue: Issue) -> bool:
    return issue.severity == "note" and issue.basis == "heuristic"


def captions(pictures: Sequence[Picture], what: str) -> list[JsonValue]:
    """Return a caption for each picture, for `_pictures.md.j2`: `version A` of two that are compared, else `what`."""
    versions = (picture.name.partition("-") for picture in pictures)
    return [
        f"{picture.name}: {f'version {letter}' if dash and letter in ('A', 'B') else what}"
        for picture, (letter, dash, _) in zip(pictures, versions, strict=True)
    ]


def stating(medium: Literal["drawing", "scene"], *, wanted: bool = True) -> dict[str, JsonValue]:
    """Return how to state requirements, for `_requirements.md.j2`; empty where none are `wanted`."""
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
                "example": json.dumps(
                    {name: value for name, value in spec.example.items() if name not in ("kind", "quote")},
                    ensure_ascii=False,
                ),
            }
            for kind, spec in KINDS.items()
        ],
        "choices": {name: [v for v in values if v not in without] for name, values in _CHOICES.items()},
        "unit": "in shares of the canvas" if medium == "drawing" else "in meters",
    }


_CHOICES: dict[str, tuple[str, ...]] = {
    "relation": get_args(Relation),
    "dimension": get_args(Dimension),
    "edge": get_args(Edge),
    "spot": get_args(Spot),
    "limit": get_args(Limit),
    "order": ("increasing", "decreasing"),
}


def critique_text(verdict: Verdict | None) -> str:
    """Return the summary and differences of a critic's verdict, for prompts; empty without one."""
    if verdict is None or verdict.by != "critic":
        return ""
    lines = (f"- [{d.weight}] {d.text}{f' ({d.where})' if d.where else ''}" for d in verdict.differences)
    return "\n".join([verdict.summary, *lines]).strip()


def idea_of(card: IdeaCard | None) -> JsonValue:
    """Return the chosen idea, for the shared template `chosen_idea.md.j2`; None without one."""
    return None if card is None else card.model_dump(mode="json")


def shape_of(size: tuple[int, int]) -> str:
    """Return the shape of a picture in words: `a square`, or `1536 × 864 pixels, wider than high`."""
    width, height = size
    if width == height:
        return "a square"
    return f"{width} × {height} pixels, {'wider than high' if width > height else 'higher than wide'}"


def bounded(reply: str) -> str:
    """Return a reply whole, or the start of one that is too long."""
    if len(reply) <= MAX_REPLY:
        return reply
    return f"{reply[:MAX_SHOWN]}\n[… {len(reply) - MAX_SHOWN:,} more characters, not shown]"
