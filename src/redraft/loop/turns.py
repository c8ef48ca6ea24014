"""The closed loop: draft, repair while there are errors, look, keep the better version, until it is right.

A turn is one model call for a draft or an edit, and one for the look where the model sees; repairs and fast retries
add more.

A run ends with the first of four words that applies (`result.outcome_of` decides). *Not valid*: there is an error, or
nothing ran. A requirement that does not hold is an error if a critic upheld it: the result is wrong, not the
requirement. *Incomplete*: the model says that it left something out, or words of the brief were not understood.
*Unchecked*: nothing was measured, and no model looked at the result. Otherwise *valid*. A critic that is not satisfied
changes none of them; its differences are listed.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import count
from typing import Any

import anyio
from pydantic import JsonValue

from redraft.errors import BriefError, IdeaError, RedraftError, ResumeDivergedError
from redraft.loop.attempt import Attempt, Retries
from redraft.loop.check import checked, note_validation
from redraft.loop.deliver import IDEAS, deliver, ended, finish, unlisted
from redraft.loop.draft import discover, draft
from redraft.loop.keep import Candidate, Progress, Turn, better, discard, reason
from redraft.loop.look import look, not_run, with_answers
from redraft.loop.repair import repair
from redraft.loop.run import Run
from redraft.record.events import Iterated, Place
from redraft.record.history import improved
from redraft.result import IterationRecord, Report, Result, Verdict
from redraft.studios.kinds import PaintingStudio

_log = logging.getLogger("redraft.scoring")
_log.addHandler(logging.NullHandler())
UNCHANGED = Verdict(by="none", satisfied=None, summary="the reply changes nothing")
METRIC = "VALIDATION"
"""Name of the score in the history of a run without a target or a critic."""
CRITIC = "CRITIC"
"""Name of the score in the history of a run with a critic."""


async def execute(run: Run) -> Result:
    """Drive the loop in a run folder, new or interrupted, and deliver the best version.

    Budget and model errors end the run early and are part of the result; cancellation delivers and is passed on.

    Raises:
        HistoryError: a list that the delivery is to be added to is not redraft's, or cannot be written; no model was
            asked.
    """
    run.base = run.studio.open(run.brief)
    if isinstance(run.studio, PaintingStudio) and run.generations is not None and not unlisted(run, run.generations):
        run.studio.check_lists(run.generations)
    progress = Progress()
    async with run.recording(run.worst_case_calls):
        error: dict[str, JsonValue] | None = None
        try:
            try:
                run.note_surroundings()
                run.studio.warm(run.resources)
                await run_loop(run, progress)
            except (BriefError, IdeaError, ResumeDivergedError):
                raise  # without an artifact there is nothing to finish
            except RedraftError as failure:
                error = ended(run, str(failure))
            error = await finish(run, progress) or error
        except IdeaError as failure:
            deliver(run, progress, {"phase": IDEAS, "step": failure.step, "message": str(failure)})
            raise
        except anyio.get_cancelled_exc_class():
            if run.unfinished and progress.best is None:  # the artifact so far of an execution that was stopped
                artifact = run.unfinished[-1]
                stopped = Candidate(artifact, checked(run, artifact), "draft", Place(1), note="Stopped in the middle.")
                progress.offer(stopped)
            deliver(run, progress, ended(run, "interrupted"))
            raise
        return deliver(run, progress, error)


async def run_loop(run: Run, progress: Progress) -> None:
    """Take turn after turn until the best version is right, filling `progress`.

    Raises:
        RedraftError: the run has to end early (the budget, an unreachable model); `progress` has the best so far.
    """
    if run.scoring.enabled:
        from redraft.loop.ideas import ideate

        progress.idea = await ideate(run)
    else:
        _log.info("Blackbox scoring disabled")
    progress.discovery = await discover(run)
    for number in count(1):
        retries, earlier = Retries(run.loop.fixes), progress.best
        before = None if earlier is None else earlier.candidate
        candidate, attempts = await draft(run, progress, number, retries)

        # Nothing ran: the next turn tries again, with the errors in its history.
        if candidate is None:
            verdict = not_run(run, number, attempts[0].failure)
            progress.turns[number] = Turn(number, None, verdict)

        # The edit is what was there before: a look would see the same, and so would another turn.
        elif before is not None and candidate.artifact == before.artifact:
            verdict = UNCHANGED
            discard(run, candidate.validation, f"the {candidate.source} of turn {number}", verdict.summary)

        else:
            versions = await repair(run, candidate, retries, progress.offer)
            rival = (before or versions.other) if run.metric is None else None  # toward a target the distance decides
            verdict = await look(run, versions.best, rival, retries, last=number >= run.loop.iterations)
            _keep_better(run, progress, earlier, versions.best, rival, verdict)

        note_turn(run, progress, number, attempts, verdict, retries)
        if verdict is UNCHANGED or not _goes_on(run, progress, number):
            return


def _keep_better(
    run: Run,
    progress: Progress,
    earlier: Turn | None,
    candidate: Candidate,
    rival: Candidate | None,
    verdict: Verdict,
) -> None:
    """Keep the turn's candidate, or the version before it: the one that the critic prefers, or that measures better."""
    number = candidate.place.turn
    candidate = with_answers(run, candidate, verdict)
    later = progress.turns[number] = Turn(number, candidate, verdict)
    before = rival if earlier is None else earlier.candidate
    before = None if before is None else with_answers(run, before, verdict)
    if (
        before is None
        or verdict.better == "later"
        or (verdict.better != "earlier" and (earlier is None or better(run, before, candidate)))
    ):
        progress.best = later
        return
    preference = {"earlier": "the critic prefers the earlier one", "same": "the critic sees no clear difference"}
    why = preference.get(verdict.better) or reason(before, candidate)
    discard(run, Place(number).at("verify"), f"the {candidate.source} of turn {number}", why)

    # The version before belongs to an earlier turn, with the verdict that applies to it now.
    if earlier is not None:
        progress.best = replace(earlier, candidate=before, verdict=verdict if verdict.better else earlier.verdict)
        progress.turns[earlier.number] = progress.best
        return

    # Or to this turn: the draft is preferred to its repair, and stands last in the record.
    kept = replace(before, index=max(before.index, candidate.index) + 1, note=f"The {before.source} is kept.")
    note_validation(run, kept, "use" if kept.report.valid else "keep_best", kept=True)
    progress.best = progress.turns[number] = replace(later, candidate=kept)


def _goes_on(run: Run, progress: Progress, number: int) -> bool:
    """Return whether another turn follows: the best version has errors, or a difference that has to change.

    `loop.polish` may add one turn to `loop.iterations`.
    """
    best, progress.polishing = progress.best, False
    if number > run.loop.iterations:
        return False  # that one polished
    if best is not None and best.candidate is not None and best.candidate.report.closed:  # no repair is due
        if best.verdict.satisfied is not False:
            progress.polishing = run.loop.polish and bool(best.verdict.differences)
            return progress.polishing
        if best.verdict.by == "critic" and not best.verdict.differences:
            return False  # not near enough to the target, but the critic sees no difference
    if run.model.info.rules and run.metric is None:
        return False  # the offline model reads the words alone, and would answer as before
    return number < run.loop.iterations


async def redeliver(run: Run, artifact: Any, report: Report) -> Result:
    """Deliver an artifact of an earlier run, with its report, in a folder of its own; no model is asked."""
    run.base = artifact
    candidate = Candidate(artifact, report, "draft", Place(1), note="As it was.")
    progress = Progress()
    progress.offer(candidate)
    async with run.recording(0):
        note_validation(run, candidate, "use" if report.valid else "keep_best", kept=True)
        return deliver(run, progress, await finish(run, progress))


def note_turn(
    run: Run,
    progress: Progress,
    number: int,
    attempts: list[Attempt],
    verdict: Verdict,
    retries: Retries,
) -> None:
    """Record a turn for the history that later requests show."""
    turn = progress.turns.setdefault(number, Turn(number, None, verdict))
    chosen = turn.candidate
    of_chosen = (a for a in attempts if chosen is not None and a.place.candidate == chosen.place.candidate)
    attempt = next(of_chosen, attempts[0])

    # One score for the whole history: the distance from the target, else the critic's, else that of the report.
    if run.metric is not None:
        score, metric = None if chosen is None or chosen.score is None else chosen.score.best, run.metric
    elif run.critic:
        score, metric = verdict.score, CRITIC
    else:
        score, metric = None if chosen is None else chosen.report.score, METRIC
    before = next((r.score for r in reversed(progress.records) if r.score is not None), None)
    gain = improved(metric, before, score)
    record = IterationRecord(
        iteration=number,
        lpips_score=score if metric == "LPIPS" else None,
        lpips_improved=gain if metric == "LPIPS" else None,
        compile_error=None if attempt.failure is None else attempt.failure.message,
        critique_summary=None if verdict.by == "metric" else verdict.summary or None,
        agent_notes=(attempt.approach if chosen is None else chosen.approach) or None,
        metric=metric,
        score=score,
        improved=gain,
        retry_count=retries.count,
        errors=tuple(retries.errors),
    )
    turn = progress.turns[number] = replace(turn, record=record)
    best = progress.best is not None and progress.best.number == number
    if best:
        progress.best = turn
    run.journal.note(Iterated(key=str(Place(number)), at=run.journal.now, record=record, best=best))
