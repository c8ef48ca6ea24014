"""A reference is sorted before anything is drafted: once, in a step of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue
from toy import ToyStudio, run_for

from redraft.brief import Brief
from redraft.config import LoopSettings
from redraft.loop.budget import plan_cost
from redraft.loop.keep import Progress
from redraft.loop.turns import run_loop
from redraft.models.conversation import Block, ChatStep, Prompts
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Event, Noted, Warned
from redraft.result import Failure
from redraft.studios.kinds import ReferenceStudio
from redraft.studios.requests import StudioRequest

pytestmark = pytest.mark.anyio

SORTED = '{"reuse": ["its counting"], "change": [], "bridge": ["a second number: add it"]}'


class ReadingStudio(ToyStudio, ReferenceStudio[Any, Any]):
    def __init__(self) -> None:
        super().__init__()
        self.discoveries: list[str] = []

    def discover(self, brief: Brief, reply: str, failure: Failure | None) -> Block:
        inputs: dict[str, JsonValue] = {
            "instruction": brief.instruction, "current": "", "history": "", "issues": [], "critique": "",
            "of": "", "reply": reply, "error": "" if failure is None else failure.message,
        }  # fmt: skip
        return Block("discover", (ChatStep("discover", "toy.discover", Prompts("toy_prompts"), "any", inputs),))

    def compose(self, request: StudioRequest[Any]) -> Block:
        self.discoveries.append(getattr(request, "discovery", ""))
        return super().compose(request)


async def run(
    folder: Path, replies: list[str], loop: dict[str, Any] | None = None
) -> tuple[ReadingStudio, ScriptedModel, list[Event]]:
    events: list[Event] = []
    studio, model = ReadingStudio(), ScriptedModel(replies)
    desk = run_for(folder, model, studio=studio, loop=loop, observer=events.append)
    desk.brief = Brief.of("at least 3", reference=folder / "notes")
    await run_loop(desk, Progress())
    desk.journal.__exit__()
    return studio, model, events


async def test_it_is_a_step_of_its_own_and_every_later_request_has_it(tmp_path: Path) -> None:
    studio, model, events = await run(tmp_path, [SORTED, "1", "2", "3"], {"repairs": 0, "iterations": 3})
    assert [request.path for request in model.requests][:2] == ["discover", "iteration-1/draft"]
    wanted = "REUSE:\n- its counting\nBRIDGE:\n- a second number: add it"
    assert studio.discoveries == [wanted] * 3
    (note,) = [event for event in events if isinstance(event, Noted)]
    assert note.topic == "discovery"
    assert note.data == {"reuse": ["its counting"], "change": [], "bridge": ["a second number: add it"]}


async def test_a_reply_that_is_none_is_asked_for_again(tmp_path: Path) -> None:
    studio, model, _ = await run(tmp_path, ["I like it", SORTED, "3"])
    assert [request.path for request in model.requests][:2] == ["discover", "discover/fix-1"]
    assert "I like it" in model.requests[1].messages[-1].text
    assert studio.discoveries[0].startswith("REUSE")


async def test_without_an_answer_the_run_goes_on_and_says_so(tmp_path: Path) -> None:
    studio, _, events = await run(tmp_path, ["no"] * 2 + ["3"], {"fixes": 1})
    assert studio.discoveries == [""]
    assert any("it is not used" in event.message for event in events if isinstance(event, Warned))


def test_the_seam_and_its_cost() -> None:
    loop = LoopSettings(fixes=2)
    assert plan_cost(loop, critic=False, discovers=True) - plan_cost(loop, critic=False) == 3
