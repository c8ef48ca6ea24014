"""The one seam to language models: `async ask(Request) -> Reply`.

A request carries structured `inputs` and the prose rendered from them alone, so that a rule-based model can answer
from the inputs and yet no prompt can leave out what that model was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from redraft.result import Picture, Usage

__all__ = ["Message", "Model", "ModelInfo", "Reply", "Request"]


class Message(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["system", "user", "assistant"]
    text: str


class Request(BaseModel):
    """Everything a model is given for one reply. Complete in itself: nothing is remembered between requests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    """What is wanted: `sketch.draft`, `sketch.repair`, `sketch.critique` …"""
    path: str
    """The structural path in the run: `iteration-1/candidate-0/draft`. Unique within a run."""
    inputs: Mapping[str, JsonValue]
    messages: tuple[Message, ...]
    """In order; the last one is the user's. `pictures` belong to that last one."""
    output_schema: dict[str, JsonValue] | None = None
    """JSON schema of the reply, when it must be JSON."""
    pictures: tuple[Picture, ...] = ()
    temperature: float | None = None
    seed: int = 0
    """Derived from the run's seed and the path: so that equal prompts at other places may differ."""
    template: str = ""
    """Digest of the templates the prose was rendered from."""


class Reply(BaseModel):
    """What a model answered. `text` is taken as data, always."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    model: str
    usage: Usage = Field(default_factory=lambda: Usage(calls=1))
    params: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """What was sent beside the messages, and what the provider said of the reply (finish reason, retries)."""


class ModelInfo(BaseModel):
    """What redraft must know of a model before it asks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    sees: bool = False
    """It takes pictures; without this the critic is not asked."""
    rules: bool = False
    """It answers by rules: where it cannot read a brief itself, it is given what the grammar reads from it."""
    label: str = ""
    """One honest line for the transcript: what this model is."""


@runtime_checkable
class Model(Protocol):
    """A source of replies. Implementations hold no state that a second request could depend on."""

    @property
    def info(self) -> ModelInfo: ...

    async def ask(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            ModelUnavailableError: out of reach after transport retries.
            ModelRefusedError: the request itself was rejected.
        """
        ...
