"""What an interpreter itself knows to help is tried before a model is asked: once for each error, and told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy import Number, kinds, run_for
from toy_program import ProgramStudio, cache_in

from redraft.errors import ExecutionError
from redraft.fixes.error_cache import ErrorCache
from redraft.loop.keep import Progress
from redraft.loop.recall import MAX_PATCHES, patch_lines, patched
from redraft.loop.turns import run_loop
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Attempted, Event, Learnt
from redraft.record.log import log_lines
from redraft.result import CodePatch, Failure
from redraft.studios.base import Resources

pytestmark = pytest.mark.anyio

KNOWN = {"colr": "color", "alhpa": "alpha"}
GOOD = "float color = 1\nfloat x = color\nreturn x"


class Knowing(ProgramStudio):
    """Stops at the first complaint, as an interpreter does, and knows what two misspelt names should be."""

    async def execute(self, spec: Any, base: Number | None, resources: Resources) -> Number:
        try:
            return await super().execute(spec, base, resources)
        except ExecutionError as error:
            first = str(error).splitlines()[0]
            line, wrong = int(first.split(":")[1].split("(")[0]), first.split("`")[1].split("'")[0]
            patch = {"line": line, "before": wrong, "after": KNOWN.get(wrong, ""), "why": "that is its name"}
            raise ExecutionError(first, by="a toy", patches=[patch] if wrong in KNOWN else []) from error


async def attempted(
    folder: Path, replies: list[str], studio: Knowing, memory: ErrorCache | None = None
) -> tuple[ScriptedModel, list[Event]]:
    events, model = list[Event](), ScriptedModel(replies)
    desk = run_for(
        folder, model, studio=studio, instruction="at least 3", loop={"iterations": 1}, observer=events.append
    )
    if memory is not None:
        desk.memory = memory
    try:
        await run_loop(desk, Progress())
    finally:
        desk.journal.__exit__()
    return model, events


async def test_what_the_interpreter_knows_saves_the_model_call(tmp_path: Path) -> None:
    studio = Knowing()
    model, events = await attempted(tmp_path, [GOOD.replace("= color", "= colr")], studio)
    assert kinds(model.requests) == ["draft"]
    assert studio.compiled[-1] == GOOD
    (done,) = (e for e in events if isinstance(e, Attempted))
    assert done.ran
    assert done.retry_count == 0
    assert done.patched == ("line 2 was changed: 'colr' became 'color' (that is its name).",)
    assert log_lines(done) == ["[PATCHED] line 2 was changed: 'colr' became 'color' (that is its name)."]


async def test_one_patch_after_the_other_shows_the_next_error(tmp_path: Path) -> None:
    studio = Knowing()
    broken = "float color = colr\nfloat x = colr\nfloat alpha = alhpa\nreturn x"
    model, _ = await attempted(tmp_path, [broken], studio)
    assert kinds(model.requests) == ["draft"]
    assert studio.compiled[-1] == broken.replace("colr", "color").replace("alhpa", "alpha")
    assert len(studio.compiled) == 4


async def test_what_it_does_not_know_goes_to_the_model_with_what_was_changed(tmp_path: Path) -> None:
    studio = Knowing()
    broken = "float color = colr\nfloat x = nonsense\nreturn x"
    model, _ = await attempted(tmp_path, [broken, GOOD], studio)
    assert kinds(model.requests) == ["draft", "fix"]
    fix = model.requests[1]
    assert "nonsense" in str(fix.inputs["error"])
    assert str(fix.inputs["reply"]).startswith("float color = color\n")


async def test_a_patch_that_does_not_help_is_left_and_not_tried_again(tmp_path: Path) -> None:
    class Wrong(Knowing):
        async def execute(self, spec: Any, base: Number | None, resources: Resources) -> Number:
            self.compiled.append(spec.code)
            if "colr" in spec.code:
                patch = {"line": 1, "before": "float", "after": "double"}
                raise ExecutionError("0:2(1): error: `colr' undeclared", patches=[patch])
            return Number(value=3)

    studio = Wrong()
    model, events = await attempted(tmp_path, [GOOD.replace("= color", "= colr"), GOOD], studio)
    assert kinds(model.requests) == ["draft", "fix"]
    assert "double" not in str(model.requests[1].inputs["reply"])
    (done,) = (e for e in events if isinstance(e, Attempted))
    assert done.patched == ()
    assert len(studio.compiled) == 3


async def test_an_interpreter_that_is_never_content_comes_to_an_end(tmp_path: Path) -> None:
    class Endless(Knowing):
        async def execute(self, spec: Any, base: Number | None, resources: Resources) -> Number:
            self.compiled.append(spec.code)
            line = len(self.compiled)
            patch = {"line": 1, "before": "float", "after": "float float"}
            raise ExecutionError(f"0:{line}(1): error: `colr' undeclared", patches=[patch])

    studio = Endless()
    model, _ = await attempted(tmp_path, [GOOD] * 4, studio)
    assert kinds(model.requests) == ["draft", "fix", "fix", "fix"]
    assert len(studio.compiled) == 4 + MAX_PATCHES


async def test_what_needed_no_model_teaches_the_memory_nothing(tmp_path: Path) -> None:
    _, events = await attempted(tmp_path / "run", [GOOD.replace("= color", "= colr")], Knowing(), cache_in(tmp_path))
    assert not [e for e in events if isinstance(e, Learnt)]


def test_a_line_that_is_left_out_keeps_its_block_and_the_numbers_below() -> None:
    code = "if x:\n    scene.use_bloom = True\nprint(x)"
    assert patched(code, [CodePatch(line=2, before="scene.use_bloom = True", after="")]) == "if x:\n    pass\nprint(x)"


@pytest.mark.parametrize(
    "patch",
    [
        CodePatch(line=9, before="x", after="y"),
        CodePatch(line=0, before="x", after="y"),
        CodePatch(line=1, before="not there", after="y"),
        CodePatch(line=1, before="", after="y"),
        CodePatch(line=1, before="x", after="x"),
    ],
)
def test_a_patch_that_does_not_fit_changes_nothing(patch: CodePatch) -> None:
    assert patched("x = 1", [patch]) is None


def test_one_that_does_not_fit_spoils_the_others() -> None:
    assert (
        patched("x = 1\ny = 2", [CodePatch(line=1, before="x", after="z"), CodePatch(line=2, before="q", after="z")])
        is None
    )


def test_what_is_told_is_bounded() -> None:
    long = CodePatch(line=1, before="x" * 10_000, after="y" * 10_000)
    (line,) = patch_lines(Failure(failure_class="E1", message="", patches=(long,)))
    assert len(line) < 400
