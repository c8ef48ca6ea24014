"""Candidates, the turns they belong to, and which of two is better by their reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, JsonValue

from redraft.events import Discarded
from redraft.memory.history import nearness
from redraft.result import IterationRecord, Report, Score, Verdict
from redraft.rulings import worse
from redraft.runs import Run
from redraft.scoring.cards import IdeaCard

if TYPE_CHECKING:
    from redraft.layout import Move  # shapely comes with the studios that have a layout

__all__ = [
    "Candidate",
    "Next",
    "Progress",
    "Source",
    "Turn",
    "better",
    "discard",
    "merit",
    "path_of",
    "place_of",
    "reason",
    "same_picture",
    "statements_of",
    "worth",
]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
Source = Literal["draft", "edit", "solver", "repair", "fix"]
Next = Literal["use", "solver", "repair", "keep_best", "rank"]


@dataclass(frozen=True)
class Candidate(Generic[ArtifactT]):
    """An artifact with its report. `index` counts the validations of its turn; `note` says what a solver did.

    `moved` is what was moved since the model last wrote it, a line for each pass: the model's own numbers are
    not the artifact's any more, and its next request says so.
    """

    artifact: ArtifactT
    report: Report
    source: Source
    index: int = 0
    number: int | None = None
    """Number of its draft among several."""
    note: str = ""
    moved: tuple[str, ...] = ()
    score: Score | None = None
    """Distance from the target, if any."""
    approach: str = ""
    """Of the reply that wrote it."""
    fixes: Mapping[str, tuple[Move, ...]] = field(default_factory=dict[str, "tuple[Move, ...]"])
    """Prepared moves by the id of the issue that they put right."""
    after: Mapping[str, ArtifactT] = field(default_factory=dict[str, ArtifactT])
    """The artifact as each prepared fix would leave it, where that needs no new execution."""


@dataclass(frozen=True)
class Turn(Generic[ArtifactT]):
    """One outer turn's outcome."""

    number: int
    candidate: Candidate[ArtifactT] | None
    verdict: Verdict = field(default_factory=lambda: Verdict(by="none", satisfied=None))
    record: IterationRecord | None = None


@dataclass
class Progress(Generic[ArtifactT]):
    """The turns so far; it outlives a run that ends early, so that the best can be delivered all the same."""

    turns: dict[int, Turn[ArtifactT]] = field(default_factory=dict[int, Turn[ArtifactT]])
    idea: IdeaCard | None = None
    """The idea chosen before the first draft."""
    best: Turn[ArtifactT] | None = None
    """The candidate that would be delivered now."""

    def offer(self, number: int, candidate: Candidate[ArtifactT] | None) -> None:
        """Keep the candidate of a turn that is still under way; it is the best until another is kept."""
        self.turns[number] = Turn(number, candidate)
        if candidate is not None and (self.best is None or self.best.number == number):
            self.best = self.turns[number]

    @property
    def records(self) -> list[IterationRecord]:
        return [turn.record for turn in self.turns.values() if turn.record is not None]


def place_of(turn: int, number: int | None) -> str:
    return f"iteration-{turn}" + ("" if number is None else f"/candidate-{number}")


def path_of(turn: int, candidate: Candidate[Any], later: int = 0) -> str:
    """The key under which a candidate's validation is recorded; or that of one so many validations `later`."""
    return f"{place_of(turn, candidate.number)}/validate-{candidate.index + later}"


def merit(report: Report) -> tuple[bool, int, float, int, int]:
    """Rank of a first draft, larger is better; where rules of thumb are strict, by the score first."""
    broken = 0 if report.heuristics == "strict" else -report.count("error") - _open(report)
    rest = report.count("warning") + report.count("question")
    return (report.valid, broken, report.score, -report.count("error"), -rest)


def _open(report: Report) -> int:
    return sum(issue.basis == "requirement" for issue in report.questions)


def worth(candidate: Candidate[Any]) -> tuple[bool, float, tuple[float, ...]]:
    valid, *rest = merit(candidate.report)
    return (valid, nearness(candidate.score), tuple(rest))


def better(run: Run[Any], earlier: Candidate[Any], later: Candidate[Any], *, tie: bool = False) -> bool:
    """Whether a candidate takes an earlier one's place by its report alone; `tie`: also where neither is better."""
    if later.report.given_up and not earlier.report.closed:
        return True  # the same with the reason why it is not more
    if later.report.heuristics == "strict":
        return worth(later) > worth(earlier)
    if run.metric is not None and nearness(later.score) != nearness(earlier.score):
        return nearness(later.score) > nearness(earlier.score) and later.report.valid >= earlier.report.valid
    before, after = worse(earlier.report, later.report)
    return after < before or (tie and after == before)


def reason(earlier: Candidate[Any], later: Candidate[Any]) -> str:
    """Return the reason that a later candidate does not replace an earlier one, by their reports."""
    before, after = worse(earlier.report, later.report)
    if earlier.score is not None and later.score is not None and nearness(later.score) <= nearness(earlier.score):
        return f"its {later.score.metric} is {later.score.best:.4f}, and {earlier.score.best:.4f} was reached before"
    if earlier.report.heuristics == "strict":
        return f"its score is {later.report.score:.2f}, and {earlier.report.score:.2f} was reached before"
    if after == before:
        return "it is not measurably better than the earlier version"
    return f"it breaks {after} of the statements that both make, and the earlier version {before}"


def same_picture(one: BaseModel, other: BaseModel) -> bool:
    """Return whether two artifacts are one picture, whatever is stated about it."""
    drop = {"requirements"}
    return one.model_dump(exclude=drop) == other.model_dump(exclude=drop)


def discard(run: Run[Any], path: str, turn: int, what: str, reason: str) -> None:
    """Record that the result at `path` is not used, with the reason."""
    key = f"{path}/discarded"
    run.journal.note(Discarded(key=key, at=run.journal.now, iteration=turn, what=what, reason=reason))


def statements_of(artifact: BaseModel | None) -> tuple[JsonValue, ...]:
    """The raw statements of an artifact; none for studios without requirements."""
    return cast("tuple[JsonValue, ...]", getattr(artifact, "requirements", ()))
