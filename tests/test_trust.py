"""A folder is data: nothing in it runs a program, chooses a server or names a key unless the person trusts it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typer.testing import CliRunner, Result

import redraft
from redraft.cli.program import program
from redraft.config import Config
from redraft.errors import ConfigError
from redraft.record.events import FORMAT_VERSION
from redraft.studios import open_studio, studio_names
from redraft.trust import MAX_LIST_BYTES, Trusted, is_trusted, list_file, trust

EVIL = "/nowhere/evil"
HOSTILE: dict[str, Any] = {
    "model": f"inbox:{EVIL}",
    "out": EVIL,
    "budget.calls": 1_000_000,
    "budget.tokens": 10**12,
    "budget.cost": 1e9,
    "models.base_url": "http://127.0.0.1:9/evil",
    "models.api_key_env": "HOME",
    "models.input_price": 0.0,
    "models.output_price": 0.0,
    "prompt.scoring.judge_model": f"inbox:{EVIL}",
    "prompt.scoring.judges.model": f"inbox:{EVIL}",
    "prompt.generations_path": f"{EVIL}.csv",
    "images.backend": f"command:{EVIL}",
    "images.base_url": "http://127.0.0.1:9/evil",
    "images.api_key_env": "HOME",
    "images.price": 0.0,
    "images.sketch_model": f"inbox:{EVIL}",
    "memory": "redis://127.0.0.1:9/0",
    "studios.board.to": f"{EVIL}.kicad_pcb",
    "studios.board.in_place": True,
    "studios.image.concepts_file": f"{EVIL}.txt",
    "studios.scene.blender": EVIL,
    "studios.scene.sandbox": "none",
    "studios.scene.assets": EVIL,
    "studios.scene.memory_limit": 255.0,
    "studios.scene.send": True,
}
"""Each trusted setting with a value that a stranger could choose."""
SHAPING_TEXTS = {"images.quality": "a pattern without slashes or colons", "prompt.scoring.judges.name": "a pattern"}
"""Texts that any folder may set, with the reason."""


def fields(kind: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """All settings of a model and its sections."""
    for name, field in kind.model_fields.items():
        inner = [one for one in (field.annotation, *get_args(field.annotation)) if isinstance(one, type)]
        section = next((one for one in inner if issubclass(one, BaseModel)), None)
        if section is not None:
            yield from fields(section, f"{prefix}{name}.")
        elif not field.exclude:
            yield f"{prefix}{name}", field


def all_settings() -> dict[str, FieldInfo]:
    found = dict(fields(Config))
    for name in studio_names():
        found |= dict(fields(open_studio(name).settings_model, f"studios.{name}."))
    return found


def mark_of(field: FieldInfo) -> Trusted | None:
    return next((one for one in field.metadata if isinstance(one, Trusted)), None)


def test_each_trusted_setting_has_a_hostile_value_here() -> None:
    assert {key for key, field in all_settings().items() if mark_of(field)} == HOSTILE.keys()


def test_each_setting_that_holds_free_text_is_trusted() -> None:
    texts = {
        key
        for key, field in all_settings().items()
        if key != "studios" and str in (field.annotation, *get_args(field.annotation)) and not mark_of(field)
    }
    assert texts == SHAPING_TEXTS.keys()


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def invoke(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(program, list(arguments), input=stdin)


def nested(key: str, value: Any) -> dict[str, Any]:
    """A setting as a settings file has it; judges are a list."""
    name, _, rest = key.partition(".")
    if name == "judges":
        return {"judges": [{"name": "one", rest: value}]}
    if name in ("input_price", "output_price"):  # they go together
        return {"input_price": value, "output_price": value}
    return {name: nested(rest, value) if rest else value}


def laid_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    both = {name: laid_over(below[name], above[name]) for name in below.keys() & above.keys()
            if isinstance(below[name], dict) and isinstance(above[name], dict)}  # fmt: skip
    return below | above | both


def foreign(folder: Path, studio: str = "sketch", brief: dict[str, Any] | None = None, **settings: Any) -> Path:
    """The folder of an interrupted run as somebody else could have written it."""
    start = {
        "event": "run_started", "key": "run", "at": "2026-11-27T12:00:00Z", "format": FORMAT_VERSION,
        "redraft": "0.1.0", "run": "a-house-000000", "studio": studio,
        "brief": {"instruction": "a house", **(brief or {})},
        "config": laid_over(Config().model_dump(mode="json", exclude={"out"}), settings), "seed": 0,
        "model": {"name": "offline"}, "worst_case_calls": 5,
    }  # fmt: skip
    folder.mkdir(parents=True)
    folder.joinpath("events.jsonl").write_text(json.dumps(start) + "\n", "utf-8")
    return folder


def entries(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


CAPS = ("budget.tokens", "budget.cost")
"""Without a cap of the person's own any cap of a folder is harmless."""


@pytest.mark.parametrize("key", sorted(HOSTILE.keys() - {"out", *CAPS}))
def test_a_record_does_not_set_what_is_trusted(key: str, tmp_path: Path) -> None:
    studio = key.split(".")[1] if key.startswith("studios.") else "sketch"
    run = foreign(tmp_path / "runs" / "x", studio, **nested(key, HOSTILE[key]))
    before = entries(tmp_path)
    result = invoke("resume", "runs/x")
    assert result.exit_code == 2
    name = key.replace("judges.", "judges.0.")
    assert f"  {name} is {HOSTILE[key]!r}, which " in result.stderr
    assert "--as-recorded" in result.stderr
    assert entries(tmp_path) == before
    assert not Path(EVIL).exists()
    with pytest.raises(ConfigError, match=re.escape(name)):
        redraft.resume(run)


@pytest.mark.parametrize("key", sorted(HOSTILE.keys() - set(CAPS)))
def test_settings_of_a_folder_do_not_set_what_is_trusted(key: str, tmp_path: Path) -> None:
    tmp_path.joinpath("redraft.yaml").write_text(json.dumps(nested(key, HOSTILE[key])), "utf-8")
    result = invoke("sketch", "a house", "--out", "run")
    assert result.exit_code == 2
    assert f"redraft.yaml, line 1: {key.replace('judges.', 'judges.0.')} is {HOSTILE[key]!r}, which " in result.stderr
    assert "redraft trust ." in result.stderr
    assert not tmp_path.joinpath("run").exists()
    assert "# not trusted: redraft.yaml, line 1: " in invoke("config", "show").stdout


@pytest.mark.parametrize("value", [5.0, None])
def test_a_folder_does_not_raise_a_cap_of_ones_own(value: float | None, tmp_path: Path) -> None:
    assert invoke("config", "set", "--user", "budget.cost", "1.5").exit_code == 0
    tmp_path.joinpath("redraft.yaml").write_text(f"budget: {{cost: {json.dumps(value)}}}\n", "utf-8")
    assert f"budget.cost is {value}" in invoke("sketch", "a house").stderr
    tmp_path.joinpath("redraft.yaml").write_text("budget: {cost: 0.5}\n", "utf-8")
    assert "  cost: 0.5" in invoke("config", "show").stdout
    foreign(tmp_path / "runs" / "x", budget={"cost": value})
    refused = invoke("resume", "runs/x")
    assert (refused.exit_code, "budget.cost" in refused.stderr) == (2, True) if value else (1, False)


def test_settings_that_shape_results_count_from_any_folder(tmp_path: Path) -> None:
    settings = "loop: {iterations: 1}\nseed: 7\nbudget: {calls: 50}\nmodel: offline\nstudios: {sketch: {size: 64}}\n"
    tmp_path.joinpath("redraft.yaml").write_text(settings, "utf-8")
    result = redraft.sketch("a house", out="run")
    start = json.loads(Path("run/events.jsonl").read_text("utf-8").splitlines()[0])
    assert (start["seed"], start["config"]["budget"]["calls"], start["config"]["loop"]["iterations"]) == (7, 50, 1)
    assert start["config"]["studios"] == {"sketch": {"size": 64}}
    assert result.error is None


def test_a_trusted_folder_counts_until_a_byte_changes(tmp_path: Path) -> None:
    file = tmp_path / "redraft.yaml"
    file.write_text(f"model: inbox:{EVIL}\n", "utf-8")
    told = invoke("trust", ".")
    assert told.stdout == (
        "redraft.yaml is trusted until it changes\n"
        f"  redraft.yaml, line 1: model is 'inbox:{EVIL}', which chooses who gets the brief\n"
    )
    shown = invoke("config", "show").stdout
    assert f"model: inbox:{EVIL}  # redraft.yaml, line 1" in shown
    assert "not trusted" not in shown
    file.write_text(f"model: inbox:{EVIL}x\n", "utf-8")
    assert "not trusted" in invoke("config", "show").stdout


def test_the_check_up_lists_what_is_not_trusted(tmp_path: Path) -> None:
    tmp_path.joinpath("redraft.yaml").write_text(f"model: inbox:{EVIL}\n", "utf-8")
    line = f"redraft.yaml, line 1: model is 'inbox:{EVIL}', which chooses who gets the brief"
    assert f"not trusted (redraft trust . lets it count)\n  {line}\n" in invoke("doctor", "sketch", "--quick").stdout
    assert json.loads(invoke("doctor", "sketch", "--quick", "--json").stdout)["untrusted"] == [line]


def test_trust_holds_at_its_place_only_and_can_be_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "redraft.yaml"
    file.write_text(f"model: inbox:{EVIL}\n", "utf-8")
    assert invoke("trust").exit_code == 0
    other = tmp_path / "elsewhere"
    other.mkdir()
    other.joinpath(file.name).write_bytes(file.read_bytes())
    assert is_trusted(file, file.read_bytes())
    assert not is_trusted(other / file.name, file.read_bytes())
    assert invoke("trust", ".", "--revoke").stdout == "redraft.yaml: not trusted any more\n"
    assert not is_trusted(file, file.read_bytes())
    assert invoke("trust", "elsewhere/missing").exit_code == 2


def test_a_flag_in_place_of_an_untrusted_value_needs_no_trust(tmp_path: Path) -> None:
    tmp_path.joinpath("redraft.yaml").write_text(f"model: inbox:{EVIL}\n", "utf-8")
    assert invoke("sketch", "a house", "--model", "offline", "--out", "run").exit_code == 0


def test_settings_written_by_the_command_are_trusted_and_those_of_a_stranger_stay_untrusted(tmp_path: Path) -> None:
    assert invoke("config", "set", "model", "inbox:mail").exit_code == 0
    assert "not trusted" not in invoke("config", "show").stdout
    assert invoke("config", "set", "seed", "3").exit_code == 0
    assert "not trusted" not in invoke("config", "show").stdout
    tmp_path.joinpath("redraft.yaml").write_text("model: inbox:other\n", "utf-8")
    assert invoke("config", "set", "seed", "4").exit_code == 0
    assert "not trusted" in invoke("config", "show").stdout


def test_own_settings_count_everywhere_and_a_folder_does_not_undo_them(tmp_path: Path) -> None:
    assert invoke("config", "set", "--user", "models.base_url", "http://127.0.0.1:9/mine").exit_code == 0
    assert "base_url: http://127.0.0.1:9/mine" in invoke("config", "show").stdout
    tmp_path.joinpath("redraft.yaml").write_text("models: {base_url: null}\n", "utf-8")
    shown = invoke("config", "show").stdout
    assert "base_url: http://127.0.0.1:9/mine" in shown
    assert "not trusted: redraft.yaml, line 1: models.base_url is None" in shown


def test_an_own_value_in_a_record_needs_no_trust(tmp_path: Path) -> None:
    foreign(tmp_path / "runs" / "x", memory="sqlite:fixes.db")
    assert invoke("resume", "runs/x").exit_code == 2
    assert invoke("config", "set", "--user", "memory", "sqlite:fixes.db").exit_code == 0
    assert invoke("resume", "runs/x").exit_code in (0, 1)


def test_a_run_of_ones_own_is_resumed_as_it_was(tmp_path: Path) -> None:
    """Its server is out of reach, so that it ends early."""
    flags = ("--model", "openai-compatible:m", "--base-url", "http://127.0.0.1:9/v1", "--out", "runs/x")
    (tmp_path / "redraft.yaml").write_text("models: {transport_retries: 0}\n", "utf-8")
    assert invoke("sketch", "a house", *flags).exit_code == 3
    again = invoke("resume", "runs/x")
    assert again.exit_code == 3
    starts = [line for line in Path("runs/x/events.jsonl").read_text("utf-8").splitlines() if "run_started" in line]
    assert [json.loads(line)["config"]["models"]["base_url"] for line in starts] == ["http://127.0.0.1:9/v1"] * 2
    Path("runs/x").rename("runs/y")
    assert "models.base_url is 'http://127.0.0.1:9/v1', which chooses a server" in invoke("resume", "runs/y").stderr
    assert invoke("resume", "runs/y", "--as-recorded").exit_code == 3
    assert invoke("resume", "runs/y").exit_code == 3, "confirmed once"


def test_a_record_that_was_changed_is_not_ones_own_any_more(tmp_path: Path) -> None:
    flags = ("--model", "openai-compatible:m", "--base-url", "http://127.0.0.1:9/v1", "--out", "runs/x")
    (tmp_path / "redraft.yaml").write_text("models: {transport_retries: 0}\n", "utf-8")
    assert invoke("sketch", "a house", *flags).exit_code == 3
    events = Path("runs/x/events.jsonl")
    events.write_text(events.read_text("utf-8").replace("127.0.0.1:9/v1", "127.0.0.1:8/v1", 1), "utf-8")
    refused = invoke("resume", "runs/x")
    assert refused.exit_code == 2
    assert "http://127.0.0.1:8/v1" in refused.stderr


def test_what_is_not_sandboxed_is_confirmed_each_time(tmp_path: Path) -> None:
    run = foreign(tmp_path / "runs" / "x", "scene", studios={"scene": {"sandbox": "none"}})
    from redraft.loop.resume import remember

    remember(run)
    refused = invoke("resume", "runs/x")
    assert refused.exit_code == 2
    assert "studios.scene.sandbox is 'none', which runs scripts without a sandbox" in refused.stderr


@pytest.mark.parametrize("name", ["on", "source", "target", "reference", "generations"])
def test_a_brief_of_a_record_names_no_file_elsewhere(name: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine", "utf-8")
    foreign(tmp_path / "runs" / "x", brief={name: "../../secret"})
    refused = invoke("resume", "runs/x")
    assert refused.exit_code == 2
    assert f"brief.{name} is {str(secret)!r}, which is outside of the run's folder" in refused.stderr


def test_as_recorded_lists_what_it_uses(tmp_path: Path) -> None:
    foreign(tmp_path / "runs" / "x", memory="none", budget={"calls": 5000})
    result = invoke("resume", "runs/x", "--as-recorded")
    assert "The record in runs/x sets:\n  budget.calls is 5000, which allows more spending\n" in result.stderr
    assert result.exit_code in (0, 1)


@pytest.mark.parametrize("command", [("undo", "runs/y"), ("choose", "runs/x", "0")])
def test_undo_and_choose_take_no_program_from_a_record(command: tuple[str, ...], tmp_path: Path) -> None:
    redraft.sketch("a house", out="runs/x", candidates=2)
    redraft.run("sketch", "add a tree to the left", on="runs/x", out="runs/y")
    for run in ("x", "y"):
        events = tmp_path / "runs" / run / "events.jsonl"
        first, _, rest = events.read_text("utf-8").partition("\n")
        start = json.loads(first)
        start["config"]["studios"] = {"scene": {"blender": EVIL}}
        events.write_text(json.dumps(start) + "\n" + rest, "utf-8")
    refused = invoke(*command)
    assert refused.exit_code == 2
    assert f"studios.scene.blender is {EVIL!r}" in refused.stderr
    assert invoke(*command, "--as-recorded").exit_code in (0, 1)


def test_a_file_of_briefs_sets_nothing_trusted_unless_it_is_trusted(tmp_path: Path) -> None:
    lines = [{"studio": "sketch", "instruction": "a house", "model": f"inbox:{EVIL}"},
             {"studio": "sketch", "instruction": "a tree", "studios.sketch.size": 64}]  # fmt: skip
    tmp_path.joinpath("briefs.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    result = invoke("batch", "briefs.jsonl", "--json")
    rows = json.loads(result.stdout)["rows"]
    assert "redraft trust briefs.jsonl" in rows[0]["error"]
    assert rows[1]["outcome"] == "valid"
    assert invoke("trust", "briefs.jsonl").exit_code == 0
    from redraft.batch.briefs import plan, read_briefs

    line = read_briefs(tmp_path / "briefs.jsonl")[0]
    assert plan(line, tmp_path, {}, None).config.model == f"inbox:{EVIL}"


@pytest.mark.parametrize("name", [".lock", "events.jsonl", "pictures", "drawing.svg", "report.html", "pictures/x.png"])
def test_a_run_folder_reaches_nothing_elsewhere_by_a_link(name: str, tmp_path: Path) -> None:
    redraft.sketch("a house", out="runs/x")
    victim, path = tmp_path / "victim", tmp_path / "runs" / "x" / name
    if name == "pictures":
        path.rename(victim)
    else:
        victim.write_bytes(path.read_bytes() if path.exists() else b"mine")
        path.unlink(missing_ok=True)
    before = entries(victim) if victim.is_dir() else victim.read_bytes()
    path.symlink_to(victim)
    (tmp_path / "runs" / "x" / "drawing.png").unlink()  # so that the finished run is written to
    refused = invoke("resume", "runs/x")
    assert refused.exit_code == 2
    assert f"is a link, to {str(victim)!r}" in refused.stderr
    assert before == (entries(victim) if victim.is_dir() else victim.read_bytes())


def test_a_server_in_dotenv_needs_trust(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("REDIS_URL=redis://127.0.0.1:9/0\n", "utf-8")
    listed = invoke("memory", "list")
    assert listed.exit_code == 0
    assert f"{tmp_path / '.env'} names a server for the fix memory, and is not trusted" in listed.stderr
    assert invoke("trust", ".").stdout.startswith(".env is trusted until it changes")
    assert invoke("memory", "list").exit_code == 2, "the server is out of reach"


def test_the_list_of_what_is_trusted_is_private_and_bounded(tmp_path: Path) -> None:
    file = tmp_path / "redraft.yaml"
    trust(file, b"first")
    assert list_file().stat().st_mode & 0o077 == 0
    with list_file().open("ab") as handle:
        handle.write(b"0" * 64 + b"  /somewhere\n" * (MAX_LIST_BYTES // 13))
    trust(file, b"last")
    assert list_file().stat().st_size < MAX_LIST_BYTES
    assert is_trusted(file, b"last")
    assert not is_trusted(file, b"first"), "the older half is forgotten"


def test_a_list_that_cannot_be_written_costs_no_run(tmp_path: Path) -> None:
    list_file().parent.mkdir(parents=True, exist_ok=True)
    list_file().mkdir()
    flags = ("--model", "openai-compatible:m", "--base-url", "http://127.0.0.1:9/v1", "--out", "runs/x")
    (tmp_path / "settings.yaml").write_text("models: {transport_retries: 0}\n", "utf-8")
    result = invoke("sketch", "a house", *flags, "--config", "settings.yaml")
    assert result.exit_code == 3, result.stderr
