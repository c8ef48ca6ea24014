"""The log on standard error, and its options."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli.program import program
from redraft.record.events import EffectFinished, EffectStarted
from redraft.record.journal import read_events

pytestmark = pytest.mark.usefixtures("loggers_as_before")


def invoke(*words: str) -> Result:
    return CliRunner().invoke(program, words)


def draw(folder: Path, *options: str) -> Result:
    result = invoke("sketch", "a red circle left of a blue square", "--out", str(folder / "run"), *options)
    assert result.exit_code == 0, result.output
    return result


def records(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stderr.splitlines()]


def test_json_has_one_record_for_each_event(tmp_path: Path) -> None:
    everything = records(draw(tmp_path, "--log-level", "debug", "--log-format", "json"))
    logged = [each for each in everything if each["logger"] == "redraft.run"]
    events = read_events(tmp_path / "run")
    assert [(each["message"], each["redraft.key"]) for each in logged] == [(e.event, e.key) for e in events]
    levels = {each["message"]: each["level"] for each in logged}
    assert (levels["effect_started"], levels["effect_finished"]) == ("debug", "info")
    asked = {event.key: event.at for event in events if isinstance(event, EffectStarted)}
    took = {event.key: event.at - asked[event.key] for event in events if isinstance(event, EffectFinished)}
    said = {each["redraft.key"]: each["redraft.seconds"] for each in logged if each["message"] == "effect_finished"}
    assert said == {key: each.total_seconds() for key, each in took.items()}
    assert "red circle" not in json.dumps(logged)


@pytest.mark.parametrize(
    ("options", "least"),
    [
        (["-v"], logging.INFO),
        (["-vv"], logging.DEBUG),
        (["--log-format", "json"], logging.INFO),
        (["-v", "--log-level", "error"], logging.ERROR),
    ],
)
def test_levels(options: list[str], least: int) -> None:
    assert invoke(*options, "runs").exit_code == 0
    assert logging.getLogger("redraft").level == least
    assert invoke("runs", *options).exit_code == 0  # where most people type them
    assert logging.getLogger("redraft").level == least


@pytest.mark.slow
def test_verbose_shows_the_info_lines_of_scoring(tmp_path: Path) -> None:
    quiet = draw(tmp_path / "quiet", "--ideas", "3")
    assert "redraft.scoring" not in quiet.output
    lines = draw(tmp_path, "--ideas", "3", "--verbose").stderr.splitlines()
    chosen = json.loads((tmp_path / "run/transcript.json").read_text("utf-8"))["blackbox_scoring"]
    assert [line.partition("Z ")[2] for line in lines if " redraft.scoring " in line] == [
        "info    redraft.scoring Blackbox scoring enabled: num_ideas=3, exploration_rate=0.15, novelty=on",
        f"info    redraft.scoring Selected candidate: id={chosen['selected_id']}, score={chosen['selected_score']}, "
        f"selection_mode={chosen['selection_mode']}",
    ]


def test_text_is_plain_and_the_result_stays_alone(tmp_path: Path) -> None:
    result = draw(tmp_path, "-v", "--json")
    assert json.loads(result.stdout)["valid"] is True
    lines = [line for line in result.stderr.splitlines() if " redraft.run " in line]
    assert lines[0].split()[1:4] == ["info", "redraft.run", "run_started"]
    assert any("effect_finished" in line and "redraft.key=iteration-1/draft " in line for line in lines)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--log-level", "loud"], "'loud' is none of debug, info, warning, error."),
        (["--log-format", "xml"], "'xml' is none of text, json."),
    ],
)
def test_other_values_are_refused(options: list[str], said: str) -> None:
    for words in ([*options, "runs"], ["runs", *options]):
        result = invoke(*words)
        assert result.exit_code == 2
        assert said in result.stderr


def test_help_names_the_options_once() -> None:
    assert all(option in invoke("--help").stdout for option in ("--verbose", "--log-level", "--log-format"))
    assert "--log-level" not in invoke("runs", "--help").stdout
