"""Validate and repair: measure what was agreed, ask about the rest, and keep what is better.

The solver acts unasked only by small moves on what is certain. A broken requirement, and where nobody sees a rule of
thumb, goes to the model with the fix that the solver prepared, at most `loop.repairs` times in a turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Literal, TypeVar, cast

from anyio import to_thread
from pydantic import BaseModel, JsonValue, TypeAdapter

from redraft.errors import ExecutionError, InfrastructureError
from redraft.events import Discarded, Ruled, RuledIssue, Validated
from redraft.files import digest
from redraft.memory.history import nearness
from redraft.requirements import corrected, merged
from redraft.result import Issue, Picture, Report, Ruling, Score
from redraft.spatial.layout import Move
from redraft.stages.attempt import Attempt, attempt, execute
from redraft.stages.desk import Desk
from redraft.stages.rulings import grown, worse
from redraft.studios.base import (
    Amending,
    Audited,
    Facts,
    Illustrated,
    Marking,
    Preparing,
    Redrafting,
    Scored,
    Spatial,
    Stating,
)
from redraft.transcript import AUDIT, SCORE

__all__ = [
    "Candidate",
    "asked_of",
    "better",
    "carried",
    "discard",
    "marked",
    "note",
    "path_of",
    "pictures_of",
    "prepared",
    "rank",
    "reason",
    "ruled",
    "settle",
    "statements_of",
    "validate",
]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
Source = Literal["draft", "edit", "solver", "repair", "fix"]
Next = Literal["use", "solver", "repair", "keep_best", "rank"]

SHOWN = 6
"""Issues that a line about the solver names."""
PASSES = 3
"""Of the solver over one candidate; each has to be of use."""
SMALL = "small"
"""Among an issue's numbers: its prepared fix is so small that silence accepts it."""


@dataclass(frozen=True)
class Candidate(Generic[ArtifactT]):
    """An artifact with its report. `index` counts the validations of its turn; `note` says what a solver did.

    `moved` is what was moved since the model last wrote it, a line for each pass: the model's own numbers are
    not the artifact's any more, and its next request says so.
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
    fixes: Mapping[str, tuple[Move, ...]] = field(default_factory=dict[str, "tuple[Move, ...]"])
    """Prepared moves by the id of the issue that they put right."""
    after: Mapping[str, ArtifactT] = field(default_factory=dict[str, ArtifactT])
    """The artifact as each prepared fix would leave it, where that needs no new execution."""


def _place(turn: int, number: int | None) -> str:
    return f"iteration-{turn}" + ("" if number is None else f"/candidate-{number}")


def path_of(turn: int, candidate: Candidate[Any], later: int = 0) -> str:
    """The key under which a candidate's validation is recorded; or that of one so many validations `later`."""
    return f"{_place(turn, candidate.number)}/validate-{candidate.index + later}"


def _merit(report: Report) -> tuple[bool, int, float, int, int]:
    """Which of several first drafts is better, the larger; where rules of thumb are strict, by the score first."""
    broken = 0 if report.heuristics == "strict" else -len(report.errors) - _open(report)
    return (report.valid, broken, report.score, -len(report.errors), -len(report.warnings) - len(report.questions))


def _open(report: Report) -> int:
    return sum(issue.basis == "requirement" for issue in report.questions)


def _worth(candidate: Candidate[Any]) -> tuple[bool, float, tuple[float, ...]]:
    valid, *rest = _merit(candidate.report)
    return (valid, nearness(candidate.score), tuple(rest))


async def rank(
    desk: Desk[ArtifactT], attempts: list[Attempt[ArtifactT]], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT] | None:
    """Check every draft that ran and choose the best report, the earliest of equals. None when none ran."""
    found: list[Candidate[ArtifactT]] = []
    for made in attempts:
        if made.artifact is None:
            continue
        source: Source = "draft" if made.kind == "draft" else "edit"
        found.append(await _candidate(desk, made.artifact, base, turn, source, number=made.number))
    best = max(found, key=_worth, default=None)
    for candidate in found:
        if candidate is not best:
            note(desk, candidate, turn, "rank", kept=False)
            why = f"candidate {best.number} has a better report" if best else ""
            discard(desk, path_of(turn, candidate), turn, f"candidate {candidate.number}", why)
    return best


async def validate(
    desk: Desk[ArtifactT],
    first: Candidate[ArtifactT],
    base: ArtifactT | None,
    turn: int,
    offer: Callable[[Candidate[ArtifactT]], None],
) -> Candidate[ArtifactT]:
    """Polish and repair a candidate until nothing is left to ask or the budgets of this turn are used up.

    `offer` is called with each new best at once, so that it is not lost when the run ends in the middle.
    """
    best, current, repairs = first, first, 0
    allowed = desk.loop.repairs if desk.loop.repair != "solver" else 0
    while True:
        if repairs >= allowed:  # nobody will be asked about a broken statement any more: it stands
            current = _upheld(desk, current)
        for _ in range(PASSES):
            if (polished := await _polish(desk, current, base, turn)) is None:
                break
            note(desk, current, turn, "solver", kept=True)
            current = polished
        redrawn = not _same(best.artifact, current.artifact)
        if current.source == "solver" or not redrawn or better(desk, best, current, tie=desk.critic):
            best = current
            offer(best)
        else:
            discard(desk, path_of(turn, current), turn, "the repair", reason(best, current))
        step = _next(desk, best, repairs, allowed)
        note(desk, current, turn, step, kept=current is best, repair=repairs + 1)
        if step != "repair":
            return best
        repairs += 1
        best = await prepared(desk, best, base, turn)
        made = await _repair(desk, best, base, turn, current.index + 1)
        asked = asked_of(best.report, sees=desk.critic)
        if made.artifact is not None and made.artifact == best.artifact and not made.rulings and not asked:
            return best  # nothing was asked and nothing changed: the next request would be the same
        best, current = await _answered(desk, best, made, asked, base, turn, current.index + 1)


async def _answered(
    desk: Desk[ArtifactT],
    best: Candidate[ArtifactT],
    made: Attempt[ArtifactT],
    asked: Sequence[Issue],
    base: ArtifactT | None,
    turn: int,
    index: int,
) -> tuple[Candidate[ArtifactT], Candidate[ArtifactT]]:
    """What was asked about, under the answers, and what came of them: what was drawn anew, or the same with fixes."""
    if made.artifact is None:
        why = f"it did not run: {made.errors[-1] if made.errors else 'no reason given'}"
        discard(desk, made.path, turn, "the repair", why)
        return best, replace(best, index=index, note="The repair did not run.")
    if _same(made.artifact, best.artifact):
        same = replace(best, artifact=made.artifact, index=index - 1)
        then = await settle(desk, made.path, same, asked, made.rulings, "model", base, turn)
        return then, then if then.source == "fix" else replace(then, index=index, note="The drawing stayed as it was.")
    drawn = await _candidate(desk, made.artifact, base, turn, "repair", index, best.number)
    said, left = {ruling.id for ruling in made.rulings}, {issue.key for issue in drawn.report.issues}
    done = [i for i in asked if i.basis == "heuristic" and i.id not in said and i.key not in left]
    rulings = (*made.rulings, *(Ruling(id=issue.id, ruling="must", reason="It was redrawn.") for issue in done))
    drawn = await settle(desk, made.path, drawn, asked, rulings, "model", base, turn, was=best)
    return ruled(desk, best), drawn


def better(desk: Desk[Any], earlier: Candidate[Any], later: Candidate[Any], *, tie: bool = False) -> bool:
    """Whether a candidate takes an earlier one's place by its report alone; `tie`: also where neither is better."""
    if later.report.heuristics == "strict":
        return _worth(later) > _worth(earlier)
    if desk.metric is not None and nearness(later.score) != nearness(earlier.score):
        return nearness(later.score) > nearness(earlier.score) and later.report.valid >= earlier.report.valid
    before, after = worse(earlier.report, later.report)
    return after < before or (tie and after == before)


def reason(earlier: Candidate[Any], later: Candidate[Any]) -> str:
    """Why a later candidate does not take an earlier one's place, by their reports."""
    before, after = worse(earlier.report, later.report)
    if earlier.report.heuristics == "strict":
        return f"its score is {later.report.score:.2f}, and {earlier.report.score:.2f} was reached before"
    return f"it breaks {after} of what both are held to, and the earlier one {before}"


def _same(one: BaseModel, other: BaseModel) -> bool:
    """Whether two artifacts are one picture, whatever is stated about it."""
    drop = {"requirements"}
    return one.model_dump(exclude=drop) == other.model_dump(exclude=drop)


def _next(desk: Desk[Any], current: Candidate[Any], repairs: int, allowed: int) -> Next:
    report = current.report
    wanted = bool(asked_of(report, sees=desk.critic)) or not report.closed
    if wanted and repairs < allowed:
        return "repair"
    return "use" if report.valid else "keep_best"


def asked_of(report: Report, *, sees: bool) -> tuple[Issue, ...]:
    """What somebody has to answer: broken statements first; questions too, unless a critic `sees` and will be asked."""
    broken = [i for i in report.questions if i.basis == "requirement"]
    return (*broken, *(() if sees else (i for i in report.questions if i.basis == "heuristic")))


def _upheld(desk: Desk[ArtifactT], candidate: Candidate[ArtifactT]) -> Candidate[ArtifactT]:
    """The candidate with its broken statements as errors: there is nobody left to correct them."""
    left = [i for i in candidate.report.questions if i.basis == "requirement"]
    if not left:
        return candidate
    desk.rulings.answer(left, (), "")
    return ruled(desk, candidate)


def ruled(desk: Desk[ArtifactT], candidate: Candidate[ArtifactT]) -> Candidate[ArtifactT]:
    """The candidate under all rulings made so far."""
    return replace(candidate, report=desk.rulings.applied(_reopened(candidate.report)))


def _reopened(report: Report) -> Report:
    """The report as it was found: what was ruled on it taken back, so that it can be ruled anew."""

    def fresh(issue: Issue) -> Issue:
        if issue.basis == "defect" or issue.status == "unasked" or report.heuristics == "strict":
            return issue
        if issue.basis == "requirement" and not issue.requirement:
            return issue  # what the brief itself asks for, as on boards: there is no statement to correct
        update: dict[str, object] = {"severity": "question", "status": "open", "ruling": None, "ruled_by": ""}
        return issue.model_copy(update=update)

    return report.model_copy(update={"issues": tuple(map(fresh, report.issues))})


async def _candidate(
    desk: Desk[ArtifactT],
    artifact: ArtifactT,
    base: ArtifactT | None,
    turn: int,
    source: Source,
    index: int = 0,
    number: int | None = None,
    **more: Any,
) -> Candidate[ArtifactT]:
    """An artifact, checked and measured."""
    path = f"{_place(turn, number)}/validate-{index}"
    report = await _check(desk, artifact, base, path)
    score = await _measure(desk, artifact, path)
    return Candidate(artifact, report, source, index, number, score=score, **more)


async def _check(desk: Desk[ArtifactT], artifact: ArtifactT, base: ArtifactT | None, path: str) -> Report:
    """The rules' report, with what was ruled; and what an outside judge finds, where the rules find nothing."""
    found = await to_thread.run_sync(
        partial(desk.studio.check, artifact, base, desk.brief, desk.heuristics), limiter=desk.bench.limiter
    )
    report = desk.rulings.applied(found)
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


async def _polish(
    desk: Desk[ArtifactT], current: Candidate[ArtifactT], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT] | None:
    """The candidate after the moves that the solver may make unasked; None when there are none of use."""
    studio = desk.studio
    if desk.loop.repair == "model" or not isinstance(studio, Spatial):
        return None
    spatial = cast("Spatial[ArtifactT]", studio)
    work = partial(spatial.mend, current.artifact, base, current.report, desk.brief, desk.bench.seed)
    solution = await to_thread.run_sync(work, limiter=desk.bench.limiter)
    if not solution.moves:
        return None
    path = f"{path_of(turn, current, 1)}/solver"
    try:
        artifact = await _moved(desk, current.artifact, solution.moves, path)
    except ExecutionError:  # the moves leave what the medium can hold; the model is asked instead
        return None
    then = await _candidate(desk, artifact, base, turn, "solver", current.index + 1, current.number)
    strict = then.report.heuristics == "strict"
    before, after = _merit(current.report), _merit(then.report)
    if after < before or (after == before and current.source == "solver"):
        return None
    if not strict and grown(current.report, then.report):
        return None
    moved = (*current.moved, *_said(solution.moves), *_gone(current.report, then.report))
    return replace(then, note=f"Solver: {solution.note}", moved=moved)


async def prepared(
    desk: Desk[ArtifactT], candidate: Candidate[ArtifactT], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT]:
    """The candidate with a fix for each of its open issues that geometry alone can put right."""
    if desk.loop.repair == "model" or not isinstance(desk.studio, Preparing):
        return candidate
    preparing = cast("Preparing[ArtifactT]", desk.studio)
    fixes, after, words = dict[str, tuple[Move, ...]](), dict[str, ArtifactT](), dict[str, dict[str, str]]()
    for issue in candidate.report.questions:
        work = partial(
            preparing.prepare_fix, candidate.artifact, base, candidate.report, desk.brief, desk.bench.seed, issue
        )
        solution = await to_thread.run_sync(work, limiter=desk.bench.limiter)
        if not solution.moves:
            continue
        picture = ""
        if isinstance(desk.studio, Amending):
            try:
                then = cast("Amending[ArtifactT]", desk.studio).amend(candidate.artifact, solution.moves)
            except ExecutionError:  # it would leave what the medium can hold
                continue
            after[issue.id] = then
            stem = f"{path_of(turn, candidate)}-after-{issue.id}".replace("/", "-")
            picture = _illustrate(desk, then, Report(), stem).get("plain", "")
        fixes[issue.id], words[issue.id] = solution.moves, {"fix": solution.note, "after": picture}
    issues = tuple(i.model_copy(update=words.get(i.id, {})) for i in candidate.report.issues)
    return replace(candidate, report=candidate.report.model_copy(update={"issues": issues}), fixes=fixes, after=after)


async def pictures_of(
    desk: Desk[ArtifactT], artifact: ArtifactT | None, candidate: Candidate[ArtifactT] | None
) -> tuple[Picture, ...]:
    """What a model that sees is shown of an artifact that it is to change: target and picture; of a candidate its open
    issues too, marked, and each prepared fix."""
    if not desk.model.info.sees:
        return ()
    shown = await desk.shown(artifact, None if candidate is None else candidate.score)
    if not shown and artifact is not None:
        shown = await desk.studio.render(artifact, (), desk.bench)
    return (*shown, *(() if candidate is None else await marked(desk, candidate)))


async def marked(desk: Desk[ArtifactT], candidate: Candidate[ArtifactT]) -> tuple[Picture, ...]:
    """The open issues on the picture, and how their prepared fixes would look."""
    asked = candidate.report.questions
    if not asked or not isinstance(desk.studio, Marking):
        return ()
    studio = cast("Marking[ArtifactT]", desk.studio)
    return tuple(await studio.marked(candidate.artifact, asked, candidate.after, desk.bench))


async def settle(
    desk: Desk[ArtifactT],
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
    artifact, changed = _restated(desk, candidate.artifact, asked, rulings, by)
    desk.rulings.answer([i for i in asked if i.requirement not in changed], rulings, by)
    path = path_of(turn, candidate, 1)
    if artifact is not candidate.artifact:
        report = await _check(desk, artifact, base, path)
        candidate = replace(candidate, artifact=artifact, report=report)
    else:
        candidate = ruled(desk, candidate)
    accepted = [i for i in asked if (r := said.get(i.id)) is not None and r.accept]
    accepted += [i for i in asked if i.id not in said and i.numbers.get(SMALL)]
    fixes = candidate.fixes
    if was is not None:  # it was drawn anew: what was accepted is prepared again on the new drawing
        fixes = (await prepared(desk, replace(candidate, report=_reopened(candidate.report)), base, turn)).fixes
    candidate, applied, dropped = await _accepted(desk, candidate, accepted, fixes, base, turn)
    _note_ruled(desk, turn, where, by, asked, said, applied, dropped)
    return replace(candidate, fixes={}, after={})


async def carried(
    desk: Desk[ArtifactT], earlier: Candidate[ArtifactT], later: Candidate[ArtifactT], base: ArtifactT | None, turn: int
) -> Candidate[ArtifactT]:
    """An earlier candidate that is kept, under the rulings and with the corrected statements of the later one."""
    raw = statements_of(earlier.artifact)
    now = [
        entry
        for entry in statements_of(later.artifact)
        if isinstance(entry, dict) and str(entry.get("id")) in desk.rulings.restated and entry not in raw
    ]
    if not now or not isinstance(desk.studio, Stating):
        return ruled(desk, earlier)
    stating = cast("Stating[ArtifactT]", desk.studio)
    artifact = stating.restated(earlier.artifact, merged(raw, now))
    report = await _check(desk, artifact, base, path_of(turn, later, 1))
    return replace(earlier, artifact=artifact, report=report)


def _restated(
    desk: Desk[ArtifactT],
    artifact: ArtifactT,
    asked: Sequence[Issue],
    rulings: Sequence[Ruling],
    by: Literal["critic", "model"],
) -> tuple[ArtifactT, set[str]]:
    """The artifact with the corrections of statements that were asked about, and their ids.

    A critic that rules `must` on a corrected one puts back what was stated first.
    """
    if not isinstance(desk.studio, Stating):
        return artifact, set()
    raw, first = statements_of(artifact), desk.rulings.restated
    known = {str(entry["id"]): entry for entry in raw if isinstance(entry, dict) and "id" in entry}
    names, after = {issue.requirement for issue in asked}, raw
    for ruling in rulings:
        if by == "critic" and ruling.ruling == "must" and ruling.id in first:
            after = merged(after, [first[ruling.id]])
            desk.rulings.upheld.add(ruling.id)
        elif ruling.id in names and corrected(after, [ruling]) != after:
            after = corrected(after, [ruling])
            first.setdefault(ruling.id, known[ruling.id])
    changed = {name for name, entry in known.items() if entry not in after}
    stating = cast("Stating[ArtifactT]", desk.studio)
    return (stating.restated(artifact, after), changed) if after != raw else (artifact, changed)


async def _accepted(
    desk: Desk[ArtifactT],
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
        why = ""
        try:
            artifact = await _moved(desk, candidate.artifact, moves, path)
        except ExecutionError as error:
            why = f"it could not be carried out: {error}"
        else:
            then = await _candidate(desk, artifact, base, turn, "fix", index, candidate.number)
            new = grown(candidate.report, then.report)
            why = f"it would make this worse: {new[0].message}" if new else ""
            if not new:
                lines = (*candidate.moved, *_said(moves))
                words = "; ".join(filter(None, (i.fix for i in group)))
                candidate = replace(then, note=f"Accepted: {words}" if words else "Accepted fix", moved=lines)
                applied |= {i.id: i.fix or "the prepared fix" for i in group}
        if why and len(group) > 1:
            groups = [[issue] for issue in group]
        elif why:
            dropped[group[0].id] = why
    return candidate, applied, dropped


def _note_ruled(
    desk: Desk[Any],
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
    desk.journal.note(Ruled(key=f"{path}/ruled", at=desk.journal.now, iteration=turn, by=by, rulings=lines))


def discard(desk: Desk[Any], path: str, turn: int, what: str, why: str) -> None:
    """Say that what was recorded at `path` is not used, and why."""
    key = f"{path}/discarded"
    desk.journal.note(Discarded(key=key, at=desk.journal.now, iteration=turn, what=what, reason=why))


def statements_of(artifact: BaseModel | None) -> tuple[JsonValue, ...]:
    """What an artifact carries as stated, raw; nothing for studios without requirements."""
    return cast("tuple[JsonValue, ...]", getattr(artifact, "requirements", ()))


def _gone(before: Report, after: Report) -> list[str]:
    """The errors that are gone, as a line."""
    left = {issue.key for issue in after.issues}
    gone = [issue.message for issue in before.errors if issue.key not in left]
    more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
    return [f"- This fixed: {'; '.join(gone[:SHOWN])}{more}."] if gone else []


async def _moved(desk: Desk[ArtifactT], artifact: ArtifactT, moves: Sequence[Move], path: str) -> ArtifactT:
    """The artifact after the moves. Raises `ExecutionError` where the medium cannot hold it."""
    if isinstance(desk.studio, Redrafting):
        draft = cast("Redrafting[ArtifactT]", desk.studio).redraft(artifact, moves)
        return await execute(desk, draft, artifact, path)
    work = partial(cast("Amending[ArtifactT]", desk.studio).amend, artifact, moves)
    return await to_thread.run_sync(work, limiter=desk.bench.limiter)


def _said(moves: Iterable[Move]) -> list[str]:
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
    desk: Desk[ArtifactT], best: Candidate[ArtifactT], base: ArtifactT | None, turn: int, index: int
) -> Attempt[ArtifactT]:
    asked = asked_of(best.report, sees=desk.critic)
    left = tuple(issue for issue in best.report.issues if issue.severity != "question" or issue in asked)
    best = replace(best, report=best.report.model_copy(update={"issues": left}))
    facts = Facts(
        brief=desk.brief,
        base=base,
        current=best.artifact,
        report=best.report,
        moved="\n".join(best.moved),
        requirements=statements_of(best.artifact),
        pictures=await pictures_of(desk, best.artifact, best),
        strict=desk.heuristics == "strict",
    )
    return await attempt(desk, "repair", facts, f"{_place(turn, best.number)}/repair-{index}", index=index)


def note(desk: Desk[Any], candidate: Candidate[Any], turn: int, step: Next, *, kept: bool, repair: int = 0) -> None:
    """Record one validation, with its pictures."""
    path = path_of(turn, candidate)
    pictures = _illustrate(desk, candidate.artifact, candidate.report, path.replace("/", "-"))
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


def _illustrate(desk: Desk[ArtifactT], artifact: ArtifactT, report: Report, stem: str) -> dict[str, str]:
    if not isinstance(desk.studio, Illustrated):
        return {}
    files = cast("Illustrated[ArtifactT]", desk.studio).illustrate(artifact, report, desk.bench)
    return {role: desk.bench.shelf.keep(f"{stem}-{role}{suffix}", content) for role, (suffix, content) in files.items()}
