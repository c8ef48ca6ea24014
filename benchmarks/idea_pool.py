"""Briefs, tastes, and one fixed pool of candidates for each: what every selector of `idea_selection.py` chooses from.

There are two pools: the cards as they were made, which keep nearly every fact, so that no selector has any alignment to
lose; and the same with a fact lost on purpose in two cards of six, before the judge sees them.

A candidate is an idea card, the judge's score, and the final prompt that the image studio writes from it. All of it
comes from the offline model, which is a set of rules: see there what that means for the figures. The judge is told
nothing of recent generations, since what is recent depends on the selector: novelty acts by its penalty in code alone.
"""

from __future__ import annotations

import asyncio
import csv
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from idea_facts import Fact, content_words, facts_of
from redraft.brief import Brief
from redraft.ideas import compose
from redraft.ideas.abstraction import check_hints
from redraft.ideas.cards import IdeaCard, IdeaCards, parse_idea_cards
from redraft.ideas.offline.answers import ANSWERS as IDEAS
from redraft.ideas.profile import TasteProfile
from redraft.ideas.scores import parse_scores
from redraft.models.conversation import Block, conversation
from redraft.models.offline import OfflineModel
from redraft.record.journal import derive_seed
from redraft.studios.image.offline.answers import ANSWERS as IMAGE
from redraft.studios.image.parse import parse
from redraft.studios.image.settings import ImageSettings
from redraft.studios.image.spec import Painting
from redraft.studios.image.studio import studio as image
from redraft.studios.requests import DraftRequest

NUM_IDEAS = 6
LENGTH = 20
"""Images in a session, made one after the other by one person."""
FAULTY = 2
"""Cards of six that lose a fact in the second pool."""
FROM_GENEVAL = 13
"""Of them; the rest are of PartiPrompts."""

PROFILES: dict[str, TasteProfile] = {
    "quiet": TasteProfile(
        loves=("misty mornings", "watercolour"),
        likes=("empty beaches", "pale blue and grey", "birch trees"),
        dislikes=("crowds", "neon"),
        hates=("horror",),
    ),
    "bold": TasteProfile(
        loves=("graphic posters",),
        likes=("strong red and black", "diagonals", "cut paper", "city streets at night"),
        dislikes=("pastel colours",),
        hates=("sentimentality",),
    ),
    "sunset": TasteProfile(
        loves=("sunsets", "golden hour"),
        likes=("lonely trees", "wide landscapes", "oil painting"),
        dislikes=("machines",),
    ),
    "curious": TasteProfile(
        likes=("old maps", "brass instruments", "ink drawings", "strange inventions", "museum light"),
        dislikes=("photorealism", "advertisements"),
        hates=("gore",),
    ),
    "playful": TasteProfile(
        loves=("picture books",),
        likes=("bright yellow", "round shapes", "animals in clothes", "gouache"),
        dislikes=("darkness", "violence"),
    ),
    "nobody": TasteProfile(dislikes=("violence",)),
}


@dataclass(frozen=True)
class Task:
    """One brief: its words, and what GenEval says that it states (nothing for PartiPrompts)."""

    words: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A card, what the judge gave it, and the final prompt that comes of it."""

    card: IdeaCard
    score: int
    text: str

    @property
    def idea(self) -> str:
        """All that the card says: what a selector can see."""
        return said(self.card)


@dataclass(frozen=True)
class Slot:
    """One image of a session."""

    task: Task
    seed: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Session:
    """One person, one image after the other."""

    profile: str
    slots: tuple[Slot, ...]


def said(card: IdeaCard) -> str:
    """Hook, narrative and options as one text."""
    return ". ".join((card.hook, card.narrative, *(entry for entries in card.options.values() for entry in entries)))


def geneval(lines: Sequence[str]) -> list[Task]:
    """GenEval's prompts without "a photo of": the medium is a choice of the cards."""
    cases = [json.loads(line) for line in lines if line.strip()]
    return [Task(case["prompt"].removeprefix("a photo of "), tuple(facts_of(case))) for case in cases]


def parti(lines: Sequence[str]) -> list[Task]:
    """PartiPrompts of ten words at most with two that mean something; none that ask for a style or for letters."""
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    left_out = {"Style & Format", "Writing & Symbols", "Linguistic Structures"}
    found = [" ".join(row["Prompt"].split()).rstrip(".") for row in rows if row["Challenge"] not in left_out]
    return [Task(text) for text in dict.fromkeys(found) if len(text.split()) <= 10 and len(content_words(text)) >= 2]


def pool(data: Path, sessions: int, seed: int) -> list[Session]:
    """So many sessions, the tastes in turn, no brief twice before all were used once."""
    facts = geneval((data / "geneval" / "prompts.sample.jsonl").read_text(encoding="utf-8").splitlines())
    free = parti((data / "prompts" / "parti.sample.tsv").read_text(encoding="utf-8").splitlines())
    rng = random.Random(seed)
    first, second = (
        _endless(facts, sessions * FROM_GENEVAL, rng),
        _endless(free, sessions * (LENGTH - FROM_GENEVAL), rng),
    )
    names = list(PROFILES)
    found: list[Session] = []
    for number in range(sessions):
        tasks = [*_part(first, number, FROM_GENEVAL), *_part(second, number, LENGTH - FROM_GENEVAL)]
        rng.shuffle(tasks)
        name = names[number % len(names)]
        found.append(asyncio.run(_session(name, tasks, derive_seed(seed, f"session-{number}"))))
    return found


def _endless(tasks: Sequence[Task], count: int, rng: random.Random) -> list[Task]:
    found: list[Task] = []
    while len(found) < count:
        found += rng.sample(tasks, len(tasks))
    return found[:count]


def _part(tasks: Sequence[Task], number: int, size: int) -> Sequence[Task]:
    return tasks[number * size : (number + 1) * size]


async def _session(name: str, tasks: Sequence[Task], seed: int) -> Session:
    model, profile = OfflineModel({**IDEAS, **IMAGE}), PROFILES[name]

    async def talk(block: Block, place: str) -> str:
        return await _last_words(block, model, place, seed)

    async def slot(number: int, task: Task) -> Slot:
        at = f"{number}"
        hints = check_hints(await talk(compose.abstraction(profile), f"{at}/abstraction"), profile)
        cards = parse_idea_cards(await talk(compose.cards((task.words,), hints, NUM_IDEAS), f"{at}/cards"), NUM_IDEAS)
        ids = [card.id for card in cards]
        asked = compose.judge((task.words,), profile, IdeaCards(ideas=cards).model_dump_json(indent=1), "", ids=ids)
        scores = parse_scores(await talk(asked, f"{at}/judge"), ids)
        brief = Brief.of("", concepts=(task.words,), profile=profile)
        candidates: list[Candidate] = []
        for card in cards:
            facts = DraftRequest[Painting](brief=brief, settings=ImageSettings(refine=False), idea=card)
            text = parse(await talk(image.compose(facts), f"{at}/{card.id}")).prompt
            candidates.append(Candidate(card, scores[card.id], text))
        return Slot(task, derive_seed(seed, at), tuple(candidates))

    return Session(name, tuple([await slot(number, task) for number, task in enumerate(tasks)]))


def with_faults(sessions: Sequence[Session]) -> list[Session]:
    """The same sessions with a stated fact lost in two cards of each GenEval brief that has one to lose."""
    return [asyncio.run(_faulty(session)) for session in sessions]


async def _faulty(session: Session) -> Session:
    slots = [await _forgetful(slot, PROFILES[session.profile]) for slot in session.slots]
    return Session(session.profile, tuple(slots))


async def _forgetful(slot: Slot, profile: TasteProfile) -> Slot:
    rng = random.Random(derive_seed(slot.seed, "faults"))
    ways = less(slot.task)
    if not ways:
        return slot
    hit = rng.sample(range(len(slot.candidates)), FAULTY)
    changed = [
        _changed(candidate, slot.task.words, rng.choice(ways)) if n in hit else candidate
        for n, candidate in enumerate(slot.candidates)
    ]
    scores = await _scores(slot, profile, [candidate.card for candidate in changed])
    return Slot(slot.task, slot.seed, tuple(Candidate(c.card, scores[c.card.id], c.text) for c in changed))


async def _scores(slot: Slot, profile: TasteProfile, cards: Sequence[IdeaCard]) -> dict[str, int]:
    """The judge once more, with the same seed."""
    ids = [card.id for card in cards]
    ideas = IdeaCards(ideas=tuple(cards)).model_dump_json(indent=1)
    block = compose.judge((slot.task.words,), profile, ideas, "", ids=ids)
    return parse_scores(await _last_words(block, OfflineModel(IDEAS), "judge", slot.seed), ids)


async def _last_words(block: Block, model: OfflineModel, place: str, seed: int) -> str:
    """The last reply to a block of requests."""
    requests = conversation(block, path=place, seed=lambda path: derive_seed(seed, path))
    request = next(requests)
    while True:
        reply = await model.ask(request)
        try:
            request = requests.send(reply)
        except StopIteration:
            return reply.text


def less(task: Task) -> list[str]:
    """The brief's words with one fact less, in every way there is."""
    found: list[str] = []
    for fact in task.facts:
        match fact.kind:
            case "count":
                found.append(" ".join(task.words.split()[1:]))
            case "color":
                found.append(task.words.replace(f"{fact.value} {fact.thing}", fact.thing))
            case "position":
                found.append(task.words.replace(f" {fact.value} ", " beside "))
            case "class":
                found += [task.words.split(" and ")[0]] if " and " in task.words else []
    return [words for words in dict.fromkeys(found) if words != task.words]


def _changed(candidate: Candidate, words: str, fewer: str) -> Candidate:
    """The card and its prompt, forgetful."""

    def told(text: str) -> str:
        return text.replace(words, fewer).replace(_capital(words), _capital(fewer))

    card = candidate.card
    options = {name: tuple(map(told, entries)) for name, entries in card.options.items()}
    update = {"hook": told(card.hook), "narrative": told(card.narrative), "options": options}
    return Candidate(card.model_copy(update=update), candidate.score, told(candidate.text))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
