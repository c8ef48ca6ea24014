"""Verify: look at the result. A metric says how far it is from the target, where there is one; a critic sees the
picture, answers the open questions, says what differs from the brief, and prefers one of two candidates shown without
order, in a strict schema.

Its words are meant for the next turn's prompt. A reply that cannot be understood gives no verdict and one warning,
never a number made up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel

from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.events import Verified
from redraft.journal import derive_seed
from redraft.replies import reply_as
from redraft.result import Failure, Picture, Score, Verdict, gist
from redraft.runs import Run
from redraft.stages.attempt import Attempt, Retries
from redraft.stages.candidates import Candidate, statements_of
from redraft.stages.validate import marked
from redraft.studios.requests import CritiqueReply, CritiqueRequest, critique_schema, fix_of

__all__ = ["verify"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


async def verify(
    run: Run[ArtifactT],
    candidate: Candidate[ArtifactT] | None,
    rival: Candidate[ArtifactT] | None,
    made: Attempt[Any],
    turn: int,
    retries: Retries,
    *,
    last: bool,
) -> Verdict:
    """The verdict on a turn's candidate, beside an earlier `rival` where there is one; "did not run", without asking
    a model, when no draft ran. `last`: no further turn follows."""
    key, compared = f"iteration-{turn}/verify", tuple[str, ...]()
    if candidate is None:
        failure = made.failure
        said = "" if failure is None else f" ({failure.failure_class}: {gist(failure.message)})"
        verdict = Verdict(by="none", satisfied=False, summary=f"did not run{said}")
    else:
        verdict = Verdict(by="none", satisfied=None)
        if run.critic and not candidate.report.given_up:
            later, earlier = await _shown(run, candidate), [] if rival is None else await _shown(run, rival)
            if earlier == later:  # two versions that look alike are not compared
                earlier = []
            verdict = await _ask_critic(run, candidate, later, earlier, key, retries, last=last)
            if verdict.better:
                compared = tuple(
                    run.resources.pictures.put(pictures[0].png) for pictures in (earlier, later) if pictures
                )
        if run.metric is not None:
            verdict = _measured(verdict, candidate.score, run.metric)
    run.journal.note(Verified(key=key, at=run.journal.now, iteration=turn, verdict=verdict, compared=compared))
    return verdict


def _measured(verdict: Verdict, score: Score | None, metric: str) -> Verdict:
    """With a target the distance decides whether it is enough; the critic's verdict is kept."""
    if score is None:
        summary = verdict.summary or f"{metric} could not be measured"
        return verdict.model_copy(update={"satisfied": False, "summary": summary})
    if verdict.by == "critic":
        return verdict.model_copy(update={"satisfied": score.reached, "measured": score})
    words = f"{score.metric} {score.best:.4f}"
    if len(score.frames) > 1:
        words += f" (best frame {score.frame + 1} of {len(score.frames)}, mean {score.mean:.4f})"
    return Verdict(by="metric", satisfied=score.reached, score=score.best, summary=words, measured=score)


async def _ask_critic(
    run: Run[ArtifactT],
    candidate: Candidate[ArtifactT],
    later: list[Picture],
    earlier: list[Picture],
    path: str,
    retries: Retries,
    *,
    last: bool,
) -> Verdict:
    """The critic's verdict on a candidate by its pictures, `later`; beside those of an `earlier` one, if there are."""
    artifact, compares = candidate.artifact, bool(earlier)
    later_first = compares and derive_seed(run.config.seed, f"{path}/order") % 2 == 0
    letter = ("A" if later_first else "B") if compares else ""
    asked = await marked(run, candidate)
    pictures = (*later, *asked)
    if compares:
        a, b = (later, earlier) if later_first else (earlier, later)
        named = [("A", a), ("B", b), (letter, asked)]
        pictures = tuple(Picture(name=f"{name}-{p.name}", png=p.png) for name, shown in named for p in shown)
    looks = run.loop.looks if run.studio.looks == "critique" else 0
    request = run.request(
        CritiqueRequest[ArtifactT],
        current=artifact,
        report=candidate.report,
        score=candidate.score,
        requirements=statements_of(artifact),
        pictures=pictures,
        compares=compares,
        letter=letter,
        last=last,
        may_look=looks > 0,
    )
    fixes, where = 0, path
    text = await run.converse(run.studio.compose(request), where)
    while True:
        try:
            reply = reply_as(critique_schema(request), text, "critique")
            wanted: tuple[str, ...] = getattr(reply, "look", ())
            if not wanted:
                return _verdict(reply, later_first=later_first)
            run.studio.refuse_looks(wanted)
            pictures = await _looked(run, artifact, wanted)
        except (FormatError, ExecutionError) as error:
            failure = Failure(failure_class="E2", message=str(error))
            if not retries.take(failure):
                run.warn(path, f"{path}: the critic's reply could not be read, so it was not judged. {error}")
                return Verdict(by="none", satisfied=None, summary="the critic's reply could not be read")
            fixes += 1
            text = await run.converse(run.studio.compose(fix_of(request, text, failure)), f"{where}/fix-{fixes}")
            continue
        looks -= 1
        where = f"{path}/look-{run.loop.looks - looks}"
        seen = (*request.pictures, *pictures)
        request = replace(request, pictures=seen, looks=(*request.looks, *wanted), may_look=looks > 0)
        text = await run.converse(run.studio.compose(request), where)


async def _shown(run: Run[ArtifactT], candidate: Candidate[ArtifactT]) -> list[Picture]:
    shown = await run.shown(candidate.artifact, candidate.score)
    return shown or await run.studio.render(candidate.artifact, (), run.resources)


async def _looked(run: Run[ArtifactT], artifact: ArtifactT, wanted: tuple[str, ...]) -> list[Picture]:
    """Render the views that the critic asked for. Raises `ExecutionError` for one that cannot be shown."""
    try:
        return await run.studio.render(artifact, wanted, run.resources)
    except InfrastructureError as error:
        raise ExecutionError(f"The view could not be shown: {error} Judge by what you have seen.") from error


def _verdict(reply: CritiqueReply, *, later_first: bool) -> Verdict:
    better: Literal["", "A", "B", "same"] = getattr(reply, "better", "")
    later, words = "A" if later_first else "B", {"": "", "same": "same"}
    return Verdict(
        by="critic",
        satisfied=not any(difference.weight == "must" for difference in reply.differences),
        score=reply.score / 10,
        summary=reply.summary,
        differences=reply.differences,
        rulings=reply.rulings,
        better=cast("Any", words.get(better, "later" if better == later else "earlier")),
    )
