"""Candidates, the turns they belong to, and which of two is better by their reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, JsonValue

from redraft.ideas.cards import IdeaCard
from redraft.loop.run import Run
from redraft.record.events import Discarded, Place, Source
from redraft.record.history import nearness
from redraft.result import IterationRecord, Report, Score, Verdict

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


@dataclass(frozen=True)
class Candidate(Generic[ArtifactT]):
    """An artifact with its report."""

    artifact: ArtifactT
    report: Report
    source: Source
    place: Place
    """Its turn, and its number among several drafts."""
    index: int = 0
    """Counts the validations of its turn."""
    note: str = ""
    """What a solver did."""
    score: Score | None = None
    """Distance from the target, if any."""
    approach: str = ""
    """Of the reply that wrote it."""

    @property
    def validation(self) -> Place:
        """The place of its validation in the record."""
        return self.place.at(f"validate-{self.index}")


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
    discovery: str = ""
    """What the model found in the brief's reference."""
    polishing: bool = False
    """The coming turn is spent on the minor differences that a satisfied critic named."""
    best: Turn[ArtifactT] | None = None
    """The candidate that would be delivered now."""

    def offer(self, candidate: Candidate[ArtifactT]) -> None:
        """Keep the candidate of a turn that is still under way; it is the best until another is kept."""
        turn = self.turns[candidate.place.turn] = Turn(candidate.place.turn, candidate)
        if self.best is None or self.best.number == turn.number:
            self.best = turn

    @property
    def records(self) -> list[IterationRecord]:
        return [turn.record for turn in self.turns.values() if turn.record is not None]


def worth(candidate: Candidate[Any]) -> tuple[float, ...]:
    """Rank of one of several first drafts, larger is better."""
    report = candidate.report
    return (report.valid, -report.count("error"), nearness(candidate.score), report.score, -report.count("warning"))


def errors_of(earlier: Report, later: Report) -> tuple[int, int]:
    """Count the errors of two reports, those about a requirement only if both state it in the same words."""
    stated = [{m.id: m.words for m in report.requirements if m.outcome != "withdrawn"} for report in (earlier, later)]
    shared = {"", *(name for name, words in stated[0].items() if stated[1].get(name) == words)}
    before, after = (
        sum(issue.count for issue in report.errors if issue.requirement in shared) for report in (earlier, later)
    )
    return before, after


def better(run: Run[Any], earlier: Candidate[Any], later: Candidate[Any]) -> bool:
    """Return whether a candidate replaces an earlier one by its report alone.

    It has fewer errors; of equal ones it is nearer to the target; and of equally near ones it has the higher score.
    """
    if later.report.given_up and not earlier.report.closed:
        return True  # the same with the reason why it is not more
    before, after = errors_of(earlier.report, later.report)
    if before != after:
        return after < before
    if run.metric is not None and nearness(later.score) != nearness(earlier.score):
        return nearness(later.score) > nearness(earlier.score)
    return later.report.score > earlier.report.score


def reason(earlier: Candidate[Any], later: Candidate[Any]) -> str:
    """Return the reason that a later candidate does not replace an earlier one, by their reports."""
    before, after = errors_of(earlier.report, later.report)
    if after > before:
        return f"it has {after} error{'' if after == 1 else 's'}, and the earlier version {before}"
    if earlier.score is not None and later.score is not None:
        return f"its {later.score.metric} is {later.score.best:.4f}, and {earlier.score.best:.4f} was reached before"
    return "it is not measurably better than the earlier version"


def same_picture(one: BaseModel, other: BaseModel) -> bool:
    """Return whether two artifacts are one picture, whatever is stated about it."""
    drop = {"requirements"}
    return one.model_dump(exclude=drop) == other.model_dump(exclude=drop)


def discard(run: Run[Any], place: Place, what: str, reason: str) -> None:
    """Record that the result at a place is not used, with the reason."""
    key = str(place.at("discarded"))
    run.journal.note(Discarded(key=key, at=run.journal.now, iteration=place.turn, what=what, reason=reason))


def statements_of(artifact: BaseModel | None) -> tuple[JsonValue, ...]:
    """The raw statements of an artifact; none for studios without requirements."""
    return cast("tuple[JsonValue, ...]", getattr(artifact, "requirements", ()))
