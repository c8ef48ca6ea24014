"""An OpenTelemetry collector on loopback: it decodes what it is sent, or does not answer."""

from __future__ import annotations

import gzip
from typing import Any

from http_loopback import Drop, Hang, OnLoopback, Quiet, send
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector(OnLoopback):
    """Keeps the spans and the metrics of each request; `act` is done instead of answering."""

    def __init__(self, act: Drop | Hang | int = 200) -> None:
        self.spans: list[Span] = []
        self.metrics: dict[str, Metric] = {}
        self.resources: list[dict[str, Any]] = []
        self.asked = 0
        collector = self

        class Handler(Quiet):
            def do_POST(self) -> None:
                collector.asked += 1
                raw = self.rfile.read(int(self.headers["content-length"]))
                if not isinstance(act, int):
                    collector.leave(act, self)
                    return
                collector.take(self.path, gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
                send(self, act, {"content-type": "application/x-protobuf"}, b"", 0)

        super().__init__(Handler)

    def take(self, path: str, raw: bytes) -> None:
        """Decode one request."""
        if path == "/v1/traces":
            for one in ExportTraceServiceRequest.FromString(raw).resource_spans:
                self.resources.append(attributes(one.resource.attributes))
                self.spans += [span for scope in one.scope_spans for span in scope.spans]
        elif path == "/v1/metrics":
            for each in ExportMetricsServiceRequest.FromString(raw).resource_metrics:
                self.metrics |= {metric.name: metric for scope in each.scope_metrics for metric in scope.metrics}
        else:
            raise AssertionError(path)

    def points(self, name: str) -> list[tuple[int, float, dict[str, Any]]]:
        """Return count, sum and attributes of each point of a histogram."""
        found = self.metrics[name].histogram.data_points
        return [(point.count, point.sum, attributes(point.attributes)) for point in found]


def attributes(pairs: Any) -> dict[str, Any]:
    """Return attributes as plain values."""
    return {pair.key: _plain(pair.value) for pair in _listed(pairs)}


def _listed(pairs: Any) -> list[KeyValue]:
    return list(pairs)


def _plain(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_plain(each) for each in value.array_value.values]
    return getattr(value, str(kind))
