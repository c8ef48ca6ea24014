"""Check: what code measures of an artifact: the studio's report, installed rules, an outside judge, the distance from
a target. Every check is recorded with its pictures."""

from __future__ import annotations

import traceback
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, TypeVar

from anyio import to_thread
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from redraft.errors import ConfigError, InfrastructureError
from redraft.files import digest
from redraft.limits import PICTURE, read_file
from redraft.loop.keep import Candidate
from redraft.loop.run import Run
from redraft.record.events import Next, Place, Source, Validated
from redraft.record.transcript import AUDIT, SCORE
from redraft.result import Heuristics, Issue, Picture, Report, Score, judged
from redraft.studios import entry_points
from redraft.studios.kinds import AuditedStudio, TargetStudio

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
RULES = "redraft.rules"
"""Group of entry points: rules that other packages add to a studio."""


async def candidate_of(
    run: Run[ArtifactT], artifact: ArtifactT, place: Place, source: Source, index: int = 0, **more: Any
) -> Candidate[ArtifactT]:
    """Return an artifact as a candidate: checked, and measured against the target.

    Args:
        run: the run.
        artifact: the result of a draft, an edit, a repair or a solver.
        place: its turn, and its number among several drafts.
        source: where it comes from.
        index: the number of this validation in its turn.
        **more: other fields of the candidate.
    """
    where = Place(place.turn, place.candidate)
    validation = where.at(f"validate-{index}")
    report = await _report(run, artifact, validation)
    return Candidate(artifact, report, source, where, index, score=await _measure(run, artifact, validation), **more)


def checked(run: Run[ArtifactT], artifact: ArtifactT) -> Report:
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
            issues, before = (
                () if one is None else _installed(rule, one, run.heuristics) for one in (artifact, run.base)
            )
            report += Report(issues=issues).less(before)
    decided = run.heuristics == "strict" or not run.critic
    return (report.upheld() if decided else report).cut()


def _installed(rule: EntryPoint, artifact: BaseModel, heuristics: Heuristics) -> tuple[Issue, ...]:
    try:
        return judged(list[Issue](rule.load()(artifact)), heuristics)
    except Exception as error:  # the code is not ours
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = str(error)
        if isinstance(error, ValidationError):  # an Issue of other fields
            message = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False))
        raise ConfigError(
            f"The rule {rule.value} for {rule.name} failed ({type(error).__name__}: {message}; "
            f"{Path(place.filename).name}, line {place.lineno}). Fix it, or uninstall its package."
        ) from error


async def _report(run: Run[ArtifactT], artifact: ArtifactT, validation: Place) -> Report:
    """The rules' report, and the findings of an outside judge where the rules find no error."""
    report = await to_thread.run_sync(partial(checked, run, artifact), limiter=run.resources.limiter)
    studio = run.studio
    if not report.valid or not isinstance(studio, AuditedStudio):
        return report
    if (unaudited := studio.unaudited(run.resources)) is not None:
        return report + unaudited
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
        return report + await run.journal.once(key, inputs, audited, TypeAdapter(Report))
    except InfrastructureError as error:
        run.warn(key, str(error))
        return report


async def _measure(run: Run[ArtifactT], artifact: ArtifactT, validation: Place) -> Score | None:
    """Measure the distance from the target; None without one, and with a warning where that fails."""
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


async def pictures_of(
    run: Run[ArtifactT], artifact: ArtifactT | None, score: Score | None = None
) -> tuple[Picture, ...]:
    """Return what a model that sees is shown of an artifact: the target, if there is one, and its own picture."""
    if not run.model.info.sees:
        return ()
    shown = await run.shown(artifact, score)
    if not shown and artifact is not None:
        shown = await run.studio.render(artifact, (), run.resources)
    return tuple(shown)


def note(run: Run[Any], candidate: Candidate[Any], step: Next, *, kept: bool, repair: int = 0) -> None:
    """Record one validation, with its pictures."""
    key = str(candidate.validation)
    pictures = {
        role: run.resources.pictures.keep(f"{key.replace('/', '-')}-{role}{suffix}", content)
        for role, (suffix, content) in run.studio.illustrate(
            candidate.artifact, candidate.report, run.resources
        ).items()
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
