"""Work without the loop, call by call: `redraft.api.drafting` in each studio, and the record that it leaves."""

from __future__ import annotations

import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from picture_files import encoded, photograph
from PIL import Image
from pydantic import JsonValue
from real_parts import needs
from scene_replies import APPLE, HIGH
from shaders import BROKEN, RINGS
from sketches import HOUSE, PARTED
from typer.testing import CliRunner

from redraft import api
from redraft.cli.program import program
from redraft.config import Config
from redraft.errors import BriefError, FormatError, RunError
from redraft.loop.drafting import Drafting, Edit, Step
from redraft.record.transcript import Record
from redraft.studios.shader.spec import Shader
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.strokes import Rect

pytestmark = pytest.mark.anyio

SMALL: dict[str, Any] = {
    "shader": {"width": 64, "height": 48, "frames": 2},
    "scene": {"width": 96, "height": 72, "samples": 1, "limit": 10.0},
}


@asynccontextmanager
async def drafting(
    studio: str, folder: Path, words: str = "a house", memory: str = "none", **more: Any
) -> AsyncGenerator[Drafting]:
    config = Config(out=str(folder / "runs"), memory=memory, studios=SMALL)
    async with api.drafting(studio, words, config=config, **more) as work:
        yield work


def broken(step: Step) -> list[str]:
    """The requirements that do not hold, each of them an error."""
    assert step.candidate is not None, step.failure
    assert not step.candidate.report.mismatches
    return [issue.requirement for issue in step.candidate.report.errors if issue.requirement]


def bottom(step: Step) -> float:
    """Where the roof ends."""
    assert step.candidate is not None
    stroke = cast("Drawing", step.candidate.artifact).strokes[1]
    assert isinstance(stroke, Rect)
    return round(stroke.y + 0.15, 6)


async def sketched(work: Drafting, drawing: dict[str, Any] = PARTED) -> Step:
    return await work.draft(work.reply("", "", drawing))


LOWER: dict[str, Any] = {"move": [{"part": "roof", "dx": 0, "dy": 0.05}]}
"""Puts the roof on the house."""


# Requirements, and steps back and forward


async def test_a_step_is_undone_and_done_again(tmp_path: Path) -> None:
    async with drafting("sketch", tmp_path) as work:
        assert broken(await sketched(work)) == ["r1"]
        moved = await work.draft(work.reply("", "", LOWER), "edit")
        assert bottom(moved) == pytest.approx(0.5, abs=0.01)
        assert broken(moved) == []
        work.undo()
        assert work.current is work.steps[0].candidate
        work.undo(redo=True)
        assert work.current is moved.candidate
        with pytest.raises(BriefError, match="nothing to redo"):
            work.undo(redo=True)
        work.undo()
        with pytest.raises(BriefError, match="nothing to undo"):
            work.undo()
        await work.draft(work.reply("", "", {"move": [{"part": "roof", "dx": 0.01, "dy": 0}]}), "edit")
        with pytest.raises(BriefError, match="nothing to redo"):  # a new step takes the place of what was undone
            work.undo(redo=True)


async def test_a_broken_requirement_is_an_error_at_once_whatever_the_settings_say_of_a_critic(tmp_path: Path) -> None:
    config = Config.model_validate({"out": str(tmp_path), "memory": "none", "loop": {"critic": True}})
    async with api.drafting("sketch", "a house", config=config) as work:
        step = await sketched(work)
        assert broken(step) == ["r1"]
        assert step.candidate is not None
        assert not step.candidate.report.valid


async def test_a_requirement_is_restated_or_withdrawn_and_that_is_undone(tmp_path: Path) -> None:
    above: JsonValue = {
        "id": "r1",
        "kind": "relation",
        "parts": ["roof"],
        "relation": "above",
        "of": ["house"],
        "reason": "apart",
    }
    wrong: JsonValue = {"id": "r1", "wrong": "statement", "reason": "the roof is lifted off"}
    async with drafting("sketch", tmp_path) as work:
        assert broken(await sketched(work)) == ["r1"]
        assert broken(await work.draft(work.reply("", "", {"requirements": [above]}), "edit")) == []
        work.undo()
        step = await work.draft(work.reply("", "", {"mismatches": [wrong]}), "edit")
        assert broken(step) == []
        assert step.candidate is not None
        (measured,) = step.candidate.report.requirements
        assert (measured.outcome, measured.changed) == ("withdrawn", "the roof is lifted off")
        later = await work.draft(work.reply("", "", {"move": [{"part": "roof", "dx": 0.01, "dy": 0}]}), "edit")
        assert broken(later) == []  # it stays withdrawn
        work.undo()
        work.undo()
        assert broken(await work.draft(work.reply("", "", {}), "edit")) == ["r1"]


async def test_a_drawing_is_measured_again_after_an_edit(tmp_path: Path) -> None:
    async with drafting("sketch", tmp_path) as work:
        await sketched(work)
        moved = await work.draft(work.reply("", "", LOWER), "edit")
        assert broken(moved) == []
        refused = await work.draft(work.reply("", "", {"move": [{"part": "none", "dx": 0, "dy": 0.05}]}), "edit")
        assert refused.failure is not None
        assert work.current is moved.candidate
        unchanged = await work.draft(work.reply("", "", {}), "edit")
        assert unchanged.candidate is not None, unchanged.failure
        assert unchanged.candidate.artifact.strokes == moved.candidate.artifact.strokes  # type: ignore[union-attr]


# Drafts that fail, and edits of them


@pytest.mark.real
async def test_edits_apply_to_the_draft_that_failed(tmp_path: Path) -> None:
    needs("egl")
    async with drafting("shader", tmp_path, "rings") as work:
        with pytest.raises(BriefError, match="no shader to edit yet"):
            work.edited([Edit(before="a", after="b")])
        failed = await work.draft(work.reply(BROKEN, ""))
        assert failed.failure is not None
        assert "lngth" in failed.failure.message
        assert work.current is None
        code = work.edited([Edit(before="lngth", after="length")])
        assert code == RINGS
        ran = await work.draft(work.reply(code, ""), "edit")
        assert ran.candidate is not None
        assert work.code == RINGS
        assert work.failed == ""


@pytest.mark.real
async def test_a_reply_without_a_program_leaves_the_failed_draft_to_edit(tmp_path: Path) -> None:
    needs("egl")
    async with drafting("shader", tmp_path, "rings") as work:
        await work.draft(work.reply(BROKEN, ""))
        nothing = await work.draft(work.reply("no shader at all", ""))
        assert nothing.failure is not None
        assert nothing.failure.failure_class == "E2"
        assert work.code == BROKEN


@pytest.mark.real
async def test_undo_drops_a_failed_draft_first_and_redo_drops_it_too(tmp_path: Path) -> None:
    needs("egl")
    async with drafting("shader", tmp_path, "rings") as work:
        one = await work.draft(work.reply(RINGS, ""))
        two = await work.draft(work.reply(RINGS.replace("20.0", "30.0"), ""))
        await work.draft(work.reply(BROKEN, ""))
        work.undo()
        assert work.current is two.candidate
        assert "30.0" in work.code
        work.undo()
        assert work.current is one.candidate
        await work.draft(work.reply(BROKEN, ""))
        work.undo(redo=True)
        assert "30.0" in work.code


def test_edits_that_fit_nowhere_or_twice_are_refused() -> None:
    work: Any = Drafting(run=None)  # type: ignore[arg-type]
    work.failed = "a\nb\nb\nc"
    assert work.edited([Edit(before="a", after="x\ny"), Edit(before="y", after="")]) == "x\nb\nb\nc"
    for before, words in {"b": "fits 2 times", "z": "fits nowhere", "": "searches for nothing"}.items():
        with pytest.raises(FormatError, match=f"Edit 1 {words}"):
            work.edited([Edit(before=before, after="q")])


@pytest.mark.real
async def test_fixes_are_learned_and_made_without_a_model_the_next_time(tmp_path: Path) -> None:
    needs("egl")
    memory = f"sqlite:{tmp_path / 'fixes.db'}"
    async with drafting("shader", tmp_path, "rings", memory) as work:
        await work.draft(work.reply(BROKEN, ""))
        await work.draft(work.reply(RINGS, ""), "edit")
    async with drafting("shader", tmp_path, "circles", memory) as work:
        step = await work.draft(work.reply(BROKEN, ""))
        assert step.candidate is not None
        assert cast("Shader", step.candidate.artifact).code == RINGS
        assert "earlier run" in step.changed[0]


@pytest.mark.real
async def test_nothing_is_learned_from_a_failed_draft_that_was_undone(tmp_path: Path) -> None:
    needs("egl")
    memory = f"sqlite:{tmp_path / 'fixes.db'}"
    async with drafting("shader", tmp_path, "rings", memory) as work:
        await work.draft(work.reply(RINGS, ""))
        await work.draft(work.reply(BROKEN, ""))
        work.undo()
        await work.draft(work.reply(RINGS, ""))
    async with drafting("shader", tmp_path, "circles", memory) as work:
        assert (await work.draft(work.reply(BROKEN, ""))).failure is not None


@pytest.mark.real
async def test_half_a_surrogate_pair_does_not_crash(tmp_path: Path) -> None:
    needs("blender")
    async with drafting("scene", tmp_path, "an apple") as work:
        assert (await work.draft(work.reply(f"{APPLE}\n# \ud800", ""))).candidate is not None


# Targets


@pytest.mark.real
async def test_each_step_is_measured_from_a_target_that_may_go_away(tmp_path: Path) -> None:
    needs("egl")
    target = tmp_path / "target.png"
    target.write_bytes(encoded(photograph(), "PNG"))
    async with drafting("shader", tmp_path, "rings") as work:
        with pytest.raises(BriefError, match="nothing to compare yet"):
            await work.aim(target)
        first = await work.draft(work.reply(RINGS, ""))
        assert first.candidate is not None
        assert first.candidate.score is None
        assert await work.beside_target() == []
        aimed = await work.aim(target)
        assert aimed.candidate is not None
        assert aimed.candidate.score is not None
        (beside,) = await work.beside_target()
        assert beside.name == "beside-target.png"
        target.unlink()
        later = await work.draft(work.reply(RINGS.replace("20.0", "30.0"), ""))
        assert later.candidate is not None
        assert later.candidate.score is not None
        assert later.candidate.score.best != aimed.candidate.score.best
        folder = work.run.folder
    assert Record.load(folder).transcript.report is not None


async def test_targets_that_cannot_be_used_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("a lake")
    async with drafting("sketch", tmp_path) as work:
        await sketched(work)
        with pytest.raises(BriefError, match="sketch studio takes no target"):
            await work.aim(tmp_path / "text.png")


@pytest.mark.real
async def test_a_target_that_is_not_a_picture_is_refused(tmp_path: Path) -> None:
    needs("egl")
    (tmp_path / "text.png").write_text("a lake")
    async with drafting("shader", tmp_path, "rings") as work:
        await work.draft(work.reply(RINGS, ""))
        with pytest.raises(BriefError, match="text file"):
            await work.aim(tmp_path / "text.png")
        assert work.run.brief.target is None
        assert len(work.steps) == 1


# Pictures and files


async def test_views(tmp_path: Path) -> None:
    async with drafting("sketch", tmp_path) as work:
        with pytest.raises(BriefError, match="nothing to look yet"):
            await work.look(())
        await sketched(work)
        assert [picture.name for picture in await work.look(())] == ["drawing.png"]
        with pytest.raises(BriefError, match="no view 'back'"):
            await work.look(("back",))


async def test_exports_are_of_the_current_step(tmp_path: Path) -> None:
    async with drafting("sketch", tmp_path) as work:
        with pytest.raises(BriefError, match="nothing to export yet"):
            await work.export(tmp_path / "early")
        await sketched(work)
        first = await work.export(tmp_path / "one")
        assert (await work.export(tmp_path / "two")).keys() == first.keys()
        await work.draft(work.reply("", "", LOWER), "edit")
        await work.export(tmp_path / "three")
        work.undo()
        await work.export(tmp_path / "four")
    one, two, three, four = ((tmp_path / name / "drawing.svg").read_text() for name in ("one", "two", "three", "four"))
    assert one == two == four != three
    assert not (tmp_path / "early").exists()


async def test_a_folder_that_cannot_be_made_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with drafting("sketch", tmp_path) as work:
        await sketched(work)
        with pytest.raises(RunError, match="Cannot make the folder"):
            await work.export(tmp_path / "file" / "out")


@pytest.mark.real
async def test_a_scene_is_drafted_edited_looked_at_and_exported(tmp_path: Path) -> None:
    needs("blender")
    async with drafting("scene", tmp_path, "an apple on the ground") as work:
        statement: JsonValue = {"kind": "count", "quote": "an apple", "parts": ["Apple*"], "number": 1}
        first = await work.draft(work.reply(HIGH, "red on gray", {"requirements": [statement]}))
        assert first.candidate is not None
        assert first.candidate.approach == "red on gray"
        alone = await work.draft(
            work.reply("", "", {"requirements": [{"kind": "count", "parts": ["Ground*"], "number": 1}]}), "edit"
        )
        assert alone.candidate is not None, alone.failure
        assert len(alone.candidate.report.requirements) == 2
        assert alone.candidate.artifact.code == first.candidate.artifact.code  # type: ignore[union-attr]
        assert len(await work.look(("front", "top | at Apple"))) == 2
        files = await work.export(tmp_path / "out")
    assert {"blend", "glb", "png", "script"} <= files.keys()
    assert all(path.exists() for path in files.values())


async def test_an_image_is_painted_once_for_each_prompt(tmp_path: Path) -> None:
    async with drafting("image", tmp_path, "lighthouse", concepts=["lighthouse"]) as work:
        await work.draft("A red lighthouse.")
        assert await work.look(()) == []
        files = await work.export(tmp_path / "one")
        again = await work.export(tmp_path / "two")
        await work.draft("A white lighthouse above the sea.")
        other = await work.export(tmp_path / "three")
        folder = work.run.folder
    assert files["png"].read_bytes() == again["png"].read_bytes() != other["png"].read_bytes()
    assert Image.open(io.BytesIO(files["png"].read_bytes())).size == (1024, 1024)
    assert len(files["generations"].read_text().splitlines()) == 4  # a heading, and a line for each export
    assert Record.load(folder).transcript.report.valid


# The record


async def test_the_record_is_whole(tmp_path: Path) -> None:
    async with drafting("sketch", tmp_path) as work:
        await sketched(work)
        await work.draft(work.reply("", "", LOWER), "edit")
        await work.draft("nonsense")
        folder = work.run.folder
    record = Record.load(folder)
    assert record.transcript.report.valid
    assert record.transcript.iterations
    page = (folder / "report.html").read_text("utf-8")
    assert "a house" in page
    assert CliRunner().invoke(program, ["report", str(folder)]).exit_code == 0
    with pytest.raises(RunError, match=r"made without a model.*nothing to resume.*--on"):
        await api.aresume(folder)
    again = await api.arun("sketch", "make the door red", on=folder, config=Config(out=str(tmp_path / "more")))
    assert "json" in again.files


@pytest.mark.real
async def test_the_program_of_a_work_without_a_result_is_kept(tmp_path: Path) -> None:
    needs("egl")
    async with drafting("shader", tmp_path, "rings") as work:
        await work.draft(work.reply(BROKEN, ""))
        folder = work.run.folder
    assert (folder / "failed.glsl").read_text() == f"{BROKEN}\n"
    assert not Record.load(folder).transcript.report.valid or "json" not in Record.load(folder).transcript.files


async def test_no_folder_is_left_where_nothing_was_drafted(tmp_path: Path) -> None:
    async with drafting("sketch", tmp_path) as work:
        assert work.code == ""
    assert not (tmp_path / "runs").exists()


async def test_work_begins_with_the_result_of_an_earlier_run(tmp_path: Path) -> None:
    config = Config(out=str(tmp_path / "runs"), memory="none")
    earlier = await api.arun("sketch", "a red house with a door", config=config)
    async with drafting("sketch", tmp_path, "a red house with a door", earlier=earlier.run) as work:
        assert work.current is not None
        count = len(cast("Drawing", work.current.artifact).strokes)
        before = work.current
        part = cast("Drawing", work.current.artifact).strokes[0].part
        moved = await work.draft(work.reply("", "", {"move": [{"part": part, "dx": 0.01, "dy": 0}]}), "edit")
        assert moved.candidate is not None, moved.failure
        assert len(cast("Drawing", moved.candidate.artifact).strokes) == count
        work.undo()
        assert work.current is before


async def test_pixels_of_a_look_are_a_picture(tmp_path: Path) -> None:
    async with drafting("sketch", tmp_path) as work:
        await sketched(work, HOUSE)
        (picture,) = await work.look(("drawing",))
    assert np.asarray(Image.open(io.BytesIO(picture.png)).convert("L")).std() > 10
