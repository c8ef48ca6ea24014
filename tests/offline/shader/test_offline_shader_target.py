"""The offline model toward a target: a grid of its mean colors, finer at each turn."""

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
from redraft.offline.shader.target import toward
from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.gl import View, render
from redraft.studios.shader.parse import as_reply, parse
from redraft.studios.shader.spec import Draft

LAKE = [["9ec4e8"] * 9, ["c8d8e0"] * 9, ["e8c890", "f8e8b0", "d0a880"] * 3, ["305070"] * 9] * 2
"""Eight rows of nine: more colors than the first grid has, fewer than the second."""


def test_each_turn_has_a_finer_grid_until_all_colors_are_shown() -> None:
    first, second, third = "6 × 6", "9 × 8 mean colors, all that the request gives", "9 × 8"
    code: str | None = None
    for expected in (first, second, third):
        approach, code = toward(LAKE, code)
        assert expected in approach
    assert toward(LAKE, code)[1] == code


def test_a_shader_survives_the_reply_it_is_sent_in_and_another_is_not_continued() -> None:
    _, first = toward(LAKE, None)
    sent = parse(as_reply(Draft(approach="a grid", code=first))).code
    assert toward(LAKE, sent) == toward(LAKE, first) != toward(LAKE, None)
    assert toward(LAKE, first.replace("// A grid of mean colors", "// A grid of others"))[1] == first


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
    assert len(scores) == 3
    assert scores == sorted(set(scores), reverse=True)
    assert scores[-1] < 0.8 * scores[0]
