"""Validate and repair: deterministic rules, then the exact solver, then the model; the best candidate stays.

The solver is asked first, and as often as it makes the report better: its passes are free. What is left and not
valid goes to the model, at most `loop.repairs` times in a turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, Literal, TypeVar, cast

from anyio import to_thread
from pydantic import BaseModel, JsonValue, TypeAdapter

from redraft.errors import ExecutionError, InfrastructureError
from redraft.events import Validated
from redraft.memory.history import nearness
from redraft.result import Report, Score
from redraft.shelf import digest
from redraft.spatial.layout import Move
from redraft.stages.attempt import Attempt, attempt, execute
from redraft.stages.desk import Desk
from redraft.studios.base import Amending, Audited, Facts, Illustrated, Redrafting, Scored, Spatial
from redraft.transcript import AUDIT, SCORE

__all__ = ["Candidate", "merit", "note", "rank", "validate", "worth"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
Source = Literal["draft", "edit", "solver", "repair"]
Next = Literal["use", "solver", "repair", "keep_best", "rank"]

SHOWN = 6
"""Mended issues that a line about the solver names."""


@dataclass(frozen=True)
class Candidate(Generic[ArtifactT]):
    """An artefact with its report. `index` counts the validations of its turn; `note` says what a solver did.

    `moved` is what the solver did since the model last wrote it, a line for each pass: the model's own numbers are
    not the artefact's any more, and its next request says so.
    """

    artifact: ArtifactT
    report: Report
    source: Source
    index: int = 0
    number: int | None = None
    """Which of several drafts it came from."""
    note: str = ""
    moved: tuple[str, ...] = ()
    score: Score | None = None
    """How far it is from the target, where there is one."""


@dataclass(frozen=True)
class _Place:
    """Where in a run a candidate is worked on."""

    turn: int
    number: int | None

    @property
    def path(self) -> str:
        return f"iteration-{self.turn}" + ("" if self.number is None else f"/candidate-{self.number}")


def merit(report: Report) -> tuple[bool, float, int, int]:
    """Which report is better, the larger: valid, score, fewer errors, fewer warnings."""
    return (report.valid, report.score, -len(report.errors), -len(report.warnings))


def worth(candidate: Candidate[Any]) -> tuple[bool, float, float, int, int]:
    """Which candidate is better, the larger: by its report, and of two that are alike valid by the target."""
    valid, score, errors, warnings = merit(candidate.report)
    return (valid, nearness(candidate.score) if valid else 0.0, score, errors, warnings)


async def rank(
    desk: Desk[ArtifactT], attempts: list[Attempt[ArtifactT]], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT] | None:
    """Check every draft that ran and choose the best report, the earliest of equals. None when none ran."""
    found: list[Candidate[ArtifactT]] = []
    for made in attempts:
        if made.artifact is None:
            continue
        path = f"{_Place(turn, made.number).path}/validate-0"
        report = await _check(desk, made.artifact, base, path)
        score = await _measure(desk, made.artifact, path)
        source: Source = "draft" if made.kind == "draft" else "edit"
        found.append(Candidate(made.artifact, report, source, number=made.number, score=score))
    best = max(found, key=worth, default=None)
    for candidate in found:
        if candidate is not best:
            note(desk, candidate, turn, "rank", kept=False)
    return best


async def validate(
    desk: Desk[ArtifactT],
    first: Candidate[ArtifactT],
    base: ArtifactT | None,
    turn: int,
    offer: Callable[[Candidate[ArtifactT]], None],
) -> Candidate[ArtifactT]:
    """Repair a candidate until it is valid or the budgets of this turn are used up; the best of the way.

    `offer` is called with each new best at once, so that it is not lost when the run ends in the middle.
    """
    best = current = first
    repairs = 0
    while True:
        better = await _solve(desk, current, base, turn)
        step = "solver" if better else _next(desk, current, repairs)
        note(desk, current, turn, step, kept=current is best, repair=repairs + 1)
        if better is None:
            if step != "repair":
                return best
            repairs += 1
            made = await _repair(desk, best, base, turn, current.index + 1)
            if made is None:
                if repairs >= desk.loop.repairs:
                    return best
                current = _again(best, current.index + 1)
                continue
            if made.artifact == best.artifact:  # who was asked has nothing to change, and would be asked the same
                return best
            better = made
        before, current = current, better
        if worth(current) > worth(best) or (current.source == "solver" and before is best):
            best = current
            offer(best)


def _again(best: Candidate[ArtifactT], index: int) -> Candidate[ArtifactT]:
    return replace(best, index=index, note="The repair did not run.")


def _next(desk: Desk[Any], current: Candidate[Any], repairs: int) -> Next:
    if current.report.valid:
        return "use"
    allowed = 0 if desk.loop.repair == "solver" else desk.loop.repairs
    return "repair" if repairs < allowed else "keep_best"


async def _check(desk: Desk[ArtifactT], artifact: ArtifactT, base: ArtifactT | None, path: str) -> Report:
    """The rules' report; with what an outside judge finds, where there is one and the rules find nothing."""
    work = partial(desk.studio.check, artifact, base, desk.brief)
    report = await to_thread.run_sync(work, limiter=desk.bench.limiter)
    if not report.valid or not isinstance(desk.studio, Audited):
        return report
    judge = cast("Audited[ArtifactT]", desk.studio)
    inputs: JsonValue = {
        "kind": f"{desk.studio.name}.audit",
        "by": judge.auditor,
        "artifact": artifact.model_dump(mode="json"),
        "base": None if base is None else base.model_dump(mode="json"),
    }
    try:
        found = await desk.journal.once(
            f"{path}/{AUDIT}",
            inputs,
            lambda: judge.audit(artifact, base, desk.bench),
            TypeAdapter(Report),
        )
    except InfrastructureError as error:
        desk.warn(f"{path}/{AUDIT}", str(error))
        return report
    return report + found


async def _measure(desk: Desk[ArtifactT], artifact: ArtifactT, path: str) -> Score | None:
    """How far it is from the target; None without one, and where it could not be measured, which is said."""
    brief, metric = desk.brief, desk.metric
    if brief.target is None or metric is None:
        return None
    studio = cast("Scored[ArtifactT]", desk.studio)
    inputs: JsonValue = {
        "kind": f"{desk.studio.name}.measure",
        "by": metric,
        "artifact": artifact.model_dump(mode="json"),
        "target": digest(brief.target.read_bytes()),
    }
    try:
        return await desk.journal.once(
            f"{path}/{SCORE}", inputs, lambda: studio.score(artifact, brief, desk.bench), TypeAdapter(Score)
        )
    except InfrastructureError as error:
        desk.warn(f"{path}/{SCORE}", str(error))
        return None


async def _solve(
    desk: Desk[ArtifactT], current: Candidate[ArtifactT], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT] | None:
    """The candidate after the solver's moves; None when it has none that are of use.

    It is asked of valid candidates too: rules allow a tolerance, and what a brief states in numbers shall be exact.
    """
    studio = desk.studio
    if desk.loop.repair == "model" or not isinstance(studio, Spatial):
        return None
    spatial = cast("Spatial[ArtifactT]", studio)
    work = partial(spatial.mend, current.artifact, base, current.report, desk.brief, desk.bench.seed)
    solution = await to_thread.run_sync(work, limiter=desk.bench.limiter)
    if not solution.moves:
        return None
    path = f"{_Place(turn, current.number).path}/validate-{current.index + 1}/solver"
    note, told = solution.note, [f"- {_told(move)}" for move in solution.moves]
    try:
        artifact = await _moved(desk, current.artifact, solution.moves, path)
    except ExecutionError:  # the moves leave what the medium can hold; the model is asked instead
        return None
    report = await _check(desk, artifact, base, path)
    before, after = merit(current.report), merit(report)
    polished = after == before and current.source != "solver"
    if after > before or polished:
        moved = (*current.moved, *told, *_mended_issues(current.report, report))
        score = await _measure(desk, artifact, path)
        return Candidate(artifact, report, "solver", current.index + 1, current.number, f"Solver: {note}", moved, score)
    return None


def _mended_issues(before: Report, after: Report) -> list[str]:
    """The errors and warnings that are gone, as a line."""
    left = {(issue.code, issue.subjects) for issue in after.issues}
    gone = [i.message for i in (*before.errors, *before.warnings) if (i.code, i.subjects) not in left]
    more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
    return [f"- This mended: {'; '.join(gone[:SHOWN])}{more}."] if gone else []


async def _moved(desk: Desk[ArtifactT], artifact: ArtifactT, moves: Sequence[Move], path: str) -> ArtifactT:
    """The artefact after the solver's moves. Raises `ExecutionError` where the medium cannot hold it."""
    if isinstance(desk.studio, Redrafting):
        draft = cast("Redrafting[ArtifactT]", desk.studio).redraft(artifact, moves)
        return await execute(desk, draft, artifact, path)
    work = partial(cast("Amending[ArtifactT]", desk.studio).amend, artifact, moves)
    return await to_thread.run_sync(work, limiter=desk.bench.limiter)


def _told(move: Move) -> str:
    """A move in words, in the layout's own unit: `tree by (+0.050, +0.000): apart from house`."""
    a, b, c, d, dx, dy = move.matrix
    if (a, b, c, d) == (1.0, 0.0, 0.0, 1.0):
        change = f"by ({dx:+.3f}, {dy:+.3f})" if move.lift is None else f"by ({dx:+.3f}, {dy:+.3f}, {move.lift:+.3f})"
    else:
        change = f"{'turned, ' if b or c else ''}scaled by {math.hypot(a, b):.3f} × {math.hypot(c, d):.3f}"
    return f"{move.item} {change}" + (f": {move.reason}" if move.reason else "")


async def _repair(
    desk: Desk[ArtifactT], best: Candidate[ArtifactT], base: ArtifactT | None, turn: int, index: int
) -> Candidate[ArtifactT] | None:
    moved = "\n".join(best.moved)
    facts = Facts(brief=desk.brief, base=base, current=best.artifact, report=best.report, moved=moved)
    path = f"{_Place(turn, best.number).path}/repair-{index}"
    made = await attempt(desk, "repair", facts, path, index=index)
    if made.artifact is None:
        return None
    checked = f"{_Place(turn, best.number).path}/validate-{index}"
    report = await _check(desk, made.artifact, base, checked)
    score = await _measure(desk, made.artifact, checked)
    return Candidate(made.artifact, report, "repair", index, best.number, score=score)


def note(desk: Desk[Any], candidate: Candidate[Any], turn: int, step: Next, *, kept: bool, repair: int = 0) -> None:
    """Record one validation, with its pictures."""
    path = f"{_Place(turn, candidate.number).path}/validate-{candidate.index}"
    pictures = _illustrate(desk, candidate, path.replace("/", "-"))
    desk.journal.note(
        Validated(
            key=path,
            at=desk.journal.now,
            iteration=turn,
            candidate=candidate.number,
            index=candidate.index,
            source=candidate.source,
            report=candidate.report,
            picture=pictures.get("plain", ""),
            overlay=pictures.get("issues", ""),
            kept=kept,
            next=step,
            repair=repair if step == "repair" else 0,
            repairs=desk.loop.repairs,
            note=candidate.note,
            score=candidate.score,
        )
    )


def _illustrate(desk: Desk[Any], candidate: Candidate[Any], stem: str) -> dict[str, str]:
    if not isinstance(desk.studio, Illustrated):
        return {}
    files = cast("Illustrated[Any]", desk.studio).illustrate(candidate.artifact, candidate.report, desk.bench)
    return {role: desk.bench.shelf.keep(f"{stem}-{role}{suffix}", content) for role, (suffix, content) in files.items()}
