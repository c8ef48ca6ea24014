"""The three requests of `blackbox_scoring`: a summary of the taste, the cards, the scores.

Each starts a conversation of its own, so that no step sees another's messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count, islice, product
from string import ascii_uppercase

from pydantic import BaseModel

from redraft.ideas.abstraction import forbidden_terms
from redraft.ideas.cards import IdeaCards
from redraft.ideas.profile import TasteProfile
from redraft.ideas.scores import Scores
from redraft.ideas.settings import Rubric
from redraft.models.conversation import Block, ChatStep, Inputs, Prompts

PROMPTS = Prompts("redraft.ideas")
BLOCK = "blackbox_scoring"
HINTS, CARDS, SCORES = "generator_profile_hints", "idea_cards_json", "idea_scores_json"
"""Under which the replies are kept."""
JUDGE = "idea_cards_judge_score"


def ids_of(num_ideas: int) -> tuple[str, ...]:
    """`A`, `B` … `Z`, `AA`, `AB` …"""
    letters = chain.from_iterable(product(ascii_uppercase, repeat=size) for size in count(1))
    return tuple("".join(of) for of in islice(letters, num_ideas))


def abstraction(profile: TasteProfile) -> Block:
    """The step `profile_abstraction`."""
    inputs = abstraction_inputs(profile)
    return _alone(_step("profile_abstraction", "abstraction", "profile_abstraction", inputs, HINTS))


def cards(
    concepts: Sequence[str], hints: str, num_ideas: int, *, instruction: str = "", medium: str = "an image"
) -> Block:
    """The step `idea_cards_generate`: concepts or an instruction, and what may be known of the taste."""
    inputs = cards_inputs(concepts, hints, num_ideas, instruction=instruction, medium=medium)
    return _alone(_step("idea_cards_generate", "cards", "idea_cards_generate", inputs, CARDS, IdeaCards))


def judge(
    concepts: Sequence[str],
    profile: TasteProfile,
    cards_json: str,
    recent: str,
    *,
    ids: Sequence[str],
    instruction: str = "",
    rubric: Rubric = "default",
    name: str = "",
    temperature: float = 0.0,
) -> Block:
    """The step `idea_cards_judge_score`, or that of one of several judges below it, by `name`."""
    inputs = judge_inputs(concepts, profile, cards_json, recent, ids=ids, instruction=instruction, rubric=rubric)
    return _alone(_step(name or JUDGE, "judge", "idea_cards_judge", inputs, SCORES, Scores, temperature))


def abstraction_inputs(profile: TasteProfile) -> Inputs:
    """Return the inputs of the request `profile_abstraction`."""
    return {**_taste(profile), "forbidden": list(forbidden_terms(profile))}


def cards_inputs(concepts: Sequence[str], hints: str, num_ideas: int, *, instruction: str, medium: str) -> Inputs:
    """Return the inputs of the request `idea_cards_generate`."""
    return {
        "concepts": list(concepts),
        "instruction": instruction,
        "medium": medium,
        "hints": hints,
        "num_ideas": num_ideas,
        "ids": list(ids_of(num_ideas)),
    }


def judge_inputs(
    concepts: Sequence[str],
    profile: TasteProfile,
    cards_json: str,
    recent: str,
    *,
    ids: Sequence[str],
    instruction: str,
    rubric: Rubric,
) -> Inputs:
    """Return the inputs of the request `idea_cards_judge_score`."""
    return {
        "concepts": list(concepts),
        "instruction": instruction,
        **_taste(profile),
        "cards": cards_json,
        "recent": recent,
        "rubric": rubric,
        "ids": list(ids),
    }


def _taste(profile: TasteProfile) -> Inputs:
    return {name: list(getattr(profile, name)) for name in ("loves", "likes", "dislikes", "hates")}


def _step(
    name: str,
    kind: str,
    template: str,
    inputs: Inputs,
    capture_key: str,
    schema: type[BaseModel] | None = None,
    temperature: float | None = None,
) -> ChatStep:
    return ChatStep(
        name=name,
        kind=f"ideas.{kind}",
        prompts=PROMPTS,
        template=template,
        system=f"system_{kind}",
        inputs=inputs,
        schema=schema,
        temperature=temperature,
        merge="none",
        capture_key=capture_key,
    )


def _alone(step: ChatStep) -> Block:
    return Block(BLOCK, (step,), merge="none")
