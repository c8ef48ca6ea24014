"""Look: a critic sees the picture beside the measurements, says what has to change, and prefers one of two versions.

The versions are shown as A and B, in an order that says nothing about their age. Where there is a target, the distance
from it decides whether the result is good enough. A reply that cannot be read gives no verdict and one warning, never
an invented number.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import shorten
from typing import Any, Literal, cast

from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.layout.requirements import answered
from redraft.loop.attempt import Retries
from redraft.loop.check import checked, pictures_of
from redraft.loop.keep import Candidate, requirements_of
from redraft.loop.run import Run
from redraft.models.replies import reply_as
from redraft.record.events import Place, Verified
from redraft.record.journal import derive_seed
from redraft.result import Difference, Failure, Picture, Score, Verdict, gist
from redraft.studios.requests import CritiqueReply, CritiqueRequest, critique_schema, fix_of


async def look(
    run: Run,
    candidate: Candidate,
    rival: Candidate | None,
    retries: Retries,
    *,
    last: bool,
) -> Verdict:
    """Return the verdict on a turn's candidate, compared with a `rival` if there is one; `last`: no turn follows."""
    place = Place(candidate.place.turn).at("verify")
    verdict, compared = Verdict(by="none", satisfied=None), tuple[str, ...]()
    if run.critic and not candidate.report.given_up:
        try:
            later = await pictures_of(run, candidate.artifact, candidate.score)
            earlier = () if rival is None else await pictures_of(run, rival.artifact, rival.score)
        except (ExecutionError, InfrastructureError) as error:
            run.warn(str(place), f"{place}: the picture could not be made, so the critic was not asked. {error}")
        else:
            earlier = () if earlier == later else earlier  # versions that look alike are not compared
            verdict = await _ask_critic(run, candidate, later, earlier, place, retries, last=last)
            if verdict.better:
                compared = tuple(run.resources.pictures.put(shown[0].png) for shown in (earlier, later) if shown)
    if run.metric is not None:
        verdict = _with_distance(verdict, candidate.score, run.metric)
    run.journal.note(
        Verified(key=str(place), at=run.journal.now, iteration=place.turn, verdict=verdict, compared=compared)
    )
    return verdict


def with_answers(run: Run, candidate: Candidate, verdict: Verdict) -> Candidate:
    """Return a candidate after a critic's answers: requirements that do not hold are upheld or withdrawn.

    Without a critic they are errors: nothing says that they are stated wrongly.
    """
    if not candidate.report.mismatches:
        return candidate
    if verdict.by != "critic":
        return replace(candidate, report=candidate.report.upheld())
    before = requirements_of(candidate.artifact)
    after = answered(before, verdict.mismatches)
    if after == before:
        return candidate
    artifact = candidate.artifact.model_copy(update={"requirements": after})
    return replace(candidate, artifact=artifact, report=checked(run, artifact))


def not_run(run: Run, turn: int, failure: Failure | None) -> Verdict:
    """Return the verdict on a turn in which no draft ran; no model is asked."""
    reason = "" if failure is None else f" ({failure.failure_class}: {gist(failure.message)})"
    verdict = Verdict(by="none", satisfied=False, summary=f"did not run{reason}")
    run.journal.note(Verified(key=str(Place(turn).at("verify")), at=run.journal.now, iteration=turn, verdict=verdict))
    return verdict


def _with_distance(verdict: Verdict, score: Score | None, metric: str) -> Verdict:
    """Let the distance from the target decide whether the result is good enough; the critic's words are kept."""
    if score is None:
        summary = verdict.summary or f"{metric} could not be measured"
        return verdict.model_copy(update={"satisfied": False, "summary": summary})
    if verdict.by == "critic":
        return verdict.model_copy(update={"satisfied": score.reached, "measured": score})
    summary = f"{score.metric} {score.best:.4f}"
    if len(score.frames) > 1:
        summary += f" (best frame {score.frame + 1} of {len(score.frames)}, mean {score.mean:.4f})"
    return Verdict(by="metric", satisfied=score.reached, score=score.best, summary=summary, measured=score)


async def _ask_critic(
    run: Run,
    candidate: Candidate,
    later: tuple[Picture, ...],
    earlier: tuple[Picture, ...],
    place: Place,
    retries: Retries,
    *,
    last: bool,
) -> Verdict:
    """Ask the critic about a candidate by its pictures, `later`, and by those of an earlier version, if there is one.

    The critic may look closer before it answers, and has the turn's retries for replies that cannot be read.
    """
    artifact, compares = candidate.artifact, bool(earlier)

    # The brief is part of the seed of the order: one seed serves many runs, and must not favor one letter.
    order = f"{place.at('order')} {run.brief.instruction}"
    later_first = compares and derive_seed(run.config.seed, order) % 2 == 0
    pictures = later
    if compares:
        versions = zip("AB", (later, earlier) if later_first else (earlier, later), strict=True)
        pictures = tuple(Picture(name=f"{letter}-{p.name}", png=p.png) for letter, shown in versions for p in shown)

    looks = run.loop.looks if run.studio.looks == "critique" else 0
    request = run.request(
        CritiqueRequest[Any],
        current=artifact,
        report=candidate.report,
        score=candidate.score,
        requirements=requirements_of(artifact),
        pictures=pictures,
        compares=compares,
        letter=("A" if later_first else "B") if compares else "",
        last=last,
        may_look=looks > 0,
    )
    fixes, where = 0, place
    text = await run.converse(run.studio.compose(request), str(where))
    while True:
        try:
            reply = reply_as(critique_schema(request), text, "critique")
            views: tuple[str, ...] = getattr(reply, "look", ())
            if not views:
                _warn_of_answers(run, place, candidate, reply)
                return _verdict(reply, candidate, later_first=later_first)
            run.studio.refuse_looks(views)
            try:
                closer = await run.studio.render(artifact, views, run.resources)
            except InfrastructureError as error:
                raise ExecutionError(f"The view could not be shown: {error} Judge by what you have seen.") from error
        except (FormatError, ExecutionError) as error:
            failure = Failure(failure_class="E2", message=str(error))
            if not retries.take(failure):
                run.warn(str(place), f"{place}: the critic's reply could not be read, so it was not judged. {error}")
                return Verdict(by="none", satisfied=None, summary="the critic's reply could not be read")
            fixes += 1
            text = await run.converse(run.studio.compose(fix_of(request, text, failure)), str(where.at(f"fix-{fixes}")))
            continue

        # The same request again, with the views that it asked for.
        looks -= 1
        where = place.at(f"look-{run.loop.looks - looks}")
        request = replace(
            request, pictures=(*request.pictures, *closer), looks=(*request.looks, *views), may_look=looks > 0
        )
        text = await run.converse(run.studio.compose(request), str(where))


def _warn_of_answers(run: Run, place: Place, candidate: Candidate, reply: CritiqueReply) -> None:
    """Warn of requirements without an answer, of answers about none, and where all requirements are withdrawn."""
    questions = {issue.requirement for issue in candidate.report.mismatches}
    answers = {answer.id: answer.wrong for answer in reply.mismatches}

    if missing := sorted(questions - answers.keys()):
        message = f"{place}: the critic did not say what is wrong about {', '.join(missing)}"
        run.warn(str(place.at("unanswered")), message)
    if strange := sorted(answers.keys() - questions):
        listed = ", ".join(map(repr, strange[:6]))
        message = f"{place}: the critic answered about {listed:.300}, which it was not asked about"
        run.warn(str(place.at("unknown")), message)

    live = [one for one in candidate.report.requirements if one.outcome not in ("withdrawn", "waived")]
    withdrawn = [name for name in questions if answers.get(name) == "statement"]
    if len(live) > 1 and len(withdrawn) == len(live):
        message = f"{place}: the critic withdrew all {len(withdrawn)} requirements; nothing is measured"
        run.warn(str(place.at("withdrawn")), message)


def _verdict(reply: CritiqueReply, candidate: Candidate, *, later_first: bool) -> Verdict:
    """Return the critic's reply as a verdict; a requirement that it upholds is a difference that has to change."""
    questions = {issue.requirement: issue for issue in candidate.report.mismatches}
    answers = tuple(answer for answer in reply.mismatches if answer.id in questions)
    differences = [*reply.differences]
    for answer in answers:
        if answer.wrong == "drawing":
            text = f"{answer.id}: {questions[answer.id].message}. {answer.reason}".strip()
            differences.append(Difference(text=shorten(text, 600, placeholder=" …"), weight="must"))
    better: Literal["", "A", "B", "same"] = getattr(reply, "better", "")
    later, words = "A" if later_first else "B", {"": "", "same": "same"}
    return Verdict(
        by="critic",
        satisfied=not any(difference.weight == "must" for difference in differences),
        score=reply.score / 10,
        summary=reply.summary,
        differences=tuple(differences),
        mismatches=answers,
        better=cast("Any", words.get(better, "later" if better == later else "earlier")),
    )
