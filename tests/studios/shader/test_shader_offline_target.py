"""The built-in painter: its numbers against the compiler's, its slopes against differences, and its paintings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import skimage.color
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from real_parts import needs

from redraft.errors import BriefError
from redraft.metrics.base import Pixels, open_metric
from redraft.metrics.pictures import colour_grid
from redraft.metrics.target import read_target
from redraft.offline.shader.canvas import of_painting, slopes, to_painting
from redraft.offline.shader.goal import Goal, goal_of
from redraft.offline.shader.masks import KINDS, Kind, masks, masks_and_slopes
from redraft.offline.shader.optimise import UNSEEN, added, grounded, refined, thinned
from redraft.offline.shader.painting import Layer, Painting, read, write
from redraft.offline.shader.target import MOST, toward
from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.gl import View, render
from redraft.studios.shader.parse import as_reply, parse
from redraft.studios.shader.spec import Draft

pytestmark = pytest.mark.slow

HALVES = [["202020", "202020", "e0a040", "e0a040"] for _ in range(4)]
"""Dark on the left, amber on the right."""
Doubles = NDArray[np.float64]
LAKE = [["9ec4e8"] * 6, ["c8d8e0"] * 6, ["e8c890", "f8e8b0", "f8e8b0", "e8c890", "d0a880", "c09078"], ["305070"] * 6]
NOTHING = list[Any]()
RINGS = "void mainImage(out vec4 o, in vec2 p) { o = vec4(sin(p.x)); }"

ALL_KINDS = Painting(
    (1.0, 0.75),
    ("203040", "806040", "c0d0f0", "f0e0d0"),
    (
        Layer("edge", (0.5, 0.3), (0.05, 0.05), -80.0, 1.0, 0.9, "2a6040"),
        Layer("band", (0.3, 0.4), (0.08, 0.08), 30.0, 0.4, 0.6, "f0f0ff"),
        Layer("box", (0.7, 0.35), (0.2, 0.1), 20.0, 0.3, 1.0, "c03020"),
        Layer("disc", (0.25, 0.55), (0.1, 0.15), -35.0, 0.2, 0.8, "ffd060"),
        Layer("blob", (0.8, 0.6), (0.2, 0.1), 45.0, 1.0, 1.0, "101018"),
    ),
)


def thousandths(low: int, high: int) -> st.SearchStrategy[float]:
    return st.integers(low, high).map(lambda n: n / 1000)


colours = st.integers(0, 0xFFFFFF).map(lambda n: f"{n:06x}")
sizes = thousandths(1, 1500)


@st.composite
def layers(draw: st.DrawFn) -> Layer:
    kind: Kind = draw(st.sampled_from(KINDS))
    wide = draw(sizes)
    high = wide if kind in ("band", "edge") else draw(sizes)
    soft = 1.0 if kind in ("blob", "edge") else draw(st.integers(1, 100)) / 100
    at = draw(thousandths(-250, 1250)), draw(thousandths(-250, 1250))
    turn = draw(st.integers(-1800, 1800)) / 10
    return Layer(kind, at, (wide, high), turn, soft, draw(st.integers(10, 100)) / 100, draw(colours))


paintings = st.builds(
    Painting,
    st.tuples(st.just(1.0), st.integers(200, 10_000).map(lambda n: n / 10_000)),
    st.tuples(colours, colours, colours, colours),
    st.lists(layers(), max_size=6).map(tuple),
)
grids = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda s: st.lists(st.lists(colours, min_size=s[0], max_size=s[0]), min_size=s[1], max_size=s[1])
)


def goal_for(grid: Sequence[Sequence[str]], across: int = 2) -> Goal:
    longest = max(len(grid), len(grid[0]))
    return goal_of(grid, (len(grid[0]) / longest, len(grid) / longest), across)


def grey(rows: int, columns: int) -> list[list[str]]:
    """A grey wave."""
    levels = [[round(128 + 100 * math.sin(0.9 * x + 1.3 * y)) for x in range(columns)] for y in range(rows)]
    return [[3 * f"{level:02x}" for level in row] for row in levels]


def hunt_lab(rgb: Doubles) -> Doubles:
    """By scikit-image's CIELAB; 3 × colours."""
    light, a, b = cast("Doubles", cast("Any", skimage.color).rgb2lab(rgb.T)).T
    return np.stack([light, a * light / 100, b * light / 100])


def shuffled_numbers(seed: int) -> Doubles:
    """One layer of each kind, near the middle, in double precision."""
    rng = np.random.default_rng(seed)
    low, high = [0.3, 0.3, -2.0, -2.0, -3.0, 0.2, 0.3], [0.7, 0.7, -0.8, -0.8, 3.0, 0.9, 0.9]
    return rng.uniform(low, high, (len(KINDS), 7))


# The shapes


@pytest.mark.parametrize("parameter", range(7))
def test_slopes_of_every_shape_are_those_of_its_cover(parameter: int) -> None:
    numbers, points = shuffled_numbers(parameter), np.random.default_rng(1).uniform(0, 1, (400, 2))
    _, found = masks_and_slopes(KINDS, numbers, points)
    step = np.zeros(7)
    step[parameter] = 1e-6
    expected = (masks(KINDS, numbers + step, points) - masks(KINDS, numbers - step, points)) / 2e-6
    np.testing.assert_allclose(found[parameter], expected, rtol=2e-3, atol=2e-3)
    assert (np.abs(expected).max(axis=1) > 0.01).sum() >= 3, "the test must look where something changes"


def test_covers_lie_between_nothing_and_the_opacity() -> None:
    numbers, points = shuffled_numbers(3), np.random.default_rng(2).uniform(-1, 2, (2000, 2))
    cover = masks(KINDS, numbers, points)
    assert cover.min() >= 0
    assert (cover.max(axis=1) <= numbers[:, 6] + 1e-9).all()
    np.testing.assert_allclose(cover, masks_and_slopes(KINDS, numbers, points)[0])


def test_slopes_of_the_loss_are_those_of_the_whole_painting() -> None:
    goal, work = goal_for(LAKE, 3), of_painting(ALL_KINDS)
    work.numbers, work.colours, work.corners = (
        a.astype(np.float64) for a in (work.numbers, work.colours, work.corners)
    )
    found = slopes(work, goal)
    for part, slope in ((work.numbers, found.numbers), (work.colours, found.colours), (work.corners, found.corners)):
        for place in np.ndindex(part.shape):
            was = part[place]
            part[place] = was + 1e-5
            above = work.loss(goal)
            part[place] = was - 1e-5
            expected = (above - work.loss(goal)) / 2e-5
            part[place] = was
            assert slope[place] == pytest.approx(expected, rel=0.01, abs=0.02)


@pytest.mark.anyio
@pytest.mark.real
async def test_the_compiler_paints_what_the_numbers_say(tmp_path: Path) -> None:
    needs("egl")
    width, height = 96, 72
    async with Sandbox(tmp_path) as sandbox:
        shot = (await render(write(ALL_KINDS), View(width, height, (0.0,)), sandbox)).shots[0]
    pixels_as_cells = goal_of([["000000"] * width] * height, ALL_KINDS.canvas, 1)
    expected = 255 * of_painting(ALL_KINDS).samples(pixels_as_cells).T.reshape(height, width, 3)
    assert np.abs(shot.pixels - expected).max() < 0.6
    assert shot.broken == 0


# What it aims at


def test_points_of_a_cell_have_its_mean_and_the_top_row_is_first() -> None:
    goal = goal_for(LAKE, 3)
    x, y = goal.means(goal.points.T)
    np.testing.assert_allclose(x.reshape(4, 6)[2], (np.arange(6) + 0.5) / 6, atol=1e-6)
    np.testing.assert_allclose(y.reshape(4, 6)[:, 1], (np.array([3.5, 2.5, 1.5, 0.5])) / 6, atol=1e-6)


@given(grids)
def test_differences_are_those_of_cielab_with_hunts_adjustment(grid: list[list[str]]) -> None:
    goal = goal_for(grid)
    nudge = np.array([[0.004], [-0.003], [0.002]])
    there = np.clip(goal.colours.T.astype(np.float64), 0.05, 0.95)
    goal = replace(goal_for([[bytes(np.rint(255 * c).astype(np.uint8)).hex() for c in there]]))

    start = goal.colours.astype(np.float64)
    np.testing.assert_allclose(goal.differences(start + nudge), hunt_lab(start + nudge) - hunt_lab(start), atol=0.08)
    assert goal.loss(goal.colours) < goal.loss(goal.colours + nudge)


# GLSL and back


@given(paintings)
def test_what_is_written_reads_back_the_same(painting: Painting) -> None:
    assert read(write(painting)) == painting


@given(paintings)
def test_numbers_and_layers_are_the_same_thing(painting: Painting) -> None:
    again = to_painting(of_painting(painting), painting.canvas)
    assert read(write(again)) == again
    for one, other in zip(painting.layers, again.layers, strict=True):
        assert (one.kind, one.at, one.size, one.soft, one.opacity, one.colour) == (
            other.kind, other.at, other.size, other.soft, other.opacity, other.colour,
        )  # fmt: skip
        turns = (one.turn - other.turn) / (360 if one.kind == "edge" else 180)
        assert turns == pytest.approx(round(turns), abs=1e-3)


def test_a_line_tells_what_it_paints() -> None:
    lines = write(ALL_KINDS).splitlines()
    disc = (
        "    c = mix(c, rgb(0xffd060), 0.80 * disc(p, vec2(0.250, 0.550), vec2(0.100, 0.150), -35.0, 0.20));"
        "  // 4: soft ellipse, upper left, #ffd060"
    )
    assert disc in lines
    assert "box(" not in write(replace(ALL_KINDS, layers=ALL_KINDS.layers[3:])), "helpers without use are left out"


def test_a_shader_survives_the_reply_it_is_sent_in() -> None:
    draft = Draft(approach="five shapes", code=write(ALL_KINDS))
    assert read(parse(as_reply(draft)).code) == ALL_KINDS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    f_color = vec4(c, 1.0);", "    c *= 0.5;\n    f_color = vec4(c, 1.0);"),
        ("0.80 * disc", "v_uv.x * disc"),
        ("vec2(0.100, 0.150)", "vec2(0.000, 0.150)"),
        ("exp(-dot(q, q))", "exp(-2.0 * dot(q, q))"),
        ("const vec2 CANVAS", "vec2 CANVAS"),
    ],
)
def test_a_shader_that_was_changed_is_no_longer_its_own(old: str, new: str) -> None:
    code = write(ALL_KINDS)
    assert old in code
    assert read(code.replace(old, new)) is None


def test_comments_may_be_changed() -> None:
    code = write(ALL_KINDS)
    assert read(code.replace("// 4: soft ellipse, upper left, #ffd060", "// the sun")) == ALL_KINDS


# Painting


@given(grids, st.integers(0, 99))
@settings(max_examples=20)
def test_any_grid_is_painted_without_a_broken_number(grid: list[list[str]], seed: int) -> None:
    goal = goal_for(grid)
    work = grounded(goal)
    for _ in range(2):
        work = added(work, goal, np.random.default_rng(seed), 6, 2)
    work = refined(work, goal, 3)
    painting = to_painting(work, goal.canvas)
    painting = replace(painting, canvas=(round(goal.canvas[0], 4), round(goal.canvas[1], 4)))
    assert read(write(painting)) == painting
    assert np.isfinite(of_painting(painting).samples(goal)).all()
    assert "nan" not in write(painting)
    assert "inf" not in write(painting)


@pytest.mark.slow
def test_a_painting_that_is_as_good_as_it_gets_is_not_spoilt() -> None:
    grid = grey(6, 6)
    goal, code, losses = goal_for(grid, 3), None, list[float]()
    for turn in range(6):
        _, code = toward(grid, code=code, turn_seed=turn, budget=10)
        painting = read(code)
        assert painting is not None
        losses.append(of_painting(painting).loss(goal))
    assert max(losses[3:]) <= losses[2] + 0.002, "no more than rounding takes"


def test_refining_never_makes_it_worse() -> None:
    goal, work = goal_for(LAKE), of_painting(ALL_KINDS)
    better = refined(work, goal, 10)
    assert better.loss(goal) < work.loss(goal)
    assert refined(better, goal, 0).loss(goal) == better.loss(goal)


def test_what_is_missed_least_goes_first() -> None:
    hidden = Layer("disc", (0.8, 0.6), (0.01, 0.01), 0.0, 0.2, 0.1, "808080")
    work = of_painting(replace(ALL_KINDS, layers=(hidden, *ALL_KINDS.layers)))
    goal = goal_for(LAKE)
    goal = replace(goal, colours=goal.means(of_painting(ALL_KINDS).samples(goal)))
    assert to_painting(thinned(work, goal, 5), ALL_KINDS.canvas) == ALL_KINDS
    assert thinned(work, goal, 6) is work


def test_one_colour_needs_no_layer() -> None:
    approach, code = toward([["3a7f2b"] * 3] * 2, code=None, turn_seed=0)
    painting = read(code)
    assert painting is not None
    assert painting.layers == ()
    assert set(painting.corners) == {"3a7f2b"}
    assert "0 soft shapes" in approach


@pytest.mark.slow
def test_the_same_turn_twice_is_the_same_shader_and_another_seed_another() -> None:
    first = toward(HALVES, code=None, turn_seed=5, budget=2)
    assert toward(HALVES, code=None, turn_seed=5, budget=2) == first
    assert toward(HALVES, code=None, turn_seed=6, budget=2) != first


@pytest.mark.slow
def test_it_goes_on_from_its_own_shader_and_from_no_other() -> None:
    grid = grey(6, 9)
    goal = goal_for(grid, 3)
    _, code = toward(grid, code=None, turn_seed=1, budget=2)
    approach, further = toward(grid, code=code, turn_seed=2, budget=10)
    first, second = read(code), read(further)
    assert first is not None
    assert second is not None
    assert of_painting(second).loss(goal) < of_painting(first).loss(goal)
    assert len(second.layers) > len(first.layers)
    assert f"{len(second.layers)} in all" in approach
    for foreign in (RINGS, write(replace(ALL_KINDS, canvas=(1.0, 0.5)))):
        approach, anew = toward(grid, code=foreign, turn_seed=1, budget=2)
        assert approach.startswith("began anew")
        assert anew == code


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        (NOTHING, "empty"),
        ([NOTHING], "empty"),
        ([["000000"], ["000000", "ffffff"]], "Row 2 of the colour grid has 2 cells, and row 1 has 1"),
        ([["#00000"]], "'#00000', which is no 'rrggbb'"),
        ([["0x1234"]], "no 'rrggbb'"),
    ],
)
def test_what_is_no_grid_is_refused(grid: list[list[str]], said: str) -> None:
    with pytest.raises(BriefError, match=said):
        toward(grid, code=None, turn_seed=0)


# Whole paintings


@pytest.mark.slow
@pytest.mark.parametrize(
    "grid", [grey(1, 1), grey(1, 2), grey(3, 3), grey(4, 32), grey(32, 4)], ids=lambda g: f"{len(g)} rows"
)
@pytest.mark.timeout(300)
def test_odd_shapes_are_approached_too(grid: list[list[str]]) -> None:
    goal = goal_for(grid, 3)
    errors = [grounded(goal).error(goal)]
    code = None
    for turn in range(2):
        _, code = toward(grid, code=code, turn_seed=turn, budget=20)
        painting = read(code)
        assert painting is not None
        errors.append(of_painting(painting).error(goal))
    assert errors[2] <= max(errors[1], UNSEEN)
    assert errors[1] <= max(errors[0], UNSEEN)
    assert errors[2] < max(1.0, 0.6 * errors[0])


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_there_are_never_more_than_sixty_layers_and_it_still_gets_nearer() -> None:
    pixels = np.random.default_rng(4).integers(0, 256, (12, 12, 3), np.uint8)
    grid = [[bytes(cell).hex() for cell in row] for row in pixels]
    goal, code = goal_for(grid, 3), None
    losses, counts = list[float](), list[int]()
    for turn in range(7):
        _, code = toward(grid, code=code, turn_seed=turn, budget=10)
        painting = read(code)
        assert painting is not None
        counts.append(len(painting.layers))
        losses.append(of_painting(painting).loss(goal))
    assert counts == [16, 27, 38, 49, MOST, MOST, MOST]
    assert losses[:5] == sorted(losses[:5], reverse=True)
    assert losses[6] < losses[4], losses


def astronaut() -> Pixels:
    return read_target(Path(skimage.__file__).parent / "data" / "astronaut.png", 256).pixels


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.anyio
@pytest.mark.timeout(600)
async def test_a_photograph_is_nearer_after_every_turn(tmp_path: Path) -> None:
    needs("egl")
    target, metric = astronaut(), open_metric("flip")
    grid, code, scores = colour_grid(target), None, list[float]()
    async with Sandbox(tmp_path, workers=1) as sandbox:
        for turn in range(5):
            _, code = toward(grid, code=code, turn_seed=turn)
            shot = (await render(code, View(256, 256, (0.0,)), sandbox)).shots[0]
            scores.append(metric.measure(target, shot.pixels))
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 5
    assert scores[-1] < 0.8 * scores[0]
