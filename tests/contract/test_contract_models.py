"""The contract of models, kept by every kind that is built in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Answer, Server, chat

from redraft.models.base import Model, ModelSettings, Request, digest
from redraft.models.inbox import InboxModel
from redraft.models.network import ProviderModel
from redraft.models.offline import OfflineModel
from redraft.models.replay import Header, Recorded, ReplayModel, write_recording
from redraft.models.scripted import ScriptedModel
from redraft.result import Usage
from redraft.testing import ModelContract


def drew(request: Request) -> str:
    return f"drew: {request.inputs['instruction']}"


class TestOffline(ModelContract):
    @pytest.fixture
    def model(self, tmp_path: Path) -> Model:
        return OfflineModel({"sketch.draft": drew})


class TestScripted(ModelContract):
    @pytest.fixture
    def model(self, tmp_path: Path) -> Model:
        return ScriptedModel([drew] * 20)


class TestReplay(ModelContract):
    @pytest.fixture
    def model(self, tmp_path: Path) -> Model:
        header = Header(label="", answered_by="nobody", recorded_at="2026-01-01", redraft="0.1.0")
        lines = [
            Recorded(path=r.path, kind=r.kind, digest=digest(r), text=drew(r), model="nobody") for r in self.requests
        ]
        return ReplayModel.open(write_recording(tmp_path / "recording.jsonl", header, lines))


class TestInbox(ModelContract):
    usage = Usage(calls=1, cost=None)  # who answers may cost money

    @pytest.fixture
    def model(self, tmp_path: Path) -> Model:
        def answer(request: Path) -> None:
            asked = next(r for r in self.requests if f'path: "{r.path}"' in request.read_text())
            draft = request.with_suffix(".tmp")
            draft.write_text(drew(asked))
            draft.rename(request.with_name(request.name.replace("request", "reply")))

        return InboxModel(tmp_path / "mail", on_wait=answer)


class Echo(Server):
    """A server that answers every chat with what it was asked."""

    def act(self, received: object, handler: object) -> None:
        text = received.body["messages"][-1]["content"]  # type: ignore[reportAttributeAccessIssue]
        self._acts = [Answer(chat(f"drew: {text}"))] * (len(self.received) + 1)
        super().act(received, handler)  # type: ignore[reportArgumentType]


@pytest.mark.slow
class TestProvider(ModelContract):
    usage = Usage(calls=1, input_tokens=11, output_tokens=7, cost=None)  # a server without a known price

    @pytest.fixture
    def model(self, tmp_path: Path) -> Iterator[Model]:
        with Echo([Answer(chat("x"))]) as server:
            yield ProviderModel("openai-compatible:echo", ModelSettings(base_url=f"{server.url}/v1"))
