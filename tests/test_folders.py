"""Folders of strangers, through the commands: no code of theirs runs, nothing is written or read elsewhere, and a small
record exhausts nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result
from viewing import Viewing

import redraft
from redraft.cli.program import program
from redraft.record.journal import EVENTS_FILE

BRIEF = {"studio": "sketch", "instruction": "a red house", "id": "one"}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cloned"
    folder.mkdir()
    monkeypatch.chdir(folder)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, list(arguments))


def briefs(*lines: dict[str, Any]) -> None:
    Path("briefs.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")


def hostile_package(name: str, victim: Path) -> None:
    """A package that redraft would import, if it looked for packages in the current folder."""
    Path(name).mkdir()
    for file in ("__init__.py", "__main__.py"):
        Path(name, file).write_text(f"open({str(victim)!r}, 'w').write('ran')\n", "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("package", ["anyio", "redraft", "json"])
def test_a_batch_imports_nothing_from_the_current_folder(package: str, tmp_path: Path) -> None:
    hostile_package(package, tmp_path / "victim")
    briefs(BRIEF)
    script = Path(sys.executable).with_name("redraft")  # `python -m redraft` is the person's own choice of path
    done = subprocess.run([script, "batch", "briefs.jsonl"], capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "victim").exists()


@pytest.mark.slow
def test_the_viewer_starts_nothing_from_the_current_folder(tmp_path: Path) -> None:
    runs = Path("runs").absolute()
    runs.mkdir()
    hostile_package("redraft", tmp_path / "victim")
    script = str(Path(sys.executable).with_name("redraft"))
    with Viewing(runs, program=(script,)) as viewing:
        form = viewing.get("/new").text.partition('name="form_token" value="')[2].partition('"')[0]
        fields = {"studio": "sketch", "instruction": "a house", "form_token": form}
        body = "&".join(f"{name}={value.replace(' ', '+')}" for name, value in fields.items()).encode()
        viewing.request(
            "POST",
            "/new",
            {
                "Cookie": viewing.cookie,
                "Host": viewing.host,
                "Origin": f"http://{viewing.host}",
                "Content-Type": "application/x-www-form-urlencoded",
            },
            body,
        )
    assert not (tmp_path / "victim").exists()
    assert list(runs.glob(f"*/{EVENTS_FILE}"))


@pytest.mark.parametrize("name", ["generations.csv", "titles_manifest.csv"])
def test_lists_of_images_are_not_written_through_links(name: str, tmp_path: Path) -> None:
    Path("runs").mkdir()
    Path("runs", name).symlink_to(tmp_path / "victim")
    done = invoke("image", "kite, red house", "--backend", "sketch")
    assert done.exit_code == 2
    assert "is a link" in done.stderr
    assert not (tmp_path / "victim").exists()


@pytest.mark.parametrize("command", [("sketch", "a house"), ("batch", "briefs.jsonl")])
def test_a_folder_of_runs_that_is_a_link_is_named_by_the_person(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    Path("runs").symlink_to(tmp_path / "victim")
    briefs(BRIEF)
    done = invoke(*command)
    assert done.exit_code == 2
    assert "leads by a link to" in done.stderr
    assert not list((tmp_path / "victim").iterdir())


def test_a_batch_has_no_links_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    Path("runs/briefs/.batch").mkdir(parents=True)
    Path("runs/briefs/gallery").symlink_to(tmp_path / "victim")
    briefs(BRIEF)
    assert "is a link" in invoke("batch", "briefs.jsonl").stderr
    assert not list((tmp_path / "victim").iterdir())


@pytest.mark.parametrize("name", ["reference", "source", "target", "profile", "on"])
def test_briefs_name_no_file_elsewhere(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("my key", "utf-8")
    studio = {"reference": "scene", "source": "board", "target": "shader"}.get(name, "sketch")
    briefs(BRIEF | {"studio": studio, name: "../secret"})
    done = invoke("batch", "briefs.jsonl", "--json")
    assert f"{name} is {str(tmp_path / 'secret')!r}, which is outside" in json.loads(done.stdout)["rows"][0]["error"]
    assert "my key" not in done.output


def test_pictures_of_an_earlier_run_are_not_read_through_links(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("my key", "utf-8")
    redraft.sketch("a house", out="runs/x")
    redraft.run("sketch", "add a tree to the left", on="runs/x", out="runs/y")
    Path("runs/x/pictures/0123456789abcdef.png").symlink_to(tmp_path / "secret")
    for command in (("undo", "runs/y"), ("sketch", "add a cloud above the house", "--on", "runs/x")):
        done = invoke(*command)
        assert done.exit_code == 2, command
        assert "is a link" in done.stderr


def test_undo_follows_no_record_elsewhere(tmp_path: Path) -> None:
    redraft.sketch("a house", out=tmp_path / "private" / "x")
    redraft.run("sketch", "add a tree to the left", on=tmp_path / "private" / "x", out="runs/y")
    Path("runs/y").rename("runs/theirs")  # as it would come from somebody else
    events = Path("runs/theirs/events.jsonl")
    events.write_text(events.read_text("utf-8").replace("../../private", "../../../private"), "utf-8")
    before = sorted((tmp_path / "private").iterdir())
    done = invoke("undo", "runs/theirs")
    assert done.exit_code == 2
    assert "brief.on is " in done.stderr
    assert sorted((tmp_path / "private").iterdir()) == before


def damaged(lines: list[str]) -> Path:
    redraft.sketch("a house", out="runs/x")
    events = Path("runs/x/events.jsonl")
    events.write_text(events.read_text("utf-8").splitlines()[0] + "\n" + "\n".join(lines) + "\n", "utf-8")
    return events


AT = "2026-11-27T12:00:00Z"


UNFOLDING: list[tuple[list[dict[str, Any]], str]] = [
    ([{"event": "warned", "key": "a/" * 100_000, "at": AT, "message": "x"}], "at most 300 characters"),
    ([{"event": "warned", "key": f"iteration-{n}", "at": AT, "message": "x"} for n in range(1, 400)], "turns"),
    ([{"event": "noted", "key": "x", "at": AT, "topic": "x", "data": [[]] * 5_000_000}], "more than 8,000,000"),
]


@pytest.mark.parametrize(("lines", "words"), UNFOLDING)
def test_a_record_that_would_unfold_is_refused(lines: list[dict[str, object]], words: str) -> None:
    damaged([json.dumps(line, separators=(",", ":")) for line in lines])
    for command in (("report", "runs/x"), ("resume", "runs/x")):
        done = invoke(*command)
        assert done.exit_code == 2, command
        assert words in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed: 1" + ":59" * 20_000, "a number has more than 1,000 characters"),
        ("\n".join(f"setting_{n}: 1" for n in range(3_000)), "and 2,980 more"),
        ('prompt: {scoring: {judges: [&a {name: x, model: "openai:gpt-5"}, *a]}}', "the name 'x' is given twice"),
    ],
)
def test_settings_that_are_made_to_be_slow_or_odd_end_in_words(text: str, words: str) -> None:
    Path("redraft.yaml").write_text(text, "utf-8")
    done = invoke("sketch", "a house")
    assert done.exit_code == 2
    assert words in done.stderr


def test_a_huge_file_is_not_read_to_trust_it() -> None:
    with Path("redraft.yaml").open("wb") as file:
        os.truncate(file.fileno(), 3 << 30)
    done = invoke("trust", ".")
    assert done.exit_code == 2
    assert "64 MB" in done.stderr
