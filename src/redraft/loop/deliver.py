"""Deliver: finish the best candidate, write its files, close the record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from pydantic import JsonValue, TypeAdapter

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
"""The phase of what happens before the first draft."""


async def finish(run: Run[Any], progress: Progress[Any]) -> dict[str, JsonValue] | None:
    """Make of the best candidate what only a delivery needs; returns the error that the run ends with, if any."""
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
        done = await run.journal.once(key, inputs, lambda: studio.finish(artifact, run.resources), result)
    except AttemptError as error:
        run.warn(key, f"Some files of the delivery are missing: {error}")
        return None
    except ResumeDivergedError:
        raise
    except RedraftError as error:
        return {"phase": "finish", "step": key, "message": str(error)}
    progress.best = replace(best, candidate=replace(best.candidate, artifact=done))
    # What is delivered again was painted, and paid for, before.
    if isinstance(studio, PaintingStudio) and done != artifact:
        run.note(PICTURE, studio.painted(done), key)
    return None


def ended(run: Run[Any], message: str) -> dict[str, JsonValue]:
    """Return the reason that a run ended early, and the effect under way."""
    events = run.journal.events
    done = {e.key for e in events if isinstance(e, EffectFinished | EffectFailed)}
    step = next((e.key for e in reversed(events) if isinstance(e, EffectStarted) and e.key not in done), "")
    return {"phase": IDEAS if step.startswith(f"{SCORING}/") else "loop", "step": step, "message": message}


def deliver(run: Run[Any], progress: Progress[Any], error: dict[str, JsonValue] | None) -> Result:
    """Deliver the best so far and write the record.

    What cannot be written ends the run early as anything else does: the rest is written, and `error` says what is not.
    """
    journal, folder, best = run.journal, run.folder, progress.best
    candidate = None if best is None else best.candidate
    files: dict[str, Path] = {}
    try:
        if candidate is None:
            files = _failed(run)
        else:
            files = run.studio.deliver(candidate.artifact, folder, run.resources)
            for removal in run.studio.removals(candidate.artifact):
                run.warn(f"deliver/{digest_of(removal)}", removal)  # a resumed run may deliver another artifact
            if error is None:
                files |= _published(run, progress, candidate.artifact)
    except (RunError, HistoryError) as failure:
        error = error or _undelivered(failure)
    report = Report() if candidate is None else _complete(run, candidate.report, candidate.artifact)
    if error is not None:  # the run may have ended before anything answered for requirements that do not hold
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
        record = Record(folder, run.journal.events)
        files["transcript"] = write_atomic(
            folder / "transcript.json", record.transcript.model_dump_json(indent=2) + "\n"
        )
    except RunError as failure:
        record = Record(folder, run.journal.events)
        error = error or _undelivered(failure)
    page, complaint = _page(record)
    if (folder.resolve().parent / INDEX_FILE).is_file():
        from redraft.report.index import add_to_index

        add_to_index(record)
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
        warnings=(*record.transcript.warnings, *complaint),
        error=error,
    )


def _complete(run: Run[Any], report: Report, artifact: Any) -> Report:
    """The report with everything of the brief that the model, or the delivery, has no more than a stand-in for."""
    named = (*report.stand_ins, *run.stand_ins, *run.studio.stand_ins(artifact, run.brief))
    return report.model_copy(update={"stand_ins": tuple(dict.fromkeys(named))})


def _failed(run: Run[Any]) -> dict[str, Path]:
    """The program of the last turn that ran none to its end, so that it is not lost; of several drafts the first's."""
    studio = run.studio
    if not isinstance(studio, ProgramStudio) or not studio.failed or not run.programs:
        return {}
    last = min(run.programs, key=lambda place: (-place[0], place[1]))
    return {"failed": write_atomic(run.folder / studio.failed, run.programs[last].rstrip("\n") + "\n")}


def _published(run: Run[Any], progress: Progress[Any], artifact: Any) -> dict[str, Path]:
    """The lists that a delivery now stands in, by role."""
    if not isinstance(run.studio, PaintingStudio) or run.generations is None:
        return {}
    if reason := unlisted(run, run.generations):
        run.warn("deliver/lists", f"The picture is in no list of generations: {reason}")
        return {}
    hook = "" if progress.idea is None else progress.idea.hook
    where = Publication(run.generations, run.folder, run.journal.events[0].at, hook)
    return run.studio.publish(artifact, run.brief, run.resources, where)


def unlisted(run: Run[Any], generations: Path) -> str:
    """Return the reason that a list is left alone; empty where the picture is to be added to it.

    Where novelty reads the list, one that cannot be read is a warning, as the specification has it, and ends no run.
    """
    if not run.scoring.uses_history:
        return ""
    from redraft.ideas.history import unreadable_generations

    return unreadable_generations(generations)


def _undelivered(failure: RunError | HistoryError) -> dict[str, JsonValue]:
    return {"phase": "deliver", "step": "", "message": str(failure)}


def _page(record: Record) -> tuple[dict[str, Path], tuple[str, ...]]:
    """The report page; a delivery is not lost when it cannot be written."""
    try:
        return {"report": write_page(record)}, ()
    except (TemplateError, RunError) as error:
        return {}, (f"The report page could not be made ({error}); try: redraft report {record.folder}",)
