"""The requests of the image studio: the conversation that ends in a final prompt, and what mends a prompt.

With scoring off it is the block `pipeline`, with it on `prompt_pipeline`, which starts from the chosen card. Both end
in the step `dalle_prompt_creation`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Outputs, Prompts
from redraft.scoring.profile import TasteProfile
from redraft.studios.base import Facts, Kind
from redraft.studios.image.spec import Painting, own
from redraft.studios.wording import asked_of, bounded, findings_of, idea_of, shape_of

__all__ = ["FINAL", "PROMPTS", "compose", "final_inputs", "refined_stage"]

PROMPTS = Prompts("redraft.studios.image")
FINAL = "dalle_prompt"
"""Under which the final prompt is kept."""


def compose(kind: Kind, facts: Facts[Painting]) -> Block:
    """The conversation of a draft, or the one request of an edit, a repair or a fix."""
    match kind:
        case "draft":
            return _draft(facts)
        case "edit":
            inputs: Inputs = {
                "prompt": _prompt(facts),
                "instruction": facts.brief.instruction,
                "idea": idea_of(facts.idea),
                "findings": findings_of(facts.report),
                "history": facts.history,
                **_asked(facts),
            }
            return Block(kind, (_step("edit", "edit", "edit", inputs),))
        case "repair":
            inputs = {
                "prompt": _prompt(facts),
                "findings": findings_of(facts.report),
                "questions": asked_of(facts.report),
                **_wanted(facts),
            }
            return Block(kind, (_step("repair", "repair", "repair", inputs),))
        case "fix":
            assert facts.failure is not None, "a fix has a failure"
            inputs = {"reply": bounded(facts.reply), "error": facts.failure.message, **_wanted(facts)}
            return Block(kind, (_step("fix", "fix", "fix_format", inputs),))
        case "critique":
            raise AssertionError("pictures are not judged by a model; see `Unjudged`")


def refined_stage(name: str, draft_step: ChatStep, tot_enclave: ChatStep | None) -> Block:
    """A draft, and the same after three readers have settled what to change; what is kept is under the stage's name."""
    if tot_enclave is None:
        return Block(name, (replace(draft_step, capture_key=name),))
    return Block(name, (draft_step, replace(tot_enclave, capture_key=name)))


def _draft(facts: Facts[Painting]) -> Block:
    refine = own(facts.settings).refine
    if facts.idea is not None:
        name = "final_prompt_from_selected_idea"
        draft = _step("draft", "final", "final", final_inputs(facts))
        final = refined_stage(name, draft, _enclave(facts, "draft", refine=refine))
        return Block("prompt_pipeline", (final, _last(facts, name)))
    idea = _step("draft", "idea", "idea", _asked(facts))
    seen = _step("draft", "composition", "composition", lambda outputs: _seen(facts, outputs["idea"]))
    stages = (
        refined_stage("idea", idea, _enclave(facts, "draft", refine=refine)),
        refined_stage("composition", seen, _enclave(facts, "draft", refine=refine)),
    )
    return Block("pipeline", (*stages, _last(facts, "composition")))


def final_inputs(facts: Facts[Painting]) -> Inputs:
    """What the prose of `final_prompt_from_selected_idea` is made from."""
    return {"idea": idea_of(facts.idea), "shape": shape_of(facts.size), **_asked(facts)}


def _enclave(facts: Facts[Painting], of: str, *, refine: bool) -> ChatStep | None:
    if not refine:
        return None
    return _step("tot_enclave", "enclave", "enclave", lambda outputs: _about(facts, outputs[of]))


def _last(facts: Facts[Painting], of: str) -> ChatStep:
    def inputs(outputs: Outputs) -> Inputs:
        return {**_about(facts, outputs[of]), "disliked": [*_taste(facts).disliked]}

    return replace(_step("dalle_prompt_creation", "prompt", "prompt", inputs), capture_key=FINAL)


def _about(facts: Facts[Painting], draft: str) -> Inputs:
    return {"draft": bounded(draft.strip()), "concepts": _concepts(facts)}


def _seen(facts: Facts[Painting], draft: str) -> Inputs:
    return {**_about(facts, draft), "shape": shape_of(facts.size)}


def _asked(facts: Facts[Painting]) -> Inputs:
    taste = _taste(facts)
    return {
        "concepts": _concepts(facts),
        "loves": [*taste.loves],
        "likes": [*taste.likes],
        "dislikes": [*taste.dislikes],
        "hates": [*taste.hates],
    }


def _wanted(facts: Facts[Painting]) -> dict[str, JsonValue]:
    """What was asked for: the concepts, or what an earlier picture is to be changed to."""
    return {"concepts": _concepts(facts), "instruction": facts.brief.instruction}


def _concepts(facts: Facts[Painting]) -> list[JsonValue]:
    return list(facts.brief.concepts)


def _taste(facts: Facts[Painting]) -> TasteProfile:
    return facts.brief.profile or TasteProfile()


def _prompt(facts: Facts[Painting]) -> str:
    assert facts.current is not None, "edits and repairs have a prompt to work on"
    return facts.current.prompt


def _step(name: str, kind: str, template: str, inputs: Inputs | Callable[[Outputs], Inputs]) -> ChatStep:
    return ChatStep(name=name, kind=f"image.{kind}", prompts=PROMPTS, template=template, system="system", inputs=inputs)
