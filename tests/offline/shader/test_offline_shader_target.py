"""The offline painter: its slopes against differences, its GLSL against the compiler's picture, and its paintings."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import skimage
from hypothesis import given, settings
from hypothesis import strategies as st
from real_parts import needs

from redraft.metrics.base import Pixels, open_metric
from redraft.metrics.pictures import colour_grid
from redraft.metrics.target import read_target
from redraft.offline.shader import target
from redraft.offline.shader.target import MOST, Painting, descended, goal_of, grounded, read, toward, write
from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.gl import View, render
from redraft.studios.shader.parse import as_reply, parse
from redraft.studios.shader.spec import Draft

pytestmark = pytest.mark.slow

HALVES = [["202020", "202020", "e0a040", "e0a040"] for _ in range(4)]
"""Dark on the left, amber on the right."""
LAKE = [["9ec4e8"] * 6, ["c8d8e0"] * 6, ["e8c890", "f8e8b0", "f8e8b0", "e8c890", "d0a880", "c09078"], ["305070"] * 6]
RINGS = "void mainImage(out vec4 o, in vec2 p) { o = vec4(sin(p.x)); }"

colors = st.integers(0, 0xFFFFFF).map(lambda n: f"{n:06x}")
grids = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda s: st.lists(st.lists(colors, min_size=s[0], max_size=s[0]), min_size=s[1], max_size=s[1])
)


def painted(seed: int = 1, count: int = 4, canvas: tuple[float, float] = (1.0, 0.6667)) -> Painting:
    """Some ellipses at random, with the numbers of a painting that was written."""
    rng = np.random.default_rng(seed)
    low, high = [0.2, 0.2, -2.0, -2.0, -1.5, 0.3, 0, 0, 0], [0.8, 0.5, -0.8, -0.8, 1.5, 0.9, 1, 1, 1]
    made = Painting(canvas, rng.uniform(0, 1, (4, 3)), rng.uniform(low, high, (count, 9)))
    found = read(write(made))
    assert found is not None
    return found


def grey(rows: int, columns: int) -> list[list[str]]:
    """A grey wave."""
    levels = [[round(128 + 100 * math.sin(0.9 * x + 1.3 * y)) for x in range(columns)] for y in range(rows)]
    return [[3 * f"{level:02x}" for level in row] for row in levels]


def loss(painting: Painting, grid: list[list[str]]) -> float:
    return target._loss(painting, goal_of(grid))  # pyright: ignore[reportPrivateUsage]


def found(code: str) -> Painting:
    painting = read(code)
    assert painting is not None
    return painting


def test_slopes_of_the_loss_are_those_of_the_whole_painting() -> None:
    goal, painting = goal_of(LAKE), painted()
    exact = replace(painting, corners=painting.corners.astype(float), layers=painting.layers.astype(float))
    _, *slopes, _ = target._slopes(exact, goal)  # pyright: ignore[reportPrivateUsage]
    for part, slope in zip((exact.corners, exact.layers), slopes, strict=True):
        for place in np.ndindex(part.shape):
            was = part[place]
            part[place] = was + 1e-5
            above = loss(exact, LAKE)
            part[place] = was - 1e-5
            expected = (above - loss(exact, LAKE)) / 2e-5
            part[place] = was
            assert slope[place] == pytest.approx(expected, rel=0.01, abs=1e-4)


def test_points_of_a_cell_have_its_mean_and_the_top_row_is_first() -> None:
    goal = goal_of(LAKE)
    x, y = goal.means(goal.points.T)
    np.testing.assert_allclose(x.reshape(4, 6)[2], (np.arange(6) + 0.5) / 6, atol=1e-4)
    np.testing.assert_allclose(y.reshape(4, 6)[:, 1], (np.array([3.5, 2.5, 1.5, 0.5])) / 6, atol=1e-4)


@pytest.mark.anyio
@pytest.mark.real
async def test_the_compiler_paints_what_the_numbers_say(tmp_path: Path) -> None:
    needs("egl")
    width, height, painting = 96, 64, painted()
    async with Sandbox(tmp_path) as sandbox:
        shot = (await render(write(painting), View(width, height, (0.0,)), sandbox)).shots[0]
    cells = [[bytes(pixel).hex() for pixel in row] for row in shot.pixels]
    wrong = target._slopes(painting, goal_of(cells, 2))[3]  # pyright: ignore[reportPrivateUsage]
    assert 255 * np.abs(wrong).max() < 4, "as far as means over a pixel differ from its middle"
    assert 255 * np.abs(wrong).mean() < 0.5
    assert shot.broken == 0


# GLSL and back


@given(st.integers(0, 10_000), st.integers(0, 6))
def test_what_is_written_reads_back_the_same(seed: int, count: int) -> None:
    code = write(painted(seed, count))
    assert write(found(code)) == code


def test_a_line_tells_what_it_paints() -> None:
    layer = [0.25, 0.55, math.log(0.1), math.log(0.15), math.radians(-35), 0.8, 1.0, 0xD0 / 255, 0x60 / 255]
    code = write(replace(painted(), layers=np.array([layer])))
    line = (
        "    c = mix(c, rgb(0xffd060), 0.80 * ellipse(p, vec2(0.250, 0.550), vec2(0.100, 0.150), -35.0));"
        "  // 1: upper left, #ffd060"
    )
    assert line in code.splitlines()


def test_a_shader_survives_the_reply_it_is_sent_in() -> None:
    draft = Draft(approach="four shapes", code=write(painted()))
    assert write(found(parse(as_reply(draft)).code)) == draft.code


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    f_color = vec4(c, 1.0);", "    c *= 0.5;\n    f_color = vec4(c, 1.0);"),
        ("ellipse(p, vec2(", "ellipse(2.0 * p, vec2("),
        ("exp(-d * d)", "exp(-2.0 * d)"),
        ("const vec2 CANVAS", "vec2 CANVAS"),
    ],
)
def test_a_shader_that_was_changed_is_no_longer_its_own(old: str, new: str) -> None:
    code = write(painted())
    assert old in code
    assert read(code.replace(old, new)) is None


def test_comments_may_be_changed() -> None:
    code = write(painted())
    line = next(line for line in code.splitlines() if "// 4:" in line)
    again = code.replace(line, line.partition("  //")[0] + "  // the sun")
    assert write(found(again)) == code


# Painting


@given(grids, st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_any_grid_is_painted_without_a_broken_number(grid: list[list[str]], seed: int) -> None:
    _, code = toward(grid, code=None, turn_seed=seed, budget=3)
    painting = found(code)
    assert np.isfinite(painting.layers).all()
    assert "nan" not in code
    assert "inf" not in code


def test_descent_never_makes_it_worse() -> None:
    goal, painting = goal_of(LAKE), painted()
    better = descended(painting, goal, 10)
    assert loss(better, LAKE) < loss(painting, LAKE)
    assert descended(better, goal, 0) == better


def test_one_color_needs_no_ellipse() -> None:
    approach, code = toward([["3a7f2b"] * 3] * 2, code=None, turn_seed=0)
    assert len(found(code).layers) == 0
    assert code.count("3a7f2b") == 4
    assert "0 soft ellipses" in approach


def test_the_same_turn_twice_is_the_same_shader_and_another_seed_another() -> None:
    first = toward(HALVES, code=None, turn_seed=5, budget=2)
    assert toward(HALVES, code=None, turn_seed=5, budget=2) == first
    assert toward(HALVES, code=None, turn_seed=6, budget=2) != first


def test_it_goes_on_from_its_own_shader_and_from_no_other() -> None:
    grid = grey(6, 9)
    _, code = toward(grid, code=None, turn_seed=1, budget=10)
    approach, further = toward(grid, code=code, turn_seed=2, budget=20)
    assert loss(found(further), grid) < loss(found(code), grid)
    assert len(found(further).layers) > len(found(code).layers)
    assert f"{len(found(further).layers)} in all" in approach
    for foreign in (RINGS, write(painted(canvas=(1.0, 0.5)))):
        approach, anew = toward(grid, code=foreign, turn_seed=1, budget=10)
        assert approach.startswith("began anew")
        assert anew == code


@pytest.mark.parametrize(
    "grid", [grey(1, 1), grey(1, 2), grey(3, 3), grey(4, 32), grey(32, 4)], ids=lambda g: f"{len(g)} rows"
)
@pytest.mark.timeout(300)
def test_odd_shapes_are_approached_too(grid: list[list[str]]) -> None:
    losses, code = [loss(grounded(goal_of(grid)), grid)], None
    for turn in range(2):
        _, code = toward(grid, code=code, turn_seed=turn, budget=20)
        losses.append(loss(found(code), grid))
    assert losses == sorted(losses, reverse=True)


@pytest.mark.timeout(300)
def test_there_are_never_more_than_sixty_ellipses_and_it_is_never_worse() -> None:
    pixels = np.random.default_rng(4).integers(0, 256, (12, 12, 3), np.uint8)
    grid, code = [[bytes(cell).hex() for cell in row] for row in pixels], None
    losses, counts = list[float](), list[int]()
    for turn in range(7):
        _, code = toward(grid, code=code, turn_seed=turn, budget=10)
        counts.append(len(found(code).layers))
        losses.append(loss(found(code), grid))
    assert counts == [16, 27, 38, 49, MOST, MOST, MOST]
    assert losses == sorted(losses, reverse=True)


def astronaut() -> Pixels:
    return read_target(Path(skimage.__file__).parent / "data" / "astronaut.png", 256).pixels


@pytest.mark.real
@pytest.mark.anyio
@pytest.mark.timeout(600)
async def test_a_photograph_is_nearer_after_every_turn(tmp_path: Path) -> None:
    needs("egl")
    picture, metric = astronaut(), open_metric("flip")
    grid, code, scores = colour_grid(picture), None, list[float]()
    async with Sandbox(tmp_path, workers=1) as sandbox:
        for turn in range(5):
            _, code = toward(grid, code=code, turn_seed=turn)
            shot = (await render(code, View(256, 256, (0.0,)), sandbox)).shots[0]
            scores.append(metric.measure(picture, shot.pixels))
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 5
    assert scores[-1] < 0.8 * scores[0]
