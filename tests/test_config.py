"""Settings are strict, and errors name key path, value and place."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from redraft.config import Config, load
from redraft.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    path = folder / "redraft.yaml"
    path.write_text(text)
    return path


def test_defaults_without_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = load().config
    assert config.model == "offline"
    assert (config.loop.fixes, config.loop.repairs) == (3, 2)


@pytest.mark.parametrize(
    ("text", "key", "value", "line"),
    [
        ("loop:\n  critic: 'false'\n", "loop.critic", "'false'", 2),
        ("loop:\n  candidates: '3'\n", "loop.candidates", "'3'", 2),
        ("loop:\n  candidates: 3.5\n", "loop.candidates", "3.5", 2),
        ("loop:\n  candidates: true\n", "loop.candidates", "True", 2),
        ("loop:\n  candidates: 0\n", "loop.candidates", "0", 2),
        ("loop:\n  iterations: 1000000\n", "loop.iterations", "1000000", 2),
        ("loop:\n  repair: sometimes\n", "loop.repair", "'sometimes'", 2),
        ("seed: -1\n", "seed", "-1", 1),
        ("budget:\n  calls: 3\n  cost: 0\n", "budget.cost", "0", 3),
        ("model:\n  - offline\n", "model", "['offline']", 1),
        ("models:\n  timeout: .nan\n", "models.timeout", "nan", 2),
    ],
)
def test_a_wrong_value_is_named_with_its_place(tmp_path: Path, text: str, key: str, value: str, line: int) -> None:
    with pytest.raises(ConfigError) as caught:
        load(write(tmp_path, text))
    message = str(caught.value)
    assert message.startswith(f"{key}:")
    assert f"given {value}" in message
    assert f"redraft.yaml, line {line}" in message


def test_an_unknown_key_is_an_error_with_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"loop\.candidate: unknown setting, given 3 .*Did you mean loop\.candidates"):
        load(write(tmp_path, "loop:\n  candidate: 3\n"))


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(write(tmp_path, "seed: x\nloop:\n  fixes: -1\n"))
    assert [line.partition(":")[0] for line in str(caught.value).splitlines()] == ["seed", "loop.fixes"]


def test_a_key_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"seed: set twice in .*, lines 1 and 2"):
        load(write(tmp_path, "seed: 1\nseed: 2\n"))


@pytest.mark.parametrize("text", ["- a\n", "just words", "{", "\ta: 1"])
def test_what_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=r"redraft\.yaml"):
        load(write(tmp_path, text))


def test_a_missing_file_and_a_binary_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Cannot read the configuration"):
        load(tmp_path / "none.yaml")
    path = tmp_path / "binary.yaml"
    path.write_bytes(b"seed: \xff\xfe")
    with pytest.raises(ConfigError, match="not valid UTF-8"):
        load(path)


def test_each_layer_overrides_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, "seed: 1\nloop:\n  candidates: 2\n  fixes: 1\n")
    monkeypatch.setenv("REDRAFT_LOOP__CANDIDATES", "4")
    overrides: dict[str, JsonValue] = {"loop.fixes": 0}
    report = load(file, overrides)
    assert (report.config.seed, report.config.loop.candidates, report.config.loop.fixes) == (1, 4, 0)
    lines = report.lines()
    assert f"seed: 1  # {file}, line 1" in lines
    assert "  candidates: 4  # environment variable REDRAFT_LOOP__CANDIDATES" in lines
    assert "  fixes: 0  # on the command line" in lines
    assert "#   repairs: 2" in lines


def test_what_is_shown_is_a_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_BUDGET", "{calls: 7, cost: 1.0e-05}")
    monkeypatch.setenv("REDRAFT_MODEL", "'replay:it''s: #1'")
    shown = load(write(tmp_path, "loop: {candidates: 2}\nmemory: none\nstudios:\n  shader: {frames: 3}\n"))
    monkeypatch.delenv("REDRAFT_BUDGET")
    monkeypatch.delenv("REDRAFT_MODEL")
    again = load(write(tmp_path, "\n".join(shown.lines())))
    assert again.config == shown.config
    assert {key for key in again.sources if key.count(".")} == {
        *("budget.calls", "budget.tokens", "budget.cost", "loop.candidates", "studios.shader", "studios.shader.frames")
    }


def test_the_environment_is_as_strict_as_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_LOOP__CRITIC", "'false'")
    with pytest.raises(
        ConfigError, match=r"loop\.critic: .*given 'false' \(set in environment variable REDRAFT_LOOP__"
    ):
        load()


def test_an_unknown_variable_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_SEEED", "3")
    with pytest.raises(ConfigError, match=r"seeed: unknown setting, given 3 .*REDRAFT_SEEED.*Did you mean seed"):
        load()


@pytest.mark.parametrize(
    ("memory", "shown"),
    [
        ("redis://:hush@host:6379/0", "redis://:***@host:6379/0"),
        ("redis://me:hu@sh@host/1", "redis://me:***@host/1"),
        ("redis://host/0?db=1&password=hush&x=1", "redis://host/0?db=1&password=***&x=1"),
        ("redis://host:6379/0", "redis://host:6379/0"),
        ("sqlite:~/fixes.sqlite", "sqlite:~/fixes.sqlite"),
    ],
)
def test_a_password_of_the_fix_memory_is_never_shown(memory: str, shown: str) -> None:
    assert Config(memory=memory).model_dump(mode="json")["memory"] == shown
    assert Config(memory=memory).memory == memory


def test_a_mistyped_secret_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_MCP_TOKN", "a secret of a user")
    with pytest.raises(ConfigError, match="mcp_tokn: unknown setting, given a value") as refused:
        load()
    assert "a secret" not in str(refused.value)
