"""Draft: the candidates of the first turn, side by side, or an edit of the best version so far. A brief with a
reference is read before the first draft (`discover`)."""

from __future__ import annotations

from typing import Any

import anyio

from redraft.errors import FormatError, RedraftError
from redraft.loop.attempt import Attempt, Retries, attempt
from redraft.loop.check import candidate_of, note_validation, pictures_of
from redraft.loop.keep import Candidate, Progress, discard, requirements_of, worth
from redraft.loop.run import Run
from redraft.models.replies import reply_as
from redraft.record.events import Place, Source, TurnStarted
from redraft.record.history import format_iteration_history
from redraft.result import Failure
from redraft.studios.kinds import ReferenceStudio
from redraft.studios.requests import Discovery, DraftRequest, EditRequest

DISCOVER = "discover"


async def discover(run: Run) -> str:
    """Return what of the brief's reference to reuse, to change and to bridge, for later prompts; empty without one.

    If no answer can be read, the run continues without the reference, and warns of it.
    """
    studio = run.studio
    if run.brief.reference is None or not isinstance(studio, ReferenceStudio):
        return ""
    text = await run.converse(studio.discover(run.brief, "", None), DISCOVER)
    tries = 0
    while True:
        try:
            discovery = reply_as(Discovery, text, "discovery")
            break
        except FormatError as error:
            tries += 1
            if tries > run.loop.fixes:
                run.warn(DISCOVER, f"The reference was sorted in words that could not be read; it is not used. {error}")
                return ""
            again = studio.discover(run.brief, text, Failure(failure_class="E2", message=str(error)))
            text = await run.converse(again, f"{DISCOVER}/fix-{tries}")
    run.note("discovery", discovery.model_dump(mode="json"), DISCOVER)
    sections = {"REUSE": discovery.reuse, "CHANGE": discovery.change, "BRIDGE": discovery.bridge}
    return "\n".join("\n- ".join([f"{head}:", *lines]) for head, lines in sections.items() if lines)


async def draft(run: Run, progress: Progress, number: int, retries: Retries) -> tuple[Candidate | None, list[Attempt]]:
    """Return the best of the turn's drafts, the earliest of equals, and every attempt; no candidate where none ran.

    A draft that fails cancels no sibling.

    Raises:
        RedraftError: the run has to end (the budget, an unreachable model); the drafts that came through are kept.
    """
    request = await _request(run, progress, number)
    drafts = run.loop.candidates if number == 1 else 1
    attempts: dict[int, Attempt] = {}
    fatal: dict[int, RedraftError] = {}
    shares = retries.shares(drafts)

    async def one(index: int) -> None:
        place = Place(number, index if drafts > 1 else None, request.kind)
        try:
            attempts[index] = await attempt(run, request, place, shares[index])
        except RedraftError as error:
            fatal[index] = error

    async with anyio.create_task_group() as group:
        for index in range(drafts):
            group.start_soon(one, index)
    retries.collect(shares)

    # Rank in the order of the drafts, so that the record does not depend on which reply came first.
    ordered = [attempts[index] for index in sorted(attempts)]
    source: Source = "draft" if request.kind == "draft" else "edit"
    candidates = [
        await candidate_of(run, each.artifact, each.place, source, approach=each.approach)
        for each in ordered
        if each.artifact is not None
    ]
    best = max(candidates, key=worth, default=None)
    if best is not None:
        for candidate in candidates:
            if candidate is not best:
                note_validation(run, candidate, "rank", kept=False)
                why = f"candidate {best.place.candidate} has a better report"
                discard(run, candidate.validation, f"candidate {candidate.place.candidate}", why)
        progress.offer(best)
    if fatal:
        raise fatal[min(fatal)]
    return best, ordered


async def _request(run: Run, progress: Progress, number: int) -> DraftRequest[Any]:
    """Return the request for a new draft, or for an edit of the best version or of the base; record why another turn
    begins."""
    turn = progress.best
    best, verdict = (None, None) if turn is None else (turn.candidate, turn.verdict)
    current = run.base if best is None else best.artifact
    facts: dict[str, Any] = {
        "idea": progress.idea,
        "history": format_iteration_history(progress.records) if run.loop.history else "",
        "discovery": progress.discovery,
        "pictures": await pictures_of(run, current, best and best.score),
    }
    request = run.request(DraftRequest[Any], **facts)
    if current is not None:
        facts |= {"current": current, "requirements": requirements_of(current)}
        if best is not None and verdict is not None:
            pressing = verdict
            if progress.polishing:  # the critic is satisfied; this turn is for the minor differences that it named
                must = tuple(each.model_copy(update={"weight": "must"}) for each in verdict.differences)
                pressing = verdict.model_copy(update={"differences": must})
            facts |= {"report": best.report, "score": best.score, "verdict": pressing}
        request = run.request(EditRequest[Any], **facts)

    if number > 1:
        if best is None:
            reason = "nothing ran before"
        elif not best.report.valid:
            reason = f"the best so far is not valid (score {best.report.score:.2f})"
        elif verdict is not None and verdict.by == "metric":
            reason = f"not near enough yet ({verdict.summary})"
        else:
            reason = "no critic is satisfied" if verdict is None else verdict.summary
        run.journal.note(
            TurnStarted(key=str(Place(number)), at=run.journal.now, iteration=number, kind=request.kind, reason=reason)
        )
    return request
