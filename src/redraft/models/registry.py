"""Models by name, as a person types it: `offline`, `inbox:DIR`, `replay:RUN`, an installed kind, `provider:name`.

Each kind, built in or not, has a factory. Packages add kinds under the entry point group `redraft.models`; every other
`provider:name` is Pydantic AI's.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

from redraft.errors import ConfigError
from redraft.extras import entry_points
from redraft.models.base import Model, ModelSettings
from redraft.models.offline import Answer, OfflineModel
from redraft.models.providers import PROVIDERS

GROUP = "redraft.models"


@dataclass(frozen=True)
class Setup:
    """Values that a factory may use."""

    settings: ModelSettings
    offline: Sequence[str] = ()
    """Modules whose `ANSWERS` hold the offline model's replies."""
    notify: Callable[[str], None] = lambda _: None
    """Called with a line when a reply takes long: an inbox waits, a provider is asked again."""
    run: str = ""
    """Name of the run, if it is known."""


Factory = Callable[[str, Setup], Model]
"""Makes a model from the text after the colon (empty without one). Raises `ConfigError` for a text it cannot use."""


def resolve(
    spec: str,
    *,
    settings: ModelSettings,
    offline: Sequence[str] = (),
    notify: Callable[[str], None] = lambda _: None,
    run: str = "",
) -> Model:
    """Return the model of a name: `offline`, `inbox:DIR`, `replay:RUN`, an installed kind, or `provider:name`.

    Raises:
        ConfigError: the name is unknown, or a setting or key is missing or is not supported.
        MissingPartError: the provider's library is not installed.
    """
    kind, colon, argument = spec.partition(":")
    setup = Setup(settings, offline, notify, run)
    if factory := _BUILT_IN.get(kind):
        return factory(argument, setup)
    points = [point for point in _installed() if point.name == kind]
    if len(points) > 1:
        packages = ", ".join(point.value for point in points)
        raise ConfigError(f"The model kind {kind!r} is installed more than once: {packages}. Remove all but one.")
    if points:
        return points[0].load()(argument, setup)
    if not colon or not _is_provider(kind):
        raise ConfigError(_unknown(spec))

    from redraft.models.network import ProviderModel

    return ProviderModel(spec, settings, notify=notify)


def available(settings: ModelSettings) -> list[tuple[str, str]]:
    """Return the models that can be named, each with one line on its requirements."""
    rows = [
        ("offline", "built in: rules and a lexicon, no network, no key"),
        ("inbox:DIR", "requests as files in DIR, answered by a person, a chat or an agent"),
        ("replay:RUN", "the recorded replies of a run"),
    ]
    rows += [(f"{point.name}:…", f"installed: {point.value}") for point in _installed()]
    for name, usual in _KEYS:
        variable = settings.api_key_env or usual
        is_set = os.environ.get(variable, "").strip()
        rows.append((f"{name}:NAME", f"{variable} is set" if is_set else f"needs {variable}"))
    rows.append(("ollama:NAME", "a local Ollama, or the server at OLLAMA_BASE_URL or models.base_url"))
    rows.append(("openai-compatible:NAME", "any server that speaks chat completions, at models.base_url"))
    return rows


_KEYS = (("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY"), ("google", "GOOGLE_API_KEY"))


def key_variables(settings: ModelSettings) -> list[str]:
    """Return the environment variables that hold the keys of the listed providers."""
    return [settings.api_key_env] if settings.api_key_env else [variable for _, variable in _KEYS]


def _offline(argument: str, setup: Setup) -> Model:
    if argument:
        raise ConfigError(f"The model 'offline' takes nothing after a colon (given 'offline:{argument}').")
    answers: dict[str, Answer] = {}
    for module in setup.offline:
        answers |= import_module(module).ANSWERS
    return OfflineModel(answers)


def _inbox(argument: str, setup: Setup) -> Model:
    from redraft.models.inbox import InboxModel

    if not argument.strip():
        raise ConfigError(f"The model 'inbox:{argument}' names no folder. Give one, as in inbox:mail.")

    def announce(request: Path) -> None:
        reply = request.with_name(request.name.replace(".request.", ".reply."))
        setup.notify(f"waiting for {reply} (the request is {request.name} beside it)")

    sees = setup.settings.sees is not False
    return InboxModel(argument, run=setup.run, sees=sees, on_wait=announce)


def _replay(argument: str, setup: Setup) -> Model:
    from redraft.models.replay import ReplayModel

    if not argument.strip():
        raise ConfigError(f"The model 'replay:{argument}' names no run. Give its folder, as in replay:runs/RUN.")
    return ReplayModel.open(argument)


_BUILT_IN: dict[str, Factory] = {"offline": _offline, "inbox": _inbox, "replay": _replay}


def _installed() -> list[EntryPoint]:
    """Return the entry points of kinds that other packages add, by name."""
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _is_provider(prefix: str) -> bool:
    """Return whether Pydantic AI has a provider, or would have if its library were installed."""
    if prefix in PROVIDERS.split():
        return True
    try:
        from pydantic_ai.providers import infer_provider_class
    except ImportError:
        return False
    try:
        infer_provider_class(prefix)
    except ImportError:
        return True
    except ValueError:
        return False
    return True


_FAMILIES = (
    (("gpt", "o1", "o3", "o4", "chatgpt"), "openai"),
    (("claude",), "anthropic"),
    (("gemini",), "google"),
    (("grok",), "xai"),
    (("mistral", "magistral", "codestral"), "mistral"),
    (("deepseek",), "deepseek"),
    (("command",), "cohere"),
    (("llama", "qwen", "gemma", "phi"), "ollama"),
)
"""Beginnings of models' names, with the provider of such models."""


def _unknown(spec: str) -> str:
    """Return the message about a name that is not a model's, with the names that it may be meant for."""
    own = [*_BUILT_IN, *(point.name for point in _installed())]
    if spec in PROVIDERS.split():
        return f"{spec!r} is a provider; say which of its models, as in '{spec}:NAME'."
    kind, colon, _ = spec.partition(":")
    close = difflib.get_close_matches(kind, [*own, *PROVIDERS.split()], n=3, cutoff=0.6)
    if not colon and not close:
        close = [f"{provider}:{spec}" for starts, provider in _FAMILIES if spec.lower().startswith(starts)]
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    return (
        f"Unknown model {spec!r}.{hint} Known models: offline, inbox:DIR, replay:RUN"
        f"{''.join(f', {name}:…' for name in own[3:])}, and provider:name, as in 'anthropic:claude-sonnet-4-5', with "
        f"one of these providers: {', '.join(PROVIDERS.split())}."
    )
