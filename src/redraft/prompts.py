"""The prompts that choose an idea, write it out, and repair a drawing: to read, to compare, to use elsewhere.

A run renders the same templates from the same inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redraft.brief import Brief
from redraft.ideas import compose
from redraft.ideas.cards import IdeaCard, IdeaCards
from redraft.ideas.profile import TasteProfile
from redraft.models.conversation import ChatStep
from redraft.result import Report
from redraft.studios.image import compose as image
from redraft.studios.image.spec import Painting
from redraft.studios.requests import DraftRequest, RepairRequest
from redraft.studios.sketch.parse import drawing_from
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.studio import studio as sketch


def build_repair_prompt(
    instruction: str, drawing: Drawing | Mapping[str, Any] | Sequence[Mapping[str, Any]], report: Report
) -> str:
    """Return the prompt for corrected coordinates of a drawing: the instruction, the drawing, and its issues.

    The report of a strict `SemanticValidator` gives the specification's prompt, which keeps the plan.

    Args:
        instruction: the instruction for the drawing.
        drawing: a `Drawing`, or data as `SemanticValidator.validate` takes it.
        report: the report of `SemanticValidator.validate`.

    Raises:
        FormatError: the data is not a drawing.
    """
    request = RepairRequest[Drawing](
        brief=Brief.of(instruction),
        current=drawing_from(drawing),
        report=report,
        strict=report.heuristics == "strict",
    )
    (step,) = sketch.compose(request).nodes
    assert isinstance(step, ChatStep)
    assert not callable(step.inputs)
    return step.prompts.render(step.template, step.inputs)


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
    return image.final_prompt(DraftRequest[Painting](brief=brief, idea=selected_idea_card))
