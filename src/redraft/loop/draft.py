"""Draft: the first turn's candidates at once, or an edit of the best so far; before that, what a reference has to
give."""

from __future__ import annotations

from typing import Any, TypeVar

import anyio
from pydantic import BaseModel

from redraft.errors import FormatError, RedraftError
from redraft.loop.attempt import Attempt, Retries, attempt
from redraft.loop.check import candidate_of, note, pictures_of
from redraft.loop.keep import Candidate, Progress, discard, statements_of, worth
from redraft.loop.run import Run
from redraft.models.replies import reply_as
from redraft.record.events import Place, TurnStarted
from redraft.record.history import format_iteration_history
from redraft.result import Failure, Report, Verdict
from redraft.studios.kinds import ReferenceStudio
from redraft.studios.requests import Discovery, DraftRequest, EditRequest

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
DISCOVER = "discover"


async def discover(run: Run[Any]) -> str:
    """Return what of the brief's reference to reuse, change and bridge, for later prompts; empty without one.

    Without an answer that can be read the run continues without it, with a warning.
    """
    studio = run.studio
    if run.brief.reference is None or not isinstance(studio, ReferenceStudio):
        return ""
    text = await run.converse(studio.discover(run.brief, "", None), DISCOVER)
    for tries in range(1, run.loop.fixes + 2):
        try:
            discovery = reply_as(Discovery, text, "discovery")
        except FormatError as error:
            if tries > run.loop.fixes:
                run.warn(DISCOVER, f"The reference was sorted in words that could not be read; it is not used. {error}")
                return ""
            again = studio.discover(run.brief, text, Failure(failure_class="E2", message=str(error)))
            text = await run.converse(again, f"{DISCOVER}/fix-{tries}")
        else:
            run.note("discovery", discovery.model_dump(mode="json"), DISCOVER)
            heads = {"REUSE": discovery.reuse, "CHANGE": discovery.change, "BRIDGE": discovery.bridge}
            return "\n".join(
                f"{head}:\n" + "\n".join(f"- {line}" for line in lines) for head, lines in heads.items() if lines
            )
    raise AssertionError("the loop above returns")


async def draft(
    run: Run[ArtifactT], progress: Progress[ArtifactT], number: int, retries: Retries
) -> tuple[Candidate[ArtifactT] | None, list[Attempt[ArtifactT]]]:
    """Return the best of the turn's drafts, the earliest of equals, and every attempt; no candidate where none ran.

    A draft that fails cancels no sibling.

    Raises:
        RedraftError: what ends the run (the budget, an unreachable model), once the drafts that came through are kept.
    """
    request = await _request(run, progress, number)
    many = run.loop.candidates if number == 1 else 1
    attempts: dict[int, Attempt[ArtifactT]] = {}
    fatal: dict[int, RedraftError] = {}
    shares = retries.shares(many)

    async def one(index: int) -> None:
        place = Place(number, index if many > 1 else None, request.kind)
        try:
            attempts[index] = await attempt(run, request, place, shares[index])
        except RedraftError as error:
            fatal[index] = error

    async with anyio.create_task_group() as group:
        for index in range(many):
            group.start_soon(one, index)
    retries.collect(shares)
    done = [attempts[index] for index in sorted(attempts)]
    candidates = [
        await candidate_of(
            run, each.artifact, each.place, "draft" if each.kind == "draft" else "edit", approach=each.approach
        )
        for each in done
        if each.artifact is not None
    ]
    best = max(candidates, key=worth, default=None)
    for candidate in candidates:
        if best is not None and candidate is not best:
            note(run, candidate, "rank", kept=False)
            what, reason = (
                f"candidate {candidate.place.candidate}",
                f"candidate {best.place.candidate} has a better report",
            )
            discard(run, candidate.validation, what, reason)
    if best is not None:
        progress.offer(best)
    if fatal:
        raise fatal[min(fatal)]
    return best, done


async def _request(run: Run[ArtifactT], progress: Progress[ArtifactT], number: int) -> DraftRequest[ArtifactT]:
    """The request for something new, or for a change of the best so far, or of the base."""
    best = progress.best
    chosen = None if best is None else best.candidate
    current = run.base if chosen is None else chosen.artifact
    facts: dict[str, Any] = {
        "idea": progress.idea,
        "history": format_iteration_history(progress.records) if run.loop.history else "",
        "discovery": progress.discovery,
        "pictures": await pictures_of(run, current, chosen and chosen.score),
    }
    request = run.request(DraftRequest[ArtifactT], **facts)
    if current is not None:
        facts |= {"current": current, "requirements": statements_of(current)}
        if best is not None and chosen is not None:
            verdict = _pressing(best.verdict) if progress.polishing else best.verdict
            facts |= {"report": chosen.report, "score": chosen.score, "verdict": verdict}
        request = run.request(EditRequest[ArtifactT], **facts)
    if number > 1:
        _note_turn(run, number, request.kind, chosen and chosen.report, best and best.verdict)
    return request


def _pressing(verdict: Verdict) -> Verdict:
    """The verdict of a satisfied critic with its minor differences as what has to change."""
    must = tuple(difference.model_copy(update={"weight": "must"}) for difference in verdict.differences)
    return verdict.model_copy(update={"differences": must})


def _note_turn(run: Run[Any], number: int, kind: str, report: Report | None, verdict: Verdict | None) -> None:
    """Record that another turn begins, with the reason."""
    if report is None:
        reason = "nothing ran before"
    elif not report.valid:
        reason = f"the best so far is not valid (score {report.score:.2f})"
    elif verdict is not None and verdict.by == "metric":
        reason = f"not near enough yet ({verdict.summary})"
    else:
        reason = "no critic is satisfied" if verdict is None else verdict.summary
    run.journal.note(
        TurnStarted(key=str(Place(number)), at=run.journal.now, iteration=number, kind=kind, reason=reason)
    )
