"""The two models that need nothing: rules, and a script."""

from __future__ import annotations

import pytest
from asking import make_request

from redraft.errors import ModelRefusedError, ScriptExhaustedError
from redraft.models.base import Reply, Request
from redraft.models.offline import OfflineModel
from redraft.models.scripted import ScriptedModel
from redraft.result import Usage

pytestmark = pytest.mark.anyio


async def test_offline_answers_by_kind_from_the_inputs() -> None:
    model = OfflineModel({"sketch.draft": lambda r: f"drew {r.inputs['instruction']}", "sketch.edit": lambda _: "no"})
    reply = await model.ask(make_request("Draw a cat."))
    assert reply.text == "drew Draw a cat."
    assert (reply.model, reply.usage) == ("offline", Usage(calls=1))


def test_offline_says_what_it_is_and_is_not() -> None:
    info = OfflineModel({}).info
    assert not info.sees
    assert "rule-based" in info.label
    assert "not a language model" in info.label


async def test_offline_names_the_kinds_it_knows() -> None:
    model = OfflineModel({"sketch.edit": lambda _: "", "sketch.draft": lambda _: ""})
    with pytest.raises(ModelRefusedError, match=r"'scene.draft' requests .*answers: sketch\.draft, sketch\.edit"):
        await model.ask(make_request(kind="scene.draft"))


async def test_script_gives_texts_replies_functions_and_errors_in_order() -> None:
    whole = Reply(text="whole", model="m", usage=Usage(calls=1, input_tokens=3))
    model = ScriptedModel(["text", whole, lambda r: r.path, lambda _: whole, ModelRefusedError("no")])
    assert [(await model.ask(make_request())).text for _ in range(4)] == [
        "text",
        "whole",
        "iteration-1/draft",
        "whole",
    ]
    with pytest.raises(ModelRefusedError, match="no"):
        await model.ask(make_request())


async def test_script_records_every_request() -> None:
    model = ScriptedModel(["a"])
    asked: list[Request] = [make_request("one"), make_request("two")]
    await model.ask(asked[0])
    with pytest.raises(ScriptExhaustedError):
        await model.ask(asked[1])
    assert model.requests == asked


async def test_exhausted_script_says_how_long_it_was_and_where_it_was_asked() -> None:
    model = ScriptedModel(["a", "b"])
    for _ in range(2):
        await model.ask(make_request())
    with pytest.raises(ScriptExhaustedError, match=r"2 replies.*request 3.*'sketch.repair' at iteration-1/repair-2"):
        await model.ask(make_request(kind="sketch.repair", path="iteration-1/repair-2"))
