"""Validate and repair: measure what was agreed, ask about the rest, and keep what is better.

The solver acts unasked only by small moves on what is certain. A broken requirement, and where no critic sees a rule of
thumb, goes to the model with the fix that the solver prepared, at most `loop.repairs` times in a turn.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from anyio import to_thread
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from redraft.errors import ConfigError, ExecutionError, InfrastructureError
from redraft.events import Ruled, RuledIssue, Validated
from redraft.files import digest
from redraft.limits import PICTURE, read_file
from redraft.requirements import merged
from redraft.result import Heuristics, Issue, Picture, Report, Ruling, Score, judged
from redraft.rulings import grown
from redraft.runs import Run
from redraft.stages.attempt import Attempt, Retries, attempt, execute
from redraft.stages.candidates import (
    Candidate,
    Next,
    Source,
    better,
    discard,
    merit,
    path_of,
    place_of,
    reason,
    same_picture,
    statements_of,
    worth,
)
from redraft.studios import entry_points
from redraft.studios.requests import RepairRequest
from redraft.transcript import AUDIT, SCORE

if TYPE_CHECKING:
    from redraft.layout import Move  # shapely comes with the studios that have a layout

__all__ = [
    "asked_of",
    "candidate_of",
    "carried",
    "checked",
    "marked",
    "note",
    "pictures_of",
    "prepared",
    "rank",
    "ruled",
    "settle",
    "validate",
]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
RULES = "redraft.rules"
"""Group of entry points: rules that other packages add to a studio."""
SHOWN = 6
"""Issues that a line about the solver names."""
PASSES = 3
"""Of the solver over one candidate; each has to be of use."""
SMALL = "small"
"""Among an issue's numbers: its prepared fix is so small that silence accepts it."""


async def rank(
    run: Run[ArtifactT], attempts: list[Attempt[ArtifactT]], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT] | None:
    """Check every draft that ran and choose the best report, the earliest of equals. None when none ran."""
    found: list[Candidate[ArtifactT]] = []
    for made in attempts:
        if made.artifact is None:
            continue
        source: Source = "draft" if made.kind == "draft" else "edit"
        found.append(
            await candidate_of(run, made.artifact, base, turn, source, number=made.number, approach=made.approach)
        )
    best = max(found, key=worth, default=None)
    for candidate in found:
        if candidate is not best:
            note(run, candidate, turn, "rank", kept=False)
            reason = f"candidate {best.number} has a better report" if best else ""
            discard(run, path_of(turn, candidate), turn, f"candidate {candidate.number}", reason)
    return best


async def validate(
    run: Run[ArtifactT],
    first: Candidate[ArtifactT],
    base: ArtifactT | None,
    turn: int,
    offer: Callable[[Candidate[ArtifactT]], None],
    retries: Retries,
) -> Candidate[ArtifactT]:
    """Polish and repair a candidate until nothing is left to ask or the budgets of this turn are used up.

    `offer` is called with each new best at once, so that it is not lost when the run ends in the middle.
    """
    best, current, repairs = first, first, 0
    allowed = run.loop.repairs if run.loop.repair != "solver" else 0
    while True:
        if repairs >= allowed:  # a broken statement is no longer asked about: it stands
            current = upheld(run, current)
        for _ in range(PASSES):
            if (polished := await _polish(run, current, base, turn)) is None:
                break
            note(run, current, turn, "solver", kept=True)
            current = polished
        redrawn = not same_picture(best.artifact, current.artifact)
        if current.source == "solver" or not redrawn or better(run, best, current, tie=run.critic):
            best = current
            offer(best)
        else:
            discard(run, path_of(turn, current), turn, "the repair", reason(best, current))
        step = _next(run, best, repairs, allowed)
        note(run, current, turn, step, kept=current is best, repair=repairs + 1)
        if step != "repair":
            return best
        repairs += 1
        best = await prepared(run, best, base, turn)
        made = await _repair(run, best, turn, current.index + 1, retries)
        asked = asked_of(best.report, sees=run.critic)
        if made.artifact is not None and made.artifact == best.artifact and not made.rulings and not asked:
            return best  # nothing was asked and nothing changed: the next request would be the same
        best, current = await _answered(run, best, made, asked, base, turn, current.index + 1)


async def _answered(
    run: Run[ArtifactT],
    best: Candidate[ArtifactT],
    made: Attempt[ArtifactT],
    asked: Sequence[Issue],
    base: ArtifactT | None,
    turn: int,
    index: int,
) -> tuple[Candidate[ArtifactT], Candidate[ArtifactT]]:
    """The questioned candidate under the answers, and its successor: drawn anew, or the same with fixes."""
    if made.artifact is None:
        reason = f"it did not run: {made.errors[-1] if made.errors else 'no reason given'}"
        discard(run, made.path, turn, "the repair", reason)
        return best, replace(best, index=index, note="The repair did not run.")
    if same_picture(made.artifact, best.artifact):
        same = replace(best, artifact=made.artifact, index=index - 1)
        then = await settle(run, made.path, same, asked, made.rulings, "model", base, turn)
        applied = then.index != same.index  # its source may be an earlier fix
        return then, then if applied else replace(then, index=index, note="The repair changed nothing.")
    drawn = await candidate_of(run, made.artifact, base, turn, "repair", index, best.number, approach=made.approach)
    said, left = {ruling.id for ruling in made.rulings}, {issue.key for issue in drawn.report.issues}
    done = [i for i in asked if i.basis == "heuristic" and i.id not in said and i.key not in left]
    rulings = (*made.rulings, *(Ruling(id=issue.id, ruling="must", reason="It was redrawn.") for issue in done))
    drawn = await settle(run, made.path, drawn, asked, rulings, "model", base, turn, was=best)
    return ruled(run, best), drawn


def _next(run: Run[Any], current: Candidate[Any], repairs: int, allowed: int) -> Next:
    report = current.report
    wanted = bool(asked_of(report, sees=run.critic)) or not report.closed
    if wanted and repairs < allowed:
        return "repair"
    return "use" if report.valid else "keep_best"


def asked_of(report: Report, *, sees: bool) -> tuple[Issue, ...]:
    """The issues to ask about: broken statements first; questions too, unless a critic `sees` and will be asked."""
    broken = [i for i in report.questions if i.basis == "requirement"]
    return (*broken, *(() if sees else (i for i in report.questions if i.basis == "heuristic")))


def upheld(run: Run[ArtifactT], candidate: Candidate[ArtifactT]) -> Candidate[ArtifactT]:
    """Return the candidate with its broken statements as errors: no request is left to correct them."""
    left = [i for i in candidate.report.questions if i.basis == "requirement"]
    if not left:
        return candidate
    run.rulings.answer(left, (), "")
    return ruled(run, candidate)


def ruled(run: Run[ArtifactT], candidate: Candidate[ArtifactT]) -> Candidate[ArtifactT]:
    """The candidate under all rulings made so far."""
    return replace(candidate, report=run.rulings.applied(_reopened(candidate.report)))


def _reopened(report: Report) -> Report:
    """The report as it was found: what was ruled on it taken back, so that it can be ruled anew."""

    def fresh(issue: Issue) -> Issue:
        if issue.basis == "defect" or issue.status == "unasked" or report.heuristics == "strict":
            return issue
        if issue.basis == "requirement" and not issue.requirement:
            return issue  # required by the brief itself, as on boards: it has no statement to correct
        update: dict[str, object] = {"severity": "question", "status": "open", "ruling": None, "ruled_by": ""}
        return issue.model_copy(update=update)

    return report.model_copy(update={"issues": tuple(map(fresh, report.issues))})


async def candidate_of(
    run: Run[ArtifactT],
    artifact: ArtifactT,
    base: ArtifactT | None,
    turn: int,
    source: Source,
    index: int = 0,
    number: int | None = None,
    **more: Any,
) -> Candidate[ArtifactT]:
    """Return an artifact as a candidate: checked, and measured against the target."""
    path = f"{place_of(turn, number)}/validate-{index}"
    report = await _check(run, artifact, base, path)
    score = await _measure(run, artifact, path)
    return Candidate(artifact, report, source, index, number, score=score, **more)


def checked(run: Run[ArtifactT], artifact: ArtifactT, base: ArtifactT | None) -> Report:
    """Return the studio's report, with the findings of the rules that are installed for the studio.

    Such a rule is a function that takes an artifact and yields issues: an entry point of the group `redraft.rules`
    under the studio's name.

    Raises:
        ConfigError: a rule cannot be loaded, or fails.
    """
    report = run.studio.check(artifact, base, run.brief, run.heuristics)
    for rule in entry_points(RULES):
        if rule.name == run.studio.name:
            found, before = (() if one is None else _found(rule, one, run.heuristics) for one in (artifact, base))
            report += Report(issues=found).less(before)
    return report.cut()


def _found(rule: EntryPoint, artifact: BaseModel, heuristics: Heuristics) -> tuple[Issue, ...]:
    try:
        return judged(list[Issue](rule.load()(artifact)), heuristics)
    except Exception as error:  # the code is not ours
        place = traceback.extract_tb(error.__traceback__)[-1]
        said = str(error)
        if isinstance(error, ValidationError):  # an Issue of other fields
            said = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False))
        raise ConfigError(
            f"The rule {rule.value} for {rule.name} failed ({type(error).__name__}: {said}; "
            f"{Path(place.filename).name}, line {place.lineno}). Fix it, or uninstall its package."
        ) from error


async def _check(run: Run[ArtifactT], artifact: ArtifactT, base: ArtifactT | None, path: str) -> Report:
    """The rules' report, with what was ruled; and what an outside judge finds, where the rules find nothing."""
    found = await to_thread.run_sync(partial(checked, run, artifact, base), limiter=run.resources.limiter)
    report = run.rulings.applied(found)
    if not report.valid or not run.studio.auditor:
        return report
    if (unaudited := run.studio.unaudited(run.resources)) is not None:
        return report + unaudited
    inputs: JsonValue = {
        "kind": f"{run.studio.name}.audit",
        "by": run.studio.auditor,
        "artifact": artifact.model_dump(mode="json"),
        "base": None if base is None else base.model_dump(mode="json"),
    }

    async def audited() -> Report:
        return (await run.studio.audit(artifact, base, run.resources)).cut()

    try:
        found = await run.journal.once(
            f"{path}/{AUDIT}",
            inputs,
            audited,
            TypeAdapter(Report),
        )
    except InfrastructureError as error:
        run.warn(f"{path}/{AUDIT}", str(error))
        return report
    return (report + found).cut()


async def _measure(run: Run[ArtifactT], artifact: ArtifactT, path: str) -> Score | None:
    """Measure the distance from the target; None without one, and with a warning where that fails."""
    brief, metric = run.brief, run.metric
    if brief.target is None or metric is None:
        return None
    inputs: JsonValue = {
        "kind": f"{run.studio.name}.measure",
        "by": metric,
        "artifact": artifact.model_dump(mode="json"),
        "target": digest(read_file(brief.target, PICTURE)),
    }
    try:
        return await run.journal.once(
            f"{path}/{SCORE}", inputs, lambda: run.studio.score(artifact, brief, run.resources), TypeAdapter(Score)
        )
    except InfrastructureError as error:
        run.warn(f"{path}/{SCORE}", str(error))
        return None


async def _polish(
    run: Run[ArtifactT], current: Candidate[ArtifactT], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT] | None:
    """The candidate after the moves that the solver may make unasked; None when there are none of use."""
    if run.loop.repair == "model" or current.report.crowded:
        return None
    work = partial(run.studio.solve, current.artifact, base, current.report, run.brief, run.config.seed)
    solution = await to_thread.run_sync(work, limiter=run.resources.limiter)
    if solution is None or not solution.moves:
        return None
    path = f"{path_of(turn, current, 1)}/solver"
    try:
        artifact = await _moved(run, current.artifact, solution.moves, path)
    except ExecutionError:  # the moves leave what the medium can hold; the model is asked instead
        return None
    then = await candidate_of(
        run, artifact, base, turn, "solver", current.index + 1, current.number, approach=current.approach
    )
    strict = then.report.heuristics == "strict"
    before, after = merit(current.report), merit(then.report)
    if after < before or (after == before and current.source == "solver"):
        return None
    if not strict and grown(current.report, then.report):
        return None
    moved = (*current.moved, *_move_lines(solution.moves), *_gone(current.report, then.report))
    return replace(then, note=f"Solver: {solution.note}", moved=moved)


async def prepared(
    run: Run[ArtifactT],
    candidate: Candidate[ArtifactT],
    base: ArtifactT | None,
    turn: int,
    seconds: float = math.inf,
) -> Candidate[ArtifactT]:
    """The candidate with a fix for each of its open issues that geometry alone can put right.

    After so many seconds no further fix is begun, for callers that wait; the outcome then depends on the machine.
    """
    if run.loop.repair == "model" or candidate.report.crowded:
        return candidate
    fixes: dict[str, tuple[Move, ...]] = {}
    after, words = dict[str, ArtifactT](), dict[str, dict[str, str]]()
    until = time.monotonic() + seconds
    for issue in candidate.report.questions:
        if time.monotonic() > until:
            break
        work = partial(
            run.studio.prepare_fix, candidate.artifact, base, candidate.report, run.brief, run.config.seed, issue
        )
        solution = await to_thread.run_sync(work, limiter=run.resources.limiter)
        if solution is None or not solution.moves:
            continue
        picture = ""
        try:
            then = run.studio.apply_moves(candidate.artifact, solution.moves)
        except ExecutionError:  # it would leave what the medium can hold
            continue
        if then is not None:
            after[issue.id] = then
            stem = f"{path_of(turn, candidate)}-after-{issue.id}".replace("/", "-")
            picture = _illustrate(run, then, Report(), stem).get("plain", "")
        fixes[issue.id], words[issue.id] = solution.moves, {"fix": solution.note, "after": picture}
    issues = tuple(i.model_copy(update=words.get(i.id, {})) for i in candidate.report.issues)
    return replace(candidate, report=candidate.report.model_copy(update={"issues": issues}), fixes=fixes, after=after)


async def pictures_of(
    run: Run[ArtifactT], artifact: ArtifactT | None, candidate: Candidate[ArtifactT] | None
) -> tuple[Picture, ...]:
    """What a model that sees is shown of an artifact that it is to change: target and picture; of a candidate its open
    issues too, marked, and each prepared fix."""
    if not run.model.info.sees:
        return ()
    shown = await run.shown(artifact, None if candidate is None else candidate.score)
    if not shown and artifact is not None:
        shown = await run.studio.render(artifact, (), run.resources)
    return (*shown, *(() if candidate is None else await marked(run, candidate)))


async def marked(run: Run[ArtifactT], candidate: Candidate[ArtifactT]) -> tuple[Picture, ...]:
    """The open issues on the picture, and how their prepared fixes would look."""
    asked = candidate.report.questions
    if not asked:
        return ()
    return tuple(await run.studio.marked(candidate.artifact, asked, candidate.after, run.resources))


async def settle(
    run: Run[ArtifactT],
    where: str,
    candidate: Candidate[ArtifactT],
    asked: Sequence[Issue],
    rulings: Sequence[Ruling],
    by: Literal["critic", "model"],
    base: ArtifactT | None,
    turn: int,
    *,
    was: Candidate[ArtifactT] | None = None,
) -> Candidate[ArtifactT]:
    """The candidate after the answers to what was asked: rulings kept, corrections made, accepted fixes applied.

    `where` is the path of the reply, `was` what was asked about, if the reply drew it anew. A fix is applied only if
    nothing else grows worse.
    """
    said = {ruling.id: ruling for ruling in rulings}
    artifact, changed = _restated(run, candidate.artifact, asked, rulings, by)
    run.rulings.answer([i for i in asked if i.requirement not in changed], rulings, by)
    path = path_of(turn, candidate, 1)
    if artifact is not candidate.artifact:
        report = await _check(run, artifact, base, path)
        candidate = replace(candidate, artifact=artifact, report=report)
    else:
        candidate = ruled(run, candidate)
    accepted = [i for i in asked if (r := said.get(i.id)) is not None and r.accept]
    accepted += [i for i in asked if i.id not in said and i.numbers.get(SMALL)]
    fixes = candidate.fixes
    if was is not None:  # it was drawn anew: what was accepted is prepared again on the new drawing
        fixes = (await prepared(run, replace(candidate, report=_reopened(candidate.report)), base, turn)).fixes
    candidate, applied, dropped = await _accepted(run, candidate, accepted, fixes, base, turn)
    _note_ruled(run, turn, where, by, asked, said, applied, dropped)
    return replace(candidate, fixes={}, after={})


async def carried(
    run: Run[ArtifactT], earlier: Candidate[ArtifactT], later: Candidate[ArtifactT], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT]:
    """An earlier candidate that is kept, under the rulings and with the corrected statements of the later one."""
    raw = statements_of(earlier.artifact)
    now = [
        entry
        for entry in statements_of(later.artifact)
        if isinstance(entry, dict) and str(entry.get("id")) in run.rulings.restated and entry not in raw
    ]
    if not now:
        return ruled(run, earlier)
    artifact = run.studio.restated(earlier.artifact, merged(raw, now))
    report = await _check(run, artifact, base, path_of(turn, later, 1))
    return replace(earlier, artifact=artifact, report=report)


def _restated(
    run: Run[ArtifactT],
    artifact: ArtifactT,
    asked: Sequence[Issue],
    rulings: Sequence[Ruling],
    by: Literal["critic", "model"],
) -> tuple[ArtifactT, set[str]]:
    """The artifact with the corrections of statements that were asked about, and their ids.

    A critic that rules `must` on a corrected one puts back what was stated first.
    """
    raw, first = statements_of(artifact), run.rulings.restated
    known = {str(entry["id"]): entry for entry in raw if isinstance(entry, dict) and "id" in entry}
    names, after = {issue.requirement for issue in asked}, raw
    for ruling in rulings:
        if by == "critic" and ruling.ruling == "must" and ruling.id in first:
            after = merged(after, [first[ruling.id]])
            run.rulings.upheld.add(ruling.id)
        elif ruling.id in names:
            from redraft.requirements.reading import corrected

            if (fixed := corrected(after, [ruling])) != after:
                after = fixed
                first.setdefault(ruling.id, known[ruling.id])
    changed = {name for name, entry in known.items() if entry not in after}
    return (run.studio.restated(artifact, after), changed) if after != raw else (artifact, changed)


async def _accepted(
    run: Run[ArtifactT],
    candidate: Candidate[ArtifactT],
    accepted: Sequence[Issue],
    fixes: Mapping[str, Sequence[Move]],
    base: ArtifactT | None,
    turn: int,
) -> tuple[Candidate[ArtifactT], dict[str, str], dict[str, str]]:
    """Accepted fixes applied: all together, or one after the other where together they make something worse."""
    dropped = {i.id: "no fix was prepared" for i in accepted if i.id not in fixes}
    left = [i for i in accepted if i.id in fixes]
    applied = dict[str, str]()
    groups = [left] if left else []
    while groups:
        group = groups.pop(0)
        moves = [move for issue in group for move in fixes[issue.id]]
        index = candidate.index + 1
        path = f"{path_of(turn, candidate, 1)}/fix-{'-'.join(i.id for i in group)}"
        reason = ""
        try:
            artifact = await _moved(run, candidate.artifact, moves, path)
        except ExecutionError as error:
            reason = f"it could not be carried out: {error}"
        else:
            then = await candidate_of(
                run, artifact, base, turn, "fix", index, candidate.number, approach=candidate.approach
            )
            new = grown(candidate.report, then.report)
            reason = f"it would make this worse: {new[0].message}" if new else ""
            if not new:
                lines = (*candidate.moved, *_move_lines(moves))
                words = "; ".join(filter(None, (i.fix for i in group)))
                candidate = replace(then, note=f"Accepted: {words}" if words else "Accepted fix", moved=lines)
                applied |= {i.id: i.fix or "the prepared fix" for i in group}
        if reason and len(group) > 1:
            groups = [[issue] for issue in group]
        elif reason:
            dropped[group[0].id] = reason
    return candidate, applied, dropped


def _note_ruled(
    run: Run[Any],
    turn: int,
    path: str,
    by: Literal["critic", "model"],
    asked: Sequence[Issue],
    said: Mapping[str, Ruling],
    applied: Mapping[str, str],
    dropped: Mapping[str, str],
) -> None:
    if not asked:
        return
    lines = tuple(
        RuledIssue(
            id=issue.id,
            code=issue.code,
            message=issue.message,
            subjects=issue.subjects,
            requirement=issue.requirement,
            ruling=said.get(issue.id),
            fix=issue.fix,
            after=issue.after,
            applied=applied.get(issue.id, ""),
            dropped=dropped.get(issue.id, ""),
        )
        for issue in asked
    )
    run.journal.note(Ruled(key=f"{path}/ruled", at=run.journal.now, iteration=turn, by=by, rulings=lines))


def _gone(before: Report, after: Report) -> list[str]:
    """The errors that are gone, as a line."""
    left = {issue.key for issue in after.issues}
    gone = [issue.message for issue in before.errors if issue.key not in left]
    more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
    return [f"- This fixed: {'; '.join(gone[:SHOWN])}{more}."] if gone else []


async def _moved(run: Run[ArtifactT], artifact: ArtifactT, moves: Sequence[Move], path: str) -> ArtifactT:
    """The artifact after the moves. Raises `ExecutionError` where the medium cannot hold it."""
    amended = await to_thread.run_sync(partial(run.studio.apply_moves, artifact, moves), limiter=run.resources.limiter)
    return amended or await execute(run, run.studio.redraft_moves(artifact, moves), artifact, path)


def _move_lines(moves: Iterable[Move]) -> list[str]:
    """Moves in words, in the layout's own unit: `- tree by (+0.050, +0.000): apart from house`; not those too small
    for three decimals."""
    lines: list[str] = []
    for move in moves:
        a, b, c, d, dx, dy = move.matrix
        if (a, b, c, d) == (1.0, 0.0, 0.0, 1.0):
            by = [round(step, 3) + 0.0 for step in (dx, dy, *([] if move.lift is None else [move.lift]))]
            if not any(by):
                continue
            change = f"by ({', '.join(f'{step:+.3f}' for step in by)})"
        else:
            change = f"{'turned, ' if b or c else ''}scaled by {math.hypot(a, b):.3f} × {math.hypot(c, d):.3f}"
        lines.append(f"- {move.item} {change}" + (f": {move.reason}" if move.reason else ""))
    return lines


async def _repair(
    run: Run[ArtifactT], best: Candidate[ArtifactT], turn: int, index: int, retries: Retries
) -> Attempt[ArtifactT]:
    asked = asked_of(best.report, sees=run.critic)
    left = tuple(issue for issue in best.report.issues if issue.severity != "question" or issue in asked)
    best = replace(best, report=best.report.model_copy(update={"issues": left}))
    request = run.request(
        RepairRequest[ArtifactT],
        current=best.artifact,
        report=best.report,
        moved="\n".join(best.moved),
        requirements=statements_of(best.artifact),
        pictures=await pictures_of(run, best.artifact, best),
    )
    return await attempt(run, request, f"{place_of(turn, best.number)}/repair-{index}", retries, index=index)


def note(run: Run[Any], candidate: Candidate[Any], turn: int, step: Next, *, kept: bool, repair: int = 0) -> None:
    """Record one validation, with its pictures."""
    path = path_of(turn, candidate)
    pictures = _illustrate(run, candidate.artifact, candidate.report, path.replace("/", "-"))
    run.journal.note(
        Validated(
            key=path,
            at=run.journal.now,
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
            repairs=run.loop.repairs,
            note=candidate.note,
            score=candidate.score,
        )
    )


def _illustrate(run: Run[ArtifactT], artifact: ArtifactT, report: Report, stem: str) -> dict[str, str]:
    files = run.studio.illustrate(artifact, report, run.resources)
    return {
        role: run.resources.pictures.keep(f"{stem}-{role}{suffix}", content)
        for role, (suffix, content) in files.items()
    }
