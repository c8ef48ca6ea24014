"""Deliver: finish the best candidate, write its files, close the record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from pydantic import BaseModel, JsonValue, TypeAdapter

from redraft.errors import AttemptError, HistoryError, RedraftError, ResumeDivergedError, RunError
from redraft.files import INDEX_FILE, relative, write_atomic
from redraft.ideas.settings import SCORING
from redraft.loop.keep import Progress
from redraft.loop.run import Run
from redraft.record.events import EffectFailed, EffectFinished, EffectStarted, Place, RunFinished
from redraft.record.journal import EVENTS_FILE, digest_of
from redraft.record.transcript import FINISH, PICTURE, Record
from redraft.report.page import write_page
from redraft.result import Report, Result, Verdict
from redraft.studios.kinds import FinishingStudio, PaintingStudio, ProgramStudio, Publication

IDEAS = "prompt_pipeline"
"""Name of the phase before the first draft, in errors."""


async def finish(run: Run, progress: Progress) -> dict[str, JsonValue] | None:
    """Add to the best candidate what only a delivery needs; return the error that the run ends with, if any."""
    best, studio = progress.best, run.studio
    if best is None or best.candidate is None or not isinstance(studio, FinishingStudio):
        return None
    index, artifact = best.candidate.index, best.candidate.artifact
    key = str(best.candidate.place.at(FINISH + (f"-{index}" if index else "")))
    price, result = run.config.images.price, TypeAdapter[Any](studio.artifact_model)
    if isinstance(studio, PaintingStudio) and (refusal := run.budget.money_spent(price or 0.0)):
        return {"phase": "finish", "step": key, "message": refusal}
    inputs: JsonValue = {"kind": f"{studio.name}.finish", "by": "redraft", "artifact": artifact.model_dump(mode="json")}
    try:
        finished = await run.journal.once(key, inputs, lambda: studio.finish(artifact, run.resources), result)
    except AttemptError as error:
        run.warn(key, f"Some files of the delivery are missing: {error}")
        return None
    except ResumeDivergedError:
        raise
    except RedraftError as error:
        return {"phase": "finish", "step": key, "message": str(error)}
    progress.best = replace(best, candidate=replace(best.candidate, artifact=finished))
    if isinstance(studio, PaintingStudio) and finished != artifact:  # else it was painted, and paid for, before
        run.note(PICTURE, studio.painted(finished), key)
    return None


def ended(run: Run, message: str) -> dict[str, JsonValue]:
    """Return the reason that a run ended early, with the effect that was under way."""
    events = run.journal.events
    ended_effects = {e.key for e in events if isinstance(e, EffectFinished | EffectFailed)}
    step = next((e.key for e in reversed(events) if isinstance(e, EffectStarted) and e.key not in ended_effects), "")
    return {"phase": IDEAS if step.startswith(f"{SCORING}/") else "loop", "step": step, "message": message}


def deliver(run: Run, progress: Progress, error: dict[str, JsonValue] | None) -> Result:
    """Deliver the best version so far and write the record.

    A file that cannot be written does not stop the others; `error` then says which one is missing.
    """
    journal, folder, best = run.journal, run.folder, progress.best
    candidate = None if best is None else best.candidate
    files: dict[str, Path] = {}
    try:
        if candidate is None:
            files = _write_failed(run)
        else:
            files = run.studio.deliver(candidate.artifact, folder, run.resources)
            for removal in run.studio.removals(candidate.artifact):
                run.warn(f"deliver/{digest_of(removal)}", removal)  # a resumed run may deliver another artifact
            if error is None:
                files |= _publish(run, progress, candidate.artifact)
    except (RunError, HistoryError) as failure:
        error = error or _undelivered(failure)

    report = Report()
    if candidate is not None:
        stand_ins = (
            *candidate.report.stand_ins,
            *run.stand_ins,
            *run.studio.stand_ins(candidate.artifact, run.brief),
        )
        report = candidate.report.model_copy(update={"stand_ins": tuple(dict.fromkeys(stand_ins))})
    if error is not None:  # the run may have ended before a critic could withdraw a requirement
        report = report.upheld()
    valid = candidate is not None and report.valid and not report.stand_ins
    score = 0.0 if candidate is None else report.score
    finished = RunFinished(
        key="run",
        at=journal.now,
        valid=valid,
        score=score,
        delivered="" if best is None else str(Place(best.number)),
        validation="" if candidate is None else str(candidate.validation),
        report=None if candidate is None else report,
        files={role: relative(path, folder) for role, path in sorted(files.items())},
        error=error,
    )
    try:
        journal.note(finished)
        record = Record(folder, journal.events)
        transcript = record.transcript.model_dump_json(indent=2) + "\n"
        files["transcript"] = write_atomic(folder / "transcript.json", transcript)
    except RunError as failure:
        record = Record(folder, journal.events)
        error = error or _undelivered(failure)

    warnings = record.transcript.warnings
    try:
        page = {"report": write_page(record)}
    except (TemplateError, RunError) as failure:
        page = {}
        warnings += (f"The report page could not be made ({failure}); try: redraft report {folder}",)
    if (folder.resolve().parent / INDEX_FILE).is_file():
        from redraft.report.index import add_to_index

        add_to_index(record)

    # Built from memory: the verdict on a version that was kept may be that of a later turn.
    return Result(
        run=folder,
        studio=run.studio.name,
        valid=valid,
        score=score,
        report=report,
        verdict=Verdict(by="none", satisfied=None) if best is None else best.verdict,
        usage=record.transcript.usage,
        iterations=record.transcript.iterations,
        files={**files, "events": folder / EVENTS_FILE, **page},
        warnings=warnings,
        error=error,
    )


def _write_failed(run: Run) -> dict[str, Path]:
    """Write the program that failed in the last turn, so that it is not lost; of several drafts that of the first."""
    studio = run.studio
    if not isinstance(studio, ProgramStudio) or not studio.failed or not run.programs:
        return {}
    last = min(run.programs, key=lambda place: (-place[0], place[1]))
    return {"failed": write_atomic(run.folder / studio.failed, run.programs[last].rstrip("\n") + "\n")}


def _publish(run: Run, progress: Progress, artifact: BaseModel) -> dict[str, Path]:
    """Add a painted delivery to the lists of its studio; paths of the lists by role."""
    if not isinstance(run.studio, PaintingStudio) or run.generations is None:
        return {}
    if reason := unlisted(run, run.generations):
        run.warn("deliver/lists", f"The picture is in no list of generations: {reason}")
        return {}
    hook = "" if progress.idea is None else progress.idea.hook
    where = Publication(run.generations, run.folder, run.journal.events[0].at, hook)
    return run.studio.publish(artifact, run.brief, run.resources, where)


def unlisted(run: Run, generations: Path) -> str:
    """Return the reason that a picture is not added to a list; empty where it is.

    If novelty reads the list and it cannot be read, that is a warning and ends no run: the specification says so.
    """
    if not run.scoring.uses_history:
        return ""
    from redraft.ideas.history import unreadable_generations

    return unreadable_generations(generations)


def _undelivered(failure: RunError | HistoryError) -> dict[str, JsonValue]:
    return {"phase": "deliver", "step": "", "message": str(failure)}
