"""Measuring the frames of an artefact: which one is best, what is enough, at which size."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.metrics.base import ENOUGH, METRICS, Pixels, measure_frames, measured_size, open_metric
from redraft.record.history import DIRECTIONS


@dataclass
class Brightness:
    """A metric that can be worked out by head: the mean difference from the target, or its complement."""

    name: str = "FLIP"
    seen: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def measure(self, target: Pixels, picture: Pixels) -> float:
        assert target.shape == picture.shape
        self.seen.append((picture.shape[1], picture.shape[0]))
        difference = float(np.abs(target.astype(float) - picture).mean()) / 255
        return difference if DIRECTIONS[self.name] == "lower" else 1 - difference


def grey(level: int, width: int = 32, height: int = 32) -> Pixels:
    return np.full((height, width, 3), level, dtype=np.uint8)


def test_the_best_frame_is_the_lowest_where_lower_is_better() -> None:
    score = measure_frames(Brightness("FLIP"), grey(0), [grey(51), grey(0), grey(102)], 0.1)
    assert score.frames == (0.2, 0.0, 0.4)
    assert (score.metric, score.best, score.frame, score.mean, score.reached) == ("FLIP", 0.0, 1, 0.2, True)


def test_the_best_frame_is_the_highest_where_higher_is_better() -> None:
    score = measure_frames(Brightness("SSIM"), grey(0), [grey(51), grey(102), grey(51)], 0.9)
    assert score.frames == (0.8, 0.6, 0.8)
    assert (score.metric, score.best, score.frame, score.reached) == ("SSIM", 0.8, 0, False)


@pytest.mark.parametrize(("name", "step", "reached"), [("FLIP", 5, True), ("FLIP", 6, False), ("SSIM", 5, True)])
def test_without_a_figure_the_metrics_own_is_enough(name: str, step: int, reached: bool) -> None:
    assert measure_frames(Brightness(name), grey(0), [grey(step)], None).reached is reached  # 5 / 255 = 0.0196


def test_exactly_enough_is_enough() -> None:
    assert measure_frames(Brightness("FLIP"), grey(0), [grey(51)], 0.2).reached
    assert measure_frames(Brightness("SSIM"), grey(0), [grey(51)], 0.8).reached
    assert not measure_frames(Brightness("FLIP"), grey(0), [grey(0)], -1).reached


def test_every_metric_has_a_direction_and_a_figure_that_is_enough() -> None:
    assert set(ENOUGH) == set(METRICS)
    assert {name.upper() for name in METRICS} <= set(DIRECTIONS)


def test_figures_have_six_digits() -> None:
    score = measure_frames(Brightness(), grey(0), [grey(1), grey(2)], None)
    assert score.frames == (0.003922, 0.007843)  # 1 / 255, 2 / 255
    assert score.mean == 0.005882 or score.mean == 0.005883


def test_large_frames_are_compared_small_and_the_target_with_them() -> None:
    metric = Brightness()
    measure_frames(metric, grey(9, 100, 100), [grey(9, 512, 384), grey(9, 512, 384)], None)
    assert metric.seen == [(256, 192), (256, 192)]


def test_a_target_of_another_shape_is_stretched_to_the_frame() -> None:
    left_black = np.concatenate([grey(0, 8, 16), grey(255, 8, 16)], axis=1)
    wide = np.concatenate([grey(0, 32, 16), grey(255, 32, 16)], axis=1)
    assert measure_frames(Brightness(), left_black, [wide], None).best < 0.02


@pytest.mark.parametrize(
    ("size", "measured"),
    [((512, 512), (256, 256)), ((200, 100), (200, 100)), ((2048, 16), (2048, 16)), ((100, 1600), (16, 256))],
)
def test_the_size_at_which_frames_are_compared(size: tuple[int, int], measured: tuple[int, int]) -> None:
    assert measured_size(*size) == measured


@given(st.integers(16, 2048), st.integers(16, 2048))
def test_a_measured_size_keeps_the_shape(width: int, height: int) -> None:
    small = measured_size(width, height)
    assert min(small) >= 16
    assert small[0] <= width
    assert small[1] <= height
    assert max(small) <= 256 or min(small) == 16
    assert small[0] / width == pytest.approx(small[1] / height, abs=0.5 / min(width, height) + 0.5 / max(width, height))


def test_no_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="no frames to measure"):
        measure_frames(Brightness(), grey(0), [], None)


def test_a_real_metric_finds_the_frame_that_is_the_target() -> None:
    rng = np.random.default_rng(8)
    frames = [rng.integers(0, 256, (48, 64, 3), dtype=np.uint8) for _ in range(4)]
    for name in ("flip", "ssim"):
        score = measure_frames(open_metric(name), frames[2], frames, None)
        assert (score.frame, score.best, score.reached) == (2, 0.0 if name == "flip" else 1.0, True)
        assert len(set(score.frames)) == 4
