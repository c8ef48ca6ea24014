"""Providers on a real wire: three protocols, each with every way in which a request fails on its way."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anyio
import pytest
from asking import PNG, SCHEMA, make_request
from loopback import Act, Answer, Body, Drop, EndEarly, Hang, Server, Truncate, anthropic, chat, failure, responses

from redraft.errors import ModelRefusedError, ModelUnavailableError
from redraft.models.base import Message, ModelSettings, Request
from redraft.models.network import ProviderModel

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

KEY = "sk-test-0123456789abcdef"


@dataclass(frozen=True)
class Protocol:
    """One way of speaking to a model."""

    spec: str
    prefix: str
    where: str
    say: Callable[[str], Body]


CHAT = Protocol("openai-chat:gpt-4o", "/v1", "/v1/chat/completions", chat)
RESPONSES = Protocol("openai:gpt-5", "/v1", "/v1/responses", responses)
ANTHROPIC = Protocol("anthropic:claude-haiku-4-5", "", "/v1/messages", anthropic)
every_protocol = pytest.mark.parametrize("protocol", [CHAT, RESPONSES, ANTHROPIC], ids=lambda p: p.spec)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)


class Pauses:
    """Stands in for sleep, and keeps what was asked for."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.lines: list[str] = []

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)

    def notify(self, line: str) -> None:
        self.lines.append(line)


def model_at(server: Server, protocol: Protocol, pauses: Pauses | None = None, **settings: Any) -> ProviderModel:
    waiting = pauses or Pauses()
    chosen = ModelSettings(base_url=server.url + protocol.prefix, **settings)
    return ProviderModel(protocol.spec, chosen, sleep=waiting.sleep, notify=waiting.notify)


@every_protocol
async def test_a_reply_with_its_usage(protocol: Protocol) -> None:
    with Server([Answer(protocol.say("a cat"))]) as server:
        reply = await model_at(server, protocol).ask(make_request())
    assert (reply.text, reply.model) == ("a cat", protocol.spec)
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 11, 7)
    assert (reply.params["finish_reason"], reply.params["retries"]) == ("stop", 0)
    assert [r.path for r in server.received] == [protocol.where]


@every_protocol
async def test_the_key_travels_in_the_header_and_nowhere_else(protocol: Protocol) -> None:
    with Server([Answer(protocol.say("x"))]) as server:
        reply = await model_at(server, protocol).ask(make_request())
    (received,) = server.received
    assert KEY in received.headers.get("authorization", "") + received.headers.get("x-api-key", "")
    assert KEY not in str(received.body) + received.path + str(reply)


@every_protocol
async def test_pictures_arrive_byte_for_byte(protocol: Protocol) -> None:
    with Server([Answer(protocol.say("x"))]) as server:
        await model_at(server, protocol).ask(make_request(pictures=2))
    found = [base64.b64decode(text) for text in _base64_texts(server.received[0].body)]
    assert found == [PNG + b"\0", PNG + b"\1"]


def _base64_texts(node: Any) -> list[str]:
    """Every picture in a request, wherever its protocol puts it, in order."""
    if isinstance(node, dict):
        return [text for value in node.values() for text in _base64_texts(value)]  # type: ignore[reportUnknownVariableType]
    if isinstance(node, list):
        return [text for value in node for text in _base64_texts(value)]  # type: ignore[reportUnknownVariableType]
    if isinstance(node, str) and node.startswith("data:image/png;base64,"):
        return [node.partition(",")[2]]
    return [node] if isinstance(node, str) and node.startswith("iVBOR") else []


@every_protocol
async def test_a_conversation_keeps_its_roles_and_order(protocol: Protocol) -> None:
    turns = [("system", "rules"), ("user", "first"), ("assistant", "answer"), ("user", "second")]
    messages = tuple(Message.model_validate({"role": role, "text": text}) for role, text in turns)
    with Server([Answer(protocol.say("x"))]) as server:
        await model_at(server, protocol).ask(make_request().model_copy(update={"messages": messages}))
    sent = str(server.received[0].body)
    listed = server.received[0].body.get("messages") or server.received[0].body["input"]
    assert [turn["role"] for turn in listed if turn["role"] in {"user", "assistant"}] == ["user", "assistant", "user"]
    assert all(sent.count(text) == 1 for text in ("rules", "first", "answer", "second"))


FAULTS: dict[str, tuple[Callable[[Protocol], Act], str]] = {
    "429": (lambda p: Answer(failure("slow down", "rate_limit_error"), 429), "HTTP 429: slow down"),
    "500": (lambda p: Answer(failure("boom"), 500), "HTTP 500: boom"),
    "529": (lambda p: Answer(failure("busy", "overloaded_error"), 529), "HTTP 529: busy"),
    "408": (lambda p: Answer(failure("late"), 408), "HTTP 408: late"),
    "409": (lambda p: Answer(failure("clash"), 409), "HTTP 409: clash"),
    "a web page": (lambda p: Answer("<html>maintenance</html>", 503), "HTTP 503: maintenance"),
    "dropped": (lambda p: Drop(), "disconnected"),
    "truncated": (lambda p: Truncate(p.say("x" * 200)), "without sending complete message body"),
    "not JSON": (lambda p: Answer('{"id": "x", "cho'), ""),
    "hang": (lambda p: Hang(), "no answer in time"),
}


@every_protocol
@pytest.mark.parametrize("fault", FAULTS)
async def test_what_fails_on_the_way_is_tried_again(protocol: Protocol, fault: str) -> None:
    act, reason = FAULTS[fault]
    pauses = Pauses()
    with Server([act(protocol), Answer(protocol.say("at last"))]) as server:
        timeout = 0.5 if fault == "hang" else 20.0
        reply = await model_at(server, protocol, pauses, timeout=timeout).ask(make_request())
    assert reply.text == "at last"
    assert len(server.received) == 2
    assert reply.params["retries"] == 1
    assert reason in str(reply.params["retry_reasons"])
    assert len(pauses.seconds) == 1
    assert "try 2 of 5" in pauses.lines[0]
    assert reply.usage.calls == 1


@every_protocol
@pytest.mark.parametrize("retries", [0, 2])
async def test_one_budget_of_tries_holds(protocol: Protocol, retries: int) -> None:
    """The providers' own clients retry a 503 too; they must not."""
    pauses = Pauses()
    with Server([Answer(failure("down"), 503)]) as server:
        model = model_at(server, protocol, pauses, transport_retries=retries)
        with pytest.raises(ModelUnavailableError, match=f"after {retries + 1} tr.*HTTP 503: down"):
            await model.ask(make_request())
    assert len(server.received) == retries + 1
    assert len(pauses.seconds) == retries


@every_protocol
@pytest.mark.parametrize(
    ("status", "hint"), [(400, ""), (401, "Check the key"), (403, ""), (404, "name"), (413, "large")]
)
async def test_refusals_are_not_tried_again(protocol: Protocol, status: int, hint: str) -> None:
    refusal = Answer(failure(f"no: {KEY}", "invalid_request_error"), status)
    said = pytest.raises(ModelRefusedError, match=rf"HTTP {status}: no: \[hidden\]")
    with Server([refusal]) as server, said as caught:
        await model_at(server, protocol).ask(make_request())
    assert hint in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(server.received) == 1


async def test_exhausted_credit_is_not_waited_for() -> None:
    body = {"error": {"message": "You exceeded your quota", "type": "insufficient_quota", "code": "insufficient_quota"}}
    with Server([Answer(body, 429)]) as server, pytest.raises(ModelRefusedError, match="exceeded your quota"):
        await model_at(server, CHAT).ask(make_request())
    assert len(server.received) == 1


@every_protocol
async def test_retry_after_is_honoured(protocol: Protocol) -> None:
    pauses = Pauses()
    slow = Answer(failure("slow", "rate_limit_error"), 429, {"retry-after": "17"})
    with Server([slow, Answer(protocol.say("x"))]) as server:
        await model_at(server, protocol, pauses).ask(make_request())
    assert pauses.seconds == [17.0]


async def test_a_pause_of_an_hour_is_said_and_not_slept() -> None:
    slow = Answer(failure("slow", "rate_limit_error"), 429, {"retry-after": "3600"})
    pauses = Pauses()
    with Server([slow]) as server, pytest.raises(ModelUnavailableError, match="a pause of 3600 s"):
        await model_at(server, CHAT, pauses).ask(make_request())
    assert pauses.seconds == []


async def test_pauses_grow_and_depend_on_the_seed_alone() -> None:
    async def pauses_of(seed: int) -> list[float]:
        pauses = Pauses()
        with Server([Answer(failure("down"), 500)]) as server, pytest.raises(ModelUnavailableError):
            await model_at(server, CHAT, pauses).ask(make_request(seed=seed))
        return pauses.seconds

    first, again, other = await pauses_of(1), await pauses_of(1), await pauses_of(2)
    assert first == again != other
    assert all(2**n / 2 <= pause <= 2**n for n, pause in enumerate(first))


async def test_a_stream_that_ends_early_is_a_truncated_body() -> None:
    with Server([EndEarly(anthropic("half of")), Answer(anthropic("half of it and the rest"))]) as server:
        reply = await model_at(server, ANTHROPIC).ask(make_request())
    assert reply.text == "half of it and the rest"
    assert reply.params["retry_reasons"] == ["the stream ended before the reply did"]


@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        (CHAT, chat("half of", finish="length")),
        (RESPONSES, responses("half of", complete=False)),
        (ANTHROPIC, anthropic("half of", stop="max_tokens")),
    ],
    ids=lambda x: getattr(x, "spec", ""),
)
async def test_a_reply_cut_by_max_tokens_says_so(protocol: Protocol, body: Body) -> None:
    with Server([Answer(body)]) as server:
        reply = await model_at(server, protocol, max_tokens=7).ask(make_request())
    assert reply.text == "half of"
    assert (reply.params["finish_reason"], reply.params["truncated"], reply.params["max_tokens"]) == ("length", True, 7)
    assert 7 in server.received[0].body.values()


async def test_schemas_go_out_as_the_response_format() -> None:
    with Server([Answer(chat('{"satisfied": true, "summary": "fine"}'))]) as server:
        reply = await model_at(server, CHAT).ask(make_request(output_schema=SCHEMA))
    sent = server.received[0].body["response_format"]["json_schema"]["schema"]
    assert sent["required"] == ["satisfied", "summary"]
    assert reply.params["schema_mode"] == "native"


async def test_schemas_go_out_as_a_tool_and_its_arguments_are_the_reply() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "sketch_critique", "input": {"satisfied": False, "summary": "no"}}
    with Server([Answer(anthropic(call, stop="tool_use"))]) as server:
        reply = await model_at(server, ANTHROPIC).ask(make_request(kind="sketch.critique", output_schema=SCHEMA))
    (tool,) = server.received[0].body["tools"]
    assert (tool["name"], tool["input_schema"]["required"]) == ("sketch_critique", ["satisfied", "summary"])
    assert reply.text == '{"satisfied": false, "summary": "no"}'


async def test_schemas_go_into_the_prompt_where_a_setting_says_so() -> None:
    with Server([Answer(chat("{}"))]) as server:
        reply = await model_at(server, CHAT, schema_mode="prompted").ask(make_request(output_schema=SCHEMA))
    body = server.received[0].body
    assert "tools" not in body
    assert body.get("response_format", {}).get("type") != "json_schema"
    assert '"satisfied"' in str(body["messages"])
    assert reply.params["schema_mode"] == "prompted"


async def test_temperature_and_seed_are_sent_where_they_are_taken() -> None:
    with Server([Answer(chat("x")), Answer(chat("x"))]) as server:
        await model_at(server, CHAT).ask(make_request(temperature=0.25, seed=2**40 + 5))
        await model_at(server, CHAT, temperature=0.75).ask(make_request(temperature=0.0))
        await model_at(server, CHAT, temperature=0.75).ask(make_request(temperature=None))
    assert [r.body["temperature"] for r in server.received] == [0.25, 0.0, 0.75]
    assert server.received[0].body["seed"] == 5
    with Server([Answer(responses("x"))]) as server:
        reply = await model_at(server, RESPONSES).ask(make_request(temperature=0.25))
    assert "temperature" not in server.received[0].body
    assert reply.params["temperature"] is None


async def test_cost_follows_the_price_settings_and_is_unknown_on_other_servers() -> None:
    with Server([Answer(chat("x", tokens=(2_000_000, 500_000)))]) as server:
        priced = await model_at(server, CHAT, input_price=3.0, output_price=10.0).ask(make_request())
        unpriced = await model_at(server, CHAT).ask(make_request())
    assert priced.usage.cost == pytest.approx(2 * 3.0 + 0.5 * 10.0)
    assert unpriced.usage.cost is None


async def test_a_reply_without_usage_counts_no_tokens_and_no_cost() -> None:
    body = chat("x")
    del body["usage"]
    with Server([Answer(body)]) as server:
        reply = await model_at(server, CHAT, input_price=1.0, output_price=1.0).ask(make_request())
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost) == (0, 0, None)


async def test_pictures_are_refused_before_sending_to_a_model_that_does_not_see() -> None:
    with Server([Answer(chat("x"))]) as server, pytest.raises(ModelRefusedError, match=r"models\.sees: true"):
        await model_at(server, CHAT, sees=False).ask(make_request(pictures=1))
    assert server.received == []


async def test_any_compatible_server_is_reached_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Server([Answer(chat("x", model="local"))]) as server:
        model = ProviderModel("openai-compatible:local", ModelSettings(base_url=f"{server.url}/v1"))
        reply = await model.ask(make_request())
    assert (reply.text, reply.params["served_by"]) == ("x", "local")
    assert KEY not in str(server.received[0].headers), "another service must never be sent OpenAI's key"


async def test_ollama_is_reached_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server([Answer(chat("x", model="llama3"))]) as server:
        monkeypatch.setenv("OLLAMA_BASE_URL", f"{server.url}/v1")
        reply = await ProviderModel("ollama:llama3").ask(make_request())
    assert reply.text == "x"
    assert server.received[0].path == "/v1/chat/completions"


async def test_many_requests_at_once_and_one_after_another() -> None:
    replies: list[str] = []

    with Server([Answer(chat("x"))]) as server:
        model = model_at(server, CHAT)

        async def one(request: Request) -> None:
            replies.append((await model.ask(request)).text)

        async with anyio.create_task_group() as group:
            for number in range(5):
                group.start_soon(one, make_request(path=f"iteration-1/candidate-{number}/draft"))
        await one(make_request())
    assert replies == ["x"] * 6


def test_the_same_model_serves_several_event_loops() -> None:
    """`redraft.sketch()` starts a loop for every call."""
    with Server([Answer(chat("x"))]) as server:
        model = model_at(server, CHAT)
        assert [anyio.run(model.ask, make_request()).text for _ in range(2)] == ["x", "x"]


async def test_nothing_listens_there() -> None:
    with Server([]) as server:
        gone = server.url
    model = ProviderModel(CHAT.spec, ModelSettings(base_url=gone, transport_retries=1), sleep=Pauses().sleep)
    with pytest.raises(ModelUnavailableError, match=r"after 2 tries.*(refused|connection attempts failed)"):
        await model.ask(make_request())
