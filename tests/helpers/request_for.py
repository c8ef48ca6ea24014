"""Requests of a studio by kind, from one flat set of facts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from pydantic import JsonValue

from redraft.brief import Brief
from redraft.ideas.cards import IdeaCard
from redraft.result import Failure, Picture, Report, Score, Verdict
from redraft.studios.requests import (
    CritiqueRequest,
    DraftRequest,
    EditRequest,
    FixRequest,
    Kind,
    RepairRequest,
    StudioRequest,
    StudioSettings,
)

KINDS: dict[str, type[StudioRequest[Any]]] = {
    "draft": DraftRequest[Any],
    "edit": EditRequest[Any],
    "repair": RepairRequest[Any],
    "critique": CritiqueRequest[Any],
}


@dataclass(frozen=True)
class Facts:
    """What requests may be made from; each kind takes what it has a field for."""

    brief: Brief
    settings: StudioSettings = field(default_factory=StudioSettings)
    current: Any = None
    report: Report | None = None
    verdict: Verdict | None = None
    idea: IdeaCard | None = None
    history: str = ""
    pictures: tuple[Picture, ...] = ()
    requirements: tuple[JsonValue, ...] = ()
    letter: str = ""
    compares: bool = False
    last: bool = False
    strict: bool = False
    looks: tuple[str, ...] = ()
    may_look: bool = False
    discovery: str = ""
    score: Score | None = None
    sees: bool = False
    size: tuple[int, int] = (1024, 1024)
    of: Kind = "draft"
    reply: str = ""
    failure: Failure | None = None
    examples: str = ""


def request_for(kind: Kind, facts: Facts) -> Any:
    """The request of a kind; of a fix, with the attempt that failed (`of`)."""
    if kind == "fix":
        assert facts.failure is not None, "a fix has a failure"
        more: dict[str, Any] = {
            "reply": facts.reply,
            "failure": facts.failure,
            "examples": facts.examples,
        }
        return FixRequest[Any](**_common(FixRequest[Any], facts), **more, of=request_for(facts.of, facts))
    given = _common(KINDS[kind], facts)
    if kind in ("repair", "critique"):
        given["report"] = facts.report or Report()
    return KINDS[kind](**given)


def _common(kind: Any, facts: Facts) -> dict[str, Any]:
    names = {each.name for each in fields(kind.__origin__)} - {"of", "reply", "failure", "examples", "offline"}
    return {name: getattr(facts, name) for name in names if hasattr(facts, name)}
