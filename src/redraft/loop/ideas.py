"""Ideate: a model makes idea cards, judges score them blind in numbers, and code chooses one.

Each request is a conversation of its own. The request for cards has a summary of the taste profile and not the profile
itself; no later request has a word of a judge. A reply that cannot be used ends the run, unless
`prompt.scoring.retries` allows another; it stays in the record, and a resumed run asks again.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import TypeVar

import anyio
from anyio import to_thread
from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter

from redraft.errors import HistoryError, IdeaError, RedraftError
from redraft.ideas import compose
from redraft.ideas.abstraction import check_hints
from redraft.ideas.cards import IdeaCard, IdeaCards, parse_idea_cards
from redraft.ideas.history import read_recent
from redraft.ideas.novelty import Weighed, weighed
from redraft.ideas.profile import TasteProfile
from redraft.ideas.scores import aggregated, parse_scores
from redraft.ideas.selection import NoveltyUsed, Scoring, select
from redraft.ideas.settings import SCORING, SOLE, JudgeSettings
from redraft.loop.run import SURROUNDINGS, Run
from redraft.models.base import Model
from redraft.models.conversation import Block
from redraft.record.journal import derive_seed
from redraft.record.transcript import HISTORY
from redraft.studios.kinds import PaintingStudio
from redraft.studios.wording import shape_of

T = TypeVar("T")

_log = logging.getLogger("redraft.scoring")
_log.addHandler(logging.NullHandler())  # for programs that listen; the run records its warnings itself


class _History(BaseModel):
    """Prompts of recent generations, oldest first, or the reason for their absence."""

    model_config = ConfigDict(frozen=True)

    prompts: tuple[str, ...] = ()
    complaint: str = ""


async def ideate(run: Run) -> IdeaCard:
    """Choose an idea and record the whole choice; return the chosen card.

    Raises:
        IdeaError: a summary, cards or scores are unusable; `step` says which.
    """
    settings = run.scoring
    _log.info(
        "Blackbox scoring enabled: num_ideas=%d, exploration_rate=%s, novelty=%s",
        settings.num_ideas,
        settings.exploration_rate,
        "on" if settings.uses_history else "off",
    )
    if settings.judge_temperature:
        message = (
            f"prompt.scoring.judge_temperature is {settings.judge_temperature}, not 0: the judge may score the same "
            "ideas differently next time, so this choice cannot be reproduced."
        )
        _log.warning(message)
        run.warn(f"{SCORING}/temperature", message)

    # Cards from a summary of the taste, each compared with recent prompts.
    history = await _read_history(run)
    hints = await _summarize_profile(run)
    cards = await _make_cards(run, hints)
    repetition, novelty = _compare(run, cards, history)

    # Scores from judges who see the cards alone, and a choice whose seed is in the record.
    judged = await _judge(run, cards, novelty.summary)
    scores = aggregated(judged, settings.judges, settings.aggregate) if settings.judges else judged[SOLE]
    seed = derive_seed(run.config.seed, f"{SCORING}/selection")
    with _attributed(f"{SCORING}/selection"):
        selection = select(
            scores,
            exploration_rate=settings.exploration_rate,
            rng=random.Random(seed),  # noqa: S311  a choice among ideas, not a secret
            penalties=repetition.penalties,
        )

    record = Scoring(
        **selection.model_dump(),
        seed=seed,
        config_snapshot=settings,
        judges=judged,
        novelty=novelty,
        generator_profile_hints=hints,
        cards=cards,
    )
    run.note(SCORING, record.model_dump(mode="json"))
    _log.info(
        "Selected candidate: id=%s, score=%s, selection_mode=%s",
        record.selected_id,
        record.selected_score,
        record.selection_mode,
    )
    return record.selected_card


async def _read_history(run: Run) -> _History:
    """Return the recent prompts. If their list cannot be read, warn: novelty is off for this run."""
    settings, path = run.scoring.novelty, run.generations
    if path is None or not run.scoring.uses_history:
        return _History()

    async def read() -> _History:
        try:
            rows = await to_thread.run_sync(
                partial(read_recent, SURROUNDINGS.get().history(path.resolve()), settings.window)
            )
        except HistoryError as error:
            return _History(complaint=str(error))
        return _History(prompts=tuple(row.final_image_prompt for row in rows))

    key = f"{SCORING}/{HISTORY}"
    inputs: JsonValue = {"kind": "ideas.history", "by": "redraft", "window": settings.window}
    history = await run.journal.once(key, inputs, read, TypeAdapter(_History))
    if history.complaint:
        message = f"Novelty enabled but history unavailable; disabling novelty for this run: {history.complaint}"
        _log.warning(message)
        run.warn(key, message)
    return history


async def _summarize_profile(run: Run) -> str:
    """Return a summary of the taste profile for the request for cards. Raises `AbstractionError`."""
    profile = run.brief.profile
    if profile is None:
        return ""
    if not run.scoring.generator_profile_abstraction:
        return "\n".join((*(f"Likes {x}" for x in profile.liked), *(f"Dislikes {x}" for x in profile.disliked)))
    return await _usable(
        run, compose.abstraction(profile), "profile_abstraction", lambda text: check_hints(text, profile)
    )


async def _make_cards(run: Run, hints: str) -> tuple[IdeaCard, ...]:
    """Return the idea cards of the model. Raises `IdeaCardsError`."""
    medium = run.studio.medium or f"a {run.studio.name}"
    if isinstance(run.studio, PaintingStudio):
        medium = f"{medium}, {shape_of(run.resources.size)}"
    block = compose.cards(
        run.brief.concepts, hints, run.scoring.num_ideas, instruction=_instruction(run), medium=medium
    )
    return await _usable(run, block, "idea_cards_generate", lambda text: parse_idea_cards(text, run.scoring.num_ideas))


async def _usable(run: Run, block: Block, step: str, read: Callable[[str], T], model: Model | None = None) -> T:
    """Return what `read` makes of the reply to a step.

    A reply that cannot be used stays in the record, and is passed over when the run is resumed. The model is asked
    again as often as `prompt.scoring.retries` allows, anew in each resume.

    Raises:
        IdeaError: the last reply that is allowed cannot be used.
    """
    retries = run.scoring.retries
    for number in count():
        path = f"{SCORING}/{step}" + (f"/retry-{number}" if number else "")
        recorded = run.journal.knows(path)
        text = await run.converse(block, path, model)
        try:
            with _attributed(path):
                return read(text)
        except IdeaError as error:
            if not recorded and not retries:
                raise
            retries -= not recorded
            run.warn(path, f"The reply to {path} cannot be used; asking again. {error}")
    raise AssertionError("the loop ends by returning or raising")


def _instruction(run: Run) -> str:
    """Return the instruction; empty where the concepts say it already."""
    return "" if run.brief.concepts else run.brief.instruction


def _compare(run: Run, cards: Sequence[IdeaCard], history: _History) -> tuple[Weighed, NoveltyUsed]:
    """Return how much each card repeats recent prompts, and the record of it; or the reason that novelty is off."""
    settings = run.scoring.novelty
    if not settings.enabled:
        off = "prompt.scoring.novelty.enabled is false"
    elif not settings.window:
        off = "prompt.scoring.novelty.window is 0"
    elif run.generations is None:
        off = f"{run.studio.name} keeps no list of what it made; prompt.generations_path names one"
    else:
        off = history.complaint
    if off:
        return Weighed(), NoveltyUsed(enabled=False, off_because=off)
    words = (*run.brief.concepts, run.brief.instruction)  # to repeat these is no repetition
    repetition = weighed(cards, history.prompts, words, settings)
    used = NoveltyUsed(
        enabled=True,
        prompts=len(history.prompts),
        motifs=repetition.motifs,
        summary=repetition.summary,
    )
    return repetition, used


async def _judge(run: Run, cards: tuple[IdeaCard, ...], recent: str) -> dict[str, dict[str, int]]:
    """Return each judge's scores; the judges are asked at once. Raises `JudgeOutputError` or `SelectionError`."""
    ids = [card.id for card in cards]
    text = IdeaCards(ideas=cards).model_dump_json(indent=1)
    single = not run.scoring.judges
    judges = run.scoring.judges or (JudgeSettings(name=SOLE),)
    scores: dict[str, dict[str, int]] = {}
    failed: dict[str, RedraftError] = {}

    async def one(judge: JudgeSettings) -> None:
        block = compose.judge(
            run.brief.concepts,
            run.brief.profile or TasteProfile(),
            text,
            recent,
            ids=ids,
            instruction=_instruction(run),
            rubric=judge.rubric,
            name="" if single else judge.name,
            temperature=run.scoring.judge_temperature,
        )
        step = compose.JUDGE + ("" if single else f"/{judge.name}")
        try:
            scores[judge.name] = await _usable(
                run, block, step, lambda text: parse_scores(text, ids), run.judges.get(judge.name)
            )
        except RedraftError as error:  # raised below: it must not cancel other judges, whose replies are kept
            failed[judge.name] = error

    async with anyio.create_task_group() as group:
        for judge in judges:
            group.start_soon(one, judge)
    for judge in judges:
        if judge.name in failed:
            raise failed[judge.name]
    return {judge.name: scores[judge.name] for judge in judges}


@contextmanager
def _attributed(step: str) -> Generator[None]:
    """Name the step in an `IdeaError`."""
    try:
        yield
    except IdeaError as error:
        error.step = step
        raise
