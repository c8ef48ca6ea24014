"""Connections from `provider:name` to a Pydantic AI model: keys, base URLs, missing extras, abilities, prices.

Nothing is sent here: what is missing is reported before the first call.
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
    from pydantic_ai.profiles import ModelProfile
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
"""Prefixes to suggest. Others that the installed Pydantic AI supports work too."""

_OUR_EXTRAS = ("anthropic", "google", "openai")
_EXTRA_OF = {"anthropic": "anthropic", "google": "google", "google-cloud": "google"}

# Model families that take pictures, by the beginnings or parts of their names. Pydantic AI's profiles say only
# where pictures are known not to work, so that a name found nowhere would otherwise count as seeing.
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
    """The source of its key, for messages; may be several names."""
    secrets: tuple[str, ...]
    """Values that must never be shown."""


def connect(spec: str, settings: ModelSettings) -> Connection:
    """The connection for `provider:name`; nothing is sent.

    Raises:
        ConfigError: the provider is unknown, its key is missing, or it does not support a setting.
        MissingPartError: its library is not installed.
    """
    prefix, _, name = spec.partition(":")
    if not name.strip():
        raise ConfigError(f"The model {spec!r} has no name after the colon, as in 'anthropic:claude-sonnet-4-5'.")
    model = _model(prefix, name, spec, settings)
    profile = model.profile
    connection = Connection(
        model=model,
        info=ModelInfo(name=spec, sees=_sees(name, profile, settings), label=_label(spec, settings)),
        schema_mode=settings.schema_mode or _schema_mode(profile),
        takes_temperature=_takes_temperature(profile),
        key_env=settings.api_key_env or " or ".join(_key_names(prefix)),
        secrets=_secrets(prefix, settings),
    )
    if settings.temperature is not None and not connection.takes_temperature:
        raise ConfigError(
            f"models.temperature is {settings.temperature}, and {spec} takes none. Remove the setting, or choose "
            "another model."
        )
    return connection


def _model(prefix: str, name: str, spec: str, settings: ModelSettings) -> PydanticModel:
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ImportError as error:
        raise _missing(prefix, spec, str(error)) from error
    try:
        if prefix == COMPATIBLE:
            return _compatible(name, settings)
        return infer_model(f"{prefix}:{name}", provider_factory=lambda _: _provider(prefix, spec, settings))
    except ImportError as error:
        raise _missing(prefix, spec, str(error)) from error
    except UserError as error:
        raise ConfigError(_user_error(spec, str(error))) from error


def _compatible(name: str, settings: ModelSettings) -> PydanticModel:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if settings.base_url is None:
        raise ConfigError(f"'{COMPATIBLE}:{name}' needs models.base_url, for example 'http://localhost:8080/v1'.")
    provider = OpenAICompatibleProvider(
        COMPATIBLE,
        base_url=settings.base_url,
        api_key=_key(settings),
        http_client=bounded_client(OpenAICompatibleProvider),
    )
    return OpenAIChatModel(name, provider=provider)


def _provider(prefix: str, spec: str, settings: ModelSettings) -> Provider[Any]:
    from pydantic_ai.providers import infer_provider_class

    try:
        made_by: Any = infer_provider_class(prefix)
    except ValueError as error:
        raise ConfigError(f"Unknown provider {prefix!r} in the model {spec!r}.") from error
    upstream: tuple[str, ...] = ()
    if prefix.startswith("gateway/"):
        from pydantic_ai.providers import gateway

        made_by, upstream = cast("Any", gateway).gateway_provider, (prefix.removeprefix("gateway/"),)
    base_url = settings.base_url
    if prefix == "ollama" and base_url is None:
        base_url = os.environ.get("OLLAMA_BASE_URL") or OLLAMA_URL
    wanted = {"base_url": base_url, "api_key": _key(settings) or _usual_key(prefix, spec, base_url)}
    given = {key: value for key, value in wanted.items() if value is not None}
    if idle := sorted(set(given) - set(inspect.signature(made_by).parameters)):
        names = ["models.api_key_env" if key == "api_key" else f"models.{key}" for key in idle]
        raise ConfigError(f"{spec}: the provider {prefix!r} does not know {' and '.join(names)}; remove it.")
    client = bounded_client(infer_provider_class(upstream[0]) if upstream else made_by)
    clients = {} if client is None else {"http_client": client}
    return cast("Provider[Any]", made_by(*upstream, **given, **clients))


def _key(settings: ModelSettings) -> str | None:
    if settings.api_key_env is None:
        return None
    value = os.environ.get(settings.api_key_env, "").strip()
    if not value:
        raise ConfigError(f"The environment variable {settings.api_key_env} is not set (models.api_key_env names it).")
    return value


def _usual_key(prefix: str, spec: str, base_url: str | None) -> str | None:
    """The key of the three families redraft has extras for, None to let Pydantic AI look elsewhere or complain.

    It is passed on explicitly, because an empty or newline-ended variable is otherwise sent as it is.
    """
    names = _key_names(prefix)
    if not names:
        return None
    values = (os.environ.get(name, "").strip() for name in names)
    if key := next((value for value in values if value), None):
        return key
    if prefix.startswith("openai") and (base_url or os.environ.get("OPENAI_BASE_URL")):
        return "no-key"  # a local server needs none, and the client insists on something
    raise ConfigError(_no_key(spec, names))


def _key_names(prefix: str) -> tuple[str, ...]:
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


def _secrets(prefix: str, settings: ModelSettings) -> tuple[str, ...]:
    """Every value that might be a key: providers outside the three families read variables of their own."""
    named = {*_key_names(prefix), settings.api_key_env or ""}
    keys = {v for n, v in os.environ.items() if n in named or re.search(r"(KEY|TOKEN|SECRET)$", n)}
    return tuple(sorted({k.strip() for k in keys if len(k.strip()) >= 6}, key=len, reverse=True))


def _missing(prefix: str, spec: str, reason: str) -> MissingPartError:
    group = re.search(r"pydantic-ai-slim\[([\w,-]+)\]", reason)
    extra = group.group(1) if group else _EXTRA_OF.get(prefix, "openai")
    package = f"redraft[{extra}]" if extra in _OUR_EXTRAS else f"pydantic-ai-slim[{extra}]"
    return MissingPartError(f"{spec} needs a library that is not installed. Install it: pip install '{package}'")


def _user_error(spec: str, message: str) -> str:
    names = re.findall(r"`([A-Z][A-Z0-9_]{3,})`", message)
    if not names:
        return f"{spec}: {message}"
    return _no_key(spec, names)


def _no_key(spec: str, names: Iterable[str]) -> str:
    return (
        f"{spec} needs {' or '.join(dict.fromkeys(names))}: set this environment variable. If the key is in another "
        "one, name that in models.api_key_env."
    )


def _schema_mode(profile: ModelProfile) -> SchemaMode:
    # Anthropic compiles a native schema under limits (24 optional fields, 16 unions) that a drawing's schema
    # exceeds; a tool's schema, sent without strictness, has none.
    compiled = bool(profile.get("anthropic_enforces_strict_schema_limits", False))
    if profile.get("supports_json_schema_output", False) and not compiled:
        return "native"
    return "tool" if profile.get("supports_tools", True) else "prompted"


def _takes_temperature(profile: ModelProfile) -> bool:
    if profile.get("anthropic_disallows_sampling_settings", False):
        return False
    return not (profile.get("openai_supports_reasoning", False) and profile.get("thinking_enabled_by_default", False))


def _sees(name: str, profile: ModelProfile, settings: ModelSettings) -> bool:
    if settings.sees is not None:
        return settings.sees
    if not profile.get("supports_image_input", True) or _BLIND.search(name):
        return False
    return _SEEING.search(name) is not None


def _label(spec: str, settings: ModelSettings) -> str:
    where = "" if settings.base_url is None else f" at {settings.base_url}"
    return f"{spec}{where}, asked over the network through Pydantic AI."


def cost_of(response: ModelResponse, settings: ModelSettings) -> float | None:
    """US dollars, None where nothing is known.

    The list (the `genai-prices` package, no look-up over the network) is asked by the server's address: another
    server that serves a model of the same name has other prices.
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
