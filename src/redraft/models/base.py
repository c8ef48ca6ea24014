"""The interface to language models: `async ask(Request) -> Reply`, and the settings of a model on a network.

A request has structured `inputs`, and prose that is rendered from them alone. A model of rules can answer from the
inputs, and no prompt can leave out an input that such a model uses.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Annotated, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

from redraft.result import Picture, Usage
from redraft.trust import Trusted


class Message(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["system", "user", "assistant"]
    text: str


class Request(BaseModel):
    """Everything a model gets for one reply. Complete in itself: nothing is remembered between requests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    """Kind of request: `sketch.draft`, `sketch.repair`, `sketch.critique` …"""
    path: str
    """The structural path in the run: `iteration-1/candidate-0/draft`. Unique within a run."""
    inputs: Mapping[str, JsonValue]
    messages: tuple[Message, ...]
    """In order; the last one is the user's, and the `pictures` belong to it."""
    output_schema: dict[str, JsonValue] | None = None
    """JSON schema of the reply, if it has to be JSON."""
    pictures: tuple[Picture, ...] = ()
    temperature: float | None = None
    seed: int = 0
    """Derived from the run's seed and the path, so that equal prompts at two places may have different replies."""
    template: str = ""
    """Digest of the templates that the prose was rendered from."""


class Reply(BaseModel):
    """A model's answer. `text` is always data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    model: str
    usage: Usage = Field(default_factory=lambda: Usage(calls=1))
    params: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """Parameters of the request, and the provider's facts about the reply (finish reason, retries)."""
    stand_ins: tuple[str, ...] = ()
    """Things of the brief that the model cannot make: the reply leaves them out or has placeholders for them."""


class ModelInfo(BaseModel):
    """The properties of a model that redraft needs before the first request."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    sees: bool = False
    """True if it takes pictures; if not, no critic is asked."""
    rules: bool = False
    """True if it answers by rules, and so always answers the same request alike."""
    label: str = ""
    """One line about this model for the transcript."""


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


_CLOCK = re.compile(r"\d[\d.]* ms a frame")
"""A measured time, which is never the same twice."""


def digest(request: Request) -> str:
    """Return thirty-two hexadecimal digits over all that a reply may depend on.

    That is the kind, the messages without measured times, the schema, the pictures' bytes, the temperature and the
    seed. The path is left out, which is about the place of the request and not its content; so are the names of the
    pictures, and the inputs, which the messages put into words.
    """
    content = {
        "kind": request.kind,
        "messages": [[message.role, _CLOCK.sub("", message.text)] for message in request.messages],
        "output_schema": request.output_schema,
        "pictures": [hashlib.sha256(picture.png).hexdigest() for picture in request.pictures],
        "temperature": request.temperature,
        "seed": request.seed,
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


SchemaMode = Literal["native", "tool", "prompted"]
"""Form of a JSON schema: the response format, a tool to call, or words of the prompt."""


class ModelSettings(BaseModel):
    """Settings of a model on a network. `sees` applies to every kind; the others to providers alone."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    base_url: Annotated[str | None, Trusted("chooses a server")] = None
    """Server of the model, instead of the provider's own; `openai-compatible:NAME` needs it."""
    timeout: float = Field(default=120.0, gt=0, le=7_200)
    """Time limit for one try in seconds, from connecting to the last byte."""
    transport_retries: int = Field(default=4, ge=0, le=20)
    """Retries after a transport error; 0 means none."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """For requests without a temperature of their own (a judge's has one); None leaves it to the provider."""
    max_tokens: int | None = Field(default=None, ge=1, le=10_000_000)
    """Longest reply, in tokens."""
    api_key_env: Annotated[str | None, Trusted("names a key")] = Field(
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"
    )
    """Name of the environment variable that holds the key, if it is not the provider's usual one."""
    input_price: Annotated[float | None, Trusted("says what calls cost")] = Field(default=None, ge=0)
    """US dollars for a million input tokens; overrides the price list. Goes together with `output_price`."""
    output_price: Annotated[float | None, Trusted("says what calls cost")] = Field(default=None, ge=0)
    """US dollars for a million output tokens."""
    sees: bool | None = None
    """Whether the model takes pictures, if redraft cannot find out or is wrong."""
    schema_mode: SchemaMode | None = None
    """How to send a JSON schema, for servers that do not support their model's default."""

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value is not None and not re.match(r"https?://[^\s/]", value):
            raise ValueError("expected an address, as in http://localhost:8080/v1")
        if value is not None and re.match(r"https?://[^/?#]*@", value):
            raise ValueError(
                "settings are recorded, so an address has no login; name the key's variable in api_key_env"
            )
        return value

    @model_validator(mode="after")
    def _both_prices(self) -> ModelSettings:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("input_price and output_price go together: give both, or neither for the price list")
        return self
