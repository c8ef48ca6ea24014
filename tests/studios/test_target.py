"""Where a frame is farthest from its target, in words."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from redraft.metrics.base import Pixels
from redraft.studios.target import MAX_PLACES, farthest

PLACE = re.compile(
    r"x (0\.\d\d|1\.00) to (0\.\d\d|1\.00), y (0\.\d\d|1\.00) to (0\.\d\d|1\.00): is (#\w{6}), wanted (#\w{6})"
)


def plain(red: int, green: int, blue: int, width: int = 120, height: int = 120) -> Pixels:
    return np.tile(np.array([red, green, blue], np.uint8), (height, width, 1))


def test_alike_is_nothing_to_say() -> None:
    assert farthest(plain(40, 80, 120), plain(42, 78, 121)) == ()


def test_one_wrong_patch_is_one_place_with_both_colours() -> None:
    target, frame = plain(20, 20, 20), plain(20, 20, 20)
    target[24:48, 64:96] = (200, 40, 40)
    said = farthest(target, frame)
    assert said == ("x 0.53 to 0.80, y 0.20 to 0.40: is #141414, wanted #c82828",)


def test_what_is_wrong_in_another_way_is_another_place() -> None:
    target, frame = plain(100, 100, 100), plain(100, 100, 100)
    target[:, :56] = (250, 100, 100)
    target[:, 56:] = (0, 100, 100)
    said = farthest(target, frame)
    assert [re.findall("#......", line)[1] for line in said] == ["#fa6464", "#006464"]


def test_the_worst_comes_first() -> None:
    target, frame = plain(0, 0, 0), plain(0, 0, 0)
    target[:40, :40] = (60, 60, 60)
    target[80:, 80:] = (250, 250, 250)
    first, second = farthest(target, frame)
    assert first.endswith("#fafafa")
    assert second.endswith("#3c3c3c")


def test_a_target_of_another_size_is_compared_at_the_frames() -> None:
    assert farthest(plain(90, 20, 10, 333, 200), plain(90, 20, 10, 64, 40)) == ()


@given(st.integers(0, 2**32 - 1), st.integers(16, 90), st.integers(16, 90))
def test_places_lie_within_the_picture_and_never_too_many(seed: int, width: int, height: int) -> None:
    random = np.random.default_rng(seed)
    target, frame = (random.integers(0, 256, (height, width, 3), np.uint8) for _ in range(2))
    said = farthest(target, frame)
    assert len(said) <= MAX_PLACES
    for line in said:
        found = PLACE.fullmatch(line)
        assert found, line
        left, right, top, bottom = map(float, found.groups()[:4])
        assert left < right
        assert top < bottom
