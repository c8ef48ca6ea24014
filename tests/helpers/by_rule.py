"""Requests as the offline model reads them: structured inputs, and prose that it never looks at."""

from __future__ import annotations

from redraft.models.base import Message, Request
from redraft.models.conversation import Inputs


def asking(kind: str, inputs: Inputs, seed: int = 1) -> Request:
    """A request of a kind with these inputs."""
    message = Message(role="user", text="This prose is not read.")
    return Request(kind=kind, path="test", inputs=inputs, messages=(message,), seed=seed)
