"""`redraft scene`: what its flags set, and what it refuses before anything begins."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from fake_app import FakeApp, install
from typer.testing import CliRunner, Result

from redraft.cli.program import program
from redraft.result import Score, Verdict


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeApp:
    return install(FakeApp(), monkeypatch)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["scene", *arguments])


def test_words_alone(fake: FakeApp) -> None:
    assert invoke("an apple", "--size", "640x480", "--samples", "8", "--seed", "4", "--out", "run").exit_code == 0
    settings, call = fake.calls
    assert settings["overrides"] == {
        "studios.scene.width": 640,
        "studios.scene.height": 480,
        "studios.scene.samples": 8,
        "seed": 4,
    }
    assert (call["studio"], call["instruction"], call["out"]) == ("scene", "an apple", Path("run"))
    assert "target" not in call


def test_a_target_alone(fake: FakeApp) -> None:
    invoke("--target", "photo.png", "--metric", "ssim", "--on", "old", "--iterations", "5")
    settings, call = fake.calls
    assert settings["overrides"] == {"studios.scene.metric": "ssim", "loop.iterations": 5}
    assert (call["instruction"], call["target"], call["on"]) == ("", Path("photo.png"), "old")
    assert "photo" in call["out"].name, "a run without words is named by its target"


def test_which_blender_which_files_and_no_jail(fake: FakeApp) -> None:
    invoke("an apple", "--blender", "/opt/blender", "--assets", "textures", "--sandbox", "none", "--memory", "none")
    assert fake.calls[0]["overrides"] == {
        "memory": "none",
        "studios.scene.blender": str(Path("/opt/blender")),
        "studios.scene.assets": "textures",
        "studios.scene.sandbox": "none",
    }


def test_into_the_open_blender(fake: FakeApp) -> None:
    assert invoke("an apple", "--send").exit_code == 0
    assert fake.calls[0]["overrides"] == {"studios.scene.send": True}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), 'redraft scene "a red apple on a wooden table"'),
        (("a", "red", "apple"), 'redraft scene "a red apple"'),
        (("apple", "--size", "big"), "given 'big'"),
        (("apple", "--size", "640"), "give width and height in pixels"),
        (("apple", "--metric", "flip"), "--target PICTURE"),
        (("apple", "--samples", "many"), "--samples"),
    ],
)
def test_wrong_use(fake: FakeApp, arguments: tuple[str, ...], said: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert fake.calls == []


@pytest.mark.parametrize(
    ("arguments", "setting", "given"),
    [
        (("--size", "100000x100000"), "studios.scene.width", "given 100000"),
        (("--size", "0x0"), "studios.scene.height", "given 0"),
        (("--samples", "0"), "studios.scene.samples", "given 0"),
        (("--samples", "99999"), "studios.scene.samples", "given 99999"),
        (("--target", "x.png", "--metric", "best"), "studios.scene.metric", "'flip', 'ssim' or 'lpips'; given 'best'"),
        (("--blender", "nowhere"), "studios.scene.blender", "'nowhere' does not exist; give a Python that has"),
        (("--blender", sys.executable), "studios.scene.blender", "without the bpy module; give a Python that has"),
        (("--assets", "nowhere"), "studios.scene.assets", "'nowhere' is not a folder; give one that scripts may read"),
    ],
)
def test_wrong_values_name_the_setting_and_what_would_be_right(
    arguments: tuple[str, ...], setting: str, given: str
) -> None:
    result = invoke("apple", *arguments, "--out", "run")
    assert result.exit_code == 2
    assert setting in result.output
    assert given in result.output
    assert "Traceback" not in result.output
    assert not Path("run").exists()


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ('limit: "20"', "studios.scene.limit: Input should be a valid number; given '20'"),
        ("limit: 0", "studios.scene.limit"),
        ("sampels: 8", "studios.scene.sampels"),
        ("sandbox: jail", "studios.scene.sandbox is 'jail', which runs scripts without a sandbox"),
        ("assets: [textures]", "studios.scene.assets"),
    ],
)
def test_settings_in_a_file_are_checked_with_their_whole_path(section: str, said: str) -> None:
    Path("redraft.yaml").write_text(f"studios:\n  scene:\n    {section}\n")
    for command in (["scene", "apple", "--out", "run"], ["config", "check"]):
        result = CliRunner().invoke(program, command)
        assert result.exit_code == 2
        assert said in result.output
        assert "redraft.yaml" in result.output
    assert not Path("run").exists()


def test_where_there_is_no_blender_one_line_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from redraft.studios.scene import blender

    monkeypatch.setattr(blender, "homes", lambda: [tmp_path / "none"])
    monkeypatch.setattr(blender, "_candidates", list)
    result = invoke("apple", "--out", "run")
    assert result.exit_code == 2
    assert result.output == (
        "error: Scenes need Blender, which is not installed. Install it: redraft setup blender (about 1 GB)\n"
    )
    assert not Path("run").exists()


def test_the_scene_and_its_distance_are_said_at_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    score = Score(metric="FLIP", best=0.12, mean=0.12, frame=0, frames=(0.12,), reached=False)
    verdict = Verdict(by="metric", satisfied=False, score=0.12, summary="FLIP 0.1200", measured=score)
    files = {"blend": tmp_path / "run/scene.blend", "report": tmp_path / "run/report.html"}
    install(FakeApp(changes={"verdict": verdict, "studio": "scene", "files": files}), monkeypatch)
    said = invoke("--target", "x.png", "--out", "run").output
    assert "distance to the target: FLIP 0.1200, lower is better" in said
    assert "scene:   run/scene.blend" in said
    assert CliRunner().invoke(program, ["scene", "apple", "-q", "--out", "again"]).stdout == f"{files['blend']}\n"
