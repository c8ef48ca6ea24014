"""Models on a network: every provider that Pydantic AI supports, through its direct request interface.

Transport failures are tried again within one budget; retries of the providers' own clients are off. Refusals are
reported in the provider's own words. `providers` sets up the connection.
"""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import anyio
from pydantic import JsonValue

from redraft.errors import LimitError, ModelRefusedError, ModelUnavailableError
from redraft.limits import read_json
from redraft.models.base import ModelInfo, ModelSettings, Reply, Request
from redraft.models.messages import clipped, ended, readable
from redraft.models.providers import connect, cost_of
from redraft.models.wire import Exchange, exchange
from redraft.result import Usage
from redraft.text import plural

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings as WireSettings

MAX_WAIT = 120.0
"""Seconds of a pause that a server may ask for; a longer one is reported at once, and the run resumed later."""

_AGAIN = frozenset({408, 409, 429})
_SHAPE_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors of a provider's library at a reply that it did not expect."""


class ProviderModel:
    """A model named `provider:name`. `notify` gets one line for each retry.

    Raises on construction:
        ConfigError: the provider is unknown, its key is missing, or it does not support a setting.
        MissingPartError: its library is not installed.
    """

    def __init__(
        self,
        spec: str,
        settings: ModelSettings | None = None,
        *,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._settings = settings or ModelSettings()
        self._connection = connect(spec, self._settings)
        self._sleep = sleep
        self._notify = notify

    @property
    def info(self) -> ModelInfo:
        return self._connection.info

    async def ask(self, request: Request) -> Reply:
        """Answer one request, trying again what failed on the way.

        Raises:
            ModelRefusedError: the provider rejected it, or it has pictures and the model does not see.
            ModelUnavailableError: the last try failed, or the server asks for a longer pause than `MAX_WAIT`.
        """
        if request.pictures and not self.info.sees:
            raise ModelRefusedError(
                f"{self.info.name} is not known to see, and {request.kind} at {request.path} has "
                f"{len(request.pictures)} picture(s). If it does see, set models.sees: true."
            )
        # Entered for each request: the provider's connections belong to one event loop, and are closed with it.
        async with self._connection.model:
            response, retries = await self._send_until_answered(request)

        params: dict[str, JsonValue] = {
            "served_by": response.model_name,
            "temperature": self._temperature(request),
            "max_tokens": self._settings.max_tokens,
            "finish_reason": response.finish_reason,
            "retries": len(retries),
        }
        if retries:
            params["retry_reasons"] = list(retries)
        if response.finish_reason == "length":
            params["truncated"] = True
        if request.output_schema is not None:
            params["schema_mode"] = self._connection.schema_mode
        usage = Usage(
            calls=1,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost=cost_of(response, self._settings),
        )
        return Reply(text=_text(response), model=self.info.name, usage=usage, params=params)

    async def _send_until_answered(self, request: Request) -> tuple[ModelResponse, list[str]]:
        """Return the response, and the reasons of the tries that failed before. Raises as `ask` does."""
        import httpx2
        from pydantic_ai.exceptions import AgentRunError, UserError

        messages, settings, parameters = _messages(request), self._wire_settings(request), self._parameters(request)
        generator = random.Random(request.seed)  # noqa: S311  spreads clients out, hides nothing
        tries = self._settings.transport_retries + 1
        reasons: list[str] = []
        while True:
            kept = Exchange()
            exchange.set(kept)
            try:
                return await self._send(request, messages, settings, parameters), reasons
            except (AgentRunError, UserError, _UnusableError, httpx2.HTTPError, OSError, *_SHAPE_ERRORS) as error:
                if isinstance(error, _SHAPE_ERRORS) and not kept.succeeded:
                    raise
                failed = _classify(error, kept)
                reason = failed.reason
                for secret in self._connection.secrets:
                    reason = reason.replace(secret, "[hidden]")
                reasons.append(reason)
                if not failed.again and not kept.succeeded:
                    raise self._refusal(failed, reason) from None
                if not failed.again or len(reasons) >= tries or (failed.wait or 0.0) > MAX_WAIT:
                    raise self._unavailable(failed, reasons, kept) from None

            # The pause lies outside the handler, so that a cancellation there is not chained to the failure.
            seconds = max(backoff(len(reasons), generator), failed.wait or 0.0)
            self._notify(f"{self.info.name}: {reason}; try {len(reasons) + 1} of {tries} in {seconds:.1f} s")
            await self._sleep(seconds)

    async def _send(
        self,
        request: Request,
        messages: list[ModelMessage],
        settings: WireSettings,
        parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Send a request once. Raises `_UnusableError` for a whole response without an answer in it."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ToolCallPart

        model = self._connection.model
        with anyio.fail_after(self._settings.timeout):
            response = await model_request(
                model, messages, model_settings=settings, model_request_parameters=parameters, instrument=False
            )

        # Long Anthropic replies are streamed, and always end with a reason; other servers may leave it out.
        if response.finish_reason is None and model.system == "anthropic":
            raise _UnusableError("the stream ended before the reply did")
        tools = [part.tool_name for part in response.parts if isinstance(part, ToolCallPart)]
        if tools and request.output_schema is None:
            raise _UnusableError(f"the model called the tool {clipped(tools[0])[:60]!r}, and none was offered")
        if response.finish_reason in (None, "error") and not _text(response):
            raise _UnusableError("the reply is empty")
        return response

    def _temperature(self, request: Request) -> float | None:
        if not self._connection.takes_temperature:
            return None
        return self._settings.temperature if request.temperature is None else request.temperature

    def _wire_settings(self, request: Request) -> WireSettings:
        """Return the settings of a request in Pydantic AI's terms."""
        settings: WireSettings = {"request_timeout": self._settings.timeout, "seed": request.seed % 2**31}
        if "max_retries" not in self._connection.model.unsupported_settings:
            settings["max_retries"] = 0
        if self._settings.max_tokens is not None:
            settings["max_tokens"] = self._settings.max_tokens
        temperature = self._temperature(request)
        if temperature is not None:
            settings["temperature"] = temperature
        return settings

    def _parameters(self, request: Request) -> ModelRequestParameters:
        """Return the schema of the reply, if there is one, in the form that the model takes."""
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition
        from pydantic_ai.tools import ToolDefinition

        schema = request.output_schema
        if schema is None:
            return ModelRequestParameters()
        name = request.kind.replace(".", "_")
        if self._connection.schema_mode == "tool":
            tool = ToolDefinition(
                name=name, description="Gives the reply.", parameters_json_schema=schema, kind="output"
            )
            return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
        return ModelRequestParameters(
            output_mode=self._connection.schema_mode,
            output_object=OutputObjectDefinition(json_schema=schema, name=name),
        )

    def _refusal(self, failed: Failed, reason: str) -> ModelRefusedError:
        hints = {
            401: f" Check the key in {self._connection.key_env or 'the environment'}.",
            403: f" Check that the key in {self._connection.key_env or 'the environment'} may use this model.",
            404: " Check the model's name, and models.base_url if it is set.",
            413: " The request is too large for this model.",
        }
        hint = hints.get(failed.status or 0, "")
        return ModelRefusedError(f"{self.info.name} refused the request: {ended(reason)}{hint}")

    def _unavailable(self, failed: Failed, reasons: list[str], kept: Exchange) -> ModelUnavailableError:
        pause = f" It asks for a pause of {failed.wait:.0f} s." if (failed.wait or 0.0) > MAX_WAIT else ""
        outcome = "sent no usable reply" if kept.succeeded else "did not answer"
        return ModelUnavailableError(
            f"{self.info.name} {outcome} after {plural(len(reasons), 'try', 'tries')} (each at most "
            f"{self._settings.timeout:g} s). Last: {ended(reasons[-1])}{pause} Finished work is kept; resume the run "
            "later."
        )


def _messages(request: Request) -> list[ModelMessage]:
    """Return the messages of a request in Pydantic AI's terms; the pictures go with the last one."""
    from pydantic_ai.messages import (
        BinaryContent,
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        UserPromptPart,
    )

    pictures = [BinaryContent(picture.png, media_type="image/png") for picture in request.pictures]
    sent: list[ModelMessage] = []
    for message in request.messages:
        match message.role:
            case "assistant":
                sent.append(ModelResponse(parts=[TextPart(message.text)]))
            case "system":
                sent.append(ModelRequest(parts=[SystemPromptPart(message.text)]))
            case "user":
                shown = pictures and message is request.messages[-1]
                content = [message.text, *pictures] if shown else message.text
                sent.append(ModelRequest(parts=[UserPromptPart(content)]))
    return sent


def _text(response: ModelResponse) -> str:
    """Return the reply's text: the arguments of the schema's tool where it was called."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    for part in response.parts:
        if isinstance(part, ToolCallPart):
            arguments = part.args if part.args is not None else {}
            return arguments if isinstance(arguments, str) else json.dumps(cast("JsonValue", arguments))
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


class _UnusableError(Exception):
    """A whole reply that has no answer in it."""


@dataclass(frozen=True)
class Failed:
    """The reason one try failed."""

    reason: str
    again: bool
    """Another try may succeed."""
    wait: float | None = None
    """Seconds that the server asked for (Retry-After)."""
    status: int | None = None


def backoff(number: int, generator: random.Random) -> float:
    """Return the seconds before try `number` + 1: 1, 2, 4 … 30, each up to a half shorter, to spread clients out."""
    return min(30.0, 2.0 ** (number - 1)) * generator.uniform(0.5, 1.0)


def _classify(error: Exception, kept: Exchange) -> Failed:
    """Return the reason that a try failed, and whether another is worth it.

    Tried again: 408, 409, 429, every 5xx, a connection that failed or dropped, a time limit, and a reply that cannot
    be read. Not tried again: all other errors of the server, exhausted credit, a reply beyond the limit of its size,
    and a request that cannot be sent.
    """
    from pydantic_ai import exceptions as known

    refused = (known.ModelRequestRejectedError, known.ModelQuotaExceededError)
    match error:
        case known.ModelHTTPError():
            again = error.status_code in _AGAIN or error.status_code >= 500
            again = again and not isinstance(error, refused) and error.provider_retry_hint is not False
            hint = f" Did you mean {error.suggested_model_id!r}?" if error.suggested_model_id else ""
            reason = f"HTTP {error.status_code}: {clipped(_body_text(error.body))}{hint}"
            return Failed(reason, again, error.retry_after, error.status_code)
        case known.UserError() | known.ModelRequestRejectedError() | known.ModelQuotaExceededError():
            return Failed(clipped(str(error)), again=False)
        case known.ContentFilterError():
            return Failed(f"the provider's content filter stopped it: {clipped(str(error))}", again=False)
        case known.ModelRequestTimeout() | known.ModelTimeoutError() | TimeoutError():
            return Failed("no answer in time", again=True)
        case _ if isinstance(kept.error, LimitError):
            return Failed(str(kept.error), again=False)
        case _:
            reason = _unfit(error, kept) if kept.succeeded else clipped(_chain(error))
            wait = error.retry_after if isinstance(error, known.ModelAPIError) else None
            return Failed(reason, again=True, wait=wait)


def _unfit(error: Exception, kept: Exchange) -> str:
    """Return the reason that a reply with the status of a success cannot be used, and the start of it."""
    with suppress(ValueError):
        fields = read_json(kept.body)
        if isinstance(fields, dict) and (inner := cast("dict[str, object]", fields).get("error")):
            return f"HTTP {kept.status} with an error: {clipped(_body_text(inner))}"
    if "event-stream" in kept.media_type:
        return clipped(_chain(error))
    words = readable(kept.body)[:300]
    sent = f"The server sent HTTP {kept.status} with {repr(words) if words else 'an empty body'}"
    reason = "the reply is not one of this provider's interface"
    if isinstance(error, _UnusableError):
        reason = str(error)
    elif kept.error is not None:
        reason = f"the reply cannot be read ({clipped(str(kept.error))})"
    return f"{reason}. {sent}. Check models.base_url and the model's name"


def _body_text(body: object) -> str:
    """Return the message in an error body: OpenAI and Anthropic nest it under `error`."""
    if isinstance(body, dict):
        fields = cast("dict[str, object]", body)
        inner = fields.get("error", fields.get("message"))
        return str(fields) if inner is None else _body_text(inner)
    return "no message" if body is None else str(body)


def _chain(error: BaseException) -> str:
    """Return the messages of an error and its causes, each once: `Connection error.` alone says nothing."""
    messages: list[str] = []
    link: BaseException | None = error
    while link is not None:
        text = str(link).rstrip(".") or type(link).__name__
        if not any(text in earlier for earlier in messages):
            messages.append(text)
        link = link.__cause__
    return ": ".join(messages)
