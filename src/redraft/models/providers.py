"""Connections from `provider:name` to a Pydantic AI model: keys, base URLs, missing extras, abilities, prices.

Nothing is sent here: a missing key or library is reported before the first call. `network` sends.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from redraft.errors import ConfigError, MissingPartError
from redraft.models.base import ModelInfo, ModelSettings, SchemaMode
from redraft.models.wire import bounded_client

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model as PydanticModel
    from pydantic_ai.providers import Provider

COMPATIBLE = "openai-compatible"
"""Any server that speaks OpenAI's chat completions, at `base_url`."""

OLLAMA_URL = "http://localhost:11434/v1"
"""Ollama's default address."""

PROVIDERS = (
    "alibaba anthropic azure bedrock cerebras cohere deepseek fireworks github google google-cloud groq heroku "
    "huggingface litellm meta mistral moonshotai nebius ollama openai openai-chat openai-compatible openai-responses "
    "openrouter ovhcloud sambanova together vercel vllm xai zai"
)
"""Prefixes that messages suggest. Others that the installed Pydantic AI supports work too."""

_OUR_EXTRAS = ("anthropic", "google", "openai")
_EXTRA_OF = {"anthropic": "anthropic", "google": "google", "google-cloud": "google"}

# Model families that take pictures, by the beginnings or parts of their names. Pydantic AI's profiles say only
# where pictures are known not to work, so that an unknown name would otherwise count as seeing.
_SEEING = re.compile(
    r"claude|gemini|gemma-?[34]|gpt-(4o|4\.[1-9]|4-turbo|[5-9])|(^|[/-])o[134]($|-(?!mini|preview))|o4-mini|pixtral"
    r"|llava|vision|[-.]vl|qwen[23.\d]*-?vl|llama-?4|grok-(2-vision|[4-9])|internvl|minicpm-v|moondream|molmo"
    r"|mistral-(small-3\.[1-9]|medium-3)|phi-[34](\.\d)?-(vision|multimodal)|nova-(lite|pro|premier)",
    re.IGNORECASE,
)
_BLIND = re.compile(r"claude-(2|instant)|gpt-oss|gpt-4o(-mini)?-(audio|search)|gemma-?3[:-](1b|270m)", re.IGNORECASE)


@dataclass(frozen=True)
class Connection:
    """A Pydantic AI model and its properties."""

    model: PydanticModel
    info: ModelInfo
    schema_mode: SchemaMode
    takes_temperature: bool
    key_env: str
    """Variables that may hold its key, for messages: `A or B`."""
    secrets: tuple[str, ...]
    """Values that must never be shown."""


def connect(spec: str, settings: ModelSettings) -> Connection:
    """Return the connection for `provider:name`; nothing is sent.

    Raises:
        ConfigError: the provider is unknown, its key is missing, or it does not support a setting.
        MissingPartError: its library is not installed.
    """
    prefix, _, name = spec.partition(":")
    if not name.strip():
        raise ConfigError(f"The model {spec!r} has no name after the colon, as in 'anthropic:claude-sonnet-4-5'.")
    try:
        model = _open_model(prefix, name, spec, settings)
    except ImportError as error:
        group = re.search(r"pydantic-ai-slim\[([\w,-]+)\]", str(error))
        extra = group.group(1) if group else _EXTRA_OF.get(prefix, "openai")
        package = f"redraft[{extra}]" if extra in _OUR_EXTRAS else f"pydantic-ai-slim[{extra}]"
        raise MissingPartError(
            f"{spec} needs a library that is not installed. Install it: pip install '{package}'"
        ) from error
    profile = model.profile

    sees = settings.sees
    if sees is None:
        blind = not profile.get("supports_image_input", True) or _BLIND.search(name)
        sees = not blind and _SEEING.search(name) is not None

    schema_mode = settings.schema_mode
    if schema_mode is None:
        schema_mode = "tool" if profile.get("supports_tools", True) else "prompted"
        # Anthropic compiles a native schema under limits (24 optional fields, 16 unions) that a drawing's schema
        # exceeds; a tool's schema, sent without strictness, has none.
        compiled = profile.get("anthropic_enforces_strict_schema_limits", False)
        if profile.get("supports_json_schema_output", False) and not compiled:
            schema_mode = "native"

    reasons = profile.get("openai_supports_reasoning", False) and profile.get("thinking_enabled_by_default", False)
    takes_temperature = not (reasons or profile.get("anthropic_disallows_sampling_settings", False))
    if settings.temperature is not None and not takes_temperature:
        raise ConfigError(
            f"models.temperature is {settings.temperature}, and {spec} takes none. Remove the setting, or choose "
            "another model."
        )

    # Every value that might be a key: providers outside of the three families read variables of their own.
    names = {*_key_names(prefix), settings.api_key_env or ""}
    keys = {
        value.strip()
        for variable, value in os.environ.items()
        if variable in names or re.search(r"(KEY|TOKEN|SECRET)$", variable)
    }
    server = "" if settings.base_url is None else f" at {settings.base_url}"
    label = f"{spec}{server}, asked over the network through Pydantic AI."
    return Connection(
        model=model,
        info=ModelInfo(name=spec, sees=sees, label=label),
        schema_mode=schema_mode,
        takes_temperature=takes_temperature,
        key_env=settings.api_key_env or " or ".join(_key_names(prefix)),
        secrets=tuple(sorted((key for key in keys if len(key) >= 6), key=len, reverse=True)),
    )


def _open_model(prefix: str, name: str, spec: str, settings: ModelSettings) -> PydanticModel:
    """Return the Pydantic AI model of a provider. Raises `ConfigError` or `ImportError`."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    try:
        if prefix != COMPATIBLE:
            return infer_model(f"{prefix}:{name}", provider_factory=lambda _: _provider(prefix, spec, settings))
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        if settings.base_url is None:
            raise ConfigError(f"'{COMPATIBLE}:{name}' needs models.base_url, for example 'http://localhost:8080/v1'.")
        provider = OpenAICompatibleProvider(
            COMPATIBLE,
            base_url=settings.base_url,
            api_key=_named_key(settings),
            http_client=bounded_client(OpenAICompatibleProvider),
        )
        return OpenAIChatModel(name, provider=provider)
    except UserError as error:
        names = re.findall(r"`([A-Z][A-Z0-9_]{3,})`", str(error))
        raise ConfigError(_no_key(spec, names) if names else f"{spec}: {error}") from error


def _provider(prefix: str, spec: str, settings: ModelSettings) -> Provider[Any]:
    """Return the provider with its address, key and client. Raises `ConfigError`."""
    from pydantic_ai.providers import infer_provider_class

    try:
        provider_class: Any = infer_provider_class(prefix)
    except ValueError as error:
        raise ConfigError(f"Unknown provider {prefix!r} in the model {spec!r}.") from error
    upstream: tuple[str, ...] = ()
    if prefix.startswith("gateway/"):
        from pydantic_ai.providers import gateway

        provider_class, upstream = cast("Any", gateway).gateway_provider, (prefix.removeprefix("gateway/"),)
    base_url = settings.base_url
    if prefix == "ollama" and base_url is None:
        base_url = os.environ.get("OLLAMA_BASE_URL") or OLLAMA_URL

    # The keys of the three families that redraft has extras for are passed on here, because an empty variable, or one
    # that ends in a newline, would be sent as it is. Others are left to Pydantic AI.
    key = _named_key(settings)
    if key is None and (variables := _key_names(prefix)):
        values = (os.environ.get(variable, "").strip() for variable in variables)
        key = next((value for value in values if value), None)
        if key is None and prefix.startswith("openai") and (base_url or os.environ.get("OPENAI_BASE_URL")):
            key = "no-key"  # a local server needs none, and the client insists on something
        if key is None:
            raise ConfigError(_no_key(spec, variables))

    arguments = {name: value for name, value in (("base_url", base_url), ("api_key", key)) if value is not None}
    if idle := sorted(set(arguments) - set(inspect.signature(provider_class).parameters)):
        names = ["models.api_key_env" if name == "api_key" else f"models.{name}" for name in idle]
        raise ConfigError(f"{spec}: the provider {prefix!r} does not know {' and '.join(names)}; remove it.")
    client = bounded_client(infer_provider_class(upstream[0]) if upstream else provider_class)
    clients = {} if client is None else {"http_client": client}
    return cast("Provider[Any]", provider_class(*upstream, **arguments, **clients))


def _named_key(settings: ModelSettings) -> str | None:
    """Return the key in the variable that `api_key_env` names. Raises `ConfigError` if it is not set."""
    if settings.api_key_env is None:
        return None
    value = os.environ.get(settings.api_key_env, "").strip()
    if not value:
        raise ConfigError(f"The environment variable {settings.api_key_env} is not set (models.api_key_env names it).")
    return value


def _key_names(prefix: str) -> tuple[str, ...]:
    """Return the variables that hold the key of one of the three families; none for other providers."""
    family = prefix.partition("-")[0]
    match family:
        case "openai" if prefix != COMPATIBLE:
            return ("OPENAI_API_KEY",)
        case "anthropic":
            return ("ANTHROPIC_API_KEY",)
        case "google" if prefix == "google":
            return ("GOOGLE_API_KEY", "GEMINI_API_KEY")
        case _:
            return ()


def _no_key(spec: str, names: Iterable[str]) -> str:
    return (
        f"{spec} needs {' or '.join(dict.fromkeys(names))}: set this environment variable. If the key is in another "
        "one, name that in models.api_key_env."
    )


def cost_of(response: ModelResponse, settings: ModelSettings) -> float | None:
    """Return the cost of a reply in US dollars; None if it is not known.

    The price list (the `genai-prices` package, without the network) is read by the server's address: another server of
    a model of the same name has other prices.
    """
    from genai_prices import calc_price

    usage = response.usage
    if usage.unmeasured_requests:
        return None
    if settings.input_price is not None and settings.output_price is not None:
        return (usage.input_tokens * settings.input_price + usage.output_tokens * settings.output_price) / 1e6
    if response.model_name is None or response.provider_url is None:
        return None
    try:
        return float(calc_price(usage, response.model_name, provider_api_url=response.provider_url).total_price)
    except LookupError:
        return None
