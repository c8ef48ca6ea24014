"""Logs, spans and metrics of runs, all read from a run's events.

Each event is a record of the logger `redraft.run`. Spans and metrics follow OpenTelemetry's conventions for generative
AI. They go to the collector that the standard variables name (`OTEL_EXPORTER_OTLP_ENDPOINT` …), or to the tracer and
meter of the program that uses redraft, and nowhere otherwise. Words of a brief, a prompt or a reply are in none of them
unless `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`. All names are in docs/telemetry.md.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, cast, get_args

from redraft.errors import ConfigError, MissingPartError
from redraft.models.base import Reply
from redraft.record.events import (
    Attempted,
    EffectFailed,
    EffectFinished,
    EffectStarted,
    Event,
    Iterated,
    Place,
    RunFinished,
    RunStarted,
    TurnStarted,
    Validated,
    Verified,
    Warned,
)
from redraft.result import Severity

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter, MeterProvider
    from opentelemetry.trace import Span, Tracer, TracerProvider

Observer = Callable[[Event], None]
Facts = dict[str, Any]

_log = logging.getLogger(__name__)
_run_log = logging.getLogger("redraft.run")
_run_log.addHandler(logging.NullHandler())  # for programs that listen; the terminal shows a run itself

CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
EXPORT_TIMEOUT = 2.0
"""Seconds for one delivery, unless OTEL_EXPORTER_OTLP_TIMEOUT is set: the end of the process waits for the last one."""
SECONDS = tuple(0.01 * 2**power for power in range(14))
TOKENS = tuple(4.0**power for power in range(14))
"""Limits of the histograms' buckets, as the conventions have them."""
PROVIDER_NAMES = {
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "google": "gcp.gemini",
    "google-cloud": "gcp.vertex_ai",
    "mistral": "mistral_ai",
    "openai-chat": "openai",
    "openai-responses": "openai",
    "xai": "x_ai",
}
"""Names of providers in the conventions, where redraft has others."""
MEASURED = frozenset(
    {
        "error.type",
        "gen_ai.operation.name",
        "gen_ai.provider.name",
        "gen_ai.request.model",
        "gen_ai.response.model",
        "redraft.effect",
        "redraft.studio",
    }
)
"""Attributes of metrics: those that have few values."""
_LEVELS: dict[type[Any], int] = {Warned: logging.WARNING} | dict.fromkeys(
    (RunStarted, TurnStarted, EffectFinished, EffectFailed, Attempted, Validated, Verified, Iterated, RunFinished),
    logging.INFO,
)
"""Other events are for debugging."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def observed(observer: Observer | None) -> Observer:
    """Return an observer of one run that logs its events, sends spans and metrics if configured, and passes them on.

    Raises:
        MissingPartError: a collector is configured, and OpenTelemetry's SDK is not installed.
        ConfigError: the collector is to be reached by another protocol than HTTP.
    """
    describe, instruments = _Facts(), _open_instruments()
    signals = None if instruments is None else _Signals(*instruments)

    def observe(event: Event) -> None:
        if observer is not None:
            observer(event)
        facts, level = describe(event), _LEVELS.get(type(event), logging.DEBUG)
        if _run_log.isEnabledFor(level):
            message = event.message if isinstance(event, Warned) else event.event
            logged = {name: value for name, value in facts.items() if not name.endswith(".messages")}
            _run_log.log(
                level,
                "%s",
                message,
                extra={"facts": {"redraft.run": describe.run, "redraft.key": event.key, **logged}},
            )
        if signals is not None:
            signals.take(event, facts)

    return observe


class _Facts:
    """The facts of the events of one run, by the names of the conventions and without the words of a brief."""

    def __init__(self) -> None:
        self.run = ""
        """Digits that name the run; the words before them in its name are those of the brief."""
        self._start: RunStarted | None = None
        self._started: dict[str, EffectStarted] = {}

    def __call__(self, event: Event) -> Facts:
        return {name: value for name, value in self._facts_of(event).items() if value is not None}

    def _facts_of(self, event: Event) -> Facts:  # noqa: PLR0911  one case for each event
        match event:
            case RunStarted():
                self._start, self.run = event, event.run.rpartition("-")[2]
                return {
                    "gen_ai.operation.name": "invoke_workflow",
                    "gen_ai.workflow.name": f"redraft.{event.studio}",
                    "redraft.run": self.run,
                    "redraft.studio": event.studio,
                    "redraft.seed": event.seed,
                    "redraft.worst_case_calls": event.worst_case_calls,
                }
            case EffectStarted():
                self._started[event.key] = event
                return self._call(event) if event.asks_model else {"redraft.effect": event.key.rpartition("/")[2]}
            case EffectFinished() | EffectFailed():
                return self._ended(event)
            case TurnStarted():
                return {"redraft.turn": event.iteration, "redraft.kind": event.kind}
            case Attempted():
                return {"redraft.kind": event.kind, "redraft.ran": event.ran, "redraft.retries": event.retry_count}
            case Validated(report=report):
                counts = {f"redraft.{severity}s": report.count(severity) for severity in get_args(Severity)}
                judged = {"redraft.valid": report.valid, "redraft.score": report.score}
                return {"redraft.source": event.source, **judged, **counts}
            case Verified(verdict=verdict):
                return {"redraft.by": verdict.by, "redraft.satisfied": verdict.satisfied}
            case Iterated(record=record):
                facts = {"redraft.turn": record.iteration, "redraft.best": event.best, "redraft.score": record.score}
                return {**facts, "redraft.retries": record.retry_count}
            case RunFinished(error=error):
                seconds = None if self._start is None else (event.at - self._start.at).total_seconds()
                early = {"redraft.phase": error.get("phase"), "error.type": "ended early"} if error else {}
                return {"redraft.valid": event.valid, "redraft.score": event.score, "redraft.seconds": seconds, **early}
            case _:
                return {}

    def _call(self, event: EffectStarted) -> Facts:
        """Return the facts of a model call that begins."""
        inputs = cast("Mapping[str, Any]", event.inputs)
        messages = [(message["role"], message["text"]) for message in inputs["messages"]]
        return {
            "gen_ai.operation.name": "chat",
            **_served("" if self._start is None else str(self._start.model.get("name", ""))),
            "gen_ai.output.type": "text" if inputs.get("output_schema") is None else "json",
            "gen_ai.request.seed": inputs.get("seed"),
            "gen_ai.request.temperature": inputs.get("temperature"),
            "redraft.kind": inputs.get("kind"),
            "redraft.pictures": len(inputs.get("pictures", ())),
            **_content("gen_ai.input.messages", messages),
        }

    def _ended(self, event: EffectFinished | EffectFailed) -> Facts:
        """Return the facts of an effect that ended."""
        start = self._started.pop(event.key)
        facts: Facts = {"redraft.seconds": (event.at - start.at).total_seconds()}
        if isinstance(event, EffectFailed):
            return {**facts, "error.type": event.failure_class}
        if not start.asks_model:
            return {**facts, "redraft.effect": event.key.rpartition("/")[2]}
        reply = Reply.model_validate(event.result)
        reason = reply.params.get("finish_reason")
        return {
            **facts,
            "gen_ai.operation.name": "chat",
            **_served(reply.model),
            "gen_ai.response.model": reply.params.get("served_by"),
            "gen_ai.response.finish_reasons": None if reason is None else [str(reason)],
            "gen_ai.usage.input_tokens": reply.usage.input_tokens,
            "gen_ai.usage.output_tokens": reply.usage.output_tokens,
            "redraft.cost_usd": reply.usage.cost,
            **_content("gen_ai.output.messages", [("assistant", reply.text)]),
        }


def _served(model: str) -> Facts:
    """Return the provider and the name of a model: `anthropic:claude-…`, or one of redraft's own."""
    provider, colon, name = model.partition(":")
    if not colon:
        return {"gen_ai.provider.name": "redraft", "gen_ai.request.model": model}
    return {"gen_ai.provider.name": PROVIDER_NAMES.get(provider, provider), "gen_ai.request.model": name}


def _content(name: str, messages: Iterable[tuple[str, str]]) -> Facts:
    """Return the messages themselves, by role, if the environment asks for them."""
    if os.environ.get(CONTENT, "").lower() != "true":
        return {}
    parts = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in messages]
    return {name: json.dumps(parts, ensure_ascii=False)}


@dataclass(frozen=True)
class _Open:
    """A span that has not ended."""

    span: Span
    kind: str
    """`run`, `turn`, `call` or `effect`."""
    at: datetime
    facts: Facts


class _Signals:
    """The spans of one run, run → turn → call or effect, with the times of its events, and the metrics about them."""

    def __init__(self, tracer: Tracer, meter: Meter) -> None:
        seconds: dict[str, Any] = {"unit": "s", "explicit_bucket_boundaries_advisory": SECONDS}
        self._tracer = tracer
        self._open: dict[str, _Open] = {}
        self._turns = set[str]()
        self._studio: Facts = {}
        self._durations = {
            kind: meter.create_histogram(name, **seconds)
            for kind, name in (
                ("run", "redraft.run.duration"),
                ("turn", "redraft.turn.duration"),
                ("call", "gen_ai.client.operation.duration"),
                ("effect", "redraft.effect.duration"),
            )
        }
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage", unit="{token}", explicit_bucket_boundaries_advisory=TOKENS
        )
        self._cost = meter.create_counter("redraft.cost", unit="USD")

    def take(self, event: Event, facts: Facts) -> None:
        """Take one event; those of before a run was resumed, which are shown again, are left out."""
        if isinstance(event, RunStarted):
            self._studio = {"redraft.studio": event.studio}
            self._begin("run", f"invoke_workflow {facts['gen_ai.workflow.name']}", event, facts, key="run")
        if "run" not in self._open or event.at < self._open["run"].at:
            return
        place = Place.of(event.key)
        turn = "" if place is None else str(Place(place.turn))
        if place is not None and turn not in self._turns:
            self._turns.add(turn)
            self._begin("turn", "turn", event, {"redraft.turn": place.turn}, key=turn)
        parent = turn if turn in self._open else "run"
        match event:
            case EffectStarted():
                kind, name = "effect", str(facts.get("redraft.effect"))
                if event.asks_model:
                    kind, name = "call", f"chat {facts['gen_ai.request.model']}"
                self._begin(kind, name, event, {"redraft.key": event.key, **facts}, within=parent)
            case EffectFinished() | EffectFailed() | Iterated():
                self._end(event.key, event.at, facts)
            case RunFinished():
                for key in [key for key in reversed(self._open) if key != "run"]:
                    self._end(key, event.at, {"error.type": "unfinished"})
                self._end("run", event.at, facts)
            case Attempted() | Validated() | Verified():
                self._open[parent].span.add_event(f"redraft.{event.event}", facts, _nanoseconds(event.at))
            case _:
                pass

    def _begin(self, kind: str, name: str, event: Event, facts: Facts, *, key: str = "", within: str = "run") -> None:
        from opentelemetry.trace import SpanKind, set_span_in_context

        span = self._tracer.start_span(
            name,
            context=set_span_in_context(self._open[within].span) if within in self._open else None,
            kind=SpanKind.CLIENT if kind == "call" else SpanKind.INTERNAL,
            attributes=facts,
            start_time=_nanoseconds(event.at),
        )
        self._open[key or event.key] = _Open(span, kind, event.at, facts)

    def _end(self, key: str, at: datetime, facts: Facts) -> None:
        from opentelemetry.trace import StatusCode

        one = self._open.pop(key, None)
        if one is None:  # it began before the run by the clock, which was set back
            return
        one.span.set_attributes(facts)
        if "gen_ai.request.model" in facts:  # a judge's need not be the run's own
            one.span.update_name(f"chat {facts['gen_ai.request.model']}")
        if "error.type" in facts:
            one.span.set_status(StatusCode.ERROR)
        one.span.end(_nanoseconds(at))
        shared = {name: value for name, value in (one.facts | facts | self._studio).items() if name in MEASURED}
        self._durations[one.kind].record(max(0.0, (at - one.at).total_seconds()), shared)
        for token in ("input", "output") if "gen_ai.usage.input_tokens" in facts else ():
            self._tokens.record(facts[f"gen_ai.usage.{token}_tokens"], {**shared, "gen_ai.token.type": token})
        if facts.get("redraft.cost_usd"):
            self._cost.add(facts["redraft.cost_usd"], shared)


def _nanoseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000


def _open_instruments() -> tuple[Tracer, Meter] | None:
    """Return the tracer and the meter of the run; None if nothing is to be measured.

    The providers of the program that uses redraft come first, then those that the environment configures.
    """
    sent = tuple(signal for signal in ("traces", "metrics") if configured(signal))
    if not sent and "opentelemetry.sdk" not in sys.modules:
        return None
    try:
        from opentelemetry import metrics, trace
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.trace import TracerProvider

        tracers, meters = providers(sent)
    except ImportError as error:
        raise MissingPartError.of("Telemetry, which OTEL_EXPORTER_OTLP_ENDPOINT asks for,", error, "otel") from error
    if isinstance(trace.get_tracer_provider(), TracerProvider):
        tracers = trace.get_tracer_provider()
    if isinstance(metrics.get_meter_provider(), MeterProvider):
        meters = metrics.get_meter_provider()
    return tracers.get_tracer("redraft", version("redraft")), meters.get_meter("redraft", version("redraft"))


def _variable(signal: str, name: str) -> str:
    """Return a standard variable: that of the signal, or else that of all signals."""
    names = (f"OTEL_EXPORTER_OTLP_{signal.upper()}_{name}", f"OTEL_EXPORTER_OTLP_{name}")
    return next(filter(None, (os.environ.get(each) for each in names)), "")


def configured(signal: str) -> bool:
    """Return whether the environment names a collector for a signal. Raises `ConfigError`."""
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if off or os.environ.get(f"OTEL_{signal.upper()}_EXPORTER") == "none" or not _variable(signal, "ENDPOINT"):
        return False
    if _variable(signal, "PROTOCOL") not in ("", "http/protobuf"):
        raise ConfigError(
            f"OTEL_EXPORTER_OTLP_PROTOCOL is {_variable(signal, 'PROTOCOL')!r}; redraft sends telemetry by "
            "http/protobuf only. Set that, and the collector's address for HTTP (its port is 4318 by default)."
        )
    return True


@cache
def providers(sent: tuple[str, ...]) -> tuple[TracerProvider, MeterProvider]:
    """Return the providers of this process, set up by OpenTelemetry's variables; they send in threads of their own, and
    the rest when the process ends."""
    from opentelemetry.metrics import NoOpMeterProvider
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.trace import NoOpTracerProvider

    own = Resource({"service.name": "redraft", "service.version": version("redraft")})
    resource = Resource.create().merge(own).merge(OTELResourceDetector().detect())
    tracers, meters = NoOpTracerProvider(), NoOpMeterProvider()
    patience = None if os.environ.get("OTEL_EXPORTER_OTLP_TIMEOUT") else EXPORT_TIMEOUT
    if sent and not _log.isEnabledFor(logging.DEBUG):  # a failure is an error; each retry is a warning
        logging.getLogger("opentelemetry").setLevel(logging.ERROR)
    if "traces" in sent:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        tracers = TracerProvider(resource=resource)
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=patience)))
    if "metrics" in sent:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

        meters = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter(timeout=patience))], resource)
    return tracers, meters
