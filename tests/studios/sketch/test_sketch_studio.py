"""The studio as the loop sees it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image
from pydantic import JsonValue
from resources import resources_in
from sketches import HOUSE, drawing_of, house, reply_of

from redraft.brief import Brief
from redraft.errors import ContradictionError, ExecutionError, RunNotFoundError
from redraft.layout.items import Move
from redraft.layout.requirements import agreed
from redraft.offline.english.grammar import read
from redraft.result import Heuristics, Issue, Mark, Report
from redraft.studios.base import Artifact, Resources
from redraft.studios.sketch.patch import Patch, amended
from redraft.studios.sketch.spec import Draft, Drawing
from redraft.studios.sketch.studio import SketchSettings, studio

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def resources(tmp_path: Path) -> Resources:
    return resources_in(tmp_path)


async def test_from_a_reply_to_files(resources: Resources, tmp_path: Path) -> None:
    draft = studio.parse("draft", reply_of({**HOUSE, "approach": "one wall,\none roof"}), None)
    assert isinstance(draft, Draft)
    assert studio.approach(draft) == "one wall, one roof"
    drawing = await studio.execute(draft, None, resources)
    assert drawing == house()
    assert studio.summary(drawing) == "7 strokes"
    files = studio.deliver(drawing, tmp_path / "run", resources_in(tmp_path, SketchSettings(animate=True, size=64)))
    assert {role: path.name for role, path in files.items()} == {
        "svg": "drawing.svg",
        "png": "drawing.png",
        "json": "drawing.json",
        "animation": "drawing.animated.svg",
    }
    assert Image.open(io.BytesIO(files["png"].read_bytes())).size == (64, 64)
    base = studio.open(Brief.of("go on", on=tmp_path / "run"))
    assert base is not None
    assert base.source == house().source
    assert "animation" not in studio.deliver(
        drawing, tmp_path / "still", resources_in(tmp_path, SketchSettings(size=64))
    )


async def test_a_patch_goes_on_from_the_base(resources: Resources) -> None:
    patch = studio.parse("edit", '{"approach": "red", "restyle": [{"part": "roof", "fill": "red"}]}', house())
    assert isinstance(patch, Patch)
    after = await studio.execute(patch, house(), resources)
    assert after.strokes[2].fill == "#ff0000"
    with pytest.raises(ExecutionError):
        await studio.execute(patch, None, resources)


async def test_render_gives_one_picture(resources: Resources) -> None:
    (picture,) = await studio.render(house(), (), resources)
    assert Image.open(io.BytesIO(picture.png)).size == (512, 512)
    assert [p.name for p in await studio.render(house(), ("drawing",), resources)] == ["drawing.png"]
    with pytest.raises(ValueError, match="no view 'side'"):
        await studio.render(house(), ("side",), resources)


def test_it_is_what_the_loop_wants() -> None:
    assert isinstance(house(), Artifact)
    assert studio.open(Brief.of("a cat")) is None


def test_a_missing_run_is_said_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match="gone"):
        studio.open(Brief.of("a cat", on=tmp_path / "gone"))


def test_illustrations_are_svg(resources: Resources) -> None:
    issue = Issue(code="a.b", severity="error", message="m", marks=(Mark(kind="box", at=(0, 0, 1, 1), text="here"),))
    files = studio.illustrate(house(), Report(issues=(issue,)), resources)
    assert {role: suffix for role, (suffix, _) in files.items()} == {"plain": ".svg", "issues": ".svg"}
    assert b"1  here" in files["issues"][1]
    assert b"1  here" not in files["plain"][1]


DOORS: dict[str, JsonValue] = {"kind": "count", "quote": "three doors", "parts": ["door*"], "number": 3}


def stating(*statements: JsonValue) -> Drawing:
    return house().model_copy(update={"requirements": statements})


def test_the_report_measures_what_the_drawing_states() -> None:
    brief = Brief.of("a house with three doors and a garden")
    report = studio.check(stating(DOORS, {"kind": "mood"}), None, brief)
    (broken,) = [issue for issue in report.issues if issue.basis == "requirement"]
    assert (broken.severity, broken.requirement) == ("note", "r1")
    assert [m.outcome for m in report.requirements] == ["broken"]
    assert len(report.set_aside) == 1
    assert "garden" in " ".join(report.unchecked)
    assert report.valid


def test_strict_rules_measure_what_the_drawing_states_and_nothing_that_they_read_themselves() -> None:
    strict = studio.check(stating(DOORS), None, Brief.of("two houses with three doors"), "strict")
    assert [(m.id, m.outcome) for m in strict.requirements] == [("r1", "broken")]
    assert any("houses" in rest for rest in strict.unchecked)


def test_strict_rules_take_distances_from_the_words_of_the_brief() -> None:
    apart = drawing_of(
        {
            "plan": [{"name": name, "label": name, "parent": None} for name in ("bush", "tree")],
            "strokes": [
                {"part": name, "kind": "rect", "x": x, "y": 0.4, "w": 0.1, "h": 0.2, "fill": "#228833"}
                for name, x in (("bush", 0.1), ("tree", 0.8))
            ],
        }
    )

    def codes(words: str) -> set[str]:
        return {issue.code for issue in studio.check(apart, None, Brief.of(words), "strict").issues}

    assert codes("a bush beside a tree") - codes("a bush and a tree") == {"spacing.hint"}


def test_words_that_exclude_each_other_are_no_hint() -> None:
    """As strict rules read them; a model may have understood them."""
    words = "a cat left of a dog, and the dog left of the cat"
    with pytest.raises(ContradictionError):
        read(words)
    report = studio.check(house(), None, Brief.of(words), "strict")
    assert report.issues == studio.check(house(), None, Brief.of("it"), "strict").issues


def test_heuristics_are_notes_judge_or_are_off() -> None:
    broken = amended(house(), [Move.shift("roof", 0, -0.2)])
    default, strict, off = (studio.check(broken, None, Brief.of("a house"), how) for how in get_args(Heuristics))
    assert default.valid
    assert default.notes
    assert not off.issues
    assert strict.errors or strict.warnings
    assert not strict.notes


def test_what_was_wrong_before_is_inherited() -> None:
    broken = amended(stating(DOORS), [Move.shift("roof", 0, -0.2)])
    base = broken.model_copy(update={"requirements": agreed(broken.requirements)})
    report = studio.check(base, base, Brief.of("make the door red"))
    assert not report.issues
    assert {issue.basis for issue in report.inherited} == {"heuristic", "requirement"}


def test_a_continued_drawing_is_protected_and_its_statements_are_agreed(tmp_path: Path) -> None:
    studio.deliver(stating({"id": "r1", **DOORS}), tmp_path / "run", resources_in(tmp_path, SketchSettings(size=64)))
    base = studio.open(Brief.of("add a cat", on=tmp_path / "run"))
    assert base is not None
    assert base.protected == tuple(part.name for part in house().plan)
    assert base.asked == "add a cat"
    report = studio.check(base, None, Brief.of("add a cat"))
    assert [m.quote for m in report.requirements] == ["three doors"]
    assert "protected" not in (tmp_path / "run" / "drawing.json").read_text()
