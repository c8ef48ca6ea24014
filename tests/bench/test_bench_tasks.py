"""The tasks in the package can be read; a line that is not a task is refused by number and reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft.bench.arms import ABLATIONS, ARMS
from redraft.bench.tasks import Picture, tasks_of
from redraft.bench.trials import Plan
from redraft.errors import BriefError
from redraft.result import Usage
from redraft.studios import studio_names

STUDIOS = ("board", "image", "scene", "shader", "sketch")


@pytest.mark.parametrize("studio", STUDIOS)
def test_each_studio_has_tasks_with_oracles(studio: str) -> None:
    assert studio in studio_names()
    tasks = tasks_of(studio)
    fresh = [task for task in tasks if not task.draft]
    assert len(fresh) >= (12 if studio in ("sketch", "scene", "shader") else 4)
    assert len({task.brief for task in tasks}) == len(tasks)
    assert all(task.oracles for task in tasks)


@pytest.mark.parametrize("studio", STUDIOS)
def test_the_settings_of_all_arms_are_known(studio: str, tmp_path: Path) -> None:
    for task in {str(task.settings): task for task in tasks_of(studio)}.values():
        plan = Plan(studio, (task,), (*ARMS, *ABLATIONS), tmp_path, 4)
        for arm in plan.arms:
            found = plan.config(arm, task, 0, Usage(calls=1), tmp_path)
            assert (found.budget.calls, found.seed) == (3, 0)


def test_no_brief_is_one_that_was_seen_in_development() -> None:
    root = Path(__file__).parents[2]
    files = [path for folder in ("tests", "benchmarks", "docs") for path in (root / folder).rglob("*.*")]
    own = {task.brief for studio in STUDIOS for task in tasks_of(studio)} - {"a ball on a box"}
    texts = "\n".join(
        p.read_text("utf-8", "replace") for p in files if p.suffix in (".py", ".md", ".txt", ".json", ".jsonl")
    )
    seen = {brief for brief in own if f'"{brief}"' in texts or f"\n{brief}\n" in texts}
    assert seen == set()


def test_pictures_of_oracles_use_no_text() -> None:
    pictures = [oracle for task in tasks_of("shader") for oracle in task.oracles if isinstance(oracle, Picture)]
    assert pictures
    assert not [one for one in pictures if re.search(r"<(text|image|use)", one.svg)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('{"id":"a","brief":"b"}\n{"id":"a","brief":"c"}', r"line 2: the id 'a' is used before"),
        ("\nnot json", r"line 2: not a task \(Invalid JSON"),
        ('{"id":"a"}', r"line 1: not a task \(brief: Field required"),
        ('{"id":"A b","brief":"c"}', r"line 1: not a task \(id: "),
        ('{"id":"a","brief":"b","oracels":[]}', r"line 1: not a task \(oracels: Extra inputs"),
        ('{"id":"a","brief":"b","oracles":[{"kind":"taste"}]}', r"line 1: not a task \(oracles.0: .*'taste'"),
        ('{"id":"a","brief":"b","source":"no.kicad_pcb"}', r"line 1: the source no.kicad_pcb is missing"),
        ("", r"holds no task"),
    ],
)
def test_what_is_not_a_task_is_refused(lines: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(lines)
    with pytest.raises(BriefError, match=said):
        tasks_of("sketch", file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BriefError, match=r"Cannot read the tasks .*no.jsonl: No such file"):
        tasks_of("sketch", tmp_path / "no.jsonl")


def test_a_studio_without_tasks_says_how_to_give_some() -> None:
    with pytest.raises(BriefError, match=r"no tasks for the studio pottery.*--tasks"):
        tasks_of("pottery")


def test_a_source_is_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "b.kicad_pcb").write_text("")
    (tmp_path / "mine.jsonl").write_text('{"id":"a","brief":"b","source":"b.kicad_pcb"}\n')
    assert tasks_of("board", tmp_path / "mine.jsonl")[0].source == str((tmp_path / "b.kicad_pcb").resolve())
