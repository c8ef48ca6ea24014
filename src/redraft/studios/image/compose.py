"""The inputs of the image studio's requests, and the conversation of a draft, which ends in a final prompt.

With scoring off it is the block `pipeline`, with it on `prompt_pipeline`, which starts from the chosen card. Both end
in the step `dalle_prompt_creation`.
"""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from redraft.ideas.profile import TasteProfile
from redraft.models.conversation import Block, ChatStep, Inputs, Outputs, Prompts
from redraft.studios.image.settings import own
from redraft.studios.image.spec import Painting
from redraft.studios.requests import DraftRequest, StudioRequest
from redraft.studios.wording import bounded, idea_of, shape_of

PROMPTS = Prompts("redraft.studios.image")
FINAL = "dalle_prompt"
"""Under which the final prompt is kept."""


def refined_stage(name: str, draft_step: ChatStep, tot_enclave: ChatStep | None) -> Block:
    """A draft, and the same after three readers have settled what to change; what is kept is under the stage's name."""
    if tot_enclave is None:
        return Block(name, (replace(draft_step, capture_key=name),))
    return Block(name, (draft_step, replace(tot_enclave, capture_key=name)))


def inputs(request: StudioRequest[Painting]) -> dict[str, JsonValue]:
    """Return the concepts, the taste, and the shape of the picture."""
    taste = request.brief.profile or TasteProfile()
    return {
        "concepts": [*request.brief.concepts],
        "loves": [*taste.loves],
        "likes": [*taste.likes],
        "dislikes": [*taste.dislikes],
        "hates": [*taste.hates],
        "disliked": [*taste.disliked],
        "shape": shape_of(request.size),
    }


def draft(request: DraftRequest[Painting]) -> Block:
    """Return the conversation of a draft."""
    refine = own(request.settings).refine
    idea = {"idea": idea_of(request.idea)}

    def step(name: str, kind: str, of: str = "") -> ChatStep:
        """A call; `of` is the step whose reply it goes on from."""

        def used(outputs: Outputs) -> Inputs:
            text = {"draft": bounded(outputs[of].strip())} if of else {}
            return PROMPTS.used({**inputs(request), **idea, **text}, "system", kind)

        return ChatStep(name, f"image.{kind}", PROMPTS, kind, used, system="system")

    def stage(name: str, first: ChatStep) -> Block:
        return refined_stage(name, first, step("tot_enclave", "enclave", "draft") if refine else None)

    def ending(of: str) -> ChatStep:
        return replace(step("dalle_prompt_creation", "prompt", of), capture_key=FINAL)

    if request.idea is not None:
        name = "final_prompt_from_selected_idea"
        return Block("prompt_pipeline", (stage(name, step("draft", "final")), ending(name)))
    stages = stage("idea", step("draft", "idea")), stage("composition", step("draft", "composition", "idea"))
    return Block("pipeline", (*stages, ending("composition")))
