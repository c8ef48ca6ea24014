"""Recorded scripts of a capable model, run and measured: nothing false is held against them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from real_parts import needs
from scene_scripts import built

from redraft.brief import Brief
from redraft.sandbox.pool import Sandbox
from redraft.studios.scene.check import check
from redraft.studios.scene.parse import parse
from redraft.studios.scene.spec import Scene
from validity import RecordedModel

FOLDER = Path(__file__).parents[2] / "data" / "recordings" / "scenes"
NOTES = {"harbour": 3, "island": 8, "coffee": 1}
"""Notes about what may be meant: a quay in the sea, three palms in an island, clouds, a spoon in a cup; each by itself.
None about the others."""


def delivered(name: str) -> str:
    """The last script of a recording."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return parse([row["text"] for row in map(json.loads, lines) if "```python" in row["text"]][-1]).code


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Scene]]:
    needs("blender")
    needs("bwrap")
    with start_blocking_portal() as portal:
        box = Sandbox(tmp_path_factory.mktemp("sandbox"))
        with portal.wrap_async_context_manager(box):
            yield lambda text: portal.call(built, text, box)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.jsonl")))
def test_a_recorded_scene_has_no_error_and_few_notes(name: str, build: Callable[[str], Scene]) -> None:
    found = check(build(delivered(name)), None, Brief.of(RecordedModel(FOLDER / f"{name}.jsonl").brief or name))
    assert not found.errors
    assert len([i for i in found.notes if i.code != "camera.unseen"]) <= NOTES.get(name, 0)


def test_a_recording_says_what_it_is() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert {"table", "blue", "harbour", "lighthouse", "coffee"} <= {path.stem for path in files}
    for path in files:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert "large language model" in first
        assert "not blind" in first
