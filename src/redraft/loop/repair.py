"""Repair: while a candidate has errors, let the solver of its medium and then the model correct them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from anyio import to_thread
from pydantic import BaseModel

from redraft.errors import ExecutionError
from redraft.loop.attempt import Retries, attempt
from redraft.loop.check import candidate_of, note, pictures_of
from redraft.loop.keep import Candidate, better, discard, errors_of, reason, same_picture, statements_of
from redraft.loop.run import Run
from redraft.studios.kinds import LayoutStudio
from redraft.studios.requests import RepairRequest

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
PASSES = 3
"""Of the solver over one candidate; each has to be of use."""


@dataclass(frozen=True)
class Repaired(Generic[ArtifactT]):
    """The best version of a turn, and another one that a critic should see beside it."""

    best: Candidate[ArtifactT]
    other: Candidate[ArtifactT] | None = None
    """The draft, if the model repaired it; else a repair that measures the same. None where there is neither."""


async def repair(
    run: Run[ArtifactT],
    draft: Candidate[ArtifactT],
    retries: Retries,
    offer: Callable[[Candidate[ArtifactT]], None],
) -> Repaired[ArtifactT]:
    """Correct a draft while it has errors, at most `loop.repairs` times.

    `offer` is called with each new best at once, so that it is not lost when the run ends in the middle.
    """
    current = await _solved(run, draft)
    best, alike, repairs = current, None, 0
    offer(best)
    while True:
        if current.artifact != best.artifact:
            current = await _solved(run, current)
            before, after = errors_of(best.report, current.report)
            if better(run, best, current):
                best = current
                offer(best)
            else:
                if before == after and not same_picture(best.artifact, current.artifact):
                    alike = current
                discard(run, current.validation, "the repair", reason(best, current))
        again = not best.report.closed and repairs < run.loop.repairs and not _settled(run, best, current)
        step = "repair" if again else "use" if best.report.valid else "keep_best"
        note(run, current, step, kept=current is best, repair=repairs + 1)
        if not again:
            return Repaired(best, draft if best.source == "repair" else alike)
        repairs += 1
        current = await _repair(run, best, current.index + 1, retries)


def _settled(run: Run[Any], best: Candidate[Any], current: Candidate[Any]) -> bool:
    """Return whether the model would answer a second request like the first, which changed nothing."""
    if current is best or current.artifact != best.artifact:
        return False
    return run.model.info.rules or run.config.models.temperature == 0


async def _repair(
    run: Run[ArtifactT], best: Candidate[ArtifactT], index: int, retries: Retries
) -> Candidate[ArtifactT]:
    """The version that the model makes of the best one; the best itself where its reply did not run."""
    request = run.request(
        RepairRequest[ArtifactT],
        current=best.artifact,
        report=best.report,
        requirements=statements_of(best.artifact),
        pictures=await pictures_of(run, best.artifact, best.score),
    )
    reply = await attempt(run, request, best.place.at(f"repair-{index}"), retries, index=index)
    if reply.artifact is None:
        discard(
            run, reply.place, "the repair", f"it did not run: {reply.errors[-1] if reply.errors else 'no reason given'}"
        )
        return replace(best, index=index, note="The repair did not run.")
    if reply.artifact == best.artifact:
        return replace(best, index=index, note="The repair changed nothing.")
    return await candidate_of(run, reply.artifact, best.place, "repair", index, approach=reply.approach)


async def _solved(run: Run[ArtifactT], candidate: Candidate[ArtifactT]) -> Candidate[ArtifactT]:
    """The candidate after the moves of the medium's solver; itself where it has none of use."""
    studio = run.studio
    if not isinstance(studio, LayoutStudio):
        return candidate
    for _ in range(PASSES):
        if candidate.report.crowded:
            break
        work = partial(studio.solve, candidate.artifact, run.base, candidate.report, run.brief, run.config.seed)
        solution = await to_thread.run_sync(work, limiter=run.resources.limiter)
        if solution is None or not solution.moves:
            break
        try:
            artifact = studio.apply_moves(candidate.artifact, solution.moves)
        except ExecutionError:  # the moves leave what the medium can hold; the model is asked instead
            break
        then = await candidate_of(
            run, artifact, candidate.place, "solver", candidate.index + 1, approach=candidate.approach
        )
        if not better(run, candidate, then):
            break
        note(run, candidate, "solver", kept=True)
        candidate = replace(then, note=f"Solver: {solution.note}")
    return candidate
