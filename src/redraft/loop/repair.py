"""Repair: while a candidate has errors, the solver of its medium and then the model correct them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from anyio import to_thread

from redraft.errors import ExecutionError
from redraft.loop.attempt import Retries, attempt
from redraft.loop.check import candidate_of, note_validation, pictures_of
from redraft.loop.keep import Candidate, better, discard, errors_of, reason, requirements_of, same_picture
from redraft.loop.run import Run
from redraft.studios.kinds import LayoutStudio
from redraft.studios.requests import RepairRequest

MAX_PASSES = 3
"""Passes of the solver over one candidate; it stops at the first that does not help."""


@dataclass(frozen=True)
class Repaired:
    """The best version of a turn, and another one that a critic should see beside it."""

    best: Candidate
    other: Candidate | None = None
    """The draft, if the model repaired it; else a repair that measures the same, if there is one."""


async def repair(
    run: Run,
    draft: Candidate,
    retries: Retries,
    offer: Callable[[Candidate], None],
) -> Repaired:
    """Correct a draft while it has errors, at most `loop.repairs` times.

    `offer` is called with each new best at once, so that it is not lost when the run ends in the middle.
    """
    current = best = await _solved(run, draft)
    alike: Candidate | None = None
    repairs = 0
    offer(best)
    while True:
        if current.artifact != best.artifact:
            current = await _solved(run, current)
            if better(run, best, current):
                best = current
                offer(best)
            else:
                before, after = errors_of(best.report, current.report)
                if before == after and not same_picture(best.artifact, current.artifact):
                    alike = current
                discard(run, current.validation, "the repair", reason(best, current))

        # A deterministic model whose repair changed nothing would answer a second request in the same way.
        unchanged = current is not best and current.artifact == best.artifact
        settled = unchanged and (run.model.info.rules or run.config.models.temperature == 0)
        again = not best.report.closed and repairs < run.loop.repairs and not settled
        step = "repair" if again else "use" if best.report.valid else "keep_best"
        note_validation(run, current, step, kept=current is best, repair=repairs + 1)
        if not again:
            return Repaired(best, draft if best.source == "repair" else alike)
        repairs += 1
        current = await _ask_for_repair(run, best, current.index + 1, retries)


async def _ask_for_repair(run: Run, best: Candidate, index: int, retries: Retries) -> Candidate:
    """Return the version that the model makes of the best one; the best itself where its reply did not run."""
    request = run.request(
        RepairRequest[Any],
        current=best.artifact,
        report=best.report,
        requirements=requirements_of(best.artifact),
        pictures=await pictures_of(run, best.artifact, best.score),
    )
    reply = await attempt(run, request, best.place.at(f"repair-{index}"), retries, index=index)
    if reply.artifact is None:
        why = reply.errors[-1] if reply.errors else "no reason given"
        discard(run, reply.place, "the repair", f"it did not run: {why}")
        return replace(best, index=index, note="The repair did not run.")
    if reply.artifact == best.artifact:
        return replace(best, index=index, note="The repair changed nothing.")
    return await candidate_of(run, reply.artifact, best.place, "repair", index, approach=reply.approach)


async def _solved(run: Run, candidate: Candidate) -> Candidate:
    """Return the candidate after the moves of the medium's solver; itself where none of them helps."""
    studio = run.studio
    if not isinstance(studio, LayoutStudio):
        return candidate
    for _ in range(MAX_PASSES):
        if candidate.report.crowded:  # too many errors to fix one by one
            break
        work = partial(studio.solve, candidate.artifact, run.base, candidate.report, run.brief, run.config.seed)
        solution = await to_thread.run_sync(work, limiter=run.resources.limiter)
        if solution is None or not solution.moves:
            break
        try:
            artifact = studio.apply_moves(candidate.artifact, solution.moves)
        except ExecutionError:  # the moves leave what the medium can hold; the model is asked instead
            break
        moved = await candidate_of(
            run, artifact, candidate.place, "solver", candidate.index + 1, approach=candidate.approach
        )
        if not better(run, candidate, moved):
            break
        note_validation(run, candidate, "solver", kept=True)
        candidate = replace(moved, note=f"Solver: {solution.note}")
    return candidate
