"""Keep: candidates, the turns they belong to, and which of two is better by their reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from pydantic import BaseModel, JsonValue

from redraft.ideas.cards import IdeaCard
from redraft.loop.run import Run
from redraft.record.events import Discarded, Place, Source
from redraft.record.history import nearness
from redraft.result import IterationRecord, Report, Score, Verdict
from redraft.text import plural


@dataclass(frozen=True)
class Candidate:
    """An artifact with its report."""

    artifact: BaseModel
    report: Report
    source: Source
    place: Place
    """Its turn, and its number among several drafts."""
    index: int = 0
    """Number of its validation in the turn."""
    note: str = ""
    """A remark for the record, such as what a solver did."""
    score: Score | None = None
    """Distance from the target, if there is one."""
    approach: str = ""
    """The line in which the reply that wrote it says what it tried."""

    @property
    def validation(self) -> Place:
        """Place of its validation in the record."""
        return self.place.at(f"validate-{self.index}")


@dataclass(frozen=True)
class Turn:
    """The outcome of one turn of the loop."""

    number: int
    candidate: Candidate | None
    verdict: Verdict = field(default_factory=lambda: Verdict(by="none", satisfied=None))
    record: IterationRecord | None = None


@dataclass
class Progress:
    """The turns so far; it outlives a run that ends early, so that the best can be delivered all the same."""

    turns: dict[int, Turn] = field(default_factory=dict[int, Turn])
    idea: IdeaCard | None = None
    """The idea chosen before the first draft."""
    discovery: str = ""
    """What the model found in the brief's reference."""
    polishing: bool = False
    """The coming turn is spent on the minor differences that a satisfied critic named."""
    best: Turn | None = None
    """The candidate that would be delivered now."""

    def offer(self, candidate: Candidate) -> None:
        """Keep the candidate of a turn that is still under way; it is the best until another is kept."""
        turn = self.turns[candidate.place.turn] = Turn(candidate.place.turn, candidate)
        if self.best is None or self.best.number == turn.number:
            self.best = turn

    @property
    def records(self) -> list[IterationRecord]:
        return [turn.record for turn in self.turns.values() if turn.record is not None]


def worth(candidate: Candidate) -> tuple[float, ...]:
    """Return the rank of one of several first drafts; larger is better."""
    report = candidate.report
    return (report.valid, -report.count("error"), nearness(candidate.score), report.score, -report.count("warning"))


def errors_of(earlier: Report, later: Report) -> tuple[int, int]:
    """Count the errors of two reports, those about a requirement only if both state it in the same words."""

    def stated(report: Report) -> dict[str, str]:
        return {m.id: m.words for m in report.requirements if m.outcome != "withdrawn"}

    def errors(report: Report) -> int:
        return sum(issue.count for issue in report.errors if issue.requirement in shared)

    shared = {"", *(name for name, _ in stated(earlier).items() & stated(later).items())}
    return errors(earlier), errors(later)


def better(run: Run, earlier: Candidate, later: Candidate) -> bool:
    """Return whether a candidate replaces an earlier one by its report alone.

    Fewer errors decide; then the distance from the target, if there is one; then the score.
    """
    if later.report.given_up and not earlier.report.closed:
        return True  # the model gave up with a reason, which the earlier version lacks
    before, after = errors_of(earlier.report, later.report)
    if before != after:
        return after < before
    if run.metric is not None and nearness(later.score) != nearness(earlier.score):
        return nearness(later.score) > nearness(earlier.score)
    return later.report.score > earlier.report.score


def reason(earlier: Candidate, later: Candidate) -> str:
    """Return the reason that a later candidate does not replace an earlier one, by their reports."""
    before, after = errors_of(earlier.report, later.report)
    if after > before:
        return f"it has {plural(after, 'error')}, and the earlier version {before}"
    if earlier.score is not None and later.score is not None:
        return f"its {later.score.metric} is {later.score.best:.4f}, and {earlier.score.best:.4f} was reached before"
    return "it is not measurably better than the earlier version"


def same_picture(one: BaseModel, other: BaseModel) -> bool:
    """Return whether two artifacts are the same but for their requirements."""
    drop = {"requirements"}
    return one.model_dump(exclude=drop) == other.model_dump(exclude=drop)


def discard(run: Run, place: Place, what: str, reason: str) -> None:
    """Record that the result at a place is not used, with the reason."""
    key = str(place.at("discarded"))
    run.journal.note(Discarded(key=key, at=run.journal.now, iteration=place.turn, what=what, reason=reason))


def requirements_of(artifact: BaseModel | None) -> tuple[JsonValue, ...]:
    """Return the requirements that an artifact carries, as they were stated; none for studios without them."""
    return cast("tuple[JsonValue, ...]", getattr(artifact, "requirements", ()))
