"""Runs of the scene studio, whole: what is delivered, what comes out the same again, what is not done twice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from real_parts import needs
from scene_replies import APPLE, reply_of

import redraft
from redraft import api
from redraft.errors import RunError
from redraft.models.scripted import ScriptedModel
from redraft.record.events import EffectFinished, EffectStarted
from redraft.record.journal import EVENTS_FILE, read_events
from redraft.record.transcript import Record
from redraft.result import Result
from redraft.sandbox.pool import WAITING
from redraft.studios.scene.execute import stage_program, viewer_program
from redraft.studios.scene.parse import load
from redraft.studios.scene.settings import SceneSettings

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(600)]

SETTINGS = {
    "loop.iterations": 1,
    "loop.repairs": 0,
    "loop.fixes": 0,
    "studios.scene.width": 96,
    "studios.scene.height": 72,
    "studios.scene.samples": 1,
    "memory": "none",
}
DELIVERED = {"scene.py", "scene.json", "scene.blend", "scene.glb", "render.png", "sheet.png"}
VIEWS = {"front.png", "side.png", "top.png", "three_quarter.png"}
GREEN = APPLE.replace('"Red", (0.6, 0.02, 0.02)', '"Green", (0.05, 0.4, 0.02)')


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs: one in fresh processes, an edit of it, and the same one again in processes that those have left."""
    needs("blender")
    needs("bwrap")
    folder = tmp_path_factory.mktemp("runs")
    WAITING.end()
    made(folder / "first")
    blenders = left()
    made(folder / "edit", GREEN, on=folder / "first")
    made(folder / "again")
    assert left() == blenders != []
    return folder


def left() -> list[int]:
    """The processes of Blender that wait for another run."""
    found = [WAITING.take(program(SceneSettings())) for program in (stage_program, viewer_program)]
    return [worker.pid for worker in found if worker is not None and WAITING.put(worker)]


def made(folder: Path, code: str = APPLE, on: Path | None = None) -> Result:
    model = ScriptedModel([reply_of(code)])
    return redraft.scene("an apple on the ground", model=model, on=on, out=folder, config=SETTINGS)


def transcript(folder: Path) -> dict[str, object]:
    """What two runs of one seed must have in common: all but the clock."""
    text = json.loads((folder / "transcript.json").read_text())
    for step in text["steps"]:
        del step["created_at"]
    del text["created_at"]
    return text


def executions(folder: Path) -> list[str]:
    """Keys of what was begun, and not by a model."""
    events = read_events(folder)
    return [each.key for each in events if isinstance(each, EffectStarted) and "/" in each.key]


def test_a_run_delivers_script_scene_and_pictures(runs: Path) -> None:
    folder = runs / "first"
    assert {each.name for each in folder.iterdir() if each.name.startswith(("scene", "render.", "sheet"))} == DELIVERED
    assert {each.name for each in (folder / "renders").iterdir()} == VIEWS
    assert (folder / "scene.py").read_text() == APPLE
    assert (folder / "scene.glb").read_bytes()[:4] == b"glTF"
    assert (folder / "scene.blend").read_bytes()[:4] in (b"BLEN", b"\x28\xb5\x2f\xfd"), "packed by Zstandard, or not"
    assert {"Apple", "Ground"} == {thing.name for thing in load(folder).facts.things}
    files = Record.load(folder).transcript.files
    assert all((folder / name).exists() for name in files.values())


def test_the_record_says_which_blender_and_what_it_was_kept_from(runs: Path) -> None:
    run = Record.load(runs / "first").transcript
    assert run.notes["protection"] == {
        "program": f"Blender {load(runs / 'first').facts.blender}",
        "level": "bubblewrap",
    }
    assert run.warnings == ()
    assert "in a sandbox (bubblewrap)" in (runs / "first" / "report.html").read_text()


def test_the_same_seed_gives_the_same_run_byte_for_byte(runs: Path) -> None:
    first, again = runs / "first", runs / "again"
    assert transcript(first) == transcript(again)
    names = sorted(DELIVERED - {"scene.blend"}) + [f"renders/{view}" for view in sorted(VIEWS)]
    assert [name for name in names if (first / name).read_bytes() != (again / name).read_bytes()] == []
    assert {each.name for each in (first / "pictures").iterdir()} == {
        each.name for each in (again / "pictures").iterdir()
    }


def test_a_finished_run_that_is_resumed_starts_no_blender(runs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(runs / "first", folder)
    before = executions(folder)
    assert before
    (folder / "render.png").unlink()
    api.resume(folder, model=ScriptedModel([]))
    assert executions(folder) == before
    assert (folder / "render.png").read_bytes() == (runs / "first" / "render.png").read_bytes()


def test_a_run_that_was_killed_before_its_delivery_is_finished_without_running_the_script_again(
    runs: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(runs / "first", folder)
    events = (folder / EVENTS_FILE).read_text().splitlines(keepends=True)
    cut = next(n for n, line in enumerate(events) if '"event":"effect_finished"' in line and "/finish" in line)
    (folder / EVENTS_FILE).write_text("".join(events[:cut]) + events[cut][:40])
    for name in (*DELIVERED, "transcript.json", "report.html"):
        (folder / name).unlink()
    result = api.resume(folder, model=ScriptedModel([]))
    assert result.error is None
    ended = [each.key for each in read_events(folder) if isinstance(each, EffectFinished)]
    assert sorted(ended) == sorted(set(ended)), "nothing was done twice"
    assert (folder / "render.png").read_bytes() == (runs / "first" / "render.png").read_bytes()
    assert (folder / "scene.glb").read_bytes() == (runs / "first" / "scene.glb").read_bytes()


def test_a_second_run_into_the_same_folder_is_refused(runs: Path) -> None:
    with pytest.raises(RunError, match=r"already holds a run\. Continue it with `redraft resume"):
        made(runs / "first")


def test_statements_stay_with_the_scene_and_are_agreed_in_the_next_run(runs: Path, tmp_path: Path) -> None:
    stated = (
        '```json\n{"requirements": [{"kind": "count", "quote": "an apple", "parts": ["Apple*"], "number": 1}]}\n```\n'
    )
    first = ScriptedModel([reply_of() + stated])
    made_first = redraft.scene("an apple on the ground", model=first, out=tmp_path / "one", config=SETTINGS)
    assert [m.outcome for m in made_first.report.requirements] == ["met"]
    edit = "APPROACH: larger\n\n```edit\n<<<<<<< SEARCH\nradius = 0.2\n=======\nradius = 0.25\n>>>>>>> REPLACE\n```\n"
    on = ScriptedModel([edit])
    result = redraft.scene("make it larger", model=on, on=tmp_path / "one", out=tmp_path / "two", config=SETTINGS)
    assert [m.outcome for m in result.report.requirements] == ["met"]
    assert [(i.code, i.subjects) for i in result.report.errors] == [("edit.unlisted", ("Apple",))]
    assert not result.valid


def test_a_reply_that_changes_nothing_runs_nothing(runs: Path, tmp_path: Path) -> None:
    on = ScriptedModel(["APPROACH: it is right as it is\n"])
    result = redraft.scene("an apple", model=on, on=runs / "first", out=tmp_path / "same", config=SETTINGS)
    assert result.valid
    assert (tmp_path / "same" / "scene.py").read_text() == APPLE
    assert result.report.heuristics == "default"


def test_undo_gives_the_earlier_scene_back_as_it_was_also_after_an_undo(runs: Path, tmp_path: Path) -> None:
    assert "Green" in (runs / "edit" / "scene.py").read_text()
    back = api.undo(runs / "edit", out=tmp_path / "back")
    assert back.error is None
    for name in (*DELIVERED, "renders/top.png"):
        assert (tmp_path / "back" / name).read_bytes() == (runs / "first" / name).read_bytes(), name
    edited = made(tmp_path / "edited", GREEN, on=tmp_path / "back")
    assert edited.error is None
    again = api.undo(tmp_path / "edited", out=tmp_path / "again")
    assert again.error is None
    assert (tmp_path / "again" / "render.png").read_bytes() == (runs / "first" / "render.png").read_bytes()
