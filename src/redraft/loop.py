"""The closed loop, one verb a line: ideate, then attempt → validate → verify → remember, until it is right.

Or until the budget ends.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import anyio
from pydantic import BaseModel, JsonValue

from redraft.errors import BriefError, IdeaError, RedraftError, ResumeDivergedError
from redraft.events import Iterated, TurnStarted
from redraft.memory.history import format_iteration_history, improved, nearness
from redraft.result import IterationRecord, Report, Result, Verdict
from redraft.runs import Run
from redraft.stages.attempt import Attempt, Retries, attempt
from redraft.stages.candidates import Candidate, Progress, Turn, better, discard, path_of, reason, statements_of
from redraft.stages.deliver import IDEAS, deliver, ended, finish, unlisted
from redraft.stages.discover import discover
from redraft.stages.validate import asked_of, carried, checked, note, pictures_of, prepared, rank, settle, validate
from redraft.stages.verify import verify
from redraft.studios.requests import DraftRequest, EditRequest

__all__ = ["execute", "redeliver", "remember", "run_loop"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
_log = logging.getLogger("redraft.scoring")
_log.addHandler(logging.NullHandler())
UNCHANGED = "the reply changes nothing"
METRIC = "VALIDATION"
"""The score in the history of a run without a target and a critic."""
CRITIC = "CRITIC"
"""The same with a critic."""


async def execute(run: Run[Any]) -> Result:
    """Drive the loop in a run folder, new or interrupted, and deliver the best of it.

    Budget and model errors end the run early and are part of the result; cancellation delivers and is passed on.

    Raises:
        HistoryError: the lists that the delivery is to stand in are not ours, or cannot be written; nothing was asked.
    """
    base = run.studio.open(run.brief)
    if run.studio.paints and run.generations is not None and not unlisted(run, run.generations):
        run.studio.check_lists(run.generations)
    progress = Progress[Any]()
    async with run.recording(base, run.worst_case_calls):
        error: dict[str, JsonValue] | None = None
        try:
            try:
                run.note_surroundings()
                run.studio.warm(run.resources)
                await run_loop(run, base, progress)
            except (BriefError, IdeaError, ResumeDivergedError):
                raise  # nothing can be delivered after these
            except RedraftError as failure:
                error = ended(run.folder, str(failure))
            error = await finish(run, progress) or error
        except IdeaError as failure:
            deliver(run, progress, {"phase": IDEAS, "step": failure.step, "message": str(failure)})
            raise
        except anyio.get_cancelled_exc_class():
            _keep_unfinished(run, base, progress)
            deliver(run, progress, ended(run.folder, "interrupted"))
            raise
        return deliver(run, progress, error)


def _keep_unfinished(run: Run[ArtifactT], base: ArtifactT | None, progress: Progress[ArtifactT]) -> None:
    """Deliver what an execution had when the run was stopped in its middle, if there is nothing better."""
    if run.unfinished and progress.best is None:
        artifact = run.unfinished[-1]
        report = checked(run, artifact, base)
        progress.offer(1, Candidate(artifact, report, "draft", note="Stopped in the middle."))


async def redeliver(run: Run[Any], artifact: Any, report: Report) -> Result:
    """Deliver an artifact of an earlier run, with its report, in a folder of its own; no model is asked."""
    candidate = Candidate[Any](artifact, report, "draft", note="As it was.")
    progress = Progress[Any]()
    progress.offer(1, candidate)
    async with run.recording(artifact, 0):
        note(run, candidate, 1, "use" if report.valid else "keep_best", kept=True)
        return deliver(run, progress, await finish(run, progress))


async def run_loop(run: Run[ArtifactT], base: ArtifactT | None, progress: Progress[ArtifactT]) -> None:
    """Turn after turn, filling `progress`. Raises what ends a run: budget, an unreachable model, cancellation."""
    if run.scoring.enabled:
        from redraft.stages.ideate import ideate

        progress.idea = await ideate(run)
    else:
        _log.info("Blackbox scoring disabled")
    found = await discover(run)
    for number in range(1, run.loop.iterations + 1):
        before, retries = progress.best, Retries(run.loop.fixes)
        if number > 1 and run.model.info.rules and run.metric is None:
            return  # it goes by the words alone, and would answer as before
        attempts, fatal = await _attempt(run, base, progress, number, found, retries)
        drawn = chosen = await rank(run, attempts, base, number)
        progress.offer(number, chosen)
        if fatal is not None:
            raise fatal
        if chosen is not None:
            chosen = await validate(run, chosen, base, number, partial(progress.offer, number), retries)
            if run.critic:
                chosen = await prepared(run, chosen, base, number)
        earlier = None if before is None else before.candidate
        if chosen is not None and earlier is not None and chosen.artifact == earlier.artifact:
            discard(run, path_of(number, chosen), number, f"the {chosen.source} of turn {number}", UNCHANGED)
            remember(run, progress, number, attempts, Verdict(by="none", satisfied=None, summary=UNCHANGED), retries)
            return  # the next request would be the same
        rival = _rival(run, before, drawn, chosen)
        last = number == run.loop.iterations
        verdict = await verify(run, chosen, rival, attempts[0], number, retries, last=last)
        if chosen is not None and verdict.by == "critic":
            chosen = await _settled(run, chosen, verdict, base, number)
        await _decide(run, progress, base, number, chosen, rival, verdict)
        remember(run, progress, number, attempts, verdict, retries)
        best = None if progress.best is None else progress.best.candidate
        if best is not None and best.report.closed and verdict.satisfied is not False:
            return


def _rival(
    run: Run[ArtifactT],
    before: Turn[ArtifactT] | None,
    drawn: Candidate[ArtifactT] | None,
    chosen: Candidate[ArtifactT] | None,
) -> Candidate[ArtifactT] | None:
    """Return the rival of the candidate: the best of earlier turns, or the first draft if it was repaired.

    None with a target, where the distance decides, and where the candidate is the same picture.
    """
    if chosen is None or drawn is None or run.metric is not None or run.heuristics == "strict":
        return None
    rival = drawn if before is None else before.candidate
    if rival is None or rival.artifact == chosen.artifact or (before is None and chosen.source == "solver"):
        return None
    return None if chosen.source in ("draft", "edit") and before is None else rival


async def _settled(
    run: Run[ArtifactT], chosen: Candidate[ArtifactT], verdict: Verdict, base: ArtifactT | None, number: int
) -> Candidate[ArtifactT]:
    """The candidate after the critic's answers; an accepted fix is applied, in the last turn too."""
    asked, where = asked_of(chosen.report, sees=False), f"iteration-{number}/verify"
    settled = await settle(run, where, chosen, asked, verdict.rulings, "critic", base, number)
    if settled.source == "fix" and settled.index != chosen.index:
        note(run, settled, number, "use" if settled.report.valid else "keep_best", kept=True)
    return settled


async def _decide(
    run: Run[ArtifactT],
    progress: Progress[ArtifactT],
    base: ArtifactT | None,
    number: int,
    chosen: Candidate[ArtifactT] | None,
    rival: Candidate[ArtifactT] | None,
    verdict: Verdict,
) -> None:
    """Keep the turn's candidate or the earlier one, and record the reason that the other is not used."""
    before = progress.best
    earlier = before if before is not None and before.number != number else Turn(number, rival)
    later = progress.turns[number] = Turn(number, chosen, verdict)
    if chosen is None:
        return
    if earlier.candidate is not None:  # what was ruled since then holds of it too
        earlier = replace(earlier, candidate=await carried(run, earlier.candidate, chosen, base, number))
    if earlier.candidate is None or _wins(run, earlier, later):
        progress.best = later
        return
    seen = {"earlier": "the critic prefers the earlier one", "same": "the critic sees no clear difference"}
    what = f"the {chosen.source} of turn {number}"
    discard(
        run, f"iteration-{number}/verify", number, what, seen.get(verdict.better) or reason(earlier.candidate, chosen)
    )
    kept = replace(earlier.candidate, fixes={}, after={})
    if earlier.number == number:
        kept = replace(kept, index=chosen.index + 1, note="The first draft is kept.")
        note(run, kept, number, "use" if kept.report.valid else "keep_best", kept=True)
    progress.best = replace(earlier, candidate=kept, verdict=verdict if verdict.better else earlier.verdict)
    progress.turns[earlier.number] = progress.best


def _wins(run: Run[ArtifactT], earlier: Turn[ArtifactT], later: Turn[ArtifactT]) -> bool:
    """Return whether a later candidate takes the place of an earlier one.

    It does if the critic prefers it, or if it breaks fewer of the requirements that both state and the critic does not
    prefer the earlier one. Where rules of thumb are strict the best verdict and the highest score are kept.
    """
    assert earlier.candidate is not None
    assert later.candidate is not None
    if run.heuristics == "strict":
        return _strict_order(later) > _strict_order(earlier)
    verdict = later.verdict
    return verdict.better == "later" or (
        verdict.better != "earlier" and better(run, earlier.candidate, later.candidate)
    )


def _strict_order(turn: Turn[Any]) -> tuple[bool, float, int, float, float, int]:
    assert turn.candidate is not None
    report, verdict = turn.candidate.report, turn.verdict
    liked = {True: 2, None: 1, False: 0}[verdict.satisfied]
    near, said = nearness(turn.candidate.score), verdict.score if verdict.by == "critic" else None
    return (report.valid, near, liked, said or 0.0, report.score, -report.count("error"))


async def _attempt(
    run: Run[ArtifactT],
    base: ArtifactT | None,
    progress: Progress[ArtifactT],
    number: int,
    found: str,
    retries: Retries,
) -> tuple[list[Attempt[ArtifactT]], RedraftError | None]:
    """The first turn's candidates at once, or one edit of the best so far.

    What ends the run (the budget, an unreachable model) is given beside the attempts that came through: a candidate
    that fails cancels no sibling.
    """
    best = progress.best
    chosen = None if best is None else best.candidate
    current = base if chosen is None else chosen.artifact
    more: dict[str, Any] = {
        "idea": progress.idea,
        "history": format_iteration_history(progress.records) if run.loop.history else "",
        "discovery": found,
        "pictures": await pictures_of(run, current, chosen),
    }
    request = run.request(DraftRequest[ArtifactT], **more)
    if current is not None:
        more |= {"current": current, "requirements": statements_of(current)}
        if chosen is not None:
            more |= {"report": chosen.report, "moved": "\n".join(chosen.moved), "score": chosen.score}
        request = run.request(EditRequest[ArtifactT], **more, verdict=None if best is None else best.verdict)
    if number > 1:
        _note_turn(run, number, request)
    wanted = run.loop.candidates if number == 1 else 1
    made: dict[int, Attempt[ArtifactT]] = {}
    fatal: dict[int, RedraftError] = {}
    shares = retries.shares(wanted)

    async def one(index: int) -> None:
        number_of = index if wanted > 1 else None
        place = f"iteration-{number}" + ("" if number_of is None else f"/candidate-{index}")
        try:
            made[index] = await attempt(run, request, f"{place}/{request.kind}", shares[index], number=number_of)
        except RedraftError as error:
            fatal[index] = error

    async with anyio.create_task_group() as group:
        for index in range(wanted):
            group.start_soon(one, index)
    retries.collect(shares)
    return [made[index] for index in sorted(made)], fatal[min(fatal)] if fatal else None


def _figure(run: Run[Any], chosen: Candidate[Any] | None, verdict: Verdict) -> tuple[float | None, str]:
    """The one figure of a turn, and who gave it: the same in every turn of a run."""
    if run.metric is not None:
        return None if chosen is None or chosen.score is None else chosen.score.best, run.metric
    if run.critic and run.heuristics != "strict":
        return verdict.score, CRITIC
    return None if chosen is None else chosen.report.score, METRIC


def _note_turn(run: Run[Any], number: int, request: DraftRequest[Any]) -> None:
    """Record that another turn begins, with the reason."""
    report: Report | None = getattr(request, "report", None)
    verdict: Verdict | None = getattr(request, "verdict", None)
    if report is None:
        reason = "nothing ran before"
    elif not report.valid:
        reason = f"the best so far is not valid (score {report.score:.2f})"
    elif verdict is not None and verdict.by == "metric":
        reason = f"not near enough yet ({verdict.summary})"
    else:
        reason = "no critic is satisfied" if verdict is None else verdict.summary
    run.journal.note(
        TurnStarted(key=f"iteration-{number}", at=run.journal.now, iteration=number, kind=request.kind, reason=reason)
    )


def remember(
    run: Run[ArtifactT],
    progress: Progress[ArtifactT],
    number: int,
    attempts: list[Attempt[ArtifactT]],
    verdict: Verdict,
    retries: Retries,
) -> None:
    """Record a turn for the history that later requests show."""
    turn = progress.turns[number]
    chosen = turn.candidate
    made = next((a for a in attempts if chosen is not None and a.number == chosen.number), attempts[0])
    score, metric = _figure(run, chosen, verdict)
    before = next((r.score for r in reversed(progress.records) if r.score is not None), None)
    better = improved(metric, before, score)
    record = IterationRecord(
        iteration=number,
        lpips_score=score if metric == "LPIPS" else None,
        lpips_improved=better if metric == "LPIPS" else None,
        compile_error=None if made.failure is None else made.failure.message,
        critique_summary=None if verdict.by == "metric" else verdict.summary or None,
        agent_notes=(made.approach if chosen is None else chosen.approach) or None,
        metric=metric,
        score=score,
        improved=better,
        retry_count=retries.count,
        errors=tuple(retries.errors),
    )
    turn = progress.turns[number] = replace(turn, record=record)
    best = progress.best
    if best is not None and best.number == number:
        progress.best = turn
    run.journal.note(
        Iterated(
            key=f"iteration-{number}",
            at=run.journal.now,
            record=record,
            best=best is not None and best.number == number,
        )
    )
