"""Target pictures, for every studio that works toward one: read, shown, and compared with frames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.files import PictureFolder
from redraft.metrics.base import MetricName, Pixels, resized
from redraft.metrics.pictures import colour_grid, png
from redraft.metrics.target import Target, read_target
from redraft.result import Score

COMPARED_CELLS = 240
"""Cells of the grid on which target and frame are compared."""
MAX_PLACES = 8
"""Places in a message: as many as can be fixed at once."""
MIN_DIFFERENCE = 24.0
"""Distance of two mean colors, in steps of 255, below which a place is not named."""
ALIKE = 0.55
"""Cells that touch and are wrong by at least this share of the worst of them, in its direction, are one place."""


def farthest(target: Pixels, frame: Pixels) -> tuple[str, ...]:
    """Return the places where the mean colors differ most, the worst first; empty if all are near.

    Args:
        target: of any size; compared at the frame's.
    """

    def grid(pixels: Pixels) -> NDArray[np.float64]:
        rows = [[tuple(bytes.fromhex(cell)) for cell in row] for row in colour_grid(pixels, COMPARED_CELLS)]
        return np.asarray(rows, np.float64)

    def color(cells: NDArray[np.float64]) -> str:
        mean = np.rint(cells.reshape(-1, 3).mean(axis=0)).astype(int)
        return "#{:02x}{:02x}{:02x}".format(*mean)

    expected, actual = grid(resized(target, frame.shape[1], frame.shape[0])), grid(frame)
    difference = expected - actual
    rows, columns = difference.shape[:2]
    places = list[str]()
    while len(places) < MAX_PLACES and np.linalg.norm(difference, axis=2).max() >= MIN_DIFFERENCE:
        cells = down, across = _worst_cells(difference)
        x = f"x {across.start / columns:.2f} to {across.stop / columns:.2f}"
        y = f"y {down.start / rows:.2f} to {down.stop / rows:.2f}"
        places.append(f"{x}, {y}: is {color(actual[cells])}, wanted {color(expected[cells])}")
        difference[cells] = 0.0
    return tuple(places)


def _worst_cells(difference: NDArray[np.float64]) -> tuple[slice, slice]:
    """Return the worst cell, grown to a rectangle of cells that are nearly as wrong in the same way."""
    size = np.linalg.norm(difference, axis=2)
    row, column = (int(index) for index in np.unravel_index(int(size.argmax()), size.shape))
    alike = difference @ difference[row, column] >= ALIKE * size[row, column] ** 2
    box: list[int] = [row, row + 1, column, column + 1]
    grown = True
    while grown:
        grown = False
        for side, step in ((0, -1), (1, 1), (2, -1), (3, 1)):
            wider = box.copy()
            wider[side] += step
            if wider[side] < 0 or wider[side] > alike.shape[side // 2]:
                continue
            if alike[wider[0] : wider[1], wider[2] : wider[3]].all():
                box, grown = wider, True
    return slice(box[0], box[1]), slice(box[2], box[3])


def target_of(brief: Brief) -> Target:
    """Return the brief's target. Raises `BriefError`."""
    assert brief.target is not None, "called only where there is a target"
    return _read(brief.target, brief.target.stat().st_mtime_ns if brief.target.is_file() else 0)


@lru_cache(maxsize=4)
def _read(path: Path, modified: int) -> Target:
    del modified  # a changed file is another target
    return read_target(path)


def target_picture(brief: Brief) -> bytes:
    """Return the target as it is compared, as a PNG."""
    return png(target_of(brief).pixels)


def about_target(brief: Brief, folder: PictureFolder, metric: MetricName) -> dict[str, JsonValue]:
    """Return the record's facts about the target; see `TargetStudio.about`."""
    target = target_of(brief)
    return {
        "picture": folder.put(target_picture(brief)),
        "width": target.width,
        "height": target.height,
        "notes": [*target.notes],
        "metric": metric.upper(),
    }


def target_inputs(brief: Brief, metric: str, score: Score | None, cells: int) -> dict[str, JsonValue]:
    """Return the inputs of prompts about a target: its mean colors in rows from the top, and the distance from it.

    They are empty without a target, or if nothing was measured.
    """
    inputs: dict[str, JsonValue] = {"target": [], "metric": "", "score": "", "better": "", "where": []}
    if brief.target is not None:
        inputs |= {"target": cast("JsonValue", colour_grid(target_of(brief).pixels, cells)), "metric": metric}
    if score is not None:
        better = "higher" if score.metric == "SSIM" else "lower"
        inputs |= {"score": f"{score.metric} {score.best:.4f}", "better": better, "where": [*score.where]}
    return inputs


def distance(brief: Brief, frames: Sequence[Pixels], metric: MetricName, enough: float | None) -> Score:
    """Return the distance of frames from the target, and the worst places of the best one.

    Raises:
        InfrastructureError: it could not be measured.
    """
    from redraft.metrics.base import measure_frames, open_metric

    target = target_of(brief).pixels
    score = measure_frames(open_metric(metric), target, frames, enough)
    return score.model_copy(update={"where": farthest(target, frames[score.frame])})
