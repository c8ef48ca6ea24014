"""Model servers that send too much, too slowly, or something else: an error in words, in bounded memory and time."""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from asking import SCHEMA, make_request
from http_loopback import OnLoopback, Quiet
from loopback import Answer, Body, Server, anthropic, chat, responses
from typer.testing import CliRunner

from redraft.cli.program import program
from redraft.errors import ModelUnavailableError
from redraft.limits import MAX_JSON_MARKS, MODEL_REPLY
from redraft.models import wire
from redraft.models.base import ModelSettings
from redraft.models.network import ProviderModel
from redraft.result import Usage

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

MB = 1 << 20


def gemini(text: str) -> Body:
    return {
        "candidates": [{"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
    }


PROVIDERS: dict[str, tuple[str, Callable[[str], Body]]] = {
    "openai-compatible:x": ("/v1", chat),
    "openai:gpt-5": ("/v1", responses),
    "anthropic:claude-haiku-4-5": ("", anthropic),
    "google:gemini-2.5-flash": ("", gemini),
}
every_provider = pytest.mark.parametrize("spec", PROVIDERS)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "sk-test-0123456789abcdef")


@dataclass
class Sending(OnLoopback):
    """A server that sends these pieces as the body of each response, in chunks; `sent` counts their bytes."""

    pieces: Callable[[], Iterator[bytes]]
    headers: Mapping[str, str]

    def __post_init__(self) -> None:
        self.sent = 0
        sending = self

        class Handler(Quiet):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                sending.send(self)

        super().__init__(Handler)

    def send(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in {"content-type": "application/json", "transfer-encoding": "chunked", **self.headers}.items():
            handler.send_header(name, value)
        try:
            handler.end_headers()
            for piece in self.pieces():
                handler.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                self.sent += len(piece)
            handler.wfile.write(b"0\r\n\r\n")
        except OSError:  # the client has had enough
            handler.close_connection = True


def model_at(url: str, spec: str, **settings: Any) -> ProviderModel:
    chosen: dict[str, Any] = {"base_url": url + PROVIDERS[spec][0], "transport_retries": 0, "timeout": 60.0, **settings}
    return ProviderModel(spec, ModelSettings(**chosen), sleep=no_pause)


async def no_pause(_seconds: float) -> None:
    """Go on at once."""


async def refused(pieces: Callable[[], Iterator[bytes]], spec: str, **headers: str) -> tuple[str, int]:
    """The words of the error, and the bytes that the server could send."""
    with Sending(pieces, {name.replace("_", "-"): value for name, value in headers.items()}) as server:
        with pytest.raises(ModelUnavailableError) as error:
            await model_at(server.url, spec, transport_retries=2).ask(make_request())
        return str(error.value), server.sent


def endless() -> Iterator[bytes]:
    yield b'"'
    for _ in range(2_000):
        yield b"0" * MB


@cache
def squeezed(size: int, bits: int = zlib.MAX_WBITS | 16, times: int = 1) -> bytes:
    raw = b'{"choices": "' + b"0" * size
    for _ in range(times):
        compressor = zlib.compressobj(9, zlib.DEFLATED, bits)
        raw = compressor.compress(raw) + compressor.flush()
    return raw


@every_provider
async def test_an_endless_reply_ends_at_the_limit(spec: str) -> None:
    words, sent = await refused(endless, spec)
    assert "a reply of a model server may have at most 32 MB. Check models.base_url" in words
    assert "after 1 try" in words  # another would be as long
    assert sent < MODEL_REPLY.size + 16 * MB  # what the sockets hold beside


@every_provider
@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_compression_bomb_ends_at_the_limit(spec: str, encoding: str) -> None:
    raw = squeezed(100 * MB, zlib.MAX_WBITS | 16 if encoding == "gzip" else -zlib.MAX_WBITS)
    assert len(raw) < MB
    words, _ = await refused(lambda: iter([raw]), spec, content_encoding=encoding)
    assert "it has more when it is decompressed, and a reply of a model server may have at most 32 MB" in words


@every_provider
@pytest.mark.parametrize(
    ("raw", "encoding", "reason"),
    [
        (squeezed(9, times=2), "gzip, gzip", "compressed as 'gzip, gzip', which was not asked for"),
        (b"\x1b", "br", "compressed as 'br', which was not asked for"),
        (b"\x28\xb5\x2f\xfd", "zstd", "compressed as 'zstd', which was not asked for"),
        (squeezed(9)[:-9], "gzip", "its gzip compression is cut off"),
        (b"not gzip", "gzip", "its gzip compression is damaged"),
    ],
)
async def test_a_body_that_cannot_be_decompressed(spec: str, raw: bytes, encoding: str, reason: str) -> None:
    words, _ = await refused(lambda: iter([raw]), spec, content_encoding=encoding)
    assert reason in words


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "raw deflate"])
async def test_a_compressed_reply_is_read(encoding: str) -> None:
    bits = {"gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}.get(encoding, -zlib.MAX_WBITS)
    compressor = zlib.compressobj(9, zlib.DEFLATED, bits)
    raw = compressor.compress(json.dumps(chat("a cat")).encode()) + compressor.flush()
    with Sending(lambda: iter([raw]), {"content-encoding": encoding.removeprefix("raw ")}) as server:
        reply = await model_at(server.url, "openai-compatible:x").ask(make_request())
    assert reply.text == "a cat"


@every_provider
async def test_headers_without_end(spec: str) -> None:
    words, _ = await refused(lambda: iter([b"{}"]), spec, x_bomb="0" * MB)
    assert "did not answer after 3 tries" in words


@every_provider
async def test_the_time_limit_counts_from_connecting_to_the_last_byte(spec: str) -> None:
    done = threading.Event()

    def drip() -> Iterator[bytes]:
        for _ in range(600):
            done.wait(0.1)
            yield b" "

    with Sending(drip, {}) as server:
        with pytest.raises(ModelUnavailableError, match="no answer in time"):
            await model_at(server.url, spec, timeout=1.0).ask(make_request())
        done.set()
        assert server.sent < 590


async def test_a_reply_is_decompressed_and_parsed_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    parse = wire.parse_json

    def parsed(raw: bytes) -> Any:
        threads.append(threading.current_thread())
        return parse(raw)

    monkeypatch.setattr(wire, "parse_json", parsed)
    with Server([Answer(chat("a cat"))]) as server:
        await model_at(server.url, "openai-compatible:x").ask(make_request())
    assert threads
    assert threading.main_thread() not in threads


ANSWERS = {
    "a web page": "<html><body>Sign in</body></html>",
    "an empty body": "",
    "half of it": '{"choices": [{"mess',
    "null": "null",
    "a list": "[]",
    "a number": "3",
    "an empty object": "{}",
    "deep": "[" * 1_000_000,
    "deep in a field": '{"choices": ' + '{"a":' * 200_000,
    "a huge number": "9" * 100_000,
    "not a number": '{"choices": NaN, "output": NaN, "candidates": NaN, "content": NaN}',
    "many values": "[" + "{}," * MAX_JSON_MARKS + "{}]",
    "control characters": '"\x1b[31mred\x1b]0;title\x07"',
    "not UTF-8": '{"choices": "\udcff"}',
}


@every_provider
@pytest.mark.parametrize("answer", ANSWERS)
async def test_an_answer_of_no_provider(spec: str, answer: str) -> None:
    await unusable(spec, ANSWERS[answer])


@every_provider
@pytest.mark.parametrize("other", PROVIDERS)
async def test_the_answer_of_another_provider(spec: str, other: str) -> None:
    if spec == other:
        pytest.skip("its own")
    words = await unusable(spec, json.dumps(PROVIDERS[other][1]("a cat")))
    assert "The server sent HTTP 200 with" in words
    assert "Check models.base_url" in words


@every_provider
@pytest.mark.parametrize("error", [{"message": "over quota", "code": 429}, "over quota", ["over quota"]])
async def test_an_error_with_the_status_of_a_success(spec: str, error: Any) -> None:
    assert "HTTP 200 with an error:" in await unusable(spec, json.dumps({"error": error}))


async def unusable(spec: str, body: str) -> str:
    """The words of the error at this body, checked for what every one has to be."""
    raw = body.encode("utf-8", "surrogateescape")
    with Sending(lambda: iter([raw] if raw else []), {}) as server, pytest.raises(ModelUnavailableError) as error:
        await model_at(server.url, spec).ask(make_request())
    words = str(error.value)
    assert words.startswith(f"{spec} sent no usable reply after 1 try")
    assert words.isprintable()
    assert len(words) < 1_200
    return words


def changed(say: Callable[[str], Body], *path: str | int, value: Any) -> Body:
    body: Any = say("a cat")
    place = body
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return body


MESSAGE = ("choices", 0, "message")
NONE: list[Any] = []
EMPTY: dict[str, Any] = {}
SHAPES: list[tuple[str, tuple[str | int, ...], Any]] = [
    *(("openai-compatible:x", ("choices",), value) for value in (None, NONE, [None], [3], "x", EMPTY, 7)),
    *(("openai-compatible:x", MESSAGE, value) for value in (None, "x", NONE, EMPTY)),
    *(("openai-compatible:x", (*MESSAGE, "content"), value) for value in (3, EMPTY, True)),
    *(("openai-compatible:x", (*MESSAGE, "tool_calls"), value) for value in ("x", [{"id": 1, "type": "x"}])),
    *(("openai-compatible:x", ("usage",), value) for value in ("a lot", {"prompt_tokens": "many"})),
    *(("openai-compatible:x", (name,), 10**30) for name in ("created", "model")),
    *(("openai:gpt-5", ("output",), value) for value in (None, [{"type": "odd"}])),
    *(("openai:gpt-5", ("output", 0, "content"), value) for value in (None, [{"type": "output_text", "text": 5}])),
    *(("openai:gpt-5", (name,), "x") for name in ("usage", "created_at")),
    *(("google:gemini-2.5-flash", ("candidates",), value) for value in (None, NONE, "x", [{"content": None}])),
    *(("google:gemini-2.5-flash", ("candidates", 0, "content", "parts"), value) for value in ("x", [{"text": 3}])),
    *(("google:gemini-2.5-flash", (name,), "x") for name in ("usageMetadata",)),
    ("google:gemini-2.5-flash", ("candidates", 0, "finishReason"), 7),
]


@pytest.mark.parametrize(("spec", "path", "value"), SHAPES)
async def test_a_field_of_another_shape(spec: str, path: tuple[str | int, ...], value: Any) -> None:
    await unusable(spec, json.dumps(changed(PROVIDERS[spec][1], *path, value=value)))


@pytest.mark.filterwarnings("ignore:Failed to extract usage")
@pytest.mark.parametrize("usage", [{"prompt_tokens": -5, "completion_tokens": 10**30, "total_tokens": -1}])
async def test_a_usage_that_cannot_be_is_not_counted(usage: Body) -> None:
    with Server([Answer({**chat("a cat"), "usage": usage})]) as server:
        reply = await model_at(server.url, "openai-compatible:x").ask(make_request())
    assert reply.text == "a cat"
    assert Usage.model_validate_json(reply.usage.model_dump_json()) == reply.usage
    assert reply.usage.input_tokens >= 0


async def test_a_tool_that_was_not_offered() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "rm", "arguments": "{}"}}
    body = changed(chat, *MESSAGE, value={"role": "assistant", "content": None, "tool_calls": [call]})
    assert "the model called the tool 'rm', and none was offered" in await unusable(
        "openai-compatible:x", json.dumps(body)
    )


async def test_the_tool_of_the_schema_is_the_reply() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "sketch_draft", "arguments": '{"satisfied": true}'}}
    body = changed(chat, *MESSAGE, value={"role": "assistant", "content": None, "tool_calls": [call]})
    with Server([Answer(body)]) as server:
        model = model_at(server.url, "openai-compatible:x", schema_mode="tool")
        reply = await model.ask(make_request(output_schema=SCHEMA))
    assert json.loads(reply.text) == {"satisfied": True}


async def test_events_without_end_in_a_stream() -> None:
    body = b"data: {}\n\n" * (wire.MAX_EVENTS + 1)
    words, _ = await refused(
        lambda: iter([body]), "anthropic:claude-haiku-4-5", content_type="text/event-stream; charset=utf-8"
    )
    assert "sent no usable reply" in words


async def test_an_error_page_of_any_kind_is_in_words() -> None:
    for page in ("[" * 100_000, "<html><title>Bad gateway</title></html>", "\x1b[31mred", ""):
        for spec in PROVIDERS:
            with Server([Answer(page, 502)]) as server, pytest.raises(ModelUnavailableError, match="HTTP 502") as error:
                await model_at(server.url, spec).ask(make_request())
            assert str(error.value).isprintable()


def test_a_run_keeps_its_work_and_goes_on_when_the_server_has_recovered(tmp_path: Path) -> None:
    with Sending(endless, {}) as server:
        began = time.monotonic()
        words = ["sketch", "a house", "--model", "openai-compatible:x", "--base-url", f"{server.url}/v1"]
        done = CliRunner().invoke(program, [*words, "--out", str(tmp_path / "run")])
    assert done.exit_code == 3
    assert "a reply of a model server may have at most 32 MB" in " ".join(done.output.split())
    assert "redraft resume" in done.output
    assert time.monotonic() - began < 100  # `models.timeout` is 120
    assert (tmp_path / "run" / "events.jsonl").exists()
