"""What is known, and said, before anything is sent: keys, extras, settings, and what a model can do."""

from __future__ import annotations

import builtins
import contextlib
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from redraft.errors import ConfigError, MissingPartError
from redraft.models.base import ModelSettings
from redraft.models.providers import PROVIDERS, connect, cost_of

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "test-key-123456")


OWN_KEYS = [
    ("openai:gpt-5", "OPENAI_API_KEY"),
    ("openai-chat:gpt-4o", "OPENAI_API_KEY"),
    ("anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY"),
    ("google:gemini-2.5-flash", "GOOGLE_API_KEY"),
]
OTHER_KEYS = [("deepseek:deepseek-chat", "DEEPSEEK_API_KEY"), ("openrouter:qwen/qwen3-coder", "OPENROUTER_API_KEY")]


@pytest.mark.parametrize(("spec", "variable"), OWN_KEYS + OTHER_KEYS)
def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch, spec: str, variable: str) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError, match=rf"{spec} needs .*{variable}"):
        connect(spec, ModelSettings())


@pytest.mark.parametrize(("spec", "variable"), OWN_KEYS)
@pytest.mark.parametrize("value", ["", "  \n"], ids=["empty", "blank"])
def test_a_blank_key_is_a_missing_key(monkeypatch: pytest.MonkeyPatch, spec: str, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=rf"{spec} needs .*{variable}"):
        connect(spec, ModelSettings())


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    connection = connect("openai-chat:local", ModelSettings(base_url="http://127.0.0.1:1/v1"))
    assert connection.model.base_url == "http://127.0.0.1:1/v1/"


def test_a_key_of_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ModelSettings(api_key_env="MY_KEY")
    with pytest.raises(ConfigError, match=r"MY_KEY is not set \(models\.api_key_env"):
        connect("anthropic:claude-haiku-4-5", settings)
    monkeypatch.setenv("MY_KEY", "  mine-mine-mine\n")
    assert connect("anthropic:claude-haiku-4-5", settings).model.provider.client.api_key == "mine-mine-mine"  # type: ignore[reportOptionalMemberAccess]


def test_compatible_servers_need_an_address() -> None:
    with pytest.raises(ConfigError, match=r"needs models\.base_url"):
        connect("openai-compatible:local", ModelSettings())


@pytest.mark.parametrize("spec", ["anthropic:", "openai:  "])
def test_a_name_is_needed(spec: str) -> None:
    with pytest.raises(ConfigError, match="no name after the colon"):
        connect(spec, ModelSettings())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "package"),
    [
        ("anthropic:claude-haiku-4-5", r"redraft\[anthropic\]"),
        ("google:gemini-2.5-flash", r"redraft\[google\]"),
        ("openai:gpt-5", r"redraft\[openai\]"),
        ("openai-compatible:x", r"redraft\[openai\]"),
        ("ollama:llama3", r"redraft\[openai\]"),
    ],
)
@pytest.mark.parametrize("missing", ["pydantic_ai", "sdk"])
def test_a_missing_extra_names_the_command(
    monkeypatch: pytest.MonkeyPatch, spec: str, package: str, missing: str
) -> None:
    """Imports fail as they do where nothing but redraft itself is installed, or one library is not."""
    gone = ("pydantic_ai",) if missing == "pydantic_ai" else ("anthropic", "openai", "google.genai")
    for name in list(sys.modules):
        if name.startswith(("pydantic_ai", *gone)):
            monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name: str, *arguments: Any, **named: Any) -> Any:
        if name.partition(".")[0] in gone or name.startswith("google.genai"):
            raise ImportError(f"No module named {name!r}")
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingPartError, match=f"{spec} needs .*pip install '{package}'"):
        connect(spec, ModelSettings(base_url="http://127.0.0.1:1/v1"))


def test_a_library_that_redraft_has_no_extra_for() -> None:
    """Groq's is not among those the tests install."""
    with pytest.raises(MissingPartError, match=r"pip install 'pydantic-ai-slim\[groq\]'"):
        connect("groq:llama-3.3-70b-versatile", ModelSettings())


@pytest.mark.parametrize("name", sorted(set(PROVIDERS.split()) - {"openai-compatible"}))
def test_every_suggested_provider_exists(name: str) -> None:
    """Pydantic AI raises ValueError for a name it does not know, ImportError where only the library is missing."""
    from pydantic_ai.providers import infer_provider_class

    with contextlib.suppress(ImportError):
        assert infer_provider_class(name).__name__.endswith("Provider")


def test_a_setting_that_cannot_be_honoured_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"models\.temperature is 0\.5, and openai:gpt-5 takes none"):
        connect("openai:gpt-5", ModelSettings(temperature=0.5))
    with pytest.raises(ConfigError, match=r"does not know models\.base_url"):
        connect("openrouter:qwen/qwen3-coder", ModelSettings(base_url="http://127.0.0.1:1"))


@pytest.mark.parametrize(
    ("spec", "sees"),
    [
        ("openai:gpt-5", True),
        ("openai-chat:gpt-4o", True),
        ("openai:o3-mini", False),
        ("openai:o3", True),
        ("openai-chat:gpt-3.5-turbo", False),
        ("anthropic:claude-haiku-4-5", True),
        ("google:gemini-2.5-flash", True),
        ("ollama:llama3", False),
        ("ollama:llama3.2-vision", True),
        ("ollama:llava:13b", True),
        ("ollama:qwen2.5vl:7b", True),
        ("ollama:gemma3:1b", False),
        ("ollama:gemma3:12b", True),
        ("ollama:gpt-oss:20b", False),
    ],
)
def test_which_models_see(spec: str, sees: bool) -> None:
    assert connect(spec, ModelSettings()).info.sees is sees
    assert connect(spec, ModelSettings(sees=not sees)).info.sees is not sees


@pytest.mark.parametrize(
    ("spec", "mode"),
    [
        ("openai:gpt-5", "native"),
        ("ollama:llama3", "native"),
        ("google:gemini-2.5-flash", "native"),
        ("anthropic:claude-haiku-4-5", "tool"),
        ("anthropic:claude-3-haiku-20240307", "tool"),
    ],
)
def test_how_schemas_are_sent_follows_the_profile(spec: str, mode: str) -> None:
    assert connect(spec, ModelSettings()).schema_mode == mode


def test_an_address_with_a_login_is_refused_since_settings_are_recorded() -> None:
    for login in ("user:passw0rd", "token"):
        with pytest.raises(ValidationError, match="an address has no login; name the key's variable in api_key_env"):
            ModelSettings(base_url=f"http://{login}@127.0.0.1:1/v1")


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0},
        {"timeout": float("nan")},
        {"transport_retries": -1},
        {"transport_retries": "4"},
        {"sees": "false"},
        {"temperature": 3.0},
        {"base_url": "localhost:8080"},
        {"input_price": 1.0},
        {"api_key_env": "not a name"},
        {"api_key": "sk-in-the-configuration"},
    ],
    ids=str,
)
def test_settings_are_strict(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ModelSettings.model_validate(wrong)


@pytest.mark.parametrize(
    ("url", "cost"),
    [("https://api.openai.com/v1/", 2.5 + 10.0), ("http://127.0.0.1:8080/v1", None), (None, None)],
)
def test_the_price_list_is_that_of_the_server_asked(url: str | None, cost: float | None) -> None:
    """gpt-4o-2024-08-06: 2.50 and 10.00 US dollars a million, on OpenAI's public price page since 2024-10."""
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.usage import RequestUsage

    usage = RequestUsage(input_tokens=1_000_000, output_tokens=1_000_000)
    response = ModelResponse(parts=[], usage=usage, model_name="gpt-4o-2024-08-06", provider_url=url)
    assert cost_of(response, ModelSettings()) == cost


def test_an_unknown_model_has_no_price() -> None:
    from pydantic_ai.messages import ModelResponse

    response = ModelResponse(parts=[], model_name="gpt-of-tomorrow", provider_url="https://api.openai.com/v1/")
    assert cost_of(response, ModelSettings()) is None
