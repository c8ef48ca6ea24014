"""The offline model toward a target: a grid of its mean colors, first coarse, then fine."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import skimage
from PIL import Image
from real_parts import needs
from typer.testing import CliRunner

from redraft.cli.program import program
from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.gl import View, render
from redraft.studios.shader.offline.target import toward
from redraft.studios.shader.parse import as_reply, parse
from redraft.studios.shader.spec import Draft

LAKE = [["9ec4e8"] * 9, ["c8d8e0"] * 9, ["e8c890", "f8e8b0", "d0a880"] * 3, ["305070"] * 9] * 6
"""24 rows of nine: more colors than the first grid has."""


def test_the_second_turn_shows_all_colors_and_a_third_changes_nothing() -> None:
    approach, first = toward(LAKE, None)
    assert approach == "mean colors of the target, in a bilinear grid of 7 × 20"
    approach, second = toward(LAKE, first)
    assert approach == "all mean colors that the request gives, in a bilinear grid of 9 × 24"
    assert toward(LAKE, second) == (approach, second)


def test_a_shader_survives_the_reply_it_is_sent_in_and_another_is_not_continued() -> None:
    _, first = toward(LAKE, None)
    sent = parse(as_reply(Draft(approach="a grid", code=first))).code
    assert toward(LAKE, sent) == toward(LAKE, first) != toward(LAKE, None)
    assert toward(LAKE, first.replace("// A grid of mean colors", "// A grid of others")) == toward(LAKE, None)


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.real
@pytest.mark.parametrize("columns", [1, 5])
async def test_cells_have_their_colors_in_their_middles_the_top_row_first(tmp_path: Path, columns: int) -> None:
    needs("egl")
    pixels = np.random.default_rng(4).integers(0, 256, (3, columns, 3), np.uint8)
    _, code = toward([[bytes(cell).hex() for cell in row] for row in pixels], None)
    async with Sandbox(tmp_path) as sandbox:
        shot = (await render(code, View(9 * columns, 27, (0.0,)), sandbox)).shots[0]
    assert np.abs(shot.pixels[4::9, 4::9].astype(int) - pixels).max() <= 1


@pytest.mark.slow
@pytest.mark.real
def test_a_photograph_is_nearer_after_each_turn_and_the_run_ends_when_nothing_is_left(tmp_path: Path) -> None:
    needs("egl")
    picture = tmp_path / "astronaut.png"
    Image.open(Path(skimage.__file__).parent / "data" / "astronaut.png").resize((128, 128)).save(picture)
    given = ["shader", "--target", str(picture), "--iterations", "6", "--out", str(tmp_path / "run"), "--verbose"]
    result = CliRunner().invoke(program, given)
    assert result.exit_code == 0, result.output
    assert "the reply changes nothing" in result.output
    events = [json.loads(line) for line in (tmp_path / "run" / "events.jsonl").read_text("utf-8").splitlines()]
    scores = [event["verdict"]["score"] for event in events if event["event"] == "verified"]
    assert len(scores) == 2
    assert scores[1] < 0.9 * scores[0]
