"""Telemetry: what a collector on loopback gets of runs, what it does not get, and the records of the log."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from asked_run import BRIEF, asked_run
from collector import Collector, attributes
from http_loopback import Hang
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from run_writer import RunWriter

from redraft.errors import ConfigError, MissingPartError
from redraft.record import telemetry
from redraft.record.events import EffectFailed, EffectFinished, EffectStarted, Event, Iterated, RunFinished, RunStarted
from redraft.record.journal import read_events
from redraft.record.telemetry import observed

SECRET = "a marzipan zeppelin"
SKETCH = [sys.executable, "-m", "redraft", "sketch", "a red circle left of a blue square"]
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


def seconds(span: Span) -> float:
    return (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9


def moment(nanoseconds: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=nanoseconds // 1000)


def flush() -> None:
    """Have this process's providers send everything."""
    for provider in telemetry.providers(("traces", "metrics")):
        provider.force_flush()  # pyright: ignore


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector that this process is configured to send to."""
    level = logging.getLogger("opentelemetry").level
    with Collector() as server:
        monkeypatch.setenv(ENDPOINT, server.url)
        telemetry.providers.cache_clear()
        yield server
        for provider in telemetry.providers(("traces", "metrics")):
            provider.shutdown()  # pyright: ignore
        telemetry.providers.cache_clear()
    logging.getLogger("opentelemetry").setLevel(level)


Told = Callable[[Callable[[RunWriter], None]], list[Event]]


@pytest.fixture
def told(collector: Collector, tmp_path: Path) -> Told:
    """Write a run with an observer, and have everything sent."""

    def tell(write: Callable[[RunWriter], None]) -> list[Event]:
        writer = RunWriter(tmp_path / f"run-{len(list(tmp_path.iterdir()))}")
        writer.journal._observer = observed(None)  # pyright: ignore[reportPrivateUsage]
        with writer.journal:
            write(writer)
        flush()
        return read_events(writer.folder)

    return tell


@pytest.mark.slow
def test_a_collector_gets_the_run_as_the_record_has_it(tmp_path: Path) -> None:
    with Collector() as server:
        subprocess.run(
            [*SKETCH, "--out", "run", "--candidates", "2"],
            cwd=tmp_path,
            env=os.environ | {ENDPOINT: server.url, "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test"},
            check=True,
            capture_output=True,
        )
    events = read_events(tmp_path / "run")
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunFinished)
    (resource,) = server.resources
    assert resource["service.name"] == "redraft"
    assert resource["deployment.environment.name"] == "test"

    by_id = {span.span_id: span for span in server.spans}
    (root,) = [span for span in server.spans if not span.parent_span_id]
    assert root.name == "invoke_workflow redraft.sketch"
    assert len({span.trace_id for span in server.spans}) == 1
    assert (moment(root.start_time_unix_nano), moment(root.end_time_unix_nano)) == (events[0].at, events[-1].at)
    assert attributes(root.attributes)["redraft.valid"] is events[-1].valid

    ended = [event for event in events if isinstance(event, Iterated)]
    turns = {attributes(span.attributes)["redraft.turn"]: span for span in server.spans if span.name == "turn"}
    assert sorted(turns) == [event.record.iteration for event in ended] == [1]
    assert turns[1].parent_span_id == root.span_id
    first = next(event for event in events if event.key.startswith("iteration-1/"))
    assert (moment(turns[1].start_time_unix_nano), moment(turns[1].end_time_unix_nano)) == (first.at, ended[0].at)

    started = {event.key: event for event in events if isinstance(event, EffectStarted)}
    effects = {
        found["redraft.key"]: span for span in server.spans if "redraft.key" in (found := attributes(span.attributes))
    }
    assert effects.keys() == started.keys()
    assert len(effects) >= 4  # two drafts, each executed
    for event in events:
        if isinstance(event, EffectFinished | EffectFailed):
            span, begun = effects[event.key], started[event.key]
            assert (moment(span.start_time_unix_nano), moment(span.end_time_unix_nano)) == (begun.at, event.at)
            in_turn = event.key.startswith("iteration-1/")
            assert by_id[span.parent_span_id].name == ("turn" if in_turn else root.name)
            assert span.kind == (Span.SPAN_KIND_CLIENT if begun.asks_model else Span.SPAN_KIND_INTERNAL)
            assert span.name == ("chat offline" if begun.asks_model else event.key.rpartition("/")[2])

    calls = [effects[key] for key, event in started.items() if event.asks_model]
    ((count, total, named),) = server.points("gen_ai.client.operation.duration")
    assert (count, total) == (len(calls), pytest.approx(sum(map(seconds, calls))))
    assert (named["gen_ai.operation.name"], named["gen_ai.request.model"]) == ("chat", "offline")
    measured = server.points("redraft.effect.duration")
    assert sum(count for count, _, _ in measured) == len(effects) - len(calls)
    ((_, total, named),) = server.points("redraft.run.duration")
    assert (total, named) == (pytest.approx(seconds(root)), {**named, "redraft.studio": "sketch"})
    assert server.points("redraft.turn.duration")[0][:2] == (1, pytest.approx(seconds(turns[1])))


def spoken(writer: RunWriter) -> None:
    """A run whose call has tokens, whose effect fails, and which ends in the middle of another call."""
    writer.start(SECRET, run=f"{SECRET.replace(' ', '-')}-0a1b2c", model={"name": "openai-chat:gpt-4o"})
    writer.call("iteration-1/draft", SECRET * 4, SECRET * 2, finish_reason="stop", served_by="gpt-4o-2026")
    key, at = "iteration-1/draft/execute", writer.journal.now
    writer.journal.write(EffectStarted(key=key, at=at, digest="0", inputs={"draft": SECRET}))
    at = writer.journal.now
    writer.journal.write(EffectFailed(key=key, at=at, digest="0", failure_class="E1", message=f"NameError: {SECRET}"))
    writer.warned(SECRET)
    writer.call("iteration-1/draft/fix-1", SECRET, None)
    writer.finish(valid=False, error={"phase": "iteration-1", "step": "draft", "message": SECRET})


def test_tokens_errors_and_what_was_not_finished(collector: Collector, told: Told) -> None:
    told(spoken)
    spans = {attributes(span.attributes).get("redraft.key", span.name): span for span in collector.spans}
    draft = attributes(spans["iteration-1/draft"].attributes)
    assert draft["gen_ai.provider.name"] == "redraft"  # the writer's replies come from the offline model
    assert draft["gen_ai.response.model"] == "gpt-4o-2026"
    assert draft["gen_ai.response.finish_reasons"] == ["stop"]
    used = len(SECRET * 4) // 4, len(SECRET * 2) // 4
    assert (draft["gen_ai.usage.input_tokens"], draft["gen_ai.usage.output_tokens"]) == used
    tokens = {named["gen_ai.token.type"]: total for _, total, named in collector.points("gen_ai.client.token.usage")}
    assert tokens == {"input": used[0], "output": used[1]}
    asked = attributes(spans["iteration-1/draft/fix-1"].attributes)
    assert (asked["gen_ai.provider.name"], asked["gen_ai.request.model"]) == ("openai", "gpt-4o")
    assert asked["error.type"] == "unfinished"
    failed = spans["iteration-1/draft/execute"]
    assert failed.status.code == Status.STATUS_CODE_ERROR
    assert attributes(failed.attributes)["error.type"] == "E1"
    root = spans["invoke_workflow redraft.sketch"]
    assert attributes(root.attributes)["redraft.run"] == "0a1b2c"
    assert root.status.code == Status.STATUS_CODE_ERROR
    assert spans["iteration-1/draft"].status.code == Status.STATUS_CODE_UNSET
    assert len(collector.spans) == 5


def test_no_words_are_sent_unless_asked_for(collector: Collector, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    told(spoken)
    sent = " ".join(map(str, (*collector.spans, *collector.metrics.values(), *collector.resources)))
    assert not [word for word in SECRET.split() if len(word) > 1 and word in sent]
    collector.spans.clear()
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    told(spoken)
    spans = {attributes(span.attributes).get("redraft.key"): attributes(span.attributes) for span in collector.spans}
    said = json.loads(spans["iteration-1/draft"]["gen_ai.input.messages"])
    assert [message["role"] for message in said] == ["system", "user"]
    assert said[1]["parts"] == [{"type": "text", "content": SECRET * 4}]
    (answer,) = json.loads(spans["iteration-1/draft"]["gen_ai.output.messages"])
    assert answer == {"role": "assistant", "parts": [{"type": "text", "content": SECRET * 2}]}


def test_turns_and_their_events(collector: Collector, told: Told) -> None:
    events = told(asked_run)
    turns = [span for span in collector.spans if span.name == "turn"]
    assert [attributes(span.attributes)["redraft.turn"] for span in turns] == [
        event.record.iteration for event in events if isinstance(event, Iterated)
    ]
    said = [each.name for span in turns for each in span.events]
    kinds = [f"redraft.{event.event}" for event in events if event.event in ("attempted", "validated", "verified")]
    assert said == kinds
    assert BRIEF not in str(collector.spans)


def test_a_resumed_run_does_not_send_what_was_sent(collector: Collector, told: Told) -> None:
    events = told(asked_run)
    before = len(collector.spans)
    again, later = observed(None), events[-1].at + timedelta(hours=1)
    again(events[0].model_copy(update={"at": later}))
    for event in events[1:-1]:
        if not isinstance(event, EffectStarted | EffectFinished | EffectFailed):  # as `Journal.note` shows it again
            again(event)
    again(events[-1].model_copy(update={"at": later + timedelta(seconds=1)}))
    flush()
    assert [span.name for span in collector.spans[before:]] == ["invoke_workflow redraft.sketch"]


def test_a_clock_that_is_set_back_harms_no_run(collector: Collector, tmp_path: Path) -> None:
    writer, observe = RunWriter(tmp_path / "run"), observed(None)
    with writer.journal:
        spoken(writer)
    for event in read_events(writer.folder):
        back = timedelta(hours=1 if isinstance(event, EffectStarted) else 0)
        observe(event.model_copy(update={"at": event.at - back}))


@pytest.mark.slow
@pytest.mark.parametrize("act", [Hang(), 503], ids=["silent", "unavailable"])
def test_a_collector_that_does_not_answer_is_one_line_a_signal(act: Hang | int, tmp_path: Path) -> None:
    with Collector(act) as server:
        ran = subprocess.run(
            [*SKETCH, "--out", "run"],
            cwd=tmp_path,
            env=os.environ | {ENDPOINT: server.url},
            check=True,
            capture_output=True,
            text=True,
        )
        assert server.asked >= 1
    assert sorted(line.split()[:4] for line in ran.stderr.splitlines()) == [
        ["Failed", "to", "export", "metrics"],
        ["Failed", "to", "export", "spans"],
    ]
    assert json.loads((tmp_path / "run" / "transcript.json").read_text("utf-8"))["valid"] is True


def test_nothing_is_loaded_sent_or_printed_unless_configured(tmp_path: Path) -> None:
    program = """
import sys
from redraft.record.events import Warned
from redraft.record.journal import system_clock
from redraft.record.telemetry import observed

observed(None)(Warned(key="memory", at=system_clock(), message="said on the terminal"))
sys.exit(any(name.startswith("opentelemetry") for name in sys.modules))
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, timeout=60, capture_output=True)
    assert (ran.stdout, ran.stderr) == (b"", b"")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OTEL_SDK_DISABLED", "true"),
        (ENDPOINT, ""),
    ],
)
def test_telemetry_can_be_switched_off(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    monkeypatch.setenv(name, value)
    assert not telemetry.configured("traces")
    assert not telemetry.configured("metrics")


def test_each_signal_can_be_configured_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:9/v1/traces")
    assert telemetry.configured("traces")
    assert not telemetry.configured("metrics")
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "none")
    assert not telemetry.configured("traces")


def test_another_protocol_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4317")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    with pytest.raises(ConfigError, match=r"OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc'; redraft sends .* http/protobuf"):
        observed(None)


def test_without_the_extra_a_configured_collector_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.metrics", None)
    with pytest.raises(MissingPartError, match=r"ENDPOINT asks for, needs opentelemetry, .*redraft\[otel\]"):
        observed(None)


@pytest.mark.slow
def test_the_program_that_uses_redraft_has_the_first_say(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        spoken(writer)
    program = """
import sys
from pathlib import Path
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from redraft.record.journal import read_events
from redraft.record.telemetry import observed

kept, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(kept))
trace.set_tracer_provider(provider)
with trace.get_tracer("mine").start_as_current_span("mine") as mine:
    observe = observed(None)
    for event in read_events(Path("run")):
        observe(event)
spans = {span.name: span for span in kept.get_finished_spans()}
assert spans["invoke_workflow redraft.sketch"].parent.span_id == mine.get_span_context().span_id
assert "chat offline" in spans
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, timeout=100)
