"""Recorded replies of a capable model to an earlier version's requests, without its critiques.

They are given back by their place: compiled, rendered and measured as they come.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from real_parts import needs

from redraft import api
from redraft.config import load
from redraft.record.transcript import Record
from redraft.result import Result
from redraft.studios.shader.spec import Shader
from validity import RecordedModel

pytestmark = [pytest.mark.slow, pytest.mark.real]

FOLDER = Path(__file__).parents[2] / "data" / "recordings" / "shaders"


@pytest.fixture(autouse=True)
def gl() -> None:
    needs("egl")


def replayed(
    name: str, folder: Path, *, memory: str = "none", target: Path | None = None, loop: bool = False
) -> Result:
    """The result of recorded drafts, fixes and edits under today's rules, small and without a critic."""
    width, height = (96, 64) if target else (64, 64)
    settings = {"width": width, "height": height, "loop": loop} | ({} if target else {"frames": 4})
    values = {f"studios.shader.{key}": value for key, value in settings.items()}
    config = load(None, values | {"memory": memory, "loop.iterations": 3, "loop.critic": False}).config
    model = RecordedModel(FOLDER / f"{name}.jsonl")
    reference = FOLDER / f"{name}-reference.glsl"
    return api.run(
        "shader",
        "" if target else model.brief,
        config=config,
        model=model,
        target=target,
        reference=reference if reference.exists() else None,
        out=folder / name,
    )


def shader_of(result: Result) -> Shader:
    return Shader.model_validate_json(result.files["json"].read_bytes())


def colours(path: Path) -> int:
    """How many different colours a frame has, in steps of 16."""
    with Image.open(path) as picture:
        return len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3) // 16, axis=0))


@pytest.mark.parametrize(("name", "calls"), [("aurora", 2), ("window", 2), ("ink", 2), ("lava", 3)])
def test_a_broken_draft_costs_one_call_and_ends_as_a_moving_picture(name: str, calls: int, tmp_path: Path) -> None:
    result = replayed(name, tmp_path)
    assert result.valid, result.report.issues
    assert result.usage.calls == calls
    attempts = Record.load(result.run).transcript.turns[0].attempts
    assert [attempt["retry_count"] for attempt in attempts] == [1]
    assert len({frame.picture for frame in shader_of(result).frames}) == 4
    assert colours(result.files["png"]) > 20


def test_what_one_run_learned_is_shown_to_the_next_under_other_names(tmp_path: Path) -> None:
    memory = f"sqlite:{tmp_path / 'fixes.sqlite'}"
    first = replayed("koi", tmp_path, memory=memory, loop=True)
    assert first.usage.calls == 2
    assert first.valid, first.report.issues
    seam = shader_of(first).seam
    assert seam is not None
    assert seam < 0.002
    second = replayed("lighthouse", tmp_path, memory=memory, loop=True)
    (fix,) = [step for step in Record.load(second.run).transcript.steps if step.path == "iteration-1/draft/fix-1"]
    request = fix.prompt[-1].text
    assert "LAMPE" in request
    assert 'Example 1: "' in request
    assert "was fixed by changing" in request


def test_without_that_memory_the_same_mistake_asks_the_model(tmp_path: Path) -> None:
    result = replayed("lighthouse", tmp_path, loop=True)
    assert result.error is not None
    assert "iteration-1/draft/fix-1" in str(result.error["message"])


def test_toward_a_photograph_each_turn_comes_nearer(tmp_path: Path) -> None:
    data = pytest.importorskip("skimage.data")
    target = tmp_path / "coffee.png"
    Image.fromarray(data.coffee()).save(target)
    result = replayed("coffee", tmp_path, target=target)
    assert result.valid, result.report.issues
    assert result.usage.calls == 3
    scores = [record.score for record in Record.load(result.run).transcript.iterations]
    assert len(scores) == 3
    assert all(score is not None for score in scores)
    assert scores == sorted(scores, key=lambda score: -(score or 0.0))
    assert scores[-1] is not None
    assert scores[-1] < 0.22


def test_a_recording_says_what_it_is() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert len(files) == 7
    for path in files:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert "large language model" in first
        assert "not blind" in first
        assert RecordedModel(path).brief
