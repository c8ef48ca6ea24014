"""A model server on loopback: it speaks what the providers speak on the wire, and fails in the ways that wires do.

Every connection gets the next of the prepared acts; what was received is kept in `received`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

from http_loopback import Drop, Hang, OnLoopback, Quiet, cut, send

Body = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """A whole HTTP response."""

    body: Body | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Truncate:
    """The headers promise the whole body, and the connection closes after its first half."""

    body: Body


@dataclass(frozen=True)
class EndEarly:
    """A stream (Anthropic's) closed in good form, without its last events."""

    body: Body


Act = Answer | EndEarly | Drop | Truncate | Hang


@dataclass(frozen=True)
class Received:
    """One HTTP request."""

    path: str
    headers: dict[str, str]
    body: Body


class Server(OnLoopback):
    """Gives every connection the next of the acts, and the last one again."""

    def __init__(self, acts: Sequence[Act]) -> None:
        super().__init__(_handler(self))
        self._acts = list(acts)
        self.received: list[Received] = []

    def act(self, received: Received, handler: BaseHTTPRequestHandler) -> None:
        self.received.append(received)
        number = min(len(self.received), len(self._acts)) - 1
        act = self._acts[number]
        match act:
            case Answer(body, 200) if isinstance(body, dict) and received.body.get("stream"):
                raw = _streamed(body)
                send(handler, 200, {"content-type": "text/event-stream"}, raw, len(raw))
            case EndEarly(body):
                raw = _streamed(body).partition(b"event: content_block_stop")[0]
                send(handler, 200, {"content-type": "text/event-stream"}, raw, len(raw))
            case Truncate(body) if received.body.get("stream"):
                raw = _streamed(body)
                send(handler, 200, {"content-type": "text/event-stream"}, raw[: len(raw) // 2], len(raw))
                cut(handler)
            case Answer() as answer:
                raw = (answer.body if isinstance(answer.body, str) else json.dumps(answer.body)).encode()
                send(handler, answer.status, {"content-type": "application/json", **answer.headers}, raw, len(raw))
            case Truncate(body):
                raw = json.dumps(body).encode()
                send(handler, 200, {"content-type": "application/json"}, raw[: len(raw) // 2], len(raw))
                cut(handler)
            case Drop() | Hang():
                self.leave(act, handler)


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(Quiet):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            server.act(Received(self.path, headers, cast("Body", json.loads(raw))), self)

    return Handler


def _streamed(message: Body) -> bytes:
    """Anthropic's message as server-sent events: redraft's requests to it are streamed where the SDK insists."""
    empty: Body
    block: Body = message["content"][0]
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    begun: Body = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events: list[Body] = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": message["usage"]},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def chat(text: str, *, finish: str = "stop", tokens: tuple[int, int] = (11, 7), model: str = "gpt-4o") -> Body:
    """OpenAI's chat completion."""
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }


def responses(text: str, *, complete: bool = True, tokens: tuple[int, int] = (11, 7)) -> Body:
    """OpenAI's Responses interface."""
    content: list[Body] = [{"type": "output_text", "text": text, "annotations": []}]
    output: list[Body] = [
        {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}
    ]
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": "gpt-5",
        "status": "completed" if complete else "incomplete",
        "incomplete_details": None if complete else {"reason": "max_output_tokens"},
        "error": None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": tokens[0],
            "output_tokens": tokens[1],
            "total_tokens": sum(tokens),
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def anthropic(
    content: str | Body, *, stop: str = "end_turn", tokens: tuple[int, int] = (11, 7), model: str = "claude-haiku-4-5"
) -> Body:
    """Anthropic's message: a text, or a block such as a tool's call."""
    block = {"type": "text", "text": content} if isinstance(content, str) else content
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }


def failure(message: str, kind: str = "server_error") -> Body:
    """An error body, in the form that both families nest it."""
    return {"type": "error", "error": {"type": kind, "message": message}}
