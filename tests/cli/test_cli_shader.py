"""`redraft shader`: what its flags set, and what it refuses before anything begins."""

from __future__ import annotations

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
    return CliRunner().invoke(program, ["shader", *arguments])


def test_words_alone(fake: FakeApp) -> None:
    assert invoke("slow aurora", "--frames", "24", "--seconds", "6", "--loop", "--out", "run").exit_code == 0
    settings, call = fake.calls
    assert settings["overrides"] == {
        "studios.shader.frames": 24,
        "studios.shader.seconds": 6.0,
        "studios.shader.loop": True,
    }
    assert (call["studio"], call["instruction"]) == ("shader", "slow aurora")
    assert "target" not in call


def test_a_target_alone(fake: FakeApp) -> None:
    invoke("--target", "photo.png", "--metric", "ssim", "--iterations", "5", "--reference", "notes.glsl", "--on", "old")
    settings, call = fake.calls
    assert settings["overrides"] == {"studios.shader.metric": "ssim", "loop.iterations": 5}
    assert (call["instruction"], call["target"], call["reference"]) == ("", Path("photo.png"), Path("notes.glsl"))
    assert call["on"] == "old"
    assert "photo" in call["out"].name, "a run without words is named by its target"


@pytest.mark.parametrize("size", ["640x360", "640X360", "640×360"])
def test_size(fake: FakeApp, size: str) -> None:
    invoke("rings", "--size", size, "--memory", "none")
    assert fake.calls[0]["overrides"] == {
        "memory": "none",
        "studios.shader.width": 640,
        "studios.shader.height": 360,
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), 'redraft shader "slow aurora'),
        (("rings", "of", "light"), 'redraft shader "rings of light"'),
        (("rings", "--size", "big"), "given 'big'"),
        (("rings", "--size", "640"), "512x288"),
        (("rings", "--metric", "flip"), "--target PICTURE"),
    ],
)
def test_wrong_use(fake: FakeApp, arguments: tuple[str, ...], said: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert fake.calls == []


def test_wrong_values_name_the_setting() -> None:
    result = invoke("rings", "--frames", "0")
    assert result.exit_code == 2
    assert "studios.shader.frames" in result.output
    assert "given 0" in result.output


def test_the_distance_is_said_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    score = Score(metric="SSIM", best=0.41, mean=0.3, frame=1, frames=(0.2, 0.41), reached=False)
    verdict = Verdict(by="metric", satisfied=False, score=0.41, summary="SSIM 0.4100", measured=score)
    install(FakeApp(changes={"verdict": verdict, "studio": "shader"}), monkeypatch)
    said = invoke("--target", "x.png", "--out", "run").output
    assert "distance to the target: SSIM 0.4100, higher is better, frame 2 of 2 (mean 0.3000)" in said
