"""Steps, blocks, merge rules, and prose that is rendered from the inputs alone."""

from pathlib import Path

import jinja2
import pytest

from redraft.models.conversation import Block, ChatStep, Inputs, Merge, Outputs, Prompts, conversation, request_of
from redraft.models.scripted import ScriptedModel

pytestmark = pytest.mark.anyio


@pytest.fixture
def prompts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prompts:
    """A package of prompts, importable for one test."""
    folder = tmp_path / "talk_prompts"
    (folder / "prompts").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "prompts" / "say.md.j2").write_text("Say {{ word }}.")
    (folder / "prompts" / "system.md.j2").write_text("You are terse.")
    (folder / "prompts" / "both.md.j2").write_text("{% if word %}{{ word }}{% endif %} and {{ other }}")
    monkeypatch.syspath_prepend(tmp_path)  # pyright: ignore[reportUnknownMemberType]
    return Prompts("talk_prompts")


def step(prompts: Prompts, name: str, *, system: str | None = None) -> ChatStep:
    return ChatStep(name, "toy.say", prompts, "say", {"word": name}, system=system)


def flat_seed(path: str) -> int:
    return len(path)


async def talk(block: Block, replies: list[str]) -> tuple[ScriptedModel, Outputs]:
    model = ScriptedModel(replies)
    outputs: Outputs = {}
    requests = conversation(block, path="run", seed=flat_seed, outputs=outputs)
    request = next(requests, None)
    while request is not None:
        try:
            request = requests.send(await model.ask(request))
        except StopIteration:
            break
    return model, outputs


def seen(model: ScriptedModel, number: int) -> list[str]:
    return [message.text.strip() for message in model.requests[number].messages]


async def test_one_step_keeps_the_path_and_the_reply(prompts: Prompts) -> None:
    model, outputs = await talk(Block("b", (step(prompts, "one", system="system"),)), ["1"])
    assert model.requests[0].path == "run"
    assert [m.role for m in model.requests[0].messages] == ["system", "user"]
    assert outputs == {"one": "1"}


@pytest.mark.parametrize(
    ("merge", "later"),
    [
        ("all_messages", ["Say one.", "1", "Say two.", "2", "Say three."]),
        ("last_response", ["2", "Say three."]),
        ("none", ["Say three."]),
    ],
)
async def test_what_a_block_hands_on(prompts: Prompts, merge: Merge, later: list[str]) -> None:
    inner = Block("inner", (step(prompts, "one"), step(prompts, "two")), merge=merge)
    model, outputs = await talk(Block("outer", (inner, step(prompts, "three"))), ["1", "2", "3"])
    assert seen(model, 1) == ["Say one.", "1", "Say two."]
    assert seen(model, 2) == later
    assert outputs == {"one": "1", "two": "2", "three": "3"}
    assert [r.path for r in model.requests] == ["run/inner/one", "run/inner/two", "run/three"]


async def test_inputs_may_come_from_earlier_outputs(prompts: Prompts) -> None:
    def from_first(outputs: Outputs) -> Inputs:
        return {"word": outputs["first"].upper()}

    first = ChatStep("a", "toy.say", prompts, "say", {"word": "x"}, capture_key="first")
    second = ChatStep("b", "toy.say", prompts, "say", from_first)
    model, _ = await talk(Block("outer", (Block("i", (first,), merge="none"), second)), ["hello", "bye"])
    assert seen(model, 1) == ["Say HELLO."]


def test_an_input_that_no_template_uses_is_an_error(prompts: Prompts) -> None:
    idle = ChatStep("a", "toy.say", prompts, "say", {"word": "x", "secret": 1})
    with pytest.raises(ValueError, match=r"toy\.say: inputs that no template uses: secret"):
        request_of(idle, {}, "p", 0)


def test_a_name_without_an_input_is_an_error(prompts: Prompts) -> None:
    with pytest.raises(jinja2.UndefinedError, match="other"):
        request_of(ChatStep("a", "toy.say", prompts, "both", {"word": "x"}), {}, "p", 0)


def test_model_text_is_never_a_template(prompts: Prompts) -> None:
    hostile = ChatStep("a", "toy.say", prompts, "say", {"word": "{{ 7 * 7 }}{% raw %}"})
    assert request_of(hostile, {}, "p", 0).messages[-1].text == "Say {{ 7 * 7 }}{% raw %}.\n"


def test_the_digest_follows_the_text(prompts: Prompts) -> None:
    assert prompts.digest("say") != prompts.digest("system")
    assert len(prompts.digest("say", "system")) == 12
