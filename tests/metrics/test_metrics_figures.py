"""FLIP and SSIM against figures worked out from their papers, and against common sense."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.errors import MissingPartError
from redraft.metrics.base import METRICS, Flip, Metric, MetricName, Pixels, Ssim, open_metric

pytestmark = pytest.mark.slow

FREE: tuple[MetricName, ...] = ("flip", "ssim")
"""Those that need no weights."""


def flat(height: int, width: int, colour: tuple[int, int, int]) -> Pixels:
    return np.full((height, width, 3), colour, dtype=np.uint8)


def noise(height: int, width: int, seed: int) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def flip_of_black_and_white() -> float:
    """Without edges only the colour part is left: equations 5 to 9 of the paper, with its constants."""
    lab = import_module("skimage.color").rgb2lab(np.array([[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]]))[0]
    hunt = [np.array([lightness, 0.01 * lightness * a, 0.01 * lightness * b]) for lightness, a, b in lab]
    hyab = abs(hunt[0][0] - hunt[1][0]) + float(np.hypot(*(hunt[0] - hunt[1])[1:]))
    most, difference = hyab**0.7, 100**0.7
    return 0.95 + (difference - 0.4 * most) / (most - 0.4 * most) * 0.05


def ssim_of_one_window(first: Pixels, second: Pixels) -> float:
    """Equation 13 of the paper over one window of 49 values a channel, with variances of a sample."""
    figures: list[float] = []
    for channel in range(3):
        x, y = (p[..., channel].astype(float).ravel() for p in (first, second))
        (vx, vxy), (_, vy) = np.cov(x, y)
        c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
        likeness = (2 * x.mean() * y.mean() + c1) * (2 * vxy + c2)
        figures.append(likeness / ((x.mean() ** 2 + y.mean() ** 2 + c1) * (vx + vy + c2)))
    return sum(figures) / 3


def test_flip_of_black_and_white_is_the_papers() -> None:
    figure = Flip().measure(flat(32, 48, (0, 0, 0)), flat(32, 48, (255, 255, 255)))
    assert figure == pytest.approx(flip_of_black_and_white(), abs=0.001)


def test_ssim_of_one_window_is_the_papers() -> None:
    first, second = noise(7, 7, 1), noise(7, 7, 2)
    assert Ssim().measure(first, second) == pytest.approx(ssim_of_one_window(first, second), abs=1e-9)


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (6, 300), (16, 16), (65, 33)])
def test_the_same_picture_is_as_near_as_can_be(name: MetricName, size: tuple[int, int]) -> None:
    picture = noise(*size, seed=3)
    assert open_metric(name).measure(picture, picture) == pytest.approx(0 if name == "flip" else 1, abs=1e-12)


@pytest.mark.parametrize("name", FREE)
def test_more_noise_is_worse(name: MetricName) -> None:
    photograph: Pixels = import_module("skimage.data").astronaut()[:128, 160:320]
    grain = np.random.default_rng(4).normal(0, 1, photograph.shape)
    metric = open_metric(name)
    figures = [
        metric.measure(photograph, np.clip(photograph + grain * strength, 0, 255).astype(np.uint8))
        for strength in (2, 8, 32, 128)
    ]
    assert figures == sorted(figures, reverse=name == "ssim")


@pytest.mark.parametrize("name", FREE)
def test_it_says_the_same_twice(name: MetricName) -> None:
    first, second = noise(120, 90, 5), noise(120, 90, 6)
    assert open_metric(name).measure(first, second) == open_metric(name).measure(first, second)


@given(
    height=st.integers(1, 20),
    width=st.integers(1, 20),
    seed=st.integers(0, 2**32 - 1),
    metric=st.sampled_from([open_metric(name) for name in FREE]),
)
@settings(max_examples=20)
def test_figures_are_within_their_range(height: int, width: int, seed: int, metric: Metric) -> None:
    figure = metric.measure(noise(height, width, seed), noise(height, width, seed + 1))
    assert (0 if metric.name == "FLIP" else -1) <= figure <= 1


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("shape", [(8, 9, 3), (9, 8, 3), (8, 8, 4), (8, 8)])
def test_pictures_of_other_shapes_are_refused(name: MetricName, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"of one size.*\(8, 8, 3\)"):
        open_metric(name).measure(flat(8, 8, (1, 2, 3)), np.zeros(shape, dtype=np.uint8))


@pytest.mark.parametrize(("name", "module"), [("flip", "flip_evaluator"), ("ssim", "skimage.metrics")])
def test_a_missing_library_is_said_with_its_command(
    name: MetricName, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingPartError, match=rf"{module}.*pip install 'redraft\[shader\]'$"):
        open_metric(name)


def test_every_name_has_its_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    import redraft.metrics.lpips as room

    def without_weights(self: Any) -> None: ...

    monkeypatch.setattr(room.Lpips, "__init__", without_weights)
    assert [open_metric(name).name for name in METRICS] == ["FLIP", "SSIM", "LPIPS"]
