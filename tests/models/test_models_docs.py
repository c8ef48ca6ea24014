"""docs/models.md: what it shows works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from redraft.models.base import Model, ModelSettings
from redraft.models.inbox import InboxRequest, post
from redraft.models.registry import Setup, resolve

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python_examples_run(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "example"}
    exec(compile(blocks("python")[number], f"docs/models.md, block {number}", "exec"), names)
    if "parrot" in names:
        made = names["parrot"]("loud", Setup({}, ModelSettings()))  # type: ignore[reportCallIssue, operator]
        assert isinstance(made, Model)


def test_the_settings_are_settings() -> None:
    shown = yaml.safe_load(blocks("yaml")[0])["models"]
    assert set(shown) == set(ModelSettings.model_fields)
    ModelSettings.model_validate(shown)
    defaults = ModelSettings()
    assert (shown["timeout"], shown["transport_retries"]) == (defaults.timeout, defaults.transport_retries)


def test_the_header_is_the_header(tmp_path: Path) -> None:
    from asking import make_request

    posted: InboxRequest = post(tmp_path, make_request(), "")
    written = yaml.safe_load(posted.request.read_text().split("---\n")[1])
    shown = yaml.safe_load(blocks("yaml")[1])
    assert list(shown) == list(written)
    assert {k: v for k, v in shown.items() if k != "digest"} == {k: v for k, v in written.items() if k != "digest"}
    assert len(shown["digest"]) == len(written["digest"])


NAMED = sorted(
    {*re.findall(r"--model (\S+)", PAGE), *re.findall(r"`((?:openai|anthropic|google|ollama)\S*:[a-z][\w.-]+)`", PAGE)}
)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [name for name in NAMED if not name.startswith(("replay:", "parrot:"))])
def test_the_names_are_names(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"):
        assert variable in PAGE
        monkeypatch.setenv(variable, "test-key-123456")
    assert isinstance(resolve(spec.rstrip("`)"), settings=ModelSettings()), Model)


def test_names_were_found() -> None:
    assert {"offline", "inbox:mail", "anthropic:claude-haiku-4-5", "openai-chat:gpt-4o", "ollama:llama3"} <= set(NAMED)
