"""The prompts that choose an idea and write it out: to read, to compare, to use elsewhere.

A run renders the same templates from the same inputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from redraft.brief import Brief
from redraft.ideas import compose
from redraft.ideas.cards import IdeaCard, IdeaCards
from redraft.ideas.profile import TasteProfile
from redraft.models.conversation import Block, ChatStep
from redraft.studios import open_studio
from redraft.studios.requests import DraftRequest


def profile_abstraction_prompt(profile: TasteProfile) -> str:
    """Return the prompt for a summary of a taste profile that the generator of ideas may see."""
    return compose.PROMPTS.render("profile_abstraction", compose.abstraction_inputs(profile))


def idea_cards_generate_prompt(concepts: Sequence[str], generator_profile_hints: str, num_ideas: int) -> str:
    """Return the prompt for the idea cards."""
    inputs = compose.cards_inputs(concepts, generator_profile_hints, num_ideas, instruction="", medium="an image")
    return compose.PROMPTS.render("idea_cards_generate", inputs)


def idea_cards_judge_prompt(
    concepts: Sequence[str], raw_profile: TasteProfile, idea_cards_json: str, recent_summary: str = ""
) -> str:
    """Return the prompt for the scores. Raises `ValidationError` for text that is not cards."""
    ids = [card.id for card in IdeaCards.model_validate_json(idea_cards_json).ideas]
    inputs = compose.judge_inputs(
        concepts, raw_profile, idea_cards_json, recent_summary, ids=ids, instruction="", rubric="default"
    )
    return compose.PROMPTS.render("idea_cards_judge", inputs)


def final_prompt_from_selected_idea_prompt(
    concepts: Sequence[str], raw_profile: TasteProfile, selected_idea_card: IdeaCard
) -> str:
    """Return the prompt that writes the chosen card out as an image prompt."""
    brief = Brief.of("", concepts=concepts, profile=raw_profile)
    step: Block | ChatStep = open_studio("image").compose(DraftRequest(brief=brief, idea=selected_idea_card))
    while isinstance(step, Block):  # the first request of the draft
        step = step.nodes[0]
    return step.prompts.render(step.template, step.inputs({}) if callable(step.inputs) else step.inputs)
