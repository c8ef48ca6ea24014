"""The notebooks of `docs/notebooks` run from top to bottom, and their results show themselves."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from pathlib import Path
from typing import Any, cast

import nbformat
import pytest
from drawings import HOUSE
from nbclient import NotebookClient
from real_parts import needs

import redraft
from redraft.models.base import Reply, Request
from redraft.models.scripted import ScriptedModel

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
QUICK = ("sketch", "shader", "board", "image")


def notebook(name: str) -> Any:
    return cast("Any", nbformat).read(FOLDER / f"{name}.ipynb", as_version=4)


def run(cells: list[Any], folder: Path) -> None:
    """Run cells in a kernel; each then has its outputs. The first error ends it."""
    whole = nbformat.v4.new_notebook(cells=cells)  # pyright: ignore[reportUnknownMemberType]
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(whole, timeout=300, kernel_name="python3", resources=resources).execute()


def pictures(cells: list[Any]) -> int:
    return sum("image/png" in output.get("data", {}) for cell in cells for output in cell.get("outputs", []))


def test_there_is_one_for_each_studio_and_none_has_outputs() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(redraft.studio_names())
    for name in redraft.studio_names():
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook(name).cells)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 200_000


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.timeout(400)
@pytest.mark.filterwarnings("default")  # of the kernel's client
def test_they_run(tmp_path: Path) -> None:
    """In one kernel that forgets all names between two of them: to start it takes as long as a notebook."""
    needs("egl")
    cells = {name: notebook(name).cells for name in QUICK}
    forget = nbformat.v4.new_code_cell("%reset -f")  # pyright: ignore[reportUnknownMemberType]
    run([cell for name in QUICK for cell in (*cells[name], forget)], tmp_path)
    shown = {name: pictures(cells[name]) for name in QUICK}
    assert all(many >= 2 for many in shown.values()), shown


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.timeout(400)
@pytest.mark.filterwarnings("default")
def test_the_scene_runs(tmp_path: Path) -> None:
    needs("blender")
    needs("bwrap")
    cells = notebook("scene").cells
    run(cells, tmp_path)
    assert pictures(cells) == 2


def test_a_run_works_in_a_running_loop_and_as_a_coroutine(tmp_path: Path) -> None:
    async def cell() -> list[redraft.Result]:
        first = redraft.sketch("a house", model=ScriptedModel([HOUSE]), out=tmp_path / "first")
        second = await redraft.arun("sketch", "a house", model=ScriptedModel([HOUSE]), out=tmp_path / "second")
        return [first, second]

    results = asyncio.run(cell())
    assert [result.outcome for result in results] == [results[0].outcome] * 2
    assert repr(results[0]) == f"<Result sketch: {results[0].outcome}, {tmp_path / 'first'}>"


def test_the_stop_button_ends_a_run_in_a_running_loop(tmp_path: Path) -> None:
    """A notebook's kernel raises `KeyboardInterrupt` where the cell waits; the run must not go on unseen."""
    ended = threading.Event()

    class Slow(ScriptedModel):
        async def ask(self, request: Request) -> Reply:
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                await asyncio.sleep(60)
            finally:
                ended.set()
            return await super().ask(request)

    async def cell() -> None:
        redraft.sketch("a house", model=Slow([HOUSE]), out=tmp_path / "run")

    loop = asyncio.new_event_loop()
    former = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start what runs behind them without it
    try:
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(cell())
    finally:
        signal.signal(signal.SIGINT, former)
        loop.close()
    assert ended.is_set()


def test_a_result_stands_for_its_run(tmp_path: Path) -> None:
    first = redraft.sketch("a house", model=ScriptedModel([HOUSE]), out=tmp_path / "first")
    changed = redraft.sketch("make the house red", on=first, out=tmp_path / "changed")
    back = redraft.undo(changed, out=tmp_path / "back")
    assert back.files["svg"].read_bytes() == first.files["svg"].read_bytes()
