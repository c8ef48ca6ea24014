"""Verify: look at the result. A critic sees the picture and says what differs from the brief, in a strict schema.

Its words are meant for the next turn's prompt. A critic that cannot be understood is no verdict and one warning,
never a number made up.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from redraft.errors import FormatError
from redraft.events import Verified
from redraft.replies import json_in
from redraft.result import Failure, Verdict
from redraft.stages.attempt import Attempt
from redraft.stages.desk import Desk
from redraft.stages.validate import Candidate
from redraft.studios.base import CritiqueReply, Facts

__all__ = ["verify"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


async def verify(
    desk: Desk[ArtifactT], candidate: Candidate[ArtifactT] | None, made: Attempt[Any], turn: int
) -> Verdict:
    """The verdict on a turn's candidate; "did not run" without asking anybody when there is none."""
    if candidate is None:
        failure = made.failure
        said = "" if failure is None else f" ({failure.failure_class}: {failure.message.splitlines()[0]})"
        verdict = Verdict(by="none", satisfied=False, summary=f"did not run{said}")
    elif desk.critic:
        verdict = await _ask_critic(desk, candidate, f"iteration-{turn}/verify")
    else:
        verdict = Verdict(by="none", satisfied=None)
    desk.journal.note(Verified(key=f"iteration-{turn}/verify", at=desk.journal.now, iteration=turn, verdict=verdict))
    return verdict


async def _ask_critic(desk: Desk[ArtifactT], candidate: Candidate[ArtifactT], path: str) -> Verdict:
    pictures = await desk.studio.render(candidate.artifact, (), desk.bench)
    facts = Facts(brief=desk.brief, current=candidate.artifact, report=candidate.report, pictures=tuple(pictures))
    text = await desk.converse("critique", facts, path)
    for tries in range(desk.loop.fixes + 1):
        try:
            return _verdict(text)
        except FormatError as error:
            if tries == desk.loop.fixes:
                desk.warn(path, f"{path}: the critic's reply could not be read, so nobody looked. {error}")
                break
            failure = Failure(failure_class="E2", message=str(error))
            fix = replace(facts, of="critique", reply=text, failure=failure)
            text = await desk.converse("fix", fix, f"{path}/fix-{tries + 1}")
    return Verdict(by="none", satisfied=None, summary="the critic's reply could not be read")


def _verdict(text: str) -> Verdict:
    found = json_in(text, CritiqueReply.model_fields, "critique")
    try:
        reply = CritiqueReply.model_validate_json(json.dumps(found))
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, e['loc']))}: {e['msg']}, found {e['input']!r:.60}" for e in error.errors()
        )
        raise FormatError(f"The critique does not follow its schema. {faults}") from error
    return Verdict(
        by="critic",
        satisfied=reply.satisfied,
        score=reply.score / 10,
        summary=reply.summary,
        differences=reply.differences,
    )
