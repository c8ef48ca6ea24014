"""What ComfyUI says of a prompt: why it was not taken, how it went, and which files came out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from redraft.imaging.words import as_list, as_object, clipped, text_of

__all__ = ["File", "Position", "failure_in", "files_in", "node_errors_in", "position_in"]

_TOLD = 4
"""Errors of one response that are quoted; the rest is counted."""


@dataclass(frozen=True)
class File:
    """A picture on the server's disk, as `/view` wants it."""

    filename: str
    subfolder: str
    kind: str
    """`output`, or `temp` for previews."""


@dataclass(frozen=True)
class Position:
    """Where a prompt is in the queue."""

    prompt_id: str
    ahead: int | None
    """How many come first; None when it is being painted."""


def node_errors_in(reply: Mapping[str, JsonValue]) -> str:
    """What the server found wrong with which nodes, as `node 4 (CheckpointLoaderSimple): Value not in list: …`."""
    found = list(_node_errors(as_object(reply.get("node_errors"))))
    rest = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
    return clipped("; ".join(found[:_TOLD]) + rest)


def _node_errors(nodes: Mapping[str, JsonValue]) -> Iterator[str]:
    for name, value in nodes.items():
        node = as_object(value)
        kind = text_of(node, "class_type")
        for each in as_list(node.get("errors")):
            error = as_object(each)
            words = ": ".join(filter(None, (text_of(error, "message"), text_of(error, "details"))))
            yield f"node {name}{f' ({kind})' if kind else ''}: {words or 'an error without words'}"


def position_in(queue: Mapping[str, JsonValue], prompt_id: str, client_id: str) -> Position | None:
    """Where our prompt is. It is known by its id; or, where the server gave it another, by who sent it."""
    running = as_list(queue.get("queue_running"))
    for item in running:
        if ours := _ours(item, prompt_id, client_id):
            return Position(ours, None)
    pending = sorted((as_list(item) for item in as_list(queue.get("queue_pending"))), key=_number)
    for ahead, item in enumerate(pending):
        if ours := _ours(item, prompt_id, client_id):
            return Position(ours, ahead + len(running))
    return None


def _ours(item: JsonValue, prompt_id: str, client_id: str) -> str:
    """The id of an item of the queue, `[number, prompt_id, prompt, extra_data, …]`, if it is ours; else empty."""
    fields = as_list(item)
    found = fields[1] if len(fields) > 1 and isinstance(fields[1], str) else ""
    sender = text_of(as_object(fields[3]), "client_id") if len(fields) > 3 else ""
    return found if found and (found == prompt_id or sender == client_id) else ""


def _number(item: list[JsonValue]) -> float:
    first = item[0] if item else 0
    return float(first) if isinstance(first, int | float) else 0.0


def failure_in(entry: Mapping[str, JsonValue]) -> str | None:
    """Why a finished prompt failed, in the server's words; None when it did not. Old servers keep no status."""
    status = as_object(entry.get("status"))
    events = [as_list(message) for message in as_list(status.get("messages"))]
    for event in events:
        data = as_object(event[1]) if len(event) > 1 else {}
        if event[:1] == ["execution_error"]:
            said = text_of(data, "exception_message") or "an error without words"
            return clipped(f"{_node(data)}: {text_of(data, 'exception_type')}: {said}")
        if event[:1] == ["execution_interrupted"]:
            return f"it was stopped on the server, at {_node(data)}"
    return "it ended with an error that says nothing" if text_of(status, "status_str") == "error" else None


def _node(data: Mapping[str, JsonValue]) -> str:
    kind = text_of(data, "node_type")
    return f"node {text_of(data, 'node_id') or '?'}{f' ({kind})' if kind else ''}"


def files_in(entry: Mapping[str, JsonValue]) -> list[File]:
    """The pictures of all output nodes; saved ones before previews, otherwise in the server's order."""
    outputs = as_object(entry.get("outputs"))
    listed = [as_object(each) for node in outputs.values() for each in as_list(as_object(node).get("images"))]
    files = [
        File(text_of(each, "filename"), text_of(each, "subfolder"), text_of(each, "type") or "output")
        for each in listed
        if text_of(each, "filename")
    ]
    return sorted(files, key=lambda file: file.kind != "output")
