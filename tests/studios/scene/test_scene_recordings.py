"""Recorded answers of a capable model, given back by their place: run, measured and looked at as they come."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from PIL import Image
from real_parts import needs

from redraft import app
from redraft.config import load
from redraft.result import Result
from redraft.studios.scene import workers
from redraft.studios.scene.spec import Scene
from redraft.transcript import Run, Transcript
from validity import RecordedModel

pytestmark = [pytest.mark.slow, pytest.mark.real, pytest.mark.timeout(900)]

FOLDER = Path(__file__).parents[2] / "data" / "recordings" / "scenes"
SMALL = {"width": 160, "height": 120, "samples": 4, "limit": 120.0}


@pytest.fixture(autouse=True)
def blender(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("blender")
    needs("bwrap")
    # a busy machine must not change what is replayed
    monkeypatch.setattr(workers, "SURVEY_LIMIT", 600.0)


def replayed(name: str, folder: Path, *, on: Path | None = None, target: Path | None = None) -> Result:
    """The result of a recorded run under today's rules, small."""
    size = SMALL | ({"width": 150, "height": 100} if target else {})
    values = {f"studios.scene.{key}": value for key, value in size.items()}
    turns = 3 if target else 2
    config = load(None, values | {"memory": "none", "loop.iterations": turns}).config
    model = RecordedModel(FOLDER / f"{name}.jsonl")
    brief = "" if target else model.brief
    return app.run("scene", brief, config=config, model=model, on=on, target=target, out=folder / name)


def transcript(result: Result) -> Transcript:
    return Run.load(result.run).transcript


def satisfied(result: Result) -> list[bool | None]:
    """What the critic said in each turn."""
    return [turn.verdict.satisfied for turn in transcript(result).turns if turn.verdict]


def scene_of(result: Result) -> Scene:
    return Scene.model_validate_json(result.files["json"].read_bytes())


def colour_of(result: Result, name: str) -> tuple[int, int, int]:
    """The base colour of a thing."""
    colour = next(thing for thing in scene_of(result).facts.things if thing.name == name).colours[0]
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def test_what_the_critic_saw_close_up_is_mended_and_a_change_keeps_the_rest(tmp_path: Path) -> None:
    table = replayed("table", tmp_path)
    assert table.valid, table.report.issues
    assert satisfied(table) == [False, True]
    assert table.usage.calls == 5
    blue = replayed("blue", tmp_path, on=table.run)
    assert blue.valid, blue.report.issues
    red, green, most = colour_of(blue, "Bowl")
    assert most > 1.5 * max(red, green)
    assert min(colour_of(table, "Bowl")) > 200
    kept = [{thing.name: thing.box for thing in scene_of(result).facts.things} for result in (table, blue)]
    assert kept[0] == kept[1]


def test_words_of_older_blenders_cost_no_call(tmp_path: Path) -> None:
    result = replayed("harbour", tmp_path)
    assert result.valid, result.report.issues
    attempts = [attempt for turn in transcript(result).turns for attempt in turn.attempts]
    assert [attempt["retry_count"] for attempt in attempts] == [0, 0]
    assert result.usage.calls == 4
    code = result.files["script"].read_text(encoding="utf-8")
    assert "scene.objects.link" not in code
    boats = [thing for thing in scene_of(result).facts.things if thing.name.startswith("Fishing Boat")]
    assert len(boats) == 3


def test_prose_and_an_unknown_name_cost_one_call_each(tmp_path: Path) -> None:
    result = replayed("lighthouse", tmp_path)
    assert result.valid, result.report.issues
    first, second = (turn.attempts[0] for turn in transcript(result).turns)
    assert [first["retry_count"], second["retry_count"]] == [2, 0]
    assert [error[:3] for error in cast("list[str]", first["errors"])] == ["E2:", "E1:"]
    assert satisfied(result) == [False, True]


def test_toward_a_photograph_each_turn_comes_nearer(tmp_path: Path) -> None:
    data = pytest.importorskip("skimage.data")
    target = tmp_path / "coffee.png"
    Image.fromarray(data.coffee()).save(target)
    result = replayed("coffee", tmp_path, target=target)
    assert result.valid, result.report.issues
    scores = [record.score for record in transcript(result).iterations if record.score is not None]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] < 0.9 * scores[0]


def test_a_recording_says_what_it_is() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert {"table", "blue", "harbour", "lighthouse", "coffee"} <= {path.stem for path in files}
    for path in files:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert "large language model" in first
        assert "not blind" in first
        assert RecordedModel(path).brief
