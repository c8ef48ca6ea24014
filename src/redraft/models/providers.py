"""Models behind a network: every provider that Pydantic AI knows, through its direct request interface.

What a request says is sent, what the provider says of its reply is recorded: tokens, cost, finish reason, retries.
Failures on the way are tried again within one budget; refusals are reported in the provider's own words.
"""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, cast

import anyio
from pydantic import JsonValue

from redraft.errors import ModelRefusedError, ModelUnavailableError
from redraft.models.base import Message, ModelInfo, Reply, Request
from redraft.models.connect import connect
from redraft.models.price import cost_of
from redraft.models.retry import LONGEST_WAIT, CutOffError, Failed, backoff, classify, failures
from redraft.models.settings import ModelSettings
from redraft.result import Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, UserContent
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings as WireSettings

__all__ = ["Notify", "ProviderModel", "Sleep"]

Sleep = Callable[[float], Awaitable[object]]
Notify = Callable[[str], None]
"""Told, in one line, why a request takes long."""


def _quiet(line: str) -> None:
    """Tells nobody."""


class ProviderModel:
    """A model named `provider:name`.

    Raises on construction:
        ConfigError: the provider is unknown, its key is missing, or it cannot honour a setting.
        MissingPartError: its library is not installed.
    """

    def __init__(
        self, spec: str, settings: ModelSettings | None = None, *, sleep: Sleep = anyio.sleep, notify: Notify = _quiet
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
            ModelUnavailableError: the last try failed, or the server asks for a longer pause than `LONGEST_WAIT`.
        """
        if request.pictures and not self.info.sees:
            raise ModelRefusedError(
                f"{self.info.name} is not known to see, and {request.kind} at {request.path} has "
                f"{len(request.pictures)} picture(s). If it does see, set models.sees: true."
            )
        # Entered for each request: the provider's connections belong to one event loop, and are closed with it.
        async with self._connection.model:
            response, retries = await self._persist(request)
        return self._reply(request, response, retries)

    async def _persist(self, request: Request) -> tuple[ModelResponse, list[str]]:
        generator = random.Random(request.seed)  # noqa: S311  spreads clients out, hides nothing
        reasons: list[str] = []
        while True:
            try:
                return await self._send(request), reasons
            except failures() as error:
                failed = classify(error)
                reasons.append(self._hidden(failed.reason))
                if not failed.again:
                    raise self._refusal(failed, reasons[-1]) from None
                if len(reasons) > self._settings.transport_retries or (failed.wait or 0.0) > LONGEST_WAIT:
                    raise self._unavailable(failed, reasons) from None
            # The pause lies outside the handler, so that a cancellation there is not chained to the failure.
            await self._pause(failed, reasons, generator)

    async def _pause(self, failed: Failed, reasons: list[str], generator: random.Random) -> None:
        seconds = backoff(len(reasons), generator)
        if failed.wait is not None:
            seconds = max(seconds, failed.wait)
        tries = self._settings.transport_retries + 1
        self._notify(f"{self.info.name}: {reasons[-1]}; try {len(reasons) + 1} of {tries} in {seconds:.1f} s")
        await self._sleep(seconds)

    async def _send(self, request: Request) -> ModelResponse:
        from pydantic_ai.direct import model_request

        model = self._connection.model
        response = await model_request(
            model,
            _messages(request),
            model_settings=self._wire_settings(request),
            model_request_parameters=self._parameters(request),
            instrument=False,
        )
        # Long Anthropic replies are streamed, and always end with a reason; other servers may leave it out.
        if response.finish_reason is None and model.system == "anthropic":
            raise CutOffError("the stream ended before the reply did")
        return response

    def _wire_settings(self, request: Request) -> WireSettings:
        sent: WireSettings = {"request_timeout": self._settings.timeout, "seed": request.seed % 2**31}
        if "max_retries" not in self._connection.model.unsupported_settings:
            sent["max_retries"] = 0
        if self._settings.max_tokens is not None:
            sent["max_tokens"] = self._settings.max_tokens
        temperature = self._temperature(request)
        if temperature is not None:
            sent["temperature"] = temperature
        return sent

    def _temperature(self, request: Request) -> float | None:
        if not self._connection.takes_temperature:
            return None
        return request.temperature if self._settings.temperature is None else self._settings.temperature

    def _parameters(self, request: Request) -> ModelRequestParameters:
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

    def _reply(self, request: Request, response: ModelResponse, retries: list[str]) -> Reply:
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
        return Reply(text=_text(response), model=self.info.name, usage=self._usage(response), params=params)

    def _usage(self, response: ModelResponse) -> Usage:
        return Usage(
            calls=1,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost=cost_of(response, self._settings),
        )

    def _refusal(self, failed: Failed, reason: str) -> ModelRefusedError:
        hints = {
            401: f" Check the key in {self._connection.key_env or 'the environment'}.",
            403: f" Check that the key in {self._connection.key_env or 'the environment'} may use this model.",
            404: " Check the model's name, and models.base_url if it is set.",
            413: " The request is too large for this model.",
        }
        hint = hints.get(failed.status or 0, "")
        return ModelRefusedError(f"{self.info.name} refused the request: {reason}{_stop(reason)}{hint}")

    def _unavailable(self, failed: Failed, reasons: list[str]) -> ModelUnavailableError:
        tries = "1 try" if len(reasons) == 1 else f"{len(reasons)} tries"
        pause = ""
        if (failed.wait or 0.0) > LONGEST_WAIT:
            pause = f" It asks for a pause of {failed.wait:.0f} s."
        return ModelUnavailableError(
            f"{self.info.name} did not answer after {tries} (each at most {self._settings.timeout:g} s). "
            f"Last: {reasons[-1]}{_stop(reasons[-1])}{pause} What was made is kept; resume the run later."
        )

    def _hidden(self, text: str) -> str:
        for secret in self._connection.secrets:
            text = text.replace(secret, "[hidden]")
        return text


def _stop(text: str) -> str:
    return "" if text.endswith((".", "?", "!")) else "."


def _messages(request: Request) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    last = len(request.messages) - 1
    sent: list[ModelMessage] = []
    for number, message in enumerate(request.messages):
        match message.role:
            case "assistant":
                sent.append(ModelResponse(parts=[TextPart(message.text)]))
            case "system":
                sent.append(ModelRequest(parts=[SystemPromptPart(message.text)]))
            case "user":
                content = _content(message, request) if number == last else message.text
                sent.append(ModelRequest(parts=[UserPromptPart(content)]))
    return sent


def _content(message: Message, request: Request) -> str | list[UserContent]:
    from pydantic_ai.messages import BinaryContent

    if not request.pictures:
        return message.text
    pictures = [BinaryContent(picture.png, media_type="image/png") for picture in request.pictures]
    return [message.text, *pictures]


def _text(response: ModelResponse) -> str:
    """The reply's text: the arguments of the schema's tool when it was called, else what was said."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    for part in response.parts:
        if isinstance(part, ToolCallPart):
            arguments = part.args if part.args is not None else {}
            return arguments if isinstance(arguments, str) else json.dumps(cast("JsonValue", arguments))
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))
