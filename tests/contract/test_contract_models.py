"""What every model keeps, whoever made it. A third party's model passes when it is added to `MODELS`.

A model answers a request; a second request does not depend on the first; cancelling is honoured and leaves the model
usable; usage is never invented; what it says of itself is short, honest and constant.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import anyio
import pytest
from asking import make_request
from loopback import Answer, Server, chat

from redraft.models.base import Model, ModelInfo, ModelSettings, Reply, Request, digest
from redraft.models.inbox import InboxModel
from redraft.models.offline import OfflineModel
from redraft.models.providers import ProviderModel
from redraft.models.replay import Header, Recorded, ReplayModel, write_recording
from redraft.models.scripted import ScriptedModel

pytestmark = pytest.mark.anyio

REQUESTS = [make_request(f"Draw {n} cats.", path=f"iteration-1/candidate-{n}/draft", seed=n) for n in range(3)]

Opened = contextlib.AbstractContextManager[Model]


def drew(request: Request) -> str:
    return f"drew: {request.inputs['instruction']}"


@contextlib.contextmanager
def offline(folder: Path) -> Generator[Model]:
    yield OfflineModel({"sketch.draft": drew})


@contextlib.contextmanager
def scripted(folder: Path) -> Generator[Model]:
    yield ScriptedModel([drew] * 20)


@contextlib.contextmanager
def replay(folder: Path) -> Generator[Model]:
    header = Header(label="", answered_by="nobody", recorded_at="2026-01-01", redraft="0.1.0")
    lines = [Recorded(path=r.path, kind=r.kind, digest=digest(r), text=drew(r), model="nobody") for r in REQUESTS]
    yield ReplayModel.open(write_recording(folder / "recording.jsonl", header, lines))


@contextlib.contextmanager
def inbox(folder: Path) -> Generator[Model]:
    def answer(request: Path) -> None:
        asked = next(r for r in REQUESTS if f'path: "{r.path}"' in request.read_text())
        draft = request.with_suffix(".tmp")
        draft.write_text(drew(asked))
        draft.rename(request.with_name(request.name.replace("request", "reply")))

    yield InboxModel(folder / "mail", on_wait=answer)


@contextlib.contextmanager
def provider(folder: Path) -> Generator[Model]:
    class Echo(Server):
        def act(self, received: object, handler: object) -> None:
            text = received.body["messages"][-1]["content"]  # type: ignore[reportAttributeAccessIssue]
            self._acts = [Answer(chat(f"drew: {text}"))] * (len(self.received) + 1)
            super().act(received, handler)  # type: ignore[reportArgumentType]

    with Echo([Answer(chat("x"))]) as server:
        yield ProviderModel("openai-compatible:echo", ModelSettings(base_url=f"{server.url}/v1"))


MODELS: dict[str, Callable[[Path], Opened]] = {
    "offline": offline,
    "scripted": scripted,
    "replay": replay,
    "inbox": inbox,
    "provider": provider,
}


@pytest.fixture(params=[pytest.param(n, marks=pytest.mark.slow) if n == "provider" else n for n in sorted(MODELS)])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Model]:
    with MODELS[request.param](tmp_path) as opened:
        yield opened


async def test_it_is_a_model(model: Model) -> None:
    assert isinstance(model, Model)
    assert isinstance(model.info, ModelInfo)


async def test_it_answers(model: Model) -> None:
    reply = await model.ask(REQUESTS[0])
    assert isinstance(reply, Reply)
    assert reply.text == "drew: Draw 0 cats."
    assert reply.model


async def test_replies_survive_the_record(model: Model) -> None:
    reply = await model.ask(REQUESTS[0])
    assert Reply.model_validate_json(reply.model_dump_json()) == reply


async def test_a_reply_depends_on_its_request_alone(model: Model) -> None:
    texts = [(await model.ask(REQUESTS[n])).text for n in (0, 1, 0, 2)]
    assert texts == [f"drew: Draw {n} cats." for n in (0, 1, 0, 2)]


async def test_requests_at_once_do_not_mix(model: Model) -> None:
    replies: dict[str, str] = {}

    async def one(request: Request) -> None:
        replies[request.path] = (await model.ask(request)).text

    async with anyio.create_task_group() as group:
        for request in REQUESTS:
            group.start_soon(one, request)
    assert replies == {r.path: drew(r) for r in REQUESTS}


async def test_cancelling_is_honoured_and_leaves_the_model_usable(model: Model) -> None:
    with anyio.CancelScope() as scope:
        scope.cancel()
        await model.ask(REQUESTS[0])
    assert scope.cancelled_caught
    assert (await model.ask(REQUESTS[1])).text == "drew: Draw 1 cats."


async def test_usage_is_counted_and_never_invented(model: Model) -> None:
    usage = (await model.ask(REQUESTS[0])).usage
    assert usage.calls == 1
    on_a_network = isinstance(model, ProviderModel)
    assert (usage.input_tokens, usage.output_tokens) == ((11, 7) if on_a_network else (0, 0))
    # Nothing is free unless it is known to be: who answers an inbox, or a server without a price, may cost money.
    assert (usage.cost is None) == isinstance(model, ProviderModel | InboxModel)


async def test_what_it_says_of_itself_is_constant_and_holds_no_place_on_this_machine(
    model: Model, tmp_path: Path
) -> None:
    before = model.info
    reply = await model.ask(REQUESTS[0])
    assert model.info == before
    assert before.name
    assert before.label
    assert "\n" not in before.label
    assert str(tmp_path) not in before.model_dump_json() + reply.model_dump_json()
