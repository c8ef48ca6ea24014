"""Verify: look at the result. A metric says how far it is from the target, where there is one; a critic sees the
picture and says what differs from the brief, in a strict schema.

Its words are meant for the next turn's prompt. A critic that cannot be understood is no verdict and one warning,
never a number made up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.events import Verified
from redraft.replies import reply_as
from redraft.result import Failure, Picture, Score, Verdict, gist
from redraft.stages.attempt import Attempt
from redraft.stages.desk import Desk
from redraft.stages.validate import Candidate
from redraft.studios.base import CritiqueReply, Facts, Surveyed, SurveyReply

__all__ = ["verify"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


async def verify(
    desk: Desk[ArtifactT], candidate: Candidate[ArtifactT] | None, made: Attempt[Any], turn: int
) -> Verdict:
    """The verdict on a turn's candidate; "did not run" without asking anybody when there is none."""
    if candidate is None:
        failure = made.failure
        said = "" if failure is None else f" ({failure.failure_class}: {gist(failure.message)})"
        verdict = Verdict(by="none", satisfied=False, summary=f"did not run{said}")
    else:
        verdict = Verdict(by="none", satisfied=None)
        if desk.critic:
            verdict = await _ask_critic(desk, candidate, f"iteration-{turn}/verify")
        if desk.metric is not None:
            verdict = _measured(verdict, candidate.score, desk.metric)
    desk.journal.note(Verified(key=f"iteration-{turn}/verify", at=desk.journal.now, iteration=turn, verdict=verdict))
    return verdict


def _measured(verdict: Verdict, score: Score | None, metric: str) -> Verdict:
    """With a target the distance decides whether it is enough; what a critic said of it stays."""
    if score is None:
        summary = verdict.summary or f"{metric} could not be measured"
        return verdict.model_copy(update={"satisfied": False, "summary": summary})
    if verdict.by == "critic":
        return verdict.model_copy(update={"satisfied": score.reached, "measured": score})
    words = f"{score.metric} {score.best:.4f}"
    if len(score.frames) > 1:
        words += f" (best frame {score.frame + 1} of {len(score.frames)}, mean {score.mean:.4f})"
    return Verdict(by="metric", satisfied=score.reached, score=score.best, summary=words, measured=score)


async def _ask_critic(desk: Desk[ArtifactT], candidate: Candidate[ArtifactT], path: str) -> Verdict:
    artifact = candidate.artifact
    pictures = await desk.shown(artifact, candidate.score) or await desk.studio.render(artifact, (), desk.bench)
    facts = Facts(
        brief=desk.brief,
        current=candidate.artifact,
        report=candidate.report,
        score=candidate.score,
        pictures=tuple(pictures),
    )
    looks = desk.loop.looks if isinstance(desk.studio, Surveyed) else 0
    facts, fixes, where = replace(facts, may_look=looks > 0), 0, path
    text = await desk.converse("critique", facts, where)
    while True:
        try:
            reply = reply_as(SurveyReply if looks else CritiqueReply, text, "critique")
            wanted = reply.look if isinstance(reply, SurveyReply) else ()
            if not wanted:
                return _verdict(reply)
            cast("Surveyed", desk.studio).refuse_looks(wanted)
            pictures = await _looked(desk, artifact, wanted)
        except (FormatError, ExecutionError) as error:
            fixes += 1
            if fixes > desk.loop.fixes:
                desk.warn(path, f"{path}: the critic's reply could not be read, so nobody looked. {error}")
                return Verdict(by="none", satisfied=None, summary="the critic's reply could not be read")
            failure = Failure(failure_class="E2", message=str(error))
            fix = replace(facts, of="critique", reply=text, failure=failure)
            text = await desk.converse("fix", fix, f"{where}/fix-{fixes}")
            continue
        looks -= 1
        where = f"{path}/look-{desk.loop.looks - looks}"
        seen = (*facts.pictures, *pictures)
        facts = replace(facts, pictures=seen, looks=(*facts.looks, *wanted), may_look=looks > 0)
        text = await desk.converse("critique", facts, where)


async def _looked(desk: Desk[ArtifactT], artifact: ArtifactT, wanted: tuple[str, ...]) -> list[Picture]:
    """The views that the critic asked for; of a view that cannot be shown it is told why. Raises `ExecutionError`."""
    try:
        return await desk.studio.render(artifact, wanted, desk.bench)
    except InfrastructureError as error:
        raise ExecutionError(f"The view could not be shown: {error} Judge by what you have seen.") from error


def _verdict(reply: CritiqueReply) -> Verdict:
    return Verdict(
        by="critic",
        satisfied=reply.satisfied,
        score=reply.score / 10,
        summary=reply.summary,
        differences=reply.differences,
    )
