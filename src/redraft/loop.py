"""The closed loop, one verb a line: ideate, then attempt → validate → verify → remember, until it is right.

Or until the budget ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import anyio
from pydantic import BaseModel

from redraft.blackbox_scoring.cards import IdeaCard
from redraft.errors import RedraftError
from redraft.events import Iterated, TurnStarted
from redraft.memory.history import format_iteration_history, improved, nearness
from redraft.result import IterationRecord, Verdict
from redraft.stages.attempt import Attempt, attempt
from redraft.stages.desk import Desk
from redraft.stages.discover import discover
from redraft.stages.ideate import ideate
from redraft.stages.validate import Candidate, rank, validate
from redraft.stages.verify import verify
from redraft.studios.base import Facts, Kind

__all__ = ["Progress", "Turn", "run_loop"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
METRIC = "VALIDATION"
"""What the history of a run without a target is scored by."""


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
    """What was chosen before the first draft."""

    def offer(self, number: int, candidate: Candidate[ArtifactT] | None) -> None:
        """Keep the best of a turn that is still under way."""
        self.turns[number] = Turn(number, candidate)

    @property
    def best(self) -> Turn[ArtifactT] | None:
        """The maximum by (valid, nearer to the target, verdict, report score, fewer errors, earlier)."""
        ran = [turn for turn in self.turns.values() if turn.candidate is not None]
        return max(ran, key=_delivery_order, default=None)

    @property
    def records(self) -> list[IterationRecord]:
        return [turn.record for turn in self.turns.values() if turn.record is not None]


def _delivery_order(turn: Turn[Any]) -> tuple[bool, float, int, float, float, int, int]:
    assert turn.candidate is not None
    report, verdict = turn.candidate.report, turn.verdict
    liked = {True: 2, None: 1, False: 0}[verdict.satisfied]
    near, said = nearness(turn.candidate.score), verdict.score if verdict.by == "critic" else None
    return (report.valid, near, liked, said or 0.0, report.score, -len(report.errors), -turn.number)


async def run_loop(desk: Desk[ArtifactT], base: ArtifactT | None, progress: Progress[ArtifactT]) -> None:
    """Turn after turn, filling `progress`. Raises what ends a run: budget, an unreachable model, cancellation."""
    progress.idea = await ideate(desk)
    found = await discover(desk, Facts(brief=desk.brief, settings=desk.bench.settings))
    for number in range(1, desk.loop.iterations + 1):
        before = None if progress.best is None else progress.best.candidate
        attempts, fatal = await _attempt(desk, base, progress, number, found)
        chosen = await rank(desk, attempts, base, number)
        progress.offer(number, chosen)
        if fatal is not None:
            raise fatal
        if chosen is not None:
            chosen = await validate(desk, chosen, base, number, partial(progress.offer, number))
        verdict = await verify(desk, chosen, attempts[0], number)
        _remember(desk, progress, number, attempts, verdict)
        if chosen is not None and chosen.report.valid and verdict.satisfied is not False:
            return
        if number > 1 and chosen is not None and before is not None and chosen.artifact == before.artifact:
            return  # who was asked has nothing to change, and would be asked the same


async def _attempt(
    desk: Desk[ArtifactT], base: ArtifactT | None, progress: Progress[ArtifactT], number: int, found: str
) -> tuple[list[Attempt[ArtifactT]], RedraftError | None]:
    """The first turn's candidates at once, or one edit of the best so far.

    What ends the run (the budget, an unreachable model) is given beside the attempts that came through: a candidate
    that fails cancels no sibling.
    """
    best = progress.best
    chosen = None if best is None else best.candidate
    current = base if chosen is None else chosen.artifact
    facts = Facts(
        brief=desk.brief,
        base=base,
        current=current,
        report=None if chosen is None else chosen.report,
        verdict=None if best is None else best.verdict,
        idea=progress.idea,
        history=format_iteration_history(progress.records),
        moved="" if chosen is None else "\n".join(chosen.moved),
        discovery=found,
        score=None if chosen is None else chosen.score,
        pictures=tuple(await desk.shown(current, None if chosen is None else chosen.score)),
    )
    kind: Kind = "draft" if current is None else "edit"
    if number > 1:
        _note_turn(desk, number, kind, facts)
    wanted = desk.loop.candidates if number == 1 else 1
    made: dict[int, Attempt[ArtifactT]] = {}
    fatal: dict[int, RedraftError] = {}

    async def one(index: int) -> None:
        number_of = index if wanted > 1 else None
        place = f"iteration-{number}" + ("" if number_of is None else f"/candidate-{index}")
        try:
            made[index] = await attempt(desk, kind, facts, f"{place}/{kind}", number=number_of)
        except RedraftError as error:
            fatal[index] = error

    async with anyio.create_task_group() as group:
        for index in range(wanted):
            group.start_soon(one, index)
    return [made[index] for index in sorted(made)], fatal[min(fatal)] if fatal else None


def _figure(chosen: Candidate[Any] | None, metric: str | None) -> tuple[float | None, str]:
    """The one figure of a turn, and who gave it: the same in every turn of a run."""
    if metric is None:
        return None if chosen is None else chosen.report.score, METRIC
    return None if chosen is None or chosen.score is None else chosen.score.best, metric


def _note_turn(desk: Desk[Any], number: int, kind: Kind, facts: Facts[Any]) -> None:
    """Say that another turn begins, and why."""
    report, verdict = facts.report, facts.verdict
    if report is None:
        reason = "nothing ran before"
    elif not report.valid:
        reason = f"the best so far is not valid (score {report.score:.2f})"
    elif verdict is not None and verdict.by == "metric":
        reason = f"not near enough yet ({verdict.summary})"
    else:
        reason = "nobody is satisfied" if verdict is None else verdict.summary
    desk.journal.note(
        TurnStarted(key=f"iteration-{number}", at=desk.journal.now, iteration=number, kind=kind, reason=reason)
    )


def _remember(
    desk: Desk[ArtifactT],
    progress: Progress[ArtifactT],
    number: int,
    attempts: list[Attempt[ArtifactT]],
    verdict: Verdict,
) -> None:
    turn = progress.turns[number]
    chosen = turn.candidate
    made = next((a for a in attempts if chosen is not None and a.number == chosen.number), attempts[0])
    score, metric = _figure(chosen, desk.metric)
    before = next((r.score for r in reversed(progress.records) if r.score is not None), None)
    better = improved(metric, before, score)
    record = IterationRecord(
        iteration=number,
        lpips_score=score if metric == "LPIPS" else None,
        lpips_improved=better if metric == "LPIPS" else None,
        compile_error=None if made.failure is None else made.failure.message,
        critique_summary=None if verdict.by == "metric" else verdict.summary or None,
        agent_notes=made.approach or None,
        metric=metric,
        score=score,
        improved=better,
        retry_count=made.retry_count,
        errors=made.errors,
    )
    progress.turns[number] = Turn(number, chosen, verdict, record)
    best = progress.best
    desk.journal.note(
        Iterated(
            key=f"iteration-{number}",
            at=desk.journal.now,
            record=record,
            best=best is not None and best.number == number,
        )
    )
