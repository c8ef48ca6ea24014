"""`redraft image`: what its flags set, and what it refuses before anything begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_app import FakeApp, install
from image_servers import picture
from typer.testing import CliRunner, Result

import redraft
from redraft.cli.program import program
from redraft.errors import IdeaCardsError
from redraft.ideas.history import Generation, append_generation

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeApp:
    return install(FakeApp(), monkeypatch)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["image", *arguments])


def test_concepts_and_a_taste(fake: FakeApp) -> None:
    Path("taste.yaml").write_text("likes: [quiet harbours]\n")
    done = invoke("lighthouse, storm, clockwork", "--profile", "taste.yaml")
    assert done.exit_code == 0
    settings, call = fake.calls
    assert settings["overrides"] == {}
    assert call["instruction"] == "lighthouse, storm, clockwork"
    assert call["profile"] == Path("taste.yaml")
    assert "lighthouse-storm" in call["out"].name


def test_ideas_mean_scoring(fake: FakeApp) -> None:
    invoke("kite", "--ideas", "8", "--exploration", "0.3", "--judge-model", "offline", "--no-refine")
    assert fake.calls[0]["overrides"] == {
        "prompt.scoring.enabled": True,
        "prompt.scoring.num_ideas": 8,
        "prompt.scoring.exploration_rate": 0.3,
        "prompt.scoring.judge_model": "offline",
        "studios.image.refine": False,
    }


def test_what_paints(fake: FakeApp) -> None:
    invoke("kite", "--backend", "comfyui:flow.json", "--image-url", "http://127.0.0.1:1", "--size", "512x768")
    assert fake.calls[0]["overrides"] == {
        "images.backend": "comfyui:flow.json",
        "images.base_url": "http://127.0.0.1:1",
        "images.width": 512,
        "images.height": 768,
    }


def test_what_the_backend_left_out_is_not_blamed_on_the_language_model() -> None:
    done = invoke("dragon, bridge", "--out", "run")
    advice = "left out or only placeholders: dragon; to have them made, choose another image backend with --backend"
    assert advice in done.output.splitlines()
    page = Path("run/report.html").read_text("utf-8")
    for text in (done.output, page, redraft.resume("run")._repr_html_()):  # pyright: ignore[reportPrivateUsage]
        assert "--backend" in text
        assert "choose a language model" not in text


def test_concepts_are_drawn_from_a_file(fake: FakeApp) -> None:
    assert invoke("--concepts-file", "words.txt", "--count", "2").exit_code == 0
    assert fake.calls[0]["overrides"] == {"studios.image.concepts_file": "words.txt", "studios.image.count": 2}
    assert fake.calls[1]["instruction"] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "1"], 'redraft image "lighthouse, sailboat, moon"'),
        (["a", "--concepts-file", "b"], "Leave one of the two out"),
        ([" ,, "], "There are no concepts"),
        ([""], "There are no concepts"),
        (["a", "--count", "2"], "Also give concepts_file"),
        (["--on", "run"], "The instruction is missing"),
        (["lighthouse", "storm"], 'redraft image "lighthouse storm"'),
        (["a", "--size", "big"], "give width and height in pixels"),
    ],
)
def test_what_does_not_go_together_is_said(arguments: list[str], said: str) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert said in done.output.replace("\n", " ")
    assert not Path("runs").exists()


def test_nothing_at_all_shows_what_there_is(fake: FakeApp) -> None:
    assert "lighthouse, sailboat" in invoke().output
    assert "redraft image history" in invoke("--help").output


def test_a_profile_without_ideas_is_of_no_use_to_a_drawing() -> None:
    Path("taste.yaml").write_text("likes: [quiet harbours]\n")
    done = CliRunner().invoke(program, ["sketch", "a house", "--profile", "taste.yaml"])
    assert done.exit_code == 2
    assert "also give a number of ideas" in done.output


def test_ideas_of_no_use_end_it_with_3_and_say_where_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    install(FakeApp(raises=IdeaCardsError("idea 'A' has no palette", step="x")), monkeypatch)
    done = invoke("kite", "--ideas", "4", "--out", "run")
    assert done.exit_code == 3
    why, where = done.stderr.split("nothing was made.")
    assert "error: invalid_idea_cards_json: idea 'A' has no palette" in why
    assert "run/report.html" in where


def test_the_command_that_goes_on_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    error = {"phase": "finish", "step": "iteration-1/finish", "message": "it failed"}
    for fake in (FakeApp(changes={"error": error}), FakeApp(raises=KeyboardInterrupt())):
        install(fake, monkeypatch)
        done = invoke("kite", "--backend", "command:./paint.sh {out} $HOME", "--out", "my run")
        assert ": redraft resume 'my run'\n" in done.output


@pytest.mark.parametrize("command", ["history", "diversity"])
def test_a_list_that_is_not_there_is_said(command: str) -> None:
    done = invoke(command, "--file", "none.csv")
    assert done.exit_code == 2
    assert "none.csv" in done.output
    assert "Traceback" not in done.output


def listed(number: int) -> None:
    """A list of so many generations, with pictures of the first two and what is none of the third."""
    rows = [
        Generation(
            generation_id=f"g{n}",
            selected_concepts=("kite",),
            final_image_prompt=f"A kite over hill number {n}.",
            image_path=f"{n}.png",
            created_at="2026-01-01T00:00:00+00:00",
            seed=n,
        )
        for n in range(number)
    ]
    for row in rows:
        append_generation(Path("made.csv"), row)
    for n in range(2):
        Path(f"{n}.png").write_bytes(picture(size=(32, 32), colour=("teal", "brown")[n]))
    Path("2.png").write_text("not found")


def test_a_picture_that_is_none_is_said_and_the_others_are_compared() -> None:
    listed(3)
    done = invoke("diversity", "--file", "made.csv")
    assert done.exit_code == 0
    assert "2.png" in done.stderr
    assert "not compared" in done.stderr
    assert "Pictures, in effect" in done.stdout


def test_of_a_long_list_the_newest_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.studios.image.commands.NEWEST", 3)
    listed(5)
    for command, said in (("history", "hill number 2"), ("diversity", "3 prompts")):
        done = invoke(command, "--file", "made.csv")
        assert said in done.stdout
        assert "hill number 1" not in done.stdout
        assert "only the newest 3 are used" in done.stderr
        more = invoke(command, "--file", "made.csv", "--last", "5")
        assert ("hill number 0" in more.stdout) or ("5 prompts" in more.stdout)
        assert "only the newest" not in more.stderr


def test_a_review_of_nothing_is_said() -> None:
    done = invoke("review", "nowhere")
    assert done.exit_code == 2
    assert "nowhere is not a run" in done.output
    assert invoke("review", "--compare", "nowhere").exit_code == 2
