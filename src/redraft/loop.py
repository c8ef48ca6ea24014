"""The closed loop, one verb a line: ideate, then attempt → validate → verify → remember, until it is right.

Or until the budget ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

import anyio
from pydantic import BaseModel

from redraft.errors import RedraftError
from redraft.events import Iterated, TurnStarted
from redraft.memory.history import format_iteration_history, improved, nearness
from redraft.result import IterationRecord, Verdict
from redraft.scoring.cards import IdeaCard
from redraft.stages.attempt import Attempt, attempt
from redraft.stages.desk import Desk
from redraft.stages.discover import discover
from redraft.stages.ideate import ideate
from redraft.stages.validate import (
    Candidate,
    asked_of,
    better,
    carried,
    discard,
    note,
    path_of,
    pictures_of,
    prepared,
    rank,
    reason,
    settle,
    statements_of,
    validate,
)
from redraft.stages.verify import verify
from redraft.studios.base import Facts, Kind

__all__ = ["Progress", "Turn", "run_loop"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
UNCHANGED = "the reply changes nothing"
METRIC = "VALIDATION"
"""What the history of a run is scored by that has no target and no critic."""
CRITIC = "CRITIC"
"""The same with a critic."""


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
    best: Turn[ArtifactT] | None = None
    """What would be delivered now."""

    def offer(self, number: int, candidate: Candidate[ArtifactT] | None) -> None:
        """Keep the candidate of a turn that is still under way; it is the best while there is no other."""
        self.turns[number] = Turn(number, candidate)
        if candidate is not None and (self.best is None or self.best.number == number):
            self.best = self.turns[number]

    @property
    def records(self) -> list[IterationRecord]:
        return [turn.record for turn in self.turns.values() if turn.record is not None]


async def run_loop(desk: Desk[ArtifactT], base: ArtifactT | None, progress: Progress[ArtifactT]) -> None:
    """Turn after turn, filling `progress`. Raises what ends a run: budget, an unreachable model, cancellation."""
    progress.idea = await ideate(desk)
    found = await discover(desk, Facts(brief=desk.brief, settings=desk.bench.settings))
    for number in range(1, desk.loop.iterations + 1):
        before = progress.best
        attempts, fatal = await _attempt(desk, base, progress, number, found)
        drawn = chosen = await rank(desk, attempts, base, number)
        progress.offer(number, chosen)
        if fatal is not None:
            raise fatal
        if chosen is not None:
            chosen = await validate(desk, chosen, base, number, partial(progress.offer, number))
            if desk.critic:
                chosen = await prepared(desk, chosen, base, number)
        earlier = None if before is None else before.candidate
        if chosen is not None and earlier is not None and chosen.artifact == earlier.artifact:
            discard(desk, path_of(number, chosen), number, f"the {chosen.source} of turn {number}", UNCHANGED)
            _remember(desk, progress, number, attempts, Verdict(by="none", satisfied=None, summary=UNCHANGED))
            return  # the next request would be the same
        rival = _rival(desk, before, drawn, chosen)
        last = number == desk.loop.iterations
        verdict = await verify(desk, chosen, rival, attempts[0], number, last=last)
        if chosen is not None and verdict.by == "critic":
            chosen = await _settled(desk, chosen, verdict, base, number)
        await _decide(desk, progress, base, number, chosen, rival, verdict)
        _remember(desk, progress, number, attempts, verdict)
        best = None if progress.best is None else progress.best.candidate
        if best is not None and best.report.closed and verdict.satisfied is not False:
            return


def _rival(
    desk: Desk[ArtifactT],
    before: Turn[ArtifactT] | None,
    drawn: Candidate[ArtifactT] | None,
    chosen: Candidate[ArtifactT] | None,
) -> Candidate[ArtifactT] | None:
    """What the candidate has to be better than: the best of earlier turns, or the first draft if it was repaired.

    None with a target, where the distance decides, and where the candidate is the same picture.
    """
    if chosen is None or drawn is None or desk.metric is not None or desk.heuristics == "strict":
        return None
    rival = drawn if before is None else before.candidate
    if rival is None or rival.artifact == chosen.artifact or (before is None and chosen.source == "solver"):
        return None
    return None if chosen.source in ("draft", "edit") and before is None else rival


async def _settled(
    desk: Desk[ArtifactT], chosen: Candidate[ArtifactT], verdict: Verdict, base: ArtifactT | None, number: int
) -> Candidate[ArtifactT]:
    """The candidate after the critic's answers; an accepted fix is applied, in the last turn too."""
    asked, where = asked_of(chosen.report, sees=False), f"iteration-{number}/verify"
    settled = await settle(desk, where, chosen, asked, verdict.rulings, "critic", base, number)
    if settled.source == "fix" and settled.index != chosen.index:
        note(desk, settled, number, "use" if settled.report.valid else "keep_best", kept=True)
    return settled


async def _decide(
    desk: Desk[ArtifactT],
    progress: Progress[ArtifactT],
    base: ArtifactT | None,
    number: int,
    chosen: Candidate[ArtifactT] | None,
    rival: Candidate[ArtifactT] | None,
    verdict: Verdict,
) -> None:
    """Keep the turn's candidate or what was there before it, and say why the other is not used."""
    before = progress.best
    earlier = before if before is not None and before.number != number else Turn(number, rival)
    later = progress.turns[number] = Turn(number, chosen, verdict)
    if chosen is None:
        return
    if earlier.candidate is not None:  # what was ruled since then holds of it too
        earlier = replace(earlier, candidate=await carried(desk, earlier.candidate, chosen, base, number))
    if earlier.candidate is None or _wins(desk, earlier, later):
        progress.best = later
        return
    seen = {"earlier": "the critic prefers the earlier one", "same": "the critic sees no clear difference"}
    what = f"the {chosen.source} of turn {number}"
    discard(
        desk, f"iteration-{number}/verify", number, what, seen.get(verdict.better) or reason(earlier.candidate, chosen)
    )
    kept = replace(earlier.candidate, fixes={}, after={})
    if earlier.number == number:
        kept = replace(kept, index=chosen.index + 1, note="The first draft is kept.")
        note(desk, kept, number, "use" if kept.report.valid else "keep_best", kept=True)
    progress.best = replace(earlier, candidate=kept, verdict=verdict if verdict.better else earlier.verdict)
    progress.turns[earlier.number] = progress.best


def _wins(desk: Desk[ArtifactT], earlier: Turn[ArtifactT], later: Turn[ArtifactT]) -> bool:
    """Whether a later candidate takes the place of an earlier one.

    It does if the critic prefers it, or if it breaks fewer of the requirements that both state and the critic does not
    prefer the earlier one. Where rules of thumb are strict the best verdict and the highest score are kept.
    """
    assert earlier.candidate is not None
    assert later.candidate is not None
    if desk.heuristics == "strict":
        return _strict_order(later) > _strict_order(earlier)
    verdict = later.verdict
    return verdict.better == "later" or (
        verdict.better != "earlier" and better(desk, earlier.candidate, later.candidate)
    )


def _strict_order(turn: Turn[Any]) -> tuple[bool, float, int, float, float, int]:
    assert turn.candidate is not None
    report, verdict = turn.candidate.report, turn.verdict
    liked = {True: 2, None: 1, False: 0}[verdict.satisfied]
    near, said = nearness(turn.candidate.score), verdict.score if verdict.by == "critic" else None
    return (report.valid, near, liked, said or 0.0, report.score, -len(report.errors))


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
        requirements=statements_of(current),
        pictures=await pictures_of(desk, current, chosen),
        strict=desk.heuristics == "strict",
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


def _figure(desk: Desk[Any], chosen: Candidate[Any] | None, verdict: Verdict) -> tuple[float | None, str]:
    """The one figure of a turn, and who gave it: the same in every turn of a run."""
    if desk.metric is not None:
        return None if chosen is None or chosen.score is None else chosen.score.best, desk.metric
    if desk.critic and desk.heuristics != "strict":
        return verdict.score, CRITIC
    return None if chosen is None else chosen.report.score, METRIC


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
    score, metric = _figure(desk, chosen, verdict)
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
    turn = progress.turns[number] = replace(turn, record=record)
    best = progress.best
    if best is not None and best.number == number:
        progress.best = turn
    desk.journal.note(
        Iterated(
            key=f"iteration-{number}",
            at=desk.journal.now,
            record=record,
            best=best is not None and best.number == number,
        )
    )
