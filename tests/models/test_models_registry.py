"""Names as a person types them, to models, or to a sentence that says what would be right."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from asking import make_request

from redraft.errors import ConfigError, MissingPartError
from redraft.models import registry
from redraft.models.base import Model, ModelSettings
from redraft.models.inbox import InboxModel
from redraft.models.network import ProviderModel
from redraft.models.offline import OfflineModel
from redraft.models.registry import Factory, Setup, available, resolve
from redraft.models.replay import Header, ReplayModel, write_recording
from redraft.models.scripted import ScriptedModel


def named(spec: str, settings: ModelSettings | None = None) -> Model:
    return resolve(spec, offline=("toy_offline",), settings=settings or ModelSettings())


@pytest.mark.anyio
async def test_offline_gets_the_studios_answers() -> None:
    model = named("offline")
    assert isinstance(model, OfflineModel)
    assert (await model.ask(make_request())).text == "drawn"


def test_inbox_takes_a_folder(tmp_path: Path) -> None:
    model = named(f"inbox:{tmp_path / 'mail'}")
    assert isinstance(model, InboxModel)
    assert (tmp_path / "mail").is_dir()
    assert model.info.sees
    assert not named(f"inbox:{tmp_path / 'mail'}", ModelSettings(sees=False)).info.sees


@pytest.mark.anyio
async def test_inbox_says_that_it_waits(tmp_path: Path) -> None:
    lines: list[str] = []

    def told(line: str) -> None:
        lines.append(line)
        (tmp_path / "draft.tmp").write_text("meow")
        (tmp_path / "draft.tmp").rename(tmp_path / "0001.reply.md")

    model = resolve(f"inbox:{tmp_path}", settings=ModelSettings(), notify=told, run="cat")
    assert (await model.ask(make_request())).text == "meow"
    assert lines == [f"waiting for {tmp_path / '0001.reply.md'} (the request is 0001.request.md beside it)"]
    assert 'run: "cat"' in (tmp_path / "0001.request.md").read_text()


def test_replay_takes_a_recording(tmp_path: Path) -> None:
    header = Header(label="", answered_by="x", recorded_at="2026-01-01", redraft="0.1.0")
    file = write_recording(tmp_path / "r.jsonl", header, [])
    assert isinstance(named(f"replay:{file}"), ReplayModel)


@pytest.mark.slow
def test_providers_are_pydantic_ais(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key-123456")
    model = named("anthropic:claude-haiku-4-5")
    assert isinstance(model, ProviderModel)
    assert model.info.name == "anthropic:claude-haiku-4-5"
    assert model.info.sees


@pytest.mark.parametrize(
    ("spec", "close"),
    [
        ("offlin", "Did you mean offline?"),
        ("antropic:claude-haiku-4-5", "Did you mean anthropic?"),
        ("google-gla:gemini-2.5-flash", "google"),
        ("claude-haiku-4-5", "Did you mean anthropic:claude-haiku-4-5?"),
        ("gpt-5", "Did you mean openai:gpt-5?"),
        ("inbx:mail", "Did you mean inbox?"),
        ("", "offline, inbox:DIR"),
        (":", "offline, inbox:DIR"),
    ],
)
@pytest.mark.slow
def test_unknown_names_are_quoted_with_close_ones_and_the_list(spec: str, close: str) -> None:
    with pytest.raises(ConfigError) as caught:
        named(spec)
    message = str(caught.value)
    assert repr(spec) in message
    assert close in message
    assert "anthropic" in message
    assert "replay:RUN" in message


@pytest.mark.parametrize("spec", ["inbox:", "inbox", "inbox:  ", "replay:", "replay", "offline:fast"])
def test_missing_and_idle_arguments_are_said(spec: str) -> None:
    with pytest.raises(ConfigError, match=spec.rstrip(": ")):
        named(spec)


def canned(argument: str, setup: Setup) -> Model:
    return ScriptedModel([argument], name=f"canned, {setup.settings.timeout:g} s")


def entry(name: str, value: str = "helpers:canned") -> EntryPoint:
    return EntryPoint(name, value, registry.GROUP)


def install(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    def installed(group: str) -> list[EntryPoint]:
        return [point for point in points if point.group == group]

    def load(self: EntryPoint) -> Factory:
        return canned

    monkeypatch.setattr(registry, "entry_points", installed)
    monkeypatch.setattr(EntryPoint, "load", load)


@pytest.mark.anyio
async def test_other_packages_add_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, entry("canned"))
    model = named("canned:soup: tomato", ModelSettings(timeout=5.0))
    assert (await model.ask(make_request())).text == "soup: tomato"
    assert model.info.name == "canned, 5 s"
    with pytest.raises(ConfigError, match="canned:…"):
        named("unheard-of")


def test_two_packages_of_one_name_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, entry("canned", "a:x"), entry("canned", "b:y"))
    with pytest.raises(ConfigError, match="more than once: a:x, b:y"):
        named("canned:soup")


def test_what_is_built_in_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, entry("offline"))
    assert isinstance(named("offline"), OfflineModel)


def test_what_is_available_says_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key-123456")
    rows = dict(available(ModelSettings()))
    assert rows["openai:NAME"] == "OPENAI_API_KEY is set"
    assert rows["anthropic:NAME"] == "needs ANTHROPIC_API_KEY"
    assert next(iter(rows)) == "offline"
    assert "test-key-123456" not in str(rows)


def test_nothing_heavy_is_loaded_for_the_models_without_a_network(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom redraft.models.registry import resolve\nfrom redraft.models.base import ModelSettings\n"
        "for spec in ('offline', 'inbox:' + sys.argv[1]):\n    resolve(spec, settings=ModelSettings())\n"
        "print([m for m in sys.modules if m.split('.')[0] in {'pydantic_ai', 'openai', 'anthropic', 'httpx2'}])"
    )
    arguments = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, env=dict(os.environ))
    assert done.stdout.strip() == "[]"


def test_a_provider_whose_library_is_missing_is_known_all_the_same() -> None:
    with pytest.raises(MissingPartError, match="pip install"):
        named("groq:llama-3.3-70b-versatile")
