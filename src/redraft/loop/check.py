"""Check: all that code measures of an artifact. The studio's report comes first, with the rules of other packages;
then an outside judge, and the distance from a target. Every check is recorded with its pictures."""

from __future__ import annotations

import traceback
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from anyio import to_thread
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from redraft.errors import ConfigError, InfrastructureError
from redraft.extras import entry_points
from redraft.files import digest
from redraft.limits import PICTURE, read_file
from redraft.loop.keep import Candidate
from redraft.loop.run import Run
from redraft.record.events import Next, Place, Source, Validated
from redraft.record.transcript import AUDIT, SCORE
from redraft.result import Heuristics, Issue, Picture, Report, Score, judged
from redraft.studios.kinds import AuditedStudio, TargetStudio
from redraft.text import problems

RULES = "redraft.rules"
"""Group of entry points for rules that other packages add to a studio."""


async def candidate_of(
    run: Run, artifact: BaseModel, place: Place, source: Source, index: int = 0, **more: Any
) -> Candidate:
    """Check an artifact and measure its distance from the target; return it as a candidate.

    Args:
        run: the run.
        artifact: the result of a draft, an edit, a repair or a solver.
        place: its turn, and its number among several drafts.
        source: which of these made it.
        index: the number of this validation in its turn.
        **more: other fields of the candidate.
    """
    where = Place(place.turn, place.candidate)
    validation = where.at(f"validate-{index}")
    report = await to_thread.run_sync(partial(checked, run, artifact), limiter=run.resources.limiter)
    if report.valid and isinstance(run.studio, AuditedStudio):  # a slow judge is asked only where the rules find none
        report += await _audit(run, run.studio, artifact, validation)
    score = await _measure(run, artifact, validation)
    return Candidate(artifact, report, source, where, index, score=score, **more)


def checked(run: Run, artifact: BaseModel) -> Report:
    """Return the studio's report, with the findings of the rules that are installed for the studio.

    Such a rule is a function that takes an artifact and yields issues: an entry point of the group `redraft.rules`
    under the studio's name. A requirement that does not hold is an error at once in strict validation, and where no
    critic looks at the result. This is the one place where a report is cut.

    Raises:
        ConfigError: a rule cannot be loaded, or fails.
    """
    report = run.studio.check(artifact, run.base, run.brief, run.heuristics)
    for rule in entry_points(RULES):
        if rule.name == run.studio.name:
            inherited = () if run.base is None else _rule_findings(rule, run.base, run.heuristics)
            report += Report(issues=_rule_findings(rule, artifact, run.heuristics)).less(inherited)
    decided = run.heuristics == "strict" or not run.critic
    return (report.upheld() if decided else report).cut()


def _rule_findings(rule: EntryPoint, artifact: BaseModel, heuristics: Heuristics) -> tuple[Issue, ...]:
    """Return what a rule of another package finds. Raises `ConfigError`."""
    try:
        return judged(list[Issue](rule.load()(artifact)), heuristics)
    except Exception as error:  # the code is not ours
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = problems(error) if isinstance(error, ValidationError) else str(error)
        raise ConfigError(
            f"The rule {rule.value} for {rule.name} failed ({type(error).__name__}: {message}; "
            f"{Path(place.filename).name}, line {place.lineno}). Fix it, or uninstall its package."
        ) from error


async def _audit(run: Run, studio: AuditedStudio[Any, Any], artifact: BaseModel, validation: Place) -> Report:
    """Return the report of the outside judge; empty, with a warning, where it does not answer."""
    if (unaudited := studio.unaudited(run.resources)) is not None:
        return unaudited
    inputs: JsonValue = {
        "kind": f"{studio.name}.audit",
        "by": studio.auditor,
        "artifact": artifact.model_dump(mode="json"),
        "base": None if run.base is None else run.base.model_dump(mode="json"),
    }
    key = str(validation.at(AUDIT))

    async def audited() -> Report:
        return (await studio.audit(artifact, run.base, run.resources)).cut()

    try:
        return await run.journal.once(key, inputs, audited, TypeAdapter(Report))
    except InfrastructureError as error:
        run.warn(key, str(error))
        return Report()


async def _measure(run: Run, artifact: BaseModel, validation: Place) -> Score | None:
    """Measure the distance from the target; None without one, or, with a warning, where that fails."""
    brief, studio = run.brief, run.studio
    if brief.target is None or not isinstance(studio, TargetStudio):
        return None
    inputs: JsonValue = {
        "kind": f"{studio.name}.measure",
        "by": run.metric,
        "artifact": artifact.model_dump(mode="json"),
        "target": digest(read_file(brief.target, PICTURE)),
    }
    key = str(validation.at(SCORE))
    try:
        return await run.journal.once(
            key, inputs, lambda: studio.score(artifact, brief, run.resources), TypeAdapter(Score)
        )
    except InfrastructureError as error:
        run.warn(key, str(error))
        return None


async def pictures_of(run: Run, artifact: BaseModel | None, score: Score | None = None) -> tuple[Picture, ...]:
    """Return the pictures of an artifact for a model that sees: beside its target, if there is one."""
    if not run.model.info.sees:
        return ()
    shown = await run.shown(artifact, score)
    if not shown and artifact is not None:
        shown = await run.studio.render(artifact, (), run.resources)
    return tuple(shown)


def note_validation(run: Run, candidate: Candidate, step: Next, *, kept: bool, repair: int = 0) -> None:
    """Record one validation, with its pictures; `step` is what the loop does next."""
    key = str(candidate.validation)
    drawn = run.studio.illustrate(candidate.artifact, candidate.report, run.resources)
    pictures = {
        role: run.resources.pictures.keep(f"{key.replace('/', '-')}-{role}{suffix}", content)
        for role, (suffix, content) in drawn.items()
    }
    run.journal.note(
        Validated(
            key=key,
            at=run.journal.now,
            iteration=candidate.place.turn,
            candidate=candidate.place.candidate,
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
