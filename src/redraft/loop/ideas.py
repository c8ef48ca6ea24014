"""Ideate: idea cards, scored blind by judges in numbers, one chosen in code; only the chosen card is passed on.

Each request starts a conversation of its own: who makes the cards sees a summary of the taste and not the taste, and
no step after a judge sees anything that a judge said. A reply that cannot be used ends the run, unless
`prompt.scoring.retries` allows another; it stays in the record, and a resumed run asks again.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any, TypeVar

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
from redraft.ideas.selection import NoveltyUsed, Scoring, Selection, select
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
_log.addHandler(logging.NullHandler())  # a run says its warnings itself; who listens gets them here as well


class _History(BaseModel):
    """Prompts of the list of generations, oldest first, or the reason for their absence."""

    model_config = ConfigDict(frozen=True)

    prompts: tuple[str, ...] = ()
    complaint: str = ""


async def ideate(run: Run[Any]) -> IdeaCard:
    """The chosen card, with the whole choice in the record.

    Raises:
        IdeaError: a summary, cards or scores are unusable; `step` says which.
    """
    chosen = run.scoring
    _log.info(
        "Blackbox scoring enabled: num_ideas=%d, exploration_rate=%s, novelty=%s",
        chosen.num_ideas,
        chosen.exploration_rate,
        "on" if chosen.uses_history else "off",
    )
    _warn_of_temperature(run)
    history = await _history(run)
    hints = await _hints(run)
    cards = await _cards(run, hints)
    lost, novelty = _weigh(run, cards, history)
    judged = await _judge(run, cards, novelty.summary)
    selection, seed = _select(run, judged, lost)
    record = Scoring(
        **selection.model_dump(),
        seed=seed,
        config_snapshot=chosen,
        judges=judged,
        novelty=novelty,
        generator_profile_hints=hints,
        cards=cards,
    )
    data = record.model_dump(mode="json")
    run.note(SCORING, data)
    _log.info(
        "Selected candidate: id=%s, score=%s, selection_mode=%s",
        record.selected_id,
        record.selected_score,
        record.selection_mode,
    )
    return record.selected_card


def _warn_of_temperature(run: Run[Any]) -> None:
    if temperature := run.scoring.judge_temperature:
        said = (
            f"prompt.scoring.judge_temperature is {temperature}, not 0: the judge may score the same ideas "
            "differently next time, so this choice cannot be reproduced."
        )
        _log.warning(said)
        run.warn(f"{SCORING}/temperature", said)


async def _history(run: Run[Any]) -> _History:
    """Return the recent prompts; a list that cannot be read is a warning, and novelty is off for this run."""
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
        said = f"Novelty enabled but history unavailable; disabling novelty for this run: {history.complaint}"
        _log.warning(said)
        run.warn(key, said)
    return history


async def _hints(run: Run[Any]) -> str:
    """Return the summary of the taste for the generator of cards. Raises `AbstractionError`."""
    profile = run.brief.profile
    if profile is None:
        return ""
    if not run.scoring.generator_profile_abstraction:
        return "\n".join((*(f"Likes {x}" for x in profile.liked), *(f"Dislikes {x}" for x in profile.disliked)))
    return await _usable(
        run, compose.abstraction(profile), "profile_abstraction", lambda text: check_hints(text, profile)
    )


async def _cards(run: Run[Any], hints: str) -> tuple[IdeaCard, ...]:
    """Raises `IdeaCardsError`."""
    medium = run.studio.medium or f"a {run.studio.name}"
    if isinstance(run.studio, PaintingStudio):
        medium = f"{medium}, {shape_of(run.resources.size)}"
    block = compose.cards(
        run.brief.concepts, hints, run.scoring.num_ideas, instruction=_instruction(run), medium=medium
    )
    return await _usable(run, block, "idea_cards_generate", lambda text: parse_idea_cards(text, run.scoring.num_ideas))


async def _usable(run: Run[Any], block: Block, step: str, read: Callable[[str], T], model: Model | None = None) -> T:
    """Return what `read` makes of the reply to a step.

    A reply that cannot be used stays in the record, and is passed over when the run is resumed. Another one is asked
    for as often as `prompt.scoring.retries` allows, anew in each resume.

    Raises:
        IdeaError: the last reply that is allowed cannot be used.
    """
    left = run.scoring.retries
    for number in count():
        path = f"{SCORING}/{step}" + (f"/retry-{number}" if number else "")
        recorded = run.journal.knows(path)
        text = await run.converse(block, path, model)
        try:
            with _attributed(path):
                return read(text)
        except IdeaError as error:
            if not recorded and not left:
                raise
            left -= not recorded
            run.warn(path, f"The reply to {path} cannot be used; asking again. {error}")
    raise AssertionError("the loop ends by returning or raising")


def _instruction(run: Run[Any]) -> str:
    """Return the instruction, where concepts do not say it already."""
    return "" if run.brief.concepts else run.brief.instruction


def _weigh(run: Run[Any], cards: Sequence[IdeaCard], history: _History) -> tuple[Weighed, NoveltyUsed]:
    """Return the repetition of recent prompts by each card, and its record."""
    if because := _off_because(run, history):
        return Weighed(), NoveltyUsed(enabled=False, off_because=because)
    asked = (*run.brief.concepts, run.brief.instruction)
    found = weighed(cards, history.prompts, asked, run.scoring.novelty)
    used = NoveltyUsed(
        enabled=True,
        prompts=len(history.prompts),
        motifs=found.motifs,
        summary=found.summary,
    )
    return found, used


def _off_because(run: Run[Any], history: _History) -> str:
    settings = run.scoring.novelty
    if not settings.enabled:
        return "prompt.scoring.novelty.enabled is false"
    if not settings.window:
        return "prompt.scoring.novelty.window is 0"
    if run.generations is None:
        return f"{run.studio.name} keeps no list of what it made; prompt.generations_path names one"
    return history.complaint


async def _judge(run: Run[Any], cards: tuple[IdeaCard, ...], recent: str) -> dict[str, dict[str, int]]:
    """Each judge's scores; several are asked at once. Raises `JudgeOutputError` or `SelectionError`."""
    ids = [card.id for card in cards]
    text = IdeaCards(ideas=cards).model_dump_json(indent=1)
    single = not run.scoring.judges
    judges = run.scoring.judges or (JudgeSettings(name=SOLE),)
    found: dict[str, dict[str, int]] = {}
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
            found[judge.name] = await _usable(
                run, block, step, lambda text: parse_scores(text, ids), run.judges.get(judge.name)
            )
        except RedraftError as error:  # it is the run's failure, but cancels no other judge: their replies are kept
            failed[judge.name] = error

    async with anyio.create_task_group() as group:
        for judge in judges:
            group.start_soon(one, judge)
    for judge in judges:
        if judge.name in failed:
            raise failed[judge.name]
    return {judge.name: found[judge.name] for judge in judges}


def _select(run: Run[Any], judged: Mapping[str, Mapping[str, int]], lost: Weighed) -> tuple[Selection, int]:
    """The choice, and the seed of its generator. Raises `SelectionError`."""
    settings = run.scoring
    scores: Mapping[str, float] = (
        aggregated(judged, settings.judges, settings.aggregate) if settings.judges else judged[SOLE]
    )
    seed = derive_seed(run.config.seed, f"{SCORING}/selection")
    with _attributed(f"{SCORING}/selection"):
        selection = select(
            scores,
            exploration_rate=settings.exploration_rate,
            rng=random.Random(seed),  # noqa: S311  a choice among ideas, not a secret
            penalties=lost.penalties,
        )
    return selection, seed


@contextmanager
def _attributed(step: str) -> Generator[None]:
    """Says of an `IdeaError` at which step it was found."""
    try:
        yield
    except IdeaError as error:
        error.step = step
        raise
