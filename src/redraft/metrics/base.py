"""Metrics of the distance of two pictures: opening one by name, measuring frames with it; FLIP and SSIM.

One run uses one metric; numbers of two are never compared. Pictures are compared with the longer side at 256 pixels at
most. Measured on two cores, FLIP takes 0.07 s there and 0.27 s at 512 (24 frames: 1.7 s against 6.6 s), SSIM 0.02 s
and 0.11 s; the FLIP of a blurred photograph is 0.5066 at 256 and 0.5064 at 512. What is lost is detail finer than two
pixels of a 512-pixel frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from redraft.errors import MissingPartError
from redraft.record.history import DIRECTIONS
from redraft.result import Score

MetricName = Literal["flip", "ssim", "lpips"]
METRICS: tuple[MetricName, ...] = ("flip", "ssim", "lpips")
ENOUGH: dict[MetricName, float] = {"flip": 0.02, "ssim": 0.98, "lpips": 0.05}
"""The score at which a run is near enough, where the settings name none."""

Pixels = NDArray[np.uint8]
"""Height × width × 3, sRGB, the top row first."""

LONGEST = 256
"""Pixels of the longer side at which pictures are compared."""
SHORTEST = 16
"""Pixels below which the shorter side is never reduced: two rows of a very wide frame would say nothing."""
WINDOW = 7
"""Pixels a side of the window of SSIM, scikit-image's own."""
DIGITS = 6


class Metric(Protocol):
    """A distance or likeness of two pictures of one size. Deterministic; holds no state that a result depends on."""

    name: str
    """As it stands in the history: `FLIP`, `SSIM`, `LPIPS`; `memory.history.DIRECTIONS` says which way is better."""

    def measure(self, target: Pixels, picture: Pixels) -> float:
        """The figure for one picture. Raises `ValueError` for pictures of different sizes."""
        ...


class Flip:
    """The mean of the LDR-FLIP error map, 0 (no visible difference) to 1; lower is better.

    Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", 2020, with its usual distance of viewing
    (67 pixels per degree).
    """

    name = "FLIP"

    def __init__(self) -> None:
        """Raises `MissingPartError` where `flip-evaluator` is not installed."""
        self._flip: Any = needed("flip_evaluator", "FLIP", "shader")

    def measure(self, target: Pixels, picture: Pixels) -> float:
        """The mean error of a picture. Raises `ValueError` for pictures of different sizes."""
        same_size(target, picture)
        units = (np.ascontiguousarray(pixels, dtype=np.float32) / np.float32(255) for pixels in (target, picture))
        _, mean, _ = self._flip.evaluate(*units, "LDR", applyMagma=False)
        return float(mean)


class Ssim:
    """The mean structural similarity of the three channels, 1 for the same picture, down to −1; higher is better.

    Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004, with a uniform window
    of 7 × 7 pixels. A picture with a shorter side is continued by its border pixels until one window fits.
    """

    name = "SSIM"

    def __init__(self) -> None:
        """Raises `MissingPartError` where scikit-image is not installed."""
        self._metrics: Any = needed("skimage.metrics", "SSIM", "shader")

    def measure(self, target: Pixels, picture: Pixels) -> float:
        """The likeness of a picture. Raises `ValueError` for pictures of different sizes."""
        same_size(target, picture)
        height, width = target.shape[:2]
        missing = ((0, max(0, WINDOW - height)), (0, max(0, WINDOW - width)), (0, 0))
        padded = (np.pad(pixels, missing, mode="edge") for pixels in (target, picture))
        return float(
            self._metrics.structural_similarity(*padded, win_size=WINDOW, channel_axis=2, data_range=255),
        )


def open_metric(name: MetricName) -> Metric:
    """The metric of this name, ready to measure.

    Raises:
        MissingPartError: its library or its weights are missing, with the command that installs them.
    """
    if name == "lpips":
        from redraft.metrics.lpips import Lpips

        return Lpips()
    return Flip() if name == "flip" else Ssim()


def measure_frames(metric: Metric, target: Pixels, frames: Sequence[Pixels], enough: float | None) -> Score:
    """The distance of each frame from the target, the best frame, and the mean; all rounded to six digits.

    Frame and target are reduced to `measured_size` of the frame; a target of another shape is stretched to it. Of
    frames that are equally good the first is the best. `enough` None: the metric's own figure in `ENOUGH`.

    Raises:
        ValueError: no frame is given. KeyError: the metric's name is unknown.
    """
    if not frames:
        raise ValueError("There are no frames to measure; give at least one.")
    lower = DIRECTIONS[metric.name] == "lower"
    if enough is None:
        enough = {name.upper(): figure for name, figure in ENOUGH.items()}[metric.name]
    targets: dict[tuple[int, int], Pixels] = {}
    figures: list[float] = []
    for frame in frames:
        size = measured_size(frame.shape[1], frame.shape[0])
        if size not in targets:
            targets[size] = resized(target, *size)
        # adding zero turns −0.0 into 0.0
        figures.append(round(metric.measure(targets[size], resized(frame, *size)), DIGITS) + 0.0)
    best = min(figures) if lower else max(figures)
    return Score(
        metric=metric.name,
        best=best,
        mean=round(sum(figures) / len(figures), DIGITS),
        frame=figures.index(best),
        frames=tuple(figures),
        reached=best <= enough if lower else best >= enough,
    )


def measured_size(width: int, height: int) -> tuple[int, int]:
    """Width and height at which a frame of this size is compared: the longer side at most 256, the shorter never
    reduced below 16, nothing enlarged."""
    factor = min(1.0, max(LONGEST / max(width, height), SHORTEST / min(width, height)))
    return max(1, round(width * factor)), max(1, round(height * factor))


def needed(module: str, metric: str, extra: str) -> Any:
    """A module that one of redraft's extras brings. Its types are unknown: such libraries have none.

    Raises:
        MissingPartError: it is not installed, with the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingPartError(
            f"{metric} needs the package that holds `{module}`, and it could not be imported ({error}). "
            f"Install it: pip install 'redraft[{extra}]'"
        ) from error


def same_size(target: Pixels, picture: Pixels) -> None:
    """Raise `ValueError` unless both are height × width × 3 and of one size."""
    if target.shape != picture.shape or target.ndim != 3 or target.shape[2] != 3:
        raise ValueError(
            f"A metric compares pictures of one size, height × width × 3; given: {target.shape} and {picture.shape}."
        )


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """The picture at another size, by Lanczos; the same array when it has that size already."""
    if pixels.shape[:2] == (height, width):
        return pixels
    from PIL import Image

    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS))
