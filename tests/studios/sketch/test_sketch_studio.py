"""The studio as the loop sees it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from benches import bench_in
from PIL import Image
from sketches import HOUSE, house, reply_of

from redraft.brief import Brief
from redraft.errors import ExecutionError, RunNotFoundError
from redraft.result import Issue, Mark, Report
from redraft.spatial.layout import Move
from redraft.studios.base import Artifact, Bench, Illustrated, Spatial
from redraft.studios.sketch.patch import Patch
from redraft.studios.sketch.spec import Draft, Drawing
from redraft.studios.sketch.studio import SketchSettings, studio

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_in(tmp_path)


async def test_from_a_reply_to_files(bench: Bench, tmp_path: Path) -> None:
    draft = studio.parse("draft", reply_of({**HOUSE, "approach": "one wall,\none roof"}), None)
    assert isinstance(draft, Draft)
    assert studio.approach(draft) == "one wall, one roof"
    drawing = await studio.execute(draft, None, bench)
    assert drawing == house()
    assert studio.summary(drawing) == "7 strokes"
    files = studio.deliver(drawing, tmp_path / "run", bench_in(tmp_path, SketchSettings(animate=True, size=64)))
    assert {role: path.name for role, path in files.items()} == {
        "svg": "drawing.svg",
        "png": "drawing.png",
        "json": "drawing.json",
        "animation": "drawing.animated.svg",
    }
    assert Image.open(io.BytesIO(files["png"].read_bytes())).size == (64, 64)
    assert studio.open(Brief.of("go on", on=tmp_path / "run")) == house()
    assert "animation" not in studio.deliver(drawing, tmp_path / "still", bench_in(tmp_path, SketchSettings(size=64)))


async def test_a_patch_goes_on_from_the_base(bench: Bench) -> None:
    patch = studio.parse("edit", '{"approach": "red", "restyle": [{"part": "roof", "fill": "red"}]}', house())
    assert isinstance(patch, Patch)
    after = await studio.execute(patch, house(), bench)
    assert after.strokes[2].fill == "#ff0000"
    with pytest.raises(ExecutionError):
        await studio.execute(patch, None, bench)


async def test_render_gives_one_picture(bench: Bench) -> None:
    (picture,) = await studio.render(house(), (), bench)
    assert Image.open(io.BytesIO(picture.png)).size == (512, 512)
    assert [p.name for p in await studio.render(house(), ("drawing",), bench)] == ["drawing.png"]
    with pytest.raises(ValueError, match="no view 'side'"):
        await studio.render(house(), ("side",), bench)


def test_it_is_what_the_loop_wants() -> None:
    assert isinstance(studio, Spatial)
    assert isinstance(studio, Illustrated)
    assert isinstance(house(), Artifact)
    assert studio.open(Brief.of("a cat")) is None


def test_a_missing_run_is_said_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match="gone"):
        studio.open(Brief.of("a cat", on=tmp_path / "gone"))


def test_moves_are_written_back() -> None:
    after = studio.amend(house(), [Move.shift("house", 0.1, 0)])
    old, new = studio.layout(house()).bounds("house"), studio.layout(after).bounds("house")
    assert [b - a for a, b in zip(old, new, strict=True)] == pytest.approx([0.1, 0, 0.1, 0])


def test_illustrations_are_svg(bench: Bench) -> None:
    issue = Issue(code="a.b", severity="error", message="m", marks=(Mark(kind="box", at=(0, 0, 1, 1), text="here"),))
    files = studio.illustrate(house(), Report(issues=(issue,)), bench)
    assert {role: suffix for role, (suffix, _) in files.items()} == {"plain": ".svg", "issues": ".svg"}
    assert b"1  here" in files["issues"][1]
    assert b"1  here" not in files["plain"][1]


def test_the_report_counts_what_the_brief_asks_for() -> None:
    good = studio.check(house(), None, Brief.of("a house with a door"))
    bad = studio.check(house(), None, Brief.of("three houses"))
    assert not [issue for issue in good.issues if issue.category == "count"]
    assert [issue.severity for issue in bad.issues if issue.category == "count"] == ["error"]


def test_what_was_wrong_before_is_inherited() -> None:
    broken = Drawing(plan=house().plan, strokes=studio.amend(house(), [Move.shift("roof", 0, -0.2)]).strokes)
    first = studio.check(broken, None, Brief.of("a house"))
    again = studio.check(broken, broken, Brief.of("make the door red"))
    assert first.errors
    assert not again.errors
    assert again.inherited


async def test_it_is_the_main_thing_of_the_drawing_that_is_continued(bench: Bench, tmp_path: Path) -> None:
    studio.deliver(house(), tmp_path / "run", bench_in(tmp_path, SketchSettings(size=64)))
    reading = studio.reading(Brief.of("now add a cat to the left of it", on=tmp_path / "run"))
    assert "house" in {mention.noun for mention in reading.mentions}
