"""The requests of the image studio: the conversation that ends in a final prompt, and the repair of a prompt.

With scoring off it is the block `pipeline`, with it on `prompt_pipeline`, which starts from the chosen card. Both end
in the step `dalle_prompt_creation`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Outputs, Prompts
from redraft.scoring.profile import TasteProfile
from redraft.studios.image.settings import own
from redraft.studios.image.spec import Painting
from redraft.studios.requests import DraftRequest, EditRequest, FixRequest, RepairRequest, StudioRequest
from redraft.studios.wording import bounded, findings_of, idea_of, shape_of

__all__ = ["FINAL", "PROMPTS", "compose", "final_inputs", "refined_stage"]

PROMPTS = Prompts("redraft.studios.image")
FINAL = "dalle_prompt"
"""Under which the final prompt is kept."""


def compose(request: StudioRequest[Painting]) -> Block:
    """Return the conversation of a draft, or the one request of an edit, a repair or a fix."""
    match request:
        case FixRequest():
            inputs: Inputs = {"reply": bounded(request.reply), "error": request.failure.message, **_wanted(request)}
            return Block("fix", (_step("fix", "fix", "fix_format", inputs),))
        case EditRequest():
            inputs = {
                "prompt": _prompt(request),
                "instruction": request.brief.instruction,
                "idea": idea_of(request.idea),
                "findings": findings_of(request.report),
                "history": request.history,
                **_asked(request),
            }
            return Block("edit", (_step("edit", "edit", "edit", inputs),))
        case RepairRequest():
            inputs = {
                "prompt": _prompt(request),
                "findings": findings_of(request.report, notes=True),
                **_wanted(request),
            }
            return Block("repair", (_step("repair", "repair", "repair", inputs),))
        case DraftRequest():
            return _draft(request)
        case _:
            raise AssertionError("no critic looks at pictures; see `judged`")


def refined_stage(name: str, draft_step: ChatStep, tot_enclave: ChatStep | None) -> Block:
    """A draft, and the same after three readers have settled what to change; what is kept is under the stage's name."""
    if tot_enclave is None:
        return Block(name, (replace(draft_step, capture_key=name),))
    return Block(name, (draft_step, replace(tot_enclave, capture_key=name)))


def _draft(request: DraftRequest[Painting]) -> Block:
    refine = own(request.settings).refine
    if request.idea is not None:
        name = "final_prompt_from_selected_idea"
        draft = _step("draft", "final", "final", final_inputs(request))
        final = refined_stage(name, draft, _enclave(request, "draft", refine=refine))
        return Block("prompt_pipeline", (final, _last(request, name)))
    idea = _step("draft", "idea", "idea", _asked(request))
    seen = _step("draft", "composition", "composition", lambda outputs: _seen(request, outputs["idea"]))
    stages = (
        refined_stage("idea", idea, _enclave(request, "draft", refine=refine)),
        refined_stage("composition", seen, _enclave(request, "draft", refine=refine)),
    )
    return Block("pipeline", (*stages, _last(request, "composition")))


def final_inputs(request: DraftRequest[Painting]) -> Inputs:
    """What the prose of `final_prompt_from_selected_idea` is made from."""
    return {"idea": idea_of(request.idea), "shape": shape_of(request.size), **_asked(request)}


def _enclave(request: StudioRequest[Painting], of: str, *, refine: bool) -> ChatStep | None:
    if not refine:
        return None
    return _step("tot_enclave", "enclave", "enclave", lambda outputs: _about(request, outputs[of]))


def _last(request: StudioRequest[Painting], of: str) -> ChatStep:
    def inputs(outputs: Outputs) -> Inputs:
        return {**_about(request, outputs[of]), "disliked": [*_taste(request).disliked]}

    return replace(_step("dalle_prompt_creation", "prompt", "prompt", inputs), capture_key=FINAL)


def _about(request: StudioRequest[Painting], draft: str) -> Inputs:
    return {"draft": bounded(draft.strip()), "concepts": _concepts(request)}


def _seen(request: StudioRequest[Painting], draft: str) -> Inputs:
    return {**_about(request, draft), "shape": shape_of(request.size)}


def _asked(request: StudioRequest[Painting]) -> Inputs:
    taste = _taste(request)
    return {
        "concepts": _concepts(request),
        "loves": [*taste.loves],
        "likes": [*taste.likes],
        "dislikes": [*taste.dislikes],
        "hates": [*taste.hates],
    }


def _wanted(request: StudioRequest[Painting]) -> dict[str, JsonValue]:
    """What was asked for: the concepts, or what an earlier picture is to be changed to."""
    return {"concepts": _concepts(request), "instruction": request.brief.instruction}


def _concepts(request: StudioRequest[Painting]) -> list[JsonValue]:
    return list(request.brief.concepts)


def _taste(request: StudioRequest[Painting]) -> TasteProfile:
    return request.brief.profile or TasteProfile()


def _prompt(request: StudioRequest[Painting]) -> str:
    assert request.current is not None, "edits and repairs have a prompt to work on"
    return request.current.prompt


def _step(name: str, kind: str, template: str, inputs: Inputs | Callable[[Outputs], Inputs]) -> ChatStep:
    return ChatStep(name=name, kind=f"image.{kind}", prompts=PROMPTS, template=template, system="system", inputs=inputs)
