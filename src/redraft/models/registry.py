"""Models by name, as a person types it: `offline`, `inbox:DIR`, `replay:RUN`, an installed kind, `provider:name`.

Every kind, built in or not, comes from a factory. Packages add kinds under the entry point group `redraft.models`;
every other `provider:name` is Pydantic AI's.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from importlib.metadata import EntryPoint
from pathlib import Path

from redraft.errors import ConfigError
from redraft.models.base import Model, ModelSettings
from redraft.models.connect import PROVIDERS
from redraft.models.offline import Answer, OfflineModel

GROUP = "redraft.models"


@dataclass(frozen=True)
class Setup:
    """Values that a factory may use."""

    settings: ModelSettings
    offline: Sequence[str] = ()
    """Modules whose `ANSWERS` hold what the offline model says."""
    notify: Callable[[str], None] = lambda _: None
    """Gets one line when a reply takes long: an inbox waits, a provider is asked again."""
    run: str = ""
    """Name of the run, where it is known."""


Factory = Callable[[str, Setup], Model]
"""Takes what follows the colon (empty without one). Raises `ConfigError` for what it cannot use."""


def resolve(
    spec: str,
    *,
    settings: ModelSettings,
    offline: Sequence[str] = (),
    notify: Callable[[str], None] = lambda _: None,
    run: str = "",
) -> Model:
    """The model that `spec` names: `offline`, `inbox:DIR`, `replay:RUN`, an installed kind, or `provider:name`.

    Raises:
        ConfigError: the name is unknown, or a setting or key is missing or is not supported.
        MissingPartError: the provider's library is not installed.
    """
    kind, colon, argument = spec.partition(":")
    setup = Setup(settings, offline, notify, run)
    factory = _BUILT_IN.get(kind) or _installed(kind)
    if factory is not None:
        return factory(argument, setup)
    if not colon or not _provider_known(kind):
        raise ConfigError(_unknown(spec))
    return _provider(spec, setup)


def available(settings: ModelSettings) -> list[tuple[str, str]]:
    """Return the models that can be named, each with one line on its requirements."""
    rows = [
        ("offline", "built in: rules and a lexicon, no network, no key"),
        ("inbox:DIR", "requests as files in DIR, answered by a person, a chat or an agent"),
        ("replay:RUN", "the recorded replies of a run"),
    ]
    rows += [(f"{point.name}:…", f"installed: {point.value}") for point in _points()]
    rows += [(f"{name}:NAME", _needs(variable, settings)) for name, variable in _KEYS]
    rows.append(("ollama:NAME", "a local Ollama, or the server at OLLAMA_BASE_URL or models.base_url"))
    rows.append(("openai-compatible:NAME", "any server that speaks chat completions, at models.base_url"))
    return rows


_KEYS = (("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY"), ("google", "GOOGLE_API_KEY"))


def key_variables(settings: ModelSettings) -> list[str]:
    """Return the environment variables that keys of the listed providers are in."""
    return [settings.api_key_env] if settings.api_key_env else [variable for _, variable in _KEYS]


def _needs(variable: str, settings: ModelSettings) -> str:
    name = settings.api_key_env or variable
    return f"{name} is set" if os.environ.get(name, "").strip() else f"needs {name}"


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

    def waiting(request: Path) -> None:
        reply = request.with_name(request.name.replace(".request.", ".reply."))
        setup.notify(f"waiting for {reply} (the request is {request.name} beside it)")

    sees = setup.settings.sees is not False
    return InboxModel(argument, run=setup.run, sees=sees, on_wait=waiting)


def _replay(argument: str, setup: Setup) -> Model:
    from redraft.models.replay import ReplayModel

    if not argument.strip():
        raise ConfigError(f"The model 'replay:{argument}' names no run. Give its folder, as in replay:runs/RUN.")
    return ReplayModel.open(argument)


def _provider(spec: str, setup: Setup) -> Model:
    from redraft.models.providers import ProviderModel

    return ProviderModel(spec, setup.settings, notify=setup.notify)


_BUILT_IN: dict[str, Factory] = {"offline": _offline, "inbox": _inbox, "replay": _replay}


@cache
def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """Return what is installed under a group; a look at all packages takes 30 ms."""
    return tuple(metadata.entry_points(group=group))


def _points() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _installed(kind: str) -> Factory | None:
    points = [point for point in _points() if point.name == kind]
    if len(points) > 1:
        where = ", ".join(point.value for point in points)
        raise ConfigError(f"The model kind {kind!r} is installed more than once: {where}. Remove all but one.")
    return points[0].load() if points else None


def _provider_known(prefix: str) -> bool:
    """Return whether Pydantic AI has such a provider; without it, whether it would have, so that the extra is named."""
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
"""Beginnings of models' names, with the provider whose models are called so."""


def _providers_of(name: str) -> list[str]:
    """The provider of a model that is named without one."""
    return [provider for starts, provider in _FAMILIES if name.lower().startswith(starts)]


def _unknown(spec: str) -> str:
    own = [*_BUILT_IN, *(point.name for point in _points())]
    if spec in PROVIDERS.split():
        return f"{spec!r} is a provider; say which of its models, as in '{spec}:NAME'."
    kind, colon, _ = spec.partition(":")
    close = difflib.get_close_matches(kind, [*own, *PROVIDERS.split()], n=3, cutoff=0.6)
    if not colon and not close and (found := _providers_of(spec)):
        close = [f"{provider}:{spec}" for provider in found]
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    return (
        f"Unknown model {spec!r}.{hint} Known models: offline, inbox:DIR, replay:RUN"
        f"{''.join(f', {name}:…' for name in own[3:])}, and provider:name, as in 'anthropic:claude-sonnet-4-5', with "
        f"one of these providers: {', '.join(PROVIDERS.split())}."
    )
